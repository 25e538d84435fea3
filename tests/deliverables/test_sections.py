"""Sections that were written: told in every kind, cited, checked, and giving way to findings where they are wrong."""

from dataclasses import replace

import pytest
from tests.deliverables.research import FINDINGS, known_of, material, proven_paper

from intelli.citations.wire import Check
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import consistency, gml, prose
from intelli.deliverables import sentences as deliverables_sentences
from intelli.deliverables.compile_brief import CompiledBrief, compile_brief
from intelli.deliverables.kinds import KINDS, compose, kind_of
from intelli.deliverables.paper import Heading, Metrics, Paragraph, Row
from intelli.reasoning.values import SourceQuote
from intelli.reasoning.verbs.write import WrittenSection, WrittenSentence

RESULTS, MARGIN, PRESS, STAFF = FINDINGS[:4]
PROSE = "With 1,204 people at the end of 2025, revenue came to 412.7 million euros in 2025."


def _quote(number: int) -> SourceQuote:
    return SourceQuote(text=FINDINGS[number].quote, identifier=FINDINGS[number].identifier)


def _compiled(*sentences: WrittenSentence) -> CompiledBrief:
    section = WrittenSection(heading="The year in figures", paragraphs=(sentences,))
    return compile_brief(replace(material(), sections={"Revenue": section}))


def _paragraphs(compiled: CompiledBrief, kind: str = "REPORT") -> list[str]:
    blocks = compose(kind_of(kind), compiled.brief).blocks
    flat = [inner for each in blocks for inner in (each.primary if isinstance(each, Row) else (each,))]
    return [prose.words(each) for each in flat if isinstance(each, Paragraph)]


def test_a_written_section_is_told_under_its_heading_in_place_of_its_findings():
    compiled = _compiled(WrittenSentence(text=PROSE, quotes=(_quote(0), _quote(3))))
    paper = compose(kind_of("REPORT"), compiled.brief)
    assert "The year in figures" in [each.text for each in paper.blocks if isinstance(each, Heading)]
    assert _paragraphs(compiled)[0] == PROSE
    assert STAFF.text not in " ".join(_paragraphs(compiled)), "the sentence says it"
    assert MARGIN.text in _paragraphs(compiled)[1], "what the section leaves out follows it"
    (section,) = compiled.brief.sections
    assert [compiled.brief.cited(each).quote for each in section.paragraphs[0][0].citations] == [  # type: ignore[union-attr]
        RESULTS.quote,
        STAFF.quote,
    ]


@pytest.mark.parametrize("lie", ["Revenue came to 412.7 billion euros in 2025.", "Revenue came to 500 euros in 2025."])
def test_a_sentence_with_a_figure_that_its_quote_does_not_have_gives_way_to_the_finding(lie: str):
    compiled = _compiled(
        WrittenSentence(text=lie, quotes=(_quote(0),)), WrittenSentence(text=STAFF.text, quotes=(_quote(3),))
    )
    assert _paragraphs(compiled)[0] == f"{RESULTS.text} {STAFF.text}"


def test_what_rests_on_a_passage_that_nobody_found_is_not_told():
    unknown = SourceQuote(text="x", identifier="unknown")
    compiled = _compiled(WrittenSentence(text="All is well here.", quotes=(unknown,)))
    assert compiled.brief.sections == ()
    assert MARGIN.text in " ".join(_paragraphs(compiled))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_of_a_written_brief_is_cited_consistent_and_fails_no_check(kind: DeliverableKind):
    compiled = _compiled(WrittenSentence(text=PROSE, quotes=(_quote(0), _quote(3))))
    paper = compose(kind, compiled.brief)
    proven = proven_paper(paper, known_of(compiled))
    assert [proof.identifier for proof in proven.proofs] == prose.citations(paper)
    assert [proof.statement for proof in proven.proofs if proof.outcome.check is Check.FAILED] == []
    said = "\n".join(prose.words(block) for block in paper.blocks)
    assert consistency.check(compiled.brief, {kind.name: said}) == []
    assert gml.parse(gml.write(paper), language=paper.language) == paper


