"""PowerPoint, as a form; what writes it is loaded when it is asked for."""

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms.form import Form, Options
from intelli.deliverables.paper import Paper


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """The report as a presentation."""
    from intelli.deliverables.forms.pptx import presentation

    return presentation.render(brief, paper, options)


FORM = Form("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx", render)
