"""Briefs without a model: all findings without duplicates, with their figures, dates and contradictions."""

from collections.abc import Sequence

from intelli.language import words
from intelli.reasoning.extractive import figures
from intelli.reasoning.values import QuotedFinding, SourceQuote
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.note import Notes
from intelli.reasoning.without_model import commands, disagreements, facets, intents

# Two facets at least: one alone is the question in other words.
_FEW = 2
_MOST_CLOSEST = 3


def brief_of(given: BriefInput) -> Brief:
    """All findings, none twice, with what follows from them."""
    language = words.language_of(given.question)
    findings = _distinct([finding for notes in _telling(given) for finding in notes.findings], language)
    return Brief(
        title=intents.title(commands.rest(given.question)) or given.question,
        question=given.question,
        findings=findings,
        metrics=figures.metrics_of(findings),
        timeline=figures.timeline_of(findings),
        quotes=tuple(SourceQuote(text=each.quote, identifier=each.identifier) for each in findings),
        disagreements=disagreements.disagreements_of(given.passages),
        open_questions=_open_questions(given),
        sources=tuple(dict.fromkeys(finding.identifier for finding in findings)),
        closest=() if findings else _closest(given),
    )


def _closest(given: BriefInput) -> tuple[QuotedFinding, ...]:
    """The statements nearest to the question, each once, the likeliest first."""
    near = {(each.identifier, each.quote): each for notes in given.notes for each in notes.closest}
    return tuple(sorted(near.values(), key=lambda each: -each.relevance)[:_MOST_CLOSEST])


def _telling(given: BriefInput) -> Sequence[Notes]:
    """Without those on the whole question where each of its facets has its own; a comparison needs both."""
    first, *others = given.notes or (None,)
    if first is not None and _is_whole(first, given) and any(each.table for each in first.findings):
        return [first]
    if first is None or len(others) < _FEW or not _is_whole(first, given) or facets.is_comparison(given.question):
        return given.notes
    return others if all(notes.findings for notes in others) else given.notes


def _is_whole(notes: Notes, given: BriefInput) -> bool:
    return notes.task_title == facets.heading(given.question)


def _open_questions(given: BriefInput) -> tuple[str, ...]:
    """What no passage answers; the whole question is not open when a facet is answered, nor are facets when it is."""
    if len(_telling(given)) == 1:
        return ()
    is_answered = any(notes.findings for notes in given.notes)
    first = 1 if is_answered and len(given.notes) > 1 and _is_whole(given.notes[0], given) else 0
    return tuple(dict.fromkeys(each for notes in given.notes[first:] for each in notes.open_questions))


def _distinct(findings: Sequence[QuotedFinding], language: str) -> tuple[QuotedFinding, ...]:
    """Each sentence once, under the task it serves best; tasks in the order of the plan."""
    best: dict[frozenset[str], QuotedFinding] = {}
    for finding in findings:
        key = frozenset(words.terms_of(finding.text, language))
        if key not in best or best[key].relevance < finding.relevance:
            best[key] = finding
    kept = {id(finding) for finding in best.values()}
    return tuple(finding for finding in findings if id(finding) in kept)
