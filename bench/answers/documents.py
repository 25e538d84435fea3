"""Makes the labelled documents of a half from their sources, the same each time.

A source `NAME.EXT.md` becomes `NAME.EXT`; one with a single ending is a document as it stands. Names that begin with an
underscore are templates; each line of `each.csv` fills one: its `file`, its `template`, and values for its `{{names}}`.
Files of much data are made by `generated.py`.
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from bench.answers.files import MAKERS
from bench.answers.generated import GENERATED

HALVES = ("dev", "unseen")
_HERE = Path(__file__).parent
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_NO_DOCUMENTS = ("questions.toml", "each.csv")


def folders(half: str) -> list[Path]:
    """Return the folders of a half, sorted by name."""
    return sorted(each for each in (_HERE / half).iterdir() if each.is_dir())


def make_documents(half: str) -> dict[str, bytes]:
    """Make all documents of a half, by `folder/name`."""
    return dict(sorted(each for folder in folders(half) for each in make_folder(folder)))


def make_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Make the documents of a folder."""
    for name, source in _sources(folder):
        path = f"{folder.name}/{name}"
        maker = MAKERS.get(Path(name).suffix)
        yield path, maker(source) if maker else source.encode()
    for path, generate in GENERATED.items():
        if path.startswith(f"{folder.name}/"):
            yield path, generate().encode()


def _sources(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.iterdir()):
        if not path.name.startswith("_") and path.name not in _NO_DOCUMENTS:
            is_made = Path(path.stem).suffix in MAKERS
            yield path.stem if is_made else path.name, path.read_text(encoding="utf-8")
    if (folder / "each.csv").exists():
        yield from _filled(folder)


def _filled(folder: Path) -> Iterator[tuple[str, str]]:
    with (folder / "each.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter=";"):
            template = (folder / row["template"]).read_text(encoding="utf-8")
            yield row["file"], _SLOT.sub(lambda found, row=row: row[found[1]], template)
