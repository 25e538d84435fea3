"""Optimistic locking: a change names the version it is based on, and is refused when that is not the current one."""

from dataclasses import dataclass

from intelli.kit.etag import etag
from intelli.library.errors import StaleVersion


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """The version that a change is based on, as `If-Match` or as a number; with neither, any version fits."""

    if_match: str | None = None
    expected_version: int | None = None

    def check(self, current: int, *, what: str = "document") -> None:
        """Raise StaleVersion when the change is based on another version than the current one."""
        tag_fits = self.if_match is None or self.if_match.strip() in {"*", etag(current)}
        if tag_fits and self.expected_version in {None, current}:
            return
        raise StaleVersion(
            f"This {what} is at version {current} now. Reload it and apply your change again.", current=current
        )
