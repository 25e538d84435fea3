"""Quotes of a bundle by identifier, read after the bundle was verified."""

import json
from pathlib import Path

from intelli.deliverables.bundle import detect
from intelli.deliverables.bundle.files import open_files
from intelli.deliverables.bundle.verify import verify
from intelli.kit.errors import Invalid

_LARGEST = 64 << 20


class BundleBroken(Invalid):
    """The bundle is not as it was written."""

    code = "bundle_broken"


def read_quotes(path: Path) -> dict[str, str]:
    """Return each quote as its source has it; raise BundleBroken when the bundle is damaged."""
    detect.require_bundle(path)
    faults = verify(path)
    if faults:
        first = faults[0]
        raise BundleBroken(f"{path.name} is not whole: {first.file or 'the zip'}: {first.what}. Export it again.")
    with open_files(path) as opened:
        rows = opened.read("data/citations.jsonl", _LARGEST) or b""
    cited = [json.loads(line) for line in rows.decode().splitlines()]
    return {each["identifier"]: each["quote"] for each in cited}
