"""A copy of the repository's sources that a test adds to as a contributor would, and code that runs in the copy.

with contributed(tmp_path, {"src/intelli/x.py": "…", "src/intelli/y.py": Edit("old", "new")}) as tree:
    told = tree.run("print(json.dumps(…))")
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[2]
_COPIED = ("src/intelli", "tests")
_LEFT_OUT = ("_ui", "node_modules", ".pytest_cache")
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


Change = str | Edit


@dataclass(frozen=True, slots=True)
class Tree:
    """The copy with the changes."""

    root: Path

    def run(self, code: str, *arguments: str) -> str:
        """What Python code prints that imports from the copy alone; it fails with what the code said."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (self.root / "src", self.root)))}
        command = [sys.executable, "-P", "-c", code, *arguments]
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return done.stdout

    def told(self, code: str, *arguments: str) -> Any:
        """The JSON that such code prints last."""
        return json.loads(self.run(code, *arguments).splitlines()[-1])


@contextmanager
def contributed(folder: Path, changes: Mapping[str, Change]) -> Iterator[Tree]:
    """A copy of the sources with changes, by path: the text of a new file, or an edit of one that is there."""
    tree = Tree(folder / "contributed")
    try:
        for name in _COPIED:
            # With their compiled modules, and the times that say that those are fresh.
            shutil.copytree(_ROOT / name, tree.root / name, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        for name, change in changes.items():
            path = tree.root / name
            assert path.exists() is isinstance(change, Edit), (
                f"{name}: a new file has a text, one that is there an edit"
            )
            path.write_text(change if isinstance(change, str) else change.apply(path.read_text("utf-8")), "utf-8")
        yield tree
    finally:
        shutil.rmtree(tree.root, ignore_errors=True)


def checklist(title: str) -> str:
    """The paragraph of CONTRIBUTING.md with this title."""
    paragraphs = (_ROOT / "CONTRIBUTING.md").read_text("utf-8").split("\n\n")
    return next(" ".join(each.split()) for each in paragraphs if each.startswith(f"**{title}.**"))
