"""The forms of a deliverable: what a report can be exported as. Each is a pure function of brief and paper.

All are written from one sheet, so that they say the same, cite the same and number alike.
"""

from collections.abc import Mapping

from intelli.deliverables.forms import bibliography, gml, html, markdown, pdf, powerpoint, site, slides, word
from intelli.deliverables.forms.form import Form, Options

__all__ = ["FORMS", "Form", "Options"]

_ALL: tuple[Form, ...] = (
    markdown.FORM,
    html.FORM,
    pdf.FORM,
    word.FORM,
    powerpoint.FORM,
    slides.FORM,
    site.FORM,
    bibliography.BIBTEX,
    bibliography.CSL,
    gml.FORM,
)
FORMS: Mapping[str, Form] = {form.name: form for form in _ALL}
