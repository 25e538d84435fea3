"""The tree: making, moving, renaming and deleting folders, with all that is below."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from tests.library.makers import add, get, listed, make_folder, names
from tests.support.server import Person

from intelli.library import names as naming


async def test_a_folder_has_a_path_and_counts_its_documents(owner: Person):
    top = await make_folder(owner, "Top")
    inner = await make_folder(owner, "Inner", top)
    await add(owner, "a.txt", b"x", folder_id=inner["id"])
    assert (await get(owner, f"/folders/{inner['id']}")) | {"document_count": 0} == inner
    found = {folder["path"]: folder["document_count"] for folder in await listed(owner, "/folders", limit=1)}
    assert found == {"/Top": 0, "/Top/Inner": 1}
    assert [folder["id"] for folder in await listed(owner, "/folders", parent_id=top["id"])] == [inner["id"]]


async def test_renaming_a_folder_takes_along_all_below_it_and_nothing_beside_it(owner: Person):
    for path in ("/a_b/c", "/a_b/c/d", "/axb/c", "/a_bc"):
        await add(owner, "f.txt", path.encode(), folder_path=path)
    folder = next(folder for folder in await listed(owner, "/folders") if folder["path"] == "/a_b")
    answer = await owner.client.patch(f"/folders/{folder['id']}", json={"name": "z%"}, headers={"If-Match": '"1"'})
    assert (answer.json()["path"], answer.json()["version"], answer.headers["ETag"]) == ("/z%", 2, '"2"')
    assert [folder["path"] for folder in await listed(owner, "/folders")] == [
        *("/a_bc", "/axb", "/axb/c", "/z%", "/z%/c", "/z%/c/d")
    ]
    paths = {document["path"] for document in await listed(owner, "/documents")}
    assert paths == {"/z%/c/f.txt", "/z%/c/d/f.txt", "/axb/c/f.txt", "/a_bc/f.txt"}


async def test_a_folder_moves_but_never_into_itself(owner: Person):
    a = await make_folder(owner, "a")
    b = await make_folder(owner, "b", a)
    c = await make_folder(owner, "c")
    for target in (a, b):
        answer = await owner.client.patch(f"/folders/{a['id']}", json={"parent_folder_id": target["id"]})
        assert (answer.status_code, answer.json()["code"]) == (422, "into_itself")
    moved = await owner.client.patch(f"/folders/{a['id']}", json={"parent_folder_id": c["id"]})
    assert moved.json()["path"] == "/c/a"
    assert (await get(owner, f"/folders/{b['id']}"))["path"] == "/c/a/b"
    top = await owner.client.patch(f"/folders/{b['id']}", json={"parent_folder_id": None})
    assert top.json()["path"] == "/b"


async def test_a_folder_cannot_take_a_name_that_is_there(owner: Person):
    a = await make_folder(owner, "a")
    await make_folder(owner, "b")
    await add(owner, "c", b"x")
    for name in ("b", "c"):
        answer = await owner.client.patch(f"/folders/{a['id']}", json={"name": name})
        assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")


async def test_a_stale_change_of_a_folder_is_refused(owner: Person):
    folder = await make_folder(owner, "a")
    url, stale = f"/folders/{folder['id']}", {"If-Match": '"1"'}
    await owner.client.patch(url, json={"name": "b"})
    answers = [
        await owner.client.patch(url, json={"name": "c"}, headers=stale),
        await owner.client.patch(url, json={"name": "c", "expected_version": 1}),
        await owner.client.delete(url, headers=stale),
    ]
    assert [(a.status_code, a.json()["code"], a.json()["current"]) for a in answers] == [(409, "stale_version", 2)] * 3


async def test_a_folder_that_holds_something_is_deleted_only_when_that_is_said(owner: Person):
    document = await add(owner, "a.txt", b"x", folder_path="/a/b")
    await add(owner, "kept.txt", b"x", folder_path="/ab")
    a = next(folder for folder in await listed(owner, "/folders") if folder["path"] == "/a")
    url = f"/folders/{a['id']}"
    assert (await owner.client.delete(url)).json()["code"] == "folder_not_empty"
    gone = await owner.client.delete(url, params={"recursive": True})
    assert (gone.status_code, gone.json()) == (200, {"documents": 1, "cited_by": 0, "evidence": "none"})
    assert (await owner.client.get(f"/documents/{document['id']}")).status_code == 404
    assert [folder["path"] for folder in await listed(owner, "/folders")] == ["/ab"]
    assert await names(owner) == ["kept.txt"]
    told = (await get(owner, "/audit", entity_id=a["id"]))["items"][0]["details"]
    assert told == {"action": "delete", "documents": 1, "folders": 2, "evidence": "none"}


async def test_paths_have_a_bound_that_moving_cannot_pass(owner: Person):
    deep = await add(owner, "f.txt", b"x", folder_path="/" + "/".join("d" * 20))
    assert deep["path"].count("/") == 21
    other = await add(owner, "g.txt", b"x", folder_path="/" + "/".join("e" * 20))
    d = next(folder for folder in await listed(owner, "/folders", limit=200) if folder["path"] == "/d")
    answer = await owner.client.patch(f"/folders/{d['id']}", json={"parent_folder_id": other["folder_id"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "path_too_long")
    body = {"files": {"file": ("f.txt", b"x")}, "data": {"folder_path": "/".join("x" * 40)}}
    assert (await owner.client.post("/documents", **body)).json()["code"] == "path_too_long"


async def test_uploads_while_a_folder_is_renamed_all_end_up_in_it(owner: Person):
    folder = await make_folder(owner, "start")

    async def rename(n: int) -> None:
        (await owner.client.patch(f"/folders/{folder['id']}", json={"name": f"name {n}"})).raise_for_status()

    uploads = (add(owner, f"{n}.txt", b"%d" % n, folder_id=folder["id"]) for n in range(10))
    await asyncio.gather(*(rename(n) for n in range(10)), *uploads)
    path = (await get(owner, f"/folders/{folder['id']}"))["path"]
    documents = await listed(owner, "/documents")
    assert {document["path"] for document in documents} == {f"{path}/{n}.txt" for n in range(10)}


async def test_a_folder_made_twice_with_one_key_is_made_once(owner: Person):
    once = {"Idempotency-Key": "k"}
    answers = [await owner.client.post("/folders", json={"name": "a"}, headers=once) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert len(await listed(owner, "/folders")) == 1


@given(st.text(max_size=300), st.integers(2, 99999))
def test_a_name_that_is_accepted_stays_one_when_it_gets_a_number(text: str, number: int):
    try:
        name = naming.normalise(text)
    except ValueError:
        return
    assert naming.normalise(name) == name
    numbered = naming.with_number(name, number)
    assert naming.normalise(numbered) == numbered
    assert numbered != name
