"""People and workspaces."""

import re

import pytest
from playwright.async_api import expect
from tests.browser import axe
from tests.browser.conftest import NewPerson, Visit
from tests.browser.person import PASSWORD, Person, settled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def join(link: str, visit: Visit, *, server: str, email: str) -> Person:
    """Follow an invitation link as someone without an account."""
    page = await visit()
    await page.goto(link)
    await page.get_by_label("Your name").fill("Grace Hopper")
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="Create account and join").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Analysis")
    return Person(page, server, email)


async def test_an_invited_colleague_joins_with_a_new_account(ada: Person, visit: Visit) -> None:
    link = await ada.invite()
    assert re.search(r"/join#.+", link)
    grace = await join(link, visit, server=ada.server, email=f"grace.{ada.email}")
    await expect(grace.page.get_by_role("link", name="2 members")).to_be_visible()

    await ada.open("/settings/workspace")
    await expect(ada.page.get_by_label("Role of Grace Hopper")).to_have_value("member")
    await expect(ada.page.get_by_text("No open invitations")).to_be_visible()

    used = await visit()
    await used.goto(link)
    await expect(used.get_by_role("alert")).to_be_visible()
    assert await axe.findings(used) == []


async def test_someone_with_an_account_accepts_as_who_they_are(ada: Person, new_person: NewPerson) -> None:
    link = await ada.invite(role="Viewer")
    bea = await new_person()
    await bea.page.goto(link)
    await bea.page.get_by_role("button", name="Join as Ada Lovelace").click()
    await settled(bea.page)
    await expect(bea.page.get_by_text("Your role: viewer")).to_be_visible()


async def test_a_role_hides_what_it_cannot_do(ada: Person, visit: Visit) -> None:
    grace = await join(await ada.invite(), visit, server=ada.server, email=f"grace.{ada.email}")
    await expect(grace.page.get_by_role("link", name=re.compile("Create an API key"))).to_be_visible()
    await expect(grace.page.get_by_role("link", name=re.compile("Invite a colleague"))).to_have_count(0)
    await grace.open("/settings/workspace?invite=true")
    await expect(grace.page.get_by_role("heading", name="Members", exact=True)).to_be_visible()
    await expect(grace.page.get_by_role("dialog")).to_have_count(0)
    await expect(grace.page.get_by_role("heading", name="Open invitations")).to_have_count(0)
    await expect(grace.page.get_by_label("Role of Ada Lovelace")).to_have_count(0)
    await grace.open("/settings/audit")
    await expect(grace.button("Verify the log")).to_have_count(0)

    await ada.open("/settings/workspace")
    await ada.page.get_by_label("Role of Grace Hopper").select_option("Admin")
    await expect(ada.toast("Grace Hopper is admin now.")).to_be_visible()
    # The new role is in the next token; a reload asks for one.
    await grace.open("/settings/audit")
    await expect(grace.button("Verify the log")).to_be_visible()


async def test_a_removed_member_is_out(ada: Person, visit: Visit) -> None:
    grace = await join(await ada.invite(), visit, server=ada.server, email=f"grace.{ada.email}")
    await ada.open("/settings/workspace")
    await ada.button("Remove Grace Hopper").click()
    await ada.button("Remove member").click()
    await expect(ada.toast("Grace Hopper is no longer a member.")).to_be_visible()
    await grace.page.reload()
    await expect(grace.page).to_have_url(re.compile("/login"))


async def test_the_last_owner_is_told_why_they_cannot_leave(ada: Person) -> None:
    await ada.open("/settings/workspace")
    await ada.button("Leave workspace").click()
    await ada.page.get_by_role("alertdialog").get_by_role("button", name="Leave workspace").click()
    await expect(ada.page.get_by_role("alert")).to_contain_text("needs an owner")


async def test_a_rename_over_someone_elses_is_refused_and_shown(ada: Person) -> None:
    await ada.open("/settings/workspace")
    other = Person(await ada.page.context.new_page(), ada.server, ada.email)
    await other.open("/settings/workspace")
    await other.page.get_by_label("Workspace name").fill("Theirs")
    await other.button("Rename").click()
    await expect(other.toast("The workspace is renamed.")).to_be_visible()

    await ada.page.get_by_label("Workspace name").fill("Mine")
    await ada.button("Rename").click()
    await expect(ada.page.get_by_text("changed this in the meantime")).to_be_visible()
    await expect(ada.page.get_by_label("Workspace name")).to_have_value("Mine")
    await ada.button("Show their version").click()
    await expect(ada.page.get_by_label("Workspace name")).to_have_value("Theirs")


async def test_a_new_workspace_is_entered_and_left_again(ada: Person) -> None:
    await ada.page.get_by_role("button", name="Switch workspace").click()
    await ada.page.get_by_role("menuitem", name="New workspace").click()
    await ada.page.get_by_label("Name", exact=True).fill("Poetical science")
    await ada.button("Create workspace").click()
    await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Poetical science")
    other = await ada.page.context.new_page()
    await other.goto(f"{ada.server}/settings/audit")
    await expect(other.get_by_role("heading", level=1)).to_have_text("Audit log")
    await ada.page.get_by_role("button", name="Switch workspace").click()
    await ada.page.get_by_role("menuitemradio", name="Analysis").click()
    await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Analysis")
    # The cookie now speaks for the first workspace, so the other tab must not stay behind in the second.
    await expect(other.get_by_role("heading", level=1)).to_have_text("Analysis")
