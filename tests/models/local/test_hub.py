"""Installation from a hub, on a small server that answers as one: its hash, resumption by range, refusals."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.models.local.servers import accept
from tests.models.local.wheels import HEAD

from intelli.models.local.errors import ModelFileRefused, ModelNotFetched
from intelli.models.local.folder import ModelsFolder
from intelli.models.local.hub import ModelHub, parse_address
from intelli.models.local.install import install, plan_hub

CONTENT = HEAD + bytes(range(256)) * 20_000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
ADDRESS = "someone/Model-GGUF/model.gguf"


class FakeHub(ThreadingHTTPServer):
    """A hub with one file. `stated` is the hash in its headers, and `cut_bytes` where it hangs up."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.stated: str | None = SHA256
        self.cut_bytes: int | None = None
        self.ranges: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: FakeHub

    def do_HEAD(self) -> None:
        if "/resolve/main/" not in self.path:
            return self._answer(404)
        told = {
            "X-Linked-Etag": f'"{self.server.stated}"',
            "X-Linked-Size": str(len(CONTENT)),
            "X-Repo-Commit": "c0ffee",
        }
        return self._answer(302, {"Location": "/cdn", **(told if self.server.stated else {})})

    def do_GET(self) -> None:
        if self.path.startswith("/someone/Model-GGUF/resolve/"):
            return self._answer(302, {"Location": "/cdn"})
        if self.path != "/cdn":
            return self._answer(404)
        asked = self.headers.get("Range")
        self.server.ranges.append(asked)
        body = CONTENT[int((asked or "bytes=0-").removeprefix("bytes=").removesuffix("-")) :]
        return self._answer(206, {"Content-Length": str(len(body))}, body[: self.server.cut_bytes])

    def _answer(self, status: int, headers: dict[str, str] | None = None, body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in {"Content-Length": "0", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with FakeHub() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def _install(hub: FakeHub, data: Path, *, sha256: str | None = None) -> ModelsFolder:
    source, folder = ModelHub(hub.url), ModelsFolder(data)
    install(plan_hub(ADDRESS, source, sha256=sha256), folder, hub=source, on_progress=lambda *_: None, try_model=accept)
    return folder


def test_a_file_is_checked_against_the_hash_that_the_hub_states(hub: FakeHub, tmp_path: Path):
    made = _install(hub, tmp_path).find_served()
    assert made is not None
    assert (made.name, made.sha256) == ("model", SHA256)
    assert "someone/Model-GGUF at c0ffee; checked against the hub's own hash" in made.origin
    assert (tmp_path / "models" / "model.gguf").read_bytes() == CONTENT


def test_a_download_that_was_cut_off_goes_on_where_it_was(hub: FakeHub, tmp_path: Path):
    hub.cut_bytes = 2_000_000
    with pytest.raises(ModelNotFetched, match="What has arrived is kept"):
        _install(hub, tmp_path)
    hub.cut_bytes = None
    _install(hub, tmp_path)
    assert hub.ranges[0] == "bytes=0-"
    assert hub.ranges[1] != "bytes=0-"
    assert (tmp_path / "models" / "model.gguf").read_bytes() == CONTENT


def test_another_file_than_the_hub_stated_is_refused_and_nothing_is_left(hub: FakeHub, tmp_path: Path):
    hub.stated = "0" * 64
    with pytest.raises(ModelFileRefused, match="It was deleted"):
        _install(hub, tmp_path)
    assert {path.name for path in (tmp_path / "models").iterdir()} == {"install.lock"}


def test_a_pinned_hash_that_the_hub_does_not_state_is_refused_before_the_download(hub: FakeHub, tmp_path: Path):
    with pytest.raises(ModelFileRefused, match="Nothing was fetched"):
        _install(hub, tmp_path, sha256="1" * 64)
    assert hub.ranges == []


def test_a_hub_that_states_no_hash_is_refused(hub: FakeHub, tmp_path: Path):
    hub.stated = None
    with pytest.raises(ModelNotFetched):
        _install(hub, tmp_path)


def test_a_hub_that_cannot_be_reached_is_named_with_the_remedy(tmp_path: Path):
    with pytest.raises(ModelNotFetched, match=r"set model\.hub_url to a copy"):
        plan_hub(ADDRESS, ModelHub("http://127.0.0.1:1"))


@pytest.mark.parametrize("address", ["model.gguf", "a/b/c.bin", "a/b/../../c.gguf", "a/b/c-00001-of-00002.gguf", ""])
def test_an_address_that_names_no_single_file_is_refused(address: str):
    with pytest.raises(ModelFileRefused):
        parse_address(address)
