"""Every route of the OpenAPI file, tried by strangers, by the wrong people, and with what no client should send."""

import base64
import json
import re
from collections.abc import Iterator

import httpx
import pytest
from tests.contracts.conftest import Household
from tests.contracts.routes import (
    Operation,
    ids_in,
    is_foreign,
    is_number,
    is_word,
    operations,
    quoted,
    random_name,
)
from tests.support.server import Visit

_LEAKS = re.compile(
    r"Traceback|File \"|\.py\b|/src/|site-packages|psycopg|sqlalchemy|asyncpg|pydantic|SQLSTATE|"
    r"\b(select|insert into|update|delete from)\b .{0,80}\b(from|values|set|where)\b|postgresql://|row-level security",
    re.IGNORECASE,
)
# The test's server runs no worker, and says so.
_MAY_BE_UNREADY = {"readyz"}
_ODD_METHODS = ("HEAD", "OPTIONS", "TRACE", "PUT", "PROPFIND")
_JSON = {"Content-Type": "application/json"}

_DEEP = "[" * 100_000 + "]" * 100_000
# Values that PostgreSQL, UTF-8 or JSON itself cannot hold, as they stand in a body.
_ODD_VALUES = (
    r'"\ud800"',
    r'"\udfff\ud800"',
    r'"a\u0000b"',
    r'{"\ud800": 1}',
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999999",
    "-1e999999",
    "9" * 5000,
    _DEEP,
)
_ODD_BODIES = (
    b"{",
    b"{}}",
    b"[]",
    b"1",
    b"true",
    b'"text"',
    _DEEP.encode(),
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"name": "\xff\xfe"}',
    b'{"name": "\xed\xa0\x80"}',
    '{"name": "x"}'.encode("utf-16"),
    b"\xef\xbb\xbf{}",
    b"\x00",
    b'{"name": "' + b"x" * (2 << 20) + b'"}',
)
_ODD_ADDRESSES = ("%00", "a%00b", "%ff", "%ed%a0%80", "%c0%80")
_ODD_NUMBERS = ("-1", "0", "201", "9" * 30, "9" * 5000, "1.5", "NaN", "ten", "", "0x10", "\uff11")
_ODD_IDS = ("not-an-id", "0", "'", "null", "g" * 32, "1" * 37, "1" * 5000, "00000000-0000-0000-0000-00000000000g")
_ODD_WORDS = ("'", ".hidden", "-", " ", "a b", "\u00e9", "a\n", "x" * 101, "x" * 5000, "{}")
_ODD_TIMES = ("yesterday", "2020-13-45T00:00:00Z", "2020-01-01T00:00:00", "9" * 400, "infinity")
_ODD_KEYS = ("-1", "9" * 19, "9" * 100, "ten", "'", "\0", "1e9", "1_000", " 1", "{}")
_ODD_CURSORS = (
    *(base64.urlsafe_b64encode(key.encode()).decode().rstrip("=") for key in _ODD_KEYS),
    *("*", "a", "=", "A" * 200, "A" * 201, "A" * 5000, "%F0%9F%92%A5"),
)


