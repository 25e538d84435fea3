"""Every route of the OpenAPI file, tried with what no client should send.

What is odd is refused by the same few lines for all routes. So each place is tried with one odd value, another than
the place before it, and with all of them by `make soak`.
"""

import base64
import json

import httpx
import pytest
from tests.contracts.caller import Caller
from tests.contracts.conftest import Household
from tests.contracts.routes import (
    Operation,
    ids_in_path,
    is_foreign,
    is_word,
    operations,
    quoted,
    random_ids,
)
from tests.support.server import Visit
from tests.support.soak import Turns

_ODD_METHODS = ("HEAD", "OPTIONS", "TRACE", "PUT", "PROPFIND")
_JSON = {"Content-Type": "application/json"}
_OTHER_KINDS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "image/png")

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
_UNWANTED_BODIES = (b"\xff", _DEEP.encode(), rb'{"a": "\ud800"}')
_ODD_ADDRESSES = ("%00", "a%00b", "%ff", "%ed%a0%80", "%c0%80")
_ODD_NUMBERS = ("-1", "0", "201", "9" * 30, "9" * 5000, "1.5", "NaN", "ten", "", "0x10", "\uff11")
_ODD_IDS = ("not-an-id", "0", "'", "null", "g" * 32, "1" * 37, "1" * 5000, "00000000-0000-0000-0000-00000000000g")
_ODD_WORDS = ("'", ".hidden", "-", " ", "a b", "\u00e9", "a\n", "x" * 101, "x" * 5000, "{}")
_ODD_TEXTS = ("'", "';--", "\\", "%", "💥", "\u202e", "x" * 60, "x" * 60_000, "../../etc/passwd")
_ODD_HEADERS = (b"", b"\xff", b'"', b'W/"1"', b"*, *", b'"' + b"9" * 5000 + b'"', "é".encode())
_ODD_TIMES = ("yesterday", "2020-13-45T00:00:00Z", "2020-01-01T00:00:00", "9" * 400, "infinity")
_ODD_KEYS = ("-1", "9" * 19, "9" * 100, "ten", "'", "\0", "1e9", "1_000", " 1", "{}")
_ODD_CURSORS = (
    *(base64.urlsafe_b64encode(key.encode()).decode().rstrip("=") for key in _ODD_KEYS),
    *("*", "a", "=", "A" * 200, "A" * 201, "A" * 5000, "%F0%9F%92%A5"),
)


@pytest.fixture
def owner(ours: Household) -> Caller:
    return Caller(ours.owner.client)


@pytest.fixture
def stranger(visit: Visit) -> Caller:
    return Caller(visit())


@pytest.fixture
def turns() -> Turns:
    return Turns()


async def test_odd_values_in_any_field_of_a_body_are_refused(owner: Caller, turns: Turns):
    for operation in operations():
        for field in operation.fields():
            for value in turns.deal(_ODD_VALUES):
                body = json.dumps(operation.example() | {field: "@"}).replace('"@"', value)
                answer = await _post(owner, operation, body.encode())
                assert answer.status_code == 422, (operation.id, field, value[:40])


async def test_odd_bodies_are_refused(owner: Caller, turns: Turns):
    for operation in operations():
        if not operation.takes_body:
            continue
        for body in (*turns.deal(_ODD_BODIES), *((b"", b"null") if operation.needs_body else ())):
            answer = await _post(owner, operation, body)
            assert answer.status_code in {413, 422}, (operation.id, body[:40])


async def test_a_body_of_another_kind_is_refused(owner: Caller, turns: Turns):
    for operation in operations():
        if not operation.needs_body:
            continue
        path = operation.at(quoted(random_ids(operation)))
        body = json.dumps(operation.example()).encode()
        for kind in turns.deal(_OTHER_KINDS):
            answer = await owner.send(operation, path, content=body, headers={"Content-Type": kind})
            assert answer.status_code in {415, 422}, (operation.id, kind)


async def test_a_body_where_none_is_wanted_does_no_harm(owner: Caller, turns: Turns):
    for operation in operations():
        if not operation.takes_body:
            path = operation.at(quoted(random_ids(operation)))
            for body in turns.deal(_UNWANTED_BODIES):
                await owner.send(operation, path, content=body, headers=_JSON)


async def test_an_address_that_is_not_text_is_refused(owner: Caller, turns: Turns):
    for operation in operations():
        at = quoted(random_ids(operation))
        places = [f"{operation.at(at)}?@=1"]
        places += [operation.at(at | {name: "@"}) for name in ids_in_path(operation)]
        places += [f"{operation.path}?{name}=@" for name in operation.parameters("query")]
        for place in places:
            for odd in turns.deal(_ODD_ADDRESSES):
                path = place.replace("@", odd)
                assert (await owner.send(operation, path)).status_code == 422, path


async def test_odd_ids_in_a_path_are_refused(owner: Caller, turns: Turns):
    for operation in operations():
        for name, schema in operation.parameters("path").items():
            if is_foreign(schema):
                continue
            for odd in turns.deal(_ODD_WORDS if is_word(schema) else _ODD_IDS):
                path = operation.at(quoted(random_ids(operation) | {name: odd}))
                answer = await owner.send(operation, path, json=operation.example())
                assert answer.status_code == 422, (operation.id, odd)


async def test_odd_parameters_are_refused(owner: Caller, turns: Turns):
    for operation in operations():
        for place, keyword in (("query", "params"), ("header", "headers")):
            for name, schema in operation.parameters(place).items():
                for odd in turns.deal(_odd(name, schema)):
                    request = {keyword: {name: odd.encode() if place == "header" else odd}}
                    answer = await owner.send(operation, operation.path, **request)
                    assert answer.status_code == 422, (operation.id, name, odd[:40])


async def test_free_text_in_a_parameter_does_no_harm(owner: Caller, turns: Turns):
    for operation in operations():
        for name, schema in operation.parameters("query").items():
            if schema.get("type") == "string" and "format" not in schema:
                for text in turns.deal(_ODD_TEXTS):
                    await owner.send(operation, operation.path, params={name: text})


async def test_odd_headers_do_no_harm(owner: Caller, turns: Turns):
    for operation in operations():
        path = operation.at(quoted(random_ids(operation)))
        for value in turns.deal(_ODD_HEADERS):
            headers = dict.fromkeys(("If-Match", "Idempotency-Key", "Last-Event-ID", "Cookie", "Accept"), value)
            await owner.send(operation, path, **operation.sending(), headers=headers)


_PROBES = {"/healthz", "/readyz", "/metrics"}


async def test_odd_methods_do_no_harm(owner: Caller, stranger: Caller, turns: Turns):
    for path in sorted({operation.at(quoted(random_ids(operation))) for operation in operations()}):
        known = {operation.method for operation in operations() if operation.path == path}
        for method in turns.deal(_ODD_METHODS):
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


async def _post(caller: Caller, operation: Operation, body: bytes) -> httpx.Response:
    return await caller.send(operation, operation.at(quoted(random_ids(operation))), content=body, headers=_JSON)


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
