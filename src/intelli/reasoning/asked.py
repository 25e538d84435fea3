"""Everything that may be asked of a reasoner, told apart by its verb."""

from typing import Annotated

from pydantic import Field

from intelli.reasoning.changing import ChangeAsked
from intelli.reasoning.remembering import ExtractAsked, ResolveAsked
from intelli.reasoning.thoughts import (
    AnswerAsked,
    BriefAsked,
    IntentAsked,
    JudgeAsked,
    NoteAsked,
    PlanAsked,
    TabulateAsked,
    TitleAsked,
)
from intelli.reasoning.writing import WriteAsked

_Research = IntentAsked | PlanAsked | NoteAsked | BriefAsked | TabulateAsked
_Writing = AnswerAsked | WriteAsked | TitleAsked | JudgeAsked | ChangeAsked
_Memory = ExtractAsked | ResolveAsked
Asked = Annotated[_Research | _Writing | _Memory, Field(discriminator="verb")]
