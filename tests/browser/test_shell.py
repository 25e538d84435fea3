"""The frame around everything: panes, keyboard, themes, small screens, lost servers."""

import re
from uuid import uuid4

import pytest
from playwright.async_api import Route, expect
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.person import PASSWORD, Person, Theme, settled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PAGES = (
    "/",
    "/library",
    "/search",
    "/settings/profile",
    "/settings/workspace",
    "/settings/keys",
    "/settings/audit",
    "/nowhere",
)
OVERFLOW = "() => [document.documentElement, document.querySelector('main')].map(e => e.scrollWidth - e.clientWidth)"
PHONE = {"width": 390, "height": 844}
# Names that stick out of the row, dialog or page they stand in.
STICKING_OUT = """() => [...document.querySelectorAll('bdi, h1, h2')].filter(name => {
  const frame = name.closest('td, li, article, [role=dialog], [role=alertdialog], main');
  return name.getBoundingClientRect().right > frame.getBoundingClientRect().right;
}).length"""
LONG_NAME = "W" * 120
# 1440 pixels at 200 % leave the page this wide.
ZOOMED = {"width": 720, "height": 450}


# The dark theme is the same page in other colours: what can be wrong with it then is their contrast.
@pytest.mark.parametrize(("theme", "rule"), [("light", None), ("dark", "color-contrast")])
async def test_axe_finds_nothing_grave_on_any_page(ada: Person, theme: Theme, rule: str | None) -> None:
    await ada.use_theme(theme)
    for path in PAGES:
        await ada.open(path)
        await expect(ada.page.locator("html")).to_have_attribute("data-theme", theme)
        assert await axe.findings(ada.page, only=rule) == [], path


async def test_nothing_scrolls_sideways_on_a_small_screen(ada: Person) -> None:
    for path in PAGES:
        await ada.open(path)
        for size in (ZOOMED, PHONE):
            await ada.page.set_viewport_size({"width": size["width"], "height": size["height"]})
            # The panes make room a moment after the window did.
            await ada.page.wait_for_function(f"() => ({OVERFLOW})().every(beyond => beyond === 0)")
        assert await axe.findings(ada.page) == [], path


async def test_long_names_stay_within_their_frames_on_a_phone(server: str, visit: Visit) -> None:
    page = await visit(viewport=PHONE)
    person = Person(page, server, f"{uuid4().hex[:8]}@example.org")
    body = {"email": person.email, "password": PASSWORD, "name": LONG_NAME, "workspace_name": LONG_NAME}
    await page.context.request.post(f"{server}/api/v1/auth/register", data={**body, "cookie_only": True})

    async def check() -> None:
        assert await page.evaluate(OVERFLOW) == [0, 0], page.url
        assert await page.evaluate(STICKING_OUT) == 0, page.url

    await person.open("/settings/keys?create=true")
    await page.get_by_label("Name", exact=True).fill(LONG_NAME)
    await person.button("Create key").click()
    await expect(page.get_by_role("dialog")).to_contain_text("Copy the key now")
    await check()
    await person.button("I have stored it").click()
    await person.button(f"Revoke key {LONG_NAME}").click()
    await expect(page.get_by_role("alertdialog")).to_be_visible()
    await check()
    for path in PAGES:
        await person.open(path)
        await check()
    await person.open("/settings/audit")
    await page.locator("tbody button").first.click()
    await expect(page.get_by_role("article")).to_be_visible()
    await check()


async def test_on_a_phone_the_panes_are_a_drawer_and_a_sheet(ada: Person) -> None:
    await ada.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    await ada.button("Navigation").click()
    drawer = ada.page.get_by_role("dialog", name="Navigation")
    assert await axe.findings(ada.page) == []
    await drawer.get_by_role("link", name="Settings").click()
    await expect(drawer).to_have_count(0)
    await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Profile")
    await ada.button("Sources").click()
    await expect(ada.page.get_by_role("dialog", name="Sources")).to_contain_text("Nothing is open")
    await ada.page.keyboard.press("Escape")
    await expect(ada.button("Sources")).to_be_focused()


