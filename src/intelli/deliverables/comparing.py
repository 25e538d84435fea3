"""Comparing two deliverables block by block, by the words they show."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from uuid import UUID

from intelli.deliverables import gml, prose
from intelli.deliverables.wire import BlockChange, ComparedBlock, Comparison

_ALIKE = 0.5


def compare(one: UUID, before: str, other: UUID, after: str) -> Comparison:
    """How the GML of one deliverable became that of another."""
    blocks = list(_pairs(_words(before), _words(after)))
    count = {change: sum(1 for block in blocks if block.change is change) for change in BlockChange}
    return Comparison(
        deliverable_id=one,
        other_id=other,
        blocks=blocks,
        added=count[BlockChange.ADDED],
        removed=count[BlockChange.REMOVED],
        changed=count[BlockChange.CHANGED],
    )


def _words(text: str) -> list[str]:
    return [said for block in gml.parse(text).blocks if (said := prose.words(block))]


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[ComparedBlock]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (_block(BlockChange.SAME, each, each) for each in before[i1:i2])
        else:
            yield from _replaced(before[i1:i2], after[j1:j2])


def _replaced(before: Sequence[str], after: Sequence[str]) -> Iterator[ComparedBlock]:
    """Blocks in the place of others: those that are alike were changed, the rest came or went."""
    common = min(len(before), len(after))
    for was, now in zip(before[:common], after[:common], strict=True):
        if SequenceMatcher(None, was[:2000], now[:2000], autojunk=False).ratio() >= _ALIKE:
            yield _block(BlockChange.CHANGED, was, now)
        else:
            yield _block(BlockChange.REMOVED, was, None)
            yield _block(BlockChange.ADDED, None, now)
    yield from (_block(BlockChange.REMOVED, each, None) for each in before[common:])
    yield from (_block(BlockChange.ADDED, None, each) for each in after[common:])


def _block(change: BlockChange, before: str | None, after: str | None) -> ComparedBlock:
    return ComparedBlock(change=change, before=before, after=after)
