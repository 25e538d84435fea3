"""API keys, from the screen to the wire and back."""

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import expect
from tests.browser import axe
from tests.browser.person import Person

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def ada(signed_in: Person) -> Person:
    """An owner, signed in; each test opens the page that it is about."""
    return signed_in


async def test_a_key_works_until_it_is_revoked(ada: Person) -> None:
    secret = await ada.create_key("nightly import")
    url, headers = f"{ada.server}/api/v1/auth/me", {"X-API-Key": secret}
    async with httpx.AsyncClient(timeout=60) as program:
        me = (await program.get(url, headers=headers)).raise_for_status().json()
        assert (me["user"]["email"], me["scopes"]) == (ada.email, ["read"])

        await expect(ada.page.get_by_text("nightly import")).to_be_visible()
        assert secret not in await ada.page.content()
        await ada.button("Revoke key nightly import").click()
        await ada.button("Revoke key").click()
        await expect(ada.page.get_by_text("No API keys yet")).to_be_visible()
        assert (await program.get(url, headers=headers)).status_code == 401


async def test_the_secret_can_be_copied_and_is_not_lost_by_a_slip(ada: Person) -> None:
    await ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await ada.open("/settings/keys?create=true")
    assert await axe.findings(ada.page) == []
    await ada.button("Create key").click()
    await expect(ada.page.get_by_text("Say what the key is for")).to_be_visible()
    await ada.page.get_by_label("Name", exact=True).fill("ci")
    await ada.button("Create key").click()
    secret = await ada.page.get_by_label("API key", exact=True).input_value()
    await ada.page.keyboard.press("Escape")
    await ada.button("Copy api key").click()
    assert await ada.page.evaluate("() => navigator.clipboard.readText()") == secret
    example = f'curl -H "X-API-Key: {secret}" {ada.server}/api/v1/auth/me'
    await expect(ada.page.get_by_label("Try it", exact=True)).to_have_value(example)
