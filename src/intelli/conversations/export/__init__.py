"""Exporting a conversation: for reading with its numbered sources, or for programs with all there is."""

from intelli.conversations.export import html, json, markdown
from intelli.conversations.export.format import ConversationFormat

FORMS: tuple[ConversationFormat, ...] = (markdown.FORM, html.FORM, json.FORM)
