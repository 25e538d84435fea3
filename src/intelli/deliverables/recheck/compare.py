"""Compare an edited sentence with its quote, by words and word order: does the quote still say it?

There is no language understanding here, so the rules are strict: the sentence may omit things and move a phrase to the
front, but every figure and every content word must be in the quote, next to the same neighbours, and no negation, limit
or attribution may be added or omitted. Other sentences may be true as well, but cannot be confirmed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from intelli.deliverables.recheck import tokens
from intelli.deliverables.recheck.tokens import TextToken
from intelli.reasoning.extractive import languages, words

# Every word is held against every word; what is more than some pages is no sentence.
_MOST_COMPARED = 1_000_000
_ELSEWHERE = "The quote has its words in another order, so it may say something else."


@dataclass(frozen=True, slots=True)
class SupportDoubt:
    """The reason why a quote may not support a sentence; `is_sure` for the opposite or another figure."""

    reason: str
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class _Matched:
    """A sentence aligned with a quote: `places` has the position of each token in the quote, or None."""

    said: Sequence[TextToken]
    quoted: Sequence[TextToken]
    places: Sequence[int | None]
    moved: frozenset[int] = frozenset()


def find_doubt(sentence: str, quote: str) -> SupportDoubt | None:
    """Return the gravest doubt whether a quote supports a sentence; None when it does."""
    language = words.language_of(f"{sentence} {quote}")
    if language == languages.UNSPACED:
        is_within = "".join(sentence.split()).rstrip(".\u3002") in "".join(quote.split())
        return None if is_within else SupportDoubt("The quote does not have these words.")
    said, quoted = tokens.tokenize(sentence, language), tokens.tokenize(quote, language)
    if len(said) * len(quoted) > _MOST_COMPARED:
        return SupportDoubt("It is too long to be compared with its quote.")
    matched = _match(said, quoted)
    doubts = [
        *_find_added(matched),
        *_find_moved(matched),
        *_find_changed_prepositions(matched),
        *_find_left_out(matched),
    ]
    return min(doubts, key=lambda doubt: not doubt.is_sure, default=None)


def find_doubt_of_row(cells: Sequence[str], cell: str, quote: str) -> SupportDoubt | None:
    """Return the doubt about a changed table cell: its source line must have all cells in their order."""
    language = words.language_of(quote)
    line = [thing.key for thing in tokens.tokenize(quote, language)]
    missing = [thing.written for thing in tokens.tokenize(cell, language) if thing.key not in line]
    if missing:
        return SupportDoubt(f"The row of the source does not have \u201c{missing[0]}\u201d.", is_sure=True)
    keys = [thing.key for each in cells for thing in tokens.tokenize(each, language) if thing.key in line]
    rest = iter(line)
    is_in_order = all(key in rest for key in keys)
    return None if is_in_order else SupportDoubt("The row of the source has this in another column.", is_sure=True)


def _match(said: Sequence[TextToken], quoted: Sequence[TextToken]) -> _Matched:
    """Align tokens: as many as possible in order, the others with any free equal token of the quote."""
    places: list[int | None] = [None] * len(said)
    for at, place in _longest_common(said, quoted):
        places[at] = place
    free = [place for place in range(len(quoted)) if place not in set(places)]
    moved = set[int]()
    for at in (at for at, place in enumerate(places) if place is None):
        elsewhere = next((each for each in free if _is_same(said[at], quoted[each])), None)
        if elsewhere is not None:
            places[at] = elsewhere
            free.remove(elsewhere)
            moved.add(at)
    return _Matched(said, quoted, places, frozenset(moved))


def _longest_common(said: Sequence[TextToken], quoted: Sequence[TextToken]) -> Iterator[tuple[int, int]]:
    """Yield the longest common subsequence; tokens after the same preposition are preferred."""
    best = [[0] * (len(quoted) + 1) for _ in range(len(said) + 1)]
    for at in reversed(range(len(said))):
        for place in reversed(range(len(quoted))):
            worth = _match_score(said[at], quoted[place])
            taken = worth + best[at + 1][place + 1] if worth else 0
            best[at][place] = max(taken, best[at + 1][place], best[at][place + 1])
    at = place = 0
    while at < len(said) and place < len(quoted):
        worth = _match_score(said[at], quoted[place])
        if worth and best[at][place] == worth + best[at + 1][place + 1]:
            yield at, place
            at, place = at + 1, place + 1
        elif best[at][place] == best[at + 1][place]:
            at += 1
        else:
            place += 1


def _match_score(one: TextToken, other: TextToken) -> int:
    if not _is_same(one, other):
        return 0
    return 10 + (one.lead == other.lead)


def _is_same(one: TextToken, other: TextToken) -> bool:
    if one.key == other.key:
        return one.is_number == other.is_number
    are_words = not one.is_number and not other.is_number
    return are_words and tokens.spelling_key(one.written.lower()) == tokens.spelling_key(other.written.lower())


def _find_added(matched: _Matched) -> Iterator[SupportDoubt]:
    """Yield doubts about tokens that the quote does not have. A name may be repeated."""
    names = {thing.key for thing in matched.quoted if thing.is_name}
    for thing, place in zip(matched.said, matched.places, strict=True):
        if place is not None or (thing.is_name and thing.key in names):
            continue
        if thing.is_negation:
            yield SupportDoubt(f"The quote does not say \u201c{thing.written}\u201d.", is_sure=True)
        else:
            yield SupportDoubt(f"The quote does not have \u201c{thing.written}\u201d.", is_sure=thing.is_number)


def _find_moved(matched: _Matched) -> Iterator[SupportDoubt]:
    """Yield doubts about another order: a phrase may move to the other end of its clause, clauses may swap."""
    if not matched.moved:
        return
    first, last = min(matched.moved), max(matched.moved)
    block = range(first, last + 1)
    places = [matched.places[at] for at in block]
    start = places[0]
    if set(block) != matched.moved or start is None or places != list(range(start, start + len(block))):
        # Two figures that are not where they were have changed what they are figures of.
        yield SupportDoubt(_ELSEWHERE, is_sure=sum(matched.said[at].is_number for at in matched.moved) > 1)
        return
    crossed = [
        at
        for at, place in enumerate(matched.places)
        if at not in matched.moved and place is not None and (at < first) == (place > start)
    ]
    if not (_is_phrase(matched, block, crossed) or _are_clauses(matched, block, crossed)):
        yield SupportDoubt(_ELSEWHERE)


def _is_phrase(matched: _Matched, block: range, crossed: Sequence[int]) -> bool:
    """Return whether the moved tokens are one phrase with its preposition, moved within its own clause."""
    said, quoted, places = matched.said, matched.quoted, matched.places
    start = places[block[0]]
    assert start is not None, "what moved stands somewhere"
    head, was = said[block[0]], quoted[start]
    is_led = head.lead == was.lead and (bool(head.lead) or head.is_year)
    is_last = _closes(quoted, start + len(block) - 1) or _closes(said, block[-1])
    if not is_led or not is_last or any(said[at].is_year for at in crossed):
        return False
    here = sorted([*block, *crossed])
    there = sorted(place for at in here if (place := places[at]) is not None)
    edges = {here[0], block[0], block[-1] + 1}
    quoted_edges = {there[0], start, start + len(block)}
    is_whole_here = not any(said[at].opens for at in here if at not in edges)
    return is_whole_here and not any(quoted[place].opens for place in there if place not in quoted_edges)


def _are_clauses(matched: _Matched, block: range, crossed: Sequence[int]) -> bool:
    """Return whether two whole clauses swapped places."""
    start = matched.places[block[0]]
    over = [matched.places[at] for at in crossed]
    if start is None or not over or None in over or crossed != list(range(crossed[0], crossed[-1] + 1)):
        return False
    others = [place for place in over if place is not None]
    if others != list(range(others[0], others[-1] + 1)):
        return False
    is_here = all(_is_clause(matched.said, span[0], span[-1]) for span in (block, crossed))
    quoted_spans = ((start, start + len(block) - 1), (others[0], others[-1]))
    return is_here and all(_is_clause(matched.quoted, *span) for span in quoted_spans)


def _is_clause(things: Sequence[TextToken], first: int, last: int) -> bool:
    return things[first].opens and _closes(things, last)


def _closes(things: Sequence[TextToken], at: int) -> bool:
    """Return whether a clause may end after a token."""
    return at + 1 == len(things) or things[at + 1].opens


def _find_changed_prepositions(matched: _Matched) -> Iterator[SupportDoubt]:
    """Yield doubts about changed prepositions: "by" for "to", "before" for "after", none for "by"."""
    for at, thing in enumerate(matched.said):
        place = matched.places[at]
        if place is None:
            continue
        lead = _lead_in_quote(matched, at, place)
        are_of_time = thing.is_year and tokens.is_time_preposition(lead) and tokens.is_time_preposition(thing.lead)
        is_begin = at == 0 and not thing.lead
        if thing.lead != lead and not are_of_time and not is_begin:
            now = f"{thing.lead} {thing.written}".strip()
            yield SupportDoubt(
                f"The quote says \u201c{f'{lead} {thing.written}'.strip()}\u201d, not \u201c{now}\u201d."
            )


def _lead_in_quote(matched: _Matched, at: int, place: int) -> str:
    """Return the preposition before a token in the quote, or that of the omitted tokens directly before it."""
    lead = matched.quoted[place].lead
    before = matched.places[at - 1] if at else None
    if lead or before is None or before + 1 >= place or at in matched.moved:
        return lead
    first = matched.quoted[before + 1]
    return first.lead if first.lead == matched.said[at].lead and not matched.quoted[place].is_apart else lead


def _find_left_out(matched: _Matched) -> Iterator[SupportDoubt]:
    """Yield doubts about omitted tokens of the quote, between, before or after the kept ones, that could matter."""
    places = sorted(place for place in matched.places if place is not None)
    if not places:
        return
    quoted = matched.quoted
    taken = {quoted[place].sentence for place in places}
    for before, after in pairwise(places):
        gap = [thing for thing in quoted[before + 1 : after] if thing.sentence in taken]
        if gap and not _is_aside(gap, quoted[after]):
            yield from _doubts_of_gap(quoted[before], gap, quoted[after])
    first, last = places[0], places[-1]
    head = [thing for thing in quoted[:first] if thing.sentence == quoted[first].sentence]
    tail = [thing for thing in quoted[last + 1 :] if thing.sentence == quoted[last].sentence]
    yield from (_doubt_of_missing(thing) for thing in (*head, *tail) if thing.is_claim or _is_only(thing))
    if head and not quoted[first].opens and not quoted[first].is_apart:
        yield _doubt_of_missing(head[-1])


def _is_aside(gap: Sequence[TextToken], after: TextToken) -> bool:
    """Return whether the omitted tokens are a clause of their own between the others."""
    return gap[0].opens and after.opens


def _doubts_of_gap(before: TextToken, gap: Sequence[TextToken], after: TextToken) -> Iterator[SupportDoubt]:
    guards = [thing for thing in gap if thing.is_negation or thing.is_limit or thing.is_claim]
    if guards:
        yield _doubt_of_missing(guards[0])
    elif before.sentence != after.sentence:
        return
    elif after.opens or any(thing.opens for thing in gap):
        yield _doubt_of_missing(gap[0])
    elif not after.lead and not _is_rest_of_name(before, gap):
        # "Sales in Bern fell" is not "Sales fell", and adjusted revenue is not revenue.
        yield _doubt_of_missing(gap[-1])


def _is_rest_of_name(before: TextToken, gap: Sequence[TextToken]) -> bool:
    return before.is_name and all(thing.is_name and not thing.lead for thing in gap)


def _is_only(thing: TextToken) -> bool:
    return thing.written.lower() in {"only", "except", "nur", "au\u00dfer", "seulement", "sauf", "solo", "excepto"}


def _doubt_of_missing(thing: TextToken) -> SupportDoubt:
    return SupportDoubt(f"The quote says \u201c{thing.written}\u201d, which was left out.", is_sure=thing.is_negation)


def least_doubt(doubts: Iterable[SupportDoubt | None]) -> SupportDoubt | None:
    """Return the smallest doubt, for a sentence that any of several quotes may support; None when one does."""
    found = list(doubts)
    known = [doubt for doubt in found if doubt is not None]
    return None if len(known) < len(found) else min(known, key=lambda doubt: doubt.is_sure, default=None)
