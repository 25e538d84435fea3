"""Asking for a report and a website, reading them, and taking them away."""

import re

import pytest
from playwright.async_api import Request, expect
from tests.browser import axe
from tests.browser.conftest import DESKTOP, PICTURES
from tests.browser.files import file
from tests.browser.person import Person, settled
from tests.browser.talk import Talk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ANNUAL = """Annual report of Northlake Utilities

Revenue of Northlake Utilities rose to 48.6 million euros in 2024. Revenue of Northlake Utilities was 44.1 million
euros in 2023. Revenue of Northlake Utilities was 39.7 million euros in 2022. Revenue of Northlake Utilities was
35.2 million euros in 2021.

| Year | Revenue (EUR million) | Customers |
|---|---|---|
| 2021 | 35.2 | 151,200 |
| 2022 | 39.7 | 160,900 |
| 2023 | 44.1 | 171,300 |
| 2024 | 48.6 | 182,400 |
"""
QUESTION = "How did the revenue of Northlake Utilities develop from 2021 to 2024?"
PHONE = {"width": 390, "height": 844}
OVERFLOW = "() => [document.documentElement, document.querySelector('main')].map(e => e.scrollWidth - e.clientWidth)"
# What the frame of a preview may do: nothing of this.
TRESPASS = """async () => {
  const tried = {};
  try { tried.parent = parent.document.title } catch (error) { tried.parent = error.name }
  try { tried.storage = localStorage.length } catch (error) { tried.storage = error.name }
  try { tried.cookies = document.cookie } catch (error) { tried.cookies = error.name }
  return tried;
}"""

# Nor may it leave a window of its own. The second comes later, since the page is gone once its frame is refused.
LEAVE = """() => {
  try { top.location.href = 'http://127.0.0.1:9/?told' } catch { /* as it should */ }
  setTimeout(() => { location.href = 'http://127.0.0.1:9/?told' });
}"""


async def test_a_report_and_a_website_are_made_read_checked_and_taken_away(ada: Person) -> None:
    talk, page = Talk(ada), ada.page
    await talk.bring(file("annual.md", ANNUAL.encode()))
    await _ask_for_both(talk)
    cards = page.get_by_role("group", name="Made of this answer")
    await expect(cards.get_by_role("region", name=re.compile("^Website: "))).to_be_visible()
    await cards.get_by_role("region", name=re.compile("^Report: ")).get_by_role("link", name="Open").click()
    await expect(page).to_have_url(re.compile("/deliverables/"))
    await _read(talk)
    await _export(ada)
    await _change_by_hand(ada)
    await _in_the_dark_and_on_a_phone(ada)
    await _look_at_the_website(ada)


async def _ask_for_both(talk: Talk) -> None:
    """By the keyboard, and see it being made."""
    ada, page = talk.person, talk.page
    await ada.open("/")
    await ada.button("What to make: Answer").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("End")
    await _picture(ada, "selector")
    await page.keyboard.press("Enter")
    # A menu that is gone gives the focus back a moment later, wherever that has gone meanwhile.
    await expect(ada.button("What to make: Report + website")).to_be_focused()
    await talk.ask(QUESTION)
    await expect(page.get_by_role("region", name=re.compile("^Making: "))).to_be_visible()
    await _picture(ada, "making")
    await expect(talk.answers).to_have_count(1)
    await expect(ada.button("What to make: Answer")).to_be_visible()


async def _read(talk: Talk) -> None:
    """The report with its chart, and a citation up to its passage."""
    page = talk.page
    await settled(page)
    report = page.locator(".report")
    await expect(report.get_by_role("img").locator("svg").first).to_be_visible()
    await expect(report).to_contain_text("35.2 (2021), 39.7 (2022), 44.1 (2023), 48.6 (2024)")
    assert await axe.findings(page) == []
    await _picture(talk.person, "report")
    await page.keyboard.press("n")
    await expect(talk.chips.first).to_be_focused()
    await expect(page.get_by_role("tooltip")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("region", name="Text").locator("mark.evidence")).to_be_in_viewport()
    await _picture(talk.person, "passage")
    await page.keyboard.press("Escape")
    await expect(page).not_to_have_url(re.compile("doc="))


