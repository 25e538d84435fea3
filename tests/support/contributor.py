"""A copy of the repository's sources that a test adds to as a contributor would, and code that runs in the copy.

with contributed(tmp_path, {"src/intelli/x.py": "…", "src/intelli/y.py": Edit("old", "new")}) as tree:
    found = tree.run_code("print(json.dumps(…))")
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_COPIED = ("src/intelli", "tests", "scripts")
_LEFT_OUT = ("_ui", "data", ".pytest_cache")
_TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a file that is there: the only place with the old text gets the new one."""

    old: str
    new: str

    def apply(self, text: str) -> str:
        """The text with the change."""
        times = text.count(self.old)
        assert times == 1, f"the place of an edit stands there {times} times: {self.old!r}"
        return text.replace(self.old, self.new)


Change = str | Edit | Sequence[Edit]


@dataclass(frozen=True, slots=True)
class Tree:
    """The copy with the changes."""

    root: Path

    def run_code(self, code: str, *arguments: str) -> Any:
        """Run Python code that imports from the copy alone; return the JSON that it prints last."""
        return self._run("-c", code, *arguments)

    def run_module(self, name: str, *arguments: str, **variables: str) -> Any:
        """Run `python -m` with environment variables; return the JSON that it prints last."""
        return self._run("-m", name, *arguments, **variables)

    def _run(self, *arguments: str, **variables: str) -> Any:
        path = os.pathsep.join(map(str, (self.root / "src", self.root)))
        done = subprocess.run(
            [sys.executable, "-P", *arguments],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": path, **variables},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return json.loads(done.stdout.splitlines()[-1])


@contextmanager
def contributed(folder: Path, changes: Mapping[str, Change]) -> Iterator[Tree]:
    """A copy of the sources with changes, by path: the text of a new file, or an edit of one that is there."""
    tree = Tree(folder / "contributed")
    try:
        for name in _COPIED:
            # With their compiled modules, and the times that say that those are fresh.
            shutil.copytree(ROOT / name, tree.root / name, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        for name, change in changes.items():
            path = tree.root / name
            assert path.exists() is not isinstance(change, str), f"{name}: a new file has a text, a known one an edit"
            path.write_text(change if isinstance(change, str) else _edit(path.read_text("utf-8"), change), "utf-8")
        yield tree
    finally:
        shutil.rmtree(tree.root, ignore_errors=True)


def before(line: str, text: str) -> Edit:
    """Return the edit that puts a text in front of the only place where a line stands."""
    return Edit(line, text + line)


def _edit(text: str, change: Edit | Sequence[Edit]) -> str:
    for edit in [change] if isinstance(change, Edit) else change:
        text = edit.apply(text)
    return text


def checklist(title: str) -> str:
    """The paragraph of CONTRIBUTING.md with this title."""
    paragraphs = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("\n\n")
    return next(" ".join(each.split()) for each in paragraphs if each.startswith(f"**{title}.**"))
