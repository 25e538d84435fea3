"""The API's own description: what FastAPI tells of the routes, with problems under their media type."""

from typing import Any

from fastapi import FastAPI

from intelli.kit.http import PROBLEM_TYPE
from intelli.kit.wire import Problem

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Problem, "description": "A problem. `code` says which; the reference lists all codes."}
}


class DescribedApi(FastAPI):
    """A FastAPI that describes problems under their own media type; by itself it knows one type for a route."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI description, made once."""
        description = super().openapi()
        for operations in description["paths"].values():
            for operation in operations.values():
                for status in PROBLEMS:
                    _retype(operation["responses"][status]["content"])
        return description


def _retype(content: dict[str, Any]) -> None:
    """A route with an answer of its own kind has its problems listed under that kind's type."""
    if PROBLEM_TYPE not in content:
        schema = next(iter(content.values()))
        content.clear()
        content[PROBLEM_TYPE] = schema
