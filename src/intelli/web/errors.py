"""The one map from errors to answers. A client never sees a trace, SQL or a path of the server."""

from collections.abc import Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from intelli.kit.errors import IntelliError, Invalid, NotFound
from intelli.kit.http import problem
from intelli.kit.wire import FieldError

_log = structlog.get_logger(__name__)


class MethodNotAllowed(IntelliError):
    """The path exists, the method does not."""

    status = 405
    code = "method_not_allowed"
    title = "Method not allowed"


class BadRequest(IntelliError):
    """The request is malformed below the level of any rule."""

    status = 400
    code = "bad_request"
    title = "Bad request"


class Internal(IntelliError):
    """A fault of ours. The detail holds the number that the log tells it by."""

    code = "internal"


def register(web: FastAPI) -> None:
    """Answer every error of a route with a problem."""
    web.add_exception_handler(IntelliError, _refused)
    web.add_exception_handler(RequestValidationError, _invalid)
    web.add_exception_handler(HTTPException, _http)


def internal(request_id: str) -> JSONResponse:
    """The answer to a fault of ours: what to tell the operator, and nothing else."""
    return problem(Internal(f"Something went wrong on our side. Tell your administrator this number: {request_id}."))


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, IntelliError), "registered for this kind alone"
    if error.status >= 500:
        _log.error("request_refused", code=error.code, reason=error.detail, cause=type(error.__cause__).__name__)
    return problem(error)


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    """What was sent is never echoed: it may be a secret, and it may be text that JSON cannot carry."""
    assert isinstance(error, RequestValidationError), "registered for this kind alone"
    fields = [FieldError(field=_field(item["loc"]), message=_message(str(item["msg"]))) for item in error.errors()]
    names = ", ".join(sorted({field.field.removeprefix("body.") for field in fields}))
    # One reason in words of ours says more than the name of its field.
    reasons = [field.message for field in fields if field.message.endswith(".")]
    why = f" {reasons[0]}" if len(fields) == len(reasons) == 1 else ""
    return problem(Invalid(f"Check these fields: {names}.{why}"), errors=fields)


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException), "registered for this kind alone"
    match error.status_code:
        case 404:
            return problem(NotFound("There is nothing at this address. /api/docs lists what there is."))
        case 405:
            answer = problem(MethodNotAllowed("This address does not take this method. /api/docs lists what there is."))
            answer.headers.update(error.headers or {})
            return answer
        case _:
            return problem(BadRequest("The request could not be read."))


def _message(told: str) -> str:
    """What is wrong with a field; our own words without the mark that Pydantic puts before them."""
    ours = told.removeprefix("Value error, ")
    return told if ours == told else f"{ours[:1].upper()}{ours[1:].rstrip('.')}."


def _field(location: Sequence[Any]) -> str:
    """`body.scopes.0` for a location; the name of a JSON key the client made up is theirs and may be long."""
    return ".".join(str(step)[:80] for step in location)
