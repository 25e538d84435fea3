"""Slides are few, each says one thing in few words, and its speaker finds everything else in the notes."""

import io
from typing import Any

import pptx
import pypdfium2
import pytest
from tests.deliverables import papers

from intelli.deliverables.forms import FORMS, Options, deck
from intelli.deliverables.forms.layout import lay_out
from intelli.deliverables.paper import Bullets, Heading, Paper, Paragraph, TextRun

FIRST = papers.IDS[0]


def said(text: str) -> Paragraph:
    return Paragraph(runs=(TextRun(text=text, citations=(FIRST,)),))


def heading(text: str) -> Heading:
    return Heading(level=2, text=text, id=text.lower().replace(" ", "-"))


def presented(paper: Paper) -> Any:
    return pptx.Presentation(io.BytesIO(FORMS["pptx"].render(papers.brief(), paper, Options())))


def shown_words(slide: Any) -> int:
    """Count the words of a slide, without the numbers of its notes, its foot and its page."""
    count = 0
    for shape in slide.shapes:
        if shape.has_text_frame and shape.top < 6_200_000:
            runs = (run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs)
            texts = [run.text for run in runs if run._r.get_or_add_rPr().get("baseline") is None]
            count += sum(1 for word in "".join(f"{text} " for text in texts).split() if any(map(str.isalnum, word)))
    return count


@pytest.mark.parametrize("sections", [1, 9, 30])
def test_there_are_never_more_than_twelve_and_none_with_more_than_sixty_words(sections: int) -> None:
    brief, paper = papers.long_paper(sections)
    made = pptx.Presentation(io.BytesIO(FORMS["pptx"].render(brief, paper, Options()))).slides
    assert len(made) <= deck.MOST_SLIDES
    assert max(map(shown_words, made)) <= deck.MOST_WORDS
    spoken = "\n".join(slide.notes_slide.notes_text_frame.text for slide in made)
    headings = [each.text for each in lay_out(brief, paper).headings if each.level == 1]
    shown = "\n".join(shape.text_frame.text for slide in made for shape in slide.shapes if shape.has_text_frame)
    assert [each for each in headings if each not in spoken and each not in shown] == []


def test_no_two_slides_have_the_same_title_and_none_is_numbered() -> None:
    titles = [slide.shapes.title.text_frame.text for slide in presented(papers.paper()).slides]
    assert len(set(titles)) == len(titles)
    assert not [title for title in titles if title.endswith(")")]


def test_a_short_statement_of_the_section_is_the_title_below_its_heading() -> None:
    short, long = "Revenue rose by 9 %.", f"It {'rose and ' * 40}fell."
    (slide,) = deck.slides_of(
        lay_out(papers.brief(), Paper(title="T", blocks=(heading("Revenue"), said(short), said(long))))
    )
    assert (slide.title, slide.above) == ("Revenue rose by 9 %", "Revenue")
    assert slide.spoken == (short, long)
    assert [note.cited.identifier for note in slide.title_notes] == [FIRST]


def test_a_heading_that_says_something_stays_the_title() -> None:
    message = "Deliveries have grown sevenfold in four years"
    blocks = (heading(message), said("Revenue rose by 9 %."))
    (slide,) = deck.slides_of(lay_out(papers.brief(), Paper(title="T", blocks=blocks)))
    assert (slide.title, slide.above) == (message, "")


def test_points_made_for_a_slide_are_shown_and_the_text_beside_them_is_spoken() -> None:
    points = tuple((TextRun(text=f"Point number {at}", citations=(FIRST,)),) for at in range(7))
    whole = "This is the long version that nobody reads from a wall."
    blocks = (heading("Charging has become the limit of growth"), Bullets(items=points), said(whole))
    (slide,) = deck.slides_of(lay_out(papers.brief(), Paper(title="T", blocks=blocks)))
    assert slide.lines == points[:5]
    assert whole in slide.spoken
    assert "Point number 6" in slide.spoken


def test_the_master_has_our_look_and_points_stand_in_its_placeholder() -> None:
    made = presented(papers.paper())
    assert [layout.name for layout in made.slide_layouts] == ["Title Slide", "Title and Content", "Title Only"]
    points = [slide for slide in made.slides if slide.slide_layout.name == "Title and Content"]
    assert points
    assert all(slide.placeholders[1].text_frame.text for slide in points)
    theme = next(each.target_part for each in made.slide_master.part.rels.values() if each.reltype.endswith("/theme"))
    assert b'<a:accent1><a:srgbClr val="1F5FBF"/></a:accent1>' in theme.blob


def test_the_pdf_of_slides_is_as_wide_as_a_screen_and_has_a_page_for_each() -> None:
    made = FORMS["pdf"].render(papers.brief(), papers.paper(), Options(kind="SLIDES"))
    document = pypdfium2.PdfDocument(made)
    slides = presented(papers.paper()).slides
    assert len(document) == len(slides)
    assert {document[at].get_size() for at in range(len(document))} == {(960, 540)}
    titles = [slide.shapes.title.text_frame.paragraphs[0].runs[0].text for slide in slides]
    words = [" ".join(document[at].get_textpage().get_text_range().split()) for at in range(len(document))]
    assert [title for title, page in zip(titles, words, strict=True) if title not in page] == []
