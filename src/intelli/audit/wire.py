"""What the audit log says over the wire."""

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
    """One thing that happened. `hash` covers every other field and the hash before it."""

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


class ChainReport(Wire):
    """Whether the workspace's chain of entries is whole."""

    ok: bool
    checked: int
    first_broken_seq: int | None = None
    reason: str | None = None
