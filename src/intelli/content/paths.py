"""Paths inside a manifest: relative, normalised, and safe to unpack anywhere."""

import unicodedata
from collections.abc import Iterable

_PATH_BYTES = 1024
_STEP_BYTES = 255


def check_path(path: str) -> str:
    """Return the path unchanged or raise ValueError. It is not corrected silently, because the hash covers it."""
    if len(path.encode()) > _PATH_BYTES:
        raise ValueError(f"a path may have {_PATH_BYTES} bytes at most")
    if unicodedata.normalize("NFC", path) != path:
        raise ValueError("a path is in Unicode's form NFC")
    if "\\" in path or any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in path):
        raise ValueError("a path has no backslashes, line breaks or control characters")
    for step in path.split("/"):
        if step in {"", ".", ".."}:
            raise ValueError("a path is relative, without empty steps, '.' or '..'")
        if len(step.encode()) > _STEP_BYTES:
            raise ValueError(f"a step of a path may have {_STEP_BYTES} bytes at most")
    return path


def find_clash(paths: Iterable[str]) -> str | None:
    """Return a path that is also a folder of another path; None when there is none."""
    files = set(paths)
    return next((folder for path in sorted(files) for folder in _folders(path) if folder in files), None)


def _folders(path: str) -> list[str]:
    steps = path.split("/")
    return ["/".join(steps[:depth]) for depth in range(1, len(steps))]
