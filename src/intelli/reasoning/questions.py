"""Questions as other rooms need them: whether a text asks, what kind of answer it asks for, what it states."""

from intelli.reasoning.extractive.question import ParsedQuestion, QuestionKind, asks, read
from intelli.reasoning.without_model.stated import statements_of

__all__ = ["ParsedQuestion", "QuestionKind", "asks", "read", "statements_of"]
