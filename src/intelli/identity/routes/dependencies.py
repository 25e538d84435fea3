"""FastAPI dependencies of identity's routes: where a sign-in comes from, and who the caller is."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Header, Request, Response

from intelli.identity import throttle, wire
from intelli.identity.errors import PersonRequired
from intelli.identity.passwords import Passwords
from intelli.identity.sessions import SignedIn
from intelli.identity.settings import IdentitySettings
from intelli.kit.context import Anonymous, AuthMethod, Scope, UserContext
from intelli.kit.db import Database
from intelli.kit.http import PublicUrl, Reader, ScopeMissing, part

_COOKIE = "intelli_refresh"
_COOKIE_PATH = "/api/v1/auth"
_LONGEST_COOKIE = 512
_PORTS = {"http": 80, "https": 443}

Settings = Annotated[IdentitySettings, Depends(part(IdentitySettings))]
Public = Annotated[PublicUrl, Depends(part(PublicUrl))]
Hasher = Annotated[Passwords, Depends(part(Passwords))]


def _require_write_for_key(who: Reader) -> UserContext:
    """Return the caller unless it is a read-only API key. A viewer may still manage their own account."""
    if who.auth_method is AuthMethod.API_KEY and not who.may(Scope.WRITE):
        raise ScopeMissing(f"With an API key this needs the scope '{Scope.WRITE}'. Use another key, or sign in.")
    return who


def _client_host(request: Request) -> str:
    return request.client.host if request.client else "unknown"


Host = Annotated[str, Depends(_client_host)]


def _cookie_name(request: Request) -> str:
    """Return the cookie's name. Ports of one host share cookies, so the name contains the port."""
    port = request.headers.get("Host", "").rpartition(":")[2]
    return f"{_COOKIE}_{port}" if port.isascii() and port.isdigit() else _COOKIE


async def _is_own_page(request: Request, public_url: Public) -> bool:
    """True unless a browser reports that a page of another origin sent this; `null` counts as another."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return False
    origins = request.headers.getlist("Origin")
    host = request.headers.get("Host", "")
    ours = {_parse_origin(url) for url in (f"http://{host}", f"https://{host}", public_url)}
    return all(_parse_origin(origin) in ours - {None} for origin in origins)


def _parse_origin(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port of a URL; None when it has none, like `null`, `file://` and `data:`."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname or port is None:
        return None
    return parts.scheme, parts.hostname, port


IsOwnPage = Annotated[bool, Depends(_is_own_page)]


def _refresh_cookie(request: Request, is_own_page: IsOwnPage) -> str | None:
    """Return the refresh token in the browser's cookie; None when a page of another origin sent it."""
    cookie = request.cookies.get(_cookie_name(request))
    if cookie is None or len(cookie) > _LONGEST_COOKIE:
        return None
    return cookie if is_own_page else None


RefreshCookie = Annotated[str | None, Depends(_refresh_cookie)]


class SignInContext:
    """Origin of a sign-in request (host, client), and setter of the refresh cookie in its response."""

    def __init__(
        self,
        request: Request,
        response: Response,
        host: Host,
        public_url: Public,
        is_own_page: IsOwnPage,
        client: Annotated[str, Header(alias="User-Agent", include_in_schema=False)] = "",
    ) -> None:
        self.host = host
        self.client = client
        self._is_secure = "https" in {request.url.scheme, urlsplit(public_url).scheme}
        self._is_own_page = is_own_page
        self._response = response
        self._cookie = _cookie_name(request)

    def issue_tokens(self, signed_in: SignedIn, *, cookie_only: bool) -> wire.Tokens:
        """Return the tokens of a session and set the refresh token as a cookie that scripts cannot read.

        The body contains the refresh token unless `cookie_only`. A page of another origin gets no cookie: it could sign
        someone in to an account that is not theirs.
        """
        if self._is_own_page:
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

    def clear_cookie(self) -> None:
        """Delete the refresh cookie."""
        if self._is_own_page:
            self._response.delete_cookie(self._cookie, path=_COOKIE_PATH, httponly=True, samesite="strict")


CurrentSignIn = Annotated[SignInContext, Depends()]


def _require_person(who: Reader) -> UserContext:
    """Return the caller. Raises PersonRequired for an API key."""
    if who.auth_method is not AuthMethod.JWT:
        raise PersonRequired("Only a signed-in person may do this. Sign in instead of using an API key.")
    return who


Person = Annotated[UserContext, Depends(_require_person)]
OwnAccount = Annotated[UserContext, Depends(_require_write_for_key)]


async def count_sign_up(db: Database, host: str) -> None:
    """Count one sign-up or invitation look-up and raise when throttled; the route undoes it on success."""
    async with db.begin(Anonymous(proof="")) as tx:
        refusal = await throttle.count_attempt(tx, *throttle.sign_up_keys(host))
    if refusal:
        raise refusal
