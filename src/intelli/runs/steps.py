"""The keys of a run's steps: under them the ledger keeps what each step gave, and later steps find it."""


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


def judge_key(ordinal: int) -> str:
    """The step that judges a citation of the answer."""
    return f"judge:{ordinal}"


BRIEF = "brief"
ANSWER = "answer"
TITLE = "title"
