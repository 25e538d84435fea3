"""GML: the paper as it is kept, for another Intelli or another program."""

from intelli.deliverables import gml
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms.form import Options
from intelli.deliverables.paper import Paper


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """The paper written down."""
    return gml.write(paper).encode()
