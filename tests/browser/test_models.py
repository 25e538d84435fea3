"""Models: what an answer is without one, and the ways to one.

A provider and what is found on this machine are the scripted server of `tests.support.model_server`.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.async_api import Locator, Page, expect
from tests.browser import axe
from tests.browser.conftest import PICTURES, NewPerson
from tests.browser.person import Person
from tests.browser.talk import REPORT, Talk
from tests.support.model_server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MODEL = "test-model"
WITHOUT = re.compile("Made without a model")
ABILITIES = 7
# Where Intelli looks for LM Studio, Ollama, llama.cpp and vLLM.
PORTS = (1234, 11434, 8080, 8000)
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A provider whose models need the key `right-key`."""
    with ModelServer(key="right-key") as server:
        yield server


@pytest.fixture
def found() -> Iterator[ModelServer]:
    """A model server without a key, where one on this machine usually listens."""
    with _listening() as server:
        yield server


async def test_without_a_model_the_page_and_every_answer_say_so(signed_in: Person) -> None:
    talk, page = Talk(signed_in), signed_in.page
    await talk.bring(REPORT)
    await signed_in.open("/")
    notice = page.get_by_role("complementary", name="No model is connected")
    await expect(notice.get_by_role("link", name="Connect a model")).to_be_visible()
    await talk.begin()
    await expect(talk.answers.get_by_text(WITHOUT)).to_be_visible()
    await talk.picture("without-model")
    assert await axe.findings(page) == []
    await talk.answers.get_by_role("link", name="Connect a model").click()
    await expect(page.get_by_text("No model. Answers are made of the sources")).to_be_visible()
    install = page.get_by_role("textbox", name="On the server")
    await expect(install).to_have_value(re.compile("^intelli models install --data "))
    await _picture(page, "none")
    assert await axe.findings(page) == []

    await signed_in.open("/")
    await signed_in.button("Do not show this again").click()
    await page.reload()
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await expect(notice).to_have_count(0)


async def test_a_provider_is_connected_tested_chosen_and_asked(signed_in: Person, model: ModelServer) -> None:
    talk, page = Talk(signed_in), signed_in.page
    await talk.bring(REPORT)
    await signed_in.open("/settings/models?connect=true")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Provider", exact=True).select_option("compatible")
    await dialog.get_by_label("Address", exact=True).fill(model.base_url)
    await _key(dialog).fill("wrong-key")
    await dialog.get_by_role("button", name="Connect").click()
    await expect(_key(dialog)).to_have_attribute("aria-invalid", "true")
    await expect(_key(dialog)).to_have_value("wrong-key")
    await expect(dialog.get_by_label("Address", exact=True)).to_have_value(model.base_url)
    assert await axe.findings(page) == []

    await _key(dialog).fill("right-key")
    await dialog.get_by_role("button", name="Connect").click()
    await dialog.get_by_role("radio", name=MODEL).check()
    assert await axe.findings(page) == []
    await dialog.get_by_role("button", name="Add and test").click()
    await expect(dialog).to_have_count(0)

    row = page.get_by_role("article").get_by_role("listitem").filter(has_text=MODEL).first
    await expect(row.get_by_text("First word after")).to_be_visible()
    await expect(row.get_by_role("list", name=f"What {MODEL} can do").get_by_role("listitem")).to_have_count(ABILITIES)
    await expect(page.get_by_text(re.compile("Chosen in this workspace"))).to_be_visible()
    await expect(page.get_by_text("right-key")).to_have_count(0)
    await _picture(page, "connected")
    await _looks_right(signed_in)

    await talk.begin()
    # A model that answers by rules is weak: it is asked, not believed, and the answer says whose words it has.
    await expect(talk.answers.get_by_text(WITHOUT)).to_be_visible()
    assert model.requests


async def test_a_provider_is_removed_and_its_answers_stay(signed_in: Person, model: ModelServer) -> None:
    page = signed_in.page
    await signed_in.open("/settings/models?connect=true")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Provider", exact=True).select_option("compatible")
    await dialog.get_by_label("Address", exact=True).fill(model.base_url)
    await _key(dialog).fill("right-key")
    await dialog.get_by_role("button", name="Connect").click()
    await dialog.get_by_role("button", name="Later").click()
    await expect(page.get_by_text("No model of it is chosen yet.")).to_be_visible()
    await page.get_by_role("button", name=re.compile("^Remove ")).click()
    await signed_in.button("Remove provider").click()
    await expect(page.get_by_text("Nothing is connected")).to_be_visible()


async def test_a_member_reads_and_changes_nothing(signed_in: Person, new_person: NewPerson) -> None:
    link = await signed_in.invite("Member")
    bea = await new_person()
    await bea.page.goto(link)
    await bea.page.get_by_role("button", name="Join as Ada Lovelace").click()
    await expect(bea.page.get_by_role("heading", level=1)).to_have_text("Analysis")
    await bea.open("/settings/models")
    await expect(bea.page.get_by_text("Ask an administrator of the workspace to connect one.")).to_be_visible()
    await expect(bea.button("Connect a provider")).to_have_count(0)
    await expect(bea.page.get_by_text("Found on this machine")).to_have_count(0)


async def test_a_server_found_on_this_machine_is_used_at_one_press(signed_in: Person, found: ModelServer) -> None:
    page = signed_in.page
    await signed_in.open("/settings/models")
    here = (
        page.get_by_role("region", name="Found on this machine").get_by_role("article").filter(has_text=found.base_url)
    )
    await here.get_by_role("button", name=f"Use for thinking: {MODEL}").click()
    await expect(here.get_by_text("Thinking", exact=True)).to_be_visible()
    await expect(page.get_by_text("First word after")).to_be_visible()
    await expect(page.get_by_text(re.compile("Chosen in this workspace"))).to_be_visible()
    assert await axe.findings(page) == []


def _listening() -> ModelServer:
    """On the first of the looked-at ports that is free."""
    for port in PORTS:
        with suppress(OSError):
            return ModelServer(port=port)
    pytest.skip(f"Other programs listen on all of {PORTS}.")


def _key(dialog: Locator) -> Locator:
    return dialog.get_by_role("textbox", name="Key (optional)")


async def _looks_right(person: Person) -> None:
    """In dark, and on a phone."""
    await person.use_theme("dark")
    assert await axe.findings(person.page) == []
    await _picture(person.page, "dark")
    desktop = person.page.viewport_size
    assert desktop is not None
    await person.page.set_viewport_size(PHONE)
    assert await person.page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth") <= 0
    await _picture(person.page, "phone")
    await person.page.set_viewport_size(desktop)


async def _picture(page: Page, name: str) -> None:
    await page.screenshot(path=PICTURES / f"models-{name}.png")
