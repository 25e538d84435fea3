"""Alive, ready, measured."""

import asyncio

import httpx
import pytest
from pydantic import SecretStr
from tests.support.database import Cluster
from tests.support.server import Person, running

from intelli.app import App, Engine
from intelli.kit.settings import HttpSettings
from intelli.settings import Settings
from intelli.web.server import make_worker


@pytest.fixture
async def root(address: str):
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        yield client


async def test_a_process_is_alive_whatever_else_is_down(settings: Settings):
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    app = App(settings, Engine(nowhere, nowhere))
    async with running(app) as address, httpx.AsyncClient(base_url=address, timeout=60) as client:
        assert (await client.get("/healthz")).json() == {"status": "alive"}
        ready = await client.get("/readyz")
        api = await client.get("/api/v1/installation")
    await app.close()
    assert ready.status_code == 503
    assert ready.json()["checks"]["database"]["ok"] is False
    assert (api.status_code, api.json()["code"]) == (503, "database_unavailable")
    assert int(api.headers["Retry-After"]) > 0


async def test_readiness_names_each_part_and_what_it_lacks(root: httpx.AsyncClient):
    answer = await root.get("/readyz")
    checks = answer.json()["checks"]
    assert answer.status_code == 503
    assert {name for name, check in checks.items() if check["ok"]} == {"database", "migrations", "blobs"}
    assert "intelli worker" in checks["worker"]["reason"]


async def test_with_a_worker_everything_is_ready(root: httpx.AsyncClient, app: App):
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(make_worker(app).run(stop))
        async with asyncio.timeout(60):
            while (answer := await root.get("/readyz")).status_code != 200:  # noqa: ASYNC110  # seen from outside only
                await asyncio.sleep(0.05)
        stop.set()
    assert answer.json()["ready"] is True


async def test_a_database_that_was_never_migrated_is_told_so(settings: Settings, cluster: Cluster):
    with cluster.copy_of("template1") as engine:
        app = App(settings, engine)
        async with running(app) as address, httpx.AsyncClient(base_url=address, timeout=60) as client:
            ready = await client.get("/readyz")
            api = await client.get("/api/v1/installation")
        await app.close()
    assert "intelli db upgrade" in ready.json()["checks"]["migrations"]["reason"]
    assert (api.status_code, api.json()["code"]) == (503, "database_not_migrated")


async def test_metrics_tell_of_requests_by_route_and_never_by_id(root: httpx.AsyncClient, owner: Person):
    await owner.client.delete("/api-keys/01890000-0000-7000-8000-000000000000")
    text = (await root.get("/metrics")).text
    series = 'method="DELETE",route="/api/v1/api-keys/{key_id}",status="404"'
    assert f"intelli_http_request_seconds_count{{{series}}} 1.0" in text
    assert "01890000" not in text
    assert "intelli_transaction_seconds_count" in text
    assert "intelli_live_subscribers 0.0" in text


_FAR = {"X-Forwarded-For": "203.0.113.9"}


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
async def test_without_a_token_the_metrics_are_for_this_machine_alone(root: httpx.AsyncClient, header: str):
    assert (await root.get("/metrics")).status_code == 200
    behind_a_proxy = await root.get("/metrics", headers={header: "203.0.113.9"})
    assert (behind_a_proxy.status_code, behind_a_proxy.json()["code"]) == (403, "metrics_not_open")


async def test_with_a_trusted_proxy_its_callers_do_not_read_the_metrics(settings: Settings, engine: Engine):
    app = App(settings.model_copy(update={"trusted_proxies": ("127.0.0.1",)}), engine)
    async with running(app) as address, httpx.AsyncClient(base_url=address, timeout=60) as client:
        assert (await client.get("/metrics", headers=_FAR)).status_code == 403
        assert (await client.get("/metrics")).status_code == 200
    await app.close()


async def test_with_a_token_the_metrics_are_for_its_bearer(settings: Settings, engine: Engine):
    token = "a token of the metrics"
    app = App(settings.model_copy(update={"http": HttpSettings(metrics_token=SecretStr(token))}), engine)
    async with running(app) as address, httpx.AsyncClient(base_url=address, timeout=60) as client:
        for wrong in ({}, {"Authorization": "Bearer x"}, {"Authorization": token}, {"Authorization": f"Basic {token}"}):
            answer = await client.get("/metrics", headers=wrong)
            assert (answer.status_code, answer.json()["code"]) == (401, "metrics_token_required")
        right = {"Authorization": f"Bearer {token}"}
        assert (await client.get("/metrics", headers=right | _FAR)).status_code == 200
    await app.close()


@pytest.mark.parametrize(("public_url", "is_sent"), [("https://intelli.example.org", True), ("http://x", False)])
async def test_an_https_address_is_to_be_used_with_https_alone(
    settings: Settings, engine: Engine, public_url: str, is_sent: bool
):
    app = App(settings.model_copy(update={"public_url": public_url}), engine)
    async with running(app) as address, httpx.AsyncClient(base_url=address, timeout=60) as client:
        for path in ("/", "/healthz", "/api/v1/auth/me", "/api/v1/nothing", "/nothing.js"):
            headers = (await client.get(path)).headers
            assert headers.get("Strict-Transport-Security") == ("max-age=31536000" if is_sent else None)
    await app.close()


async def test_every_answer_carries_an_id_and_safe_headers(root: httpx.AsyncClient):
    answer = await root.get("/healthz", headers={"X-Request-ID": "my-id"})
    assert answer.headers["X-Request-ID"] == "my-id"
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    odd = await root.get("/healthz", headers={"X-Request-ID": "a b\tc"})
    assert odd.headers["X-Request-ID"] != "a b\tc"
