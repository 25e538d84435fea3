"""Text from outside, enclosed as data between marks that are a hash of the whole call: no text can hold its own."""

import hashlib
from collections.abc import Mapping, Sequence

from intelli.reasoning.asked import Asked
from intelli.reasoning.thoughts import Passage

_MARK = 24


def mark_of(asked: Asked) -> str:
    """The mark of a call's enclosures. Whoever wrote it into a text would have changed it."""
    return hashlib.sha256(asked.model_dump_json().encode("utf-8", "replace")).hexdigest()[:_MARK]


def enclose(text: str, mark: str, handle: str = "") -> str:
    """The text between two lines with the mark, the first also with the handle that it is cited by."""
    return f"<data {mark}{f' {handle}' if handle else ''}>\n{text}\n</data {mark}>"


def handles(passages: Sequence[Passage]) -> dict[str, Passage]:
    """Each passage under a short handle, s1 and up: few tokens, and nothing that a passage could choose."""
    return {f"s{number}": passage for number, passage in enumerate(passages, 1)}


def listing(sources: Mapping[str, Passage], mark: str) -> str:
    """Every passage in an enclosure of its own, so that none can speak for another."""
    return "\n\n".join(enclose(f"{_place(each)}\n{each.text}", mark, handle) for handle, each in sources.items())


def fit(passages: Sequence[Passage], *, characters: int) -> tuple[Passage, ...]:
    """As many passages as there is room for, in order; the last may be cut."""
    kept: list[Passage] = []
    for passage in passages:
        room = characters - len(passage.title)
        if room <= 0:
            break
        kept.append(passage.model_copy(update={"text": passage.text[:room]}))
        characters = room - len(passage.text)
    return tuple(kept)


def _place(passage: Passage) -> str:
    parts = [passage.title, passage.section, f"page {passage.page}" if passage.page is not None else None]
    return " · ".join(" ".join(part.split()) for part in parts if part) or "untitled"
