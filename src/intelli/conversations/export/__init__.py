"""Exporting a conversation: for reading with its numbered sources, or for programs with all there is."""

from intelli.conversations.export import html, json, markdown
from intelli.conversations.export.form import Form

FORMS: tuple[Form, ...] = (markdown.FORM, html.FORM, json.FORM)
