"""What a citation answers for: all that its block says since the citation before it."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st
from tests.citations.test_check import _prove
from tests.conversations.test_follow_ups import citation

from intelli.citations.parse import tag
from intelli.citations.prove import ProofMaterial, StoredText, prove
from intelli.citations.show import confidence
from intelli.citations.statements import statements_of
from intelli.citations.wire import Check, Figure, FigureStatus
from intelli.content.passage import Passage
from intelli.content.span import Span

_SENTENCES = st.lists(
    st.tuples(st.sampled_from(["It rose by 4.", "Costs fell.", "Mr. Low left in 2021.", "Who knows?"]), st.booleans()),
    min_size=1,
    max_size=6,
)
_MARKS = st.sampled_from(["", "- ", "1. ", "> "])


def _block(sentences: list[tuple[str, bool]], mark: str) -> str:
    return mark + " ".join(f"{text} {tag('p')}" if is_cited else text for text, is_cited in sentences)


@given(st.lists(st.tuples(_SENTENCES, _MARKS), min_size=1, max_size=4))
def test_every_sentence_of_a_block_belongs_to_the_next_citation_in_it(blocks: list[tuple[list[tuple[str, bool]], str]]):
    text = "\n\n".join(_block(sentences, mark) for sentences, mark in blocks)
    wanted: list[str] = []
    bare: list[str] = []
    for sentences, _ in blocks:
        waiting: list[str] = []
        for sentence, is_cited in sentences:
            waiting.append(sentence)
            if is_cited:
                wanted.append(" ".join(waiting))
                waiting = []
        bare += waiting
    found = statements_of(text)
    assert [each.text.removeprefix("1. ") for each in found if each.ordinals] == wanted
    assert [each.text.removeprefix("1. ") for each in found if not each.ordinals] == bare
    assert [ordinal for each in found for ordinal in each.ordinals] == list(range(len(wanted)))
    assert all(each.start <= each.end for each in found)


def test_a_mark_after_several_sentences_is_checked_against_all_of_them():
    wrong = "It employed 1999 people at the end of the year. Anna Berg leads the company since 2019. @"
    right = "Anna Berg leads the company since 2019. It employed 1204 people at the end of the year. @"
    assert _prove(wrong).proofs[0].outcome.check is Check.FAILED
    assert "1999" in _prove(wrong).proofs[0].outcome.reason
    assert _prove(right).proofs[0].outcome.check is Check.VERIFIED


def test_what_stands_before_a_citation_in_another_block_is_not_its_own():
    found = statements_of(f"Profit was 7.\n\n- It rose. {tag('a')}\n- It fell.\n- It stood still. {tag('b')}")
    assert [(each.text, each.ordinals) for each in found] == [
        ("Profit was 7.", ()), ("It rose.", (0,)), ("It fell.", ()), ("It stood still.", (1,)),
    ]  # fmt: skip


def _figure(status: FigureStatus) -> Figure:
    return Figure(
        written="10",
        sentence="At least 10.",
        sentence_start=0,
        sentence_end=9,
        status=status,
        calculation="",
        sources=[],
    )


def test_a_figure_without_a_citation_lowers_the_confidence():
    read, uncited = _figure(FigureStatus.READ), _figure(FigureStatus.UNCITED)
    assert confidence([citation()], 0.9, [read, read]) == 0.9
    assert confidence([citation()], 0.9, [read, uncited]) == 0.45
    assert confidence([citation()], 0.9) == 0.9


TABLE = "Item\tPrice\tStock\nWidget 999\t12.50\t40\nGadget 7\t8.00\t12"


def _check_row(statement: str) -> Check:
    sha = hashlib.sha256(TABLE.encode()).hexdigest()
    passage = Passage(Span(sha, 0, len(TABLE)), TABLE, "prices.csv", path="", mime_type="text/csv", score=1.0)
    (proof,) = prove(
        f"{statement} {tag('t')}", ProofMaterial({"t": passage}, {sha: StoredText(sha, TABLE, is_whole=True)})
    ).proofs
    return proof.outcome.check


def test_a_row_told_with_the_names_of_its_columns_is_the_source_s_own():
    assert _check_row("Item: Widget 999; Price: 12.50; Stock: 40.") is Check.VERIFIED
    assert _check_row("Item: Widget 999; Price: 40; Stock: 12.50.") is not Check.VERIFIED
    assert _check_row("Item: Widget 999; Price: 8.00; Stock: 40.") is not Check.VERIFIED
    assert _check_row("Item: Widget 999; Cost: 12.50; Stock: 40.") is not Check.VERIFIED
