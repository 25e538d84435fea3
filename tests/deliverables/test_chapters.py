"""Chapters of an outline become a paper: each statement once, tables over several sources, judgement told as such."""

from collections.abc import Mapping
from datetime import date

from tests.deliverables.research import known_of, proven_paper, references

from intelli.citations.wire import Check
from intelli.deliverables import compose, gml
from intelli.deliverables.compile_brief import CompiledBrief
from intelli.deliverables.compile_chapters import ChapterMaterial, compile_chapters
from intelli.deliverables.paper import Bullets, Callout, Chart, Heading, Paper, TableBlock
from intelli.language.quotes import skeleton
from intelli.reasoning.values import SourceQuote
from intelli.reasoning.verbs.chapter import (
    ChapterBlock,
    ChapterBlockKind,
    ChapterFigure,
    CitedCell,
    CitedSentence,
    FigureKind,
    WrittenChapter,
)
from intelli.reasoning.verbs.conclude import Closing, ClosingSection
from intelli.reasoning.verbs.outline import ChapterRole, Outline, PlannedChapter


def figures(year: int, revenue: tuple[str, str], ebit: tuple[str, str]) -> str:
    rows = "".join(f"| {name} | {' | '.join(values)} |\n" for name, values in (("Revenue", revenue), ("EBIT", ebit)))
    return f"| Key figure (EUR million) | {year} | {year - 1} |\n|---|---:|---:|\n{rows}"


TEXTS = {
    "2022.md": figures(2022, ("178.3", "165.2"), ("15.8", "13.9")),
    "2023.md": figures(2023, ("188.7", "178.3"), ("16.2", "15.8")),
    "2024.md": figures(2024, ("198.6", "188.7"), ("17.9", "16.2")),
    "mail.eml": "We are going to restate the financial statements 2024. EBIT of the group 2024: EUR 16.8 million.",
    "memo.md": "For 2025 the board expects revenue of EUR 205 million.",
}
PASSAGES = {each.identifier: each for each in references(TEXTS).values()}
NAMES = {name: each.identifier for name, each in references(TEXTS).items()}
RESTATED = "The EBIT of 2024 will be restated to EUR 16.8 million."


def cites(*names: str) -> tuple[SourceQuote, ...]:
    return tuple(SourceQuote(text="", identifier=NAMES[name]) for name in names)


def said(text: str, *names: str, is_judgement: bool = False) -> CitedSentence:
    return CitedSentence(text=text, cites=cites(*names), is_judgement=is_judgement)


def row(label: str, *cells: tuple[str, str], formulas: tuple[str, ...] = ()) -> tuple[CitedCell, ...]:
    valued = (CitedCell(text=text, cites=cites(name) if name else ()) for text, name in cells)
    return (CitedCell(text=label), *valued, *(CitedCell(text="", formula=each) for each in formulas))


