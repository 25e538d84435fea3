"""Media type of a document: detected from its first bytes, refined by extraction for container formats."""

# Types that the first bytes give for containers and unknown files: only extraction finds out what they are.
CONTAINER_TYPES = ("application/zip", "application/x-ole-storage", "application/octet-stream")


def resolve(at_arrival: str, when_read: str | None) -> str:
    """Return the media type of a document from the type detected at upload and the one found by extraction."""
    return when_read if when_read and at_arrival in CONTAINER_TYPES else at_arrival