def test_a_card_is_verified_where_its_quote_has_it_plainly_and_nowhere_else():
    compiled = compile_brief(material())
    paper = compose(kind_of("REPORT"), compiled.brief)
    proven = proven_paper(paper, known_of(compiled))
    checks = {proof.identifier: proof.outcome.check for proof in proven.proofs}
    (cards,) = [each for each in paper.blocks if isinstance(each, Metrics)]
    by_value = {each.shown: checks[each.citation] for each in cards.metrics}
    assert by_value["412.7 million euros"] is Check.VERIFIED
    # Two shares stand in its quote, and which of them is meant is for a reader to see.
    assert by_value["14.1%"] is not Check.FAILED


def test_what_a_card_shows_under_another_name_or_year_stays_to_be_read():
    compiled = compile_brief(material())
    cards = next(each for each in compose(kind_of("REPORT"), compiled.brief).blocks if isinstance(each, Metrics))
    revenue = next(each for each in cards.metrics if each.shown == "412.7 million euros")
    for changed in ({"name": "Operating profit"}, {"period": "2024"}):
        other = Metrics(metrics=(revenue.model_copy(update=changed),))
        paper = compose(kind_of("REPORT"), compiled.brief).model_copy(update={"blocks": (other,)})
        (proof,) = proven_paper(paper, known_of(compiled)).proofs
        assert proof.outcome.check is not Check.VERIFIED


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ("What are the largest risks?", "Largest risks"),
        ("How did revenue develop from 2021 to 2025?", "Revenue, 2021\u20132025"),
        ("What does the Standard plan cover", "What the Standard plan covers"),
        ("Compare the Gold and the Silver plans: what do they cost?", "Gold and Silver plans compared"),
        ("Write a short report on the price of copper.", "Price of copper"),
        ("Was sind die gr\u00f6\u00dften Risiken?", "Die gr\u00f6\u00dften Risiken"),
        ("How did revenue develop, and what are the risks?", "How did revenue develop, and what are the risks?"),
        ("Vitamin D in adults", "Vitamin D in adults"),
    ],
)
def test_a_heading_names_what_was_asked_about_where_its_form_tells(asked: str, named: str):
    assert deliverables_sentences.subject(asked) == named


@pytest.mark.parametrize(
    ("order", "titled"),
    [
        (
            "Write a due diligence report on Nordhaven AG: financial development, segments, debt",
            "Nordhaven AG: due diligence report",
        ),
        ("Write a memo for the board about the covenant", "Covenant: memo"),
        ("Bitte erstelle eine kurze Pr\u00e4sentation zur Mitgliederversammlung 2025", "Mitgliederversammlung 2025"),
        (
            "Wie hat sich der Umsatz der Nordhaven AG von 2021 bis 2024 entwickelt?",
            "Umsatz der Nordhaven AG, 2021\u20132024",
        ),
        ("Which contracts contain a change of control clause?", "Contracts that contain a change of control clause"),
        ("What did revenue come to in 2024?", "Revenue in 2024"),
    ],
)
def test_a_title_is_what_a_person_would_have_given(order: str, titled: str):
    given = material().brief.model_copy(update={"title": order[:20], "question": order})
    assert deliverables_sentences.title(given.title, given.question) == titled


def test_several_questions_make_a_title_of_their_subjects_and_others_stay_as_asked():
    several = "How did revenue develop; what are the largest risks?"
    for question, title in (
        (several, "Revenue, largest risks"),
        ("Is it so? What are the risks?", "Is it so? What are the risks?"),
    ):
        given = material().brief.model_copy(update={"title": question[:20], "question": question})
        assert deliverables_sentences.title(given.title, given.question) == title


def test_a_statement_loses_the_mark_that_it_has_in_a_list():
    assert deliverables_sentences.sentence("2. Ask first") == "Ask first."
    assert deliverables_sentences.sentence("\u2022 Be aware of it.") == "Be aware of it."
    assert deliverables_sentences.sentence("3.5 million people came") == "3.5 million people came."
