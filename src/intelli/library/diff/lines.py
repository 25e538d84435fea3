"""Line diff in nearly linear time (patience diff): lines that occur once in both lists are the anchors."""

import bisect
import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# A part without anchors is compared by difflib up to this many lines, and taken as replaced beyond.
_THOROUGH = 400


@dataclass(frozen=True, slots=True)
class LineMatch:
    """A run of `size` equal lines, starting at `before` in the first list and at `after` in the second."""

    before: int
    after: int
    size: int


@dataclass(frozen=True, slots=True)
class LineChange:
    """A range of lines removed from the first list, and the range of the second that replaces it."""

    before: range
    after: range


def matches(before: Sequence[str], after: Sequence[str]) -> list[LineMatch]:
    """Return the runs of lines that both lists share, in order; lines between them were removed or added."""
    found = list(_between(before, after, (0, len(before)), (0, len(after))))
    joined: list[LineMatch] = []
    for match in found:
        last = joined[-1] if joined else None
        if last and last.before + last.size == match.before and last.after + last.size == match.after:
            joined[-1] = LineMatch(last.before, last.after, last.size + match.size)
        else:
            joined.append(match)
    return joined


def changes(before: Sequence[str], after: Sequence[str]) -> Iterator[LineChange]:
    """Yield the ranges between the lines that both lists share."""
    at = (0, 0)
    for match in (*matches(before, after), LineMatch(len(before), len(after), 0)):
        if at != (match.before, match.after):
            yield LineChange(range(at[0], match.before), range(at[1], match.after))
        at = (match.before + match.size, match.after + match.size)


def _between(
    before: Sequence[str], after: Sequence[str], mine: tuple[int, int], theirs: tuple[int, int]
) -> Iterator[LineMatch]:
    """Yield matches between two ranges in order. Uses a stack: a recursion could be as deep as the text is long."""
    todo: list[tuple[tuple[int, int], tuple[int, int]] | LineMatch] = [(mine, theirs)]
    while todo:
        next_one = todo.pop()
        if isinstance(next_one, LineMatch):
            yield next_one
            continue
        (a0, a1), (b0, b1) = next_one
        head = _match_length(before, after, a0, b0, most=min(a1 - a0, b1 - b0))
        if head:
            yield LineMatch(a0, b0, head)
        a0, b0 = a0 + head, b0 + head
        tail = _match_length_back(before, after, a1, b1, most=min(a1 - a0, b1 - b0))
        a1, b1 = a1 - tail, b1 - tail
        if tail:
            todo.append(LineMatch(a1, b1, tail))
        if a0 == a1 or b0 == b1:
            continue
        anchors = _anchors(before, after, (a0, a1), (b0, b1))
        if not anchors:
            todo.extend(reversed(_compare_fully(before, after, (a0, a1), (b0, b1))))
            continue
        edges = [(a0, b0), *((a + 1, b + 1) for a, b in anchors)]
        ends = [*anchors, (a1, b1)]
        parts: list[tuple[tuple[int, int], tuple[int, int]] | LineMatch] = []
        for (start_a, start_b), (end_a, end_b), anchor in zip(edges, ends, [*anchors, None], strict=True):
            parts.append(((start_a, end_a), (start_b, end_b)))
            if anchor is not None:
                parts.append(LineMatch(anchor[0], anchor[1], 1))
        todo.extend(reversed(parts))


def _match_length(before: Sequence[str], after: Sequence[str], a: int, b: int, *, most: int) -> int:
    size = 0
    while size < most and before[a + size] == after[b + size]:
        size += 1
    return size


def _match_length_back(before: Sequence[str], after: Sequence[str], a: int, b: int, *, most: int) -> int:
    size = 0
    while size < most and before[a - size - 1] == after[b - size - 1]:
        size += 1
    return size


def _anchors(
    before: Sequence[str], after: Sequence[str], mine: tuple[int, int], theirs: tuple[int, int]
) -> list[tuple[int, int]]:
    """Return the lines that occur once in both ranges: the longest sequence of them in the same order."""
    once_before, once_after = Counter(before[slice(*mine)]), Counter(after[slice(*theirs)])
    places = {after[b]: b for b in range(*theirs) if once_after[after[b]] == 1}
    pairs = [(a, places[before[a]]) for a in range(*mine) if once_before[before[a]] == 1 and before[a] in places]
    return _longest_rising(pairs)


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest subsequence in which the second numbers rise (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    came_from: list[int] = []
    for index, (_, b) in enumerate(pairs):
        pile = bisect.bisect_left(tops, b)
        came_from.append(ends[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(b)
            ends.append(index)
        else:
            tops[pile], ends[pile] = b, index
    chain = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(pairs[at])
        at = came_from[at]
    return chain[::-1]


def _compare_fully(
    before: Sequence[str], after: Sequence[str], mine: tuple[int, int], theirs: tuple[int, int]
) -> list[LineMatch]:
    if mine[1] - mine[0] > _THOROUGH or theirs[1] - theirs[0] > _THOROUGH:
        return []
    blocks = difflib.SequenceMatcher(None, before[slice(*mine)], after[slice(*theirs)], autojunk=False)
    return [
        LineMatch(mine[0] + block.a, theirs[0] + block.b, block.size)
        for block in blocks.get_matching_blocks()
        if block.size
    ]
