"""Texts that make a backtracking pattern slow, derived from the pattern itself, and the judgement on how time grows."""

import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

# One of each kind of character that patterns tell apart, the usual ones first.
_CHARACTERS = (
    " a1-.\t\nAs_,;:|\"'()[]{}<>*#/\\=+&%$`~?!@^\r\u00a0\u202f\u00e9\u0301\u4e2d\u2019\u201c\u2013\u2022\u20ac\0"
)
_STANDARD = (
    *" a1-.\t\nA_,;:|\"'([<{*#/\\=`~\u00a0\u0301\u4e2d\u2022",
    *(
        "**",
        "a ",
        "a.",
        "1 ",
        "1.",
        "1,",
        "- ",
        " -",
        "\n ",
        " \n",
        "| ",
        ", ",
        "A ",
        "aA",
        '" ',
        "[]",
        "()",
        "a-",
        ". ",
        "\r\n",
    ),
)
_SUFFIXES = ("", "\0\n!")
_MOST_PUMPS, _MOST_PLACES, _MOST_ALTERNATIVES = 40, 20, 30
_REPEATS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}
_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
_SMALL = 125
# An exponential time must show before it takes for ever, so small sizes grow in small steps.
_CAUTIOUS = (12, 24, 36, 64)
_HARMLESS_S, _SUDDEN_S, _MEASURABLE_S, _LONG_S = 0.00025, 0.0005, 0.002, 0.05
# A linear time doubles; eight times the text takes eight times as long, and a quarter more of it never ten times.
_GROWS_BY, _DOUBLING, _BURSTS = 14.0, 2.8, 10.0
_ENDLESS = 1 << 19


