"""Tell bundles, even damaged ones, from other files such as a Word report."""

import zipfile
from pathlib import Path

from intelli.deliverables.bundle.container import read_pieces
from intelli.deliverables.bundle.files import find_root
from intelli.kit.errors import Invalid, NotFound

# Names that stand uncompressed in every bundle, more than once: a damage does not take all of them.
_NAMES = (b"data/brief.json", b"data/citations.jsonl", b"data/ro-crate-metadata.json", b"tagmanifest-sha256.txt")
_TAGS = "tagmanifest-sha256.txt"
_LONGEST = max(map(len, _NAMES))
_MAKE = (
    'A bundle is made by `intelli research FOLDER "question" -o evidence.zip`, '
    "or by Export \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} Evidence bundle."
)
_OFFICE = {"word/": "a Word document", "ppt/": "a PowerPoint presentation", "xl/": "an Excel workbook"}
_ZIP_HEAD = b"PK\x03\x04"
_HEADS = {b"%PDF": "a PDF", _ZIP_HEAD: "a zip", b"\xd0\xcf\x11\xe0": "an old Office file"}


class NoBundle(Invalid):
    """The file is no evidence bundle, not even a damaged one."""

    code = "no_bundle"


class NoSuchFile(NotFound):
    """There is no file of that name."""

    code = "no_such_file"


def require_bundle(path: Path) -> None:
    """Raise NoBundle or NoSuchFile unless a file is a bundle; the text says what it is and what to do with it."""
    if path.is_dir():
        if not (find_root(path) / _TAGS).is_file():
            raise NoBundle(f"{path} is a directory, no evidence bundle. {_MAKE}")
        return
    if not path.is_file():
        raise NoSuchFile(f"There is no file {path}. {_MAKE}")
    if not _has_bundle_names(path):
        what = _kind(path)
        if what == _HEADS[_ZIP_HEAD] and not zipfile.is_zipfile(path):
            raise NoBundle(f"{path.name} is incomplete: the end of the zip is missing. Copy or download it again.")
        advice = f"Check it with `intelli recheck {path}`. " if what == _OFFICE["word/"] else ""
        raise NoBundle(f"{path.name} is {what}, no evidence bundle. {advice}{_MAKE}")


def _has_bundle_names(path: Path) -> bool:
    before = b""
    for piece in read_pieces(path):
        seen = before + piece
        if any(name in seen for name in _NAMES):
            return True
        before = seen[-_LONGEST:]
    return False


def _kind(path: Path) -> str:
    if not path.stat().st_size:
        return "empty"
    with path.open("rb") as opened:
        head = opened.read(8)
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        names = []
    office = next((what for folder, what in _OFFICE.items() if any(name.startswith(folder) for name in names)), None)
    known = next((what for magic, what in _HEADS.items() if head.startswith(magic)), "another kind of file")
    return office or ("a website or slides" if "index.html" in names else known)
