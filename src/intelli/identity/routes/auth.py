"""Routes for sign-up, sign-in and sign-out, and for the caller's own account and sessions."""

from importlib.metadata import version
from uuid import UUID

from fastapi import APIRouter, Response

from intelli.identity import accounts, credentials, login, passwords, sessions, store, throttle, wire
from intelli.identity.errors import InvalidRefreshToken, TooManyAttempts, WrongPassword
from intelli.identity.routes.dependencies import CurrentSignIn, Hasher, Person, RefreshCookie, Settings, count_sign_up
from intelli.kit.context import Anonymous, System
from intelli.kit.errors import Unauthenticated
from intelli.kit.etag import etag
from intelli.kit.http import Cursor, Db, IfMatch, Limit, Reader
from intelli.kit.ids import uuid7
from intelli.kit.wire import Page

router = APIRouter(tags=["auth"])


@router.get("/installation")
async def show_installation(db: Db, settings: Settings) -> wire.Installation:
    """What anyone may know before signing in."""
    async with db.begin(Anonymous(proof="")) as tx:
        claimed = await store.find_installation(tx) is not None
    return wire.Installation(claimed=claimed, registration=settings.registration, version=version("intelli"))


@router.post("/auth/register", status_code=201)
async def register(
    body: wire.Register, context: CurrentSignIn, db: Db, settings: Settings, hasher: Hasher
) -> wire.Tokens:
    """Create an account. The first one owns the installation; later ones follow the registration mode."""
    email, password = login.normalise(body.email), body.password.get_secret_value()
    passwords.check_strength(password, email=email)
    await count_sign_up(db, context.host)
    password_hash = await hasher.hash(password)
    async with db.begin(System(tenant_id=uuid7(), user_id=uuid7(), proof=email)) as tx:
        role = await accounts.register(tx, settings, body, email=email, password_hash=password_hash)
        await throttle.undo_attempt(tx, *throttle.sign_up_keys(context.host))
        await throttle.reset_after_sign_in(tx, email, host=context.host)
        signed_in = await sessions.open_session(tx, settings, user_id=tx.person_id, role=role, client=context.client)
    return context.issue_tokens(signed_in, cookie_only=body.cookie_only)


@router.post("/auth/login")
async def sign_in(body: wire.Login, context: CurrentSignIn, db: Db, settings: Settings, hasher: Hasher) -> wire.Tokens:
    """Sign in with e-mail and password, to the workspace entered last."""
    email = login.normalise(body.email)
    async with db.begin(Anonymous(proof=email)) as tx:
        user = await login.start_sign_in(tx, email, host=context.host)
    if isinstance(user, TooManyAttempts):
        raise user
    if not await hasher.verify(body.password.get_secret_value(), user.password_hash if user else None):
        # Opened whether there is an account or not, with an id that nobody has if there is none.
        async with db.begin(Anonymous(proof=email, user_id=user.id if user else uuid7())) as tx:
            refusal = await login.record_failure(tx, tx.person_id)
        raise refusal
    assert user is not None, "an unknown address never verifies"
    invitation = body.invitation_token.get_secret_value() if body.invitation_token else None
    async with db.begin(Anonymous(proof=email, user_id=user.id)) as tx:
        signed_in = await login.complete_sign_in(
            tx, settings, user, host=context.host, client=context.client, invitation=invitation
        )
    return context.issue_tokens(signed_in, cookie_only=body.cookie_only)


@router.post("/auth/refresh")
async def refresh(
    context: CurrentSignIn, db: Db, settings: Settings, body: wire.Refresh | None = None, cookie: RefreshCookie = None
) -> wire.Tokens:
    """Trade a refresh token for new tokens. Again within 30 seconds it yields the same, later it ends its session."""
    body = body or wire.Refresh()
    raw = body.refresh_token.get_secret_value() if body.refresh_token else cookie
    if raw is None:
        raise InvalidRefreshToken("Send a refresh token, in the body or as the browser's cookie.")
    async with db.begin(Anonymous(proof=credentials.digest(raw))) as tx:
        outcome = await sessions.refresh(tx, settings, raw)
    if isinstance(outcome, Unauthenticated):
        raise outcome
    cookie_only = body.cookie_only or body.refresh_token is None
    return context.issue_tokens(outcome, cookie_only=cookie_only)


