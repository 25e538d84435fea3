"""PowerPoint presentations: a slide is a page, and its shapes are read as a person would."""

import io

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Pt
from tests.library.extraction.reading import Read, shown


def saved(presentation) -> bytes:
    kept = io.BytesIO()
    presentation.save(kept)
    return kept.getvalue()


def test_each_slide_is_a_page_and_its_title_comes_first(read: Read):
    presentation = Presentation()
    for title in ("Ducks", "Geese"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"about {title}\nand more"
    extraction = read(saved(presentation))
    assert shown(extraction) == [
        ("heading", "Ducks"),
        ("list", "about Ducks\nand more"),
        ("heading", "Geese"),
        ("list", "about Geese\nand more"),
    ]
    assert [(page.number, page.width) for page in extraction.pages] == [(1, 720.0), (2, 720.0)]
    assert [block.place.slide for block in extraction.blocks] == [1, 1, 2, 2]


def test_shapes_are_read_down_and_across_also_inside_groups(read: Read):
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])

    def box(shapes, text, left, top):
        shapes.add_textbox(Pt(left), Pt(top), Pt(80), Pt(20)).text_frame.text = text

    box(slide.shapes, "below", 10, 300)
    box(slide.shapes, "right", 300, 52)
    group = slide.shapes.add_group_shape()
    box(group.shapes, "left", 10, 50)
    extraction = read(saved(presentation))
    assert [text for _, text in shown(extraction)] == ["left", "right", "below"]
    assert extraction.blocks[0].place.box == (10.0, 50.0, 90.0, 70.0)


def test_tables_charts_and_notes_are_read(read: Read):
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    table = slide.shapes.add_table(2, 2, Pt(10), Pt(10), Pt(200), Pt(40)).table
    for number, text in enumerate(("year", "ducks", "2024", "3")):
        table.cell(number // 2, number % 2).text = text
    data = CategoryChartData()
    data.categories = ["wild", "tame"]
    data.add_series("2023", (1.5, 2))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Pt(10), Pt(200), Pt(200), Pt(100), data)
    slide.notes_slide.notes_text_frame.text = "say hello"
    assert shown(read(saved(presentation))) == [
        ("table", "year\tducks\n2024\t3"),
        ("table", "\t2023\nwild\t1.5\ntame\t2"),
        ("note", "say hello"),
    ]


def test_slides_beyond_the_limit_are_left_out_with_a_warning(read: Read):
    presentation = Presentation()
    for _ in range(4):
        presentation.slides.add_slide(presentation.slide_layouts[6])
    extraction = read(saved(presentation), max_pages=2)
    assert len(extraction.pages) == 2
    assert extraction.warnings == ("Only the first 2 slides were read.",)
