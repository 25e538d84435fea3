"""Asking, watching, reading, clicking and checking."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import expect
from tests.browser import axe
from tests.browser.conftest import Visit, serving
from tests.browser.files import Shelf
from tests.browser.person import PASSWORD, Person, settled
from tests.browser.talk import COUNT, LETTER, QUESTION, REPORT, SEEN, Talk
from tests.support.installation import Install
from tests.support.model_server import ModelServer, Reply

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = {"width": 390, "height": 844}
OVERFLOW = "() => [document.documentElement, document.querySelector('main')].map(e => e.scrollWidth - e.clientWidth)"


@pytest_asyncio.fixture(loop_scope="session")
async def talk(signed_in: Person) -> Talk:
    """Someone with two documents, and nothing asked yet."""
    talk = Talk(signed_in)
    await talk.bring(REPORT, LETTER)
    return talk


async def test_a_first_visit_leads_to_a_cited_answer_and_to_the_passage(ada: Person) -> None:
    talk, page = Talk(ada), ada.page
    page.on("filechooser", lambda _: None)
    await expect(page.get_by_text("1. Add files")).to_be_visible()
    await talk.picture("welcome")
    async with page.expect_file_chooser() as choosing:
        await ada.button("Choose files").click()
    await (await choosing.value).set_files([REPORT])
    # It stays while someone is at it.
    await page.get_by_role("region", name="Uploads").hover()
    await expect(page.get_by_role("region", name="Uploads").get_by_text("Ready")).to_be_visible()
    await ada.button("Dismiss the uploads").click()
    await expect(page.get_by_role("region", name="Questions to begin with")).to_be_visible()
    assert await axe.findings(page) == []

    await talk.ask(QUESTION)
    await expect(talk.answers).to_contain_text("after the sluice was opened in spring 2024")
    await expect(talk.chips.first).to_have_accessible_name("Source 1: report.pdf, page 6, verified")
    sources = page.get_by_role("complementary", name="Sources")
    await expect(sources.get_by_role("tab", name="Documents")).to_contain_text("1")
    await talk.chips.first.hover()
    await expect(page.get_by_role("tooltip")).to_contain_text("opened in spring 2024")
    await talk.picture("answer")
    assert await axe.findings(page) == []

    await talk.chips.first.click()
    await expect(page.locator("[data-page='6'] .paper-mark").first).to_be_visible()
    await page.wait_for_function(SEEN)
    await talk.picture("passage")
    await page.reload()
    await page.wait_for_function(SEEN)
    await ada.use_theme("dark")
    assert await axe.findings(page) == []
    await talk.picture("dark")


async def test_an_edited_question_and_another_try_stand_beside_the_first(talk: Talk) -> None:
    ada, page = talk.person, talk.page
    await talk.begin()
    await ada.button("Edit the question").click()
    await page.get_by_label("The question in other words").fill("What will the roof of the boathouse cost?")
    await page.keyboard.press("Enter")
    questions = page.get_by_role("group", name="Version 2 of 2 of this question")
    await expect(questions).to_be_visible()
    await expect(talk.answers).to_contain_text("4200 euros")
    await page.reload()
    await expect(talk.answers).to_contain_text("4200 euros")
    await talk.picture("branch")
    await ada.button("Previous question").click()
    await expect(talk.answers).to_contain_text("spring 2024")

    await ada.button("Try again").click()
    await expect(page.get_by_role("group", name="Version 2 of 2 of this answer")).to_be_visible()
    await expect(talk.answers).to_contain_text("spring 2024")
    await ada.button("Previous answer").click()
    await expect(page.get_by_role("group", name="Version 1 of 2 of this answer")).to_be_visible()
    await ada.button("This helped").click()
    await expect(ada.button("This helped")).to_have_attribute("aria-pressed", "true")

    await ada.button("More for this conversation").click()
    await page.get_by_role("menuitem", name="Rename…").click()
    await page.get_by_label("Name", exact=True).fill("Birds of the lake")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Birds of the lake")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("boathouse")
    await expect(page.get_by_role("option", name="Birds of the lake")).to_be_visible()
    await page.keyboard.press("Escape")
    await ada.button("More for this conversation").click()
    await page.get_by_role("menuitem", name="Delete…").click()
    await ada.button("Delete").click()
    await expect(page.get_by_role("region", name="Conversations").get_by_role("link")).to_have_count(0)


async def test_a_citation_is_checked_and_disputed_by_the_keyboard_alone(talk: Talk) -> None:
    page = talk.page
    await talk.begin("When did the kingfisher return to the northern lake, and to how many pairs did the count rise?")
    await expect(talk.answers).to_contain_text(COUNT)
    await page.keyboard.press("Tab")
    await page.keyboard.press("n")
    await expect(talk.chips.first).to_be_focused()
    await expect(page.get_by_role("tooltip")).to_be_visible()
    await page.keyboard.press("Enter")
    await page.wait_for_function(SEEN)
    await page.keyboard.press("n")
    await expect(talk.chips.nth(1)).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page).not_to_have_url(re.compile("doc="))
    await expect(talk.chips.nth(1)).to_be_focused()
    await page.keyboard.press("p")
    await page.keyboard.press("a")
    await expect(talk.chips.first).to_have_accessible_name(re.compile("accepted$"))

    await page.keyboard.press("d")
    await expect(page.get_by_label("What is wrong with it?")).to_be_focused()
    assert await axe.findings(page) == []
    await page.keyboard.type("It was in autumn.")
    await page.keyboard.press("Enter")
    await expect(talk.chips.first).to_have_accessible_name(re.compile("disputed$"))
    await expect(talk.chips.first).to_be_focused()
    await page.reload()
    await expect(talk.chips.first).to_have_accessible_name(re.compile("disputed$"))
    await expect(page.get_by_role("complementary", name="Sources")).to_contain_text("It was in autumn.")
    await talk.picture("disputed")
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_contain_text("Next citation")


async def test_a_deleted_source_stays_as_a_stone_with_its_name(talk: Talk) -> None:
    ada, page = talk.person, talk.page
    await talk.begin()
    address = page.url
    await ada.open("/library")
    await Shelf(ada).more("report.pdf", "Delete…")
    await ada.button("Delete").click()
    await expect(Shelf(ada).entry("report.pdf")).to_have_count(0)
    for _ in range(2):
        await page.goto(address)
        await settled(page)
        stones = page.get_by_role("list", name="Sources of this answer")
        await expect(stones).to_contain_text("report.pdf")
        await expect(stones).to_contain_text("Deleted")
        await expect(stones.get_by_role("img", name="PDF")).to_be_visible()
        await expect(stones.get_by_role("button")).to_have_count(0)
        await expect(talk.chips.first).to_have_accessible_name(re.compile("report.pdf.*deleted"))
    assert await axe.findings(page) == []
    await talk.picture("stone")
    await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert await page.evaluate(OVERFLOW) == [0, 0]
    assert await axe.findings(page) == []
    await talk.picture("phone")


def half_of(text: str) -> Reply:
    """An answer that stays half written until the model goes on, so that it can be looked at."""
    return Reply(text=text, when='"stream": true', chunk=12, chunk_delay_s=0.02, hold_after=len(text) // 2)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model that goes on writing when it is told to."""
    with ModelServer() as server:
        yield server


