"""Wire models of the audit log."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from intelli.kit.wire import Wire

Detail = str | int | bool | None


class EventType(StrEnum):
    """Everything the log can tell."""

    REQUEST_START = "request_start"
    FILE_READ = "file_read"
    WRITE_PERMISSION_REQUEST = "write_permission_request"
    USER_APPROVAL = "user_approval"
    USER_REJECTION = "user_rejection"
    FILE_MODIFICATION = "file_modification"
    ERROR = "error"
    COMPLETION = "completion"
    LOGIN = "login"
    LOGIN_FAILED = "login_failed"
    KEY_CREATED = "key_created"
    KEY_REVOKED = "key_revoked"
    EXPORT = "export"
    ERASE = "erase"
    SETTINGS_CHANGE = "settings_change"


class ExportFormat(StrEnum):
    """How an export is written."""

    CSV = "csv"
    JSONL = "jsonl"


class AuditEntry(Wire):
    """One thing that happened.

    `hash` covers every field before it, and so every entry before. `seal` is a keyed hash over it, which only the
    installation can make; entries from before entries were sealed have none.
    """

    id: UUID
    seq: int
    created_at: datetime
    event_type: EventType
    user_id: UUID | None
    conversation_id: UUID | None
    run_id: UUID | None
    entity_type: str | None
    entity_id: UUID | None
    success: bool
    details: dict[str, Detail]
    previous_hash: str
    hash: str
    seal_key: str | None = None
    seal: str | None = None


class FindingKind(StrEnum):
    """What can be wrong with a log."""

    MISSING = "missing"
    CHANGED = "changed"
    UNLINKED = "unlinked"
    ADDED = "added"
    REWRITTEN = "rewritten"
    UNSEALED = "unsealed"
    UNKNOWN_KEY = "unknown_key"
    CUT = "cut"
    EMPTIED = "emptied"
    BEGINNING_MISSING = "beginning_missing"
    DIVERGED = "diverged"
    ANCHOR_MISSING = "anchor_missing"
    ANCHOR_FORGED = "anchor_forged"
    WORKSPACE_MISSING = "workspace_missing"


class ChainFinding(Wire):
    """Something that is wrong with the log, where it is, and what to do."""

    kind: FindingKind
    first_seq: int | None = None
    last_seq: int | None = None
    message: str


class ChainReport(Wire):
    """Whether the workspace's log is whole: its entries, and its end as it is kept outside the database.

    `anchored_seq` is the newest entry that is covered outside the database; those after it follow within seconds.
    `first_broken_seq` and `reason` are those of the first finding.
    """

    ok: bool
    checked: int
    first_broken_seq: int | None = None
    reason: str | None = None
    findings: list[ChainFinding]
    head_hash: str
    anchored_seq: int
    anchored_at: datetime | None
    public_key: str


class LogKey(Wire):
    """The public part of the key that statements about the log are signed with: Ed25519, 32 bytes in hexadecimal."""

    seal_key: str
    public_key: str
