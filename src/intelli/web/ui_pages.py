"""Serves the built UI: its files, its page at every path outside the API, and the API's manual at `/api/docs`."""

import re
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

UI = (Path(__file__).parent.parent / "_ui").resolve()
_NOT_BUILT = "The UI is not built. Run `make ui`, then reload. The API is at /api/docs.\n"
_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
_READING = ["GET", "HEAD"]
# File names under assets/ carry a hash of their content, so they never change.
_CACHE_FOREVER = "public, max-age=31536000, immutable"


def register(web: FastAPI) -> None:
    """Register the page routes. Call after all routes of the API: they match every path."""

    @web.api_route("/api/docs", methods=_READING, include_in_schema=False)
    async def manual() -> Response:
        return _file_response(UI / "api-docs" / "index.html")

    @web.api_route("/api", methods=_METHODS, include_in_schema=False)
    @web.api_route("/api/{rest:path}", methods=_METHODS, include_in_schema=False)
    async def unknown_api(request: Request) -> Response:
        allowed = _methods_at(web, request.url.path)
        raise HTTPException(405, headers={"Allow": ", ".join(allowed)}) if allowed else HTTPException(404)

    @web.api_route("/{path:path}", methods=_READING, include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        found = _find_file(path)
        if found is not None:
            return _file_response(found)
        accepted = request.headers.get("Accept", "*/*")
        if Path(path).suffix or not ("text/html" in accepted or "*/*" in accepted):
            raise HTTPException(404)
        return _file_response(UI / "index.html")


def _methods_at(web: FastAPI, path: str) -> list[str]:
    """List the methods that the API has at a path; called when no route matched the request."""
    for template, operations in web.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\\{[^{}]*\\}", "[^/]+", re.escape(template)), path):
            return sorted(method.upper() for method in operations)
    return []


def _find_file(path: str) -> Path | None:
    """Find the built file at a path; None when there is none, or the path is too long for the file system."""
    try:
        found = (UI / path).resolve()
        return found if path and found.is_relative_to(UI) and found.is_file() else None
    except OSError:
        return None


def _file_response(path: Path) -> Response:
    if not path.is_file():
        return PlainTextResponse(_NOT_BUILT, status_code=503)
    caching = _CACHE_FOREVER if path.parent.name == "assets" else "no-cache"
    return FileResponse(path, headers={"Cache-Control": caching})
