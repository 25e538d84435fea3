"""Markdown of quoted source text, and the remarks that accompany an answer."""

import re
from collections.abc import Iterable, Sequence

from intelli.reasoning.citation_stream import citation_tag
from intelli.reasoning.extractive import languages, words
from intelli.reasoning.extractive.languages import LanguageWords
from intelli.reasoning.values import SourceDisagreement

# What Markdown, GML or a citation could begin with: a source's sentence stays text.
_MARKUP = re.compile(r"[\\`*\[\]<>{}|]")
_LINE_START = re.compile(r"^(?:#{1,6}\s|[-+]\s|\d{1,3}[.)]\s|=+$)")
# Any word by which a contradiction is told.
_DISAGREES = re.compile(
    r"disagree|contradict|conflicting|discrepan|inconsisten|differing|widerspr|abweich|unterschiedliche angaben|"
    r"contredi|diverg|contradic|discrep|\u043f\u0440\u043e\u0442\u0438\u0432\u043e\u0440\u0435\u0447",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """A source's words as one line of Markdown that shows them unchanged and does nothing else."""
    line = " ".join(text.split())
    escaped = _MARKUP.sub(lambda mark: {"<": "&lt;", ">": "&gt;"}.get(mark.group(), f"\\{mark.group()}"), line)
    return f"\\{escaped}" if _LINE_START.match(escaped) and not escaped[0].isdigit() else escaped


def follow_up(question: str, *, file_name: str, section: str) -> str:
    """What could be asked next about a part of a file, in the language of the question."""
    return languages.languages()[words.tongue_of(question)].follow_up.format(file_name, section)


def untold(question: str, disagreements: Sequence[SourceDisagreement], text: str) -> str:
    """What a text by others leaves unsaid that no reader may miss: that the sources contradict each other."""
    if _DISAGREES.search(text):
        return ""
    language = languages.languages()[words.tongue_of(question)]
    return "".join(f"\n\n{told(each, language)}" for each in disagreements)


def told(disagreement: SourceDisagreement, language: LanguageWords) -> str:
    """A contradiction as a sentence with the value of each source."""
    values = _joined(f"{plain(each.value)} {citation_tag(each.identifier)}" for each in disagreement.readings)
    return language.disagreement.format(plain(disagreement.about), values)


def _joined(values: Iterable[str]) -> str:
    return " / ".join(values)
