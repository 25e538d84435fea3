"""Proposals of changes: built from the current document and shown to a person before anything is written."""

from intelli.library.diff import unified
from intelli.library.text_documents import CurrentDocument
from intelli.reasoning.verbs.change import Action
from intelli.runs.wire import Proposal

_DOES = {Action.CREATE: "Create", Action.UPDATE: "Change", Action.DELETE: "Delete"}


class PreparedChange(Proposal):
    """A proposal with everything needed to apply it: what was shown is what is written."""

    content: str | None = None
    standing: CurrentDocument | None = None


def prepare(
    action: Action, path: str, *, before: str | None, after: str | None, standing: CurrentDocument | None = None
) -> PreparedChange:
    """Build a proposal from the old and the new text; None stands for no text, or one that cannot be shown."""
    diff = None if before is None and after is None else unified.unified(before, after, path=path)
    return PreparedChange(
        action=action,
        path=path,
        summary=f"{_DOES[action]} {path}{_extent(action, diff, standing)}",
        diff=diff,
        document_id=standing.document_id if standing else None,
        base_version=standing.version if standing else None,
        content=after,
        standing=standing,
    )


def _extent(action: Action, diff: str | None, standing: CurrentDocument | None) -> str:
    """Describe the size of a change in a few words."""
    if action is Action.DELETE:
        return f" with all its versions; it is at version {standing.version}" if standing else ""
    lines = (diff or "").splitlines()[2:]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    counted = f"{added} line{'' if added == 1 else 's'}"
    return f": {counted}" if action is Action.CREATE else f": {counted} added, {removed} removed"
