"""The verbs of the reasoner: one module each with its prompt beside it, and the list of them."""

from collections.abc import Mapping
from typing import Any, cast

from intelli.reasoning.verbs import (
    answer,
    brief,
    change,
    chapter,
    conclude,
    extract,
    judge,
    note,
    outline,
    resolve,
    revise,
    tabulate,
    title,
    understand,
    write,
)
from intelli.reasoning.verbs.verb import ModelRequest, Output, PromptedVerb, ReasonerInput, Verb, VerbInput

VERBS: tuple[PromptedVerb[Any], ...] = (
    understand.VERB,
    note.VERB,
    brief.VERB,
    tabulate.VERB,
    answer.VERB,
    write.VERB,
    outline.VERB,
    chapter.VERB,
    conclude.VERB,
    title.VERB,
    judge.VERB,
    revise.VERB,
    change.VERB,
    extract.VERB,
    resolve.VERB,
)
_BY_INPUT = {verb.input: verb for verb in VERBS}


def verb_of(given: VerbInput[Output]) -> Verb[VerbInput[Output], Output, Any]:
    """Return the verb of an input."""
    # A verb is found by its input, whose type says what it gives: no mapping can say so.
    return cast("Verb[VerbInput[Output], Output, Any]", _BY_INPUT[type(given)])


def build_request(given: ReasonerInput, *, characters: int) -> ModelRequest:
    """Build the request to a model for an input, with as much of its sources as fits into `characters`."""
    return _BY_INPUT[type(given)].request(given, characters=characters)


def prompt_versions() -> Mapping[str, str]:
    """Return the version of every verb's prompt."""
    return {verb.name: verb.template.version for verb in VERBS}