class Caller:
    """Sends requests as someone and looks at every answer for what must never be in one."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._root = client.base_url.copy_with(path="/")

    async def send(self, operation: Operation, path: str, **request: object) -> httpx.Response:
        return await self.ask(operation.method, path, may_be_unready=operation.id in _MAY_BE_UNREADY, **request)

    async def ask(self, method: str, path: str, *, may_be_unready: bool = False, **request: object) -> httpx.Response:
        url = f"{str(self._root).rstrip('/')}{path}"
        async with self._client.stream(method, url, **request) as answer:  # type: ignore[arg-type]  # httpx's own keywords
            if "text/event-stream" not in answer.headers.get("Content-Type", ""):
                await answer.aread()
        where = f"{method} {path[:200]}"
        assert answer.status_code < 500 or (may_be_unready and answer.status_code == 503), where
        if answer.is_stream_consumed:
            assert not _LEAKS.search(answer.text), f"{where} tells too much: {answer.text[:500]}"
        if answer.is_client_error and method != "HEAD":
            assert answer.headers["Content-Type"] == "application/problem+json", where
            assert answer.json()["status"] == answer.status_code, where
        return answer


@pytest.fixture
def owner(ours: Household) -> Caller:
    return Caller(ours.owner.client)


@pytest.fixture
def stranger(visit: Visit) -> Caller:
    return Caller(visit())


async def test_without_a_credential_every_route_but_the_public_ones_says_sign_in(stranger: Caller):
    for operation in _guarded():
        path = operation.at(quoted(_random_ids(operation)))
        for request in ({}, operation.sending()):
            answer = await stranger.send(operation, path, **request)
            assert answer.status_code == 401, operation.id
            assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header",
    [
        {"Authorization": "Bearer x"},
        {"Authorization": b"Bearer \xff\xfe"},
        {"Authorization": "Bearer " + "a.b.c" * 2000},
        {"Authorization": "Basic YTpi"},
        {"X-API-Key": "ik_x"},
        {"X-API-Key": b"ik_\xff"},
        {"X-API-Key": ""},
        {"Authorization": "Bearer x", "X-API-Key": "ik_x"},
    ],
    ids=["junk token", "not UTF-8", "long token", "basic", "junk key", "key not UTF-8", "empty key", "both"],
)
async def test_a_credential_of_no_worth_opens_no_route(stranger: Caller, header: dict[str, str]):
    for operation in _guarded():
        answer = await stranger.send(operation, operation.at(quoted(_random_ids(operation))), headers=header)
        assert answer.status_code == 401, operation.id


async def test_an_id_of_another_workspace_answers_exactly_like_one_that_does_not_exist(
    ours: Household, theirs: Household, owner: Caller
):
    for operation in operations():
        named = _ids_in_path(operation) | _ids_in_body(operation)
        if not named:
            continue
        foreign = {name: theirs.ids()[name] for name in named}
        absent = _random_ids(operation) | {
            name: random_name(schema) for name, schema in _things_in_body(operation).items()
        }
        answers = [await _name_things(owner, operation, ids) for ids in (foreign, absent)]
        assert [answer.status_code for answer in answers] == [404, 404], operation.id
        assert answers[0].json() == answers[1].json(), operation.id
    await _is_untouched(theirs)


async def test_a_filter_by_an_id_of_another_workspace_finds_nothing(ours: Household, theirs: Household, owner: Caller):
    tried = 0
    for operation in operations():
        for name in ids_in(operation.parameters("query")):
            for value in theirs.ids().values():
                answer = await owner.send(operation, operation.at({}), params={name: value})
                if answer.headers["Content-Type"] == "application/json":
                    assert answer.json()["items"] == [], operation.id
                tried += 1
    assert tried


async def test_no_answer_ever_tells_of_another_workspace(ours: Household, theirs: Household, owner: Caller):
    marks = [*theirs.ids().values(), "theirs"]
    for operation in operations():
        if operation.method == "GET" and not operation.is_public and not _ids_in_path(operation):
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
        if operation.id in _OF_ONES_OWN and _ids_in_path(operation):
            answer = await viewer.send(operation, operation.at(ours.ids()), **operation.sending())
            assert answer.status_code == 404, operation.id
    await _is_untouched(ours)


async def test_the_example_of_every_body_is_understood(owner: Caller, ours: Household):
    for operation in operations():
        if operation.takes_body:
            answer = await owner.send(operation, operation.at(quoted(_random_ids(operation))), **operation.sending())
            if answer.is_client_error:
                assert answer.json()["code"] not in {"invalid", "unreadable_json"}, (operation.id, answer.json())


async def test_odd_values_in_any_field_of_a_body_are_refused(owner: Caller):
    for operation in operations():
        for field in operation.fields():
            for value in _ODD_VALUES:
                body = json.dumps(operation.example() | {field: "@"}).replace('"@"', value)
                answer = await _post(owner, operation, body.encode())
                assert answer.status_code == 422, (operation.id, field, value[:40])


async def test_odd_bodies_are_refused(owner: Caller):
    for operation in operations():
        if not operation.takes_body:
            continue
        for body in (*_ODD_BODIES, *((b"", b"null") if operation.needs_body else ())):
            answer = await _post(owner, operation, body)
            assert answer.status_code in {413, 422}, (operation.id, body[:40])


async def test_a_body_of_another_kind_is_refused(owner: Caller):
    for operation in operations():
        if not operation.needs_body:
            continue
        path = operation.at(quoted(_random_ids(operation)))
        body = json.dumps(operation.example()).encode()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "image/png"):
            answer = await owner.send(operation, path, content=body, headers={"Content-Type": kind})
            assert answer.status_code in {415, 422}, (operation.id, kind)


async def test_a_body_where_none_is_wanted_does_no_harm(owner: Caller):
    for operation in operations():
        if not operation.takes_body:
            path = operation.at(quoted(_random_ids(operation)))
            for body in (b"\xff", _DEEP.encode(), rb'{"a": "\ud800"}'):
                await owner.send(operation, path, content=body, headers=_JSON)


async def test_an_address_that_is_not_text_is_refused(owner: Caller):
    for operation in operations():
        for odd in _ODD_ADDRESSES:
            paths = [f"{operation.at(quoted(_random_ids(operation)))}?{odd}=1"]
            paths += [operation.at(quoted(_random_ids(operation)) | {name: odd}) for name in _ids_in_path(operation)]
            paths += [f"{operation.path}?{name}={odd}" for name in operation.parameters("query")]
            for path in paths:
                assert (await owner.send(operation, path)).status_code == 422, path


async def test_odd_ids_in_a_path_are_refused(owner: Caller):
    for operation in operations():
        for name, schema in operation.parameters("path").items():
            if is_foreign(schema):
                continue
            for odd in _ODD_WORDS if is_word(schema) else _ODD_IDS:
                path = operation.at(quoted(_random_ids(operation) | {name: odd}))
                answer = await owner.send(operation, path, json=operation.example())
                assert answer.status_code == 422, (operation.id, odd)


async def test_odd_parameters_are_refused(owner: Caller):
    for operation in operations():
        for place, keyword in (("query", "params"), ("header", "headers")):
            for name, schema in operation.parameters(place).items():
                for odd in _odd(name, schema):
                    request = {keyword: {name: odd.encode() if place == "header" else odd}}
                    answer = await owner.send(operation, operation.path, **request)
                    assert answer.status_code == 422, (operation.id, name, odd[:40])


async def test_free_text_in_a_parameter_does_no_harm(owner: Caller):
    for operation in operations():
        for name, schema in operation.parameters("query").items():
            if schema.get("type") == "string" and "format" not in schema:
                for text in ("'", "';--", "\\", "%", "💥", "\u202e", "x" * 60, "x" * 60_000, "../../etc/passwd"):
                    await owner.send(operation, operation.path, params={name: text})


async def test_odd_headers_do_no_harm(owner: Caller):
    for operation in operations():
        path = operation.at(quoted(_random_ids(operation)))
        for value in (b"", b"\xff", b'"', b'W/"1"', b"*, *", b'"' + b"9" * 5000 + b'"', "é".encode()):
            headers = dict.fromkeys(("If-Match", "Idempotency-Key", "Last-Event-ID", "Cookie", "Accept"), value)
            await owner.send(operation, path, **operation.sending(), headers=headers)


_PROBES = {"/healthz", "/readyz", "/metrics"}


async def test_odd_methods_do_no_harm(owner: Caller, stranger: Caller):
    for path in sorted({operation.at(quoted(_random_ids(operation))) for operation in operations()}):
        known = {operation.method for operation in operations() if operation.path == path}
        for method in _ODD_METHODS:
            # The probes answer HEAD like GET; nothing else takes a method it does not name.
            if method not in known and not (method == "HEAD" and path in _PROBES):
                assert (await owner.ask(method, path)).is_client_error, (method, path)
                assert (await stranger.ask(method, path)).is_client_error, (method, path)


@pytest.mark.parametrize("accept", ["text/html", "application/json", "*/*", ""])
async def test_an_unknown_address_of_the_api_is_a_problem_and_never_a_page(stranger: Caller, accept: str):
    for path in ("/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/members", "/api/v1/nothing", "/api/v1/members/a/b"):
        for method in ("GET", "POST", "DELETE"):
            answer = await stranger.ask(method, path, headers={"Accept": accept})
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), (method, path)


async def test_no_address_leads_out_of_the_pages(stranger: Caller):
    for path in (
        "/../pyproject.toml",
        "/..%2f..%2fsettings.py",
        "/%2e%2e/app.py",
        "/assets/..%2f..%2fapp.py",
        "//etc/passwd",
    ):
        answer = await stranger.ask("GET", path, headers={"Accept": "*/*"}, may_be_unready=True)
        assert answer.status_code == 404 or "import" not in answer.text.splitlines()[0]


def _guarded() -> Iterator[Operation]:
    return (operation for operation in operations() if not operation.is_public)


def _ids_in_path(operation: Operation) -> set[str]:
    """Every parameter of a path names a thing: by its id, its hash, the words that people chose, or a number in it."""
    named = operation.parameters("path")
    others = {name for name, schema in named.items() if is_word(schema) or is_number(schema) or is_foreign(schema)}
    assert ids_in(named) | others == set(named)
    return set(named)


def _things_in_body(operation: Operation) -> dict[str, dict[str, object]]:
    fields = operation.fields()
    return {name: fields[name] for name in ids_in(fields)}


def _ids_in_body(operation: Operation) -> set[str]:
    return set(_things_in_body(operation))


def _random_ids(operation: Operation) -> dict[str, str]:
    return {name: random_name(schema) for name, schema in operation.parameters("path").items()}


async def _name_things(caller: Caller, operation: Operation, ids: dict[str, str]) -> httpx.Response:
    request = operation.sending()
    request["data" if operation.is_upload else "json"] |= {name: ids[name] for name in _ids_in_body(operation)}
    return await caller.send(operation, operation.at(quoted(ids)), params=operation.needed(), **request)


async def _post(caller: Caller, operation: Operation, body: bytes) -> httpx.Response:
    return await caller.send(operation, operation.at(quoted(_random_ids(operation))), content=body, headers=_JSON)


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


def _odd(name: str, schema: dict[str, object]) -> tuple[str, ...]:  # noqa: PLR0911  # a table
    """Values that a parameter of this form must not take."""
    if name == "cursor":
        return _ODD_CURSORS
    match schema:
        case {"type": "integer", "minimum": 0}:
            return tuple(odd for odd in _ODD_NUMBERS if odd not in {"0", "201"})
        case {"type": "integer"}:
            return _ODD_NUMBERS
        case {"format": "uuid"}:
            return _ODD_IDS
        case {"format": "date-time"}:
            return _ODD_TIMES
        case {"type": "boolean"} | {"enum": _}:
            return ("maybe", "2", "'")
        case {"type": "string", "maxLength": int(longest)}:
            return ("x" * (longest + 1),)
        case _:
            return ()
