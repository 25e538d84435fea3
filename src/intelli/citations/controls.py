"""Control statements for a judge: sentences of a source as they are, and with another figure or negated."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intelli.citations.source_views import SourceView, read_figures
from intelli.language import sentences
from intelli.language.negation import is_negated

_SHORTEST, _LONGEST = 40, 220
# What may be may also not be: such verbs are left out.
_VERBS = re.compile(
    r"\b(is|are|was|were|has|have|had|will|must|ist|sind|war|waren|hat|haben|wird|werden|wurde|wurden|muss)\b"
)
# Behind these a "not" makes an idiom or denies a degree only: "nicht zuletzt", "not only".
_NO_DENIAL = re.compile(
    r"\s+(?:only|least|just|yet|more|less|all|always|nur|zuletzt|blo\u00df|allein|mehr|weniger|immer|alle|selten)\b"
)
_GERMAN = frozenset(["ist", "sind", "war", "waren", "hat", "haben", "wird", "werden", "wurde", "wurden", "muss"])


@dataclass(frozen=True, slots=True)
class Control:
    """A statement whose verdict is known."""

    text: str
    identifier: str
    is_true: bool


def make_controls(views: Sequence[SourceView], *, is_short: bool = False) -> tuple[Control, ...]:
    """Return two copied sentences, one with another figure and one negated, as far as the sources have such.

    A call that `is_short` gets one that is copied and one that is altered.
    """
    copied, altered = (_copied(views), _copied(views[::-1])), (_refigured(views), _negated(views))
    if is_short:
        made = [_first(copied[0]), _first(altered[0]) or _first(altered[1])]
    else:
        made = [_first(copied[0]), _first(altered[0]), _first(copied[1]), _first(altered[1])]
    return tuple(dict.fromkeys(each for each in made if each is not None))


def _first(found: Iterator[Control]) -> Control | None:
    return next(found, None)


def _plain(views: Sequence[SourceView]) -> Iterator[tuple[str, str]]:
    """Whole sentences of moderate length, of texts that are no tables."""
    for view in views:
        for span in sentences.split(view.text):
            said = " ".join(view.text[span.start : span.end].split())
            if _SHORTEST <= len(said) <= _LONGEST and said[0].isupper() and said[-1] == "." and "|" not in said:
                yield said, view.identifier


def _copied(views: Sequence[SourceView]) -> Iterator[Control]:
    for said, identifier in _plain(views):
        yield Control(said, identifier, is_true=True)


def _refigured(views: Sequence[SourceView]) -> Iterator[Control]:
    """Sentences with a figure that is made another."""
    for said, identifier in reversed(list(_plain(views))):
        found = [each for each in read_figures(said, "").numbers if each.unit and each.value > 1]
        if found:
            figure = found[0]
            digits = re.sub(r"\d", lambda digit: str((int(digit[0]) + 4) % 9 + 1), figure.written, count=1)
            changed = said[: figure.start] + digits + said[figure.end :]
            yield Control(changed, identifier, is_true=False)


def _negated(views: Sequence[SourceView]) -> Iterator[Control]:
    """Sentences with one clause, negated at their first auxiliary verb."""
    for said, identifier in _plain(views):
        verb = _VERBS.search(said)
        if verb is None or is_negated(said) or _NO_DENIAL.match(said, verb.end()) or "," in said or ";" in said:
            continue
        word = "nicht" if verb[0] in _GERMAN else "not"
        yield Control(f"{said[: verb.end()]} {word}{said[verb.end() :]}", identifier, is_true=False)
