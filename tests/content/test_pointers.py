"""Manifests and pointers over HTTP."""

import asyncio
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.content.makers import commit, move, sha256_of, upload
from tests.support.server import Person

from intelli.content import manifests, paths
from intelli.content.wire import Entry, PlatformType
from intelli.kit.canonical import canonical_json


async def test_a_manifest_has_the_hash_that_a_client_computes(owner: Person):
    manifest = await commit(owner, {"b/c.txt": b"two", "a.txt": b"one"}, message="Grüße 💥")
    said = {"message": "Grüße 💥", "parent_sha256": None, "tree": manifest["tree"]}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert manifest["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert (manifest["entry_count"], manifest["total_size_bytes"]) == (2, 6)
    assert (await owner.client.get(f"/manifests/{manifest['sha256']}")).json() == manifest


def test_keys_are_sorted_as_rfc_8785_says():
    assert canonical_json({"\ufb33": 1, "\U0001f600": 2, "\r": 3}).decode() == '{"\\r":3,"\U0001f600":2,"\ufb33":1}'


async def test_the_same_tree_is_stored_once_and_counted_once(owner: Person):
    first, second = [await commit(owner, {"a": b"one", "b": b"one"}) for _ in range(2)]
    assert first == second
    assert (await owner.client.get(f"/artifacts/{sha256_of(b'one')}")).json()["reference_count"] == 2


async def test_a_repeated_commit_with_its_key_gets_the_first_answer(owner: Person):
    once = {"Idempotency-Key": "a"}
    answers = [(await owner.client.post("/manifests", json={"tree": {}}, headers=once)).json() for _ in range(2)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "path",
    ["", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a\\b", "a\nb", "e\u0301", "x" * 256, "/".join(["xxx"] * 300)],
)
async def test_a_path_that_could_lead_astray_is_refused(owner: Person, path: str):
    sha256 = (await upload(owner, b"x"))["sha256"]
    answer = await owner.client.post("/manifests", json={"tree": {path: {"sha256": sha256}}})
    assert answer.status_code == 422


async def test_a_path_cannot_be_file_and_folder(owner: Person):
    entry = {"sha256": (await upload(owner, b"x"))["sha256"]}
    answer = await owner.client.post("/manifests", json={"tree": {"a": entry, "a/b": entry}})
    assert answer.status_code == 422


@given(st.text(max_size=60))
def test_a_path_that_is_accepted_stays_below_its_root(path: str):
    try:
        paths.check_path(path)
    except ValueError:
        return
    assert not path.startswith("/")
    assert not {"", ".", ".."} & set(path.split("/"))


async def test_a_tree_of_unknown_artifacts_is_refused_by_name(owner: Person):
    missing = sha256_of(b"never sent")
    answer = await owner.client.post("/manifests", json={"tree": {"a": {"sha256": missing}}})
    assert (answer.status_code, answer.json()["missing"]) == (422, [missing])


async def test_a_diff_tells_what_was_added_removed_and_changed(owner: Person):
    before = await commit(owner, {"same": b"1", "gone": b"2", "other": b"3"})
    after = await commit(owner, {"same": b"1", "new": b"4", "other": b"5"}, parent_sha256=before["sha256"])
    diff = (await owner.client.get(f"/manifests/{before['sha256']}/diff/{after['sha256']}")).json()
    assert {kind: list(found) for kind, found in diff.items()} == {
        "added": ["new"],
        "removed": ["gone"],
        "changed": ["other"],
    }
    assert diff["changed"]["other"]["after"]["sha256"] == sha256_of(b"5")


_trees = st.dictionaries(
    st.text("abc", min_size=1, max_size=2),
    st.builds(
        Entry,
        sha256=st.sampled_from([sha256_of(b"1"), sha256_of(b"2")]),
        media_type=st.just("text/plain"),
        entity_type=st.just(PlatformType.DOCUMENT),
        size_bytes=st.integers(0, 9),
    ),
)


@given(_trees, _trees)
def test_two_trees_have_one_hash_only_when_they_are_the_same(one: dict[str, Entry], two: dict[str, Entry]):
    hashes = [manifests.hash_tree(tree, parent_sha256=None, message="") for tree in (one, two)]
    assert (hashes[0] == hashes[1]) == (one == two)


async def test_a_pointer_moves_only_from_where_it_is_expected(owner: Person):
    one, two = [(await commit(owner, {"a": content}))["sha256"] for content in (b"1", b"2")]
    first = await move(owner, one)
    assert (first.status_code, first.json()["version"], first.headers["ETag"]) == (200, 1, '"1"')
    stale = await move(owner, two)
    assert (stale.status_code, stale.json()["code"], stale.json()["current"]) == (409, "pointer_moved", one)
    assert (await move(owner, two, expected=one)).json()["manifest_sha256"] == two
    stale = await owner.client.put(
        "/pointers/team/report", json={"manifest_sha256": one, "expected": two}, headers={"If-Match": '"1"'}
    )
    assert stale.status_code == 412


async def test_of_many_moves_at_once_exactly_one_wins(owner: Person):
    targets = [(await commit(owner, {"a": str(number).encode()}))["sha256"] for number in range(8)]
    expected: str | None = None
    for _round in range(5):
        answers = await asyncio.gather(*(move(owner, to, expected=expected) for to in targets if to != expected))
        won = [answer for answer in answers if answer.status_code == 200]
        assert len(won) == 1
        assert {answer.status_code for answer in answers} == {200, 409}
        expected = won[0].json()["manifest_sha256"]
        lost = {answer.json()["current"] for answer in answers if answer.status_code == 409}
        assert lost == {expected}
    history = (await owner.client.get("/pointers/team/report/history")).json()["items"]
    assert [entry["version"] for entry in history] == [5, 4, 3, 2, 1]
    assert [entry["from_sha256"] for entry in history[:-1]] == [entry["to_sha256"] for entry in history[1:]]


async def test_a_deleted_pointer_keeps_its_history_and_comes_back_by_reset(owner: Person):
    one, two = [(await commit(owner, {"a": content}))["sha256"] for content in (b"1", b"2")]
    await move(owner, one, description="The report", pointer_type="corpus", meta={"pages": 3})
    await move(owner, two, expected=one)
    assert (await owner.client.delete("/pointers/team/report")).status_code == 204
    assert (await owner.client.get("/pointers/team/report")).status_code == 404
    assert (await owner.client.get("/pointers")).json()["items"] == []
    assert (await owner.client.delete("/pointers/team/report")).status_code == 404
    body = {"manifest_sha256": one, "expected": None}
    back = (await owner.client.post("/pointers/team/report/reset", json=body)).raise_for_status().json()
    assert (back["manifest_sha256"], back["description"], back["meta"]) == (one, "The report", {"pages": 3})
    reasons = [entry["reason"] for entry in (await owner.client.get("/pointers/team/report/history")).json()["items"]]
    assert reasons == ["user_reset", "deleted", "user_update", "user_update"]


async def test_a_reset_leads_only_to_where_the_pointer_was(owner: Person):
    one, two = [(await commit(owner, {"a": content}))["sha256"] for content in (b"1", b"2")]
    await move(owner, one)
    body = {"manifest_sha256": two, "expected": one}
    answer = await owner.client.post("/pointers/team/report/reset", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "not_in_history")


async def test_pointers_are_listed_by_pages_and_by_namespace(owner: Person):
    sha256 = (await commit(owner, {}))["sha256"]
    for number in range(5):
        await move(owner, sha256, name=f"n{number}")
    first = (await owner.client.get("/pointers", params={"limit": 3})).json()
    rest = (await owner.client.get("/pointers", params={"limit": 3, "cursor": first["next_cursor"]})).json()
    assert [item["name"] for item in first["items"] + rest["items"]] == ["n4", "n3", "n2", "n1", "n0"]
    assert (await owner.client.get("/pointers", params={"namespace": "other"})).json()["items"] == []


async def test_moves_and_deletions_are_told_in_the_audit_log(owner: Person):
    sha256 = (await commit(owner, {}))["sha256"]
    await move(owner, sha256, reason="deliverable_generated")
    await owner.client.delete("/pointers/team/report")
    entries = (await owner.client.get("/audit", params={"entity_type": "pointer"})).json()["items"]
    told = [(entry["details"]["action"], entry["details"]["reason"]) for entry in entries]
    assert told == [("delete", "deleted"), ("move", "deliverable_generated")]
