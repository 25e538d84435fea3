"""Who acts. Every transaction is opened for exactly one of these, and row-level security follows from it."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    """A member's standing in a workspace, from most to least."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    VIEWER = "viewer"


class Scope(StrEnum):
    """What a credential may do; an API key may carry fewer scopes than its owner's role gives."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class AuthMethod(StrEnum):
    """How a caller proved who they are."""

    JWT = "jwt"
    API_KEY = "api_key"


SCOPES_OF_ROLE: dict[Role, frozenset[Scope]] = {
    Role.OWNER: frozenset(Scope),
    Role.ADMIN: frozenset(Scope),
    Role.MEMBER: frozenset({Scope.READ, Scope.WRITE}),
    Role.VIEWER: frozenset({Scope.READ}),
}


@dataclass(frozen=True, slots=True)
class UserContext:
    """A signed-in person acting in one workspace. What every rule takes, through `tx.who`."""

    user_id: UUID
    tenant_id: UUID
    role: Role
    scopes: frozenset[Scope]
    auth_method: AuthMethod
    session_id: UUID | None = None
    key_id: UUID | None = None

    def may(self, scope: Scope) -> bool:
        """True when the credential carries the scope."""
        return scope in self.scopes


@dataclass(frozen=True, slots=True)
class System:
    """Our own code at work in one workspace: a job, a command, a sign-up in progress.

    With a `user_id` it works on that person's behalf and sees what they would see; without, the whole workspace.
    """

    tenant_id: UUID
    user_id: UUID | None = None
    proof: str | None = None


@dataclass(frozen=True, slots=True)
class Anonymous:
    """Someone outside every workspace, who shows a proof: an e-mail address or the hash of a secret token.

    The policies let a stranger see only the rows that the proof opens, and their own account once that is known.
    """

    proof: str
    user_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceLister:
    """Our own code counting workspaces: it sees that they exist and nothing in them."""


Actor = UserContext | System | Anonymous | WorkspaceLister
