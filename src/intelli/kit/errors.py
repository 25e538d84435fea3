"""Tree of error kinds. A room raises one with a stable `code`; only `kit.http` maps them to HTTP responses.

IntelliError
├── Invalid            422  the request cannot be understood or breaks a rule of form
├── Unauthenticated    401  nobody is signed in, or the credential no longer holds
├── Forbidden          403  signed in, but the role or scope does not reach
├── NotFound           404  absent, or another workspace's: the two answer alike
├── Conflict           409  the state of things does not allow it
├── PreconditionFailed 412  an If-Match that no longer matches
├── TooLarge           413  more bytes than the limit
├── RangeNotSatisfiable 416 a part that the content does not have
├── Throttled          429  too many attempts; carries `retry_after_s`
├── QuotaExceeded      402  the plan's quota is used up
└── Unavailable        503  a part we depend on does not answer; carries `retry_after_s`
"""

from typing import ClassVar


class IntelliError(Exception):
    """A refusal that a person can read. `detail` says what happened and, where possible, what to do next."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "error"
    title: ClassVar[str] = "Something went wrong"

    def __init__(self, detail: str, **extra: str | int | float | bool | list[str] | None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra = extra


class Invalid(IntelliError):
    """The request cannot be understood or breaks a rule of form."""

    status = 422
    code = "invalid"
    title = "The request is not valid"


class Unauthenticated(IntelliError):
    """Nobody is signed in, or the credential no longer holds."""

    status = 401
    code = "unauthenticated"
    title = "Sign in first"


class Forbidden(IntelliError):
    """Signed in, but the role or scope does not reach."""

    status = 403
    code = "forbidden"
    title = "Not allowed"


class NotFound(IntelliError):
    """Absent, or another workspace's: the two answer alike."""

    status = 404
    code = "not_found"
    title = "Not found"


class Conflict(IntelliError):
    """The state of things does not allow it."""

    status = 409
    code = "conflict"
    title = "Conflict with the current state"


class PreconditionFailed(IntelliError):
    """The caller's If-Match names a version that is no longer the current one."""

    status = 412
    code = "precondition_failed"
    title = "Changed in the meantime"


class TooLarge(IntelliError):
    """More bytes than the limit."""

    status = 413
    code = "too_large"
    title = "Too large"


class RangeNotSatisfiable(IntelliError):
    """The part that was asked for lies outside the content."""

    status = 416
    code = "range_not_satisfiable"
    title = "There is no such part"


class Throttled(IntelliError):
    """Too many attempts in a short time."""

    status = 429
    code = "throttled"
    title = "Too many attempts"

    def __init__(self, detail: str, *, retry_after_s: int) -> None:
        super().__init__(detail, retry_after_s=retry_after_s)
        self.retry_after_s = retry_after_s


class QuotaExceeded(IntelliError):
    """The plan's quota is used up."""

    status = 402
    code = "quota_exceeded"
    title = "Quota exceeded"


class Unavailable(IntelliError):
    """A part we depend on does not answer."""

    status = 503
    code = "unavailable"
    title = "Temporarily unavailable"

    def __init__(self, detail: str, *, retry_after_s: int = 5) -> None:
        super().__init__(detail, retry_after_s=retry_after_s)
        self.retry_after_s = retry_after_s
