"""Definition of a verb of the reasoner: its input and output, the request to a model, and the check of the reply."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from intelli.reasoning import prompt, untrusted
from intelli.reasoning.prompt import Prompt, Template
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, SourceText

Output = TypeVar("Output", bound=ReasoningModel)
Draft = TypeVar("Draft", bound=ReasoningModel)
Sources = Mapping[str, SourceText]
NONE = "none"


class ReasonerInput(ReasoningModel):
    """Everything that a reasoner may be asked, told apart by its verb."""

    verb: str


class VerbInput(ReasonerInput, Generic[Output]):
    """The input of a verb that gives one output: `UnderstandInput(VerbInput[ResearchPlan])`."""


AnyInput = TypeVar("AnyInput", bound=ReasonerInput)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Prompt for a model, and the sources by their handles in it."""

    prompt: Prompt
    sources: Sources


@dataclass(frozen=True, kw_only=True)
class PromptedVerb(Generic[AnyInput]):
    """Verb with a prompt, which is the Markdown file beside the verb's module."""

    input: type[AnyInput]
    slots: Callable[[AnyInput, Fence], Mapping[str, str]]
    sources: Callable[[AnyInput], Sequence[SourceText]] = lambda _: ()

    @property
    def name(self) -> str:
        """Name of the verb in inputs and prompts."""
        return str(self.input.model_fields["verb"].default)

    @property
    def template(self) -> Template:
        """Template of the verb's prompt."""
        return prompt.load_template(self.name)

    def request(self, given: AnyInput, *, characters: int) -> ModelRequest:
        """Build the prompt of a call, with as much of the sources as fits into `characters`.

        The user's question is the instruction; all other text that is not ours is enclosed.
        """
        sources = untrusted.assign_handles(untrusted.fit_sources(self.sources(given), characters=characters))
        fence, template = Fence.for_call(given), self.template
        values = dict(self.slots(given, fence))
        if "sources" in template.slots:
            values["sources"] = fence.sources(sources) or "There are no sources."
        return ModelRequest(template.fill(values), sources)


@dataclass(frozen=True, kw_only=True)
class Verb(PromptedVerb[AnyInput], Generic[AnyInput, Output, Draft]):
    """Verb for which a model replies in a form, the draft.

    `check` converts a draft and the sources by their handles to the output; it raises `UnusableReply` for a draft that
    the model is to write again. `without_model` computes the output from the input alone; None where
    `reasoning.without_model` has a rule.
    """

    output: type[Output]
    draft: type[Draft]
    check: Callable[[Draft, AnyInput, Sources], Output]
    without_model: Callable[[AnyInput], Output] | None = None


def accept_draft(draft: Output, given: ReasonerInput, sources: Sources) -> Output:
    """Return the draft unchanged, for a verb whose draft is its output."""
    return draft
