"""Figures that may be shown by themselves: no card and no chart is made of what its own check would fail."""

from intelli.citations import prove
from intelli.citations.wire import Check
from intelli.deliverables import check_figures, prose
from intelli.deliverables.brief import Metric, Series
from intelli.deliverables.column_names import readable
from intelli.deliverables.kinds import sections
from intelli.deliverables.paper import Block, Metrics, Paper
from intelli.deliverables.quote_citations import QuoteCitations


def is_sound(part: Metric | Series, quoting: QuoteCitations) -> bool:
    """Whether a figure, or every value of a series, stands in the words that it cites."""
    paper = Paper(title="", blocks=(_shown(part),))
    proven = check_figures.proven_in(paper, prove.prove(prose.of(paper), quoting.material()))
    return all(proof.outcome.check is not Check.FAILED for proof in proven.proofs)


def _shown(part: Metric | Series) -> Block:
    """The part as readers see it."""
    if isinstance(part, Metric):
        return Metrics(metrics=(part.model_copy(update={"name": readable(part.name)}),))
    return sections.chart(part.model_copy(update={"title": readable(part.title)}))
