"""Chapters without a model: what sources say under their own headings, nothing else, and what is missing."""

from intelli.reasoning.orders import read_order
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.chapter import ChapterBlockKind, ChapterInput, WrittenChapter
from intelli.reasoning.verbs.conclude import ChapterStatement, ClosingInput
from intelli.reasoning.verbs.outline import ChapterRole, Outline, OutlineInput
from intelli.reasoning.without_model import chapters, closings, outlines

ORDER = "Write a report on Tarnbeck: debt, customers, assessment and open questions"
DEBT = """## 4. Net debt and financing

| Item | 31 Dec 2024 | 31 Dec 2023 |
|---|---:|---:|
| Bank loans | 53.0 | 57.2 |
| **Net debt** | **39.2** | **46.9** |

The ratio of net debt to EBITDA was 1.4 in 2024. Three of the four banks want to renew the loan."""
SECTION = "4. Net debt and financing"
PASSAGES = (
    SourceText(identifier="a.0-1", title="report_2022.md", section=f"Report 2022 \u203a {SECTION}",
               text=DEBT.replace("2024", "2022").replace("1.4", "2.2")),
    SourceText(identifier="b.0-1", title="report_2024.md", section=f"Report 2024 \u203a {SECTION}", text=DEBT),
    SourceText(identifier="c.0-1", title="notes.md", section="Canteen", text="The canteen serves soup on Fridays."),
)  # fmt: skip


def outline() -> Outline:
    return outlines.outline_of(OutlineInput(question=ORDER, kind="a report", order=read_order(ORDER)))


def chapter(number: int) -> WrittenChapter:
    given = ChapterInput(question=ORDER, kind="a report", outline=outline(), number=number, passages=PASSAGES)
    return chapters.chapter_of(given)


def test_every_ordered_heading_is_a_chapter_in_its_order():
    made = outline()
    assert made.title == "Report on Tarnbeck"
    assert [each.heading for each in made.chapters] == ["Debt", "Customers", "Assessment", "Open questions"]
    assert [each.role for each in made.chapters[2:]] == [ChapterRole.ASSESSMENT, ChapterRole.OPEN_QUESTIONS]


def test_a_chapter_has_the_sections_that_are_called_so_the_newest_first():
    made = chapter(0)
    titles = [block.title for block in made.blocks if block.kind is ChapterBlockKind.LIST]
    assert titles == ["Report 2024 \u203a 4. Net debt and financing", "Report 2022 \u203a 4. Net debt and financing"]
    assert made.missing == ()


def test_what_it_says_are_whole_sentences_of_the_sources_with_their_words():
    for sentence in chapter(0).sentences:
        (cited,) = sentence.cites
        source = next(each for each in PASSAGES if each.identifier == cited.identifier)
        assert sentence.text == " ".join(cited.text.split())
        assert cited.text in source.text


def test_its_tables_are_shown_whole_and_without_marks_of_their_format():
    table = next(block for block in chapter(0).blocks if block.kind is ChapterBlockKind.TABLE)
    assert table.columns == ("Item", "31 Dec 2024", "31 Dec 2023")
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Bank loans", "53.0", "57.2"], ["Net debt", "39.2", "46.9"],
    ]  # fmt: skip
    assert all(row[-1].cites for row in table.rows)


def test_a_chapter_on_which_the_passages_say_nothing_is_missing():
    made = chapter(1)
    assert made.missing == ("Customers",)
    assert all(block.title.startswith("Nearest passage, no clear answer: ") for block in made.blocks)


def test_nothing_is_judged_and_that_is_told():
    said = tuple(ChapterStatement(chapter="Debt", sentence=each) for each in chapter(0).sentences)
    made = closings.closing_of(ClosingInput(question=ORDER, outline=outline(), statements=said))
    assert [each.text for each in made.answer] == [said[0].sentence.text]
    assert (made.sections, made.open_questions) == ((), ("Assessment",))
