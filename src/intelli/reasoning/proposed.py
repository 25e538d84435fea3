"""What a model proposed to change, held against the person's own words: it touches no document they did not name."""

import re
from collections.abc import Iterator

from intelli.reasoning.changing import MOST_CHANGES, Action, ChangeAsked, Changes, Edit, ProposedChange
from intelli.reasoning.drafts import ChangeDraft, ChangesDraft, Unfit

_SPACE = re.compile(r"\s+")


def proposed(draft: ChangesDraft, asked: ChangeAsked) -> Changes:
    """The changes that may be asked for, each of another document."""
    changes: dict[str, ProposedChange] = {}
    said = _plain("\n".join([asked.question, *(turn.text for turn in asked.conversation if turn.role == "user")]))
    for change in _changes(draft, asked):
        # To create is harmless; what is there is touched only by its name.
        if change.action is Action.CREATE or _plain(change.path.rsplit("/", 1)[-1]) in said:
            changes.setdefault(change.path, change)
    return Changes(changes=tuple(changes.values())[:MOST_CHANGES])


def _changes(draft: ChangesDraft, asked: ChangeAsked) -> Iterator[ProposedChange]:
    for each in draft.changes:
        path = _kept(each.path).strip()
        if not path.strip("/ ."):
            raise Unfit("a change names no path")
        if each.action is Action.DELETE:
            yield ProposedChange(action=each.action, path=path)
        else:
            yield _written(each, path, asked)


def _written(draft: ChangeDraft, path: str, asked: ChangeAsked) -> ProposedChange:
    edits = tuple(Edit(find=_kept(each.find), replace=_kept(each.replace)) for each in draft.edits if each.find)
    if draft.action is Action.UPDATE and edits:
        return ProposedChange(action=draft.action, path=path, edits=edits)
    content = asked.answer if draft.uses_answer else _kept(draft.content)
    if not content.strip():
        raise Unfit(f"the change of {path} has no content")
    return ProposedChange(action=draft.action, path=path, content=content)


def _kept(text: str) -> str:
    """The text without what no document can hold: NUL, and halves of characters."""
    return text.replace("\0", "").encode(errors="replace").decode()


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).casefold().strip()
