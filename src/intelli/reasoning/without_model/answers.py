"""Answers from the sources' own sentences, each with its citation, and the remarks that accompany them."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePath

from intelli.language import periods, words
from intelli.language.markdown import plain
from intelli.reasoning.citation_stream import citation_tag
from intelli.reasoning.extractive import answer_text, phrases
from intelli.reasoning.extractive.phrases import ReasonerPhrases
from intelli.reasoning.values import FindingTable, QuotedFinding, SourceText
from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.without_model import facets

_MOST_IN_A_PARAGRAPH = 3
# The brief has them all; an answer is read to its end.
_MOST_OF_A_FACET = 5
_ITEM, _GOES_ON = "\n- ", " "
_CLOSED = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f", "\u061f", "\u0964", '"', "\u201d", "\u00bb")


def pieces_of(given: AnswerInput) -> list[str]:
    """The paragraphs of an answer."""
    return list(_pieces(given))


def _pieces(given: AnswerInput) -> Iterator[str]:
    said = phrases.phrases_in(words.tongue_of(given.question))
    brief = given.brief
    if brief.findings:
        yield from _body(given)
    else:
        yield from _unanswered(given, said)
    if brief.findings and (of := _period(given)) is not None:
        yield of
    for disagreement in () if _is_list(brief.findings) else brief.disagreements:
        yield answer_text.told(disagreement, said)
    if brief.findings and brief.open_questions:
        yield "\n".join(said.unsaid.format(plain(each)) for each in brief.open_questions)
    for problem in given.problems:
        yield plain(problem)


def _period(given: AnswerInput) -> str | None:
    """What tells the year that figures are of, where neither the question nor they do; None where several years may be.

    The year stands in the name of the document, so the citation carries it.
    """
    findings = given.brief.findings
    told = "\n".join((given.question, *(each.text for each in findings)))
    if periods.years_of(told) or not any(character.isdigit() for each in findings for character in each.text):
        return None
    # Only files are named for the period they are of; what was told to memory is named for the day.
    files = [each for each in given.passages if PurePath(each.title).suffix]
    titles = {each.identifier: each.title.replace("_", " ") for each in files}
    years = {year for each in findings for year in periods.years_of(titles.get(each.identifier, ""))}
    if len(years) != 1 or _is_list(findings):
        return None
    said = phrases.phrases_in(words.tongue_of(given.question))
    return f"{said.period.format(years.pop())} {citation_tag(findings[0].identifier)}"


def _unanswered(given: AnswerInput, said: ReasonerPhrases) -> Iterator[str]:
    """What is told where nothing answers: the closest passages, as quotations, and that they are no answer."""
    if not given.brief.closest:
        yield said.unanswered
        return
    yield said.closest
    yield "\n".join(f"- {_sentence(each)}" for each in given.brief.closest)


def _body(given: AnswerInput) -> Iterator[str]:
    """Findings under what they are about; a heading only where there are several such things."""
    findings = given.brief.findings
    groups = [(about, list(group)) for about, group in groupby(findings, key=lambda finding: finding.about)]
    for about, of_it in groups:
        if len(groups) > 1 and about and about != facets.heading(given.question):
            yield f"### {plain(about)}"
        if of_it[0].lead:
            yield plain(of_it[0].lead)
            yield "".join(f"{_GOES_ON if each.goes_on else _ITEM}{_sentence(each)}" for each in of_it).strip()
            continue
        yield _paragraph(_in_order(of_it[:_MOST_OF_A_FACET], given.passages))
        yield from (_table(each.table) for each in of_it if each.table)


def _is_list(findings: Sequence[QuotedFinding]) -> bool:
    """Whether documents are listed, or one is summed up: what sources disagree on is beside that."""
    return bool(findings) and all(finding.lead for finding in findings)


def _table(table: FindingTable) -> str:
    """The rows that a finding rests on, each with its citation."""
    head = f"| {' | '.join(plain(column) for column in table.columns)} |"
    rule = f"|{'---|' * len(table.columns)}"
    rows = [f"| {' | '.join(plain(cell) for cell in row.cells)} {citation_tag(row.identifier)} |" for row in table.rows]
    return "\n".join((head, rule, *rows))


def _in_order(findings: list[QuotedFinding], passages: Sequence[SourceText]) -> list[QuotedFinding]:
    """As a reader would come across them: the best document first, each from its beginning to its end."""
    place = {passage.identifier: (number, passage) for number, passage in enumerate(passages)}
    if any(finding.identifier not in place for finding in findings):
        return findings
    titles = [place[finding.identifier][1].title for finding in findings]

    def where(finding: QuotedFinding) -> tuple[int, int, int, int]:
        number, passage = place[finding.identifier]
        return titles.index(passage.title), passage.page or 0, number, passage.text.find(finding.quote)

    return sorted(findings, key=where)


def _paragraph(findings: list[QuotedFinding]) -> str:
    said = [_sentence(finding) for finding in findings]
    if len(said) <= _MOST_IN_A_PARAGRAPH:
        return " ".join(said)
    return "\n".join(f"- {each}" for each in said)


def _sentence(finding: QuotedFinding) -> str:
    text = plain(finding.text)
    closed = text if text.endswith((*_CLOSED, ":")) else f"{text}."
    tags = finding.identifiers if finding.table is None else ()
    return " ".join((closed, *map(citation_tag, tags)))
