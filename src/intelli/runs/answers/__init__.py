"""The kinds of outcome a run can write, one file each. A deliverable joins by its file and its line here."""

from intelli.runs.answers import standard
from intelli.runs.answers.answer_kind import AnswerKind

KINDS: tuple[AnswerKind, ...] = (standard.KIND,)


def kind_of(deliverable_type: str) -> AnswerKind:
    """The kind that writes a deliverable; a plain answer stands in for one that nobody writes yet."""
    return next((kind for kind in KINDS if deliverable_type in kind.writes), standard.KIND)
