"""Export of a conversation: Markdown and HTML with numbered sources, JSON with every branch."""

from intelli.conversations.export import html, json, markdown
from intelli.conversations.export.format import ConversationFormat

FORMS: tuple[ConversationFormat, ...] = (markdown.FORM, html.FORM, json.FORM)
