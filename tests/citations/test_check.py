"""The check of a statement by rules: what is verified, what stays for a reader, what fails, and why."""

import hashlib

import pytest
from tests.citations.checking import check_of, checked, material_of, prove_with

from intelli.citations.parse import tag
from intelli.citations.prove import ProofMaterial, ProvenText, StoredText, prove
from intelli.citations.wire import Check, JudgedBy, StatementKind
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.reasoning.verbs.judge import Verdict

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
        ("Its staff numbered 1204 when the year was over. @", Check.WEAK, "in other words"),
        ("It employed 1205 people at the end of the year. @", Check.FAILED, "\u201c1205\u201d"),
        ("Revenue came to 412.7 million dollars in 2025. @", Check.FAILED, "dollars"),
        ("The company, led by Carl Stone, employed 1204 people at the end of the year. @", Check.WEAK, "Carl"),
        ("Copper prices depend on the weather in Chile. @", Check.WEAK, "Chile"),
        ("She said \u201cwe never wanted any of this\u201d. @", Check.FAILED, "words"),
        ("It employed 1204 people at the end of the year. ?", Check.FAILED, "no source"),
    ],
)
def test_anything_else_says_why_it_is_not(text: str, check: Check, reason: str):
    (proof,) = _prove(text).proofs
    assert proof.outcome.check is check
    assert reason in proof.outcome.reason


def test_a_statement_that_turns_the_words_of_the_source_around_is_contradicted():
    (statement,) = _prove("The rise was expected. @").statements
    assert statement.verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("No deaths were recorded in the 2019 trial.", "Deaths were recorded in the 2019 trial."),
        ("Adjusted revenue came to EUR 5 million in Bern.", "Revenue came to EUR 5 million in Bern."),
        ("Nobody claims that the plant was closed in 2019.", "The plant was closed in 2019."),
    ],
)
def test_words_that_are_only_a_part_of_a_sentence_are_not_said_by_it(source: str, statement: str):
    (made,) = checked(f"{statement} @0", source).statements
    assert made.verdict is not Verdict.SUPPORTED


def test_figures_that_changed_places_contradict_the_source():
    source = "Deliveries rose from 1,240 in 2019 to 8,450 in 2023."
    (made,) = checked("Deliveries rose from 8,450 in 2019 to 1,240 in 2023. @0", source).statements
    assert made.verdict is Verdict.CONTRADICTED


def test_a_word_that_joins_clauses_in_another_language_joins_none_here():
    source = "At the end of 2024 Helvora Energy AG employed 1,284 people."
    assert check_of("Helvora Energy AG employed 1,284 people at the end of 2024. @0", source) is Check.VERIFIED


def test_damaged_bytes_fail():
    assert _prove("It employed 1204 people. @", is_whole=False).proofs[0].outcome.check is Check.FAILED


def test_what_is_not_there_cannot_be_checked():
    assert _prove("It employed 1204 people. @", is_there=False).proofs[0].outcome.check is Check.UNCHECKED


def test_a_quote_spans_the_sentences_that_the_statement_needs():
    (proof,) = _prove("In 2025 revenue came to 412.7 million euros, and the rise was not expected. @").proofs
    assert proof.quote.startswith("Revenue came to 412.7")
    assert proof.quote.endswith("not expected.")


def test_every_figure_of_a_text_is_in_the_ledger():
    proven = _prove("It employed 1204 people at the end of the year. @ Elsewhere it is 17.")
    assert [entry.written for _, entry in proven.ledger] == ["1204"]


NORTH = "The plant in Kiel made 1,240 pumps in 2024."
SOUTH = "The plant in Ulm made 860 pumps in 2024."


def test_a_statement_that_takes_two_sources_is_held_against_both_together():
    (statement,) = checked("The plants in Kiel and Ulm made 1,240 and 860 pumps. @0@1", NORTH, SOUTH).statements
    assert [entry.is_found for entry in statement.entries] == [True, True]
    assert statement.carried_by == (0, 1)


def test_a_figure_that_only_another_citation_of_the_text_has_is_missing():
    (statement, _) = checked("Kiel made 860 pumps. @0\n\nUlm made 860 pumps in 2024. @1", NORTH, SOUTH).statements
    assert statement.verdict is Verdict.NOT_SUPPORTED


def test_a_citation_that_adds_nothing_to_a_supported_statement_is_weak():
    proofs = checked("The plant in Kiel made 1,240 pumps in 2024. @0@1", NORTH, "Copper is a metal.").proofs
    assert [proof.outcome.check for proof in proofs] == [Check.VERIFIED, Check.WEAK]
    assert "adds nothing" in proofs[1].outcome.reason


