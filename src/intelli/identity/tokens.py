"""Access tokens: short-lived JWTs, verified without a database query."""

from uuid import UUID

import jwt

from intelli.identity.errors import InvalidToken
from intelli.identity.settings import IdentitySettings
from intelli.kit import clock
from intelli.kit.context import SCOPES_OF_ROLE, AuthMethod, Role, UserContext
from intelli.kit.ids import uuid7

_ALGORITHM = "HS256"
_AUDIENCE = _ISSUER = "intelli"
_CLAIMS = ["exp", "iat", "sub", "tid", "role", "sid", "aud", "iss"]
_SKEW_S = 60


def mint_access_token(settings: IdentitySettings, who: UserContext) -> str:
    """Sign an access token for a user's session; it expires after the configured lifetime."""
    issued = clock.now()
    claims = {
        "iss": _ISSUER,
        "aud": _AUDIENCE,
        "sub": str(who.user_id),
        "tid": str(who.tenant_id),
        "sid": str(who.session_id),
        "role": who.role,
        "jti": str(uuid7()),
        "iat": issued,
        "exp": issued + settings.access_token_lifetime,
    }
    return jwt.encode(claims, settings.signing_key, algorithm=_ALGORITHM)


def read_access_token(settings: IdentitySettings, token: str) -> UserContext:
    """Verify an access token and return its user context. Raises InvalidToken."""
    try:
        claims = jwt.decode(
            token,
            settings.signing_key,
            algorithms=[_ALGORITHM],
            audience=_AUDIENCE,
            issuer=_ISSUER,
            options={"require": _CLAIMS, "verify_iat": False},
        )
        if claims["iat"] > clock.now().timestamp() + _SKEW_S:
            raise _invalid()
        return _context(claims)
    except (jwt.InvalidTokenError, ValueError, TypeError, KeyError) as error:
        raise _invalid() from error


def _context(claims: dict[str, str]) -> UserContext:
    role = Role(claims["role"])
    return UserContext(
        user_id=UUID(claims["sub"]),
        tenant_id=UUID(claims["tid"]),
        role=role,
        scopes=SCOPES_OF_ROLE[role],
        auth_method=AuthMethod.JWT,
        session_id=UUID(claims["sid"]),
    )


def _invalid() -> InvalidToken:
    return InvalidToken("The access token is not valid or has expired. Refresh it or sign in again.")
