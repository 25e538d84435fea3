"""Connecting endpoints: what refuses the key or does not answer is not kept, and keys are kept to themselves."""

import json
import logging
import socket
from pathlib import Path
from uuid import UUID

import httpx
import pytest
import structlog
from sqlalchemy import text
from tests.models.makers import KEY, add, capable_server, choose, connect, show
from tests.support.model_server import ModelServer
from tests.support.server import Person, Visit, join, settings_for

from intelli.app import App
from intelli.identity.wire import RegistrationMode
from intelli.kit.checked_connections import AddressRefused
from intelli.kit.context import System
from intelli.models import connect as connecting
from intelli.models.errors import ModelAddressRefused
from intelli.reasoning.adapters import endpoints
from intelli.reasoning.verbs.title import TitleInput
from intelli.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A server that allows models of its own machine."""
    return settings_for(tmp_path, model={"private_endpoints": True})


async def _refusal(person: Person, **body: object) -> tuple[int, str]:
    answer = await person.client.post("/models/endpoints", json=body)
    return answer.status_code, answer.json()["code"]


async def test_an_endpoint_is_kept_once_it_answers_with_the_key(owner: Person):
    with capable_server(key=KEY) as server:
        assert await _refusal(owner, base_url=server.base_url) == (409, "model_key_refused")
        assert await _refusal(owner, base_url=server.base_url, api_key="sk-wrong") == (409, "model_key_refused")
        assert (await show(owner))["endpoints"] == []
        endpoint = await connect(owner, server, api_key=f" {KEY}\n")
        offered = await owner.client.get(f"/models/endpoints/{endpoint['id']}/offered")
    assert (endpoint["base_url"], endpoint["key_hint"], endpoint["version"]) == (server.base_url, "\u2026cdef", 1)
    assert offered.json() == [{"name": "test-model", "context_tokens": 32768}]


async def test_what_does_not_answer_is_not_kept_and_the_remedy_is_told(owner: Person):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    answer = await owner.client.post("/models/endpoints", json={"base_url": f"http://127.0.0.1:{port}/v1"})
    assert (answer.status_code, answer.json()["code"]) == (409, "model_unreachable")
    assert "running" in answer.json()["detail"]
    with ModelServer(list_status=500) as server:
        assert await _refusal(owner, base_url=server.base_url) == (409, "model_unreachable")
    assert (await show(owner))["endpoints"] == []


async def test_an_endpoint_without_a_list_is_kept_and_names_are_typed(owner: Person):
    with ModelServer(list_path="/nowhere") as server:
        endpoint = await connect(owner, server)
        offered = await owner.client.get(f"/models/endpoints/{endpoint['id']}/offered")
        model = await add(owner, endpoint, "typed-by-hand")
    assert offered.json() == []
    assert (model["name"], model["context_tokens"]) == ("typed-by-hand", 32000)


@pytest.mark.parametrize(
    "method", ["/chat/completions", "/chat/completions/", "/completions", "/models", "/embeddings"]
)
async def test_an_address_of_a_method_is_corrected(owner: Person, method: str):
    with ModelServer(list_path="/nowhere", chat_path="/v1/chat/completions") as server:
        made = await owner.client.post("/models/endpoints", json={"base_url": f"{server.base_url}{method}"})
        assert made.raise_for_status().json()["base_url"] == server.base_url
        change = {"base_url": f"{server.base_url}{method}", "expected_version": 1}
        moved = await owner.client.patch(f"/models/endpoints/{made.json()['id']}", json=change)
        assert moved.raise_for_status().json()["base_url"] == server.base_url


async def test_an_address_without_a_list_and_without_the_method_is_refused_with_what_to_write(owner: Person):
    with ModelServer(list_path="/nowhere", chat_path="/v1/chat/completions") as server:
        answer = await owner.client.post("/models/endpoints", json={"base_url": f"{server.base_url}/chat"})
    assert (answer.status_code, answer.json()["code"]) == (409, "model_unreachable")
    assert "up to and with its version" in answer.json()["detail"]
    assert server.requests == [], "no model was asked"
    assert (await show(owner))["endpoints"] == []


async def test_an_address_without_its_version_is_corrected(owner: Person):
    with capable_server(list_path="/v1/models") as server:
        answer = await owner.client.post("/models/endpoints", json={"base_url": server.base_url.removesuffix("v1")})
    assert answer.json()["base_url"] == server.base_url


@pytest.mark.parametrize(
    "url",
    [
        *("http://169.254.169.254/v1", "http://[fd00:ec2::254]/v1", "http://metadata.google.internal/v1"),
        *("http://metadata/v1", "ftp://127.0.0.1/v1", "file:///etc/passwd", "http://me:it@127.0.0.1/v1", "127.0.0.1"),
    ],
)
async def test_some_addresses_are_never_asked(owner: Person, url: str):
    assert await _refusal(owner, base_url=url) == (422, "model_address_refused")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://10.0.0.1/v1", "http://[::1]/v1"])
async def test_private_addresses_need_the_operators_leave(url: str):
    with pytest.raises(ModelAddressRefused, match="INTELLI_MODEL__PRIVATE_ENDPOINTS"):
        await connecting.check_address(url, allow_private=False)
    await connecting.check_address(url, allow_private=True)


def test_private_addresses_are_allowed_where_the_database_is_embedded_and_no_stranger_registers(tmp_path: Path):
    assert settings_for(tmp_path).allows_private_endpoints
    assert not settings_for(tmp_path, model={"private_endpoints": False}).allows_private_endpoints
    assert not settings_for(tmp_path, registration=RegistrationMode.OPEN).allows_private_endpoints
    elsewhere = settings_for(tmp_path, database_url="postgresql://me@db.example.org/intelli")
    assert not elsewhere.allows_private_endpoints


async def test_a_provider_that_needs_a_key_is_not_asked_without_one(owner: Person):
    assert await _refusal(owner, provider="openai") == (409, "model_key_needed")
    assert await _refusal(owner, provider="azure", api_key="k") == (422, "model_address_refused")


async def test_azure_gets_its_key_in_its_own_header_as_well(app: App, owner: Person):
    with capable_server(key=KEY) as server:
        await choose(owner, server, provider="azure", api_key=KEY)
        async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
            pair = await app.reasoners.find(tx)
        await pair.reasoner.do(TitleInput(question="What is new?", answer="Nothing."))
    assert server.headers[-1]["api-key"] == KEY


async def test_a_key_is_encrypted_at_rest_and_in_no_answer_log_or_audit_entry(
    app: App, owner: Person, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    with capable_server(key=KEY) as server, structlog.testing.capture_logs() as lines:
        endpoint = await connect(owner, server, api_key=KEY)
        await add(owner, endpoint, role="thinking")
        changed = {"api_key": KEY, "expected_version": 1}
        answers = [
            await owner.client.get("/models"),
            await owner.client.get("/audit"),
            await owner.client.patch(f"/models/endpoints/{endpoint['id']}", json=changed),
        ]
    told = [json.dumps(endpoint), *(answer.raise_for_status().text for answer in answers), str(lines), caplog.text]
    assert [each for each in told if KEY in each] == []
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        (row,) = (await tx.session.execute(text("select m::text as all_of_it, api_key from model_endpoints m"))).all()
    assert KEY not in row.all_of_it
    assert KEY.encode() not in bytes(row.api_key)
    changes = [each["details"].get("change") for each in answers[1].json()["items"]]
    assert {"model_endpoint_connected", "model_added"} <= set(changes)


async def test_members_see_no_hints_of_keys_and_change_nothing(owner: Person, visit: Visit):
    member = await join(owner, visit(), "member@example.org")
    with capable_server(key=KEY) as server:
        endpoint = await connect(owner, server, api_key=KEY)
        refused = [
            await member.client.get("/models/found"),
            await member.client.post("/models/endpoints", json={"base_url": server.base_url}),
            await member.client.delete(f"/models/endpoints/{endpoint['id']}"),
        ]
    assert [answer.status_code for answer in refused] == [403, 403, 403]
    assert [each["key_hint"] for each in (await show(member))["endpoints"]] == [None]
    assert [each["key_hint"] for each in (await show(owner))["endpoints"]] == ["\u2026cdef"]


async def test_a_kept_key_goes_to_no_other_host(owner: Person):
    with capable_server(key=KEY) as server, ModelServer() as other:
        endpoint = await connect(owner, server, api_key=KEY)
        path = f"/models/endpoints/{endpoint['id']}"
        moved = await owner.client.patch(path, json={"base_url": other.base_url, "expected_version": 1})
        assert (moved.status_code, moved.json()["code"]) == (409, "model_key_needed")
        body = {"base_url": other.base_url, "api_key": None, "expected_version": 1}
        moved = (await owner.client.patch(path, json=body)).raise_for_status()
        stale = await owner.client.patch(path, json=body)
    assert (moved.json()["base_url"], moved.json()["key_hint"], moved.json()["version"]) == (other.base_url, None, 2)
    assert (stale.status_code, stale.json()["code"], stale.json()["current"]) == (409, "stale_model_version", 2)


async def test_a_repeated_request_connects_once(owner: Person):
    once = {"Idempotency-Key": "one"}
    with capable_server() as server:
        body = {"base_url": server.base_url}
        answers = [await owner.client.post("/models/endpoints", json=body, headers=once) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert len((await show(owner))["endpoints"]) == 1


async def test_removing_an_endpoint_removes_its_models(owner: Person):
    with capable_server() as server:
        endpoint = await connect(owner, server)
        await add(owner, endpoint, role="thinking")
    gone = await owner.client.delete(f"/models/endpoints/{endpoint['id']}")
    assert gone.status_code == 204
    shown = await show(owner)
    assert (shown["endpoints"], shown["thinking"]) == ([], None)


async def test_providers_are_listed_with_what_they_need(owner: Person):
    presets = (await owner.client.get("/models/providers")).raise_for_status().json()
    by_name = {each["provider"]: each for each in presets}
    assert by_name["anthropic"]["base_url"] == "https://api.anthropic.com/v1"
    assert by_name["ollama"]["needs_key"] is False
    assert by_name["azure"]["base_url"] is None


async def test_a_guarded_client_reaches_no_private_address():
    with ModelServer() as server:
        async with endpoints.create_client(timeout=httpx.Timeout(5), is_guarded=True) as client:
            with pytest.raises(AddressRefused):
                await client.get(f"{server.base_url}/models")
