"""`intelli models`: connect, test, choose and remove a model in a terminal, with a server and without one."""

from pathlib import Path

import httpx
import pytest
from tests.cli.conftest import OWNER
from tests.cli.process import Outcome, Process, intelli
from tests.models.makers import KEY, capable_server
from tests.support.model_server import ModelServer
from tests.support.server import PASSWORD


@pytest.fixture(scope="module")
def where(server: Process) -> tuple[str, ...]:
    """How the module's server is named, with a key of its owner."""
    with httpx.Client(base_url=f"{server.url}/api/v1", timeout=60) as client:
        tokens = client.post("/auth/login", json={"email": OWNER, "password": PASSWORD}).raise_for_status().json()
        bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
        asked = {"name": "models", "scopes": ["read", "write", "admin"]}
        made = client.post("/api-keys", json=asked, headers=bearer).raise_for_status().json()
    return ("--server", server.url, "--key", made["key"])


def models(*arguments: object, given: str = "") -> Outcome:
    return intelli("models", *arguments, given=given)


def test_a_model_is_added_tested_chosen_and_removed(where: tuple[str, ...], tmp_path: Path):
    secret = tmp_path / "key"
    secret.write_text(f"{KEY}\n")
    with capable_server(key=KEY) as endpoint:
        address = ("--base-url", endpoint.base_url)
        wrong = models("add", "--name", "test-model", *address, "--key-file", "-", *where, given="sk-wrong\n")
        assert (wrong.code, "refuses this key" in wrong.err) == (4, True)
        added = models("add", "--name", "test-model", *address, "--key-file", secret, *where)
        assert added.code == 0, added.err
        assert "+ chat: " in added.out
        assert "+ citing: " in added.out
        assert KEY not in added.out + added.err
        used = models("use", "test-model", "--for", "thinking", *where)
        assert "used for thinking" in used.out
        listed = models("list", *where)
        assert f"test-model at {endpoint.base_url} answers, chosen in the workspace." in listed.out
        tested = models("test", "test-model", "--json", *where)
        assert (tested.code, tested.json["test"]["shape"]) == (0, "full")
    gone = models("test", "test-model", *where)
    assert (gone.code, "cannot be reached" in gone.out) == (1, True)
    removed = models("remove", "test-model", "--json", *where)
    assert removed.json["endpoint_removed"] is True
    assert models("list", "--json", *where).json["endpoints"] == []
    assert models("use", "test-model", *where).code == 3


def test_providers_are_listed(where: tuple[str, ...]):
    listed = models("providers", *where)
    assert "api.mistral.ai" in listed.out
    unknown = models("add", "--name", "x", "--provider", "nobody", *where)
    assert (unknown.code, "Choose from openai" in unknown.err) == (2, True)
    looked = models("found", "--json", *where)
    assert "http://127.0.0.1:1234/v1" in looked.json["looked_at"]


def test_without_a_server_named_the_installation_of_this_machine_is_meant(server: Process, data: Path):
    with ModelServer() as endpoint:
        here = ("--data", data)
        added = models("add", "--name", "test-model", "--base-url", endpoint.base_url, "--for", "small", *here)
        assert added.code == 0, added.err
        assert models("list", "--json", *here).json["endpoints"][0]["models"][0]["role"] == "small"
        assert models("remove", "test-model", *here).code == 0
