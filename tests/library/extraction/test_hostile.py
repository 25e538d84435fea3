"""Hostile PDFs, ours and others: each ends in text or in a typed refusal, within thirty seconds and 512 MB."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.library.extraction import hostile
from tests.support.quality import BESIDE, SAMPLE, where_there

_LOCKED_BY_OTHERS = (
    "pdfium-encrypted.pdf",
    *(f"pdfium-encrypted_hello_world_r{strength}.pdf" for strength in (2, 3, 5, 6)),
)

# One process a file, since a crash of the parser must not end the others.
SCRIPT = """
import json, os, resource, sys, time
from pathlib import Path
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Unreadable
from intelli.library.extraction.pdf import extract_pdf

def read(path):
    resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
    try:
        return "text" if extract_pdf(path, Limits()).text else "nothing"
    except Unreadable as unreadable:
        return str(unreadable.refusal)

for path in sorted(Path(sys.argv[1]).glob("*.pdf")):
    began, (receiver, sender) = time.monotonic(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(sender, read(path).encode())
        finally:
            os._exit(0)
    os.close(sender)
    outcome = os.read(receiver, 100).decode() or "crashed"
    os.close(receiver)
    os.waitpid(child, 0)
    print(json.dumps([path.name, outcome, time.monotonic() - began]))
"""


@pytest.mark.parametrize(
    ("folder", "files", "texts", "locked"),
    where_there((SAMPLE, 27, 13, hostile.LOCKED), (BESIDE / "files" / "hostile", 40, 19, _LOCKED_BY_OTHERS)),
)
def test_hostile_files_end_in_text_or_a_typed_refusal(
    tmp_path: Path, *, folder: Path, files: int, texts: int, locked: tuple[str, ...]
):
    if folder == SAMPLE:
        folder = tmp_path
        for name, content in hostile.files().items():
            (folder / name).write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)], capture_output=True, text=True, timeout=300, check=True
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    outcomes = {name: outcome for name, outcome, _ in rows}
    assert len(outcomes) == files
    assert set(outcomes.values()) <= {"text", "encrypted", "damaged", "no_text", "empty"}
    assert max(seconds for _, _, seconds in rows) < 30
    assert {name for name, outcome in outcomes.items() if outcome == "encrypted"} == set(locked)
    assert sum(outcome == "text" for outcome in outcomes.values()) >= texts
