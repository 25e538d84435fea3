"""OpenAPI description of the API, with problems under their own media type."""

from typing import Any

from fastapi import FastAPI

from intelli.kit.http import PROBLEM_TYPE
from intelli.kit.wire import Problem

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Problem, "description": "A problem. `code` says which; the reference lists all codes."}
}


class DescribedApi(FastAPI):
    """FastAPI that describes problems as `application/problem+json`; FastAPI itself knows one media type per route."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI description, built once."""
        description = super().openapi()
        for operations in description["paths"].values():
            for operation in operations.values():
                for status in PROBLEMS:
                    _retype(operation["responses"][status]["content"])
        return description


def _retype(content: dict[str, Any]) -> None:
    """Move the problem schema to its media type: FastAPI lists it under the type of the route's own response."""
    if PROBLEM_TYPE not in content:
        schema = next(iter(content.values()))
        content.clear()
        content[PROBLEM_TYPE] = schema
