"""The kinds of answer a run can write, one file each. A kind is added by its file and a line here."""

from intelli.runs.answers import standard
from intelli.runs.answers.answer_kind import AnswerKind

KINDS: tuple[AnswerKind, ...] = (standard.KIND,)


def kind_of(deliverable_type: str) -> AnswerKind:
    """Return the kind that writes a deliverable type; the plain answer when there is none."""
    return next((kind for kind in KINDS if deliverable_type in kind.writes), standard.KIND)
