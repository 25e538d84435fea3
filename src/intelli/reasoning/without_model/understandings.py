"""Understand a message by its own words: reply to small talk, ask back, or split the question into tasks."""

from intelli.reasoning import evidence_rules, small_talk
from intelli.reasoning.document_answers import question
from intelli.reasoning.document_answers.question import QuestionForm
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.extract import ExtractInput
from intelli.reasoning.verbs.understand import Intent, Understanding, UnderstandInput
from intelli.reasoning.without_model import commands, facets, fact_patterns, intents

# Who says it does not matter here.
_PERSON = "Person"


def understand(asked: UnderstandInput) -> Understanding:
    """Return the reply to a message that needs no research, else its intent and the plan of its research.

    What only states something is noted and not looked for, and an order is never taken for a question.
    """
    reply = None if _asks_for_folder(asked) else _reply(asked)
    if reply is not None:
        return Understanding(intent=Intent(kind=intents.intent(asked).kind), reply=reply)
    intent, title = intents.intent(asked), intents.title(asked.question)
    if intent.clarification or intent.is_only_change:
        return Understanding(intent=intent, title=title)
    return Understanding(intent=intent, plan=facets.plan(asked), title=title)


def _reply(asked: UnderstandInput) -> str | None:
    """Return what is replied without any research: to small talk, a doubt, an unclear order, or a mere statement."""
    question = asked.question
    reply = small_talk.reply_to(question, asked.library)
    if reply is None and asked.conversation:
        reply = small_talk.reply_about_answer(question)
    if reply is not None or asked.is_form_chosen:
        return reply
    unclear = commands.find_unclear(question)
    if unclear is not None:
        return small_talk.tell_unclear_change(question, is_move=unclear.is_move)
    return small_talk.tell_noted(question) if _is_mere_statement(question) else None


def _is_mere_statement(message: str) -> bool:
    """Whether a message states something of the person's own, or a fact as memory keeps it, and nothing else.

    All else is looked for, with a full stop or without: "Net debt at the end of 2024.".
    """
    if not evidence_rules.only_states(message):
        return False
    told = ExtractInput(passage=SourceText(identifier="message", title="", text=message), speaker=_PERSON)
    return evidence_rules.speaks_of_own(message) or bool(fact_patterns.read(told).facts)


def _asks_for_folder(asked: UnderstandInput) -> bool:
    """Whether a message asks what is in a folder, which more can be told of than names."""
    about = question.read(asked.question) if asked.library else None
    return about is not None and about.form is QuestionForm.FOLDER
