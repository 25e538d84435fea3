"""Tables, calculations and absences of a model's text: what comes out is kept, what does not is not."""

import pytest

from intelli.citations import prove
from intelli.citations.parse import tag
from intelli.citations.prove import ProofMaterial, StoredText
from intelli.citations.wire import Check, StatementKind
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.deliverables.quote_citations import QuoteCitations
from intelli.deliverables.sections import sections_of
from intelli.reasoning.values import QuotedFinding, SourceQuote
from intelli.reasoning.verbs.write import WrittenSection, WrittenSentence

PUMPS = "Pumps sold for 94.3 million euros in 2024."
VALVES = "Valves sold for 109.4 million euros in 2024."
PASSAGES = {
    passage.identifier: passage
    for digit, text in (("a", PUMPS), ("b", VALVES))
    for passage in [Passage(Span(digit * 64, 0, len(text)), text, digit, f"/{digit}", "text/plain", 1)]
}
FIRST, SECOND = PASSAGES
FOUND = QuotedFinding(
    text="Pumps sold for 94.3 and valves for 109.4 million euros.",
    identifier=FIRST,
    quote=PUMPS,
    relevance=1,
    about="Sales",
    further=(SourceQuote(text=VALVES, identifier=SECOND),),
)


@pytest.mark.parametrize(
    ("total", "told"),
    [
        ("203.7", "In all 203.7 million euros were sold in 2024 (94.3 of pumps and 109.4 of valves)."),
        ("209.7", "Pumps sold for 94.3 and valves for 109.4 million euros."),
    ],
)
def test_a_sum_over_two_sources_stays_when_it_comes_out_else_its_finding_is_told(total: str, told: str) -> None:
    text = f"In all {total} million euros were sold in 2024 (94.3 of pumps and 109.4 of valves)."
    section = WrittenSection(heading="Sales", paragraphs=((WrittenSentence(text=text, quotes=FOUND.quotes),),))
    (made,) = sections_of({"Sales": section}, [FOUND], QuoteCitations(PASSAGES, {}))
    ((sentence,),) = made.paragraphs

    assert sentence.text == told
    assert len(sentence.citations) == 2


def test_a_table_with_its_total_and_an_absence_pass_the_check_of_an_answer() -> None:
    text = (
        "| Product | 2024, EUR million |\n|---|---|\n"
        f"| Pumps | 94.3 {tag(FIRST)} |\n| Valves | 109.4 {tag(SECOND)} |\n"
        f"| Total | 203.7 {tag(FIRST)}{tag(SECOND)} |\n\n"
        "The sources do not say how many were sold."
    )
    sources = {each.sha256: StoredText("", each.text, is_whole=True) for each in PASSAGES.values()}
    proven = prove.prove(text, ProofMaterial(PASSAGES, sources))

    assert all(proof.outcome.check is not Check.FAILED for proof in proven.proofs)
    assert proven.statements[-1].statement.kind is StatementKind.ABSENCE
