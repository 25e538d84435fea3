"""Parts of an answer: its statements, and whether the first is one that can be read alone."""

import re
from collections.abc import Iterator

from bench.abstentions import abstains
from bench.answer_scores import without_citations

_TABLE_RULE = re.compile(r"\|?[\s:|-]*-[\s:|-]*\|?")
# No sentence ends with an ordinal, an initial or a short form: "30. September", "e. V.", "Dr. Sander".
_NO_END = r"(?<!\b\d\.)(?<!\b\d\d\.)(?<!\b[A-Za-z]\.)(?<!\b(?:Dr|Nr|No|Mr|Ms|St)\.)(?<!\bAbs\.)"
_END = re.compile(rf"(?<=[.!?]){_NO_END}[\"”“»)]*\s+(?=[A-ZÄÖÜ0-9\"„“«(])")
_MARKS = re.compile(r"^(?:[-*+>]\s+|\d{1,2}[.)]\s+)+")
_EMPHASIS = re.compile(r"[*_`]{1,3}")
_HEADER = re.compile(r"(?:From|To|Cc|Subject|Sent|Date|Von|An|Betreff|Gesendet|Message-ID|MIME-Version): \S")
_ADDRESS = re.compile(r"<[^<>@\s]+@[^<>\s]+>")
_CAPTION = re.compile(r"(?:Table|Figure|Tabelle|Abbildung) \d+[.:]", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:\. ?){4,}|^\d[\d .]*\s\D{2,60}\s\d{1,3}\s*\.?$|^\d{1,2} \d{1,2}(?:\.\d+)* \D{2,60}$")
_GUESS = re.compile(
    r"\b(?:i (?:think|believe|guess|suspect|reckon|suppose)|my guess|ich (?:glaube|denke|vermute|dachte))\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[^:|]{2,90}: \S")
# "Year: 2021; Cargo: 3.4; Containers: 128000" can be made out with effort, which is no statement yet.
_ROW_OF_LABELS = re.compile(r"(?:[^:;|]{2,90}: [^:;|]{1,90}; ?){2,}[^:;|]{2,90}: \S")
_CODE = re.compile(r"\\?[{\[]\s*\\?[\"'{\[]|\"\w+\": ")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_ENDED = re.compile(r"[.!?…][\"”“»)\]]*$")
# What a verb looks like, roughly: it tells a short heading with a full stop from a sentence.
_VERBAL = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|will|shall|may|must|can|came|rose|fell|grew|cost|began|ran|"
    r"met|ist|sind|war|waren|hat|haben|wird|werden|wurde|wurden|kann|darf|dürfen|muss|müssen|gilt|soll|"
    r"[a-zäöüß]{2,}(?:ed|s|t|te|ten|en))\b"
)
_SHORT = 7
_CLOSEST = re.compile(
    r"\b(?:closest (?:passages|places)|not an answer|no (?:sentence|passage|statement|place)\b[^.]{0,60}\banswers?|"
    r"(?:nächstliegende|ähnlichste|nächste)n? (?:stellen|passagen|textstellen|abschnitte)|keine antwort|"
    r"kein(?:e|er)? (?:satz|stelle|passage|aussage)\b[^.]{0,60}\b(?:beantwortet|antwortet))",
    re.IGNORECASE,
)
_EARLY = 240


def is_abstention(answer: str) -> bool:
    """Whether an answer says that there is none, with or without passages that come close."""
    plain = without_citations(answer)
    return abstains(plain) or _CLOSEST.search(plain[:_EARLY]) is not None


def units(answer: str) -> list[str]:
    """Split an answer into sentences, items, and rows of tables, each row with the head of its table."""
    return list(_units(without_citations(answer).splitlines()))


def _units(lines: list[str]) -> Iterator[str]:
    head: str | None = None
    for line in (each.strip() for each in lines):
        if line.startswith("|"):
            if _TABLE_RULE.fullmatch(line):
                continue
            if head is None:
                head = line
            else:
                yield f"{head} {line}"
            continue
        head = None
        if line:
            yield from _END.split(_MARKS.sub("", line))


def is_row_of_labels(answer: str) -> bool:
    """Whether an answer begins with a row of a table told as labels and values in a line."""
    told = units(answer)
    return bool(told) and _ROW_OF_LABELS.match(told[0]) is not None


FRAGMENT = "a fragment"


def fault_of_first(answer: str, question: str) -> str | None:
    """Return why the first statement of an answer is none that can be read alone, or None."""
    lines = [line.strip() for line in without_citations(answer).splitlines() if line.strip()]
    # A heading or a line with a colon leads over to what follows it.
    while len(lines) > 1 and (lines[0].startswith("#") or lines[0].endswith(":")):
        lines = lines[1:]
    if not lines:
        return "empty"
    if lines[0].startswith("|"):
        return None if len(lines) > 2 else "a table without rows"
    first = _EMPHASIS.sub("", _END.split(_MARKS.sub("", lines[0]))[0]).strip("„“”\"' ")
    return _fault(first, question)


def _fault(first: str, question: str) -> str | None:
    faults = {
        "the question": first.rstrip("?. ").casefold() == question.rstrip("?. ").casefold() or first.endswith("?"),
        "a mail header": bool(_HEADER.match(first) or _ADDRESS.search(first)),
        "a caption": bool(_CAPTION.match(first)),
        "a line of the contents": bool(_CONTENTS.search(first)),
        "a guess": bool(_GUESS.search(first)),
        "code": bool(_CODE.match(first)),
        "a row without its heads": _has_one_label(first),
    }
    for name, is_so in faults.items():
        if is_so:
            return name
    return None if _is_statement(first) else FRAGMENT


def _has_one_label(text: str) -> bool:
    """Whether all values of a row stand under one label: "Prices 2024: Basic; Prices 2024: user; Prices 2024: 7.50"."""
    labels = [part.split(": ", 1)[0].strip() for part in text.split("; ") if ": " in part]
    return len(labels) > 2 and len(set(labels)) == 1


def _is_statement(text: str) -> bool:
    """Whether a text is a sentence or a labelled value."""
    if _LABELLED.match(text):
        return True
    words = _LETTERS.findall(text)
    if len(words) < 3 or not _ENDED.search(text):
        return False
    return len(words) >= _SHORT or _VERBAL.search(text) is not None
