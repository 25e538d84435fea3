"""Copy of the product's source, for tests that change it as a contributor would and check the result."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_TIMEOUT_S = 120


@dataclass(frozen=True)
class SourceCopy:
    """Source tree under `root`; `edited` lists the changed and added files."""

    root: Path
    edited: set[str]

    def add(self, path: str, text: str) -> None:
        """Add a file; paths are those inside `src/intelli`."""
        target = self.root / "intelli" / path
        assert not target.exists(), f"{path} is there already"
        target.write_text(text, encoding="utf-8")
        self.edited.add(path)

    def put_before(self, path: str, line: str, text: str) -> None:
        """Insert lines before the only occurrence of a line."""
        target = self.root / "intelli" / path
        before = target.read_text(encoding="utf-8")
        assert before.count(line) == 1, f"{path} has {line!r} {before.count(line)} times"
        target.write_text(before.replace(line, text + line), encoding="utf-8")
        self.edited.add(path)

    def run(self, *arguments: str, **variables: str) -> Any:
        """The JSON that `python -m` prints with this source."""
        path = os.pathsep.join((str(self.root), str(ROOT)))
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": path, **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])


def copy_source(folder: Path) -> SourceCopy:
    """Copy the source; what is no code is only linked to, since it is large."""
    ignored = shutil.ignore_patterns("__pycache__", "_ui")
    shutil.copytree(ROOT / "src" / "intelli", folder / "intelli", ignore=ignored, copy_function=_copy)
    return SourceCopy(folder, set())


def _copy(source: str, target: str) -> None:
    if source.endswith(".py"):
        shutil.copyfile(source, target)
    else:
        Path(target).symlink_to(source)
