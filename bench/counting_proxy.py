"""A proxy before a model's endpoint: passes on what is asked and answered, and counts calls and tokens."""

import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

_TIMEOUT_S = 900
_PIECE = 4096
_IDLE_S = 0.3
# Headers of one connection only.
_HOP = frozenset({"connection", "content-length", "host", "keep-alive", "transfer-encoding", "accept-encoding"})
# Characters of a token, where an endpoint does not tell how many it read.
_CHARACTERS = 4


@dataclass
class Tally:
    """What was asked since the last look."""

    calls: int = 0
    prompt_tokens: int = 0
    failures: int = 0
    first_stream: int | None = None
    """Number of the first call that was asked to stream."""


@dataclass
class _Count:
    tally: Tally = field(default_factory=Tally)
    at_work: int = 0
    last: float = 0.0


class CountingProxy:
    """Proxy on a loopback port, served within its `with` block."""

    def __init__(self, url: str, key: str) -> None:
        self._target = urlsplit(url.rstrip("/"))
        self._key = key
        self._lock = threading.Lock()
        self._count = _Count()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def base_url(self) -> str:
        """The address to give to a system."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def take(self) -> Tally:
        """What was asked since the last time, once nothing is under way any more."""
        while True:
            with self._lock:
                if not self._count.at_work and time.monotonic() - self._count.last > _IDLE_S:
                    taken, self._count.tally = self._count.tally, Tally()
                    return taken
            time.sleep(_IDLE_S / 3)

    def connect(self) -> http.client.HTTPConnection:
        """A connection to the endpoint."""
        kind = http.client.HTTPSConnection if self._target.scheme == "https" else http.client.HTTPConnection
        return kind(self._target.hostname or "", self._target.port, timeout=_TIMEOUT_S)

    def path(self, path: str) -> str:
        """The endpoint's path for one of ours."""
        return self._target.path + path.removeprefix("/v1")

    def authorisation(self) -> dict[str, str]:
        """The header with the endpoint's key."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def begin(self) -> None:
        """Note that a call is under way."""
        with self._lock:
            self._count.at_work += 1

    def end(self, asked: bytes, answered: bytes, *, is_answered: bool) -> None:
        """Note what a call came to."""
        with self._lock:
            self._count.at_work -= 1
            self._count.last = time.monotonic()
            self._count.tally.calls += 1
            if self._count.tally.first_stream is None and _is_stream(asked):
                self._count.tally.first_stream = self._count.tally.calls
            self._count.tally.failures += not is_answered
            self._count.tally.prompt_tokens += prompt_tokens(asked, answered)


def _is_stream(asked: bytes) -> bool:
    return json.loads(asked).get("stream") is True


def prompt_tokens(asked: bytes, answered: bytes) -> int:
    """How many tokens a prompt had, as the endpoint says in its answer or in the last piece of a stream."""
    told: dict[str, Any] = {}
    for line in answered.decode(errors="replace").splitlines():
        try:
            piece = json.loads(line.removeprefix("data: "))
        except ValueError:
            continue
        told |= piece if isinstance(piece, dict) and (piece.get("usage") or piece.get("timings")) else {}
    if usage := told.get("usage"):
        return int(usage.get("prompt_tokens", 0))
    if timings := told.get("timings"):
        return int(timings.get("prompt_n", 0)) + int(timings.get("cache_n", 0))
    return len(asked) // _CHARACTERS


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, proxy: CountingProxy) -> None:
        self.proxy = proxy
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._pass_on(b"")

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        proxy = self._proxy
        if not self.path.endswith("/completions"):
            self._pass_on(asked)
            return
        proxy.begin()
        answered, is_answered = b"", False
        try:
            answered, is_answered = self._pass_on(asked)
        finally:
            proxy.end(asked, answered, is_answered=is_answered)

    @property
    def _proxy(self) -> CountingProxy:
        assert isinstance(self.server, _Http), "only _Http uses this handler"
        return self.server.proxy

    def _pass_on(self, asked: bytes) -> tuple[bytes, bool]:
        kept = {name: value for name, value in self.headers.items() if name.lower() not in _HOP}
        connection = self._proxy.connect()
        try:
            connection.request(
                self.command, self._proxy.path(self.path), asked or None, {**kept, **self._proxy.authorisation()}
            )
            answer = connection.getresponse()
            self._begin_answer(answer)
            return self._copy(answer), answer.status < 400
        finally:
            connection.close()

    def _begin_answer(self, answer: http.client.HTTPResponse) -> None:
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in _HOP:
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def _copy(self, answer: http.client.HTTPResponse) -> bytes:
        pieces = []
        while piece := answer.read1(_PIECE):
            pieces.append(piece)
            self.wfile.write(piece)
            self.wfile.flush()
        return b"".join(pieces)

    def log_message(self, *_: object) -> None:
        """Silent."""
