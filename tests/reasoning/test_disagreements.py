"""Contradictions of sources: the same subject, measure and condition with another figure, and nothing else."""

from pathlib import Path

import pytest

from intelli.reasoning.extractive.disagreements import conflict, disagreements_of, tell
from intelli.reasoning.values import QuotedFinding, SourceText

_LINES = Path(__file__).with_name("disagreements.tsv").read_text(encoding="utf-8").splitlines()[1:]
PAIRS = [tuple(line.split("\t")) for line in _LINES]


def _passage(title: str, text: str, identifier: str) -> SourceText:
    around = f"Read all about the {title}." if " " in title else "Read on."
    return SourceText(identifier=identifier, title=f"{title}.pdf", text=f"{around} {text}")


def _is_conflict(one: SourceText, other: SourceText) -> bool:
    sentences = [passage.text.split(". ", 1)[1] for passage in (one, other)]
    language = "de" if sentences[0].startswith("Der ") else "en"
    told = [tell(text, passage, language) for text, passage in zip(sentences, (one, other), strict=True)]
    return conflict(*told) is not None


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{pair[0]}-{pair[2][:40]}" for pair in PAIRS])
def test_only_the_same_thing_with_another_figure_is_a_contradiction(pair: tuple[str, ...]):
    one, other = _passage(pair[1], pair[2], "one"), _passage(pair[3], pair[4], "other")
    assert _is_conflict(one, other) is (pair[0] == "yes")
    assert _is_conflict(other, one) is (pair[0] == "yes")


def _finding(text: str, identifier: str) -> QuotedFinding:
    return QuotedFinding(text=text, identifier=identifier, quote=text, relevance=0.9)


def test_a_passage_that_was_read_and_not_used_can_contradict_a_finding():
    used = _passage("Lease", "The deposit is 500 euros.", "a")
    other = _passage("Letter", "The deposit is 650 euros. It is due in May.", "b")
    (found,) = disagreements_of("What is the deposit?", [_finding("The deposit is 500 euros.", "a")], [used, other])
    assert [(each.value, each.identifier) for each in found.readings] == [("500 euros", "a"), ("650 euros", "b")]


def test_of_several_figures_in_a_sentence_only_the_one_that_is_asked_for_counts():
    text = "The fee for adults is 12 euros, while pupils have a fee of 6 euros."
    other = _passage("Poster", "The fee for adults is 15 euros.", "b")
    asked = ("What is the fee for pupils?", "What is the fee for adults?")
    counts = [len(disagreements_of(each, [_finding(text, "a")], [other])) for each in asked]
    assert counts == [0, 1]


def test_what_several_passages_give_alike_is_told_once():
    others = [_passage(f"Letter{n}", "The deposit is 650 euros.", str(n)) for n in range(3)]
    (found,) = disagreements_of("What is the deposit?", [_finding("The deposit is 500 euros.", "a")], others)
    assert [each.value for each in found.readings] == ["500 euros", "650 euros"]
