"""Unified diff of two texts, as in version control; long diffs are cut."""

from intelli.library.diff import versions
from intelli.library.wire import Hunk, LineKind

_SIGNS = {LineKind.SAME: " ", LineKind.REMOVED: "-", LineKind.ADDED: "+"}
_NOTHING = "/dev/null"


def unified(before: str | None, after: str | None, *, path: str) -> str:
    """Return the unified diff of two texts; None stands for a document that does not exist."""
    old, new = (before or "").splitlines(), (after or "").splitlines()
    hunks, is_cut = versions.build_hunks(old, new)
    head = [f"--- {_NOTHING if before is None else path}", f"+++ {_NOTHING if after is None else path}"]
    lines = [line for hunk in hunks for line in _lines(hunk)]
    return "\n".join([*head, *lines, *(["@@ the rest is too long to be shown @@"] if is_cut else [])])


def _lines(hunk: Hunk) -> list[str]:
    before = sum(1 for line in hunk.lines if line.kind is not LineKind.ADDED)
    after = sum(1 for line in hunk.lines if line.kind is not LineKind.REMOVED)
    span = f"@@ -{_span(hunk.before_start, before)} +{_span(hunk.after_start, after)} @@"
    return [span, *(f"{_SIGNS[line.kind]}{line.text}" for line in hunk.lines)]


def _span(start: int, count: int) -> str:
    """Format the range of a hunk; an empty range names the line before it, as in GNU diff. `(5, 0)` → `4,0`."""
    return f"{start if count else start - 1},{count}"
