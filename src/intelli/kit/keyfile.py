"""Secret key in a file of its own: created once and atomically, readable by its owner only."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from intelli.kit import disk

MIN_BYTES = 32
HOW_TO_MAKE_ONE = 'Make one with: python3 -c "import secrets; print(secrets.token_urlsafe(48))"'


def is_strong(key: str) -> bool:
    """True when the key is long enough to sign with."""
    return len(key.strip().encode()) >= MIN_BYTES


def read(path: Path) -> str:
    """Read the key without its line end; empty when the file is not ASCII, and so damaged."""
    try:
        return path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError:
        return ""


def generate(path: Path) -> None:
    """Create the file with a new key unless it exists. Of two concurrent starts one wins; no reader sees half a key."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            # A link, because a rename would replace the key of another start that was quicker.
            os.link(draft, path)
        disk.sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)
