"""`intelli check`: from a draft and a folder to what is not supported, in a terminal."""

import json
from pathlib import Path

import docx
import pytest
from tests.checks.makers import REPORT, word_file
from tests.cli.process import Outcome, intelli, serving

_RIGHT = "Revenue of Nordwind came to 412.7 million euros in 2025."
_WRONG = "Revenue of Nordwind came to 512.7 million euros in 2025."


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a report."""
    folder = tmp_path_factory.mktemp("field") / "reports"
    folder.mkdir()
    (folder / "report.md").write_text(REPORT)
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory that is empty at first."""
    return tmp_path_factory.mktemp("nothing") / "data"


def check(place: Path, *arguments: object, given: str = "") -> Outcome:
    return intelli("check", *arguments, "--data", place, given=given)


def test_with_nothing_running_a_draft_is_checked_against_a_folder(reports: Path, place: Path, tmp_path: Path):
    draft, sheet = tmp_path / "draft.docx", tmp_path / "checked.docx"
    draft.write_bytes(word_file(_RIGHT, _WRONG))
    done = check(place, draft, "--against", reports, "-o", sheet)
    assert done.code == 1, done.err
    assert "against 1 file" in done.err
    assert _WRONG in done.out
    assert _RIGHT not in done.out.splitlines()[0]
    assert "2 statements: 1 supported, 1 " in done.out.splitlines()[-1]
    assert len(docx.Document(str(sheet)).comments) == 1


def test_what_is_supported_ends_with_zero_and_a_file_in_its_own_folder_is_no_evidence(place: Path, reports: Path):
    directory = place / "research"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with serving(directory):
        fine = check(place, "-", "--against", reports, "--json", given=_RIGHT)
        assert (fine.code, fine.json["counts"]["supported"]) == (0, 1)
        own = check(place, reports / "report.md", "--against", reports)
        assert own.code == 1
        assert "Nothing in the library says this." in own.out
        sheet = reports / "checked.json"
        written = check(place, reports / "report.md", "--against", reports, "-o", sheet)
        assert json.loads(sheet.read_text())["status"] == "completed"
        again = check(place, "-", "--against", reports, "--json", given=_RIGHT)
        assert "an earlier question wrote it" in again.err
        assert (written.code, again.code) == (1, 0)
        broken = check(place, "-", "--against", reports, given="")
        assert broken.code == 4, broken.err


def test_what_cannot_be_checked_is_refused_before_any_work(tmp_path: Path):
    data = tmp_path / "data"
    draft = tmp_path / "draft.md"
    assert check(data, draft, "--against", tmp_path).code == 3
    draft.write_text(_RIGHT)
    assert "--against" in check(data, draft).err
    assert check(data, tmp_path, "--against", tmp_path).code == 2
    wrong = check(data, draft, "--against", tmp_path, "-o", "out.pdf")
    assert (wrong.code, ".docx, .html, .json" in wrong.err) == (2, True)
    assert not data.exists()
