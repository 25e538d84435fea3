"""`intelli research` and `intelli ask`: from files to a cited answer, in a terminal."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import OWNER
from tests.cli.process import PROGRAM, Outcome, Process, environment, intelli, serving, until

from intelli.cli import answer_printer, output

TEXTS = {
    "herons.txt": "In 2025 the wardens counted 14 herons at the north lake.\n\nThe south lake had none.",
    "deep/costs.md": "# Costs\n\nThe boat house cost 41,300 euros in 2024.",
    "empty.txt": "",
}
QUESTION = "How many herons did the wardens count at the north lake?"


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a few files."""
    root = tmp_path_factory.mktemp("field") / "papers"
    for path, content in TEXTS.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return root


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory that is empty at first."""
    return tmp_path_factory.mktemp("nothing") / "data"


@pytest.fixture
def standing(place: Path) -> Iterator[None]:
    """A server where the command would start one of its own, so that it need not for each question."""
    directory = place / "research"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with serving(directory):
        yield


def research(place: Path, *arguments: object) -> Outcome:
    done = intelli("research", *arguments, "--data", place)
    assert done.code == 0, done.err
    return done


def test_with_nothing_running_a_folder_answers_with_numbered_sources(papers: Path, place: Path, tmp_path: Path):
    sheet = tmp_path / "answer.md"
    done = research(place, papers, QUESTION, "-o", sheet)
    assert "14 herons at the north lake. [1]" in done.out or "14 herons at the north lake.[1]" in done.out
    assert "[1] herons.txt" in done.out
    assert "“In 2025 the wardens counted 14 herons at the north lake.”  ✓ verified" in done.out
    assert done.out.rstrip().endswith(
        "Made without a model, from the sources' own sentences. `intelli models` connects one."
    )
    assert "14 herons" in sheet.read_text()
    assert "herons.txt" in sheet.read_text()


@pytest.mark.usefixtures("standing")
def test_the_next_question_finds_the_folder_read_and_what_was_deleted_gone(papers: Path, place: Path, tmp_path: Path):
    for name in ("sheet.json", "sheet.html"):
        research(place, papers, "What did the boat house cost?", "-o", tmp_path / name)
        assert "41,300 euros" in (tmp_path / name).read_text()
    assert json.loads((tmp_path / "sheet.json").read_text())
    (papers / "herons.txt").unlink()
    done = research(place, papers, QUESTION, "--json")
    assert done.json["citations"] == []
    assert "14 herons" not in done.json["content"]


@pytest.mark.usefixtures("standing")
def test_what_was_written_into_the_folder_is_no_source_until_somebody_edits_it(papers: Path, place: Path):
    asked, sheet = "What did the boat house cost?", papers / "answer.md"
    research(place, papers, asked, "-o", sheet)
    again = research(place, papers, asked)
    assert "Not read, because an earlier question wrote it: answer.md" in again.err
    assert "answer.md" not in again.out
    sheet.write_text("The boat house cost 52,000 euros in the end.")
    edited = research(place, papers, asked)
    sheet.unlink()
    assert "an earlier question wrote it" not in edited.err
    assert "52,000 euros" in edited.out


@pytest.mark.usefixtures("standing")
def test_a_report_and_a_bundle_are_checked_with_nothing_but_the_file(papers: Path, place: Path, tmp_path: Path):
    asked = "What did the boat house cost?"
    research(place, papers, asked, "-o", tmp_path / "report.docx")
    assert intelli("recheck", tmp_path / "report.docx").code == 0
    research(place, papers, asked, "-o", tmp_path / "bundle.zip")
    assert "is whole" in intelli("verify", tmp_path / "bundle.zip").out


def test_what_a_document_says_to_a_terminal_is_not_obeyed(capsys: pytest.CaptureFixture[str]):
    answer_printer.AnswerPrinter().add("Red \x1b[31malert\x1b]0;title\x07 here.\n\tNext.", 0)
    output.line("\x9b2J\x1b[2J gone\r")
    assert capsys.readouterr().out == "Red [31malert]0;title here.\n\tNext.2J[2J gone\n"


def test_a_folder_that_is_not_there_or_a_form_that_is_none_is_refused_before_any_work(tmp_path: Path):
    assert intelli("research", tmp_path / "no", "What?", "--data", tmp_path / "data").code == 3
    assert intelli("research", tmp_path, "What?", "--data", tmp_path / "data").code == 3
    wrong = intelli("research", tmp_path, "What?", "-o", "answer.odt", "--data", tmp_path / "data")
    assert (wrong.code, ".md, .html, .json" in wrong.err) == (2, True)
    taken = tmp_path / "answer.md"
    taken.mkdir()
    assert "is a directory" in intelli("research", tmp_path, "What?", "-o", taken, "--data", tmp_path / "data").err
    assert not (tmp_path / "data" / "research").exists()


def test_a_server_behind_the_command_ends_with_it_however_that_ends(papers: Path, place: Path):
    command = [PROGRAM, "research", str(papers), QUESTION, "--data", str(place)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()) as process:
        lock = place / "research" / "serve.lock"
        until(lambda: lock.exists() and '"url": "http' in lock.read_text())
        process.kill()
    until(lambda: not lock.read_text())


def test_a_running_server_is_asked_and_tells_its_answer(server: Process, data: Path, papers: Path):
    (papers / "herons.txt").write_text(TEXTS["herons.txt"])
    assert intelli("add", papers / "herons.txt", "--folder", "/papers", "--data", data).code == 0
    scopes = ("--scope", "write", "--scope", "read")
    made = intelli("keys", "create", "--email", OWNER, "--name", "k", *scopes, "--data", data, "--json")
    there = ("--server", server.url, "--key", made.json["key"])
    done = intelli("ask", QUESTION, "--folder", "/papers", *there)
    assert done.code == 0, done.err
    assert "14 herons at the north lake" in done.out
    assert "[1] herons.txt" in done.out
    unsure = intelli("ask", f"{QUESTION} Save the answer as notes/herons.md", "--folder", "/papers", *there)
    assert (unsure.code, "+++ /notes/herons.md" in unsure.out) == (1, False)
    assert "It needs your approval: Create /notes/herons.md" in unsure.err
    (waiting,) = intelli("approvals", "list", *there, "--json").json["items"]
    assert f"intelli approvals approve {waiting['id']}" in unsure.err
    assert "+++ /notes/herons.md" in intelli("approvals", "list", *there).out
    assert ": approved. Its run goes on" in intelli("approvals", "approve", waiting["id"], *there).out
    assert intelli("approvals", "reject", waiting["id"], "--reason", "No.", *there).code == 4
    assert intelli("approvals", "list", *there).out == "Nothing waits for a decision.\n"
    assert intelli("ask", QUESTION).code == 2
    assert intelli("ask", QUESTION, "--server", server.url, "--key", "ik_wrong").code != 0
