"""Pages from disk, in a real browser: they ask nobody for anything, complain about nothing, and run nothing hostile."""

import io
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, async_playwright, expect
from tests.browser import axe
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.deliverables import papers
from tests.deliverables.test_forms_hostile import ATTACKS, report

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms import FORMS, Options
from intelli.deliverables.paper import Paper

pytestmark = pytest.mark.browser


class Watched:
    """A page, and all that it asked for, complained about or wanted to say."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.said: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: self.said.append(dialog.message))

    def beyond(self, folder: Path) -> list[str]:
        """What it asked for that is not beside it."""
        return [each for each in self.asked if not each.startswith((f"file://{folder}/", "data:"))]


@pytest_asyncio.fixture
async def watched() -> AsyncIterator[Watched]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield Watched(await browser.new_page())
        finally:
            await browser.close()


def put(folder: Path, name: str, brief: DataBrief, paper: Paper) -> str:
    """A form on disk; gives its address."""
    rendered = FORMS[name].render(brief, paper, Options())
    if name == "html":
        (folder / "index.html").write_bytes(rendered)
    else:
        with zipfile.ZipFile(io.BytesIO(rendered)) as archive:
            archive.extractall(folder)
    return f"file://{folder}/index.html"


async def test_the_site_searches_and_shows_what_a_citation_rests_on(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    await page.goto(put(tmp_path, "site", papers.brief(), papers.paper()))
    await page.get_by_label("Search this report").fill("depots")
    await expect(page.locator("#count")).to_contain_text("places")
    await page.locator("a.cite").nth(1).click()
    await expect(page.locator("#passage")).to_contain_text(papers.QUOTES[1])
    await expect(page.locator("#passage")).not_to_contain_text(papers.IDS[1])
    await page.keyboard.press("Escape")
    await expect(page.locator("#evidence")).to_be_hidden()
    assert (watched.beyond(tmp_path), watched.said) == ([], [])
    # Last, because it fetches style sheets to look at them, which the page refuses.
    assert await axe.findings(page) == []


async def test_the_page_needs_nothing_but_itself(watched: Watched, tmp_path: Path) -> None:
    await watched.page.goto(put(tmp_path, "html", papers.brief(), papers.paper()))
    await expect(watched.page.get_by_role("heading", level=1)).to_have_text(papers.paper().title)
    assert await watched.page.locator("svg:visible").count() == 2
    assert (watched.beyond(tmp_path), watched.said) == ([], [])
    assert len([each for each in watched.asked if not each.startswith("data:")]) == 1


async def test_the_slides_turn_by_key(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    await page.goto(put(tmp_path, "slides", papers.brief(), papers.paper()))
    await expect(page.locator(".slide-number")).to_contain_text("1")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("section.present h2")).to_contain_text("Deliveries of electric trucks rose from 1,240")
    assert (watched.beyond(tmp_path), watched.said) == ([], [])


@pytest.mark.parametrize("name", ["site", "html", "slides"])
async def test_nothing_in_a_text_runs(watched: Watched, tmp_path: Path, name: str) -> None:
    await watched.page.goto(put(tmp_path, name, *report(*ATTACKS)))
    await expect(watched.page.locator("h1").first).to_contain_text("#read")
    assert (watched.beyond(tmp_path), watched.said) == ([], [])
