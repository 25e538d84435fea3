"""Remarks that accompany an answer: that its sources contradict each other."""

from collections.abc import Iterable

from intelli.language.markdown import plain
from intelli.reasoning.citation_stream import citation_tag
from intelli.reasoning.extractive.phrases import ReasonerPhrases
from intelli.reasoning.values import SourceDisagreement


def told(disagreement: SourceDisagreement, said: ReasonerPhrases) -> str:
    """A contradiction as a sentence with the value of each source."""
    values = _joined(f"{plain(each.value)} {citation_tag(each.identifier)}" for each in disagreement.readings)
    return said.disagreement.format(plain(disagreement.about), values)


def _joined(values: Iterable[str]) -> str:
    return " / ".join(values)