@dataclass(frozen=True)
class Attack:
    """A text that repeats a piece between a beginning and an end, and the way in which a pattern meets it."""

    mode: str
    prefix: str
    pump: str
    suffix: str

    def text(self, size: int) -> str:
        return self.prefix + self.pump * (size // len(self.pump)) + self.suffix


def slowest(pattern: re.Pattern[Any], modes: Sequence[str]) -> Attack | None:
    """Returns an attack under which the time of a pattern grows faster than the text, if one is found."""
    for mode in modes:
        run = _runner(pattern, mode)
        for attack in attacks(pattern, mode):
            if _is_suspicious(run, attack) and is_superlinear(_sized(run, attack)):
                return attack
    return None


def _sized(run: Callable[[str], None], attack: Attack) -> Callable[[int], None]:
    return lambda size: run(attack.text(size))


def seconds(pattern: re.Pattern[Any], attack: Attack, size: int) -> float:
    """Returns the CPU time of a pattern on an attack of a size, the best of several."""
    run = _runner(pattern, attack.mode)
    return _best(_sized(run, attack), size)


def is_superlinear(run: Callable[[int], None]) -> bool:
    """Whether the CPU time of a call grows clearly faster than its size: over doublings, the best of several."""
    size, first = 12, _best(run, 12)
    while first < _MEASURABLE_S:
        size, before = size + size // 4, first
        first = _best(run, size)
        if size > _ENDLESS:
            return False
        if first > _MEASURABLE_S and first > before * _BURSTS:
            return True
    if _best(run, size + size // 4) > first * _BURSTS:
        return True
    doubled = _best(run, size * 2)
    if doubled > _LONG_S:
        return doubled > first * _DOUBLING
    return _best(run, size * 4) > first * _DOUBLING**2


def attacks(pattern: re.Pattern[Any], mode: str) -> Iterator[Attack]:
    """Yields beginnings that lead up to each repeat, with pieces that it takes over and over, and ends that fail."""
    places = list(_Places(pattern).all())
    pumps = {pump: None for _, own in places for pump in own if pump}
    leads = {lead: None for lead, _ in places if lead}
    opened = [("", pump) for pump in [*_STANDARD, *_spread([*leads, *pumps], _MOST_PUMPS)]]
    led = [(lead, pump) for lead, own in _spread(places, _MOST_PLACES) for pump in own if lead and pump]
    for (lead, pump), suffix in product(dict.fromkeys([*opened, *led]), _SUFFIXES):
        yield Attack(mode, lead, pump, suffix)


class _Places:
    """The repeats of a pattern: what leads up to each, and pieces that it takes."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE & ~re.DEBUG)
        self._groups: dict[int, str] = {}

    def all(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for variant in range(3):
            yield from self._within(self._tree, "", variant)

    def _within(self, nodes: Sequence[Any], lead: str, variant: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        last = 0
        for at, (kind, value) in enumerate(nodes):
            if kind in _REPEATS:
                yield lead, self._pumps(value[2], nodes[last:at], nodes[at + 1 : at + 3])
                last = at + 1
            for inner in _inner(kind, value):
                yield from self._within(inner, lead, variant)
            lead += self._sample([(kind, value)], variant)
        yield lead, ()

    def _pumps(self, body: Sequence[Any], ahead: Sequence[Any], behind: Sequence[Any]) -> tuple[str, ...]:
        """Returns what a repeat takes, by itself and with what stands before it and behind it."""
        own = [self._sample(body, variant) for variant in range(6)]
        joined = [
            self._sample([*part, *rest], variant)
            for part, rest in ((body, behind), (ahead, body))
            for variant in range(2)
        ]
        return tuple(dict.fromkeys(own + joined))

    def _sample(self, nodes: Sequence[Any], variant: int) -> str:
        return "".join(self._one(kind, value, variant) for kind, value in nodes)

    def _one(self, kind: Any, value: Any, variant: int) -> str:
        if kind in _REPEATS:
            least, most, body = value
            return self._sample(body, variant) * min(max(least, variant % 2), int(most))
        if kind is op.SUBPATTERN:
            said = self._sample(value[3], variant)
            self._groups[value[0]] = said
            return said
        if kind in {op.ATOMIC_GROUP, op.BRANCH}:
            return self._sample(value if kind is op.ATOMIC_GROUP else value[1][variant % len(value[1])], variant)
        if kind is op.GROUPREF:
            return self._groups.get(value, "")
        if kind in {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}:
            return _character(kind, value, variant)
        return ""


def _inner(kind: Any, value: Any) -> list[Any]:
    """Returns the sequences within a node, of many alternatives those that repeat something first."""
    if kind in _REPEATS:
        return [value[2]]
    if kind is op.SUBPATTERN:
        return [value[3]]
    if kind is op.ATOMIC_GROUP:
        return [value]
    if kind in {op.ASSERT, op.ASSERT_NOT}:
        return [value[1]]
    if kind is op.BRANCH:
        return sorted(value[1], key=lambda each: not any(inner in _REPEATS for inner, _ in each))[:_MOST_ALTERNATIVES]
    return []


def _character(kind: Any, value: Any, variant: int) -> str:
    if kind is op.LITERAL:
        return chr(value)
    fit = [each for each in _CHARACTERS if _takes(kind, value, each)]
    if fit:
        return fit[variant * 2 % len(fit)]
    return next((chr(first) for each, (first, *_) in _listed(value) if each in {op.RANGE, op.LITERAL}), "")


def _listed(value: Any) -> list[tuple[Any, Any]]:
    return (
        [(kind, each if isinstance(each, tuple) else (each,)) for kind, each in value]
        if isinstance(value, list)
        else []
    )


def _takes(kind: Any, value: Any, character: str) -> bool:
    code = ord(character)
    if kind is op.ANY:
        return character != "\n"
    if kind is op.NOT_LITERAL:
        return bool(code != value)
    is_listed = any(_lists(each, given, code) for each, given in value if each is not op.NEGATE)
    return is_listed != (value[0][0] is op.NEGATE)


def _lists(kind: Any, value: Any, code: int) -> bool:
    if kind is op.LITERAL:
        return bool(code == value)
    if kind is op.RANGE:
        return bool(value[0] <= code <= value[1])
    return re.fullmatch(_CATEGORIES[value], chr(code)) is not None


def _runner(pattern: re.Pattern[Any], mode: str) -> Callable[[str], None]:
    def run(text: str) -> None:
        given = text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text
        if mode == "sweep":
            for _ in pattern.finditer(given):
                pass
        else:
            getattr(pattern, mode)(given)

    return run


def _is_suspicious(run: Callable[[str], None], attack: Attack) -> bool:
    """Whether a few cheap sizes leave doubt that the time grows with the text alone."""
    for size in _CAUTIOUS:
        if _seconds(run, attack.text(size)) > _SUDDEN_S:
            return True
    small = _seconds(run, attack.text(_SMALL))
    if small > _MEASURABLE_S:
        return True
    large = _seconds(run, attack.text(_SMALL * 8))
    if large < _HARMLESS_S:
        return False
    small = min(small, _seconds(run, attack.text(_SMALL)), _seconds(run, attack.text(_SMALL)))
    return large > small * _GROWS_BY


def _best(run: Callable[[int], None], size: int) -> float:
    """Returns the least CPU time of several calls, of one where that is long enough to tell by itself."""
    least = _seconds(run, size)
    for _ in range(2):
        if least > _LONG_S:
            break
        least = min(least, _seconds(run, size))
    return least


def _seconds(run: Callable[[Any], None], given: Any) -> float:
    began = time.thread_time()
    run(given)
    return time.thread_time() - began


def _spread(items: Sequence[Any], most: int) -> list[Any]:
    return list(items) if len(items) <= most else [items[at * len(items) // most] for at in range(most)]
