"""The verbs of the reasoner: one module each, its prompt beside it, and the one list of them."""

from collections.abc import Mapping
from typing import Any, cast

from intelli.reasoning.verbs import (
    answer,
    brief,
    change,
    extract,
    intent,
    judge,
    note,
    plan,
    resolve,
    tabulate,
    title,
    write,
)
from intelli.reasoning.verbs.verb import ModelRequest, Output, PromptedVerb, ReasonerInput, Verb, VerbInput

VERBS: tuple[PromptedVerb[Any], ...] = (
    intent.VERB,
    plan.VERB,
    note.VERB,
    brief.VERB,
    tabulate.VERB,
    answer.VERB,
    write.VERB,
    title.VERB,
    judge.VERB,
    change.VERB,
    extract.VERB,
    resolve.VERB,
)
_BY_INPUT = {verb.input: verb for verb in VERBS}


def verb_of(given: VerbInput[Output]) -> Verb[VerbInput[Output], Output, Any]:
    """The verb of an input."""
    # A verb is found by its input, whose type says what it gives: no mapping can say so.
    return cast("Verb[VerbInput[Output], Output, Any]", _BY_INPUT[type(given)])


def request_of(given: ReasonerInput, *, characters: int) -> ModelRequest:
    """What is sent to a model for an input, with as much of its sources as there is room for."""
    return _BY_INPUT[type(given)].request(given, characters=characters)


def versions() -> Mapping[str, str]:
    """The version of every verb's prompt."""
    return {verb.name: verb.template.version for verb in VERBS}