def test_a_clause_with_a_citation_of_its_own_is_held_against_that_one():
    text = "The plant in Kiel made 1,240 pumps in 2024 @0, and the plant in Ulm made 990 pumps in 2024 @1."
    proven = checked(text, NORTH, SOUTH)
    assert [each.statement.kind for each in proven.statements] == [StatementKind.CLAUSE] * 2
    assert [proof.outcome.check for proof in proven.proofs] == [Check.VERIFIED, Check.FAILED]


def test_a_clause_may_calculate_with_the_figures_of_the_other_clauses_of_its_sentence():
    text = "Kiel made 1,240 pumps @0 and Ulm made 860, together 2,100 @1."
    entries = {entry.written: entry for _, entry in checked(text, NORTH, SOUTH).ledger}
    assert entries["2,100"].calculation == "860 + 1,240"


def test_a_mark_after_several_sentences_answers_for_each_of_them():
    text = "It employed 1999 people at the end of the year. Anna Berg leads the company since 2019. @"
    proven = _prove(text)
    assert [each.check for each in proven.statements] == [Check.FAILED, Check.VERIFIED]
    assert proven.proofs[0].outcome.check is Check.FAILED
    assert "1999" in proven.proofs[0].outcome.reason


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("In 2023 the plant in Kiel was sold. @0", "The plant in Ulm was closed in 2023. The plant in Kiel was sold."),
        ("The plant in Kiel was sold in 2023. @0", "The plant in Kiel was sold. The plant in Ulm was closed in 2023."),
    ],
)
def test_the_year_of_another_sentence_is_not_that_of_this_one(text: str, source: str):
    assert check_of(text, source) is Check.WEAK


def test_a_quotation_stitched_from_two_places_fails():
    source = "The board met in May. It approved the plan with one vote against. In June it withdrew the plan."
    (statement,) = checked("It \u201capproved the plan in June\u201d. @0", source).statements
    assert statement.verdict is Verdict.NOT_SUPPORTED
    assert "approved the plan in June" in statement.reason


def test_a_quotation_that_stands_there_does_not_fail():
    source = "The board met in May. It approved the plan with one vote against. In June it withdrew the plan."
    assert check_of("It \u201capproved the plan with one vote against\u201d. @0", source) is not Check.FAILED


@pytest.mark.parametrize(
    "text",
    [
        "As section 4.2 says, the deposit is due within a month of signing. @0",
        "Under clause 7 the deposit is due within a month of signing. @0",
        "1. The deposit is due within a month of signing. @0",
    ],
)
def test_what_only_numbers_a_section_a_clause_or_an_item_is_no_figure(text: str):
    proven = checked(text, "The deposit is due within a month of signing.")
    assert proven.ledger == ()
    assert proven.proofs[0].outcome.check is not Check.FAILED


def test_a_year_in_the_title_of_the_document_supports_a_year_of_the_statement():
    material = material_of("Revenue came to 412.7 million euros.", title="annual report 2025.pdf")
    (statement,) = prove_with("Revenue came to 412.7 million euros in 2025. @0", material).statements
    assert all(entry.is_found for entry in statement.entries)


def test_a_year_that_neither_the_source_nor_its_place_has_fails():
    material = material_of("Revenue came to 412.7 million euros in 2025.", title="annual report 2025.pdf")
    (statement,) = prove_with("Revenue came to 412.7 million euros in 2023. @0", material).statements
    assert statement.verdict is Verdict.NOT_SUPPORTED


def test_what_is_said_in_other_words_is_left_open_for_a_judge():
    (statement,) = checked("Kiel turned out 1,240 of them. @0", NORTH).statements
    assert (statement.verdict, statement.check, statement.is_open) == (Verdict.UNCHECKED, Check.WEAK, True)


def test_what_the_source_says_word_for_word_is_closed_to_a_judge():
    (statement,) = checked("The plant in Kiel made 1,240 pumps in 2024. @0", NORTH).statements
    assert (statement.judged_by, statement.is_open) == (JudgedBy.WORDS, False)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The sources do not say who leads the plant.", StatementKind.ABSENCE),
        ("In den Unterlagen ist die Leitung nicht genannt.", StatementKind.ABSENCE),
    ],
)
def test_a_statement_that_sources_are_silent_rests_on_nothing_and_is_marked(text: str, kind: StatementKind):
    first, _ = checked(f"{text} The plant in Kiel made 1,240 pumps in 2024. @0", NORTH).statements
    assert (first.statement.kind, first.statement.ordinals, first.verdict) == (kind, (), Verdict.UNCHECKED)


def test_the_writers_own_reckoning_rests_on_nothing_and_nobody_judges_it():
    first, _ = checked("In my view this is too few. The plant in Kiel made 1,240 pumps in 2024. @0", NORTH).statements
    assert (first.statement.kind, first.statement.ordinals, first.is_open) == (StatementKind.OWN, (), False)
