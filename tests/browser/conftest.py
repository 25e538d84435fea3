"""The real product in a real Chromium: one server and one browser for the run, a fresh person for each test."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright, expect
from tests.browser.person import PASSWORD, Person
from tests.cli import process
from tests.support.installation import Install

CHROMIUM = "/usr/bin/chromium"
FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch", "WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup",
)  # fmt: skip
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # The last such list counts: Playwright's, and the pages of the address bar, which cost every window a second.
    f"--disable-features={','.join(FEATURES)}",
]
DESKTOP = {"width": 1440, "height": 900}
PICTURES = Path("test-results")
# Long enough for a busy machine; a test that passes never waits that long.
WAIT_MS = 90_000
# The browser's own notes about a refused request; what the product makes of it is on the page.
_EXPECTED = re.compile(r"Failed to (load resource|fetch dynamically imported module)")

Visit = Callable[..., Awaitable[Page]]
NewPerson = Callable[[], Awaitable[Person]]


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[str]:
    """`intelli serve` on a data directory of its own and a free port; gives the address."""
    with process.serving(data, env=environment) as server:
        yield server.url


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, install: Install) -> Iterator[str]:
    """The address of an installation where anyone may register, and someone has."""
    # Where anyone may register, models of the machine need the operator's leave.
    environment = {"INTELLI_REGISTRATION": "open", "INTELLI_MODEL__PRIVATE_ENDPOINTS": "true"}
    with serving(install(tmp_path_factory.mktemp("browser") / "data"), **environment) as address:
        _register(address, "first@example.org", "First Owner", "First")
        yield address


@pytest.fixture
def new_server(tmp_path: Path, install: Install) -> Iterator[str]:
    """The address of an installation that nobody has claimed."""
    with serving(install(tmp_path / "data")) as address:
        yield address


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for the run."""
    expect.set_options(timeout=WAIT_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, request: pytest.FixtureRequest) -> AsyncIterator[Visit]:
    """Open a window of a new visitor. A script error or a breach of the content policy fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def complain(text: str) -> None:
        if not _EXPECTED.search(text):
            complaints.append(text)

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            complain(message.text)

    async def new(**options: Any) -> Page:
        context = await browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
        context.set_default_timeout(WAIT_MS)
        context.on("console", listen)
        context.on("weberror", lambda error: complain(str(error.error)))
        contexts.append(context)
        return await context.new_page()

    yield new
    if request.node.stash.get(_FAILED, False):
        await _keep_pictures(contexts, request.node.name)
    for context in contexts:
        await context.close()
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def new_person(server: str, visit: Visit) -> NewPerson:
    """Make an account with a workspace of its own, signed in in a window of its own."""

    async def new() -> Person:
        page = await visit()
        email = f"{uuid4().hex[:8]}@example.org"
        body = {
            "email": email,
            "password": PASSWORD,
            "name": "Ada Lovelace",
            "workspace_name": "Analysis",
            "cookie_only": True,
        }
        answer = await page.context.request.post(f"{server}/api/v1/auth/register", data=body)
        assert answer.ok, await answer.text()
        return Person(page, server, email)

    return new


@pytest_asyncio.fixture(loop_scope="session")
async def signed_in(new_person: NewPerson) -> Person:
    """An owner, signed in, who has opened nothing yet."""
    return await new_person()


@pytest_asyncio.fixture(loop_scope="session")
async def ada(signed_in: Person) -> Person:
    """An owner, signed in, with the overview open."""
    await signed_in.open("/")
    return signed_in


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Remember a failure, so that the fixtures may keep pictures of it."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
    return report


async def _keep_pictures(contexts: list[BrowserContext], name: str) -> None:
    pages = [page for context in contexts for page in context.pages]
    for number, page in enumerate(pages):
        await page.screenshot(path=PICTURES / f"{re.sub(r'[^a-z0-9_]+', '-', name)}-{number}.png")


def _register(address: str, email: str, name: str, workspace: str) -> None:
    body = {"email": email, "password": PASSWORD, "name": name, "workspace_name": workspace}
    httpx.post(f"{address}/api/v1/auth/register", json=body, timeout=60).raise_for_status()
