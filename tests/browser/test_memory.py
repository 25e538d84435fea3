"""Memory on the screen: what is said becomes facts in time, with their proof, until it is forgotten."""

import io
import re

import pytest
from PIL import Image
from playwright.async_api import Locator, Page, expect
from tests.browser import axe
from tests.browser.person import Person
from tests.browser.talk import Talk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_what_was_said_is_seen_as_it_held_then_proved_and_forgotten(ada: Person) -> None:
    page = ada.page
    await ada.open("/memory")
    await expect(page.get_by_text("Nothing is remembered here yet")).to_be_visible()
    await _say(ada, "Ada works for Acme.", "2024-05-01T09:00:00")
    await _say(ada, "Ada now works for Globex.", "2025-03-01T09:00:00")

    await expect(page.get_by_role("application", name="Picture of 3 nodes and 1 fact")).to_be_visible()
    await expect(page.locator("[data-settled=true]")).to_be_visible()
    assert await _colours(page) > 2
    assert await axe.findings(page) == []
    await ada.use_theme("dark")
    assert await axe.findings(page) == []

    await page.get_by_label("Find in the picture").fill("ada")
    await page.keyboard.press("Enter")
    pane = page.get_by_role("article", name="Ada")
    await expect(_facts(pane, "What holds")).to_contain_text("Ada now works for Globex.")
    await ada.button("Before the previous change").click()
    await expect(_facts(pane, "What held then")).to_contain_text("Ada works for Acme.")
    await ada.button("List").click()
    await expect(page.get_by_role("row", name="Ada person")).to_contain_text("Ada works for Acme.")
    await page.reload()
    await _facts(pane, "What held then").get_by_role("button").click()

    fact = page.get_by_role("article", name="Ada works for Acme.")
    await expect(fact).to_contain_text("Something newer took its place.")
    proof = fact.get_by_role("list", name="Proof")
    await expect(proof.locator("mark")).to_have_text("Ada works for Acme.")
    assert await axe.findings(page) == []
    await proof.get_by_role("button", name="Kim").click()
    await ada.button("Forget this episode").click()
    dialog = page.get_by_role("alertdialog")
    await expect(dialog.get_by_role("list", name="Gone for good")).to_contain_text("1 fact that nothing else proves")
    assert await axe.findings(page) == []
    await dialog.get_by_role("button", name="Forget").click()

    await expect(ada.toast("Forgotten.")).to_be_visible()
    await expect(page.get_by_text("Ada works for Acme.")).to_have_count(0)
    await ada.button("Now").click()
    await expect(page.get_by_role("row", name="Ada person")).to_contain_text("Ada now works for Globex.")
    await _declare_types(ada)

    talk = Talk(ada)
    await talk.begin("Where does Ada work?")
    await expect(talk.answers).to_contain_text("Ada now works for Globex.")
    await talk.chips.first.click()
    await expect(page).to_have_url(re.compile("/memory.*episode="))
    await expect(page.get_by_role("article", name="Kim")).to_contain_text("Ada now works for Globex.")


async def _declare_types(person: Person) -> None:
    """Say what the group may hold: first what does not fit together, then what does."""
    page = person.page
    await person.button("About").click()
    await person.button("Types…").click()
    dialog = page.get_by_role("dialog", name="Types of this group")
    await dialog.get_by_label("Left out").fill("planet")
    assert await axe.findings(page) == []
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_text("An excluded type is not among the node types.")).to_be_visible()
    await dialog.get_by_role("button", name="Add a node type").click()
    await dialog.get_by_role("group", name="Node type 1").get_by_label("Name").fill("planet")
    await dialog.get_by_role("button", name="Add a relation type").click()
    relation = dialog.get_by_role("group", name="Relation type 1")
    await relation.get_by_label("Name").fill("orbits")
    await relation.get_by_label("One value at a time").check()
    await dialog.get_by_role("button", name="Save").click()
    await expect(person.toast("Types saved.")).to_be_visible()
    await expect(page.get_by_role("article", name="team")).to_contain_text("orbits")


async def _say(person: Person, content: str, at: str) -> None:
    """Tell memory something through the dialog, and wait until it is remembered."""
    page = person.page
    await person.button("Add a message").first.click()
    dialog = page.get_by_role("dialog", name="Add a message")
    await dialog.get_by_label("What was said").fill(content)
    await dialog.get_by_label("Who said it").fill("Kim")
    await dialog.get_by_label("When (empty: now)").fill(at)
    await dialog.get_by_label("Group").fill("team")
    await dialog.get_by_role("button", name="Remember").click()
    await expect(dialog).to_have_count(0)
    await expect(page.get_by_text("message waiting")).to_have_count(0)
    await expect(page.get_by_role("application")).to_be_visible()


def _facts(pane: Locator, title: str) -> Locator:
    return pane.get_by_role("list", name=title)


async def _colours(page: Page) -> int:
    """How many different colours the picture has, roughly; an empty one has one."""
    shot = await page.get_by_role("application").screenshot()
    picture = Image.open(io.BytesIO(shot)).convert("RGB").quantize(32)
    return len([count for count, _ in picture.getcolors() or [] if count > 20])
