"""Rules of evidence, one for answers, deliverables, memory and checks alike: whose words may be told as a fact.

* What the workspace's documents say is evidence.
* A person's question, command, guess, wish or correction of an answer is none, wherever it is kept. What a person
  states in a conversation is told as theirs, and only where no source answers.
* What our agent wrote is none, unless a question puts it in focus; then it stands behind the sources, told as ours.
"""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar
from uuid import UUID

from intelli.language import guesses, sentences, words
from intelli.reasoning import document_names, small_talk
from intelli.reasoning.extractive.question import asks

# Whose words a passage has: those of a source, what a person stated in a conversation, or what our agent wrote.
Origin = Literal["source", "said", "agent"]
SOURCE: Origin = "source"
SAID: Origin = "said"
AGENT: Origin = "agent"
_OF_SAID = "A person stated this in a conversation. It is no source."
_OF_AGENT = "Intelli wrote this document. It is no source."
CAVEATS = frozenset({_OF_SAID, _OF_AGENT})
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_STOP = re.compile(r"[.!;]\s+")
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u201e\u00ab\u00bb]*+[\"\u201d\u201c\u00bb]|(?<!\w)'[^'\n]*+'(?!\w)"
)
_LEAST_TERMS = 2
_LEAST_WORDS = 4
_MARKS = " \t\n\"'\u201c\u201e\u00ab-*\u2022\u2013("


ToldT = TypeVar("ToldT")


def find_statements(message: str) -> str:
    """Return the sentences of a person's message that state something: all else is no evidence of anything.

    What a message asks to be confirmed ("The report says so. Is that right?") it does not state, nor what it orders to
    be written ("Add the sentence “…” to notes.md").
    """
    said = [part for each in _sentences_of(_without_ordered_words(message)) for part in _apart(each)]
    if any(each.endswith(_QUESTION_MARKS) and _asks_back(each) for each in said):
        return ""
    return " ".join(each for each in said if each and is_statement(each))


def only_states(message: str) -> bool:
    """Return whether a message does nothing but state something, in whole sentences: "Our fiscal year ends in June.".

    A few words without an end are no sentence: they are looked for.
    """
    said = _sentences_of(message)
    whole = [each for each in said if each.endswith((".", "!")) or _pattern("own").match(each.casefold())]
    is_long = all(len(each.split()) >= _LEAST_WORDS for each in said)
    return bool(said) and len(whole) == len(said) and is_long and find_statements(message) == " ".join(said)


def speaks_of_own(message: str) -> bool:
    """Return whether a message opens with who says it, or what is theirs: "Our fiscal year ends in June."."""
    return _pattern("own").match(message.casefold().strip(_MARKS)) is not None


def is_statement(sentence: str) -> bool:
    """Return whether a person states something by a sentence, instead of asking, ordering, guessing or wishing."""
    bare = " ".join(sentence.casefold().strip(_MARKS).split())
    if sentence.rstrip().endswith(_QUESTION_MARKS) or asks(sentence) or orders(sentence):
        return False
    if guesses.is_guess(sentence) or any(_pattern(name).search(bare) for name in ("supposed", "wished")):
        return False
    if _pattern("corrected").match(bare) or small_talk.reply_to(sentence, ()) is not None:
        return False
    return len(set(words.terms_of(sentence, words.language_of(sentence)))) >= _LEAST_TERMS


def orders(sentence: str) -> bool:
    """Return whether a sentence orders something."""
    return _pattern("ordered").match(sentence.casefold().strip(_MARKS)) is not None


def may_be_recalled(content: str, *, is_conversation: bool) -> bool:
    """Return whether something that memory keeps may be told: it states something, and is no mere question or guess.

    What was told to memory itself is a statement unless it says otherwise; a message of a conversation must prove it.
    """
    if is_conversation:
        return bool(find_statements(content))
    return not all(_only_asks(each) or guesses.is_guess(each) for each in _sentences_of(content))


def is_in_focus(path: str, document_id: UUID, *, focus: Collection[UUID], question: str) -> bool:
    """Return whether a question is about a document itself: it was pointed at, or is named."""
    if document_id in focus:
        return True
    low = path.casefold().strip("/")
    named = (each.casefold().strip("/") for each in document_names.names_of(question))
    return any(each and (low == each or low.endswith(f"/{each}")) for each in named)


def list_told(answering: Mapping[Origin, Sequence[ToldT]]) -> list[ToldT]:
    """Return what is told of all that answers: sources first; what a person stated only where nothing else answers."""
    return [*answering.get(SOURCE, ()), *answering.get(AGENT, ())] or list(answering.get(SAID, ()))


def find_caveat(origins: Collection[Origin]) -> str | None:
    """Return why words of such origins alone prove nothing; None where a source is among them."""
    if not origins or SOURCE in origins:
        return None
    return _OF_SAID if SAID in origins else _OF_AGENT


def _without_ordered_words(message: str) -> str:
    """Return a message without what it puts in quotes, where it orders something: that is to be written, not stated."""
    return _QUOTED.sub(" ", message) if any(orders(each) for each in _sentences_of(message)) else message


def _sentences_of(text: str) -> list[str]:
    return [text[each.start : each.end].strip() for each in sentences.split(text)]


def _asks_back(question: str) -> bool:
    """Return whether a question is about what was said before it: it has hardly a word of its own."""
    return len(set(words.terms_of(question, words.language_of(question)))) < _LEAST_TERMS


def _apart(sentence: str) -> list[str]:
    """Split a question from what stands before it: behind an abbreviation a sentence is not seen to end."""
    ends = [match.end() for match in _STOP.finditer(sentence)]
    asked = next((at for at in ends if sentence.endswith(_QUESTION_MARKS) and asks(sentence[at:])), None)
    return [sentence] if asked is None else [sentence[:asked].strip(), sentence[asked:]]


def _only_asks(sentence: str) -> bool:
    """Return whether a sentence only asks; the question mark may be missing."""
    return sentence.endswith(_QUESTION_MARKS) or (asks(sentence) and not sentence.endswith((".", "!")))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_table()[name].strip()})(?!\w)")


@cache
def _table() -> dict[str, str]:
    return tomllib.loads(files(__package__).joinpath("evidence_rules.toml").read_text(encoding="utf-8"))
