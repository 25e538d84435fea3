"""Exception handlers: map errors to problem responses, without traces, SQL or server paths."""

import re
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


# Pydantic shows the members of an enumeration as Python does: <Role.ADMIN: 'admin'>.
_MEMBER = re.compile(r"<[A-Za-z]{1,60}\.[A-Z_]{1,60}: ('[^'<>]{0,60}')>")


def register(web: FastAPI) -> None:
    """Register handlers that answer every error of a route with a problem."""
    web.add_exception_handler(IntelliError, _handle_intelli_error)
    web.add_exception_handler(RequestValidationError, _handle_validation_error)
    web.add_exception_handler(HTTPException, _handle_http_exception)


def internal_error(request_id: str) -> JSONResponse:
    """Return the response to an unexpected error: the request id for the operator, and nothing else."""
    return problem(Internal(f"Something went wrong on our side. Tell your administrator this number: {request_id}."))


async def _handle_intelli_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, IntelliError), "registered for this kind alone"
    if error.status >= 500:
        _log.error("request_refused", code=error.code, reason=error.detail, cause=type(error.__cause__).__name__)
    return problem(error)


async def _handle_validation_error(_request: Request, error: Exception) -> JSONResponse:
    """Name the invalid fields, never their values: these may be secrets, or text that JSON cannot represent."""
    assert isinstance(error, RequestValidationError), "registered for this kind alone"
    fields = [FieldError(field=_field(item["loc"]), message=_message(str(item["msg"]))) for item in error.errors()]
    names = ", ".join(sorted({field.field.removeprefix("body.") for field in fields}))
    # A single message of our own is clearer than the name of its field.
    reasons = [field.message for field in fields if field.message.endswith(".")]
    why = f" {reasons[0]}" if len(fields) == len(reasons) == 1 else ""
    return problem(Invalid(f"Check these fields: {names}.{why}"), errors=fields)


async def _handle_http_exception(_request: Request, error: Exception) -> JSONResponse:
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


def _message(text: str) -> str:
    """Return a field's error message; of our own validators without Pydantic's prefix (`Value error, …`)."""
    text = _MEMBER.sub(r"\1", text)
    ours = text.removeprefix("Value error, ")
    return text if ours == text else f"{ours[:1].upper()}{ours[1:].rstrip('.')}."


def _field(location: Sequence[Any]) -> str:
    """Join a location to a field name such as `body.scopes.0`; steps are cut, since clients choose the JSON keys."""
    return ".".join(str(step)[:80] for step in location)
