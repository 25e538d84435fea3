"""Routes for operators: `/healthz` (liveness), `/readyz` (readiness with a reason for each part) and `/metrics`."""

import asyncio
from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request, Response

from intelli.app import App
from intelli.kit import queue
from intelli.kit.context import WorkspaceLister
from intelli.kit.db import schema_revision
from intelli.kit.errors import IntelliError
from intelli.kit.wire import Wire
from intelli.migrations.schema import head_revision
from intelli.web.metrics import check_reader

_CHECK_S = 2.0


class Health(Wire):
    """The process answers."""

    status: str = "alive"


class Probe(Wire):
    """One part that the work depends on."""

    ok: bool
    reason: str


class Readiness(Wire):
    """Ready when every part is."""

    ready: bool
    checks: dict[str, Probe]


def router(app: App) -> APIRouter:
    """Build the operator's routes of an app."""
    routes = APIRouter(tags=["operations"])

    @routes.head("/healthz", include_in_schema=False)
    @routes.get("/healthz")
    async def healthz() -> Health:
        """Alive; answers without the database."""
        return Health()

    @routes.head("/readyz", include_in_schema=False)
    @routes.get("/readyz", responses={503: {"model": Readiness, "description": "Not ready"}})
    async def readyz(response: Response) -> Readiness:
        """Ready to work; 503 with the reasons otherwise."""
        checks = await _run_checks(app)
        ready = all(check.ok for check in checks.values())
        response.status_code = 200 if ready else 503
        return Readiness(ready=ready, checks=checks)

    @routes.head("/metrics", include_in_schema=False)
    @routes.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
    async def metrics(request: Request) -> Response:
        """What Prometheus reads, with a token or from the same machine."""
        check_reader(request, app.settings.http.metrics_token)
        scrape = await app.telemetry.render(request.headers.get("Accept", ""))
        return Response(scrape.body, headers={"Content-Type": scrape.content_type})

    return routes


async def _run_checks(app: App) -> dict[str, Probe]:
    probes: dict[str, Callable[[App], Awaitable[str]]] = {
        "database": _check_database,
        "migrations": _check_migrations,
        "blobs": _check_blobs,
        "worker": _check_worker,
    }
    answers = await asyncio.gather(*(_run_check(probe(app)) for probe in probes.values()))
    return dict(zip(probes, answers, strict=True))


class _NotReadyError(Exception):
    """A part answers, but not as it should."""


async def _run_check(probe: Awaitable[str]) -> Probe:
    try:
        async with asyncio.timeout(_CHECK_S):
            return Probe(ok=True, reason=await probe)
    except TimeoutError:
        return Probe(ok=False, reason=f"no answer within {_CHECK_S:g} s")
    except (IntelliError, _NotReadyError) as error:
        return Probe(ok=False, reason=str(error))


async def _check_database(app: App) -> str:
    async with app.db.begin(WorkspaceLister()):
        return "answers"


async def _check_migrations(app: App) -> str:
    async with app.db.begin(WorkspaceLister()) as tx:
        found = await schema_revision(tx)
    wanted = head_revision()
    if found != wanted:
        raise _NotReadyError(
            f"the database is at {found or 'nothing'}, this version needs {wanted}: run `intelli db upgrade`"
        )
    return f"at {found}"


async def _check_blobs(app: App) -> str:
    await app.blobs.check()
    return "can be written and read"


async def _check_worker(app: App) -> str:
    async with app.db.begin(WorkspaceLister()) as tx:
        age_s = await queue.heartbeat_age_s(tx)
    if age_s is None:
        raise _NotReadyError("no worker is running: start `intelli worker`, or `intelli serve` without --no-worker")
    if age_s > app.settings.worker.stall_s:
        raise _NotReadyError(f"no worker showed a sign of life for {age_s:.0f} s: start `intelli worker`")
    return f"last sign of life {age_s:.0f} s ago"
