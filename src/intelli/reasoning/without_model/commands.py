"""Parse plain commands in a question: save, create, replace or delete a document that it names; nothing else.

A command opens its clause ("Delete a.md", "… and save it as b.md"); a mere mention ("What if I delete a.md?") is none.
Sources are never read here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from intelli.reasoning.document_names import PATH
from intelli.reasoning.verbs.change import MOST_CHANGES, Action, ChangeInput, Changes, Edit, ProposedChange

_PATHS = rf"(?P<paths>{PATH}(?:(?:\s*+,\s*+(?:and\s++|und\s++)?|\s++(?:and|und)\s++){PATH})*)"
_THE_FILE = (
    r"(?:(?:an?|the|new|my|this|text|markdown|eine?n?|die|das|der|den|neue[ns]?)\s++)*+"
    r"(?:(?:files?|documents?|notes?|datei(?:en)?|dokumente?|notiz(?:en)?)\s++)?+(?:(?:called|named|namens)\s++)?+"
)
_POINTING = r"(?:this|that|it|the|your|last|previous|above|das|dies|es|diese[rn]?|die|der|dem|deine[rn]?|letzte[nr]?)\b"
_THIS = (
    rf"{_POINTING}(?:\s*+{_POINTING})*+"
    r"(?:\s*+(?:answer|summary|text|results?|findings|antwort|zusammenfassung|ergebnis(?:se)?))?"
)
_WORDS = r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u201e\u00ab\u00bb]+)[\"\u201d\u201c\u00bb]"
_WHAT = rf"(?:{_WORDS}|(\S(?:[^\n]{{0,200}}?\S)?))"
_POLITE = r"(?:please|bitte|can you|could you|would you|kannst du|k\u00f6nnen sie)"
_OPENS = (
    r"(?:^\s*+|(?<=[.!?;])\s*+|(?<!\s)[^\S\n]*+\n\s*+|,\s*+(?:(?:and|then|und|dann)\s++){0,4}+|\b(?:and|then|und|dann)\s++)"
    rf"(?:(?:then|dann|{_POLITE})\s++){{0,4}}+"
)
_ENDS = r"(?:\s*+(?:,\s*+)?+(?:please|bitte))?(?:\s*[.!?;]+(?=\s|$)|\s*$|(?=\s*[,\n])|(?=\s+(?:and|then|und|dann)\b))"
_PIECE = (
    r"(?:(?:the|a|this|following|another|den|die|das|eine?n?|folgende[nr]?)\s++)*+"
    r"(?:(?:sentence|line|text|paragraph|words?|note|remark|satz|zeile|absatz|worte?|notiz|hinweis)\s*+:?\s*+)?+"
)
_SAID = rf"(?:{_WORDS}|(?<!\w)'((?:[^'\n]|'(?=\w)){{1,1000}})'(?!\w))"
# What each command looks like, the more telling first: what one has taken, the next leaves alone.
_SHAPES = {
    "edit": rf"(?:replace|change|ersetze|\u00e4ndere)\s++{_WHAT}\s++(?:by|with|to|into|durch|zu|in)\s++{_WHAT}"
    rf"\s++(?:in|im|within)\s++{_THE_FILE}{PATH}",
    "rewrite": rf"(?:overwrite|replace|update|\u00fcberschreibe|ersetze|aktualisiere)\s++{_THE_FILE}{PATH}"
    rf"\s++(?:with|by|mit|durch)\s++(?:{_WORDS}|{_THIS})",
    "save": rf"(?:save|store|write|put|keep|speichere?|schreibe?|sichere|lege)\s++(?:{_WORDS}|{_THIS})"
    rf"\s*(?:as|to|in|into|under|als|unter|nach)\s++{_THE_FILE}{PATH}(?:\s+ab)?",
    "create": rf"(?:create|make|add|write|erstelle|erzeuge|lege)\s++{_THE_FILE}{PATH}"
    r"\s++(?:with|containing|from|that says|saying|mit|aus)\s*+(?::\s*+)?+"
    rf"(?:(?:the (?:content|text|words)|dem (?:inhalt|text))\s++)?+(?:{_WORDS}|{_THIS})(?:\s+an)?",
    "append": rf"(?:add|append|insert|f\u00fcge?|erg\u00e4nze|h\u00e4nge?|setze?)\s++{_PIECE}{_SAID}\s++"
    rf"(?:(?:at|to|on) the end of|am ende von|to|into|in|an|zu|ans ende von|unter)\s++{_THE_FILE}{PATH}"
    r"(?:\s+(?:hinzu|ein|an|ab))?",
    "delete": rf"(?:delete|remove|erase|l\u00f6sche|entferne)\s++{_THE_FILE}{_PATHS}",
}


# What comes after is material that was pasted, not an order.
_MAX_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and its position in the question. Without content, the answer is meant."""

    action: Action
    path: str
    content: str | None
    edits: tuple[Edit, ...]
    start: int
    end: int
    is_append: bool = False


