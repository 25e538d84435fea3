"""`intelli add`: on this machine, to a server, again and again, and when something goes wrong."""

import asyncio
import os
import unicodedata
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest
from tests.cli.conftest import OWNER
from tests.cli.process import Process, intelli
from tests.library.extraction.pdfs import Sheet, make_pdf, show
from tests.support.server import PASSWORD

from intelli.cli import gather, library_client
from intelli.cli.add_files import AddReport, add_changed, wait_until_read
from intelli.cli.gather import LocalFile
from intelli.cli.library_client import KnownDocument, LibraryDocument, NotRead, RemoteLibraryClient
from intelli.cli.progress_bar import ProgressBar
from intelli.kit.errors import IntelliError, NotFound, Unavailable


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A directory with a few files, hidden ones among them."""
    root = tmp_path / "papers"
    for path, content in {
        "one.txt": "The first paper is about harbours.",
        "deep/er/two.md": "# Second\n\nThis one is about ships.",
        ".hidden/secret.txt": "not this",
        "deep/.DS_Store": "nor this",
    }.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (root / "link").symlink_to(root / "one.txt")
    return root


def listed(server: Process) -> dict[str, str]:
    """The status of every document, by its path."""
    body = {"email": OWNER, "password": PASSWORD}
    token = (
        httpx.post(f"{server.url}/api/v1/auth/login", json=body, timeout=60).raise_for_status().json()["access_token"]
    )
    headers = {"Authorization": f"Bearer {token}"}
    found = (
        httpx.get(f"{server.url}/api/v1/documents?limit=200", headers=headers, timeout=60)
        .raise_for_status()
        .json()["items"]
    )
    return {document["path"]: document["indexing_status"] for document in found}


def key_of(data: Path) -> str:
    """A key that may add documents."""
    scopes = ("--scope", "write", "--scope", "read")
    return intelli("keys", "create", "--email", OWNER, "--name", "k", *scopes, "--data", data, "--json").json["key"]


def test_files_and_directories_are_added_and_can_be_found_when_it_ends(server: Process, data: Path, tree: Path):
    done = intelli("add", tree, tree / "one.txt", "--folder", "local", "--data", data, "--json")
    assert (done.code, done.json) == (
        0,
        {"added": 3, "updated": 0, "unchanged": 0, "hidden": 2, "failed": [], "warnings": []},
    ), done.err
    expected = {"/local/papers/one.txt", "/local/papers/deep/er/two.md", "/local/one.txt"}
    assert {path: status for path, status in listed(server).items() if path in expected} == dict.fromkeys(
        expected, "completed"
    )


def test_a_server_is_given_the_files_with_a_key_and_only_what_changed_the_second_time(
    server: Process, data: Path, tree: Path
):
    there = ("--server", server.url, "--key", key_of(data), "--folder", "/remote", "--json")
    first = intelli("add", tree, *there)
    assert (first.code, first.json["added"]) == (0, 2), first.err
    tree.joinpath("one.txt").write_text("The first paper, rewritten.")
    second = intelli("add", tree, *there)
    assert second.json == {"added": 0, "updated": 1, "unchanged": 1, "hidden": 2, "failed": [], "warnings": []}
    third = intelli("add", tree, *there)
    assert third.json == {"added": 0, "updated": 0, "unchanged": 2, "hidden": 2, "failed": [], "warnings": []}


def test_many_small_files_go_together_and_one_that_is_refused_is_named(server: Process, data: Path, tmp_path: Path):
    for number in range(120):
        tmp_path.joinpath(f"{number:03}.txt").write_text(f"Ship number {number} sails at dawn.")
    tmp_path.joinpath("\u202e.txt").write_text("A name that misleads.")
    tmp_path.joinpath("large.txt").write_text("A longer story. " * 20_000)
    done = intelli("add", tmp_path, "--folder", "/many", "--data", data, "--json")
    assert (done.code, done.json["added"]) == (1, 121), done.err
    assert ["\u202e" in failure["path"] for failure in done.json["failed"]] == [True]
    again = intelli("add", tmp_path, "--folder", "/many", "--data", data, "--json")
    assert again.json["unchanged"] == 121


def test_a_file_that_cannot_be_read_is_named_with_the_reason_and_the_exit_code(
    server: Process, data: Path, tmp_path: Path
):
    tmp_path.joinpath("empty.pdf").write_bytes(b"%PDF-1.7 broken")
    tmp_path.joinpath("fine.txt").write_text("A text that is fine and long enough to be read.")
    done = intelli("add", tmp_path / "empty.pdf", tmp_path / "fine.txt", "--folder", "/mixed", "--data", data)
    assert done.code == 1
    assert "failed: /mixed/empty.pdf: " in done.out
    assert "2 added" in done.out


def test_a_file_that_was_read_in_part_is_named_with_what_is_missing(server: Process, data: Path, tmp_path: Path):
    whole = make_pdf(*(Sheet(show(f"Page {number} of the report", 72, 700)) for number in range(1, 6)))
    tmp_path.joinpath("half.pdf").write_bytes(whole[: whole.rindex(b"xref")])
    done = intelli("add", tmp_path / "half.pdf", "--folder", "/parts", "--data", data)
    assert (done.code, "warning: /parts/half.pdf: This PDF is damaged" in done.out) == (0, True), done.out + done.err


def test_what_cannot_be_done_is_said_before_anything_is(server: Process, data: Path, tmp_path: Path):
    nothing = intelli("add", tmp_path / "nothing", "--data", data)
    assert (nothing.code, "nothing at" in nothing.err) == (3, True)
    tmp_path.joinpath("a.txt").write_text("a")
    no_key = intelli("add", tmp_path / "a.txt", "--server", server.url)
    assert (no_key.code, "--key" in no_key.err) == (2, True)
    wrong = intelli("add", tmp_path / "a.txt", "--server", server.url, "--key", "ik_wrong")
    assert wrong.code == 1
    away = intelli("add", tmp_path / "a.txt", "--server", "http://127.0.0.1:9", "--key", "ik_x")
    assert away.code == 75
    for address in ("127.0.0.1:8000", "ftp://127.0.0.1", "http://127.0.0.1:99999", "http://"):
        no_server = intelli("add", tmp_path / "a.txt", "--server", address, "--key", "ik_x")
        assert (no_server.code, "no address of a server" in no_server.err) == (2, True)
    no_key = intelli("add", tmp_path / "a.txt", "--server", server.url, "--key", "kéy")
    assert (no_key.code, "no API key" in no_key.err) == (2, True)
    empty = intelli("add", tmp_path / "a.txt", "--data", tmp_path / "empty")
    assert empty.code == 3


KEPT = (
    "quo\"te's.txt",
    "back\\slash.txt",
    "dots...",
    "100%22.txt",
    "C:\\x.txt",
    "e\u0301.txt",
    "zw\u200dj.txt",
    " s .txt",
)
REFUSED = (b"bad\xff.txt", b"new\nline.txt", "mis\u202eled.txt".encode())


def test_a_name_is_kept_or_refused_alike_on_this_machine_and_by_a_server(server: Process, data: Path, tmp_path: Path):
    root = tmp_path / "odd"
    root.mkdir()
    for name in (*map(os.fsencode, KEPT), *REFUSED):
        root.joinpath(os.fsdecode(name)).write_text(f"The file {name!r} tells of harbours.")
    for folder, where in (
        ("/near", ("--data", data)),
        ("/far", ("--server", server.url, "--key", key_of(data))),
    ):
        first = intelli("add", root, "--folder", folder, *where, "--json")
        assert (first.code, first.json["added"]) == (1, len(KEPT)), first.err
        assert len(first.json["failed"]) == len(REFUSED)
        again = intelli("add", root, "--folder", folder, *where)
        assert f"{len(KEPT)} unchanged, 3 failed" in again.out
        assert f"{folder}/odd/new\\nline.txt: The name cannot be used" in again.out
        assert f"{folder}/odd/mis\\u202eled.txt" in again.out
        assert f"{folder}/odd/bad\\udcff.txt" in again.out
    kept = {unicodedata.normalize("NFC", name).strip() for name in KEPT}
    paths = listed(server)
    assert {path.removeprefix("/near/odd/") for path in paths if path.startswith("/near/odd/")} == kept
    assert {path.removeprefix("/far/odd/") for path in paths if path.startswith("/far/odd/")} == kept


def test_two_files_that_the_library_would_call_the_same_are_told_apart(server: Process, data: Path, tmp_path: Path):
    tmp_path.joinpath("\u00e9.txt").write_text("One letter, one sign.")
    tmp_path.joinpath("e\u0301.txt").write_text("One letter, two signs.")
    for _ in range(2):
        done = intelli("add", tmp_path, "--folder", "/same", "--data", data, "--json")
        assert done.json["updated"] == 0
        assert ["same name" in failure["reason"] for failure in done.json["failed"]] == [True]


class Waiting:
    """A library with one document, which is read as soon as somebody looks at it."""

    def __init__(self, known: KnownDocument) -> None:
        self._known = known
        self.looked: list[UUID] = []

    async def list_known(self) -> dict[str, KnownDocument]:
        return {self._known.document.path: self._known}

    async def get(self, document_id: UUID) -> LibraryDocument:
        self.looked.append(document_id)
        return replace(self._known.document, status="completed")

    async def list_latest(self, wanted: int) -> dict[UUID, LibraryDocument]:
        raise AssertionError(wanted)

    async def add(self, file: LocalFile) -> LibraryDocument:
        raise AssertionError(file)

    async def add_all(self, files: Sequence[LocalFile]) -> list[LibraryDocument | IntelliError]:
        raise AssertionError(files)


async def test_waiting_includes_what_an_earlier_command_left_to_be_read(tmp_path: Path):
    tmp_path.joinpath("left.txt").write_text("What was left is about harbours.")
    file = LocalFile(tmp_path / "left.txt", "/w", "left.txt", 1)
    pending = LibraryDocument(uuid4(), "/w/left.txt", 1, "pending")
    library = Waiting(KnownDocument(gather.sha256_of(file.source), pending))
    report = AddReport()
    with ProgressBar(quiet=True) as bar:
        await wait_until_read(library, await add_changed(library, [file], report, bar), report, bar)
    assert (report.unchanged, library.looked) == (1, [pending.id])


class Emptied(Waiting):
    """A library from which all has been deleted since."""

    async def get(self, document_id: UUID) -> LibraryDocument:
        raise NotFound("There is no such document.")


async def test_a_document_that_is_deleted_meanwhile_is_waited_for_no_longer(tmp_path: Path):
    tmp_path.joinpath("left.txt").write_text("What was left is about harbours.")
    file = LocalFile(tmp_path / "left.txt", "/w", "left.txt", 1)
    library = Emptied(
        KnownDocument(gather.sha256_of(file.source), LibraryDocument(uuid4(), "/w/left.txt", 1, "pending"))
    )
    report = AddReport()
    with ProgressBar(quiet=True) as bar:
        await wait_until_read(library, await add_changed(library, [file], report, bar), report, bar)
    assert [(failure.path, "deleted" in failure.reason) for failure in report.failed] == [("/w/left.txt", True)]


async def test_a_file_that_vanishes_or_cannot_be_opened_fails_alone(tmp_path: Path) -> None:
    for name in ("here", "gone", "there"):
        tmp_path.joinpath(name).write_text(f"This is {name}.")
    files = gather.list_files([tmp_path / "here", tmp_path / "gone", tmp_path / "there"], "/f")
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        document = {
            "id": str(uuid4()),
            "path": "/f",
            "version": 1,
            "indexing_status": "completed",
            "indexing_error": None,
        }
        return httpx.Response(200, json={"items": [{"document": document, "problem": None}] * 2})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://library/") as client:
        tmp_path.joinpath("gone").unlink()
        outcomes = await RemoteLibraryClient(client).add_all(files)
    assert [isinstance(outcome, NotRead) for outcome in outcomes] == [False, True, False]
    assert "No such file" in str(outcomes[1])
    assert [(b"This is here." in body, b"This is there." in body) for body in sent] == [(True, True)]


@asynccontextmanager
async def restarting(*, lost: int) -> AsyncIterator[str]:
    """The address of a server that answers once, then drops so many connections, then answers again."""
    met = 0

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal met
        met += 1
        await reader.readuntil(b"\r\n\r\n")
        if met == 1 or met > 1 + lost:
            body = b'{"items": [], "next_cursor": null}'
            writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))
        writer.close()

    async with await asyncio.start_server(meet, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_server_that_is_restarted_meanwhile_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(library_client, "_RETRY_DELAYS_S", (0.01,) * 3)
    async with restarting(lost=3) as url, library_client.connect(url, "key") as there:
        assert await there.list_documents() == []
        assert await there.list_documents() == []


async def test_a_server_that_never_answered_or_stays_away_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(library_client, "_RETRY_DELAYS_S", (0.01,) * 3)
    with pytest.raises(Unavailable, match="does not answer"):
        async with restarting(lost=4) as url, library_client.connect(url, "key") as there:
            assert await there.list_documents() == []
            await there.list_documents()
    monkeypatch.setattr(library_client, "_RETRY_DELAYS_S", (3600,))
    with pytest.raises(Unavailable, match="does not answer"):
        async with library_client.connect(url, "key") as there:
            await there.list_documents()
