"""Signed statements about a log: its end, the begin of sealing, the removal of a workspace, an export's content."""

from datetime import datetime
from typing import Literal, TypeVar
from uuid import UUID

from pydantic import ValidationError

from intelli.audit import keys
from intelli.audit.keys import AuditKey
from intelli.kit.canonical import Json
from intelli.kit.wire import Wire


class SignedStatement(Wire):
    """Base of signed statements: time, public key, and the signature over every other field."""

    signed_at: datetime
    public_key: str
    signature: str = ""


class LogHead(SignedStatement):
    """Signed end of a workspace's log: it had `seq` entries, the last with this hash.

    Entries up to `accepted_until` need no seals, only this signature: they were written before entries were sealed, or
    an operator accepted them, which begins another `epoch`. With `is_announced`, an entry of the log records that its
    end is stored outside the database.
    """

    kind: Literal["intelli-audit-head"] = "intelli-audit-head"
    tenant_id: UUID
    epoch: int = 1
    seq: int
    hash: str
    accepted_until: int = 0
    is_announced: bool = False


class SealingBegun(SignedStatement):
    """All logs of the installation have had a head: since then, a log without one must be sealed throughout."""

    kind: Literal["intelli-audit-begun"] = "intelli-audit-begun"


class LogClosed(SignedStatement):
    """An operator removed the workspace, and its log with it."""

    kind: Literal["intelli-audit-closed"] = "intelli-audit-closed"
    tenant_id: UUID


class ExportProof(SignedStatement):
    """Content of an export: `entries` lines with this SHA-256, of the log's first `log_seq` entries those that match.

    With empty `filters` all of them match, and they form the chain from the first entry to `log_hash`.
    """

    kind: Literal["intelli-audit-export"] = "intelli-audit-export"
    tenant_id: UUID
    filters: dict[str, str]
    entries: int
    sha256: str
    log_seq: int
    log_hash: str


Kind = TypeVar("Kind", bound=SignedStatement)


def sign(statement: Kind, key: AuditKey) -> Kind:
    """Return the statement with the signature of the key."""
    return statement.model_copy(update={"signature": key.sign(_signed_content(statement))})


def is_genuine(statement: SignedStatement, public_key: str) -> bool:
    """Return True when the statement is unchanged since it was signed with this key."""
    is_theirs = statement.public_key == public_key
    return is_theirs and keys.is_signed(
        _signed_content(statement), signature=statement.signature, public_key=public_key
    )


def parse(kind: type[Kind], content: bytes) -> Kind | None:
    """Parse a statement of this kind from JSON; None when it is not one."""
    try:
        return kind.model_validate_json(content)
    except ValidationError:
        return None


def _signed_content(statement: SignedStatement) -> Json:
    content: Json = statement.model_dump(mode="json", exclude={"signature"})
    return content
