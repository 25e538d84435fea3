"""The model server with a real model, asked through our own client: chat, form, stream, key, window, seclusion."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Literal

import httpx
import psutil
import pytest
from pydantic import SecretStr
from tests.models.local.servers import PATIENCE_S, find_children, holding, supervised, until
from tests.support.forks import Fork

from intelli.models.local.folder import ModelsFolder
from intelli.reasoning.adapters.chat import Chat, Completion
from intelli.reasoning.errors import ModelRefused
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.prompt import Prompt
from intelli.reasoning.values import ReasoningModel


class Intent(ReasoningModel):
    kind: Literal["question", "edit"]


@pytest.fixture(scope="module")
def holder(data: Path) -> Iterator[Fork]:
    os.environ["INTELLI_TEST_SECRET"] = "a secret of ours"
    with holding(data) as process:
        yield process


@pytest.fixture(scope="module")
def settings(holder: Fork, data: Path) -> ModelSettings:
    """How the model is asked, as a process sees it that does not run the server itself."""

    async def ask() -> ModelSettings:
        # Else this process could be the quicker one, and run the server itself until it ends here.
        await until(lambda: find_children(holder.pid))
        async with supervised(data) as server:
            assert await server.wait_ready(PATIENCE_S), server.describe()
            found = server.settings()
            assert found is not None
            return found

    return asyncio.run(ask())


def _prompt(text: str) -> Prompt:
    return Prompt(name="test", system="You are terse.", user=text)


async def test_a_reply_holds_to_its_form(settings: ModelSettings):
    chat = Chat(settings)
    intent, usage = await chat.ask(_prompt("Where is the key?"), Intent, lambda reply: reply)
    await chat.close()
    assert intent.kind in {"question", "edit"}
    assert usage.calls == 1
    assert usage.input_tokens > 0
    assert usage.cost == 0
    assert not usage.is_estimated


async def test_a_reply_is_streamed(settings: ModelSettings):
    chat = Chat(settings.model_copy(update={"output_tokens": 100}))
    async with aclosing(chat.stream(_prompt("Count to ten."))) as reply:
        *pieces, whole = [piece async for piece in reply]
    await chat.close()
    assert len(pieces) > 3
    assert isinstance(whole, Completion)
    assert whole.text == "".join(str(piece) for piece in pieces)


async def test_a_wrong_key_is_refused(settings: ModelSettings):
    chat = Chat(settings.model_copy(update={"api_key": SecretStr("wrong")}))
    with pytest.raises(ModelRefused, match="status 401"):
        await chat.ask(_prompt("Who are you?"), Intent, lambda reply: reply)
    await chat.close()


async def test_a_prompt_beyond_the_window_is_refused_and_not_cut(settings: ModelSettings):
    chat = Chat(settings)
    with pytest.raises(ModelRefused, match=r"status 400.*context size"):
        await chat.ask(_prompt("many words " * 9000), Intent, lambda reply: reply)
    await chat.close()


async def test_without_a_key_nothing_but_health_is_told(settings: ModelSettings):
    async with httpx.AsyncClient(base_url=settings.base_url.removesuffix("/v1"), timeout=PATIENCE_S) as client:
        status = {path: (await client.get(path)).status_code for path in ("/health", "/v1/models", "/props", "/slots")}
        page = await client.get("/", headers={"Origin": "https://example.org"})
    assert status == {"/health": 200, "/v1/models": 401, "/props": 401, "/slots": 401}
    assert page.status_code == 404
    assert page.headers.get("Access-Control-Allow-Origin") != "*"


def test_it_is_reached_from_this_machine_only(settings: ModelSettings, holder: Fork):
    (child,) = find_children(holder.pid)
    listening = {each.laddr.ip for each in child.net_connections() if each.status == psutil.CONN_LISTEN}
    assert listening == {"127.0.0.1"}


def test_its_environment_has_nothing_of_ours(settings: ModelSettings, holder: Fork):
    (child,) = find_children(holder.pid)
    assert set(child.environ()) <= {"PATH", "LANG", "OMP_WAIT_POLICY", "LC_CTYPE"}
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() not in " ".join(child.cmdline())
    assert child.nice() >= 5


def test_address_and_log_are_for_their_owner_alone(settings: ModelSettings, data: Path):
    folder = ModelsFolder(data)
    assert {path.stat().st_mode & 0o777 for path in (folder.address, folder.log, folder.lease)} == {0o600}


def test_it_is_never_loaded_into_our_own_process(holder: Fork):
    maps = Path(f"/proc/{holder.pid}/maps")
    if not maps.exists():
        pytest.skip("no /proc here")
    assert "xllamacpp" not in maps.read_text()
