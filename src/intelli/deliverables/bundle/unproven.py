"""Citations of an undamaged bundle that it cannot prove, because their source or its text is not in it."""

import json
from pathlib import Path

from intelli.deliverables.bundle.files import open_files

_LARGEST = 64 << 20


def list_unproven(path: Path) -> tuple[list[str], int]:
    """Return the identifiers of these citations, and the number of all citations. Verify the bundle before."""
    with open_files(path) as opened:
        rows = opened.read("data/citations.jsonl", _LARGEST) or b""
    cited = [json.loads(line) for line in rows.decode().splitlines()]
    return [str(each["identifier"]) for each in cited if each["text"] is None], len(cited)
