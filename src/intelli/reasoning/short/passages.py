"""The few passages that a weak model is given for a question, each cut to the part that bears on it."""

from collections.abc import Sequence

from intelli.language import sentences, words
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import SourceText

MOST_PASSAGES = 5
LONGEST_PASSAGE = 900


def select_passages(question: str, found: Sequence[SourceText], *, is_ranked: bool) -> tuple[SourceText, ...]:
    """Return the passages to ask about, best first, each cut around its best sentences.

    Passages that were found for several questions are not ranked for this one: those that share most words come first.
    """
    asked = _terms(question, question)
    if not is_ranked:
        found = sorted(found, key=lambda each: -len(asked & _terms(f"{each.title} {each.text}", question)))
    return tuple(cut_passage(each, asked, question) for each in found[:MOST_PASSAGES])


def cut_passage(passage: SourceText, asked: frozenset[str], question: str) -> SourceText:
    """Return the passage, or the stretch of whole sentences with most of the asked words that is short enough."""
    if len(passage.text) <= LONGEST_PASSAGE:
        return passage
    spans = sentences.split(passage.text)
    shared = [len(asked & _terms(passage.text[each.start : each.end], question)) for each in spans]
    best, first = -1, 0
    for start in range(len(spans)):
        last = start
        while last + 1 < len(spans) and spans[last + 1].end - spans[start].start <= LONGEST_PASSAGE:
            last += 1
        if sum(shared[start : last + 1]) > best:
            best, first = sum(shared[start : last + 1]), start
    begin = spans[first].start if spans else 0
    return passage.model_copy(update={"text": passage.text[begin : begin + LONGEST_PASSAGE]})


def show_passages(fence: Fence, passages: Sequence[SourceText]) -> str:
    """Write the passages one below the other, enclosed as data once: marks around each confuse a weak model."""
    shown = [
        "\n".join(filter(None, (f"[{number}] {each.title}", each.header, each.text)))
        for number, each in enumerate(passages, 1)
    ]
    return fence.enclose("\n\n".join(shown))


def _terms(text: str, question: str) -> frozenset[str]:
    return frozenset(words.terms_of(text, words.language_of(question)))
