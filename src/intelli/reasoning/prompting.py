"""What is asked, as a prompt. The person's question is the instruction; all else that is not ours is enclosed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from intelli import deliverable_kinds
from intelli.reasoning import changing, enclosure, remembering, templates, thoughts, writing
from intelli.reasoning.asked import Asked
from intelli.reasoning.templates import Prompt
from intelli.reasoning.thoughts import Finding, Passage, Turn

VERBS = (
    *("intent", "plan", "note", "brief", "tabulate", "answer", "write", "title", "judge", "change"),
    *("extract", "resolve"),
)
_NONE = "none"
_TURNS = 10
_LONGEST_TURN = 4_000
# Of what was said before, enough to tell who is meant: memory asks this for every message.
_LONGEST_BEFORE = 600


@dataclass(frozen=True, slots=True)
class Asking:
    """A prompt, and the sources that its handles stand for."""

    prompt: Prompt
    sources: Mapping[str, Passage]


def versions() -> dict[str, str]:
    """The version of every prompt."""
    return {verb: templates.template(verb).version for verb in VERBS}


def asking(asked: Asked, *, characters: int) -> Asking:
    """The prompt of a call, with as much of the sources as there is room for."""
    sources = enclosure.handles(enclosure.fit(_passages(asked), characters=characters))
    template, mark = templates.template(asked.verb), enclosure.mark_of(asked)
    values = _values(asked, mark)
    if "sources" in template.slots:
        values["sources"] = enclosure.listing(sources, mark) or "There are no sources."
    return Asking(template.fill(values), sources)


def of_findings(findings: Sequence[Finding]) -> tuple[Passage, ...]:
    """Findings as passages: what a model wrote from sources is no more to be trusted than they are."""
    return tuple(
        Passage(identifier=each.identifier, title=each.about or "finding", text=f"{each.text}\nQuote: {each.quote}")
        for each in findings
    )


def _quotes(findings: Sequence[Finding]) -> tuple[Passage, ...]:
    """The sources' own words alone: data is read from nothing that a model wrote."""
    return tuple(
        Passage(identifier=each.identifier, title=each.about or "finding", text=each.quote) for each in findings
    )


def _findings(asked: thoughts.BriefAsked | writing.WriteAsked) -> Sequence[Finding]:
    if isinstance(asked, writing.WriteAsked):
        return asked.findings
    return [finding for notes in asked.notes for finding in notes.findings]


def _passages(asked: Asked) -> tuple[Passage, ...]:
    match asked:
        case thoughts.NoteAsked() | changing.ChangeAsked():
            return asked.passages
        case thoughts.BriefAsked() | writing.WriteAsked():
            return of_findings(_findings(asked))
        case thoughts.TabulateAsked():
            return (*_quotes(asked.findings), *asked.passages)
        case thoughts.AnswerAsked():
            return (*of_findings(asked.brief.findings), *asked.passages)
        case thoughts.JudgeAsked() | remembering.ExtractAsked() | remembering.ResolveAsked():
            return (asked.passage,)
        case thoughts.IntentAsked() | thoughts.PlanAsked() | thoughts.TitleAsked():
            return ()
        case _:
            assert_never(asked)


def _values(asked: Asked, mark: str) -> dict[str, str]:
    values: dict[str, str]
    match asked:
        case thoughts.IntentAsked():
            values = {
                "question": asked.question,
                "conversation": _conversation(asked.conversation, mark),
                "deliverables": deliverable_kinds.phrase(),
            }
        case thoughts.PlanAsked():
            values = {
                "question": asked.question,
                "conversation": _conversation(asked.conversation, mark),
                "titles": _enclosed("Documents beside the question:", mark, asked.titles),
                "today": str(asked.today or "not known"),
                "max_tasks": str(asked.max_tasks),
            }
        case thoughts.NoteAsked():
            task = f"{asked.task.title}: {asked.task.message}"
            values = {"question": asked.question, "task": task, "max_findings": str(asked.max_findings)}
        case thoughts.BriefAsked():
            questions = (each for notes in asked.notes for each in notes.open_questions)
            values = {"question": asked.question, "open_questions": _enclosed("", mark, questions) or _NONE}
        case thoughts.TabulateAsked():
            values = {"question": asked.question}
        case writing.WriteAsked():
            values = {
                "question": asked.question,
                "title": _enclosed("", mark, [asked.title]) or _NONE,
                "task": f"{asked.heading}: {asked.message}" if asked.message else asked.heading,
                "others": _enclosed("The other sections:", mark, asked.others),
            }
        case thoughts.AnswerAsked():
            values = {
                "question": asked.question,
                "conversation": _conversation(asked.conversation, mark),
                "open_questions": _enclosed("", mark, asked.brief.open_questions) or _NONE,
                "problems": _enclosed("", mark, asked.problems) or _NONE,
            }
        case thoughts.TitleAsked():
            values = {"question": asked.question, "answer": _enclosed("Answer:", mark, [asked.answer[:_LONGEST_TURN]])}
        case thoughts.JudgeAsked():
            values = {"statement": enclosure.enclose(asked.statement, mark)}
        case changing.ChangeAsked():
            values = {
                "question": asked.question,
                "conversation": _conversation(asked.conversation, mark),
                "answer": _enclosed("The answer that was written:", mark, [asked.answer]),
            }
        case remembering.ExtractAsked() | remembering.ResolveAsked():
            values = _remembered(asked, mark)
        case _:
            assert_never(asked)
    return values


def _remembered(asked: remembering.ExtractAsked | remembering.ResolveAsked, mark: str) -> dict[str, str]:
    if isinstance(asked, remembering.ExtractAsked):
        said = (f"{each.title}: {each.text[:_LONGEST_BEFORE]}" for each in asked.before)
        return {
            "kinds": _enclosed("Kinds:", mark, [", ".join(asked.kinds)]),
            "relations": _enclosed("Only these relations:", mark, [", ".join(asked.relations)]),
            "known": _enclosed("Known names:", mark, asked.known),
            "before": _enclosed("Said before:", mark, said),
            "speaker": _enclosed("Said by:", mark, [asked.speaker]),
            "today": str(asked.today or "not known"),
        }
    doubts = (f"{doubt.name} \u2014 known: {' | '.join(doubt.known)}" for doubt in asked.doubts)
    earlier = (f"{number}. {each}" for number, each in enumerate(asked.earlier, 1))
    return {
        "doubts": _enclosed("Names in doubt:", mark, doubts),
        "statements": _enclosed("New statements:", mark, asked.statements),
        "earlier": _enclosed("Earlier statements:", mark, earlier),
    }


def _conversation(turns: Sequence[Turn], mark: str) -> str:
    """Earlier turns as material: answers quote sources, so they may carry what those say."""
    said = [f"{turn.role}: {turn.text[:_LONGEST_TURN]}" for turn in turns[-_TURNS:]]
    return _enclosed("Said before:", mark, ["\n\n".join(said)] if said else [])


def _enclosed(heading: str, mark: str, lines: Iterable[str]) -> str:
    text = "\n".join(line for line in lines if line)
    return f"{heading}\n{enclosure.enclose(text, mark)}".strip() if text else ""
