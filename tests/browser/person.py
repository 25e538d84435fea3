"""Someone at the keyboard: the ways through the product, in the words on its buttons."""

import re
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Locator, Page, expect

PASSWORD = "analytical engine 1843"
Theme = Literal["light", "dark"]


@dataclass
class Person:
    """A window, the product's address and the account signed in there."""

    page: Page
    server: str
    email: str

    async def open(self, path: str) -> None:
        """Go to an address and wait until its page stands there, loaded."""
        await self.page.goto(self.server + path)
        await settled(self.page)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def toast(self, text: str) -> Locator:
        """The message as shown, apart from its twin for screen readers."""
        return self.page.get_by_text(text, exact=True)

    async def sign_in(self, password: str = PASSWORD) -> None:
        """Fill in the sign-in form and send it."""
        await self.page.get_by_label("E-mail").fill(self.email)
        await self.page.get_by_label("Password", exact=True).fill(password)
        await self.button("Sign in").click()

    async def sign_out(self) -> None:
        """Leave by the account menu."""
        await self.page.get_by_role("button", name="Account").click()
        await self.page.get_by_role("menuitem", name="Sign out").click()
        await expect(self.page).to_have_url(re.compile("/login"))

    async def invite(self, role: str = "Member", email: str = "") -> str:
        """Make an invitation and take its link."""
        await self.open("/settings/workspace?invite=true")
        await self.page.get_by_label("Role", exact=True).select_option(role)
        await self.page.get_by_label("E-mail (optional)").fill(email)
        await self.button("Create link").click()
        link = await self.page.get_by_label("Invitation link", exact=True).input_value()
        await self.button("Done").click()
        return link

    async def create_key(self, name: str) -> str:
        """Make a key and take its secret."""
        await self.open("/settings/keys?create=true")
        await self.page.get_by_label("Name", exact=True).fill(name)
        await self.button("Create key").click()
        secret = await self.page.get_by_label("API key", exact=True).input_value()
        await self.button("I have stored it").click()
        return secret

    async def use_theme(self, theme: Theme) -> None:
        """Choose a theme in the account menu."""
        await self.page.get_by_role("button", name="Account").click()
        await self.page.get_by_role("menuitemradio", name=theme.title()).click()
        await expect(self.page.locator("html")).to_have_attribute("data-theme", theme)
        await expect(self.page.get_by_role("menu")).to_have_count(0)


async def settled(page: Page) -> None:
    """Wait until the page has its title and nothing in it is loading."""
    # Not by role: a dialog that the address opens hides the page from assistive technology.
    await page.locator("h1").wait_for()
    await expect(page.get_by_role("status", name="Loading")).to_have_count(0)