@router.post("/auth/logout", status_code=204)
async def sign_out(
    context: CurrentSignIn, db: Db, body: wire.Refresh | None = None, cookie: RefreshCookie = None
) -> None:
    """End the session of a refresh token. Its access tokens stop working at once."""
    raw = body.refresh_token.get_secret_value() if body and body.refresh_token else cookie
    if raw is None:
        return
    async with db.begin(Anonymous(proof=credentials.digest(raw))) as tx:
        await sessions.end_by_token(tx, raw)
    context.clear_cookie()


@router.post("/auth/switch")
async def switch_workspace(
    body: wire.Switch, context: CurrentSignIn, who: Person, db: Db, settings: Settings
) -> wire.Tokens:
    """Go on in another of the caller's workspaces."""
    async with db.begin(who) as tx:
        signed_in = await sessions.switch(tx, settings, who, workspace_id=body.workspace_id, client=context.client)
    return context.issue_tokens(signed_in, cookie_only=body.cookie_only)


@router.get("/auth/me")
async def show_me(who: Reader, response: Response, db: Db) -> wire.Me:
    """Who the caller is, where they act, and what they may do there."""
    async with db.begin(who) as tx:
        me = await accounts.describe(tx, who)
    response.headers["ETag"] = etag(me.user.version)
    return me


@router.patch("/auth/me")
async def change_me(
    body: wire.ChangeProfile, who: Person, response: Response, db: Db, if_match: IfMatch = None
) -> wire.User:
    """Change the caller's own account."""
    async with db.begin(who) as tx:
        user = wire.User.model_validate(await accounts.change_profile(tx, who, body, if_match=if_match))
    response.headers["ETag"] = etag(user.version)
    return user


@router.post("/auth/password", status_code=204)
async def change_password(body: wire.ChangePassword, who: Person, db: Db, hasher: Hasher) -> None:
    """Set a new password. All other sessions of the account end, and its API keys if that is wished."""
    async with db.begin(who) as tx:
        user = await store.get_user(tx, who.user_id)
        refusal = await throttle.count_attempt(tx, throttle.password_change_key(user.email))
    if refusal:
        raise refusal
    if not await hasher.verify(body.current_password.get_secret_value(), user.password_hash):
        raise WrongPassword("The current password is wrong.")
    new_password = body.new_password.get_secret_value()
    passwords.check_strength(new_password, email=user.email)
    password_hash = await hasher.hash(new_password)
    async with db.begin(who) as tx:
        await store.delete_attempts(tx, throttle.password_change_key(user.email).hash)
        await accounts.change_password(tx, who, password_hash=password_hash, end_api_keys=body.end_api_keys)


@router.get("/auth/sessions")
async def list_sessions(who: Person, db: Db, cursor: Cursor = None, limit: Limit = 50) -> Page[wire.Session]:
    """Where the caller is signed in."""
    async with db.begin(who) as tx:
        return await sessions.list_sessions(tx, who, cursor=cursor, limit=limit)


@router.delete("/auth/sessions", status_code=204)
async def end_other_sessions(who: Person, db: Db) -> None:
    """Sign out everywhere else."""
    async with db.begin(who) as tx:
        await sessions.end_others(tx, who)


@router.delete("/auth/sessions/{session_id}", status_code=204)
async def end_session(session_id: UUID, who: Person, db: Db) -> None:
    """Sign out somewhere else."""
    async with db.begin(who) as tx:
        await sessions.end(tx, who, session_id)
