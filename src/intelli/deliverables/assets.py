"""What forms are made with and we did not write: fonts and the slide player, put into the package by the build."""

from functools import cache
from pathlib import Path

from intelli.kit.errors import Unavailable

_BUILT = Path(__file__).parents[1] / "_ui" / "forms"
_OWN = Path(__file__).parent / "forms" / "own"


class NotBuilt(Unavailable):
    """Something that the build puts into the package is not there."""

    code = "form_not_built"


def font_directory() -> Path | None:
    """Where the fonts are that are drawn and set with; None where the build has not put them."""
    fonts = _BUILT / "fonts"
    return fonts if fonts.is_dir() else None


@cache
def own(name: str) -> str:
    """A style sheet, script or template of ours."""
    return (_OWN / name).read_text(encoding="utf-8")


@cache
def built(name: str) -> bytes:
    """A file that the build puts into the package."""
    path = _BUILT / name
    if not path.is_file():
        raise NotBuilt(f"This installation was built without {name}. Run `make ui`, or install the released package.")
    return path.read_bytes()


def is_built(name: str) -> bool:
    """Whether the build has put a file into the package."""
    return (_BUILT / name).is_file()
