"""What identity's edges share: the doorstep where people sign in, and the caller as a person."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Header, Request, Response

from intelli.identity import wire
from intelli.identity.errors import PersonRequired
from intelli.identity.passwords import Passwords
from intelli.identity.sessions import SignedIn
from intelli.identity.settings import IdentitySettings
from intelli.kit.context import AuthMethod, Scope, UserContext
from intelli.kit.http import Reader, ScopeMissing, part

_COOKIE = "intelli_refresh"
_COOKIE_PATH = "/api/v1/auth"
_LONGEST_COOKIE = 512

Settings = Annotated[IdentitySettings, Depends(part(IdentitySettings))]
Hasher = Annotated[Passwords, Depends(part(Passwords))]


def _own_account(who: Reader) -> UserContext:
    """A viewer looks after what is their own; a program that was given no more than reading does not."""
    if who.auth_method is AuthMethod.API_KEY and not who.may(Scope.WRITE):
        raise ScopeMissing(f"With an API key this needs the scope '{Scope.WRITE}'. Use another key, or sign in.")
    return who


def _host(request: Request) -> str:
    return request.client.host if request.client else "unknown"


Host = Annotated[str, Depends(_host)]


def _cookie_name(request: Request) -> str:
    """Ports of one host share cookies, so each installation has a name of its own."""
    port = request.headers.get("Host", "").rpartition(":")[2]
    return f"{_COOKIE}_{port}" if port.isascii() and port.isdigit() else _COOKIE


def _refresh_cookie(request: Request, settings: Settings) -> str | None:
    """The browser's refresh token, unless a page of another origin sent it along."""
    cookie = request.cookies.get(_cookie_name(request))
    if cookie is None or len(cookie) > _LONGEST_COOKIE:
        return None
    origin = request.headers.get("Origin")
    if origin is None:
        return cookie
    ours = {request.headers.get("Host"), urlsplit(settings.public_url or "").netloc}
    return cookie if urlsplit(origin).netloc in ours else None


RefreshCookie = Annotated[str | None, Depends(_refresh_cookie)]


class Doorstep:
    """Where someone signs in from, and how the tokens of their session are handed out and taken back."""

    def __init__(
        self,
        request: Request,
        response: Response,
        host: Host,
        settings: Settings,
        client: Annotated[str, Header(alias="User-Agent", include_in_schema=False)] = "",
    ) -> None:
        self.host = host
        self.client = client
        self._is_secure = "https" in {request.url.scheme, urlsplit(settings.public_url or "").scheme}
        self._response = response
        self._cookie = _cookie_name(request)

    def hand_out(self, signed_in: SignedIn, *, cookie_only: bool) -> wire.Tokens:
        """The answer to a sign-in: the refresh token in a cookie that scripts cannot read, and in the body if asked."""
        self._response.headers["Cache-Control"] = "no-store"
        self._response.set_cookie(
            self._cookie,
            signed_in.refresh_token,
            max_age=signed_in.refresh_expires_in_s,
            path=_COOKIE_PATH,
            secure=self._is_secure,
            httponly=True,
            samesite="strict",
        )
        return wire.Tokens(
            access_token=signed_in.access_token,
            refresh_token=None if cookie_only else signed_in.refresh_token,
            expires_in=signed_in.expires_in_s,
        )

    def clear(self) -> None:
        """Take the refresh cookie back."""
        self._response.delete_cookie(self._cookie, path=_COOKIE_PATH, httponly=True, samesite="strict")


AtTheDoor = Annotated[Doorstep, Depends()]


def _person(who: Reader) -> UserContext:
    if who.auth_method is not AuthMethod.JWT:
        raise PersonRequired("Only a signed-in person may do this. Sign in instead of using an API key.")
    return who


Person = Annotated[UserContext, Depends(_person)]
OwnAccount = Annotated[UserContext, Depends(_own_account)]
