"""What a message states, beside what it asks or orders."""

import re

from intelli.language import sentences, words
from intelli.reasoning import small_talk
from intelli.reasoning.extractive.question import asks
from intelli.reasoning.without_model import intents

_STOP = re.compile(r"[.!;]\s+")
_LEAST_TERMS = 2
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")


def statements_of(message: str) -> str:
    """Return the sentences of a message that state something: they neither ask nor order, and are no small talk.

    What a message asks to be confirmed ("The report says so. Is that right?") it does not state.
    """
    spans = (message[each.start : each.end].strip() for each in sentences.split(message))
    said = [part for each in spans for part in _apart(each)]
    if any(each.endswith(_QUESTION_MARKS) and _asks_back(each) for each in said):
        return ""
    return " ".join(each for each in said if each and _states(each))


def _asks_back(question: str) -> bool:
    """Return whether a question is about what was said before it: it has hardly a word of its own."""
    return len(set(words.terms_of(question, words.language_of(question)))) < _LEAST_TERMS


def _apart(sentence: str) -> list[str]:
    """Split a question from what stands before it: behind an abbreviation a sentence is not seen to end."""
    ends = [match.end() for match in _STOP.finditer(sentence)]
    asked = next((at for at in ends if sentence.endswith(_QUESTION_MARKS) and asks(sentence[at:])), None)
    return [sentence] if asked is None else [sentence[:asked].strip(), sentence[asked:]]


def _states(sentence: str) -> bool:
    is_asked = sentence.endswith(_QUESTION_MARKS) or asks(sentence)
    return not is_asked and not intents.orders(sentence) and small_talk.reply_to(sentence, ()) is None
