"""The forms in which a model answers, with handles where results have identifiers; and reading them from its words."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from intelli.reasoning.changing import Action
from intelli.reasoning.thoughts import Relevance, Thought

Form = TypeVar("Form", bound=Thought)
_THINKING, _THOUGHT = "<think>", "</think>"


class Unfit(Exception):
    """What the model said is not what was asked for; the text tells the model why."""


class FindingDraft(Thought):
    """A finding by the handle of its source."""

    text: str
    source: str
    quote: str
    relevance: Relevance


class NotesDraft(Thought):
    """Notes on one task."""

    findings: list[FindingDraft]
    open_questions: list[str]


class MetricDraft(Thought):
    """A figure by the handle of its finding."""

    name: str
    value: str
    unit: str
    period: str
    entity: str
    source: str


class MomentDraft(Thought):
    """A dated event by the handle of its finding."""

    when: str
    what: str
    source: str


class ReadingDraft(Thought):
    """One side of a disagreement."""

    value: str
    source: str


class DisagreementDraft(Thought):
    """A disagreement with its sides."""

    about: str
    readings: list[ReadingDraft]


class BriefDraft(Thought):
    """A brief in handles of findings."""

    title: str
    findings: list[str] = Field(description="Handles of findings, such as s1.")
    metrics: list[MetricDraft]
    timeline: list[MomentDraft]
    disagreements: list[DisagreementDraft]
    open_questions: list[str]


class MeasureDraft(MetricDraft):
    """A figure by the handle of its source, with the words it stands in."""

    quote: str


class PointDraft(Thought):
    """One value of a series."""

    label: str
    value: str
    source: str
    quote: str


class SeriesDraft(Thought):
    """A series in handles."""

    title: str
    unit: str
    points: list[PointDraft]


class RowDraft(Thought):
    """A row of a table, with the line it was read from."""

    cells: list[str]
    quote: str


class TableDraft(Thought):
    """A table of one source."""

    title: str
    columns: list[str]
    rows: list[RowDraft]
    source: str


class TabulatedDraft(Thought):
    """The data of a brief in handles."""

    metrics: list[MeasureDraft]
    series: list[SeriesDraft]
    tables: list[TableDraft]


class SentenceDraft(Thought):
    """A sentence by the handles of its findings."""

    text: str
    sources: list[str] = Field(description="Handles of findings, such as s1.")


class ParagraphDraft(Thought):
    """Sentences that belong together."""

    sentences: list[SentenceDraft]


class SectionDraft(Thought):
    """A section of a report in handles."""

    heading: str
    paragraphs: list[ParagraphDraft]


class EditDraft(Thought):
    """Words to put in the place of others."""

    find: str
    replace: str


class ChangeDraft(Thought):
    """A change; what is empty is not meant."""

    action: Action
    path: str
    uses_answer: bool
    content: str
    edits: list[EditDraft]


class ChangesDraft(Thought):
    """The changes that were asked for."""

    changes: list[ChangeDraft]


def schema_of(form: type[Thought]) -> dict[str, Any]:
    """The JSON schema in the strict form that endpoints enforce: every field required, no other allowed."""
    schema: dict[str, Any] = _strict(form.model_json_schema())
    return schema


def read(text: str, form: type[Form]) -> Form:
    """The form out of what a model wrote, also when it wrote more than that."""
    try:
        return form.model_validate(_object(_without_thinking(text)))
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, each['loc'])) or 'answer'}: {each['msg']}" for each in error.errors()[:5])
        raise Unfit(f"it does not have the form asked for ({'; '.join(problems)})") from None


def _without_thinking(text: str) -> str:
    kept, at = [], 0
    while (start := text.find(_THINKING, at)) >= 0 and (end := text.find(_THOUGHT, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(_THOUGHT)
    return "".join([*kept, text[at:]])


def _object(text: str) -> Mapping[str, Any]:
    """The first JSON object in a text."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    tries = 0
    while at >= 0 and tries < 20:
        try:
            found, _ = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            at = text.find("{", at + 1)
            tries += 1
            continue
        if isinstance(found, dict):
            return found
    raise Unfit("it holds no complete JSON object")


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _strict(value) for key, value in node.items() if key not in {"default", "title"} or key == "properties"
    }
    if "properties" in node:
        kept["properties"] = {name: _strict(each) for name, each in node["properties"].items()}
        kept |= {"required": list(node["properties"]), "additionalProperties": False}
    return kept
