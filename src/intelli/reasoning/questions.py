"""Questions as other rooms need them: whether a text asks, and what kind of answer it asks for."""

from intelli.reasoning.extractive.question import ParsedQuestion, QuestionKind, asks, read

__all__ = ["ParsedQuestion", "QuestionKind", "asks", "read"]
