"""The library on the screen: bringing files, keeping them in order, what happens when one cannot be read."""

import asyncio
import re

import pytest
import pytest_asyncio
from playwright.async_api import Route, expect
from tests.browser import axe
from tests.browser.conftest import NewPerson
from tests.browser.files import CSV, Shelf, file, pdf, word
from tests.browser.person import Person, settled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MANY = 120
DROP = """([names, folder]) => {
  const transfer = new DataTransfer();
  for (const name of names) transfer.items.add(new File([`Text of ${name}`], name));
  const area = document.querySelector('main h1');
  for (const type of ['dragenter', 'dragover', 'drop'])
    area.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def shelf(signed_in: Person) -> Shelf:
    """The empty library of someone new."""
    await signed_in.open("/library")
    return Shelf(signed_in)


async def test_a_first_visit_invites_to_bring_files(ada: Person) -> None:
    shelf = Shelf(ada)
    await expect(ada.page.get_by_role("heading", name="Bring what you want to know about")).to_be_visible()
    await expect(ada.button("Choose a folder")).to_be_visible()
    async with ada.page.expect_file_chooser() as choosing:
        await ada.button("Choose files").click()
    await (await choosing.value).set_files([file("first.txt", b"The first of all files.")])
    await expect(ada.page.get_by_role("textbox", name="Your question")).to_be_visible()
    await ada.open("/library")
    await shelf.settled("first.txt")
    await ada.open("/")
    await expect(ada.page.get_by_text("1 document, 1 passage to find")).to_be_visible()
    assert await axe.findings(ada.page) == []


async def test_files_dropped_on_the_page_are_added_where_it_stands(shelf: Shelf) -> None:
    page = shelf.person.page
    await shelf.new_folder("Drafts")
    await shelf.entry("Drafts").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Drafts")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    # The way to the server breaks once, and is found again by itself.
    await page.route("**/api/v1/documents/batch", lambda route: route.abort(), times=1)
    await page.evaluate(DROP, [[f"{number:03}.txt" for number in range(MANY)], ""])
    tray = page.get_by_role("region", name="Uploads")
    # From the start: it stays while someone is at it, and else goes when all is done.
    await tray.hover()
    await expect(tray.get_by_role("heading")).to_have_text(f"{MANY} files added")
    await shelf.settled("000.txt")
    assert await axe.findings(page) == []
    await shelf.person.button("Dismiss the uploads").click()
    await expect(tray).to_have_count(0)
    assert sum(each.endswith("/documents/batch") for each in asked) <= MANY // 50 + 2
    assert not [each for each in asked if re.search(r"GET .*/documents/[0-9a-f-]{36}$", each)]
    await page.get_by_role("treeitem", name="All files").click()
    await expect(shelf.row("Drafts")).to_contain_text(f"{MANY} files")


async def test_a_refused_upload_says_why_and_is_tried_again(shelf: Shelf) -> None:
    page = shelf.person.page
    refused: list[str] = []

    async def refuse_once(route: Route) -> None:
        if refused or route.request.method != "POST":
            await route.continue_()
            return
        refused.append(route.request.url)
        detail = "The workspace is full: 50 MB of 50 MB are used. Delete something or choose another plan."
        await route.fulfill(status=402, json={"code": "storage_exceeded", "title": "Full", "detail": detail})

    await page.route("**/api/v1/documents", refuse_once)
    await page.evaluate(DROP, [["large.txt"], ""])
    tray = page.get_by_role("region", name="Uploads")
    await expect(tray.get_by_role("alert")).to_contain_text("The workspace is full")
    assert await axe.findings(page) == []
    await shelf.person.button("Try large.txt again").click()
    await shelf.settled("large.txt")
    await expect(tray.get_by_role("alert")).to_have_count(0)


async def test_a_file_that_cannot_be_read_says_why_and_is_tried_again(shelf: Shelf) -> None:
    page = shelf.person.page
    await shelf.add(file("good.txt", b"All is well here."), file("broken.pdf", b"%PDF-1.7\nnot a PDF at all"))
    reason = page.get_by_text("damaged")
    await expect(reason.first).to_be_visible()
    asked_for, news_is_told = asyncio.Event(), asyncio.Event()

    async def answer_late(route: Route) -> None:
        answer = await route.fetch()
        asked_for.set()
        await news_is_told.wait()
        await route.fulfill(response=answer)

    await page.route("**/api/v1/library/status", answer_late, times=1)
    async with page.expect_response("**/retry") as answering:
        await shelf.person.button("Try again: broken.pdf").click()
    assert (await answering.value).ok
    await asyncio.wait_for(asked_for.wait(), 90)
    await shelf.settled("broken.pdf")
    await expect(reason.first).to_be_visible()
    news_is_told.set()
    await page.get_by_role("button", name="1 file could not be read").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Files that could not be read")
    await expect(shelf.entry("good.txt")).to_have_count(0)
    await shelf.entry("broken.pdf").click()
    await expect(page.get_by_role("article", name="broken.pdf")).to_contain_text("This file could not be read.")
    assert await axe.findings(page) == []


async def test_files_are_renamed_moved_and_deleted(shelf: Shelf) -> None:
    ada, page = shelf.person, shelf.person.page
    await shelf.add(file("a.txt", b"alpha"), file("b.txt", b"beta"), file("c.txt", b"gamma"))
    await shelf.new_folder("Kept")
    await shelf.more("a.txt", "Rename…")
    await page.keyboard.type("renamed")
    await page.keyboard.press("Enter")
    await expect(shelf.entry("renamed.txt")).to_be_visible()

    await page.get_by_role("checkbox", name="Select b.txt").click()
    await page.get_by_role("checkbox", name="Select renamed.txt").click(modifiers=["Shift"])
    await expect(page.get_by_role("toolbar", name="Selected")).to_contain_text("3 files selected")
    await ada.button("Move…").click()
    await page.get_by_role("dialog").get_by_role("treeitem", name="Kept").click()
    assert await axe.findings(page) == []
    await ada.button("Move here").click()
    await expect(ada.toast("3 files moved.")).to_be_visible()
    await expect(shelf.row("Kept")).to_contain_text("3 files")

    await shelf.entry("Kept").click()
    await shelf.entry("c.txt").focus()
    await page.keyboard.press("Delete")
    await ada.button("Delete").click()
    await expect(shelf.entry("c.txt")).to_have_count(0)
    await page.get_by_role("navigation", name="Folders above").get_by_role("button", name="All files").click()
    await shelf.more("Kept", "Delete…")
    await expect(page.get_by_role("alertdialog")).to_contain_text("Everything inside goes too")
    await ada.button("Delete").click()
    await expect(page.get_by_role("heading", name="Bring what you want to know about")).to_be_visible()


async def test_a_row_dragged_onto_a_folder_goes_there(shelf: Shelf) -> None:
    await shelf.add(file("note.txt", b"a note"))
    await shelf.new_folder("Box")
    await shelf.row("note.txt").drag_to(shelf.row("Box"))
    await expect(shelf.person.toast("“note.txt” moved.")).to_be_visible()
    await expect(shelf.row("Box")).to_contain_text("1 file")


async def test_versions_are_listed_compared_and_restored(shelf: Shelf) -> None:
    ada, page = shelf.person, shelf.person.page
    await shelf.add(file("plan.txt", b"We begin in March.\nAnna leads.\n"))
    await shelf.add(file("plan.txt", b"We begin in April.\nAnna leads.\nBen helps.\n"))
    await page.get_by_role("region", name="Uploads").hover()
    await expect(page.get_by_text("this is its version 2")).to_be_visible()
    await ada.button("Dismiss the uploads").click()
    await shelf.more("plan.txt", "Versions")
    versions = page.get_by_role("list", name="Versions").get_by_role("listitem")
    await expect(versions).to_have_count(2)
    await expect(versions.first).to_contain_text("Ada Lovelace changed the content")

    await ada.button("Compare version 2 with 1").click()
    changes = page.get_by_role("region", name="Changes")
    await expect(changes).to_contain_text("Removed: We begin in March.")
    await expect(changes).to_contain_text("Added: Ben helps.")
    await ada.button("Side by side").click()
    await expect(changes.locator("tr").first).to_contain_text("Added: We begin in April.")
    assert await axe.findings(page) == []
    await page.reload()
    await settled(page)
    await expect(changes).to_contain_text("Added: Ben helps.")

    await ada.button("All versions").click()
    await ada.button("Restore version 1").click()
    await ada.button("Restore").click()
    await expect(ada.toast("Version 1 is the newest again, as version 3.")).to_be_visible()
    await ada.button("Versions").click()
    await expect(page.get_by_role("region", name="Text")).to_contain_text("We begin in March.")


async def test_every_kind_of_file_opens_in_the_reading_pane(shelf: Shelf) -> None:
    page = shelf.person.page
    await shelf.add(
        file("survey.csv", CSV),
        file("notes.md", b"# Notes\n\nA paragraph.\n\n- one\n- two\n\n```\ncode()\n```\n"),
        file("page.html", b"<h1>Title</h1><p>Text with <img src=x onerror=alert(1)> in it.</p>"),
        file("report.docx", word("Report", "The heron is back.")),
        file("two.pdf", pdf("First page", "Second page")),
    )
    pane = page.get_by_role("article")
    for name, text in (
        ("survey.csv", "kingfisher"),
        ("notes.md", "code()"),
        ("page.html", "Title"),
        ("report.docx", "The heron is back."),
    ):
        await shelf.entry(name).click()
        await expect(pane.get_by_role("region", name="Text")).to_contain_text(text)
        assert await axe.findings(page) == [], name
    await expect(pane.locator("img")).to_have_count(0)
    await shelf.entry("two.pdf").click()
    await expect(page.get_by_role("img", name="Page 1 of two.pdf")).to_be_visible()
    await shelf.person.button("Next page").click()
    await expect(page.get_by_label("Page number")).to_have_value("2")
    await shelf.person.button("Larger").click()
    await expect(shelf.person.button("125 %, fit to the width")).to_be_visible()
    async with page.expect_download() as waiting:
        await shelf.person.button("Download").click()
    assert (await waiting.value).suggested_filename == "two.pdf"


async def test_what_another_window_adds_shows_up_by_itself(shelf: Shelf) -> None:
    other = Shelf(Person(await shelf.person.page.context.new_page(), shelf.person.server, shelf.person.email))
    await other.person.open("/library")
    await other.add(file("elsewhere.txt", b"added in another window"))
    await shelf.settled("elsewhere.txt")


async def test_who_may_only_read_is_offered_nothing_else(shelf: Shelf, new_person: NewPerson) -> None:
    await shelf.add(file("note.txt", b"a note"))
    link = await shelf.person.invite(role="Viewer")
    bea = await new_person()
    await bea.page.goto(link)
    await bea.page.get_by_role("button", name="Join as Ada Lovelace").click()
    await expect(bea.page.get_by_text("Your role: viewer")).to_be_visible()
    await bea.open("/library")
    await expect(Shelf(bea).entry("note.txt")).to_be_visible()
    await expect(bea.button("Add")).to_have_count(0)
    await expect(bea.page.get_by_role("checkbox")).to_have_count(0)