CHANGES = ("D1-B1", "(D1-B1)/B1%"), ("D2-B2", "(D2-B2)/B2%")
YEARS = ChapterBlock(
    kind=ChapterBlockKind.TABLE,
    title="Key figures, EUR million",
    columns=("Key figure", "2022", "2023", "2024", "Change 2022\u20132024", "Change in %"),
    rows=(
        row("Revenue", ("178.3", "2022.md"), ("188.7", "2023.md"), ("198.6", "2024.md"), formulas=CHANGES[0]),
        row("EBIT", ("15.8", "2022.md"), ("16.2", "2023.md"), ("17.9", "2024.md"), formulas=CHANGES[1]),
    ),
)  # fmt: skip
COURSE = ChapterBlock(
    kind=ChapterBlockKind.CHART,
    title="Revenue of the group",
    columns=("Year", "Revenue"),
    unit="EUR million",
    rows=(row("2022", ("178.3", "2022.md")), row("2023", ("188.7", "2023.md")), row("2024", ("198.6", "2024.md"))),
)
DEVELOPMENT = WrittenChapter(
    heading="Financial development",
    message="Revenue grew every year",
    blocks=(
        ChapterBlock(
            kind=ChapterBlockKind.PARAGRAPH,
            sentences=(said("Revenue rose from 178.3 in 2022 to 198.6 in 2024.", "2022.md", "2024.md"),),
        ),
        YEARS,
        COURSE,
    ),
    figures=(
        ChapterFigure(name="Revenue", entity="Group", period="2025", value="EUR 205 million", unit="EUR",
                      kind=FigureKind.GUIDANCE, cite=SourceQuote(text=TEXTS["memo.md"], identifier=NAMES["memo.md"])),
    ),
)  # fmt: skip
EARNINGS = WrittenChapter(
    heading="Earnings",
    blocks=(ChapterBlock(kind=ChapterBlockKind.LIST, sentences=(said(RESTATED, "mail.eml"),)),),
    missing=("The sources do not say when the audit ends.",),
)
CLOSING = Closing(
    answer=(said(RESTATED, "mail.eml"),),
    sections=(
        ClosingSection(role=ChapterRole.SUMMARY, heading="In a nutshell", sentences=(said(RESTATED, "mail.eml"),)),
        ClosingSection(
            role=ChapterRole.RECOMMENDATION,
            heading="Recommendation",
            sentences=(said("The price should rest on the restated figure.", "mail.eml", is_judgement=True),),
        ),
    ),
)
OUTLINE = Outline(
    title="The group, 2022 to 2024",
    chapters=(
        PlannedChapter(heading="In a nutshell", role=ChapterRole.SUMMARY),
        PlannedChapter(heading="Financial development"),
        PlannedChapter(heading="Earnings"),
        PlannedChapter(heading="Recommendation", role=ChapterRole.RECOMMENDATION),
        PlannedChapter(heading="Open questions", role=ChapterRole.OPEN_QUESTIONS),
    ),
)


def compiled(**changed: object) -> CompiledBrief:
    given: Mapping[str, object] = {
        "question": "Write a report", "outline": OUTLINE, "written": (DEVELOPMENT, EARNINGS), "closing": CLOSING,
        "passages": PASSAGES, "made_on": date(2026, 11, 19), **changed,
    }  # fmt: skip
    return compile_chapters(ChapterMaterial(**given))  # type: ignore[arg-type]


def paper(kind: str = "REPORT", **changed: object) -> Paper:
    return compose.compose(kind, compiled(**changed).brief).paper


def headings(of: Paper) -> list[str]:
    return [each.text for each in of.blocks if isinstance(each, Heading) and each.level == 2]


def test_ordered_headings_stand_in_their_order_with_the_summary_over_them():
    made = paper()
    assert headings(made) == ["Financial development", "Earnings", "Recommendation", "Open questions"]
    assert isinstance(made.blocks[1], Callout)
    assert made.blocks[1].title == "In a nutshell"


def test_a_table_joins_several_sources_and_its_calculated_cells_cite_what_they_are_made_of():
    (table,) = [each for each in paper().blocks if isinstance(each, TableBlock)]
    shown = [["".join(run.text for run in cell) for cell in row] for row in table.rows]
    assert shown[0] == ["Revenue", "178.3", "188.7", "198.6", "20.3", "11.4%"]
    assert [len(cell[0].citations) for cell in table.rows[0]] == [0, 1, 1, 1, 2, 2]


def test_how_cells_were_calculated_is_told_once_for_all_rows():
    (table,) = [block.table for chapter in compiled().brief.chapters for block in chapter.blocks
                if block.type == "exhibit" and block.table]  # fmt: skip
    assert table.calculations == ("Change 2022\u20132024 = 2024 \u2212 2022", "Change in % = (2024 \u2212 2022) / 2022")


def test_a_course_of_one_measure_is_a_chart():
    (chart,) = [each for each in paper().blocks if isinstance(each, Chart)]
    assert chart.caption == "Revenue of the group, 2022\u20132024 (EUR million)"


