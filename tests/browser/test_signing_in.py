"""Coming in, staying in, going out."""

import asyncio
import re

import pytest
from playwright.async_api import Route, expect
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.person import PASSWORD, Person, settled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_who_signs_out_and_in_again_is_led_back(ada: Person) -> None:
    await ada.sign_out()
    await ada.open("/settings/keys")
    await expect(ada.page).to_have_url(re.compile(r"/login\?next=%2Fsettings%2Fkeys"))
    await ada.sign_in()
    await expect(ada.page.get_by_role("heading", level=1)).to_have_text("API keys")


async def test_a_wrong_password_is_said_in_words(ada: Person) -> None:
    await ada.sign_out()
    await ada.sign_in("not the password")
    await expect(ada.page.get_by_role("alert")).to_contain_text("password")
    assert await axe.findings(ada.page) == []
    await expect(ada.page).to_have_url(re.compile("/login"))


async def test_too_many_attempts_are_told_how_long_to_wait(ada: Person) -> None:
    await ada.sign_out()
    url, body = f"{ada.server}/api/v1/auth/login", {"email": ada.email, "password": "a guess"}
    for _ in range(11):
        await ada.page.context.request.post(url, data=body)
    await ada.sign_in()
    await expect(ada.page.get_by_role("alert")).to_contain_text(re.compile(r"\d+ (seconds|minutes)"))


async def test_the_session_survives_a_reload(ada: Person) -> None:
    await ada.page.reload()
    await settled(ada.page)
    await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Analysis")
    assert await ada.page.evaluate("() => JSON.stringify(localStorage).includes('eyJ')") is False


async def test_who_reloads_again_before_the_page_is_there_stays_signed_in(ada: Person) -> None:
    for turn in range(6):
        async with ada.page.expect_request("**/api/v1/auth/refresh"):
            await ada.page.reload(wait_until="commit")
        # The second reload meets the first one's renewal at another moment each turn.
        async with ada.page.expect_event("framenavigated"):
            await ada.page.evaluate("ms => { setTimeout(() => location.reload(), ms); }", turn * 10)
        await settled(ada.page)
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Analysis")


async def test_tabs_that_renew_together_all_stay_signed_in(ada: Person) -> None:
    tabs = [ada.page, *[await ada.page.context.new_page() for _ in range(3)]]
    for _ in range(3):
        await asyncio.gather(*(tab.goto(f"{ada.server}/settings/profile") for tab in tabs))
        for tab in tabs:
            await settled(tab)
            await expect(tab.get_by_role("heading", level=1)).to_have_text("Profile")


async def test_a_call_whose_token_no_longer_works_renews_it_and_goes_on(ada: Person) -> None:
    refused: list[str] = []

    async def refuse_once(route: Route) -> None:
        if refused:
            await route.continue_()
            return
        refused.append(route.request.url)
        await route.fulfill(status=401, json={"code": "invalid_token", "title": "", "detail": "", "errors": []})

    await ada.page.route("**/api/v1/api-keys*", refuse_once)
    await ada.page.keyboard.press("g")
    await ada.page.keyboard.press("k")
    await expect(ada.page.get_by_text("No API keys yet")).to_be_visible()
    assert len(refused) == 1


async def test_signing_out_in_one_tab_signs_out_the_others(ada: Person) -> None:
    other = await ada.page.context.new_page()
    await other.goto(ada.server)
    await settled(other)
    await ada.sign_out()
    await expect(other).to_have_url(re.compile("/login"))


async def test_a_session_ended_elsewhere_is_gone_from_the_list(ada: Person, visit: Visit) -> None:
    second = Person(await visit(), ada.server, ada.email)
    await second.open("/login")
    await second.sign_in()
    await expect(second.page).not_to_have_url(re.compile("/login"))
    await ada.open("/settings/profile")
    await ada.page.get_by_role("button", name=re.compile("End session")).click()
    await ada.button("End session").click()
    await expect(ada.page.get_by_role("button", name=re.compile("End session"))).to_have_count(0)
    await second.page.reload()
    await expect(second.page).to_have_url(re.compile("/login"))


async def test_a_new_password_ends_the_api_keys_if_that_is_wished(ada: Person) -> None:
    secret = await ada.create_key("Nightly import")
    await ada.open("/settings/profile")
    await ada.page.get_by_label("Current password", exact=True).fill(PASSWORD)
    await ada.page.get_by_label("New password", exact=True).fill("difference engine 1822")
    await ada.page.get_by_label("End all my API keys as well").check()
    assert await axe.findings(ada.page) == []
    await ada.button("Change password").click()
    await expect(
        ada.toast("Your password is changed. Your other sessions and all your API keys have ended.")
    ).to_be_visible()
    answer = await ada.page.context.request.get(f"{ada.server}/api/v1/auth/me", headers={"X-API-Key": secret})
    assert answer.status == 401
    await ada.open("/settings/keys")
    await expect(ada.page.get_by_text("No API keys yet")).to_be_visible()


async def test_all_other_sessions_are_ended_at_once(ada: Person, visit: Visit) -> None:
    others = [Person(await visit(), ada.server, ada.email) for _ in range(2)]
    for other in others:
        await other.open("/login")
        await other.sign_in()
        await expect(other.page).not_to_have_url(re.compile("/login"))
    await ada.open("/settings/profile")
    await ada.button("End all others").click()
    await ada.button("End all").click()
    await expect(ada.page.get_by_role("button", name=re.compile("End session"))).to_have_count(0)
    for other in others:
        await other.page.reload()
        await expect(other.page).to_have_url(re.compile("/login"))


async def test_where_registration_is_open_a_stranger_makes_an_account(server: str, visit: Visit) -> None:
    page = await visit()
    await page.goto(f"{server}/login")
    await page.get_by_role("link", name="Create an account").click()
    await page.get_by_label("Your name").fill("Mary Somerville")
    await page.get_by_label("E-mail").fill("mary@example.org")
    await page.get_by_label("Password", exact=True).fill("celestial mechanics")
    await page.get_by_label("Name of your workspace").fill("Mechanism of the Heavens")
    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Mechanism of the Heavens")
