"""Export forms of a deliverable, each declared once here and rendered by a module of this package.

All are rendered from one layout, so that they have the same text, citations and numbers. The wire, the terminal and the
UI's menu are made from the declarations, in this order. Importing them loads no renderer.
"""

from collections.abc import Mapping

from intelli.deliverables.forms.form import Edition, ExportForm, Options

__all__ = ["FORMS", "Edition", "ExportForm", "Options"]

_ALL: tuple[ExportForm, ...] = (
    ExportForm(
        name="pdf",
        label="PDF",
        note="Tagged, with contents and notes",
        media_type="application/pdf",
        extension="pdf",
        kind="DOCUMENT",
        writer="intelli.deliverables.forms.pdf:render",
        phase="Setting the PDF",
    ),
    ExportForm(
        name="docx",
        label="Word",
        note="Headings, notes and links",
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        extension="docx",
        kind="DOCUMENT",
        writer="intelli.deliverables.forms.docx.document:render",
        phase="Writing the Word file",
    ),
    ExportForm(
        name="pptx",
        label="PowerPoint",
        note="Slides with native charts",
        media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
        extension="pptx",
        kind="SLIDES",
        writer="intelli.deliverables.forms.pptx.presentation:render",
        phase="Drawing the PowerPoint slides",
    ),
    ExportForm(
        name="html",
        label="Web page",
        note="One file",
        media_type="text/html",
        extension="html",
        kind="REPORT",
        writer="intelli.deliverables.forms.html:render",
    ),
    ExportForm(
        name="site",
        label="Website",
        note="A bundle that opens from disk",
        media_type="application/zip",
        extension="zip",
        kind="WEBSITE",
        writer="intelli.deliverables.forms.site:render",
        phase="Building the pages",
    ),
    ExportForm(
        name="slides",
        label="Slides for the browser",
        note="A bundle that opens from disk",
        media_type="application/zip",
        extension="zip",
        kind="SLIDES",
        writer="intelli.deliverables.forms.slides:render",
        phase="Drawing the slides",
    ),
    ExportForm(
        name="md",
        label="Markdown",
        note="With footnotes",
        media_type="text/markdown",
        extension="md",
        kind="REPORT",
        writer="intelli.deliverables.forms.markdown:render",
    ),
    ExportForm(
        name="gml",
        label="GML",
        note="As it is kept",
        media_type="text/x-gml",
        extension="gml",
        kind="REPORT",
        writer="intelli.deliverables.forms.gml:render",
        is_for_programs=True,
    ),
    ExportForm(
        name="bib",
        label="Sources as BibTeX",
        note="For LaTeX and Zotero",
        media_type="application/x-bibtex",
        extension="bib",
        kind="REPORT",
        writer="intelli.deliverables.forms.bibliography:bibtex",
        is_for_programs=True,
    ),
    ExportForm(
        name="csl",
        label="Sources as CSL-JSON",
        note="For reference managers",
        media_type="application/vnd.citationstyles.csl+json",
        extension="csl.json",
        kind="REPORT",
        writer="intelli.deliverables.forms.bibliography:csl",
        is_for_programs=True,
    ),
)
FORMS: Mapping[str, ExportForm] = {form.name: form for form in _ALL}
