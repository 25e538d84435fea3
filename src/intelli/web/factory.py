"""Builds the FastAPI application of an App."""

from functools import cache
from importlib.metadata import version

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from intelli.app import ROOMS, App
from intelli.web import errors, health, ui_pages
from intelli.web.body_filter import BodyFilter
from intelli.web.foreground import ForegroundScope
from intelli.web.openapi import PROBLEMS, DescribedApi
from intelli.web.requests import RequestScope

API = "/api/v1"
_DESCRIPTION = """
The HTTP interface of Intelli. Errors are RFC 9457 problems with a stable `code`. Lists answer `{items, next_cursor}`.
Creating requests take an `Idempotency-Key`; mutable resources carry an `ETag` and honour `If-Match`.
"""


def create_web(app: App) -> FastAPI:
    """Build the FastAPI application: the routes of all rooms behind one set of middleware."""
    web = DescribedApi(
        title="Intelli",
        version=version("intelli"),
        description=_DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_operation_name,
        responses=PROBLEMS,
        routes=list(_routes_of_rooms()),
    )
    web.state.parts = app.parts
    web.include_router(health.router(app))
    errors.register(web)
    ui_pages.register(web)
    uploads = [API + path for room in ROOMS for path in room.uploads]
    web.add_middleware(ForegroundScope, foreground=app.foreground)
    web.add_middleware(BodyFilter, limit_bytes=app.settings.json_limit_bytes, uploads=uploads)
    web.add_middleware(RequestScope, telemetry=app.telemetry, api=API, public_url=app.settings.public_url)
    return web


@cache
def _routes_of_rooms() -> tuple[BaseRoute, ...]:
    """Build the routes of all rooms, once per process: they do not depend on the App, and FastAPI is slow at it."""
    api = APIRouter(responses=PROBLEMS, generate_unique_id_function=_operation_name)
    for room in ROOMS:
        for router in room.routers():
            # Included with a prefix: without one, FastAPI computes each route for a check and discards the result.
            api.include_router(router, prefix=API)
    return tuple(api.routes)


def _operation_name(route: APIRoute) -> str:
    """Return the route function's name as the OpenAPI operation id, which names the method of generated clients."""
    return route.name
