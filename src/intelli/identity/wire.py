"""Request and response models of identity."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, EmailStr, Field, JsonValue, SecretStr, StringConstraints

from intelli.kit.context import AuthMethod, Role, Scope
from intelli.kit.wire import Name, Request, Wire

Password = Annotated[SecretStr, Field(min_length=10, max_length=256)]
GivenPassword = Annotated[SecretStr, Field(max_length=1024)]
Token = Annotated[SecretStr, Field(min_length=1, max_length=512)]
InvitedRole = Literal[Role.ADMIN, Role.MEMBER, Role.VIEWER]
Version = Annotated[int, Field(ge=1, description="Also the ETag; send it back as If-Match.")]
Email = Annotated[EmailStr, StringConstraints(max_length=254)]


def _example(body: dict[str, JsonValue]) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [body]})


class RegistrationMode(StrEnum):
    """Who may create an account once the installation has an owner."""

    INVITE = "invite"
    OPEN = "open"
    CLOSED = "closed"


class Installation(Wire):
    """What anyone may know of this installation before signing in."""

    claimed: bool = Field(description="False until the first account is created; that account owns the installation.")
    registration: RegistrationMode
    version: str


class Register(Request):
    """A new account. The first one owns the installation; later ones follow the registration mode."""

    model_config = _example(
        {"email": "ada@example.org", "password": "a long passphrase", "name": "Ada", "workspace_name": "Research"}
    )

    email: Email
    password: Password
    name: Name
    workspace_name: Name | None = Field(
        None, description="Name of the account's own workspace; not used with an invitation."
    )
    invitation_token: Token | None = None
    cookie_only: bool = Field(
        False, description="Browsers set this: the refresh token then travels only in an httpOnly cookie."
    )


class Login(Request):
    """Credentials of an account."""

    model_config = _example({"email": "ada@example.org", "password": "a long passphrase"})

    email: Annotated[str, StringConstraints(max_length=320)]
    password: GivenPassword
    invitation_token: Token | None = Field(None, description="Join the workspace of this invitation on the way in.")
    cookie_only: bool = False


class Refresh(Request):
    """A refresh token; left out by a browser, whose cookie carries it."""

    model_config = _example({"refresh_token": "ir_…"})

    refresh_token: Token | None = None
    cookie_only: bool = False


class Switch(Request):
    """Another workspace of the caller."""

    model_config = _example({"workspace_id": "01900000-0000-7000-8000-000000000000"})

    workspace_id: UUID
    cookie_only: bool = False


class Tokens(Wire):
    """A signed-in session. The access token is a JWT for 15 minutes; the refresh token yields the next one."""

    access_token: str
    refresh_token: str | None
    token_type: Literal["bearer"] = "bearer"  # noqa: S105
    expires_in: int = Field(description="Seconds until the access token expires.")


class User(Wire):
    """An account."""

    id: UUID
    email: str
    name: str
    uses_memory: bool = Field(description="Whether what they say is remembered, and memory is searched for them.")
    created_at: datetime
    version: Version


class Workspace(Wire):
    """A workspace: the tenant everything belongs to."""

    id: UUID
    name: str
    keeps_evidence: bool = Field(description="Whether cited words and their sources outlive a deleted document.")
    requires_review: bool = Field(description="Whether a deliverable leaves only with all its citations accepted.")
    run_budget_cents: Decimal | None = Field(description="What one run may cost here; null for the installation's.")
    created_at: datetime
    version: Version


class Belonging(Wire):
    """One of the caller's workspaces, and their role there."""

    workspace_id: UUID
    name: str
    role: Role


class Me(Wire):
    """Who the caller is, where they act, and what they may do there."""

    user: User
    workspace: Workspace
    role: Role
    scopes: list[Scope]
    auth_method: AuthMethod
    session_id: UUID | None
    owns_installation: bool
    workspaces: list[Belonging]


class ChangeProfile(Request):
    """New values for the caller's own account; what is left out stays."""

    model_config = _example({"name": "Ada Lovelace"})

    name: Name | None = None
    uses_memory: bool | None = None


class ChangePassword(Request):
    """A new password. All other sessions of the account end."""

    model_config = _example({"current_password": "a long passphrase", "new_password": "a longer passphrase"})

    current_password: GivenPassword
    new_password: Password
    end_api_keys: bool = Field(False, description="End the account's API keys in all its workspaces as well.")


class Session(Wire):
    """A place where the caller is signed in."""

    id: UUID
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    client: str = Field(description="The browser or program, as it named itself.")
    current: bool = Field(False, description="True for the session this very request came with.")


class CreateWorkspace(Request):
    """A further workspace, owned by the caller."""

    model_config = _example({"name": "Field notes"})

    name: Name


class ChangeWorkspace(Request):
    """New values for the current workspace; what is left out stays."""

    model_config = _example({"name": "Research"})

    name: Name | None = None
    keeps_evidence: bool | None = None
    requires_review: bool | None = None
    run_budget_cents: Annotated[Decimal, Field(ge=0, le=1_000_000, decimal_places=4)] | None = None


class Member(Wire):
    """A person in the workspace."""

    user_id: UUID
    email: str
    name: str
    role: Role
    joined_at: datetime


class ChangeMember(Request):
    """A member's new role."""

    model_config = _example({"role": "admin"})

    role: Role


class CreateInvitation(Request):
    """An invitation by link. With an e-mail address, only that address may use it."""

    model_config = _example({"role": "member", "email": "grace@example.org", "expires_in_days": 7})

    role: InvitedRole = Role.MEMBER
    email: Email | None = None
    expires_in_days: Annotated[int, Field(ge=1, le=30)] = 7


class Invitation(Wire):
    """An open invitation."""

    id: UUID
    role: Role
    email: str | None
    created_at: datetime
    expires_at: datetime
    invited_by: UUID | None


class CreatedInvitation(Invitation):
    """A new invitation with its link token, shown this once. The link is `/join#<token>`."""

    token: str


class ShowInvitation(Request):
    """The token of an invitation link."""

    model_config = _example({"token": "iv_…"})

    token: Token


class InvitationPreview(Wire):
    """What the holder of an invitation link may know before accepting."""

    workspace_name: str
    role: Role
    email: str | None
    expires_at: datetime


class CreateApiKey(Request):
    """A key for programs. Its scopes never reach further than the owner's role."""

    model_config = _example(
        {"name": "Nightly import", "scopes": ["read", "write"], "expires_at": "2030-01-01T00:00:00Z"}
    )

    name: Name
    scopes: list[Scope] = Field(default=[Scope.READ], min_length=1, max_length=3)
    expires_at: AwareDatetime | None = None


class ApiKey(Wire):
    """An API key without its secret."""

    id: UUID
    name: str
    prefix: str = Field(description="The first characters, to recognise the key by.")
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class CreatedApiKey(ApiKey):
    """A new key with its secret, shown this once. Send it as `X-API-Key`."""

    key: str
