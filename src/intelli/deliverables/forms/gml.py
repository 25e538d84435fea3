"""GML form: the paper in its stored format, for another Intelli or another program."""

from intelli.deliverables import gml
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms.form import Options
from intelli.deliverables.paper import Paper


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Write the paper as GML."""
    return gml.write(paper).encode()
