"""What a citation answers for: all that its block says since the citation before it."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from intelli.citations.parse import tag
from intelli.citations.prove import ProofMaterial, StoredText, prove
from intelli.citations.statements import statements_of
from intelli.citations.wire import Check, StatementKind
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
def test_every_sentence_of_a_block_rests_on_the_next_citation_in_it(blocks: list[tuple[list[tuple[str, bool]], str]]):
    text = "\n\n".join(_block(sentences, mark) for sentences, mark in blocks)
    wanted: list[tuple[str, tuple[int, ...]]] = []
    ordinal = 0
    for sentences, _ in blocks:
        waiting: list[str] = []
        for sentence, is_cited in sentences:
            waiting.append(sentence)
            if is_cited:
                wanted += [(each, () if each.endswith("?") else (ordinal,)) for each in waiting[:-1]]
                wanted.append((sentence, (ordinal,)))
                waiting, ordinal = [], ordinal + 1
        wanted += [(each, ()) for each in waiting]
    found = statements_of(text)
    assert [(each.text, each.ordinals) for each in found] == wanted
    assert all(text[each.start : each.end].strip().removeprefix("- ") for each in found)


def test_citations_side_by_side_share_their_statement():
    found = statements_of(f"It rose. {tag('a')}{tag('b')} Then it fell. {tag('c')} Nobody knows.")
    assert [(each.text, each.ordinals) for each in found] == [
        ("It rose.", (0, 1)), ("Then it fell.", (2,)), ("Nobody knows.", ()),
    ]  # fmt: skip


def test_clauses_with_citations_of_their_own_are_statements_with_the_sentence_around_them():
    found = statements_of(f"Revenue rose {tag('a')}, and costs fell {tag('b')}.")
    assert [(each.text, each.ordinals) for each in found] == [("Revenue rose", (0,)), ("and costs fell.", (1,))]
    assert {each.context for each in found} == {"Revenue rose, and costs fell."}


def test_a_row_of_a_table_is_a_statement_with_the_heads_of_its_columns():
    (row,) = statements_of(f"| Segment | Revenue |\n|---|---|\n| Grids | 112 {tag('a')} |\n")
    assert (row.kind, row.row, row.text) == (StatementKind.CELL, "Grids", "Segment: Grids; Revenue: 112")


def test_where_a_statement_stands_is_told_in_the_text_with_its_citations():
    text = f"It rose. {tag('a')} Then **it fell** again. {tag('b')}"
    _, second = statements_of(text)
    assert text[second.start : second.end] == "Then **it fell** again."


def test_what_stands_before_a_citation_in_another_block_is_not_its_own():
    found = statements_of(f"Profit was 7.\n\n- It rose. {tag('a')}\n- It fell.\n- It stood still. {tag('b')}")
    assert [(each.text, each.ordinals) for each in found] == [
        ("Profit was 7.", ()), ("It rose.", (0,)), ("It fell.", ()), ("It stood still.", (1,)),
    ]  # fmt: skip


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


def test_a_sentence_whose_citation_was_of_nothing_does_not_rest_on_the_next_one():
    first, second = statements_of(f"Costs fell by 4 [?]. Sales rose {tag('p')}.")
    assert (first.ordinals, second.ordinals) == ((), (0,))


def test_a_cell_without_citations_rests_on_all_of_its_row():
    table = f"| | 2023 | 2024 | Change |\n|---|---|---|---|\n| Oil | 10 {tag('a')} | 14 {tag('b')} | 4 |\n"
    assert [each.ordinals for each in statements_of(table)] == [(0,), (1,), (0, 1)]
