"""The citations of a whole bundle that it cannot prove: their source, or its text, is not in it."""

import json
from pathlib import Path

from intelli.deliverables.bundle.container import ZipReader

_LARGEST = 64 << 20


def read(path: Path) -> tuple[list[str], int]:
    """Their identifiers, and how many citations there are at all. The bundle was found whole before."""
    with path.open("rb") as opened:
        reader = ZipReader(opened)
        rows = reader.read(reader.entries["data/citations.jsonl"], _LARGEST) or b""
    cited = [json.loads(line) for line in rows.decode().splitlines()]
    return [str(each["identifier"]) for each in cited if each["text"] is None], len(cited)
