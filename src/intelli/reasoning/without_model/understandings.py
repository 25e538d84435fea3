"""Understand a message by its own words: reply to small talk, ask back, or split the question into tasks."""

from intelli.reasoning import small_talk
from intelli.reasoning.document_answers import question
from intelli.reasoning.document_answers.question import QuestionForm
from intelli.reasoning.verbs.understand import Intent, IntentKind, Understanding, UnderstandInput
from intelli.reasoning.without_model import facets, intents


def understand(asked: UnderstandInput) -> Understanding:
    """Return the reply to a message that needs no research, else its intent and the plan of its research."""
    reply = None if _asks_for_folder(asked) else small_talk.reply_to(asked.question, asked.library)
    if reply is not None:
        return Understanding(intent=Intent(kind=IntentKind.QUESTION), reply=reply)
    intent, title = intents.intent(asked), intents.title(asked.question)
    if intent.clarification or intent.is_only_change:
        return Understanding(intent=intent, title=title)
    return Understanding(intent=intent, plan=facets.plan(asked), title=title)


def _asks_for_folder(asked: UnderstandInput) -> bool:
    """Whether a message asks what is in a folder, which more can be told of than names."""
    about = question.read(asked.question) if asked.library else None
    return about is not None and about.form is QuestionForm.FOLDER
