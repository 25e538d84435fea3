"""What a run is doing while a model thinks, in words for the person who waits."""

from collections.abc import Callable

from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.verbs.brief import BriefInput
from intelli.reasoning.verbs.chapter import ChapterInput
from intelli.reasoning.verbs.conclude import ClosingInput
from intelli.reasoning.verbs.judge import JudgeInput
from intelli.reasoning.verbs.note import NoteInput
from intelli.reasoning.verbs.outline import OutlineInput
from intelli.reasoning.verbs.revise import ReviseInput
from intelli.reasoning.verbs.understand import UnderstandInput
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.reasoning.verbs.write import WriteInput
from intelli.runs.events import Activity, ProgressUpdate
from intelli.runs.recorder import now_ms

_PREPARING: tuple[Activity, str] = ("preparing", "Preparing what is to be made")
OnCall = Callable[[str, ReasonerInput, float | None], None]


def describe_call(given: ReasonerInput, estimate_s: float | None) -> ProgressUpdate:
    """Build the event for a call to a model that begins now."""
    activity, message = _describe(given)
    return ProgressUpdate(activity=activity, message=message, estimate_s=estimate_s, timestamp=now_ms())


def _describe(given: ReasonerInput) -> tuple[Activity, str]:
    match given:
        case NoteInput() | AnswerInput() | BriefInput() | OutlineInput():
            return _describe_reading(given)
        case JudgeInput():
            return "checking", f"Checking {_counted(len(given.statements), 'statement')}"
        case ReviseInput():
            return "checking", f"Correcting {_counted(len(given.sentences), 'statement')}"
        case WriteInput() | ChapterInput() | ClosingInput():
            return "writing", _describe_writing(given)
        case _:
            is_first = isinstance(given, UnderstandInput)
            return ("understanding", "Understanding the question") if is_first else _PREPARING


def _describe_writing(given: WriteInput | ChapterInput | ClosingInput) -> str:
    if isinstance(given, ClosingInput):
        return "Summing up the chapters"
    return f"Writing \u201c{given.chapter.heading if isinstance(given, ChapterInput) else given.heading}\u201d"


def _describe_reading(given: NoteInput | AnswerInput | BriefInput | OutlineInput) -> tuple[Activity, str]:
    if isinstance(given, OutlineInput):
        return "comparing", f"Making an outline from {_counted(len(given.passages), 'passage')}"
    if isinstance(given, BriefInput):
        return "comparing", f"Comparing {_counted(len(given.findings), 'finding')}"
    findings = given.brief.findings if isinstance(given, AnswerInput) else ()
    counted = _counted(len(findings), "finding") if findings else _counted(len(given.passages), "passage")
    return "reading", f"Reading {counted}"


def _counted(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number} {thing}s"
