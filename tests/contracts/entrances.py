"""The entrances by which text from outside reaches pure code of the server and the worker, each called with a text."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

from intelli.citations import controls, figures, formulas, parse, prove, resolve, statements, wording_tokens
from intelli.citations.buffer import CitationBuffer
from intelli.citations.source_views import SourceView
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.conversations import plain_text as conversation_text
from intelli.conversations import search as conversation_search
from intelli.conversations.export import markdown as export
from intelli.deliverables import column_names, compare
from intelli.deliverables import sentences as deliverables_sentences
from intelli.deliverables.gml import read as gml
from intelli.deliverables.gml import tree
from intelli.kit import log, ranges
from intelli.language import dates, identify, numbers, quotes, sentences
from intelli.library import names
from intelli.library.diff import lines, unified
from intelli.memory import names as memory_names
from intelli.memory import partial_dates, relations, search_terms, values
from intelli.memory import term_weights as memory_words
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.citation_stream import CitationStream
from intelli.reasoning.quotes import find_quote
from intelli.reasoning.values import QuotedFinding, SourceText
from intelli.reasoning.verbs import write
from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.change import ChangeInput
from intelli.reasoning.verbs.extract import ExtractInput
from intelli.reasoning.verbs.judge import JudgeInput, StatementToJudge
from intelli.reasoning.verbs.note import NoteInput, Notes
from intelli.reasoning.verbs.tabulate import TabulateInput
from intelli.reasoning.verbs.title import TitleInput
from intelli.reasoning.verbs.understand import PlannedTask, UnderstandInput
from intelli.reasoning.verbs.verb import VerbInput
from intelli.reasoning.without_model import disagreements
from intelli.reasoning.without_model import names as without_model_names
from intelli.retrieval import analysis, excerpts, literals

Entrance = Callable[[str], object]
_QUESTION = "What was the revenue of Acme in 2024 and in 2025?"
_ONE, _OTHER = UUID(int=1), UUID(int=2)


def _passage(text: str) -> SourceText:
    return SourceText(identifier="0123456789abcdef.0-9", title="a.md", text=text)


def _finding(text: str) -> QuotedFinding:
    return QuotedFinding(text=text, identifier="0123456789abcdef.0-9", quote=text, relevance=0.5)


def _note(question: str, text: str) -> object:
    task = PlannedTask(title=question[:80], message=question, queries=(question,))
    return _done(NoteInput(question=question, task=task, passages=(_passage(text),)))


def _brief(question: str, text: str) -> BriefInput:
    notes = Notes(task_title="a", findings=(_finding(text), _finding(text[1:])))
    return BriefInput(question=question, notes=(notes,), passages=(_passage(text),))


def _answer(text: str) -> object:
    brief = Brief(title="a", question=text, findings=(_finding(text),))

    async def told() -> list[object]:
        return [each async for each in ExtractiveReasoner().answer(AnswerInput(question=text, brief=brief))]

    return asyncio.run(told())


def _done(asked: VerbInput[Any]) -> object:
    return asyncio.run(ExtractiveReasoner().do(asked))


def _source(text: str) -> figures.CitedView:
    return figures.CitedView(0, SourceView("p", text, "", 0, text, text))


def _checked(statement: str, source: str) -> object:
    passage = Passage(Span("a" * 64, 0, len(source)), source, "a.md", "/a.md", "text/markdown", score=1.0)
    stored = {"a" * 64: prove.StoredText("a" * 64, source, is_whole=True)}
    return prove.prove(f"{statement}{parse.tag('p')}", prove.ProofMaterial({"p": passage}, stored))


def _fed(text: str) -> object:
    buffer, settler = CitationBuffer(), resolve.CitationResolver(set())
    for at in range(0, len(text), 40):
        buffer.feed(text[at : at + 40])
        settler.feed(text[at : at + 40])
    return buffer.end(), settler.end()


def _cited(text: str) -> object:
    stream = CitationStream({"s1": _passage("a")})
    return [stream.feed(text[at : at + 40]) for at in range(0, len(text), 40)]


ENTRANCES: dict[str, Entrance] = {
    "understand": lambda text: _done(UnderstandInput(question=text)),
    "note of a question": lambda text: _note(text, "Revenue of Acme was 5 million in 2024."),
    "note of a passage": lambda text: _note(_QUESTION, text),
    "brief": lambda text: _done(_brief(_QUESTION, text)),
    "brief of a question": lambda text: _done(_brief(text, "Revenue of Acme was 5 million in 2024.")),
    "tabulate": lambda text: _done(
        TabulateInput(question=_QUESTION, findings=(_finding(text),), passages=(_passage(text),))
    ),
    "answer": _answer,
    "title": lambda text: _done(TitleInput(question=text, answer=text)),
    "judge": lambda text: _done(JudgeInput(statements=(StatementToJudge(text=text),), passages=(_passage(text),))),
    "change": lambda text: _done(ChangeInput(question=text, answer=text)),
    "extract": lambda text: without_model_names.extract(ExtractInput(passage=_passage(text))),
    "extract relations": lambda text: without_model_names.extract(
        ExtractInput(passage=_passage(text), relations=("works for",))
    ),
    "sentences": sentences.split,
    "statements of a passage": sentences.statements,
    "disagreeing": lambda text: disagreements.disagreements_of(
        [_passage(text), SourceText(identifier="1.0-9", title="b.md", text=text[1:])]
    ),
    "written section": write.strip_markup,
    "quote in a text": lambda text: find_quote(text[:400], text),
    "citation stream": _cited,
    "citations": parse.parse,
    "segments": parse.segments,
    "citation buffer": _fed,
    "statements": statements.statements_of,
    "statements by sentence": lambda text: statements.statements_of(text, by_sentence=True),
    "check": lambda text: _checked(text, text[:1000]),
    "check against a source": lambda text: _checked("Revenue of Acme was 12 million in 2024.", text),
    "figures": lambda text: figures.entries_of(text, [_source(text)]),
    "calculation": lambda text: formulas.verify(text[:500], figures.FigureEntry("5", 0, 1, ()), [_source("5 and 7")]),
    "controls": lambda text: controls.make_controls([_source(text).view]),
    "dates": dates.dates_of,
    "numbers": numbers.numbers_of,
    "number words": numbers.words_of,
    "quotes": lambda text: quotes.QuoteIndex(text).find(text[:2000]),
    "same quote": lambda text: quotes.says_the_same(text, text + "a"),
    "words of a text": lambda text: analysis.analyse(text, "en"),
    "words of a query": lambda text: analysis.parse_query(text, ["en", "de"]),
    "literal": literals.parse,
    "excerpt of a passage": lambda text: excerpts.shorten(text, text[:2000], most=300),
    "page": lambda text: excerpts.find_best_page(text, 1, worth={1: 1.0}, language="en"),
    "conversation": conversation_text.preview,
    "search of conversations": lambda text: conversation_search.make_excerpt(
        text, conversation_search.split_words(text)
    ),
    "export": lambda text: export.write_answer(text, []),
    "memory terms": lambda text: list(
        search_terms.weighted_terms(text, next(iter(search_terms.SearchKind)), language="en")
    ),
    "memory query": lambda text: memory_words.read_query(text, ["en"]),
    "memory time": partial_dates.beginning,
    "memory values": lambda text: (values.parse_value_query(text, [], {}), values.names_of(text)),
    "relation": relations.key_of,
    "name": lambda text: (memory_names.key_of(text), memory_names.tokens_of(text)),
    "names that differ": lambda text: memory_names.differ_in_code(text, text + "1"),
    "gml": gml.parse,
    "gml stream": tree.parse_prefix,
    "comparison": lambda text: compare.compare(_ONE, f"# A\n\n{text}", _OTHER, f"# A\n\n{text[::-1]}"),
    "readable name": column_names.readable,
    "things": lambda text: wording_tokens.tokenize(text, "en"),
    "subject": deliverables_sentences.subject,
    "sentence": deliverables_sentences.sentence,
    "language": identify.find_language,
    "file name": names.escape,
    "changed lines": lambda text: lines.matches(text.split("\n"), text[::-1].split("\n")),
    "changed words": lambda text: lines.matches(text.split(), text[::-1].split()),
    "unified": lambda text: unified.unified(text, text[::-1], path="a"),
    "log": lambda text: log.clean({"said": text}),
    "range": lambda text: ranges.is_unchanged(text, "a"),
}
