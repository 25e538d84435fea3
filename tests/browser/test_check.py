"""What a check says: marks and confidence of an answer, calculations, and any text held against the library."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import docx
import pytest
import pytest_asyncio
from playwright.async_api import expect
from tests.browser import axe
from tests.browser.checking import REVISE, CarefulModel, CheckPages
from tests.browser.conftest import Visit, serving
from tests.browser.files import file
from tests.browser.person import PASSWORD, Person
from tests.browser.talk import LETTER, REPORT, SEEN, Talk
from tests.support.installation import Install
from tests.support.model_server import ModelServer, Reply

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = {"width": 390, "height": 844}
OVERFLOW = "() => [document.documentElement, document.querySelector('main')].map(e => e.scrollWidth - e.clientWidth)"
NORTH = file("north.md", b"# North\n\nThe northern region of Nordwind sold pumps for 94.3 million euros in 2025.\n")
SOUTH = file("south.md", b"# South\n\nThe southern region of Nordwind sold pumps for 61.2 million euros in 2025.\n")
SUM = "Together, the northern and the southern region of Nordwind sold pumps for 155.5 million euros in 2025."
BOAST = "The southern region has the happiest customers of all."
REVISED = "The southern region of Nordwind sold pumps for 61.2 million euros in 2025."
ANNUAL = file(
    "annual.md",
    b"# Annual report 2025\n\nRevenue of Nordwind came to 412.7 million euros in 2025. The company employed 1,204"
    b" people at the end of the year.\n\nThe board did not propose a dividend for 2025.\n",
)
BERICHT = file(
    "bericht.md",
    "# Geschäftsbericht 2025\n\nDer Umsatz der Nordwind AG betrug 2025 rund 412,7 Millionen Euro. Zum Jahresende"
    " beschäftigte das Unternehmen 1.204 Mitarbeiter.\n".encode(),
)
TRUE = "Revenue of Nordwind came to 412.7 million euros in 2025."
WRONG = "Zum Jahresende beschäftigte das Unternehmen 2.204 Mitarbeiter."
UNSAID = "Giraffes sleep for two hours a night."
MEMO = f"Dear colleagues,\n\n{TRUE} {WRONG}\n\n{UNSAID}\n\nKind regards\n"


async def test_an_answer_tells_what_is_verified_and_how_sure_it_is(signed_in: Person) -> None:
    talk, page = Talk(signed_in), signed_in.page
    await talk.bring(REPORT, LETTER)
    await talk.begin("When did the kingfisher return to the northern lake, and to how many pairs did the count rise?")
    await expect(talk.chips.first).to_have_accessible_name("Source 1: report.pdf, page 6, verified")
    foot = talk.answers.locator("footer")
    await expect(foot).to_contain_text(re.compile(r"(High|Medium|Low) confidence · 2 of 2 statements supported"))
    await expect(foot).not_to_contain_text("%")
    await talk.chips.first.hover()
    card = page.get_by_role("tooltip")
    await expect(card).to_contain_text("Verified")
    await expect(card).to_contain_text("Supported")
    await expect(card).to_contain_text("word for word")
    await talk.picture("marks")
    statements = page.get_by_role("region", name="Statements").get_by_role("listitem")
    await expect(statements).to_have_count(2)
    assert await axe.findings(page) == []


@pytest.fixture
def careful() -> CarefulModel:
    return CarefulModel()


@pytest.fixture
def model(careful: CarefulModel) -> Iterator[ModelServer]:
    """A model that judges as it is told."""
    with ModelServer(answer=careful.answer) as server:
        yield server
        careful.goes_on.set()


@pytest.fixture
def thinking(model: ModelServer, tmp_path: Path, install: Install) -> Iterator[str]:
    """The address of an installation that asks that model."""
    environment = {
        "INTELLI_MODEL__NAME": "test-model",
        "INTELLI_MODEL__BASE_URL": model.base_url,
        "INTELLI_MODEL__TIMEOUT_S": "300",
        # What its test would show of a scripted model says nothing.
        "INTELLI_MODEL__SHAPE": "full",
    }
    with serving(install(tmp_path / "data"), **environment) as address:
        yield address


@pytest_asyncio.fixture(loop_scope="session")
async def grace(thinking: str, visit: Visit) -> Person:
    """An owner of that installation."""
    page, email = await visit(), f"{uuid4().hex[:8]}@example.org"
    body = {"email": email, "password": PASSWORD, "name": "Grace", "workspace_name": "Pumps", "cookie_only": True}
    assert (await page.context.request.post(f"{thinking}/api/v1/auth/register", data=body)).ok
    return Person(page, thinking, email)


async def test_a_sum_leads_to_its_parts_and_a_rejected_sentence_is_written_anew(
    careful: CarefulModel, model: ModelServer, grace: Person
) -> None:
    talk, page = Talk(grace), grace.page
    await talk.bring(NORTH, SOUTH)
    careful.verdicts = {
        SUM: {"verdict": "supported", "reason": "", "calculation": "94.3 + 61.2 = 155.5"},
        BOAST: {"verdict": "not_supported", "reason": "No source speaks of customers.", "calculation": ""},
    }
    model.script(
        Reply(text=f"{SUM} [s1][s2] {BOAST} [s2]", when='"stream": true'),
        Reply(data={"sentences": [{"number": 1, "text": f"{REVISED} [s1]"}]}, when=REVISE),
    )
    await talk.begin("For how much did the northern and the southern region of Nordwind sell pumps in 2025?")
    answer = talk.answers.locator("[data-answer]")
    await expect(answer).to_contain_text(REVISED)
    await expect(answer).not_to_contain_text("happiest")
    await expect(talk.answers.locator("footer")).to_contain_text("2 of 2 statements supported")
    assert sum(REVISE in prompt for prompt in model.prompts()) == 1
    await page.reload()
    await expect(answer).to_contain_text(REVISED)

    await talk.chips.first.hover()
    card = page.get_by_role("tooltip")
    await expect(card).to_contain_text("judged by the model · together with [2]")
    await expect(card).to_contain_text("94.3 million euros + 61.2 million euros = 155.5 million euros")
    await talk.picture("calculation")
    assert await axe.findings(page) == []
    await card.get_by_role("button", name="Open 61.2 million euros in its source").click()
    await expect(page).to_have_url(re.compile("doc="))
    await page.wait_for_function(SEEN)
    await expect(page.locator("mark.evidence")).to_have_text("61.2 million euros")
    await talk.picture("operand")
    await page.keyboard.press("Escape")
    statements = page.get_by_role("region", name="Statements")
    await expect(statements.get_by_role("listitem")).to_have_count(2)
    await statements.get_by_role("button", name="Open 94.3 million euros in its source").press("Enter")
    await expect(page.locator("mark.evidence")).to_have_text("94.3 million euros")


async def test_a_pasted_text_is_checked_and_taken_away(signed_in: Person, tmp_path: Path) -> None:
    ada, page, checks = signed_in, signed_in.page, CheckPages(signed_in)
    await Talk(ada).bring(ANNUAL, BERICHT)
    await ada.open("/check")
    await expect(page.get_by_text("Nothing has been checked yet")).to_be_visible()
    assert await axe.findings(page) == []
    await checks.picture("before")
    await checks.paste(MEMO)
    await expect(page.get_by_role("heading", level=1)).to_have_text(TRUE)
    await expect(checks.statements).to_have_text(
        [f"{TRUE}✓ (Supported)", f"{WRONG}✕ (Not supported)", f"{UNSAID}✕ (Not supported)"]
    )
    await expect(ada.button("Not supported 2")).to_be_visible()

    await _look_at_each(checks)
    await _take_away(checks, tmp_path)
    await ada.use_theme("dark")
    assert await axe.findings(page) == []
    await checks.picture("dark")
    await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert await page.evaluate(OVERFLOW) == [0, 0]
    assert await axe.findings(page) == []
    await checks.picture("phone")

    await ada.button(f"Delete the check of {TRUE}").click()
    await ada.button("Delete").click()
    await expect(page.get_by_text("Nothing has been checked yet")).to_be_visible()


async def _look_at_each(checks: CheckPages) -> None:
    """The reason, and the passages for and against, opened beside the text."""
    page, panel = checks.page, checks.panel
    await page.keyboard.press("n")
    await expect(panel).to_contain_text("word for word")
    await panel.get_by_role("region", name="Says so").get_by_role("button").click()
    await page.wait_for_function(SEEN)
    await expect(page.locator("mark.evidence")).to_contain_text(TRUE.rstrip("."))
    await page.keyboard.press("Escape")
    await checks.statements.nth(1).click()
    await expect(panel).to_contain_text("The sources do not have “2.204”")
    await checks.picture("after")
    assert await axe.findings(page) == []
    await panel.get_by_role("region", name="Says otherwise").get_by_role("button").click()
    await page.wait_for_function(SEEN)
    await expect(page.locator("mark.evidence")).to_contain_text("1.204 Mitarbeiter")
    await checks.picture("against")
    await page.keyboard.press("Escape")
    await checks.statements.nth(2).click()
    await expect(panel).to_contain_text("Nothing in the library says this.")


async def _take_away(checks: CheckPages, folder: Path) -> None:
    """As a Word file, with a comment on what is not supported."""
    await checks.person.button("Download").click()
    async with checks.page.expect_download() as downloading:
        await checks.page.get_by_role("menuitem", name=re.compile("^Word")).click()
    taken = await downloading.value
    assert taken.suggested_filename.endswith(".docx")
    await taken.save_as(folder / "check.docx")
    document = docx.Document(str(folder / "check.docx"))
    comments = [comment.text for comment in document.comments]
    assert len(comments) == 2
    assert "2.204" in comments[0]
    assert "Nothing in the library says this." in comments[1]
    assert WRONG in "\n".join(paragraph.text for paragraph in document.paragraphs)


async def test_a_check_shows_how_far_it_is_and_can_be_stopped(
    careful: CarefulModel, model: ModelServer, grace: Person
) -> None:
    page, checks = grace.page, CheckPages(grace)
    await Talk(grace).bring(ANNUAL)
    careful.goes_on.clear()
    told = [f"In other words, Nordwind employed people in {1900 + number}." for number in range(30)]
    await checks.paste("\n\n".join([TRUE, *told]))
    await expect(page.get_by_role("status").filter(has_text="statements")).to_have_text("0 of 31 statements")
    await expect(page.get_by_role("progressbar", name="Progress of the check")).to_be_visible()
    await checks.picture("during")
    assert await axe.findings(page) == []
    await grace.button("Cancel").click()
    await expect(page.get_by_text("This check was stopped.")).to_be_visible()
    await page.get_by_role("link", name="All checks").click()
    await expect(page.get_by_role("list", name="Earlier checks")).to_contain_text("Cancelled")
    await checks.picture("list")
    careful.goes_on.set()


async def test_a_deliverable_is_checked_from_its_page(ada: Person) -> None:
    talk, page = Talk(ada), ada.page
    await talk.bring(ANNUAL)
    await ada.open("/")
    await ada.button("What to make: Answer").click()
    await page.get_by_role("menuitemradio", name=re.compile("^Report")).first.click()
    await expect(ada.button("What to make: Report")).to_be_focused()
    await talk.ask("What was the revenue of Nordwind in 2025?")
    await expect(talk.answers).to_have_count(1)
    await page.get_by_role("region", name=re.compile("^Report: ")).get_by_role("link", name="Open").click()
    await expect(page).to_have_url(re.compile("/deliverables/"))
    await ada.button("Check").click()
    await expect(page).to_have_url(re.compile("/check/"))
    await expect(CheckPages(ada).statements.first).to_contain_text("(Supported)")
    await expect(page.get_by_role("group", name="The checked text")).to_contain_text("412.7 million euros")
    await CheckPages(ada).picture("deliverable")
