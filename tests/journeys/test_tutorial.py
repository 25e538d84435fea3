"""The tutorial is run as it is written: each `bash` block in turn, in one shell, against a server on an empty home.

A `text` block shows what the `bash` block before it prints, with `…` for what differs. A `console` block is not run.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from tests.cli.process import PROGRAM, Process, environment, serving
from tests.support.installation import Install
from tests.support.server import PASSWORD

pytestmark = pytest.mark.slow

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
ADDRESS = "http://127.0.0.1:8000"
OWNER = {"email": "ada@example.org", "name": "Ada", "workspace_name": "Harbour Museum"}
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Between the outputs of two blocks: a character that no command prints.
_NEXT = "\x1e"
_TIMEOUT_S = 300


@dataclass
class Step:
    """A block of commands and the output that the tutorial shows for it."""

    commands: str
    shown: list[str] = field(default_factory=list)


@pytest.fixture
def home(tmp_path: Path, install: Install) -> Path:
    """A home directory that holds nothing but a data directory as the first start leaves it."""
    home = tmp_path / "home"
    home.mkdir()
    install(home / ".intelli")
    return home


@pytest.fixture
def server(home: Path) -> Iterator[Process]:
    """What `make run` serves, with the account that the tutorial creates in the browser."""
    with serving(home / ".intelli") as server:
        body = {**OWNER, "password": PASSWORD}
        httpx.post(f"{server.url}/api/v1/auth/register", json=body, timeout=60).raise_for_status()
        yield server


def test_the_tutorial_works_as_written_and_prints_what_it_shows(home: Path, server: Process):
    steps = read(TUTORIAL.read_text(encoding="utf-8"))
    printed = run(steps, home, server)
    for step, output in zip(steps, printed, strict=True):
        wrong = missing(step.shown, output)
        assert wrong is None, f"{step.commands}\nprints\n{output}\nwhich lacks\n{wrong}"
    assert (home / "intelli-tutorial" / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_the_tutorial_shows_the_account_that_is_tried():
    text = TUTORIAL.read_text(encoding="utf-8")
    assert ADDRESS in text
    assert [value for value in OWNER.values() if f"`{value}`" not in text] == []


def read(text: str) -> list[Step]:
    """Returns the blocks to run, each with the lines shown below it."""
    steps: list[Step] = []
    for kind, content in _FENCE.findall(text):
        if kind == "bash":
            steps.append(Step(content))
        elif kind == "text":
            steps[-1].shown += content.splitlines()
    return steps


def run(steps: list[Step], home: Path, server: Process) -> list[str]:
    """Runs the blocks in one shell, so that variables and the directory carry over; returns what each printed."""
    path = f"{Path(PROGRAM).parent}:{environment()['PATH']}"
    script = f"\nprintf '{_NEXT}'\n".join(step.commands for step in steps).replace(ADDRESS, server.url)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=home,
        env=environment(HOME=str(home), PATH=path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout.split(_NEXT)


def missing(shown: list[str], output: str) -> str | None:
    """Returns the first piece of the shown lines that the output does not have at its place, if one is missing.

    Folding is no difference: every run of blanks counts as one.
    """
    rest = " ".join(output.split())
    pieces = (" ".join(piece.split()) for piece in " ".join(shown).split("…"))
    for wanted in filter(None, pieces):
        _, found, rest = rest.partition(wanted)
        if not found:
            return wanted
    return None
