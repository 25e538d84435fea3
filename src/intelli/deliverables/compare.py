"""Compare two deliverables block by block, by their visible text."""

import re
from collections.abc import Iterator, Sequence
from uuid import UUID

from intelli.deliverables import gml, prose
from intelli.deliverables.wire import BlockChange, ComparedBlock, Comparison
from intelli.library.diff import lines

_ALIKE = 0.5
_LONGEST = 2_000
_TOKEN = re.compile(r"\w+|\W")


def compare(one: UUID, before: str, other: UUID, after: str) -> Comparison:
    """Compare the GML of one deliverable with that of another."""
    blocks = list(_compare_blocks(_block_texts(before), _block_texts(after)))
    count = {change: sum(1 for block in blocks if block.change is change) for change in BlockChange}
    return Comparison(
        deliverable_id=one,
        other_id=other,
        blocks=blocks,
        added=count[BlockChange.ADDED],
        removed=count[BlockChange.REMOVED],
        changed=count[BlockChange.CHANGED],
    )


def _block_texts(text: str) -> list[str]:
    return [said for block in gml.parse(text).blocks if (said := prose.words(block))]


def _compare_blocks(before: Sequence[str], after: Sequence[str]) -> Iterator[ComparedBlock]:
    was, now = 0, 0
    for match in (*lines.matches(before, after), lines.LineMatch(len(before), len(after), 0)):
        yield from _compare_replaced(before[was : match.before], after[now : match.after])
        was, now = match.before + match.size, match.after + match.size
        yield from (_block(BlockChange.SAME, each, each) for each in before[match.before : was])


def _compare_replaced(before: Sequence[str], after: Sequence[str]) -> Iterator[ComparedBlock]:
    """Compare blocks that replaced others: similar pairs count as changed, the rest as removed and added."""
    common = min(len(before), len(after))
    for was, now in zip(before[:common], after[:common], strict=True):
        if _similarity(was[:_LONGEST], now[:_LONGEST]) >= _ALIKE:
            yield _block(BlockChange.CHANGED, was, now)
        else:
            yield _block(BlockChange.REMOVED, was, None)
            yield _block(BlockChange.ADDED, None, now)
    yield from (_block(BlockChange.REMOVED, each, None) for each in before[common:])
    yield from (_block(BlockChange.ADDED, None, each) for each in after[common:])


def _similarity(one: str, other: str) -> float:
    """Return the share of text, 0 to 1, that two texts have in common in the same order, counted in whole words."""
    words = _TOKEN.findall(one)
    found = lines.matches(words, _TOKEN.findall(other))
    shared = sum(len(word) for match in found for word in words[match.before : match.before + match.size])
    return 2 * shared / (len(one) + len(other))


def _block(change: BlockChange, before: str | None, after: str | None) -> ComparedBlock:
    return ComparedBlock(change=change, before=before, after=after)
