"""Access to the wall clock, which is read nowhere else. Leases and expiry in SQL use the database's `now()` instead."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time in UTC, timezone-aware."""
    return datetime.now(UTC)
