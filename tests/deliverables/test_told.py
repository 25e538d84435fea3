"""Every kind tells every finding, whoever wrote it; slides may shorten one and never leave it out."""

from dataclasses import replace

import pytest
from tests.deliverables import reading
from tests.deliverables.research import FINDINGS, finding, material

from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import consistency, prose
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.compile_brief import compile_brief
from intelli.deliverables.forms import FORMS, Options
from intelli.deliverables.kinds import KINDS, compose, kind_of
from intelli.reasoning.values import QuotedFinding, SourceQuote
from intelli.reasoning.verbs.write import WrittenSection, WrittenSentence

LONG = (
    "The largest risk is the price of copper, which rose by 18% in 2025, and with it the price of every cable that is "
    "made of it, so that the customers who have ordered at a fixed price must be supplied at a loss for as long as the "
    "price of copper stays where it is or rises further in the year that follows."
)


def many() -> tuple[QuotedFinding, ...]:
    """More findings of a task than a slide has room for, one of them longer than a line of it."""
    said = [f"The company opened its branch number {number} in the north in 2024." for number in range(1, 8)]
    more = [finding("staff.txt", text, "Revenue", 0.5) for text in said]
    long = finding("overview.pdf", LONG, "Revenue", 0.4)
    quoted = [each.model_copy(update={"quote": FINDINGS[3].quote}) for each in more]
    return (*FINDINGS, *quoted, long.model_copy(update={"quote": FINDINGS[4].quote}))


def words(kind: DeliverableKind, brief: DataBrief) -> str:
    return "\n".join(map(prose.words, compose(kind, brief).blocks))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_tells_every_finding(kind: DeliverableKind):
    brief = compile_brief(material(many())).brief
    assert len(brief.findings) > 12
    assert consistency.untold(brief, {kind.name: words(kind, brief)}) == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_a_written_section_leaves_out_is_told_after_it(kind: DeliverableKind):
    text = "With 1,204 people at the end of 2025, revenue came to 412.7 million euros in 2025."
    quotes = tuple(SourceQuote(text=each.quote, identifier=each.identifier) for each in (FINDINGS[0], FINDINGS[3]))
    section = WrittenSection(heading="The year", paragraphs=((WrittenSentence(text=text, quotes=quotes),),))
    brief = compile_brief(replace(material(), sections={"Revenue": section})).brief
    assert consistency.untold(brief, {kind.name: words(kind, brief)}) == []


def test_a_finding_that_a_kind_leaves_out_is_found_out():
    brief = compile_brief(material()).brief
    kinds = {kind.name: words(kind, brief) for kind in KINDS}
    lost = FINDINGS[3].text
    shortened = {**kinds, "SLIDES": kinds["SLIDES"].replace(lost, "")}
    assert [(each.kind, each.finding) for each in consistency.untold(brief, shortened)] == [("SLIDES", lost)]


@pytest.mark.parametrize("name", ["pptx", "slides"])
def test_every_finding_stands_on_a_slide(name: str):
    brief = compile_brief(material(many())).brief
    rendered = FORMS[name].render(brief, compose(kind_of("SLIDES"), brief), Options())
    assert consistency.untold(brief, {name: reading.words_of(name, rendered)}) == []


def test_what_begins_in_the_middle_of_a_sentence_is_no_finding():
    torn = finding("staff.txt", "receiving the people from the north, the company grew in 2025.", "Revenue", 0.5)
    name = finding("staff.txt", "iPhones of the company are replaced every second year.", "Revenue", 0.5)
    quoted = [each.model_copy(update={"quote": FINDINGS[3].quote}) for each in (torn, name)]
    told = [each.text for each in compile_brief(material((*FINDINGS, *quoted))).brief.findings]
    assert torn.text not in told
    assert name.text in told
