"""Documents over HTTP: adding, finding, renaming, moving, versions and deleting."""

import asyncio
import hashlib
import os

import pytest
from tests.library.makers import Json, add, get, listed, make_folder, names, send
from tests.support.server import Person


async def test_what_is_uploaded_comes_back_under_its_name(owner: Person):
    answer = await send(owner, "notes.txt", b"hello")
    assert answer.status_code == 201
    document = answer.json()
    assert (document["path"], document["version"], document["indexing_status"]) == ("/notes.txt", 1, "pending")
    assert (document["sha256"], document["file_size"]) == (hashlib.sha256(b"hello").hexdigest(), 5)
    assert answer.headers["ETag"] == '"1"'
    assert await get(owner, f"/documents/{document['id']}") == document
    content = await owner.client.get(f"/documents/{document['id']}/content")
    assert content.content == b"hello"
    head = await owner.client.head(f"/documents/{document['id']}/content")
    assert (head.content, head.headers["ETag"]) == (b"", content.headers["ETag"])
    assert "notes.txt" in content.headers["Content-Disposition"]


async def test_the_same_name_again_is_the_next_version_and_the_same_content_no_version(owner: Person):
    first = await send(owner, "a.txt", b"one")
    second = await send(owner, "a.txt", b"two")
    third = await send(owner, "a.txt", b"two")
    assert [answer.status_code for answer in (first, second, third)] == [201, 200, 200]
    assert [answer.json()["version"] for answer in (first, second, third)] == [1, 2, 2]
    assert len({answer.json()["id"] for answer in (first, second, third)}) == 1


async def test_a_taken_name_can_be_refused_or_get_a_number(owner: Person):
    await add(owner, "a.txt", b"one")
    refused = await send(owner, "a.txt", b"two", on_conflict="refuse")
    assert (refused.status_code, refused.json()["code"]) == (409, "name_taken")
    assert (await add(owner, "a.txt", b"two", on_conflict="rename"))["name"] == "a (2).txt"
    assert (await add(owner, "a.txt", b"two", on_conflict="rename"))["name"] == "a (3).txt"
    assert await names(owner) == ["a (2).txt", "a (3).txt", "a.txt"]


async def test_two_uploads_of_one_name_at_once_become_two_versions(owner: Person):
    contents = [os.urandom(10) for _ in range(6)]
    answers = await asyncio.gather(*(send(owner, "race.bin", content) for content in contents))
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert sorted(answer.json()["version"] for answer in answers) == [1, 2, 3, 4, 5, 6]
    (document,) = await listed(owner, "/documents")
    kept = await listed(owner, f"/documents/{document['id']}/versions")
    assert {version["sha256"] for version in kept} == {hashlib.sha256(content).hexdigest() for content in contents}


async def test_a_path_is_made_as_needed(owner: Person):
    document = await add(owner, "r.txt", b"x", folder_path="/Reports/2026/")
    assert document["path"] == "/Reports/2026/r.txt"
    again = await add(owner, "s.txt", b"y", folder_path="Reports/2026")
    assert again["folder_id"] == document["folder_id"]
    assert [folder["path"] for folder in await listed(owner, "/folders")] == ["/Reports", "/Reports/2026"]


async def test_uploads_into_a_new_path_at_once_share_its_folders(owner: Person):
    added = await asyncio.gather(*(add(owner, f"{n}.txt", b"%d" % n, folder_path="/a/b/c") for n in range(6)))
    assert len({document["folder_id"] for document in added}) == 1
    assert len(await listed(owner, "/folders")) == 3


@pytest.mark.parametrize(
    "name", ["a/b", "..", ".", "\x07bell", "new\nline", "x" * 256, "é" * 128, "\u202etxt.exe", " ", "\u2028"]
)
async def test_a_name_that_misleads_is_refused(owner: Person, name: str):
    upload = await send(owner, "a.txt", b"x", name=name)
    if name.strip():
        assert upload.status_code == 422
    assert (await owner.client.post("/folders", json={"name": name})).status_code == 422
    document = await add(owner, "kept.txt", b"x")
    changed = await owner.client.patch(f"/documents/{document['id']}", json={"name": name})
    assert changed.status_code == 422


