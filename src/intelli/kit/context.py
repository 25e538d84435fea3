"""Actors. Every transaction is opened for exactly one of them, and row-level security depends on it."""

from collections.abc import Iterable
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


_LOWER: dict[Scope, frozenset[Scope]] = {
    Scope.READ: frozenset({Scope.READ}),
    Scope.WRITE: frozenset({Scope.READ, Scope.WRITE}),
    Scope.ADMIN: frozenset(Scope),
}


def with_lower(scopes: Iterable[Scope]) -> frozenset[Scope]:
    """Return the scopes with those that they include: who may write may read, and an admin may do both."""
    return frozenset().union(*(_LOWER[scope] for scope in scopes))


SCOPES_OF_ROLE: dict[Role, frozenset[Scope]] = {
    Role.OWNER: frozenset(Scope),
    Role.ADMIN: frozenset(Scope),
    Role.MEMBER: frozenset({Scope.READ, Scope.WRITE}),
    Role.VIEWER: frozenset({Scope.READ}),
}


@dataclass(frozen=True, slots=True)
class UserContext:
    """Signed-in person acting in one workspace. Rules get it as `tx.who`."""

    user_id: UUID
    tenant_id: UUID
    role: Role
    scopes: frozenset[Scope]
    auth_method: AuthMethod
    session_id: UUID | None = None
    key_id: UUID | None = None

    def may(self, scope: Scope) -> bool:
        """Return True when the credential has the scope."""
        return scope in self.scopes


@dataclass(frozen=True, slots=True)
class System:
    """Our own code acting in one workspace: a job, a command, a sign-up in progress.

    With a `user_id` it acts for that person and sees what they would see; without, it sees the whole workspace.
    `run_id` and `conversation_id` say what it works on, for the audit log.
    """

    tenant_id: UUID
    user_id: UUID | None = None
    proof: str | None = None
    run_id: UUID | None = None
    conversation_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Anonymous:
    """Caller without a workspace who presents a proof: an e-mail address or the hash of a secret token.

    The policies show only the rows that match the proof, and the caller's own account once `user_id` is known.
    """

    proof: str
    user_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceLister:
    """Our own code listing workspaces: it sees that they exist and nothing in them. Sets `intelli.census` in SQL."""


Actor = UserContext | System | Anonymous | WorkspaceLister
