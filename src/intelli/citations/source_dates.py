"""Dates of cited documents, as their names or their beginnings tell them."""

from collections.abc import Iterable, Sequence
from datetime import date

from intelli.citations.prove import CitationProof
from intelli.language import dates
from intelli.language.dates import Day

_BEGINNING = 600
# Title, date, sender and subject are short lines without a full stop; what follows is the body.
_HEADING, _HEADING_LINES = 70, 4


def newest(proofs: Iterable[CitationProof], *, today: date) -> date | None:
    """Return the date of the newest cited document; None when none tells its date."""
    found = {proof.span.sha256: date_of(proof, today=today) for proof in proofs}
    return max((each for each in found.values() if each is not None), default=None)


def date_of(proof: CitationProof, *, today: date) -> date | None:
    """Return the date of a cited document, as its name, the short lines it begins with or else its first words tell it.

    A title may name the date of what it amends, so the latest of the heading counts; a body tells of other days.
    """
    title = proof.passage.title if proof.passage else ""
    beginning = proof.source.text[:_BEGINNING] if proof.source else ""
    lines = (line.strip() for line in beginning.splitlines())
    heading = [line for line in lines if 0 < len(line) <= _HEADING and not line.endswith(".")]
    for texts in ((title.replace("_", " "), *heading[:_HEADING_LINES]), (beginning,)):
        told = [each for text in texts for each in _dates(dates.dates_of(text)) if each <= today]
        if told:
            return max(told) if len(texts) > 1 else told[0]
    return None


def _dates(days: Sequence[Day]) -> list[date]:
    found = []
    for day in days:
        if day.year is None:
            continue
        try:
            found.append(date(day.year, day.month, day.day or 1))
        except ValueError:
            continue
    return found