async def test_a_name_keeps_its_case_and_is_told_in_one_form(owner: Person):
    decomposed = "Re\u0301sume\u0301.TXT"
    assert (await add(owner, decomposed, b"x"))["name"] == "R\u00e9sum\u00e9.TXT"
    assert (await send(owner, "R\u00e9sum\u00e9.TXT", b"y")).status_code == 200


async def test_a_file_and_a_folder_never_share_a_path(owner: Person):
    await make_folder(owner, "both")
    assert (await send(owner, "both", b"x")).json()["code"] == "name_taken"
    await add(owner, "file", b"x")
    assert (await owner.client.post("/folders", json={"name": "file"})).json()["code"] == "name_taken"
    assert (await send(owner, "x", b"x", folder_path="/file/below")).json()["code"] == "name_taken"


async def test_a_document_is_renamed_and_moved_and_each_is_a_version(owner: Person):
    folder = await make_folder(owner, "there")
    document = await add(owner, "a.txt", b"x")
    url = f"/documents/{document['id']}"
    renamed = (await owner.client.patch(url, json={"name": "b.txt"}, headers={"If-Match": '"1"'})).json()
    moved = (await owner.client.patch(url, json={"folder_id": folder["id"], "expected_version": 2})).json()
    back = (await owner.client.patch(url, json={"folder_id": None})).json()
    assert [each["path"] for each in (renamed, moved, back)] == ["/b.txt", "/there/b.txt", "/b.txt"]
    kept = await listed(owner, f"{url}/versions")
    assert [each["change"] for each in kept] == ["moved", "moved", "renamed", "created"]
    assert (await owner.client.patch(url, json={})).json()["version"] == 4


async def test_a_stale_change_is_refused_with_the_current_version_and_loses_nothing(owner: Person):
    document = await add(owner, "a.txt", b"one")
    await add(owner, "a.txt", b"two")
    url, stale = f"/documents/{document['id']}", {"If-Match": '"1"'}
    file = {"file": ("a.txt", b"three")}
    answers = [
        await owner.client.patch(url, json={"name": "b.txt"}, headers=stale),
        await owner.client.patch(url, json={"name": "b.txt", "expected_version": 1}),
        await owner.client.put(f"{url}/content", files=file, headers=stale),
        await owner.client.post(f"{url}/restore", json={"version": 1}, headers=stale),
        await owner.client.delete(url, headers=stale),
        await owner.client.delete(url, params={"expected_version": 1}),
    ]
    assert [(a.status_code, a.json()["code"], a.json()["current"]) for a in answers] == [(409, "stale_version", 2)] * 6
    assert (await get(owner, url))["version"] == 2


async def test_concurrent_changes_of_one_version_have_one_winner(owner: Person):
    document = await add(owner, "a.txt", b"one")
    url = f"/documents/{document['id']}"
    answers = await asyncio.gather(
        *(owner.client.patch(url, json={"name": f"{n}.txt"}, headers={"If-Match": '"1"'}) for n in range(5))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]


async def test_new_content_is_a_version_and_an_earlier_one_comes_back(owner: Person):
    document = await add(owner, "a.txt", b"one")
    url = f"/documents/{document['id']}"
    replaced = await owner.client.put(
        f"{url}/content", files={"file": ("other.txt", b"two")}, headers={"If-Match": "*"}
    )
    assert (replaced.json()["name"], replaced.json()["version"], replaced.headers["ETag"]) == ("a.txt", 2, '"2"')
    restored = await owner.client.post(f"{url}/restore", json={"version": 1}, headers={"If-Match": '"2"'})
    assert (restored.json()["version"], restored.json()["sha256"]) == (3, document["sha256"])
    for version, content in ((1, b"one"), (2, b"two"), (3, b"one")):
        assert (await owner.client.get(f"{url}/content", params={"version": version})).content == content
    assert (await owner.client.get(f"{url}/content", params={"version": 4})).json()["code"] == "version_not_found"
    assert (await owner.client.post(f"{url}/restore", json={"version": 9})).json()["code"] == "version_not_found"


