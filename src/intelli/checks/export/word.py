"""Word export: the statements of a check as marks and comments, on a new document or on a copy of the checked one."""

import base64

from intelli.checks import wire
from intelli.checks.export.html import place_of, summary
from intelli.citations.marks import SIGNS, WORDS
from intelli.deliverables.forms.docx import marked_text
from intelli.deliverables.forms.docx.marked_text import StatementMark
from intelli.reasoning.verbs.judge import Verdict

_LOOKS = {
    Verdict.SUPPORTED: ("dotted", "2E7D32"),
    Verdict.PARTLY: ("dash", "B26A00"),
    Verdict.NOT_SUPPORTED: ("wave", "C62828"),
    Verdict.CONTRADICTED: ("double", "C62828"),
    Verdict.UNCHECKED: ("dotted", "757575"),
}
_STANCES = {wire.Stance.FOR: "For", wire.Stance.AGAINST: "Against", wire.Stance.CITED: "Cited"}
_QUOTE_CHARACTERS = 400


def write(check: wire.TextCheck) -> str:
    """Write the text as a new Word document; return its bytes in Base64."""
    made = marked_text.write_text(check.title, check.text, _marks(check), summary=summary(check))
    return base64.b64encode(made).decode()


def annotate(check: wire.TextCheck, original: bytes) -> str:
    """Mark the statements in a copy of the Word file that was checked; return its bytes in Base64."""
    return base64.b64encode(marked_text.annotate(original, _marks(check), summary=summary(check))).decode()


def _marks(check: wire.TextCheck) -> list[StatementMark]:
    return [
        StatementMark(
            start=each.char_start,
            end=each.char_end,
            words=check.text[each.char_start : each.char_end],
            statement=each.text,
            verdict=f"{SIGNS[each.verdict]} {WORDS[each.verdict]}",
            reason=each.reason,
            sources=tuple(f"{_STANCES[one.stance]}: {place_of(one)}" for one in each.citations),
            comment="" if each.verdict is Verdict.SUPPORTED else _comment(each),
            underline=_LOOKS[each.verdict][0],
            colour=_LOOKS[each.verdict][1],
        )
        for each in check.statements
    ]


def _comment(each: wire.TextStatement) -> str:
    first = f"{SIGNS[each.verdict]} {WORDS[each.verdict]}" + (f": {each.reason}" if each.reason else "")
    sums = [one.formula for one in each.calculations]
    return "\n".join([first, *sums, *map(_passage, each.citations)])


def _passage(citation: wire.FoundCitation) -> str:
    words = " ".join(citation.quote.split())
    short = words if len(words) <= _QUOTE_CHARACTERS else f"{words[:_QUOTE_CHARACTERS].rstrip()}\u2026"
    quote = f": \u201c{short}\u201d" if short else ""
    return f"{_STANCES[citation.stance]}: {place_of(citation)}{quote}"
