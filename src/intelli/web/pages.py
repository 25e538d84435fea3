"""The built UI: its files as they are, its page for every address that is not the API's, and the API's own manual."""

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

UI = Path(__file__).parent.parent / "_ui"
_NOT_BUILT = "The UI is not built. Run `make ui`, then reload. The API is at /api/docs.\n"
_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
# File names under assets/ carry a hash of their content, so they never change.
_FOR_EVER = "public, max-age=31536000, immutable"


def register(web: FastAPI) -> None:
    """Add the pages after all routes of the API."""

    @web.get("/api/docs", include_in_schema=False)
    async def manual() -> Response:
        return _file(UI / "api-docs" / "index.html")

    @web.api_route("/api", methods=_METHODS, include_in_schema=False)
    @web.api_route("/api/{rest:path}", methods=_METHODS, include_in_schema=False)
    async def unknown_api() -> Response:
        raise HTTPException(404)

    @web.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        found = (UI / path).resolve()
        if path and found.is_file() and found.is_relative_to(UI):
            return _file(found)
        wants_page = "text/html" in request.headers.get("Accept", "text/html")
        if not wants_page or Path(path).suffix:
            raise HTTPException(404)
        return _file(UI / "index.html")


def _file(path: Path) -> Response:
    if not path.is_file():
        return PlainTextResponse(_NOT_BUILT, status_code=503)
    caching = _FOR_EVER if path.parent.name == "assets" else "no-cache"
    return FileResponse(path, headers={"Cache-Control": caching})
