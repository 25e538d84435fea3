"""A conversation that one person shares, on the screen of another."""

import pytest
import pytest_asyncio
from playwright.async_api import expect
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.person import Person
from tests.browser.talk import QUESTION, REPORT, SEEN, Talk
from tests.browser.test_workspace import join

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def ada(signed_in: Person) -> Person:
    """An owner, signed in; each test opens the page that it is about."""
    return signed_in


async def test_a_colleague_finds_what_is_shared_and_reads_it_down_to_the_passage(ada: Person, visit: Visit) -> None:
    talk = Talk(ada)
    await talk.bring(REPORT)
    await talk.begin()
    await ada.button("More for this conversation").click()
    await ada.page.get_by_role("menuitem", name="Share with the workspace").click()
    await expect(ada.page.get_by_text("Shared", exact=True)).to_be_visible()
    grace = await join(await ada.invite(), visit, server=ada.server, email=f"grace.{ada.email}")

    shelf = grace.page.get_by_role("region", name="Shared with the workspace")
    await expect(shelf).to_contain_text("by Ada Lovelace")
    await shelf.get_by_role("link").click()
    read = Talk(grace)
    await expect(read.answers).to_contain_text("after the sluice was opened in spring 2024")
    await expect(grace.page.get_by_role("heading", name=QUESTION)).to_be_visible()
    await expect(grace.page.get_by_text("Shared by Ada Lovelace")).to_be_visible()
    await expect(grace.page.get_by_text("Ada Lovelace shares this conversation for reading.")).to_be_visible()
    for act in ("Ask", "Edit the question", "Try again"):
        await expect(grace.button(act)).to_have_count(0)
    await expect(read.field).to_have_count(0)
    await grace.button("How this was answered").click()
    await expect(grace.page.get_by_role("region", name="Evidence")).to_contain_text("cited")
    await expect(grace.page.get_by_role("alert")).to_have_count(0)
    assert await axe.findings(grace.page) == []
    await read.picture("shared")
    await read.chips.first.click()
    await grace.page.wait_for_function(SEEN)

    await ada.page.go_back()
    await ada.button("More for this conversation").click()
    await ada.page.get_by_role("menuitem", name="Stop sharing").click()
    await expect(ada.page.get_by_text("Only you see it now.", exact=True)).to_be_visible()
    await grace.page.reload()
    await expect(grace.page.get_by_text("This conversation cannot be shown")).to_be_visible()
    await expect(shelf).to_have_count(0)
