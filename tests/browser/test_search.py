"""Finding a passage and seeing it in the original."""

import re

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect
from tests.browser import axe
from tests.browser.files import CSV, Shelf, file, pdf, word, workbook
from tests.browser.person import Person, settled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = {"width": 390, "height": 844}
OVERFLOW = "() => [document.documentElement, document.querySelector('main')].map(e => e.scrollWidth - e.clientWidth)"
# Whether a mark lies inside of what its scrolling frame shows, and the frame has not moved the shell.
SEEN = """() => {
  const frame = document.querySelector('[aria-label=Pages], [aria-label=Text]')?.getBoundingClientRect();
  const marks = [...document.querySelectorAll('.paper-mark, mark.evidence')].map(mark => mark.getBoundingClientRect());
  return frame && marks.some(box => box.top >= frame.top && box.bottom <= frame.bottom)
    && document.scrollingElement.scrollTop === 0 && document.querySelector('#root').scrollTop === 0;
}"""
FILLER = [
    f"Page {number} of the report speaks of other things.\nNothing here is of interest." for number in range(1, 9)
]
FINDING = "The kingfisher returned to the northern lake\nafter the sluice was opened in spring."
REPORT = pdf(*FILLER[:5], f"Findings\n{FINDING}\nThis was not expected.", *FILLER[5:])


@pytest_asyncio.fixture(loop_scope="session")
async def shelf(signed_in: Person) -> Shelf:
    """A library of three files of different types, read."""
    await signed_in.open("/library")
    shelf = Shelf(signed_in)
    await shelf.add(
        file("report.pdf", REPORT),
        file(
            "letter.docx", word("Letter", "Dear Ada,", "the boathouse needs a new roof before winter.", "Yours, Grace")
        ),
        file("survey.csv", CSV),
    )
    return shelf


async def seen(page: Page) -> None:
    """Wait until the marked passage stands in view."""
    await page.wait_for_function(SEEN)


async def test_three_files_are_watched_found_and_opened_at_the_passage(shelf: Shelf) -> None:
    ada, page = shelf.person, shelf.person.page
    tray = page.get_by_role("region", name="Uploads")
    await expect(tray.get_by_text("Ready")).to_have_count(3)
    await ada.button("Dismiss the uploads").click()

    await page.get_by_role("textbox", name="Search the library").fill("kingfisher returned to the northern lake")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("/search"))
    best = page.get_by_role("list", name="Results").get_by_role("listitem").first
    await expect(best).to_contain_text("report.pdf")
    await expect(best.locator("strong").first).to_have_text("kingfisher")
    await best.get_by_role("button").first.click()

    await expect(page.get_by_role("img", name="Page 6 of report.pdf")).to_be_visible()
    await expect(page.get_by_label("Page number")).to_have_value("6")
    await expect(page.locator("[data-page='6'] .paper-mark").first).to_be_visible()
    await seen(page)
    assert await axe.findings(page) == []

    await page.reload()
    await expect(page.get_by_role("img", name="Page 6 of report.pdf")).to_be_visible()
    await seen(page)
    await ada.button("Show the text").click()
    await expect(page.locator("mark.evidence").first).to_contain_text("kingfisher")
    await seen(page)
    await ada.use_theme("dark")
    assert await axe.findings(page) == []


async def test_a_passage_of_text_and_of_a_table_is_marked_in_place(shelf: Shelf) -> None:
    page = shelf.person.page
    for query, name, passage in (
        ("new roof for the boathouse", "letter.docx", "new roof"),
        ("grebe", "survey.csv", "grebe"),
    ):
        await shelf.person.open(f"/search?q={query}")
        await page.get_by_role("listitem").filter(has_text=name).get_by_role("button").first.click()
        marks = page.get_by_role("article", name=name).locator("mark.evidence")
        await expect(marks.filter(has_text=passage)).to_be_visible()
        await seen(page)


