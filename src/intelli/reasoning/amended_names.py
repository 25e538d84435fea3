"""Names by which one document speaks of another that it amends."""

import re
from pathlib import PurePath

_WORD = re.compile(r"[^\W\d_]{3,}")


def names_document(amended: str, title: str) -> bool:
    """Return whether what is amended, such as "the Charter Agreement of 3 May 2023", is a document of this title."""
    said = set(_WORD.findall(amended.casefold()))
    own = set(_WORD.findall(PurePath(title).stem.casefold()))
    return bool(own) and own <= said
