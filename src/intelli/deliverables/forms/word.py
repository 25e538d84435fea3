"""Word, as a form; what writes it is loaded when it is asked for."""

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms.form import Form, Options
from intelli.deliverables.paper import Paper


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """The report as a Word document."""
    from intelli.deliverables.forms.docx import document

    return document.render(brief, paper, options)


FORM = Form("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx", render)
