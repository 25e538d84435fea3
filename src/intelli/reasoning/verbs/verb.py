"""What a verb of the reasoner is: its input and output, what a model is sent for it, and how the reply is checked."""

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
    """The input of a verb that gives one output: `PlanInput(VerbInput[Plan])`."""


AnyInput = TypeVar("AnyInput", bound=ReasonerInput)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What is sent to a model, and the sources that the handles in it stand for."""

    prompt: Prompt
    sources: Sources


@dataclass(frozen=True, kw_only=True)
class PromptedVerb(Generic[AnyInput]):
    """What a model is sent for an input. The prompt is the Markdown file beside the verb's module."""

    input: type[AnyInput]
    slots: Callable[[AnyInput, Fence], Mapping[str, str]]
    sources: Callable[[AnyInput], Sequence[SourceText]] = lambda _: ()

    @property
    def name(self) -> str:
        """The verb as inputs and prompts name it."""
        return str(self.input.model_fields["verb"].default)

    @property
    def template(self) -> Template:
        """The verb's prompt."""
        return prompt.template(self.name)

    def request(self, given: AnyInput, *, characters: int) -> ModelRequest:
        """The prompt of a call, with as much of the sources as there is room for.

        The person's question is the instruction; all else that is not ours is enclosed.
        """
        sources = untrusted.handles(untrusted.fit(self.sources(given), characters=characters))
        fence, template = Fence.of(given), self.template
        values = dict(self.slots(given, fence))
        if "sources" in template.slots:
            values["sources"] = fence.sources(sources) or "There are no sources."
        return ModelRequest(template.fill(values), sources)


@dataclass(frozen=True, kw_only=True)
class Verb(PromptedVerb[AnyInput], Generic[AnyInput, Output, Draft]):
    """A verb whose output a model gives in a form, the draft.

    `check` makes the output of a draft and the sources by their handles; it raises `UnusableReply` for one that the
    model is to give anew. `without_model` makes it of the input alone; None where `reasoning.without_model` has a rule.
    """

    output: type[Output]
    draft: type[Draft]
    check: Callable[[Draft, AnyInput, Sources], Output]
    without_model: Callable[[AnyInput], Output] | None = None


def unchecked(draft: Output, given: ReasonerInput, sources: Sources) -> Output:
    """The check of a verb whose draft is its output as it stands."""
    return draft
