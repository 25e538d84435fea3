"""The log on the screen."""

import csv
import json
import re
from pathlib import Path

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


async def test_filters_live_in_the_address_and_survive_a_reload(ada: Person) -> None:
    await ada.create_key("one")
    await ada.open("/settings/audit")
    await ada.page.get_by_label("Event", exact=True).select_option("Key created")
    await expect(ada.page.locator("tbody tr")).to_have_count(1)
    await expect(ada.page).to_have_url(re.compile("event=key_created"))
    await ada.page.reload()
    await expect(ada.page.locator("tbody tr")).to_have_count(1)
    await ada.page.get_by_label("Outcome").select_option("Failed")
    await expect(ada.page.get_by_text("Nothing matches these filters")).to_be_visible()
    await ada.button("Clear filters").click()
    await expect(ada.page.get_by_text("created the workspace")).to_be_visible()


async def test_the_log_follows_what_happens_elsewhere(ada: Person) -> None:
    await ada.open("/settings/audit")
    await ada.button("Follow live").click()
    await expect(ada.button("Live")).to_be_visible()
    # The log has entries of its own, too, such as that its end is kept outside the database from now on.
    created = ada.page.locator("tbody tr").filter(has_text="created an API key")
    await expect(created).to_have_count(0)
    other = Person(await ada.page.context.new_page(), ada.server, ada.email)
    await other.create_key("elsewhere")
    await expect(created).to_have_count(1)
    await ada.button("Live").click()
    await expect(ada.button("Follow live")).to_be_visible()


async def test_an_export_holds_what_the_filters_let_through(ada: Person, tmp_path: Path) -> None:
    await ada.create_key("one")
    await ada.open("/settings/audit?event=key_created")
    for entry, suffix in (("CSV, for spreadsheets", "csv"), ("JSON lines, for programs", "jsonl")):
        await ada.button("Export").click()
        async with ada.page.expect_download() as waiting:
            await ada.page.get_by_role("menuitem", name=entry).click()
        download = await waiting.value
        assert download.suggested_filename.endswith(suffix)
        await download.save_as(tmp_path / f"log.{suffix}")
    with (tmp_path / "log.csv").open(newline="") as file:
        assert [row["event_type"] for row in csv.DictReader(file)] == ["key_created"]
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["event_type"] for line in lines[:-1]] == ["key_created"]
    assert json.loads(lines[-1])["proof"]["filters"] == {"event_type": "key_created"}


async def test_the_chain_is_verified_and_an_entry_shows_its_seal(ada: Person) -> None:
    await ada.open("/settings/audit")
    await ada.button("Verify the log").click()
    await expect(ada.page.get_by_text("The log is whole.")).to_be_visible()
    await ada.page.get_by_role("button", name=re.compile("created the workspace")).click()
    detail = ada.page.get_by_role("article", name="Entry 1")
    await expect(detail.locator("mark")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    assert await axe.findings(ada.page) == []
    await ada.button("Close entry").click()
    await expect(detail).to_have_count(0)
