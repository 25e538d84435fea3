"""`intelli add`: on this machine, to a server, again and again, and when something goes wrong."""

from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from tests.cli.conftest import OWNER
from tests.cli.process import Process, intelli
from tests.library.extraction.pdfs import Sheet, make_pdf, show
from tests.support.server import PASSWORD

from intelli.cli import gather
from intelli.cli.shelf import NotRead, RemoteShelf


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
    found = httpx.get(f"{server.url}/api/v1/documents", headers=headers, timeout=60).raise_for_status().json()["items"]
    return {document["path"]: document["indexing_status"] for document in found}


def test_files_and_directories_are_added_and_can_be_found_when_it_ends(server: Process, data: Path, tree: Path):
    done = intelli("add", tree, tree / "one.txt", "--folder", "local", "--data", data, "--json")
    assert (done.code, done.json) == (0, {"added": 3, "updated": 0, "unchanged": 0, "failed": [], "warnings": []}), (
        done.err
    )
    expected = {"/local/papers/one.txt", "/local/papers/deep/er/two.md", "/local/one.txt"}
    assert {path: status for path, status in listed(server).items() if path in expected} == dict.fromkeys(
        expected, "completed"
    )


def test_a_server_is_given_the_files_with_a_key_and_only_what_changed_the_second_time(
    server: Process, data: Path, tree: Path
):
    scopes = ("--scope", "write", "--scope", "read")
    made = intelli("keys", "create", "--email", OWNER, "--name", "k", *scopes, "--data", data, "--json")
    there = ("--server", server.url, "--key", made.json["key"], "--folder", "/remote", "--json")
    first = intelli("add", tree, *there)
    assert (first.code, first.json["added"]) == (0, 2), first.err
    tree.joinpath("one.txt").write_text("The first paper, rewritten.")
    second = intelli("add", tree, *there)
    assert second.json == {"added": 0, "updated": 1, "unchanged": 1, "failed": [], "warnings": []}
    third = intelli("add", tree, *there)
    assert third.json == {"added": 0, "updated": 0, "unchanged": 2, "failed": [], "warnings": []}


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
    empty = intelli("add", tmp_path / "a.txt", "--data", tmp_path / "empty")
    assert empty.code == 3


async def test_a_file_that_vanishes_or_cannot_be_opened_fails_alone(tmp_path: Path) -> None:
    for name in ("here", "gone", "there"):
        tmp_path.joinpath(name).write_text(f"This is {name}.")
    files = gather.files([tmp_path / "here", tmp_path / "gone", tmp_path / "there"], "/f")
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        shelved = {
            "id": str(uuid4()),
            "path": "/f",
            "version": 1,
            "indexing_status": "completed",
            "indexing_error": None,
        }
        return httpx.Response(200, json={"items": [{"document": shelved, "problem": None}] * 2})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://library/") as client:
        tmp_path.joinpath("gone").unlink()
        outcomes = await RemoteShelf(client).add_all(files)
    assert [isinstance(outcome, NotRead) for outcome in outcomes] == [False, True, False]
    assert "No such file" in str(outcomes[1])
    assert [(b"This is here." in body, b"This is there." in body) for body in sent] == [(True, True)]
