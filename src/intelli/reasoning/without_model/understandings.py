"""Understand a message by its own words: reply to small talk, ask back, or split the question into tasks."""

from intelli.language import words
from intelli.reasoning import small_talk
from intelli.reasoning.document_answers import question
from intelli.reasoning.document_answers.question import QuestionForm
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.extract import ExtractInput
from intelli.reasoning.verbs.understand import Intent, IntentKind, Understanding, UnderstandInput
from intelli.reasoning.without_model import facets, fact_patterns, intents, stated

# Who says it does not matter here.
_PERSON = "Person"


def understand(asked: UnderstandInput) -> Understanding:
    """Return the reply to a message that needs no research, else its intent and the plan of its research."""
    reply = None if _asks_for_folder(asked) else small_talk.reply_to(asked.question, asked.library)
    if reply is None and _only_states(asked):
        reply = small_talk.reply_to_statement(words.language_of(asked.question))
    if reply is not None:
        return Understanding(intent=Intent(kind=IntentKind.QUESTION), reply=reply)
    intent, title = intents.intent(asked), intents.title(asked.question)
    if intent.clarification or intent.is_only_change:
        return Understanding(intent=intent, title=title)
    return Understanding(intent=intent, plan=facets.plan(asked), title=title)


def _only_states(asked: UnderstandInput) -> bool:
    """Whether a message is a fact as memory keeps it, and nothing else: "Ada moved to Lisbon in May."."""
    said = asked.question.strip()
    if asked.conversation or not said.endswith((".", "!")) or stated.statements_of(said) != said:
        return False
    told = ExtractInput(passage=SourceText(identifier="message", title="", text=said), speaker=_PERSON)
    return bool(fact_patterns.read(told).facts)


def _asks_for_folder(asked: UnderstandInput) -> bool:
    """Whether a message asks what is in a folder, which more can be told of than names."""
    about = question.read(asked.question) if asked.library else None
    return about is not None and about.form is QuestionForm.FOLDER
