"""One running server for each module that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.cli.process import Process, serving
from tests.support.installation import Install
from tests.support.server import PASSWORD

OWNER = "owner@example.org"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, install: Install) -> Path:
    """The data directory of the module's server."""
    return install(tmp_path_factory.mktemp("installation") / "data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Process]:
    """A server with an owner."""
    with serving(data) as server:
        body = {"email": OWNER, "password": PASSWORD, "name": "Owner", "workspace_name": "Research"}
        httpx.post(f"{server.url}/api/v1/auth/register", json=body, timeout=60).raise_for_status()
        yield server
