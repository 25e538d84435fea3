"""Outermost middleware: request id in all log lines, span, metrics, default headers, and no traceback to clients."""

import re
import time
from uuid import uuid4

import structlog
from opentelemetry.trace import SpanKind
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from intelli.kit import log
from intelli.kit.telemetry import Telemetry
from intelli.web import errors
from intelli.web.headers import AnswerHeaders

_log = structlog.get_logger(__name__)
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# Probes come every few seconds and would flood the log.
_UNLOGGED = {"/healthz", "/readyz", "/metrics"}


class RequestScope:
    """ASGI middleware that identifies, measures and logs each request, and answers an unexpected error with a 500."""

    def __init__(self, app: ASGIApp, *, telemetry: Telemetry, api: str, public_url: str | None) -> None:
        self._app = app
        self._headers = AnswerHeaders(public_url=public_url)
        self._telemetry = telemetry
        self._api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run one request; a status of 499 is recorded when no response was started."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = _request_id(headers)
        answer = _ResponseSender(scope, send, request_id=request_id, headers=self._headers)
        parent = self._telemetry.incoming(headers)
        begun = time.perf_counter()
        with (
            log.bind_ids(request_id=request_id),
            self._telemetry.span(f"HTTP {scope['method']}", parent=parent, kind=SpanKind.SERVER) as span,
        ):
            try:
                await self._app(scope, receive, answer)
            except Exception as error:  # noqa: BLE001  # the outermost edge of a request
                _log.error("request_failed", exc_info=error)
                if answer.status is None:
                    await errors.internal_error(request_id)(scope, receive, answer)
            self._record(scope, answer.status or 499, time.perf_counter() - begun)
            span.set_attribute("http.route", self._route(scope))
            span.set_attribute("http.response.status_code", answer.status or 499)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route = self._route(scope)
        self._telemetry.observe_request(method=scope["method"], route=route, status=status, seconds=seconds)
        if scope["path"] not in _UNLOGGED:
            _log.info("request", method=scope["method"], route=route, status=status, ms=round(seconds * 1000, 1))

    def _route(self, scope: Scope) -> str:
        """Return the route's path template: the path itself would disclose ids and make a series per resource."""
        template: str = getattr(scope.get("route"), "path", "unmatched")
        # A route of an included router knows its path without the prefix it was included under.
        is_relative = scope["path"].startswith(f"{self._api}/") and not template.startswith("/api/")
        return self._api + template if is_relative else template


class _ResponseSender:
    """ASGI `send` that adds our headers to the response and records its status."""

    def __init__(self, scope: Scope, send: Send, *, request_id: str, headers: AnswerHeaders) -> None:
        self._scope = scope
        self._send = send
        self._request_id = request_id
        self._headers = headers
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            MutableHeaders(scope=message)["X-Request-ID"] = self._request_id
            self._headers.complete(self._scope, message)
        await self._send(message)


def _request_id(headers: Headers) -> str:
    """Return the caller's `X-Request-ID` when it is short and plain, else a new id."""
    given = headers.get("X-Request-ID", "")
    return given if _REQUEST_ID.fullmatch(given) else uuid4().hex