async def _export(ada: Person) -> None:
    await ada.button("Export").click()
    async with ada.page.expect_download() as downloading:
        await ada.page.get_by_role("menuitem", name=re.compile("^PDF")).click()
    exported = await downloading.value
    assert exported.suggested_filename.endswith(".pdf")
    assert (await exported.path()).read_bytes().startswith(b"%PDF-")


async def _change_by_hand(ada: Person) -> None:
    """Edited with a false figure that the check finds, renamed, taken back, deleted and restored."""
    page = ada.page
    await page.get_by_role("link", name="Edit").click()
    said = page.get_by_role("textbox", name="List, a point on each line").first
    await said.fill((await said.input_value()).replace("48.6", "84.6"))
    check = page.get_by_role("list", name="What the check says")
    await expect(check).to_contain_text("84.6")
    assert await axe.findings(page) == []
    await _picture(ada, "editing")
    await ada.button("Save as a new version").click()
    await expect(page.locator(".report")).to_contain_text("84.6")
    await ada.button("More").click()
    await page.get_by_role("menuitem", name="Rename").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("textbox", name="Title").fill("Revenue of Northlake")
    await dialog.get_by_role("button", name="Rename").click()
    await expect(page.get_by_role("heading", level=1, name="Revenue of Northlake", exact=True)).to_be_visible()
    await page.get_by_role("link", name="Versions").click()
    await ada.button("Take back to version 1").click()
    await expect(page.locator(".report")).to_contain_text("48.6 (2024)")
    await ada.button("More").click()
    await page.get_by_role("menuitem", name="Move to the trash").click()
    await expect(page).to_have_url(re.compile("/deliverables$"))
    await page.get_by_label("Place").select_option("In the trash")
    await page.get_by_role("button", name=re.compile("^Restore: ")).click()
    await page.get_by_label("Place").select_option("Kept")
    made = page.get_by_role("list", name="Deliverables").get_by_role("listitem").filter(has_text="Report")
    await made.filter(has_text="Version 4").get_by_role("link").click()
    await expect(page.locator(".report")).to_contain_text("48.6 (2024)")


async def _in_the_dark_and_on_a_phone(ada: Person) -> None:
    await ada.use_theme("dark")
    assert await axe.findings(ada.page) == []
    await _picture(ada, "dark")
    await ada.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert await ada.page.evaluate(OVERFLOW) == [0, 0]
    await _picture(ada, "phone")
    await ada.page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})


async def _look_at_the_website(ada: Person) -> None:
    """In a frame that asks nobody else for anything, and can do nothing to the page around it."""
    page, asked = ada.page, list[str]()

    def note(request: Request) -> None:
        asked.append(request.url)

    await ada.open("/deliverables?kind=WEBSITE")
    page.on("request", note)
    await page.get_by_role("list", name="Deliverables").get_by_role("link").click()
    frame = page.frame_locator("iframe")
    await expect(frame.get_by_role("heading", level=1)).to_be_visible()
    await expect(frame.locator("body")).to_contain_text("48.6")
    await _picture(ada, "website")
    assert [url for url in asked if not url.startswith(ada.server)] == []
    inside = next(each for each in page.frames if "/site/" in each.url)
    assert set((await inside.evaluate(TRESPASS)).values()) == {"SecurityError"}
    assert await axe.findings(page) == []
    await _open_it_alone(ada, inside.url)


async def _open_it_alone(ada: Person, address: str) -> None:
    """In a window of its own it is framed as well, so that it cannot lead anyone elsewhere."""
    browser = ada.page.context.browser
    assert browser is not None
    # A context that nobody listens to: the browser complains of what the page tries, as it should.
    context = await browser.new_context()
    page, asked = await context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(address)
    await expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_be_visible()
    await page.screenshot(path=PICTURES / "deliverables-alone.png")
    inside = next(each for each in page.frames if each.parent_frame)
    async with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        await inside.evaluate(LEAVE)
    assert page.url == address
    assert [url for url in asked if not url.startswith(ada.server)] == []
    await context.close()


async def _picture(ada: Person, name: str) -> None:
    await ada.page.screenshot(path=PICTURES / f"deliverables-{name}.png")
