"""Names of documents in a question: in quotes, or with an extension or a slash."""

import re

# A name in quotes may hold spaces; else it has an extension or a slash, so that no plain word is taken for one.
_QUOTED = r"[\"\u201c\u201e\u00ab`']([^\"\u201c\u201d\u201e\u00ab\u00bb`'\n]+)[\"\u201d\u201c\u00bb`']"
_SIGN = r"[^\s\"'`,;:?!]"
_NAMED = (
    rf"(?<!{_SIGN})((?>(?:{_SIGN}*/)?[^\s\"'`,;:?!/]+\.[A-Za-z0-9]{{1,8}}(?![\w/])"
    rf"|/?{_SIGN}+/{_SIGN}*[^\s\"'`,;:?!.]))"
)
# A regular expression with two groups, of which one matches.
PATH = rf"(?:{_QUOTED}|{_NAMED})"
# What comes after is material that was pasted, not a question.
_MAX_CHARACTERS = 2_000


def names_of(question: str) -> list[str]:
    """What a question names that could be a document."""
    found = re.findall(PATH, question[:_MAX_CHARACTERS])
    return list(dict.fromkeys(one or other for one, other in found))
