"""The body filter: nothing larger than the limit gets in, and no JSON that PostgreSQL or UTF-8 cannot hold."""

import json
import math
import re
from collections.abc import Iterable
from typing import NoReturn
from urllib.parse import unquote_to_bytes

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from intelli.kit.errors import Invalid, TooLarge
from intelli.kit.http import problem

_BODY_METHODS = {"POST", "PUT", "PATCH", "DELETE"}
_MAX_DEPTH = 64


class UnreadableJson(Invalid):
    """The body is not JSON that can be kept: broken, too deep, or with NUL, lone surrogates, NaN or huge numbers."""

    code = "unreadable_json"


class UnreadableAddress(Invalid):
    """The address holds NUL or is not UTF-8."""

    code = "unreadable_address"


class BodyFilter:
    """Reads a body once, whole and within the limit, whatever it says it is; JSON has to be fit to keep.

    Uploads stream through: their routes read them piece by piece and know their own limit. They are named by path, in
    which `*` stands for any one step.
    """

    def __init__(self, app: ASGIApp, *, limit_bytes: int, uploads: Iterable[str]) -> None:
        self._app = app
        self._limit_bytes = limit_bytes
        self._uploads = re.compile("|".join(re.escape(path).replace(r"\*", "[^/]+") for path in uploads) or r"(?!)")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a clean request on; answer any other."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            _check_address(scope)
            if scope["method"] in _BODY_METHODS and not self._uploads.fullmatch(scope["path"]):
                receive = _replay(await self._read(scope, receive))
        except (Invalid, TooLarge) as error:
            await problem(error)(scope, receive, send)
            return
        except ClientDisconnect:
            # Half a body must not be taken for a whole one, and nobody waits for an answer.
            return
        await self._app(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self._limit_bytes:
                raise TooLarge(f"The body of a request may have {self._limit_bytes} bytes at most.")
            if not message.get("more_body", False):
                break
        if body and _is_json(scope):
            check_json(bytes(body))
        return bytes(body)


def check_json(body: bytes) -> None:
    """Raise unless the body is JSON that can be stored and said again."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise UnreadableJson("The body is not valid JSON in UTF-8.") from error
    _check_value(value, depth=0)


def _check_value(value: object, *, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise UnreadableJson(f"The body is nested deeper than {_MAX_DEPTH} levels.")
    match value:
        case str():
            _check_text(value)
        case float() if not math.isfinite(value):
            raise UnreadableJson("The body holds a number that is too large.")
        case dict():
            for key, item in value.items():
                _check_text(key)
                _check_value(item, depth=depth + 1)
        case list():
            for item in value:
                _check_value(item, depth=depth + 1)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise UnreadableJson("The body holds a NUL character. Remove it.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UnreadableJson("The body holds half of a surrogate pair. Send the whole character.")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _check_address(scope: Scope) -> None:
    raw: bytes = scope.get("raw_path", b"") + b"?" + scope["query_string"]
    try:
        text = unquote_to_bytes(raw).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableAddress("The address is not valid UTF-8.") from error
    if "\0" in text:
        raise UnreadableAddress("The address holds a NUL character. Remove it.")


def _is_json(scope: Scope) -> bool:
    """A body without a content type is read as JSON too, since a route might."""
    content_type = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    kind = content_type.partition(b";")[0].strip().lower()
    return kind in {b"", b"application/json"} or kind.endswith(b"+json")


def _replay(body: bytes) -> Receive:
    """The body again, for the route; after it, silence until the client leaves."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else {"type": "http.disconnect"}

    return receive
