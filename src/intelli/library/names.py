"""Names of files and folders, and the paths made of them: what people type is kept, what could mislead is refused."""

import unicodedata
from pathlib import PurePosixPath

from intelli.library.errors import InvalidName, TooDeep

NAME_BYTES = 255
PATH_BYTES = 1024
PATH_STEPS = 32
_UNPRINTABLE = {"Cc", "Cs", "Zl", "Zp"}
_REORDERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def checked(name: str) -> str:
    """The name in Unicode's form NFC, without spaces around it; raises ValueError with what is wrong."""
    name = unicodedata.normalize("NFC", name).strip()
    if name in {"", ".", ".."}:
        raise ValueError("a name has at least one character, and is not '.' or '..'")
    if "/" in name:
        raise ValueError("a name has no '/'")
    if any(_is_misleading(character) for character in name):
        raise ValueError("a name has no control characters, line breaks or marks that change the direction of text")
    if len(name.encode(errors="replace")) > NAME_BYTES:
        raise ValueError(f"a name may have {NAME_BYTES} bytes at most")
    return name


def insist(name: str) -> str:
    """The same, for names that come in a form: refused in words."""
    try:
        return checked(name)
    except ValueError as error:
        raise InvalidName(f"The name cannot be used: {error}.") from error


def joined(folder_path: str | None, name: str) -> str:
    """The path of a name in a folder; None is the top."""
    path = f"{folder_path or ''}/{name}"
    insist_on_length(len(path.encode()), steps=path.count("/"))
    return path


def insist_on_length(size_bytes: int, *, steps: int) -> None:
    """Refuse a path that is longer or deeper than we keep."""
    if size_bytes > PATH_BYTES or steps > PATH_STEPS:
        raise TooDeep(f"A path may have {PATH_STEPS} steps and {PATH_BYTES} bytes at most. Use a place further up.")


def steps(path: str) -> list[str]:
    """The names of a path such as `/a/b`; slashes at the ends and in a row count once."""
    found = [insist(step) for step in path.split("/") if step.strip()]
    insist_on_length(len(path.encode()), steps=len(found))
    return found


def numbered(name: str, number: int) -> str:
    """The name beside others of the same: `report (2).pdf`."""
    suffix = PurePosixPath(name).suffix
    mark = f" ({number}){suffix}"
    stem = name.removesuffix(suffix).encode()[: NAME_BYTES - len(mark.encode())].decode("utf-8", errors="ignore")
    return stem + mark


def _is_misleading(character: str) -> bool:
    return unicodedata.category(character) in _UNPRINTABLE or unicodedata.bidirectional(character) in _REORDERING
