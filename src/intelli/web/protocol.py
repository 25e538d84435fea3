"""uvicorn's HTTP/1.1 protocol with limits on the size of request heads and the time that head and body may take."""

import asyncio
import socket
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
    """Least speed at which a request must arrive, and the longest time in which nothing of a response is taken."""

    head_s: float = 20
    body_bytes_per_s: int = 1000
    stall_s: float = 90


class BoundedProtocol(HttpToolsProtocol):
    """HTTP protocol that closes connections whose request head is not completed, or whose body is too slow.

    One timer serves both. A head must be complete within `head_s` of the connection or of the previous response. A body
    first has `head_s` too, and then one second for every `body_bytes_per_s` bytes received meanwhile, but at most a
    minute at a time: a fast start does not earn hours of silence.
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
        """Start the timer for the first head."""
        super().connection_made(transport)
        _end_when_stalled(transport.get_extra_info("socket"), self._pace.stall_s)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received bytes; refuse a head that exceeds the limit."""
        # Counted first: a head that begins within these bytes resets the count.
        self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > HEAD_LIMIT_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Note that a head has begun; on a kept-alive connection its timer runs since the previous response."""
        super().on_message_begin()
        self._head_bytes = 0
        self._is_in_head = self._has_begun = True

    def on_headers_complete(self) -> None:
        """Start the timer of the body."""
        self._is_in_head, self._has_begun, self._is_in_body = False, False, True
        self._body_bytes = 0
        self._start_timer(self._check_body)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count received bytes of the body."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the timer: the response may take any time. If it was sent already, wait for the next head."""
        self._is_in_body = False
        self._stop_timer()
        super().on_message_complete()
        if self.cycle.response_complete:
            self._start_head_timer()

    def on_response_complete(self) -> None:
        """Start the timer for the next head, unless that has arrived or the rest of this body is still to come."""
        super().on_response_complete()
        if self.cycle.response_complete and not self._is_in_body and not self.transport.is_closing():
            self._start_head_timer()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP."""
        self._refuse(HTTPStatus.BAD_REQUEST, msg)

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: a request for an upgrade is answered as if it had not asked."""

    def _start_head_timer(self) -> None:
        self._head_bytes = 0
        self._is_in_head = True
        self._start_timer(self._check_head)

    def _check_head(self) -> None:
        if self._has_begun:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.transport.close()

    def _check_body(self) -> None:
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            # The delay is ours, not the client's.
            self._body_bytes = 0
            self._start_timer(self._check_body)
            return
        if self._body_bytes == 0:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            return
        earned_s = min(self._body_bytes / self._pace.body_bytes_per_s, _LONGEST_SILENCE_S)
        self._body_bytes = 0
        self._timer = self.loop.call_later(earned_s, self._check_body)

    def _start_timer(self, check: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(self._pace.head_s, check)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: HTTPStatus, reason: str = "") -> None:
        """Send an error response without the application and close. A response that has begun is only cut off."""
        self._stop_timer()
        if self.transport.is_closing():
            return
        cycle = self._current_cycle()
        if cycle is None or self._may_respond(cycle):
            self.transport.write(_error_response(status, reason))
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()

    def _may_respond(self, cycle: RequestResponseCycle) -> bool:
        return not cycle.response_started or (cycle.response_complete and not self._is_in_body)

    def _current_cycle(self) -> RequestResponseCycle | None:
        """Return the newest request; None before the first, which uvicorn's own types leave out."""
        return self.cycle


def _end_when_stalled(connection: socket.socket, stall_s: float) -> None:
    """Let the system end a connection whose peer is gone without a word, or takes nothing any more."""
    # macOS has no such option; there the system's own, longer patience decides.
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(stall_s * 1000))


def _error_response(status: HTTPStatus, reason: str) -> bytes:
    headers = {
        **SAFE,
        "Cache-Control": "no-store",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(reason)),
        "Connection": "close",
    }
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n" + reason).encode("ascii")