def test_what_is_true_has_no_red_mark_and_what_is_judged_is_said_to_be():
    made = compiled()
    composed = compose.compose("REPORT", made.brief)
    proven = proven_paper(composed.paper, known_of(made, TEXTS))
    assert [each.statement.text for each in proven.statements if each.check is Check.FAILED] == []
    (judged,) = [each for each in proven.statements if "should rest" in each.statement.text]
    assert judged.reason == "It is the writer's own reckoning."
    calculated = [each for each in proven.statements if each.statement.is_calculated]
    assert {each.check for each in calculated} == {Check.VERIFIED}
    assert len(calculated) == 4
    assert "<em>The price should rest on the restated figure.</em>" in "".join(composed.pieces)


def test_a_calculation_that_does_not_come_out_of_its_sources_is_found():
    blocks = (YEARS.model_copy(update={"rows": (row("Revenue", ("178.9", "2022.md"), ("188.7", "2023.md"),
                                                    ("198.6", "2024.md"), formulas=("D1-B1",)),)}),)  # fmt: skip
    made = compiled(written=(DEVELOPMENT.model_copy(update={"blocks": blocks}), EARNINGS))
    proven = proven_paper(compose.compose("REPORT", made.brief).paper, known_of(made, TEXTS))
    (calculated,) = [each for each in proven.statements if each.statement.is_calculated]
    assert calculated.check is Check.FAILED


def test_a_statement_is_told_once_and_a_chapter_that_has_nothing_else_says_it_again():
    again = WrittenChapter(heading="Once more", blocks=EARNINGS.blocks)
    more = OUTLINE.model_copy(update={"chapters": (*OUTLINE.chapters[:3], PlannedChapter(heading="Once more"))})
    both = EARNINGS.blocks[0].model_copy(update={"sentences": (*EARNINGS.blocks[0].sentences,) * 2})
    written = (DEVELOPMENT, EARNINGS.model_copy(update={"blocks": (both,)}), again)
    told = [
        [each.text for each in chapter.sentences] for chapter in compiled(outline=more, written=written).brief.chapters
    ]
    assert told[2:] == [[RESTATED], [RESTATED]]


def test_rejected_sentences_are_left_out_wherever_they_stand():
    made = compiled(rejected=frozenset({skeleton(RESTATED)})).brief
    assert RESTATED not in "".join(compose.compose("REPORT", made).pieces)


def test_what_is_missing_is_listed_where_it_was_asked_for():
    made = paper()
    assert isinstance(made.blocks[-2], Bullets)
    assert "".join(run.text for run in made.blocks[-2].items[0]) == EARNINGS.missing[0]


def test_a_figure_that_is_only_expected_says_so():
    (figure,) = compiled().brief.metrics
    assert (figure.shown, figure.period, figure.kind) == ("EUR 205 million", "2025, guidance", "guidance")


def test_a_section_of_slides_is_a_statement_over_points_or_a_picture():
    made = paper("SLIDES")
    assert headings(made)[1] == "Revenue grew every year"
    at = next(number for number, each in enumerate(made.blocks) if getattr(each, "text", "") == headings(made)[1])
    assert [each.type for each in made.blocks[at + 1 : at + 4]] == ["bullets", "table", "paragraph"]


def test_a_slide_has_no_statement_over_it_whose_figure_its_chapter_does_not_have():
    false = DEVELOPMENT.model_copy(update={"message": "Revenue grew to EUR 999.9 million"})
    assert headings(paper("SLIDES", written=(false, EARNINGS)))[1] == "Financial development"


def test_the_text_that_is_kept_reads_as_it_was_composed():
    composed = compose.compose("REPORT", compiled().brief)
    assert [each.type for each in gml.parse("".join(composed.pieces)).blocks] == [
        each.type for each in composed.paper.blocks
    ]
