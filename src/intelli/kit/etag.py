"""ETags: the version of a mutable resource, and the refusal of a change that is based on an older one."""

from intelli.kit.errors import PreconditionFailed


def etag(version: int) -> str:
    """The ETag of a resource at a version."""
    return f'"{version}"'


def check_if_match(if_match: str | None, version: int) -> None:
    """Refuse a change that is based on another version than the current one."""
    if if_match is None or if_match.strip() in {"*", etag(version)}:
        return
    raise PreconditionFailed(
        "Someone changed this in the meantime. Reload it and apply your change again.", current=version
    )