async def test_a_theme_is_there_before_the_first_paint_and_kept(ada: Person) -> None:
    await ada.use_theme("dark")
    await ada.page.goto(f"{ada.server}/theme.js")
    await ada.page.route("**/assets/*.js", lambda route: route.abort())
    await ada.page.goto(ada.server)
    assert await ada.page.evaluate("() => document.documentElement.dataset.theme") == "dark"


async def test_panes_are_sized_by_the_keyboard_and_kept(ada: Person) -> None:
    line = ada.page.get_by_role("separator", name="Width of the navigation")
    await line.focus()
    await ada.page.keyboard.press("ArrowRight")
    await expect(line).to_have_attribute("aria-valuenow", "264")
    await ada.page.keyboard.press("Control+.")
    await expect(ada.page.get_by_role("complementary", name="Sources")).to_have_count(0)
    await ada.page.reload()
    await settled(ada.page)
    await expect(line).to_have_attribute("aria-valuenow", "264")
    await expect(ada.page.get_by_role("complementary", name="Sources")).to_have_count(0)
    await ada.page.keyboard.press("Control+b")
    await expect(line).to_have_count(0)


async def test_everything_is_reached_from_the_keyboard_alone(ada: Person) -> None:
    page = ada.page
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main")).to_be_focused()

    await page.keyboard.press("Control+k")
    await page.keyboard.type("new key")
    await expect(page.get_by_role("option", name="Search the library for “new key”")).to_be_visible()
    await page.get_by_role("combobox").fill("create api")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name="New API key")).to_be_visible()
    await expect(page.get_by_label("Close")).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.type("by hand")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name="Key “by hand”")).to_be_visible()
    await page.get_by_role("button", name="I have stored it").press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)

    await page.keyboard.press("g")
    await page.keyboard.press("o")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Analysis")
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Audit log")
    assert await axe.findings(page) == []
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+Shift+D")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")


async def test_a_lost_server_is_said_and_its_return_noticed(ada: Person) -> None:
    async def refuse(route: Route) -> None:
        await route.abort("connectionrefused")

    await ada.page.route("**/api/**", refuse)
    await ada.page.keyboard.press("g")
    await ada.page.keyboard.press("k")
    banner = ada.page.get_by_role("alert").filter(has_text="out of reach")
    await expect(banner).to_be_visible()
    assert await axe.findings(ada.page) == []
    await expect(banner.get_by_role("button", name="Try again")).to_be_visible()
    await ada.page.unroute("**/api/**")
    # The page asks by itself too, so the button may go before a hand could reach it.
    await expect(banner).to_have_count(0)
    await expect(ada.page.get_by_text("No API keys yet")).to_be_visible()


async def test_an_old_tab_whose_parts_are_gone_loads_the_new_ones(ada: Person) -> None:
    missed: list[str] = []

    async def lose_once(route: Route) -> None:
        if missed:
            await route.continue_()
            return
        missed.append(route.request.url)
        await route.fulfill(status=404)

    await ada.page.route("**/assets/KeysPage-*.js", lose_once)
    await ada.page.keyboard.press("g")
    await ada.page.keyboard.press("k")
    await expect(ada.page.get_by_role("heading", level=1)).to_have_text("API keys")
    assert len(missed) == 1


async def test_an_unknown_address_says_so_and_leads_back(ada: Person) -> None:
    await ada.open("/no/such/page")
    await expect(ada.page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address.")
    await ada.page.get_by_role("link", name="Go to the overview").click()
    await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Analysis")


async def test_the_manual_of_the_api_is_served_from_here(server: str, visit: Visit) -> None:
    page = await visit()
    foreign: list[str] = []
    page.on("request", lambda request: None if request.url.startswith(server) else foreign.append(request.url))
    await page.goto(f"{server}/api/docs")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Intelli API")
    await expect(page.locator("#invite")).to_contain_text("/api/v1/invitations")
    assert await axe.findings(page) == []
    assert foreign == []
    await expect(page).to_have_title(re.compile("Intelli"))
