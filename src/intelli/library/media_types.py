"""Media types: a document has the one that its bytes show, and what was read knows more of a box than its lid."""

# What the first bytes prove of files that hold others, or nothing that is known: reading them tells what they are.
BOXES = ("application/zip", "application/x-ole-storage", "application/octet-stream")


def known(at_arrival: str, when_read: str | None) -> str:
    """The type of a document by what its upload showed and what reading it found."""
    return when_read if when_read and at_arrival in BOXES else at_arrival
