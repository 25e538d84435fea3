"""From an empty directory to a signed-in owner, and back again after a restart."""

import time
from pathlib import Path

import httpx
from tests.cli.process import serving
from tests.support.server import PASSWORD

OWNER = {"email": "ada@example.org", "password": PASSWORD, "name": "Ada", "workspace_name": "Engines"}


def test_the_first_start_makes_everything_and_the_second_finds_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    begun = time.monotonic()
    with serving(data) as server:
        first_s = time.monotonic() - begun
        api = f"{server.url}/api/v1"
        assert not httpx.get(f"{api}/installation", timeout=60).json()["claimed"]
        tokens = httpx.post(f"{api}/auth/register", json=OWNER, timeout=60).raise_for_status().json()
        until_ready(server.url)
    assert (data / "secret.key").stat().st_mode & 0o077 == 0
    begun = time.monotonic()
    with serving(data) as server:
        second_s = time.monotonic() - begun
        api = f"{server.url}/api/v1"
        assert httpx.get(f"{api}/installation", timeout=60).json()["claimed"]
        headers = {"Authorization": f"Bearer {tokens['access_token']}"}
        me = httpx.get(f"{api}/auth/me", headers=headers, timeout=60).raise_for_status().json()
        assert (me["user"]["email"], me["workspace"]["name"]) == ("ada@example.org", "Engines")
        late = httpx.post(f"{api}/auth/register", json={**OWNER, "email": "bob@example.org"}, timeout=60)
        assert late.json()["code"] == "registration_closed"
    assert server.log.read_text().count("database_upgraded") == 1
    assert max(first_s, second_s) < 60, "seconds on a quiet machine"


def until_ready(url: str) -> None:
    deadline = time.monotonic() + 20
    while httpx.get(f"{url}/readyz", timeout=60).status_code != 200:
        assert time.monotonic() < deadline, httpx.get(f"{url}/readyz", timeout=60).text
        time.sleep(0.05)
