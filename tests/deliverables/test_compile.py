"""The data brief and the papers composed from it: every figure once, every sentence cited, every citation resolved."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest
from tests.deliverables.research import QUESTION, TABLE, finding, material, references, sources

from intelli.citations import prove
from intelli.citations.wire import Check
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import brief_proofs, compare, consistency, gml, prose
from intelli.deliverables.compile_brief import compile_brief
from intelli.deliverables.kinds import KINDS, compose, kind_of
from intelli.deliverables.paper import Bullets, Callout, Chart, Metrics, Paragraph, TableBlock
from intelli.kit.ids import uuid7
from intelli.reasoning.values import SourceDisagreement, SourceValue


def test_a_brief_states_each_figure_once_with_the_words_it_stands_in():
    compiled = compile_brief(material())
    shown = {(each.name, each.shown): each for each in compiled.brief.metrics}
    revenue = shown["Revenue", "412.7 million euros"]
    assert revenue.period == "2025"
    assert revenue.value == Decimal(412700000)
    assert revenue.shown in compiled.brief.cited(revenue.citation).quote  # type: ignore[union-attr]
    assert shown["People employed", "1,204 people"].period == "2025"
    assert max(Counter((each.name, each.period, each.shown) for each in compiled.brief.metrics).values()) == 1


def test_a_figure_that_is_only_compared_with_is_no_figure_of_the_period():
    shown = {each.shown for each in compile_brief(material()).brief.metrics}
    assert "14.1%" in shown
    assert "13.5%" not in shown


def test_a_table_gives_its_series_in_the_order_of_time():
    (series, *_) = [each for each in compile_brief(material()).brief.series if each.title == "Revenue"]
    assert [point.label for point in series.points] == ["2021", "2022", "2023", "2024", "2025"]
    assert series.points[-1].value == Decimal("412.7")
    assert series.unit == "million euros"


def test_sources_that_disagree_are_told_with_both_values():
    known, values = references(), {"results.txt": "412.7 million euros", "press.txt": "409 million euros"}
    readings = tuple(SourceValue(value=each, identifier=known[name].identifier) for name, each in values.items())
    told = SourceDisagreement(about="Revenue in 2025", readings=readings)
    given = material()
    found = replace(given, brief=given.brief.model_copy(update={"disagreements": (told,)}))
    (each,) = compile_brief(found).brief.disagreements
    assert [reading.value for reading in each.readings] == ["412.7 million euros", "409 million euros"]


def test_the_same_material_gives_the_same_bytes():
    once, again = compile_brief(material()), compile_brief(material())
    assert once.brief.model_dump_json() == again.brief.model_dump_json()
    assert [gml.write(compose(kind, once.brief)) for kind in KINDS] == [
        gml.write(compose(kind, again.brief)) for kind in KINDS
    ]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_citation_of_a_paper_is_in_its_brief_and_none_fails(kind: DeliverableKind):
    compiled = compile_brief(material())
    paper = compose(kind, compiled.brief)
    known = {each.identifier for each in compiled.brief.citations}
    assert set(prose.citations(paper)) <= known
    proven = prove.prove(prose.of(paper), prove.ProofMaterial(compiled.references, sources(), compiled.hints))
    assert [proof.identifier for proof in proven.proofs] == prose.citations(paper)
    assert [proof.statement for proof in proven.proofs if proof.outcome.check is Check.FAILED] == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_sentence_of_a_paper_stands_without_a_citation(kind: DeliverableKind):
    brief = compile_brief(material()).brief
    for block in compose(kind, brief).blocks:
        if isinstance(block, Paragraph | Callout):
            assert all(run.citations for run in block.runs), block
        if isinstance(block, Bullets) and block.items[0][0].text not in brief.open_questions:
            assert all(item[-1].citations for item in block.items), block
        if isinstance(block, Chart):
            assert block.citations
        if isinstance(block, Metrics):
            assert all(each.citation for each in block.metrics)


def test_slides_tell_a_list_item_by_item_and_nothing_twice():
    brief = compile_brief(material()).brief
    first = brief.findings[0]
    told = first.model_copy(update={"text": "These are not covered: \u2022 Travel \u2022 Food \u2022 Drinks"})
    paper = compose(kind_of("SLIDES"), brief.model_copy(update={"summary": (told,), "findings": (told,)}))
    points = [item[0].text for block in paper.blocks if isinstance(block, Bullets) for item in block.items]
    assert points[:4] == ["These are not covered:", "Travel", "Food", "Drinks"]
    assert points.count("Travel") == 1


def test_a_paper_is_the_same_after_it_was_written_down():
    for kind in KINDS:
        paper = compose(kind, compile_brief(material()).brief)
        assert gml.parse(gml.write(paper), language=paper.language) == paper


def test_a_report_has_what_the_sources_have_and_no_row_of_a_table_as_a_sentence():
    row = finding("overview.pdf", "Revenue\t301.4\t327.9\t350.2\t389.1\t412.7", "Revenue")
    given = material((row, *material().brief.findings))
    paper = compose(kind_of("REPORT"), compile_brief(given).brief)
    kinds = Counter(type(block).__name__ for block in paper.blocks)
    assert kinds["Chart"] >= 1
    assert kinds["Callout"] == kinds["Metrics"] == kinds["SourcesList"] == 1
    (table,) = [block for block in paper.blocks if isinstance(block, TableBlock)]
    assert table.columns == ("", "2021", "2022", "2023", "2024", "2025")
    sentences = [prose.words(block) for block in paper.blocks if isinstance(block, Paragraph | Callout)]
    assert not any("301.4" in each for each in sentences)
    assert "What will revenue be in 2026?" in prose.words(paper.blocks[-2])


def test_figures_are_the_same_in_all_kinds_and_another_is_found_out():
    brief = compile_brief(material()).brief
    texts = {kind.name: "\n".join(map(prose.words, compose(kind, brief).blocks)) for kind in KINDS}
    assert consistency.check(brief, texts) == []
    (odd,) = consistency.check(brief, {**texts, "SLIDES": "Revenue came to 421.7 million euros in 2025."})
    assert (odd.kind, odd.written, odd.nearest) == ("SLIDES", "421.7 million euros", "412.7 million euros")


def test_a_failed_check_of_one_statement_is_not_hidden_by_another():
    compiled = compile_brief(material())
    paper = compose(kind_of("REPORT"), compiled.brief)
    (first, *_) = prose.citations(paper)
    lie = f'Revenue fell to 3 million euros in 2025. <gml-inlinecitation identifier="{first}"/>'
    text = f"{prose.of(paper)}\n\n{lie}"
    proven = prove.prove(text, prove.ProofMaterial(compiled.references, sources(), compiled.hints))
    checked = brief_proofs.add_proofs(compiled.brief, proven.proofs, kept_as=uuid7()).cited(first)
    assert checked is not None
    assert checked.check == "failed"
    assert checked.text_sha256


def test_two_versions_are_compared_block_by_block():
    compared = compare.compare(
        uuid7(),
        "<h1>T</h1><p>Revenue rose by 4 percent.</p><p>Old.</p>",
        uuid7(),
        "<h1>T</h1><p>Revenue rose by 6 percent.</p>",
    )
    assert (compared.added, compared.removed, compared.changed) == (0, 1, 1)
    assert [block.change for block in compared.blocks] == ["same", "changed", "removed"]


def test_the_question_names_the_paper_and_its_quotes_stand_in_their_sources():
    compiled = compile_brief(material())
    assert compiled.brief.title == QUESTION
    texts = {each.sha256: each.text for each in references().values()}
    hashes = {source.number: source.sha256 for source in compiled.brief.sources}
    for cited in compiled.brief.citations:
        assert texts[hashes[cited.source]][cited.char_start : cited.char_end] == cited.quote
    assert TABLE in texts.values()
