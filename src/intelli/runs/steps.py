"""Keys of a run's steps: the ledger records each step's result under its key, and later steps load it."""

import hashlib


def plan_key(clarified: int) -> str:
    """Key of the planning step; it runs again after each clarification."""
    return f"plan:{clarified}"


def search_key(index: int, number: int) -> str:
    """Key of a search for a task."""
    return f"task:{index}:search:{number}"


def recall_key(index: int) -> str:
    """Key of the memory search for a task."""
    return f"task:{index}:recall"


def note_key(index: int) -> str:
    """Key of the step that takes notes for a task."""
    return f"task:{index}:note"


def judge_key(statement: str, quote: str) -> str:
    """Key of the step that judges whether a quote supports a statement; the answer and all deliverables share it."""
    said = hashlib.sha256(f"{statement}\0{quote}".encode(errors="replace"))
    return f"judge:{said.hexdigest()[:32]}"


def intent_key(clarified: int) -> str:
    """Key of the step that determines the intent."""
    return f"intent:{clarified}"


def write_key(number: int) -> str:
    """Key of the step that writes a section of a report."""
    return f"section:{number}"


def open_key(number: int) -> str:
    """Key of the tool call that opens a document the person named."""
    return f"open:{number}"


def change_key(number: int) -> str:
    """Key of a change of a document."""
    return f"change:{number}"


BRIEF = "brief"
TABULATED = "tabulated"
ANSWER = "answer"
TITLE = "title"
CHANGES = "changes"
SAVED = "saved"