async def test_a_cell_far_down_a_workbook_is_scrolled_to(signed_in: Person) -> None:
    page = signed_in.page
    await signed_in.open("/library")
    rows: list[list[str | int]] = [[f"bird {number}", number, "seen"] for number in range(1, 301)]
    rows[119] = ["capercaillie", 7, "drums at dusk by the dam"]
    book = workbook(Birds=rows, Apes=[["a lonely marmoset"]])
    await Shelf(signed_in).add(file("birds.xlsx", book))
    for query, passage in (("capercaillie dusk dam", "capercaillie"), ("lonely marmoset", "marmoset")):
        await signed_in.open(f"/search?q={query}")
        await page.get_by_role("listitem").filter(has_text="birds.xlsx").get_by_role("button").first.click()
        await expect(page.locator("mark.evidence").filter(has_text=passage).first).to_be_in_viewport()
        await seen(page)
        await page.reload()
        await seen(page)


async def test_a_search_is_made_and_walked_by_the_keyboard_alone(shelf: Shelf) -> None:
    page = shelf.person.page
    await page.keyboard.press("g")
    await page.keyboard.press("o")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Analysis")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("roof boathouse")
    await expect(page.get_by_role("option", name="Search the library for “roof boathouse”")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("list", name="Results")).to_contain_text("letter.docx")
    await page.keyboard.press("/")
    field = page.get_by_role("textbox", name="Search the library")
    await expect(field).to_be_focused()
    await page.keyboard.press("ArrowDown")
    first = page.get_by_role("list", name="Results").locator("[data-row]").first
    await expect(first).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await expect(field).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("article", name="letter.docx")).to_be_visible()
    await seen(page)

    await page.keyboard.press("g")
    await page.keyboard.press("l")
    await expect(shelf.entry("letter.docx")).to_be_visible()
    async with page.expect_file_chooser() as choosing:
        await page.keyboard.press("u")
    await (await choosing.value).set_files([file("typed.txt", b"chosen by a key")])
    await shelf.settled("typed.txt")
    await shelf.entry("letter.docx").focus()
    await page.keyboard.press("ArrowDown")
    await expect(shelf.entry("report.pdf")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("img", name="Page 1 of report.pdf")).to_be_visible()


async def test_filters_narrow_a_search_and_live_in_the_address(shelf: Shelf) -> None:
    page = shelf.person.page
    await shelf.person.open("/search?q=north")
    results = page.get_by_role("list", name="Results")
    await expect(results).to_contain_text("survey.csv")
    await page.get_by_label("Kind").select_option("pdf")
    await expect(page).to_have_url(re.compile("kind=pdf"))
    await expect(page.get_by_text("survey.csv")).to_have_count(0)
    await page.reload()
    await settled(page)
    await expect(page.get_by_label("Kind")).to_have_value("pdf")
    await shelf.person.button("Clear filters").click()
    await expect(results).to_contain_text("survey.csv")
    await page.get_by_role("textbox", name="Search the library").fill("???")
    await expect(page.get_by_role("alert")).to_be_visible()


async def test_on_a_phone_everything_fits_and_the_passage_is_seen(shelf: Shelf) -> None:
    page = shelf.person.page
    await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    await shelf.person.open("/library")
    await expect(shelf.entry("report.pdf")).to_be_visible()
    assert await page.evaluate(OVERFLOW) == [0, 0]
    assert await axe.findings(page) == []
    await shelf.person.open("/search?q=kingfisher")
    await expect(page.get_by_role("list", name="Results")).to_contain_text("report.pdf")
    assert await page.evaluate(OVERFLOW) == [0, 0]
    await page.get_by_role("listitem").filter(has_text="report.pdf").get_by_role("button").first.click()
    await expect(page.get_by_role("dialog").get_by_role("img", name="Page 6 of report.pdf")).to_be_visible()
    await seen(page)
    assert await axe.findings(page) == []
    await shelf.person.button("Close document").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page).not_to_have_url(re.compile("doc="))
