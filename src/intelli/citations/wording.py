"""Compare a statement with the words of a source: does the source say just this, or plainly something else?

There is no language understanding here, so the rules are strict. A statement is said word for word when every figure
and every content word of it is in the source next to the same neighbours, and no negation, limit or attribution was
added or left out; it may omit things and move a phrase. It is contradicted when nearly all of it is there, and what
differs turns it round: a negation, an opposite, another name or another figure in the same place.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from intelli.citations import wording_tokens
from intelli.citations.wording_tokens import TextToken
from intelli.language import languages

# Every word is held against every word; what is more than some pages is no sentence.
_MOST_COMPARED = 30_000
# So much of a statement must be in the source for a difference to be a contradiction and not another matter.
_NEARLY_ALL = 0.75
_RISES = frozenset(
    {"rose", "rise", "rises", "increase", "increased", "increases", "grew", "stieg", "steigt", "erh\u00f6ht"}
)
_FALLS = frozenset(
    {"fell", "fall", "falls", "decrease", "decreased", "decreases", "shrank", "sank", "sinkt", "gesenkt"}
)
_ELSEWHERE = "The source has these words in another order, so it may say something else."


@dataclass(frozen=True, slots=True)
class SupportDoubt:
    """The reason why a source may not support a statement; `is_sure` for the opposite or another figure."""

    reason: str
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """How a statement compares with a source: the share of it that is there, and what differs."""

    share: float
    doubts: tuple[SupportDoubt, ...]
    contradiction: str = ""

    @property
    def is_same(self) -> bool:
        """True when the source says the statement in its own words."""
        return not self.doubts

    @property
    def doubt(self) -> SupportDoubt | None:
        """The gravest doubt."""
        return min(self.doubts, key=lambda doubt: not doubt.is_sure, default=None)


@dataclass(frozen=True, slots=True)
class _Matched:
    """A sentence aligned with a quote: `places` has the position of each token in the quote, or None."""

    said: Sequence[TextToken]
    quoted: Sequence[TextToken]
    places: Sequence[int | None]
    moved: frozenset[int] = frozenset()


def compare(said: Sequence[TextToken], quoted: Sequence[TextToken]) -> Wording:
    """Compare the tokens of a statement with those of a source."""
    if not said:
        return Wording(0.0, (SupportDoubt("There is nothing to compare."),))
    if len(said) * len(quoted) > _MOST_COMPARED:
        return Wording(0.0, (SupportDoubt("It is too long to be compared with its source."),))
    matched = _match(said, quoted)
    moved = tuple(_find_moved(matched))
    doubts = (
        *_find_added(matched),
        *moved,
        *_find_changed_prepositions(matched),
        *_find_left_out(matched),
    )
    share = sum(place is not None for place in matched.places) / len(said)
    swapped = next((doubt.reason for doubt in moved if doubt.is_sure), "")
    turned = next(_find_turned(matched), swapped) if doubts and share >= _NEARLY_ALL else ""
    return Wording(share, doubts, turned)


def _find_turned(matched: _Matched) -> Iterator[str]:
    """Yield what turns a statement round that is otherwise in the source."""
    used = {place for place in matched.places if place is not None}
    taken = {matched.quoted[place].sentence for place in used}
    added = [at for at, place in enumerate(matched.places) if place is None]
    left = [place for place, token in enumerate(matched.quoted) if place not in used and token.sentence in taken]
    negated, opposed = list(_find_negation(matched, added, left)), list(_find_opposites(matched, added, left))
    # "Not accepted" is "rejected": one turns the other back.
    if len(negated) + len(opposed) != 2 or not negated:
        yield from (*negated, *opposed)
    for at in added:
        spot = _opposite_place(matched, at, left)
        if spot is not None:
            one, other = matched.said[at], matched.quoted[spot]
            yield f"The source has \u201c{other.written}\u201d, not \u201c{one.written}\u201d."


def _find_negation(matched: _Matched, added: Sequence[int], left: Sequence[int]) -> Iterator[str]:
    """Yield that one of the two denies what the other says."""
    kept = {at for at, place in enumerate(matched.places) if place is not None}
    used = {place for place in matched.places if place is not None}
    no_added = [matched.said[at].written for at in added if _negates(matched.said, at, kept)]
    no_left = [matched.quoted[place].written for place in left if _negates(matched.quoted, place, used)]
    if len(no_added) % 2 == len(no_left) % 2:
        return
    if no_left:
        yield f"The source says \u201c{no_left[0]}\u201d, the statement does not."
    else:
        yield f"The statement says \u201c{no_added[0]}\u201d, the source does not."


def _find_opposites(matched: _Matched, added: Sequence[int], left: Sequence[int]) -> Iterator[str]:
    """Yield words that take the place of their opposites."""
    for at in added:
        for place in left:
            one, other = matched.said[at].written, matched.quoted[place].written
            if is_opposite(one, other):
                yield f"The source says \u201c{other}\u201d, not \u201c{one}\u201d."


def _negates(tokens: Sequence[TextToken], at: int, common: Container[int]) -> bool:
    """Whether a token negates words that statement and source have in common: those beside it, in its clause."""
    if not tokens[at].is_negation:
        return False
    is_before = at + 1 < len(tokens) and at + 1 in common and not tokens[at + 1].opens
    is_behind = at > 0 and at - 1 in common and not tokens[at].opens and (at + 1 >= len(tokens) or tokens[at + 1].opens)
    return is_before or is_behind


def _opposite_place(matched: _Matched, at: int, left: Sequence[int]) -> int | None:
    """The token of the source that another stands in the place of: both numbers or both names, same neighbours."""
    before = matched.places[at - 1] if at else -1
    after = matched.places[at + 1] if at + 1 < len(matched.places) else len(matched.quoted)
    if before is None or after is None or after - before != 2 or before + 1 not in left:
        return None
    one, other = matched.said[at], matched.quoted[before + 1]
    are_numbers = one.is_number and other.is_number
    are_names = one.is_name and other.is_name and not one.is_number and not other.is_number and at > 0
    return before + 1 if are_numbers or are_names else None


def is_opposite(one: str, other: str) -> bool:
    """Return whether two words turn a statement round when one takes the other's place."""
    return other.lower() in _opposites().get(one.lower(), frozenset())