async def test_a_deleted_document_is_gone_and_the_log_tells_who_deleted_it(owner: Person):
    document = await add(owner, "a.txt", b"one")
    url = f"/documents/{document['id']}"
    gone = await owner.client.delete(url, headers={"If-Match": '"1"'})
    assert (gone.status_code, gone.json()) == (200, {"documents": 1, "cited_by": 0, "evidence": "none"})
    assert (await owner.client.get(url)).json()["code"] == "document_not_found"
    assert (await owner.client.delete(url)).status_code == 404
    told = (await get(owner, "/audit", entity_id=document["id"]))["items"]
    assert [entry["details"]["action"] for entry in told] == ["delete", "created"]


async def test_a_download_is_told_in_the_log_once_however_many_parts_it_has(owner: Person):
    document = await add(owner, "a.txt", b"0123456789")
    url = f"/documents/{document['id']}/content"
    for part in ("bytes=0-4", "bytes=5-9"):
        assert (await owner.client.get(url, headers={"Range": part})).status_code == 206
    tag = (await owner.client.get(url)).headers["ETag"]
    assert (await owner.client.get(url, headers={"If-None-Match": tag})).status_code == 304
    read = (await get(owner, "/audit", event_type="file_read"))["items"]
    assert [entry["entity_id"] for entry in read] == [document["id"]] * 2


@pytest.fixture
async def shelf(owner: Person) -> dict[str, Json]:
    """A few documents in a few folders."""
    paths = {"a.txt": "", "B.txt": "", "c.md": "/x", "d.txt": "/x/y", "e_1.txt": "/x/y", "e11.txt": "/xx"}
    return {name: await add(owner, name, name.encode(), folder_path=path) for name, path in paths.items()}


async def test_a_list_is_by_name_without_regard_to_case(owner: Person, shelf: dict[str, Json]):
    assert await names(owner) == ["a.txt", "B.txt", "c.md", "d.txt", "e11.txt", "e_1.txt"]
    assert await names(owner, limit=1) == await names(owner)
    newest = ["e11.txt", "e_1.txt", "d.txt", "c.md", "B.txt", "a.txt"]
    assert await names(owner, sort="-updated_at") == newest
    assert await names(owner, sort="-updated_at", limit=2) == newest


async def test_a_list_can_be_narrowed(owner: Person, shelf: dict[str, Json]):
    x = shelf["c.md"]["folder_id"]
    assert await names(owner, top=True) == ["a.txt", "B.txt"]
    assert await names(owner, folder_id=x) == ["c.md"]
    assert await names(owner, folder_id=x, recursive=True) == ["c.md", "d.txt", "e_1.txt"]
    assert await names(owner, name="E_1") == ["e_1.txt"]
    assert await names(owner, name="%") == []
    assert await names(owner, status="failed") == []
    assert len(await names(owner, status="pending", source_type="blob_storage")) == 6


async def test_a_cursor_of_another_order_is_refused(owner: Person, shelf: dict[str, Json]):
    cursor = (await get(owner, "/documents", limit=1))["next_cursor"]
    answer = await owner.client.get("/documents", params={"sort": "-updated_at", "cursor": cursor})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_cursor")


async def test_a_page_stays_right_while_documents_come_and_go(owner: Person, shelf: dict[str, Json]):
    first = await get(owner, "/documents", limit=2)
    await owner.client.delete(f"/documents/{shelf['B.txt']['id']}")
    await add(owner, "a0.txt", b"new")
    rest = await get(owner, "/documents", limit=10, cursor=first["next_cursor"])
    assert [document["name"] for document in rest["items"]] == ["c.md", "d.txt", "e11.txt", "e_1.txt"]
