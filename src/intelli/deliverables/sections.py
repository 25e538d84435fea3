"""Written sections as parts of the brief: a sentence that would fail its check is replaced by its findings."""

from collections.abc import Iterator, Mapping, Sequence

from intelli.citations import prove
from intelli.citations.prove import CitingText
from intelli.citations.statements import CitedStatement
from intelli.citations.wire import Check
from intelli.deliverables.brief import Finding, Section
from intelli.deliverables.quote_citations import QuoteCitations
from intelli.deliverables.sentences import sentence
from intelli.language.quotes import skeleton
from intelli.reasoning.values import QuotedFinding, SourceQuote
from intelli.reasoning.verbs.write import WrittenSection, WrittenSentence


def sections_of(
    written: Mapping[str, WrittenSection], findings: Sequence[QuotedFinding], quoting: QuoteCitations
) -> tuple[Section, ...]:
    """The sections by their tasks, in the order of the findings; no sentence twice, and none without a paragraph."""
    told: set[str] = set()
    sections = []
    for task in dict.fromkeys(each.about for each in findings):
        if task not in written:
            continue
        by_quote = {quote: each for each in findings if each.about == task for quote in each.quotes}
        telling = _Telling(task, by_quote, quoting, told)
        paragraphs = tuple(filter(None, (tuple(telling.of(each)) for each in written[task].paragraphs)))
        if paragraphs:
            sections.append(Section(task=task, heading=written[task].heading, paragraphs=paragraphs))
    return tuple(sections)


class _Telling:
    """Tells the sentences of one section; `told` is what the report has said so far."""

    def __init__(
        self,
        task: str,
        findings: Mapping[SourceQuote, QuotedFinding],
        quoting: QuoteCitations,
        told: set[str],
    ) -> None:
        self._task = task
        self._findings = findings
        self._quoting = quoting
        self._told = told

    def of(self, paragraph: Sequence[WrittenSentence]) -> Iterator[Finding]:
        """The sentences of a paragraph that are kept."""
        for each in paragraph:
            for text, quotes in self._kept(each):
                marks = [self._quoting.cite(quote.identifier, text, quote.text) for quote in quotes]
                cited = tuple(dict.fromkeys(mark for mark in marks if mark is not None))
                if cited and skeleton(text) not in self._told:
                    self._told.add(skeleton(text))
                    yield Finding(text=sentence(text), citations=cited, task=self._task)

    def _kept(self, written: WrittenSentence) -> Iterator[tuple[str, Sequence[SourceQuote]]]:
        if not _fails(written, self._quoting):
            yield written.text, written.quotes
            return
        for quote in written.quotes:
            finding = self._findings.get(quote)
            if finding is not None:
                yield finding.text, finding.quotes


def _fails(written: WrittenSentence, quoting: QuoteCitations) -> bool:
    """Whether the sources cannot have said a sentence. What a reader must judge does not fail."""
    cited = tuple(dict.fromkeys(quote.identifier for quote in written.quotes))
    ordinals = tuple(range(len(cited)))
    stated = CitedStatement(written.text, ordinals, 0, len(written.text))
    (checked,) = prove.examine(CitingText(written.text, (stated,), cited), quoting.passage_material())
    return checked.check is Check.FAILED
