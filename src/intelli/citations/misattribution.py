"""Find another source of the run that says a statement word for word, where the cited one does not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from intelli.citations import rules
from intelli.citations.check import CheckedStatement
from intelli.citations.figures import CitedView
from intelli.citations.source_views import SourceView, language_of, sentences_of
from intelli.citations.wire import JudgedBy
from intelli.citations.wording_tokens import tokenize
from intelli.content.passage import Passage
from intelli.reasoning.verbs.judge import Verdict

_LEAST_SHARE = 0.9
_MOST_SOURCES = 200


class OtherSources:
    """The passages of a run that a statement may belong to."""

    def __init__(self, passages: Mapping[str, Passage], view: Callable[[str], SourceView | None]) -> None:
        self._names = list(passages)[:_MOST_SOURCES]
        self._view = view

    def find(self, text: str, *, but: Sequence[str]) -> list[SourceView]:
        """Return the sources that have nearly all of a statement's words in one sentence, those cited left out."""
        found = []
        for name in self._names:
            view = self._view(name) if name not in but else None
            if view is not None and _has_most(text, view):
                found.append(view)
        return found


def bind_elsewhere(made: CheckedStatement, cited: Sequence[str], others: OtherSources) -> CheckedStatement:
    """Return the statement bound to a source that says it; unchanged where the cited one does, or none."""
    statement = made.statement
    if made.verdict not in {Verdict.NOT_SUPPORTED, Verdict.CONTRADICTED} or len(statement.ordinals) != 1:
        return made
    (ordinal,) = statement.ordinals
    for view in others.find(statement.text, but=(cited[ordinal],)):
        again = rules.check_by_rules(statement, [CitedView(ordinal, view)])
        if again.verdict is Verdict.SUPPORTED and again.judged_by is JudgedBy.WORDS:
            return replace(again, bound={ordinal: view.identifier}, reason=describe(made.reason))
    return made


def describe(reason: str) -> str:
    """Say that a citation was bound anew, and why."""
    return f"Another source says this than the one that was cited, and the citation was bound to it. {reason}".strip()


def _has_most(text: str, view: SourceView) -> bool:
    language = language_of(view.text)
    keys = {token.key for token in tokenize(text, language)}
    return bool(keys) and any(
        len(keys & sentence.keys) >= _LEAST_SHARE * len(keys) for sentence in sentences_of(view.text, language)
    )
