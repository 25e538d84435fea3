"""Having a run change something: the card with the diff, the decision, and what is in the library then."""

import pytest
from playwright.async_api import expect
from tests.browser import axe
from tests.browser.files import Shelf
from tests.browser.person import Person
from tests.browser.talk import QUESTION, REPORT, Talk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_an_answer_is_saved_once_it_was_shown_and_agreed_to(ada: Person) -> None:
    talk, page = Talk(ada), ada.page
    await talk.bring(REPORT)
    await ada.open("/")
    await talk.ask(f"{QUESTION} Save the answer as notes/kingfisher.md")
    card = page.get_by_role("region", name="Create /notes/kingfisher.md")
    await expect(card.get_by_role("group", name="What changes")).to_contain_text("opened in spring 2024")
    await expect(page.get_by_text("Waiting for your approval")).to_be_visible()
    assert await axe.findings(page) == []
    await talk.picture("approval")

    await page.reload()
    other = await page.context.new_page()
    await other.goto(page.url)
    await expect(other.get_by_role("button", name="Approve")).to_be_visible()
    await card.get_by_role("button", name="Approve").focus()
    await page.keyboard.press("Enter")
    for each in (page, other):
        await expect(each.locator("[data-message]")).to_contain_text("Created /notes/kingfisher.md.")
        await expect(each.get_by_role("button", name="Approve")).to_have_count(0)
    await other.close()

    await talk.ask("Delete notes/kingfisher.md")
    gone = page.get_by_role("region", name="Delete /notes/kingfisher.md")
    await gone.get_by_role("button", name="Reject…").click()
    await page.keyboard.type("It is needed.")
    await page.keyboard.press("Enter")
    await expect(talk.answers.last).to_contain_text("was not deleted. It was rejected: It is needed.")

    await ada.open("/library")
    shelf = Shelf(ada)
    await shelf.entry("notes").click()
    await shelf.settled("kingfisher.md")