@pytest.fixture
def thinking(model: ModelServer, tmp_path: Path, install: Install) -> Iterator[str]:
    """The address of an installation that asks that model."""
    environment = {
        "INTELLI_MODEL__NAME": "test-model",
        "INTELLI_MODEL__BASE_URL": model.base_url,
        "INTELLI_MODEL__TIMEOUT_S": "300",
        # What its test would show of a scripted model says nothing.
        "INTELLI_MODEL__SHAPE": "full",
    }
    with serving(install(tmp_path / "data"), **environment) as address:
        yield address


async def test_a_reload_and_a_second_tab_follow_the_same_answer(
    model: ModelServer, thinking: str, visit: Visit
) -> None:
    page = await visit()
    email = f"{uuid4().hex[:8]}@example.org"
    body = {"email": email, "password": PASSWORD, "name": "Ada", "workspace_name": "Analysis", "cookie_only": True}
    assert (await page.context.request.post(f"{thinking}/api/v1/auth/register", data=body)).ok
    ada = Person(page, thinking, email)
    talk = Talk(ada)
    await talk.bring(REPORT)
    text = "\n\n".join(f"{number}. {COUNT} [s1]" for number in range(1, 12))
    model.script(half_of(text))
    await ada.open("/")
    await talk.ask(QUESTION)
    await expect(talk.chips.nth(1)).to_be_visible()
    await page.reload()
    await expect(talk.chips.nth(1)).to_be_visible()
    other = await page.context.new_page()
    await other.goto(page.url)
    await expect(other.locator("[data-citation]").nth(1)).to_be_visible()
    await expect(ada.button("Stop")).to_be_visible()
    await talk.picture("writing")
    assert await axe.findings(page) == []

    model.goes_on.set()
    await expect(talk.answers).to_have_count(1)
    await expect(other.locator("[data-message]")).to_have_count(1)
    texts = [await each.locator("[data-answer]").inner_text() for each in (page, other)]
    assert texts[0] == texts[1]
    assert texts[0].count(COUNT) == 11

    model.goes_on.clear()
    model.script(half_of(text))
    await talk.ask("And the heron?")
    await expect(other.get_by_role("heading", name="And the heron?")).to_be_visible()
    await expect(page.locator("[data-answer]").nth(1)).to_contain_text(COUNT)
    await ada.button("Stop").click()
    await expect(talk.answers.nth(1)).to_contain_text("stopped before it was finished")
    await expect(ada.button("Ask")).to_be_visible()
