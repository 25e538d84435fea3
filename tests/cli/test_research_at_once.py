"""Several `intelli research` on one data directory: they share a server, whoever started it and however that ended."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.process import PROGRAM, environment, until

QUESTION = "How many herons did the wardens count at the north lake?"
ANSWER = "14 herons at the north lake"
WAIT_S = 120


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A directory with files enough to be read for a while."""
    root = tmp_path / "papers"
    root.mkdir()
    (root / "herons.txt").write_text(f"In 2025 the wardens counted {ANSWER}.")
    for number in range(20):
        (root / f"boats{number}.txt").write_text(f"Boat {number} was painted in {1990 + number}.")
    return root


Begin = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def begin(papers: Path, tmp_path: Path) -> Iterator[Begin]:
    """Begins to ask; nothing is left running."""
    begun: list[subprocess.Popen[str]] = []

    def ask() -> "subprocess.Popen[str]":
        command = [PROGRAM, "research", str(papers), QUESTION, "--data", str(tmp_path / "data")]
        pipe = subprocess.PIPE
        begun.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment()))
        return begun[-1]

    yield ask
    for process in begun:
        process.kill()
        process.communicate()
    until(lambda: not holder(tmp_path))


def holder(place: Path) -> str:
    """What the server has written down of itself, while there is one."""
    lock = place / "data" / "research" / "serve.lock"
    return lock.read_text() if lock.exists() else ""


def insist_on_answer(process: "subprocess.Popen[str]") -> None:
    out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0, err
    assert ANSWER in out


def test_two_that_begin_together_in_an_empty_place_both_answer_and_leave_no_server(begin: Begin, tmp_path: Path):
    for process in [begin(), begin()]:
        insist_on_answer(process)
    until(lambda: not holder(tmp_path))


def test_one_that_is_killed_while_it_starts_the_server_leaves_it_to_the_other(begin: Begin, tmp_path: Path):
    first = begin()
    until(lambda: '"pid"' in holder(tmp_path))
    # It has its turn until it goes on, however quickly the server comes up.
    first.send_signal(signal.SIGSTOP)
    second = begin()
    assert second.stderr is not None
    assert "another command is starting" in second.stderr.readline()
    first.kill()
    insist_on_answer(second)


def test_one_that_comes_while_the_server_of_a_killed_one_ends_has_its_own(begin: Begin, tmp_path: Path):
    first = begin()
    until(lambda: '"url": "http' in holder(tmp_path))
    first.kill()
    insist_on_answer(begin())
    (tmp_path / "data" / "research" / "client.key").unlink()
    insist_on_answer(begin())
