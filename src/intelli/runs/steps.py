"""Keys of a run's steps: the ledger records each step's result under its key, and later steps load it."""


def understand_key(clarified: int) -> str:
    """Key of the step that understands the message and plans; it runs again after each clarification."""
    return f"understand:{clarified}"


def earlier_keys(clarified: int) -> tuple[str, str]:
    """Keys of the intent and the plan, which earlier versions recorded as two steps."""
    return f"intent:{clarified}", f"plan:{clarified}"


def library_key(clarified: int, depth: int) -> str:
    """Key of the tool call that lists a folder for the step that understands the message."""
    return f"library:{clarified}:{depth}"


def search_key(index: int, number: int) -> str:
    """Key of a search for a task."""
    return f"task:{index}:search:{number}"


def recall_key(index: int) -> str:
    """Key of the memory search for a task."""
    return f"task:{index}:recall"


def tables_key(index: int) -> str:
    """Key of the tool call that asks tables for a task."""
    return f"task:{index}:tables"


def documents_key(index: int) -> str:
    """Key of the tool call that asks about documents for a task."""
    return f"task:{index}:documents"


def note_key(index: int) -> str:
    """Key of the step that takes notes for a task."""
    return f"task:{index}:note"


JUDGE = "judge:"


def judge_key(asked: str) -> str:
    """Key of a step that judges statements, by the hash of what is asked."""
    return f"{JUDGE}{asked[:32]}"


def write_key(number: int) -> str:
    """Key of the step that writes a section of a report."""
    return f"section:{number}"


def chapter_key(number: int) -> str:
    """Key of the step that writes a chapter of an outline."""
    return f"chapter:{number}"


def chapter_search_key(number: int, query: int) -> str:
    """Key of a search for a chapter."""
    return f"chapter:{number}:search:{query}"


def chapter_tables_key(number: int) -> str:
    """Key of the tool call that asks tables for a chapter."""
    return f"chapter:{number}:tables"


def read_on_key(number: int) -> str:
    """Key of the tool call that reads on in a document before the answer."""
    return f"read_on:{number}"


def open_key(number: int) -> str:
    """Key of the tool call that opens a document the person named."""
    return f"open:{number}"


def change_key(number: int) -> str:
    """Key of a change of a document."""
    return f"change:{number}"


BRIEF = "brief"
TABULATED = "tabulated"
OUTLINE = "outline"
CLOSING = "closing"
REJECTED = "rejected"
ANSWER = "answer"
READ_ON = "read_on"
REVISED = "revised"
CHECKED = "checked"
CHANGES = "changes"
SAVED = "saved"
