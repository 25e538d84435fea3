"""The check of a citation: what is verified, what is weak, what fails, and why."""

import hashlib

import pytest

from intelli.citations.check import with_judgement, with_nearness
from intelli.citations.parse import tag
from intelli.citations.prove import ProofMaterial, ProvenText, StoredText, prove
from intelli.citations.statements import statements_of
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.reasoning.verbs.judge import Judgement, Verdict

TEXT = (
    "Preface. Revenue came to 412.7 million euros in 2025, after 389.2 million in 2024. The rise was not expected. "
    "Anna Berg leads the company since 2019. It employed 1204 people at the end of the year."
)
SHA = hashlib.sha256(TEXT.encode()).hexdigest()
START, END = TEXT.index("Revenue"), len(TEXT)


def _prove(text: str, *, is_whole: bool = True, is_there: bool = True) -> ProvenText:
    span = Span(SHA, START, END)
    passage = Passage(span, span.text_in(TEXT), "report.txt", "/report.txt", "text/plain", score=0.8)
    sources = {SHA: StoredText(SHA, TEXT, is_whole)} if is_there else {}
    return prove(text.replace("@", tag("p")).replace("?", tag("lost")), ProofMaterial({"p": passage}, sources))


def test_a_sentence_of_the_source_is_verified_and_bound_to_where_it_stands():
    (proof,) = _prove("It employed 1204 people at the end of the year. @").proofs
    assert (proof.outcome.check, proof.outcome.reason, proof.outcome.score) == (Check.VERIFIED, "", 1.0)
    assert proof.span.text_in(TEXT) == proof.quote == "It employed 1204 people at the end of the year."


def test_marks_of_markdown_do_not_count():
    (proof,) = _prove("- **It employed 1204 people** at the end of the year @").proofs
    assert proof.outcome.check is Check.VERIFIED


@pytest.mark.parametrize(
    ("text", "check", "reason"),
    [
        ("At the end of the year it had 1204 people employed. @", Check.WEAK, "in other words"),
        ("It employed 1205 people at the end of the year. @", Check.FAILED, "\u201c1205\u201d"),
        ("Revenue came to 412.7 million dollars in 2025. @", Check.FAILED, "dollars"),
        ("The company, led by Carl Stone, employed 1204 people at the end of the year. @", Check.WEAK, "Carl"),
        ("The rise was expected. @", Check.WEAK, "says no"),
        ("Copper prices depend on the weather in Chile. @", Check.FAILED, "does not"),
        ("She said \u201cwe never wanted any of this\u201d. @", Check.FAILED, "words"),
        ("It employed 1204 people at the end of the year. ?", Check.FAILED, "no source"),
    ],
)
def test_anything_else_says_why_it_is_not(text: str, check: Check, reason: str):
    (proof,) = _prove(text).proofs
    assert proof.outcome.check is check
    assert reason in proof.outcome.reason


def test_damaged_bytes_fail_and_missing_ones_cannot_be_checked():
    text = "It employed 1204 people at the end of the year. @"
    assert _prove(text, is_whole=False).proofs[0].outcome.check is Check.FAILED
    assert _prove(text, is_there=False).proofs[0].outcome.check is Check.UNCHECKED


def test_each_citation_of_a_sentence_stands_for_its_own_part():
    text = "Revenue came to 412.7 million euros in 2025 @ and it employed 1204 people at the end of the year @."
    assert [proof.outcome.check for proof in _prove(text).proofs] == [Check.VERIFIED, Check.WEAK]
    assert [proof.statement for proof in _prove(text).proofs] == [
        "Revenue came to 412.7 million euros in 2025",
        "and it employed 1204 people at the end of the year.",
    ]


def test_citations_side_by_side_share_their_statement():
    found = statements_of(f"It rose. {tag('a')}{tag('b')} Then it fell. {tag('c')} Nobody knows.")
    assert [(each.text, each.ordinals) for each in found] == [
        ("It rose.", (0, 1)), ("Then it fell.", (2,)), ("Nobody knows.", ()),
    ]  # fmt: skip


def test_a_quote_spans_the_sentences_that_the_statement_needs():
    (proof,) = _prove("In 2025 revenue of 412.7 million euros was a rise that was not expected. @").proofs
    assert proof.quote.startswith("Revenue came to 412.7")
    assert proof.quote.endswith("not expected.")


def test_a_model_decides_what_words_could_not_and_nothing_else():
    (weak,) = _prove("At the end of the year it had 1204 people employed. @").proofs
    (wrong,) = _prove("It employed 1205 people at the end of the year. @").proofs
    yes, no = (
        Judgement(verdict=verdict, score=0.9, reason="So.") for verdict in (Verdict.SUPPORTED, Verdict.UNRELATED)
    )
    assert with_judgement(weak.outcome, yes).check is Check.VERIFIED
    assert with_judgement(weak.outcome, no).check is Check.FAILED
    assert with_judgement(wrong.outcome, yes).check is Check.FAILED


def test_nearness_in_meaning_moves_the_score_but_verifies_nothing():
    (weak,) = _prove("At the end of the year it had 1204 people employed. @").proofs
    assert with_nearness(weak.outcome, 1.0).check is Check.WEAK
    assert with_nearness(weak.outcome, 0.0).score < weak.outcome.score


def test_every_figure_of_a_text_is_in_the_ledger():
    proven = _prove("It employed 1204 people at the end of the year. @ Elsewhere it is 17.")
    assert [(entry.written, entry.is_found) for _, entry in proven.ledger] == [("1204", True), ("17", False)]