def direction_of(word: str) -> int:
    """Return 1 for a word that tells of a rise, -1 for a fall, 0 for all others."""
    opposites = _opposites().get(word.lower(), frozenset())
    return bool(opposites & _FALLS) - bool(opposites & _RISES)


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for language in languages.languages().values():
        for one, other in language.opposites:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


def _match(said: Sequence[TextToken], quoted: Sequence[TextToken]) -> _Matched:
    """Align tokens: as many as possible in order, the others with any free equal token of the same sentences."""
    places: list[int | None] = [None] * len(said)
    for at, place in _longest_common(said, quoted):
        places[at] = place
    taken = {quoted[place].sentence for place in places if place is not None}
    free = [place for place in range(len(quoted)) if place not in set(places) and quoted[place].sentence in taken]
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
    return one.spelling == other.spelling and one.spelling != ""


def _find_added(matched: _Matched) -> Iterator[SupportDoubt]:
    """Yield doubts about tokens that the quote does not have. A name may be repeated."""
    names = {thing.key for thing in matched.quoted if thing.is_name}
    for thing, place in zip(matched.said, matched.places, strict=True):
        if place is not None or (thing.is_name and thing.key in names):
            continue
        if thing.is_negation:
            yield SupportDoubt(f"The source does not say \u201c{thing.written}\u201d.", is_sure=True)
        else:
            yield SupportDoubt(f"The source does not have \u201c{thing.written}\u201d.", is_sure=thing.is_number)


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
    if len({quoted[place].sentence for place in there}) > 1:
        return False
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
        are_of_time = (
            thing.is_year
            and wording_tokens.is_time_preposition(lead)
            and wording_tokens.is_time_preposition(thing.lead)
        )
        is_begin = at == 0 and not thing.lead
        if thing.lead != lead and not are_of_time and not is_begin:
            now = f"{thing.lead} {thing.written}".strip()
            yield SupportDoubt(
                f"The source says \u201c{f'{lead} {thing.written}'.strip()}\u201d, not \u201c{now}\u201d."
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
    return SupportDoubt(f"The source says \u201c{thing.written}\u201d, which was left out.", is_sure=thing.is_negation)
