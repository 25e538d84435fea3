"""From nothing to the first page."""

import re

import pytest
from playwright.async_api import expect
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.person import PASSWORD, settled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_first_visitor_is_welcomed_and_becomes_the_owner(new_server: str, visit: Visit) -> None:
    page = await visit()
    await page.goto(new_server)
    await expect(page).to_have_url(re.compile("/welcome$"))
    await settled(page)
    assert await axe.findings(page) == []

    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_label("Your name")).to_be_focused()

    await page.get_by_label("Your name").fill("Ada Lovelace")
    await page.get_by_label("E-mail").fill("ada@example.org")
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_label("Name of your workspace").fill("Analysis")
    await page.get_by_role("button", name="Create account").click()

    await expect(page.get_by_role("heading", level=1)).to_have_text("Analysis")
    await expect(page.get_by_text("Ada Lovelace created the workspace")).to_be_visible()

    stranger = await visit(color_scheme="dark")
    await stranger.goto(f"{new_server}/welcome")
    await expect(stranger).to_have_url(re.compile("/login$"))
    await expect(stranger.get_by_text("Ask an administrator")).to_be_visible()
    assert await axe.findings(stranger) == []
