"""HTTP/1.1 as uvicorn reads it, with a limit on what may come before the body."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_LIMIT_BYTES = 64 * 1024
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class BoundedProtocol(HttpToolsProtocol):
    """Closes the connection of a client whose request line and headers do not come to an end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_bytes = 0
        self._is_in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin with a head."""
        super().connection_made(transport)
        self._begin_head()

    def data_received(self, data: bytes) -> None:
        """Take in what came, unless it is still a head and past the limit."""
        # Counted first: a head that begins within this piece starts at nothing again.
        self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > HEAD_LIMIT_BYTES:
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_message_begin(self) -> None:
        """A further request on the same connection."""
        super().on_message_begin()
        self._begin_head()

    def on_headers_complete(self) -> None:
        """What follows is the body, which has a limit of its own."""
        self._is_in_head = False
        super().on_headers_complete()

    def _begin_head(self) -> None:
        self._head_bytes = 0
        self._is_in_head = True
