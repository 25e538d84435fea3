"""HTTP/1.1 as uvicorn reads it, with limits on the size of a head and on the time that head and body may take."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from intelli.web.headers import SAFE

HEAD_LIMIT_BYTES = 64 * 1024
_LONGEST_SILENCE_S = 60


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a request has to arrive."""

    head_s: float = 20
    body_bytes_per_s: int = 1000


class BoundedProtocol(HttpToolsProtocol):
    """Closes the connection of a client whose head does not come to an end, or whose body hardly moves.

    One timer serves both. A head has to be whole within `head_s` of the connection or of the answer before it. A body
    has the same time to begin with, and then a second for every `body_bytes_per_s` of it that came meanwhile, but no
    more than a minute at a time: what came fast does not buy hours of silence.
    """

    def __init__(self, *args: Any, pace: Pace, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._pace = pace
        self._head_bytes = 0
        self._body_bytes = 0
        self._is_in_head = True
        self._has_begun = False
        self._is_in_body = False
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Wait for a head."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what came, unless it is still a head and past the limit."""
        # Counted first: a head that begins within this piece starts at nothing again.
        self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > HEAD_LIMIT_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """A further request on the same connection; its time runs since the answer before it."""
        super().on_message_begin()
        self._head_bytes = 0
        self._is_in_head = self._has_begun = True

    def on_headers_complete(self) -> None:
        """Give the body its time."""
        self._is_in_head, self._has_begun, self._is_in_body = False, False, True
        self._body_bytes = 0
        self._start_clock(self._check_body)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count a piece of the body."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the clock, as the answer may take as long as it needs; it may also have been given already."""
        self._is_in_body = False
        self._stop_clock()
        super().on_message_complete()
        if self.cycle.response_complete:
            self._await_head()

    def on_response_complete(self) -> None:
        """Wait for the next head, unless it is here already or the rest of a body is still to come."""
        super().on_response_complete()
        if self.cycle.response_complete and not self._is_in_body and not self.transport.is_closing():
            self._await_head()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._refuse(HTTPStatus.BAD_REQUEST, msg)

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: such a request is answered as if it had not asked."""

    def _await_head(self) -> None:
        self._head_bytes = 0
        self._is_in_head = True
        self._start_clock(self._check_head)

    def _check_head(self) -> None:
        if self._has_begun:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.transport.close()

    def _check_body(self) -> None:
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            # We are the ones who are slow.
            self._body_bytes = 0
            self._start_clock(self._check_body)
            return
        if self._body_bytes == 0:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            return
        earned_s = min(self._body_bytes / self._pace.body_bytes_per_s, _LONGEST_SILENCE_S)
        self._body_bytes = 0
        self._timer = self.loop.call_later(earned_s, self._check_body)

    def _start_clock(self, check: Callable[[], None]) -> None:
        self._stop_clock()
        self._timer = self.loop.call_later(self._pace.head_s, check)

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: HTTPStatus, reason: str = "") -> None:
        """Answer without the application and close. An answer that has begun is only cut off."""
        self._stop_clock()
        if self.transport.is_closing():
            return
        cycle = self._current_cycle()
        if cycle is None or self._may_answer(cycle):
            self.transport.write(_answer(status, reason))
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()

    def _may_answer(self, cycle: RequestResponseCycle) -> bool:
        return not cycle.response_started or (cycle.response_complete and not self._is_in_body)

    def _current_cycle(self) -> RequestResponseCycle | None:
        """The newest request; None before the first, which uvicorn's own types leave out."""
        return self.cycle


def _answer(status: HTTPStatus, reason: str) -> bytes:
    headers = {
        **SAFE,
        "Cache-Control": "no-store",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(reason)),
        "Connection": "close",
    }
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n" + reason).encode("ascii")
