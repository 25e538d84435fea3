"""Every route of the OpenAPI file, tried by strangers and by the wrong people."""

from collections.abc import Iterator

import httpx
import pytest
from tests.contracts.caller import Caller
from tests.contracts.conftest import Household
from tests.contracts.routes import (
    MAKING,
    QUESTIONS,
    Operation,
    ids_in,
    ids_in_body,
    ids_in_path,
    operations,
    quoted,
    random_ids,
    random_name,
    things_in_body,
)
from tests.support.server import Visit
from tests.support.soak import Turns


@pytest.fixture
def owner(ours: Household) -> Caller:
    return Caller(ours.owner.client)


@pytest.fixture
def stranger(visit: Visit) -> Caller:
    return Caller(visit())


async def test_without_a_credential_every_route_but_the_public_ones_says_sign_in(stranger: Caller):
    for operation in _guarded():
        path = operation.at(quoted(random_ids(operation)))
        for request in ({}, operation.sending()):
            answer = await stranger.send(operation, path, **request)
            assert answer.status_code == 401, operation.id
            assert answer.headers["WWW-Authenticate"] == "Bearer"


_WORTHLESS = (
    ("junk token", {"Authorization": "Bearer x"}),
    ("not UTF-8", {"Authorization": b"Bearer \xff\xfe"}),
    ("long token", {"Authorization": "Bearer " + "a.b.c" * 2000}),
    ("basic", {"Authorization": "Basic YTpi"}),
    ("junk key", {"X-API-Key": "ik_x"}),
    ("key not UTF-8", {"X-API-Key": b"ik_\xff"}),
    ("empty key", {"X-API-Key": ""}),
    ("both", {"Authorization": "Bearer x", "X-API-Key": "ik_x"}),
)


async def test_a_credential_of_no_worth_opens_no_route(stranger: Caller):
    turns, headers = Turns(), dict(_WORTHLESS)
    for operation in _guarded():
        path = operation.at(quoted(random_ids(operation)))
        for name in turns.deal(list(headers), times=2):
            answer = await stranger.send(operation, path, headers=headers[name])
            assert answer.status_code == 401, (operation.id, name)


async def test_an_id_of_another_workspace_answers_exactly_like_one_that_does_not_exist(
    ours: Household, theirs: Household, owner: Caller
):
    for operation in operations():
        named = ids_in_path(operation) | ids_in_body(operation)
        if not named or operation.id in MAKING:
            continue
        foreign = {name: theirs.ids()[name] for name in named}
        absent = random_ids(operation) | {
            name: random_name(schema) for name, schema in things_in_body(operation).items()
        }
        answers = [await _name_things(owner, operation, ids) for ids in (foreign, absent)]
        assert [answer.status_code for answer in answers] == [404, 404], operation.id
        assert answers[0].json() == answers[1].json(), operation.id
    await _is_untouched(theirs)


async def test_a_filter_by_an_id_of_another_workspace_finds_nothing(ours: Household, theirs: Household, owner: Caller):
    tried, turns = 0, Turns()
    for operation in operations():
        for name in ids_in(operation.parameters("query")):
            for value in _foreign(theirs, name, turns):
                answer = await owner.send(operation, operation.at(quoted(ours.ids())), params={name: value})
                if answer.headers["Content-Type"] == "application/json":
                    assert answer.json()["items"] == [], operation.id
                tried += 1
        if operation.id in QUESTIONS:
            for name in ids_in(operation.fields()):
                for value in _foreign(theirs, name, turns):
                    answer = await owner.send(operation, operation.path, json={**operation.example(), name: value})
                    assert answer.is_client_error or answer.json()["sources"] == [], (operation.id, name)
    assert tried


async def test_no_answer_ever_tells_of_another_workspace(ours: Household, theirs: Household, owner: Caller):
    marks = [*theirs.ids().values(), "theirs"]
    for operation in operations():
        if operation.method == "GET" and not operation.is_public and not ids_in_path(operation):
            answer = await owner.send(operation, operation.path)
            if answer.is_stream_consumed:
                assert [mark for mark in marks if mark in answer.text] == [], operation.id


