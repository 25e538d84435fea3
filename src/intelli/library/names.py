"""Names of files and folders, and their paths. Names are stored as typed; misleading characters are refused."""

import re
import unicodedata
from pathlib import PurePosixPath

from intelli.library.errors import InvalidName, TooDeep

NAME_BYTES = 255
PATH_BYTES = 1024
PATH_STEPS = 32
_UNPRINTABLE = {"Cc", "Cs", "Zl", "Zp"}
_SUFFIX_BYTES = 32
# Some programs send the whole Windows path as the file name.
_WINDOWS_PATH = re.compile(r"([A-Za-z]:\\|\\\\).*\\", re.DOTALL)
_REORDERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def normalise(name: str) -> str:
    """Return the name in Unicode form NFC, stripped. Raises ValueError with the reason when it is not allowed."""
    name = unicodedata.normalize("NFC", name).strip()
    if name in {"", ".", ".."}:
        raise ValueError("a name has at least one character, and is not '.' or '..'")
    if "/" in name:
        raise ValueError("a name has no '/'")
    if any(unicodedata.category(character) == "Cs" for character in name):
        raise ValueError("a name is text in UTF-8, and this one has other bytes. Rename the file")
    if any(_is_misleading(character) for character in name):
        raise ValueError("a name has no control characters, line breaks or marks that change the direction of text")
    if len(name.encode(errors="replace")) > NAME_BYTES:
        raise ValueError(f"a name may have {NAME_BYTES} bytes at most")
    return name


def require_valid(name: str) -> str:
    """Return the normalised name as `normalise` does, but raise InvalidName, which is answered to the caller."""
    try:
        return normalise(name)
    except ValueError as error:
        raise InvalidName(f"The name cannot be used: {error}.") from error


def from_filename(filename: str) -> str | None:
    """Return the name of an uploaded file: the last step of its path, cut to the longest name; None without a name.

    For example `C:\\docs\\report.pdf` → `report.pdf`. Apart from that, the rules of typed names apply.
    """
    last = _WINDOWS_PATH.sub("", unicodedata.normalize("NFC", filename).rpartition("/")[2]).strip()
    return None if last in {"", ".", ".."} else require_valid(_shortened(last))


def escape(name: str) -> str:
    """Return a name or path for one line of a terminal, with control and direction characters as escapes."""
    return "".join(each.encode("unicode_escape").decode() if _is_misleading(each) else each for each in name)


def join_path(folder_path: str | None, name: str) -> str:
    """Return the path of a name in a folder (None is the top). Raises TooDeep."""
    path = f"{folder_path or ''}/{name}"
    check_path_length(len(path.encode()), steps=path.count("/"))
    return path


def check_path_length(size_bytes: int, *, steps: int) -> None:
    """Raise TooDeep for a path with too many bytes or steps."""
    if size_bytes > PATH_BYTES or steps > PATH_STEPS:
        raise TooDeep(f"A path may have {PATH_STEPS} steps and {PATH_BYTES} bytes at most. Use a place further up.")


def split_path(path: str) -> list[str]:
    """Split a path such as `/a/b` into checked names; slashes at the ends and repeated slashes are ignored."""
    found = [require_valid(step) for step in path.split("/") if step.strip()]
    check_path_length(len(path.encode()), steps=len(found))
    return found


def with_number(name: str, number: int) -> str:
    """Return the name with a number, for use beside others of the same name: `report.pdf` → `report (2).pdf`."""
    suffix = PurePosixPath(name).suffix
    mark = f" ({number}){suffix}"
    stem = name.removesuffix(suffix).encode()[: NAME_BYTES - len(mark.encode())].decode("utf-8", errors="ignore")
    return stem + mark


def _shortened(name: str) -> str:
    """Cut a name to `NAME_BYTES`; its suffix stays, since it tells people and programs what the file is."""
    if len(name.encode(errors="replace")) <= NAME_BYTES:
        return name
    suffix = PurePosixPath(name).suffix
    if len(suffix.encode(errors="replace")) > _SUFFIX_BYTES:
        suffix = ""
    room = NAME_BYTES - len(suffix.encode(errors="replace"))
    return name.encode(errors="replace")[:room].decode("utf-8", errors="ignore").strip() + suffix


def _is_misleading(character: str) -> bool:
    return unicodedata.category(character) in _UNPRINTABLE or unicodedata.bidirectional(character) in _REORDERING
