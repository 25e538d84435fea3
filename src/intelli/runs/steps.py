"""The keys of a run's steps: under them the ledger keeps what each step gave, and later steps find it."""

import hashlib


def plan_key(clarified: int) -> str:
    """The step that plans; asked anew after a clarification."""
    return f"plan:{clarified}"


def search_key(index: int, number: int) -> str:
    """A search for a task."""
    return f"task:{index}:search:{number}"


def recall_key(index: int) -> str:
    """The look into memory for a task."""
    return f"task:{index}:recall"


def note_key(index: int) -> str:
    """The step that takes notes for a task."""
    return f"task:{index}:note"


def judge_key(statement: str, quote: str) -> str:
    """The step that judges whether a quote says a statement: one for the answer and for all that is delivered."""
    said = hashlib.sha256(f"{statement}\0{quote}".encode(errors="replace"))
    return f"judge:{said.hexdigest()[:32]}"


def intent_key(clarified: int) -> str:
    """The step that finds out what is wanted."""
    return f"intent:{clarified}"


def write_key(number: int) -> str:
    """The step that writes a section of a report."""
    return f"section:{number}"


def open_key(number: int) -> str:
    """The look at a document that the person named."""
    return f"open:{number}"


def change_key(number: int) -> str:
    """A change of a document."""
    return f"change:{number}"


BRIEF = "brief"
TABULATED = "tabulated"
ANSWER = "answer"
TITLE = "title"
CHANGES = "changes"
SAVED = "saved"
