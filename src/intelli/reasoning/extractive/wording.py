"""The answer's words: the sources' own sentences, each with its citation, and what must be said beside them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from intelli.reasoning.citing import cite
from intelli.reasoning.extractive import languages, words
from intelli.reasoning.extractive.languages import Language
from intelli.reasoning.thoughts import AnswerAsked, Disagreement, Finding, Passage

# What Markdown, GML or a citation could begin with: a source's sentence stays text.
_MARKUP = re.compile(r"[\\`*\[\]<>{}|]")
_LINE_START = re.compile(r"^(?:#{1,6}\s|[-+]\s|\d{1,3}[.)]\s|=+$)")
# Any word by which a contradiction is told.
_DISAGREES = re.compile(
    r"disagree|contradict|conflicting|discrepan|inconsisten|differing|widerspr|abweich|unterschiedliche angaben|"
    r"contredi|diverg|contradic|discrep|\u043f\u0440\u043e\u0442\u0438\u0432\u043e\u0440\u0435\u0447",
    re.IGNORECASE,
)
_MOST_IN_A_PARAGRAPH = 3
# The brief has them all; an answer is read to its end.
_MOST_OF_A_FACET = 5
_CLOSED = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f", "\u061f", "\u0964", '"', "\u201d", "\u00bb")


def plain(text: str) -> str:
    """A source's words as one line of Markdown that shows them unchanged and does nothing else."""
    line = " ".join(text.split())
    escaped = _MARKUP.sub(lambda mark: {"<": "&lt;", ">": "&gt;"}.get(mark.group(), f"\\{mark.group()}"), line)
    return f"\\{escaped}" if _LINE_START.match(escaped) and not escaped[0].isdigit() else escaped


def follow_up(question: str, *, file_name: str, section: str) -> str:
    """What could be asked next about a part of a file, in the language of the question."""
    return languages.languages()[words.tongue_of(question)].follow_up.format(file_name, section)


def pieces(asked: AnswerAsked) -> Iterator[str]:
    """The answer, paragraph by paragraph."""
    language = languages.languages()[words.tongue_of(asked.question)]
    brief = asked.brief
    yield from _body(asked) if brief.findings else [language.unanswered]
    for disagreement in brief.disagreements:
        yield _disagreement(disagreement, language)
    if brief.findings and brief.open_questions:
        yield "\n".join(language.unsaid.format(plain(each)) for each in brief.open_questions)
    for problem in asked.problems:
        yield plain(problem)


def untold(asked: AnswerAsked, text: str) -> str:
    """What a text by others leaves unsaid that no reader may miss: that the sources contradict each other."""
    if _DISAGREES.search(text):
        return ""
    language = languages.languages()[words.tongue_of(asked.question)]
    return "".join(f"\n\n{_disagreement(each, language)}" for each in asked.brief.disagreements)


def _body(asked: AnswerAsked) -> Iterator[str]:
    """Findings under what they are about; a heading only where there are several such things."""
    findings = asked.brief.findings
    groups = [(about, list(group)) for about, group in groupby(findings, key=lambda finding: finding.about)]
    for about, of_it in groups:
        if len(groups) > 1 and about:
            yield f"**{plain(about)}**"
        yield _paragraph(_in_order(of_it[:_MOST_OF_A_FACET], asked.passages))


def _in_order(findings: list[Finding], passages: Sequence[Passage]) -> list[Finding]:
    """As a reader would come across them: the best document first, each from its beginning to its end."""
    place = {passage.identifier: (number, passage) for number, passage in enumerate(passages)}
    if any(finding.identifier not in place for finding in findings):
        return findings
    titles = [place[finding.identifier][1].title for finding in findings]

    def where(finding: Finding) -> tuple[int, int, int, int]:
        number, passage = place[finding.identifier]
        return titles.index(passage.title), passage.page or 0, number, passage.text.find(finding.quote)

    return sorted(findings, key=where)


def _paragraph(findings: list[Finding]) -> str:
    said = [_sentence(finding) for finding in findings]
    if len(said) <= _MOST_IN_A_PARAGRAPH:
        return " ".join(said)
    return "\n".join(f"- {each}" for each in said)


def _sentence(finding: Finding) -> str:
    text = plain(finding.text)
    return f"{text if text.endswith(_CLOSED) else f'{text}.'} {cite(finding.identifier)}"


def _disagreement(disagreement: Disagreement, language: Language) -> str:
    values = _joined(f"{plain(each.value)} {cite(each.identifier)}" for each in disagreement.readings)
    return language.disagreement.format(plain(disagreement.about), values)


def _joined(values: Iterable[str]) -> str:
    return " / ".join(values)
