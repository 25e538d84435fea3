"""Middleware that rejects request bodies over the limit, and JSON that PostgreSQL or UTF-8 cannot represent."""

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
    """ASGI middleware: buffers the whole body within the limit, whatever its content type; JSON must be storable.

    Uploads are not buffered: their routes read them in pieces and apply their own limit. `uploads` are path patterns in
    which `*` matches one segment.
    """

    def __init__(self, app: ASGIApp, *, limit_bytes: int, uploads: Iterable[str]) -> None:
        self._app = app
        self._limit_bytes = limit_bytes
        self._uploads = re.compile("|".join(re.escape(path).replace(r"\*", "[^/]+") for path in uploads) or r"(?!)")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a valid request on; answer any other with a problem."""
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
            # A partial body must not pass for a whole one, and no client waits for a response.
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
    """Raise UnreadableJson unless the body is JSON that can be stored and returned unchanged."""
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
    """Tell whether the body is to be checked as JSON: also without a content type, since a route might parse it."""
    content_type = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    kind = content_type.partition(b";")[0].strip().lower()
    return kind in {b"", b"application/json"} or kind.endswith(b"+json")


def _replay(body: bytes) -> Receive:
    """Return a `receive` that delivers the buffered body to the route, then a disconnect."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else {"type": "http.disconnect"}

    return receive
