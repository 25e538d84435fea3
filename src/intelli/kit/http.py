"""Shared parts of HTTP edges: authentication, dependencies, problem+json, query parameters, event streams."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Annotated, Protocol, TypeVar, cast

from fastapi import Depends, Header, Query, Request
from fastapi.responses import JSONResponse, Response
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from starlette.types import Receive, Send
from starlette.types import Scope as RequestScope

from intelli.kit.compute import Compute
from intelli.kit.context import Scope, UserContext
from intelli.kit.db import Database
from intelli.kit.errors import Forbidden, IntelliError
from intelli.kit.feeds import FeedReader, StreamLimit
from intelli.kit.idempotency import Once
from intelli.kit.wire import FieldError, Problem

Part = TypeVar("Part")
PROBLEM_TYPE = "application/problem+json"
_FIRST_COMMENT = b": welcome\n\n"

_bearer = HTTPBearer(auto_error=False, description="The access token of a session.", bearerFormat="JWT")
_api_key = APIKeyHeader(name="X-API-Key", auto_error=False, description="An API key, as `ik_…`.")


class ScopeMissing(Forbidden):
    """The credential does not carry the scope this needs."""

    code = "scope_missing"


class Authenticator(Protocol):
    """Resolves a credential to its user or raises `Unauthenticated`. The app has one; every guarded route calls it."""

    async def __call__(self, *, bearer: str | None, api_key: str | None) -> UserContext:
        """Return the user that the credential belongs to."""


class AnswerSecret(bytes):
    """Secret that stored idempotent answers are encrypted with."""


class PublicUrl(str):
    """Address that people open in their browser; empty when none is set."""

    __slots__ = ()


def part(kind: type[Part]) -> Callable[[Request], Awaitable[Part]]:
    """Build a dependency that returns one of the app's parts, found by its type."""

    # A coroutine, though it awaits nothing: the framework runs plain functions in a thread, which takes longer.
    async def find(request: Request) -> Part:
        return cast(Part, request.app.state.parts[kind])  # the composition root stores each part under its own type

    return find


async def _authenticate(
    request: Request,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    api_key: Annotated[str | None, Depends(_api_key)],
) -> UserContext:
    authenticate: Authenticator = request.app.state.parts[Authenticator]
    return await authenticate(bearer=bearer.credentials if bearer else None, api_key=api_key)


def _require(scope: Scope) -> Callable[[UserContext], Awaitable[UserContext]]:
    async def check(who: Annotated[UserContext, Depends(_authenticate)]) -> UserContext:
        if not who.may(scope):
            raise ScopeMissing(f"This needs the scope '{scope}'. Ask an admin of the workspace, or use another key.")
        return who

    return check


Reader = Annotated[UserContext, Depends(_require(Scope.READ))]
Writer = Annotated[UserContext, Depends(_require(Scope.WRITE))]
Admin = Annotated[UserContext, Depends(_require(Scope.ADMIN))]
Db = Annotated[Database, Depends(part(Database))]
Streams = Annotated[StreamLimit, Depends(part(StreamLimit))]
Computing = Annotated[Compute, Depends(part(Compute))]
Limit = Annotated[int, Query(ge=1, le=200, description="How many items a page holds.")]
Cursor = Annotated[str | None, Query(max_length=200, description="`next_cursor` of the page before.")]
PlaceCursor = Annotated[str | None, Query(max_length=2000, description="`next_cursor` of the page before.")]
IfMatch = Annotated[str | None, Header(description="The ETag the change is based on.")]


async def _once(
    request: Request,
    secret: Annotated[AnswerSecret, Depends(part(AnswerSecret))],
    idempotency_key: Annotated[
        str | None,
        Header(min_length=1, max_length=200, description="Repeat a request with the same key and it is done once."),
    ] = None,
) -> Once:
    fingerprint = b"\0".join((request.method.encode(), request.url.path.encode(), await request.body()))
    return Once(key=idempotency_key, request=fingerprint, secret=secret)


OnceOnly = Annotated[Once, Depends(_once)]


def as_problem(error: IntelliError, *, errors: list[FieldError] | None = None) -> Problem:
    """Convert an error to its wire model."""
    return Problem(
        type=f"https://intelli.dev/problems/{error.code}",
        title=error.title,
        status=error.status,
        detail=error.detail,
        code=error.code,
        errors=errors or [],
    )


def problem(error: IntelliError, *, errors: list[FieldError] | None = None) -> JSONResponse:
    """Build the response to an error: RFC 9457, with a stable code and never a traceback."""
    body = as_problem(error, errors=errors)
    headers = {"Cache-Control": "no-store"}
    if "retry_after_s" in error.extra:
        headers["Retry-After"] = str(error.extra["retry_after_s"])
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    content = body.model_dump(mode="json") | error.extra
    return JSONResponse(content, status_code=error.status, headers=headers, media_type=PROBLEM_TYPE)


class EventStream(Response):
    """Server-sent event stream of a feed, until the feed ends, access is refused or the client disconnects.

    While it is open, it counts towards the person's limit of streams.
    """

    media_type = "text/event-stream"

    def __init__(self, reader: FeedReader, limit: StreamLimit, *, status_code: int = 200) -> None:
        super().__init__(status_code=status_code, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["Content-Length"]
        self._reader = reader
        self._limit = limit

    async def __call__(self, scope: RequestScope, receive: Receive, send: Send) -> None:
        """Send the response. Raise TooManyStreams before anything is sent when the limit is reached."""
        with self._limit.admit(self._reader.who):
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            sending, leaving = (
                asyncio.ensure_future(self._send(send)),
                asyncio.ensure_future(_wait_for_disconnect(receive)),
            )
            try:
                await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            finally:
                sending.cancel()
                leaving.cancel()
                await asyncio.gather(sending, leaving, return_exceptions=True)
            if not sending.cancelled():
                sending.result()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.body", "body": _FIRST_COMMENT, "more_body": True})
        # The response has begun, so a refusal can only end it; the client reconnects and gets the error then.
        with suppress(IntelliError), self._reader as reader:
            while (chunk := await reader.read()) is not None:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
