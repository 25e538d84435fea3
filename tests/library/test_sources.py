"""Documents from elsewhere: pages of the web, services behind OAuth, and a source that a newcomer adds."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import httpx
import pytest
from pydantic import SecretStr
from tests.library.makers import get, listed
from tests.library.origin import Asked, Origin, Said, origin
from tests.support.server import Person, register, running, settings_for

from intelli.app import App, Engine
from intelli.library.settings import LibrarySettings, OAuthSettings
from intelli.library.sources import SOURCES, Sources
from intelli.library.sources.port import FetchedDocument
from intelli.library.wire import FetchStrategy
from intelli.settings import Settings

PAGE = b"<html><head><title>Tides &amp; times / 2026</title></head><body><p>High water at noon.</p></body></html>"
HTML = {"Content-Type": "text/html; charset=utf-8"}


@pytest.fixture
async def web() -> AsyncIterator[Origin]:
    async with origin() as place:
        place.answers["/page"] = Said(PAGE, headers=HTML)
        place.answers["/token"] = _token
        place.answers["/graph/drives/d1/items/i1"] = Said(
            b'{"name": "Plan.pdf", "file": {"mimeType": "application/pdf"}}'
        )
        place.answers["/graph/drives/d1/items/i1/content"] = _content
        place.answers["/graph/me/messages/m1"] = Said(
            b'{"subject": "Re: a/b", "webLink": "https://mail.example.org/1"}'
        )
        place.answers["/graph/me/messages/m1/$value"] = Said(b"Subject: Re: a/b\r\n\r\nHello")
        yield place


def _token(asked: Asked) -> Said:
    if asked.form.get("client_secret") != "s3cret":
        return Said(b"{}", 401)
    kind = asked.form["grant_type"]
    return Said(f'{{"access_token": "token-for-{kind}", "token_type": "Bearer"}}'.encode())


def _content(asked: Asked) -> Said:
    if asked.headers.get("authorization") != "Bearer token-for-client_credentials":
        return Said(b"who are you?", 401)
    return Said(b"%PDF-1.7 the plan", headers={"Content-Type": "application/pdf"})


@pytest.fixture
def settings(tmp_path: Path, web: Origin) -> Settings:
    """An installation that may reach the loopback and is connected to SharePoint and a mailbox there."""
    service = OAuthSettings(
        client_id="me", client_secret=SecretStr("s3cret"), token_url=f"{web.url}/token", api_url=f"{web.url}/graph"
    )
    mailbox = service.model_copy(update={"refresh_token": SecretStr("r")})
    options = LibrarySettings(web_allow_private=True, fetch_limit_bytes=4096, sharepoint=service, email=mailbox)
    return settings_for(tmp_path, library=options)


async def take(person: Person, source_type: str, reference: str) -> tuple[int, dict[str, object]]:
    answer = await person.client.post(f"/sources/{source_type}/import", json={"reference": reference})
    return answer.status_code, answer.json()


async def test_a_page_of_the_web_becomes_a_document_called_by_its_title(owner: Person, web: Origin):
    status, document = await take(owner, "web", f"{web.url}/page#part")
    assert (status, document["name"]) == (201, "Tides & times \N{FRACTION SLASH} 2026.html")
    assert (document["source_type"], document["fetch_strategy"]) == ("web", "external")
    assert document["external_url"] == f"{web.url}/page"
    assert document["last_synced_at"] is not None
    assert (await owner.client.get(f"/documents/{document['id']}/content")).content == PAGE


async def test_importing_or_synchronising_again_makes_a_version_only_when_the_page_changed(owner: Person, web: Origin):
    _, first = await take(owner, "web", f"{web.url}/page")
    await owner.client.patch(f"/documents/{first['id']}", json={"name": "mine.html"})
    _, again = await take(owner, "web", f"{web.url}/page")
    assert (again["id"], again["name"], again["version"]) == (first["id"], "mine.html", 2)
    web.answers["/page"] = Said(PAGE + b"!", headers=HTML)
    synced = await owner.client.post(f"/documents/{first['id']}/sync")
    assert (synced.json()["version"], synced.headers["ETag"]) == (3, '"3"')
    web.answers["/page"] = Said(b"gone", 410)
    refused = await owner.client.post(f"/documents/{first['id']}/sync")
    assert (refused.status_code, refused.json()["code"], refused.json()["status_code"]) == (409, "source_refused", 410)
    assert len(await listed(owner, "/documents")) == 1


async def test_a_redirect_is_followed_and_told(owner: Person, web: Origin):
    web.answers["/old"] = Said(status=302, headers={"Location": "/page"})
    web.answers["/loop"] = Said(status=302, headers={"Location": "/loop"})
    _, document = await take(owner, "web", f"{web.url}/old")
    assert document["external_metadata"]["final_url"] == f"{web.url}/page"
    assert (await take(owner, "web", f"{web.url}/loop"))[1]["code"] == "source_refused"


async def test_more_than_the_limit_is_refused_and_leaves_nothing(owner: Person, web: Origin):
    web.answers["/big"] = Said(b"x" * 5000, headers=HTML)
    status, problem = await take(owner, "web", f"{web.url}/big")
    assert (status, problem["code"]) == (413, "blob_too_large")
    assert await listed(owner, "/documents") == []


@pytest.mark.parametrize(
    "reference",
    [
        "file:///etc/passwd",
        "ftp://example.org/x",
        "example.org",
        "http://",
        "http://[::1",
        "https://u:p@example.org/",
        "//x",
    ],
)
async def test_what_is_no_address_of_the_web_is_refused(owner: Person, reference: str):
    status, problem = await take(owner, "web", reference)
    assert (status, problem["code"]) == (422, "address_refused")


async def test_a_document_behind_oauth_is_imported_and_passed_on(owner: Person, web: Origin):
    status, document = await take(owner, "sharepoint", "d1/i1")
    assert (status, document["name"], document["mime_type"]) == (201, "Plan.pdf", "application/pdf")
    assert (document["external_id"], document["fetch_strategy"]) == ("d1/i1", "oauth_proxy")
    proxied = await owner.client.get("/external/sharepoint/d1/i1")
    assert (proxied.status_code, proxied.content) == (200, b"%PDF-1.7 the plan")
    assert "Plan.pdf" in proxied.headers["Content-Disposition"]
    assert proxied.headers["X-Content-Type-Options"] == "nosniff"
    read = (await get(owner, "/audit", event_type="file_read"))["items"]
    assert [entry["entity_id"] for entry in read] == [document["id"]]


async def test_a_mailbox_is_read_for_the_account_whose_refresh_token_is_set(owner: Person, web: Origin):
    status, document = await take(owner, "email", "m1")
    assert (status, document["name"]) == (201, "Re: a\N{FRACTION SLASH}b.eml")
    assert document["mime_type"] == "message/rfc822"
    assert document["external_url"] == "https://mail.example.org/1"
    assert web.asked[0].form["grant_type"] == "refresh_token"


async def test_only_what_was_imported_is_passed_on(owner: Person, web: Origin):
    answer = await owner.client.get("/external/sharepoint/d1/i1")
    assert (answer.status_code, answer.json()["code"]) == (404, "document_not_found")
    assert web.asked == []


@pytest.mark.parametrize("reference", ["d1", "d1/i1/x", "../i1", "d1/..", "d1/i 1", "d1/i1?x=y", "d1//i1"])
async def test_a_reference_cannot_leave_its_place(owner: Person, web: Origin, reference: str):
    status, problem = await take(owner, "sharepoint", reference)
    assert (status, problem["code"]) == (422, "invalid_reference")
    assert web.asked == []


async def test_only_the_first_workspace_uses_the_installations_access_unless_others_are_named(
    owner: Person, web: Origin, settings: Settings, engine: Engine
):
    first = (await get(owner, "/auth/me"))["workspace"]["id"]
    await take(owner, "sharepoint", "d1/i1")
    other = (await owner.client.post("/workspaces", json={"name": "Second"})).raise_for_status().json()["id"]
    entered = await owner.client.post("/auth/switch", json={"workspace_id": other})
    token = entered.raise_for_status().json()["access_token"]
    asked = len(web.asked)
    owner.client.headers["Authorization"] = f"Bearer {token}"
    status, problem = await take(owner, "sharepoint", "d1/i1")
    assert (status, problem["code"]) == (403, "source_not_allowed")
    assert "INTELLI_LIBRARY__SHAREPOINT__WORKSPACES" in str(problem["detail"])
    assert (await owner.client.get("/external/sharepoint/d1/i1")).status_code == 403
    assert (await take(owner, "web", f"{web.url}/page"))[0] == 201
    assert len(web.asked) == asked + 1

    named = settings.library.sharepoint.model_copy(update={"workspaces": (UUID(other),)})
    library = settings.library.model_copy(update={"sharepoint": named})
    app = App(settings.model_copy(update={"library": library}), engine)
    async with running(app) as address:
        owner.client.base_url = f"{address}/api/v1"
        assert (await take(owner, "sharepoint", "d1/i1"))[0] == 201
        back = await owner.client.post("/auth/switch", json={"workspace_id": first})
        owner.client.headers["Authorization"] = f"Bearer {back.json()['access_token']}"
        assert (await take(owner, "sharepoint", "d1/i1"))[0] == 403
    await app.close()


async def test_a_source_that_is_not_connected_says_what_to_set(owner: Person):
    status, problem = await take(owner, "onedrive", "i1")
    assert (status, problem["code"]) == (409, "source_not_configured")
    assert "INTELLI_LIBRARY__ONEDRIVE__CLIENT_ID" in problem["missing"]
    assert (await take(owner, "blob_storage", "x"))[1]["code"] == "source_gives_nothing"
    assert (await take(owner, "nowhere", "x"))[1]["code"] == "source_not_found"
    found = {each["source_type"]: each["configured"] for each in await get(owner, "/sources")}
    assert found == {"blob_storage": True, "web": True, "sharepoint": True, "onedrive": False, "email": True}


class Feed:
    """A new kind of source, as somebody might add it: this class is its file."""

    source_type = "feed"
    title = "Feed"
    fetch_strategy = FetchStrategy.EXTERNAL
    can_import = True

    def missing(self, settings: LibrarySettings) -> list[str]:
        return []

    @asynccontextmanager
    async def fetch(self, reference: str, settings: LibrarySettings) -> AsyncIterator[FetchedDocument]:
        async def chunks() -> AsyncIterator[bytes]:
            yield f"entry {reference}".encode()

        yield FetchedDocument(chunks(), f"{reference}.txt", "text/plain", reference)

    def url_of(self, external_id: str, settings: LibrarySettings) -> str | None:
        return None


class WithFeed(App):
    @property
    def parts(self):  # type: ignore[no-untyped-def]
        return {**super().parts, Sources: Sources((*SOURCES, Feed()))}  # the one line


async def test_a_new_source_is_one_file_and_one_line(settings: Settings, engine: Engine):
    app = WithFeed(settings, engine)
    async with running(app) as address, httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60) as client:
        owner = await register(client, "owner@example.org", workspace_name="Research")
        status, document = await take(owner, "feed", "today")
        assert (status, document["source_type"], document["fetch_strategy"]) == (201, "feed", "external")
        assert (await owner.client.get(f"/documents/{document['id']}/content")).text == "entry today"
        assert [each["name"] for each in await listed(owner, "/documents", source_type="feed")] == ["today.txt"]
    await app.close()


class TestWithoutPermission:
    """The usual installation, which reaches nothing of its own network."""

    @pytest.fixture
    def settings(self, tmp_path: Path) -> Settings:
        return settings_for(tmp_path)

    async def test_an_address_inside_is_refused_however_it_is_written(self, owner: Person, web: Origin):
        port = web.url.rpartition(":")[2]
        hosts = ("127.0.0.1", "localhost", "[::1]", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0")
        for host in hosts:
            status, problem = await take(owner, "web", f"http://{host}:{port}/page")
            assert status in {422, 503}, host
            assert problem["code"] in {"address_refused", "source_unavailable"}, host
        assert web.asked == []
