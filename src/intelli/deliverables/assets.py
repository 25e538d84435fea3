"""Third-party files that forms need (fonts, the slide player), which the build copies into the package, and our own."""

from functools import cache
from pathlib import Path

from intelli.kit.errors import Unavailable

_BUILT = Path(__file__).parents[1] / "_ui" / "forms"
_OWN = Path(__file__).parent / "forms" / "own"


class NotBuilt(Unavailable):
    """Something that the build puts into the package is not there."""

    code = "form_not_built"


def font_directory() -> Path | None:
    """Return the directory of the bundled fonts; None when the build has not copied them."""
    fonts = _BUILT / "fonts"
    return fonts if fonts.is_dir() else None


@cache
def read_own(name: str) -> str:
    """Read a style sheet, script or template of ours as text."""
    return (_OWN / name).read_text(encoding="utf-8")


@cache
def read_built(name: str) -> bytes:
    """Read a file that the build copies into the package; raise NotBuilt when it is missing."""
    path = _BUILT / name
    if not path.is_file():
        raise NotBuilt(f"This installation was built without {name}. Run `make ui`, or install the released package.")
    return path.read_bytes()


def is_built(name: str) -> bool:
    """Return whether the build has copied a file into the package."""
    return (_BUILT / name).is_file()
