"""ETags of mutable resources, and the check of If-Match."""

from intelli.kit.errors import PreconditionFailed


def etag(version: int) -> str:
    """Return the ETag of a version."""
    return f'"{version}"'


def check_if_match(if_match: str | None, version: int) -> None:
    """Raise PreconditionFailed when an If-Match header names another version than the current one."""
    if if_match is None or if_match.strip() in {"*", etag(version)}:
        return
    raise PreconditionFailed(
        "Someone changed this in the meantime. Reload it and apply your change again.", current=version
    )