@dataclass(frozen=True, slots=True)
class UnclearCommand:
    """An order to change a document that is in no words that are understood, or that is carried out elsewhere."""

    is_move: bool


def find(question: str) -> list[Command]:
    """The commands of a question, in their order; none overlaps another."""
    found: list[Command] = []
    for shape, pattern in _shapes():
        for match in pattern.finditer(question[:_MAX_CHARACTERS]):
            commands = _commands(shape, match)
            if not _is_asked_about(question, commands[0]) and not any(_overlap(commands[0], each) for each in found):
                found += commands
    return sorted(found, key=lambda command: command.start)[:MOST_CHANGES]


def rest(question: str) -> str:
    """The question without its commands; as it stands when it has none."""
    commands = find(question)
    if not commands:
        return question
    kept, at = [], 0
    for command in commands:
        kept.append(question[at : max(at, command.start)])
        at = command.end
    return " ".join("".join([*kept, question[at:]]).split()).strip(" ,;")


def find_unclear(question: str) -> UnclearCommand | None:
    """Return the order to change a document that a message gives in words that none of the commands has; else None."""
    opened = _unclear().match(question[:_MAX_CHARACTERS])
    if opened is None or find(question) or question.rstrip().endswith("?"):
        return None
    return UnclearCommand(is_move=opened["moves"] is not None)


def changes(asked: ChangeInput) -> Changes:
    """What the commands come to; what there is nothing to write for is left out."""
    proposed: dict[str, ProposedChange] = {}
    for command in find(asked.question):
        content = command.content if command.content is not None else asked.answer
        if command.is_append:
            content = _appended(asked, command.path, content)
        if command.action is Action.DELETE or command.edits:
            change = ProposedChange(action=command.action, path=command.path, edits=command.edits)
        elif content.strip():
            change = ProposedChange(action=command.action, path=command.path, content=content)
        else:
            continue
        proposed.setdefault(command.path, change)
    return Changes(changes=tuple(proposed.values()))


def _appended(asked: ChangeInput, path: str, content: str) -> str:
    """The text of a document with some more at its end."""
    wanted = path.casefold().strip("/")
    for each in asked.passages:
        if f"/{each.title}".casefold().endswith(f"/{wanted}"):
            return f"{each.text.rstrip()}\n\n{content}\n"
    return content


@cache
def _unclear() -> re.Pattern[str]:
    return re.compile(
        rf"\s*+(?:{_POLITE}\s++)?+(?:(?P<moves>rename|move|copy|duplicate|benenne?|verschiebe?|kopiere?)"
        r"|add|append|insert|put|save|store|edit|change(?!\s++(?:in|of)\b)|update|correct|rewrite|replace|remove|delete|erase|overwrite|fix"
        r"|f\u00fcge?|erg\u00e4nze|h\u00e4nge?|speichere?|sichere|\u00e4ndere|bearbeite|korrigiere|ersetze|l\u00f6sche|entferne)"
        rf"\s[^\n]{{0,400}}?(?:(?<=\s){PATH}|\b(?:files?|documents?|notes?|answer|datei|dokument|notiz|antwort)\b)",
        re.IGNORECASE,
    )


@cache
def _shapes() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(f"{_OPENS}{shape}{_ENDS}", re.IGNORECASE)) for name, shape in _SHAPES.items()]


def _commands(shape: str, match: re.Match[str]) -> list[Command]:
    """The command that was matched; to delete several documents is as many commands."""
    groups = [group.strip() if group else None for group in match.groups()]
    start, end = match.span()
    match shape:
        case "edit":
            edits = (Edit(find=_first(groups[:2]), replace=_first(groups[2:4])),)
            return [Command(Action.UPDATE, _first(groups[4:6]), None, edits, start, end)]
        case "save":
            return [Command(Action.CREATE, _first(groups[1:3]), groups[0], (), start, end)]
        case "append":
            return [Command(Action.UPDATE, _first(groups[2:4]), _first(groups[:2]), (), start, end, is_append=True)]
        case "create" | "rewrite":
            action = Action.CREATE if shape == "create" else Action.UPDATE
            return [Command(action, _first(groups[:2]), groups[2], (), start, end)]
        case _:
            paths = [one or other for one, other in re.findall(PATH, match["paths"])]
            return [Command(Action.DELETE, path, None, (), start, end) for path in paths]


def _first(groups: Sequence[str | None]) -> str:
    """Return the group that matched: a path or a text is written in one of several ways."""
    return next(filter(None, groups), "")


def _is_asked_about(question: str, command: Command) -> bool:
    """Whether the sentence asks about a change instead of ordering it; to save what is asked for is an order."""
    sentence = question[: command.end].rstrip()
    if not sentence.endswith("?") or command.action is Action.CREATE:
        return False
    opening = re.split(r"(?<=[.!?;\n])\s", sentence)[-1]
    return re.match(rf"\s*{_POLITE}\b", opening, re.IGNORECASE) is None


def _overlap(one: Command, other: Command) -> bool:
    return one.start < other.end and other.start < one.end
