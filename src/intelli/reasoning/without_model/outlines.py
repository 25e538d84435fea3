"""Outlines without a model: the headings that were ordered, else what was researched, each a chapter."""

from intelli.reasoning import orders
from intelli.reasoning.verbs.outline import MOST_CHAPTERS, ChapterRole, Outline, OutlineInput, PlannedChapter
from intelli.reasoning.without_model import commands, facets, intents


def outline_of(given: OutlineInput) -> Outline:
    """Return the outline that an order names; of a question its parts, or the question itself."""
    headings = given.order.headings or _told(given)
    return Outline(
        title=_title(given),
        subject=given.order.subject,
        chapters=tuple(_chapter(each, given) for each in headings[:MOST_CHAPTERS]),
    )


def _told(given: OutlineInput) -> tuple[str, ...]:
    """Return what was researched, without the whole question where its parts are there."""
    first, *others = given.tasks or (given.question,)
    return tuple(others) if len(others) > 1 and first == facets.heading(given.question) else (first, *others)


def _chapter(heading: str, given: OutlineInput) -> PlannedChapter:
    role = orders.role_of(heading)
    # The name of a company stands on every first page: beside it, a heading is looked for alone as well.
    queries = dict.fromkeys((heading, f"{heading} {given.order.subject}".strip()))
    return PlannedChapter(heading=heading, role=role, queries=tuple(queries) if role is ChapterRole.CHAPTER else ())


def _title(given: OutlineInput) -> str:
    question = commands.rest(given.question) or given.question
    ordered = orders.title_of(question) if orders.orders_paper(question) else ""
    return ordered or intents.title(question) or question