async def test_a_key_that_may_only_read_changes_nothing(ours: Household, visit: Visit):
    reader = visit()
    reader.headers["X-API-Key"] = ours.api_key["key"]
    for operation in _guarded():
        if operation.is_change:
            answer = await Caller(reader).send(operation, operation.at(ours.ids()), **operation.sending())
            assert answer.status_code == 403, operation.id
    await _is_untouched(ours)


# What a viewer may change: things that are their own and nobody else's.
_OF_ONES_OWN = {
    "switch_workspace": "a person's own sessions",
    "change_me": "a person's own account",
    "change_password": "a person's own account",
    "end_session": "a person's own sessions",
    "end_other_sessions": "a person's own sessions",
    "found_workspace": "makes a workspace of the person's own",
    "accept_invitation": "the invitation is the permission",
    "create_key": "a person's own keys, which never reach further than the person",
    "revoke_key": "a person's own keys",
}


async def test_a_viewer_changes_nothing_but_their_own(ours: Household):
    viewer = Caller(ours.viewer.client)
    for operation in _guarded():
        if operation.is_change and operation.id not in _OF_ONES_OWN:
            answer = await viewer.send(operation, operation.at(ours.ids()), **operation.sending())
            assert answer.status_code == 403, operation.id
    assert set(_OF_ONES_OWN) <= {operation.id for operation in operations()}
    await _is_untouched(ours)


async def test_a_viewer_reaches_nothing_of_a_colleague_through_what_is_their_own(ours: Household):
    viewer = Caller(ours.viewer.client)
    for operation in _guarded():
        if operation.id in _OF_ONES_OWN and ids_in_path(operation):
            answer = await viewer.send(operation, operation.at(ours.ids()), **operation.sending())
            assert answer.status_code == 404, operation.id
    await _is_untouched(ours)


async def test_the_example_of_every_body_is_understood(owner: Caller, ours: Household):
    for operation in operations():
        if operation.takes_body:
            answer = await owner.send(operation, operation.at(quoted(random_ids(operation))), **operation.sending())
            if answer.is_client_error:
                assert answer.json()["code"] not in {"invalid", "unreadable_json"}, (operation.id, answer.json())


def _foreign(theirs: Household, name: str, turns: Turns) -> list[str]:
    """The id that a filter of this name is for, where there is one, and a few of other things in turn."""
    ids = theirs.ids()
    return [ids[each] for each in {name, *turns.deal(list(ids), times=4)} if each in ids]


def _guarded() -> Iterator[Operation]:
    return (operation for operation in operations() if not operation.is_public)


# What else a body says when a field of it names a thing.
_SAID_WITH = {"initialization_document_id": {"initialization_context": "file"}}


async def _name_things(caller: Caller, operation: Operation, ids: dict[str, str]) -> httpx.Response:
    request = operation.sending()
    named = ids_in_body(operation)
    request["data" if operation.is_upload else "json"] |= {name: ids[name] for name in named}
    for name in named & set(_SAID_WITH):
        request["json"] |= _SAID_WITH[name]
    return await caller.send(operation, operation.at(quoted(ids)), params=operation.needed(), **request)


async def _is_untouched(household: Household) -> None:
    """What the household had is there, and its people are still signed in."""
    client = household.owner.client
    assert await household.owner.me() == household.me
    assert (await household.viewer.me())["role"] == "viewer"
    keys = (await client.get("/api-keys")).raise_for_status().json()["items"]
    assert [key["id"] for key in keys] == [household.api_key["id"]]
    invitations = (await client.get("/invitations")).raise_for_status().json()["items"]
    assert [invitation["id"] for invitation in invitations] == [household.invitation["id"]]
    assert (await client.get("/pointers")).raise_for_status().json()["items"] == [household.pointer]
