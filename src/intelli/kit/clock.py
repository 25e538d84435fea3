"""The one place that reads the wall clock. Leases and expiry in SQL use the database's `now()` instead."""

from datetime import UTC, datetime


def now() -> datetime:
    """The current time, in UTC, with its zone."""
    return datetime.now(UTC)
