"""Guard: the one place that turns a credential of a request into a `UserContext`."""

from intelli.identity import credentials, store, tokens
from intelli.identity.credentials import CredentialKind
from intelli.identity.errors import InvalidApiKey, SignInRequired, TwoCredentials
from intelli.identity.settings import IdentitySettings
from intelli.kit.context import SCOPES_OF_ROLE, Anonymous, AuthMethod, Role, Scope, System, UserContext, with_lower
from intelli.kit.db import Database


class Guard:
    """Authenticator of requests: verifies a JWT without a database query and looks up an API key by its hash."""

    def __init__(self, db: Database, settings: IdentitySettings) -> None:
        self._db = db
        self._settings = settings

    async def __call__(self, *, bearer: str | None, api_key: str | None) -> UserContext:
        """Authenticate the caller. Raises SignInRequired without a credential, TwoCredentials with both.

        An invalid credential raises InvalidToken or InvalidApiKey.
        """
        if bearer is not None and api_key is not None:
            raise TwoCredentials("Send either an access token or an API key, not both.")
        if api_key is not None:
            return await self._authenticate_api_key(api_key)
        if bearer is not None:
            return tokens.read_access_token(self._settings, bearer)
        raise SignInRequired("Send an access token as 'Authorization: Bearer …' or an API key as 'X-API-Key'.")

    async def _authenticate_api_key(self, raw: str) -> UserContext:
        if not credentials.is_well_formed(raw, CredentialKind.API_KEY):
            raise _invalid()
        key_hash = credentials.digest(raw)
        async with self._db.begin(Anonymous(proof=key_hash)) as tx:
            key = await store.find_api_key(tx, key_hash)
            if key is None:
                raise _invalid()
            await tx.become(System(tenant_id=key.tenant_id, user_id=key.user_id))
            membership = await store.find_membership(tx, key.user_id)
            if membership is None:
                raise _invalid()
            await store.touch_api_key(tx, key.id)
        role = Role(membership.role)
        return UserContext(
            user_id=key.user_id,
            tenant_id=key.tenant_id,
            role=role,
            scopes=SCOPES_OF_ROLE[role] & with_lower(Scope(scope) for scope in key.scopes),
            auth_method=AuthMethod.API_KEY,
            key_id=key.id,
        )


def _invalid() -> InvalidApiKey:
    return InvalidApiKey("This API key is not known, was revoked or has expired. Create a new one in the settings.")
