"""The kinds of deliverables, each declared once: names, menus, constraint, words of intent and files are made from it.

Stands below the rooms, because reasoning tells from a message which kind is wanted and conversations say so, long
before deliverables make one. What composes a kind is named here and loaded when it is needed.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverableKind:
    """A kind. Without forms it is complete once its paper is written; else a job renders them, the first is shown."""

    # As the wire and the database call it, and what a menu shows.
    name: str
    label: str
    note: str
    # One of the icons that the UI knows; another is shown as a plain file.
    icon: str
    # As a sentence names it, and the words that name it in a message, all languages together. Of several kinds that a
    # message names, the one of the highest rank is meant.
    phrase: str
    words: tuple[str, ...]
    rank: int
    pointer: str
    entity_type: str
    media_type: str
    file_name: str
    # The module whose `compose` makes its paper from a brief.
    composer: str
    forms: tuple[str, ...] = ()

    @property
    def is_built(self) -> bool:
        """True when a job renders its forms."""
        return bool(self.forms)

    @property
    def view(self) -> Literal["paper", "pdf", "pages", "files"]:
        """What of it a screen shows: its paper, its PDF, its pages in a frame, or the list of its files alone."""
        if not self.is_built:
            return "paper"
        ending = self.file_name.rpartition(".")[2]
        return "pdf" if ending == "pdf" else "pages" if ending == "zip" else "files"

    @property
    def stem(self) -> str:
        """What its files are called, without their endings."""
        return self.file_name.rpartition(".")[0]


KINDS: tuple[DeliverableKind, ...] = (
    DeliverableKind(
        name="REPORT",
        label="Report",
        note="Sections, figures, tables and charts, every statement cited",
        icon="newspaper",
        phrase="a report",
        words=("report", "bericht", "rapport", "informe", "relatório", "relazione", "отчёт", "отчет", "报告"),
        rank=0,
        pointer="latest-report",
        entity_type="GENERATED_REPORT",
        media_type="text/x-gml",
        file_name="report.gml",
        composer="intelli.deliverables.kinds.report",
    ),
    DeliverableKind(
        name="WEBSITE",
        label="Website",
        note="Pages that open from disk, without a network",
        icon="globe",
        phrase="a website",
        words=("website", "web site", "web page", "webpage", "landing page", "webseite", "site web", "sitio web"),
        rank=2,
        pointer="latest-website",
        entity_type="WEBSITE",
        media_type="application/zip",
        file_name="site.zip",
        composer="intelli.deliverables.kinds.report",
        forms=("site",),
    ),
    DeliverableKind(
        name="SLIDES",
        label="Slides",
        note="For the browser, and as PowerPoint",
        icon="presentation",
        phrase="slides",
        words=(
            *("slide", "slides", "slide deck", "presentation", "powerpoint"),
            *("präsentation", "folien", "presentación", "présentation", "презентацию"),
        ),
        rank=3,
        pointer="latest-slides",
        entity_type="GENERATED_PRESENTATION",
        media_type="application/zip",
        file_name="slides.zip",
        composer="intelli.deliverables.kinds.slides",
        forms=("slides", "pptx"),
    ),
    DeliverableKind(
        name="DOCUMENT",
        label="Document",
        note="PDF and Word, with notes and a list of sources",
        icon="file-text",
        phrase="a document",
        words=("word document", "docx", "pdf", "memo", "dokument", "document", "documento"),
        rank=1,
        pointer="latest-document",
        entity_type="GENERATED_DOCUMENT",
        media_type="application/pdf",
        file_name="report.pdf",
        composer="intelli.deliverables.kinds.document",
        forms=("pdf", "docx"),
    ),
)


@dataclass(frozen=True, slots=True)
class DeliverableChoice:
    """What a question may ask for: an answer alone, a kind, or several kinds at once."""

    name: str
    label: str
    note: str
    kinds: tuple[str, ...]


CHOICES: tuple[DeliverableChoice, ...] = (
    DeliverableChoice("STANDARD", "Answer", "A cited answer in the conversation", ()),
    *(DeliverableChoice(kind.name, kind.label, kind.note, (kind.name,)) for kind in KINDS),
    DeliverableChoice("REPORT_WITH_WEBSITE", "Report + website", "Both, from the same figures", ("REPORT", "WEBSITE")),
)


class DeliverableType(StrEnum):
    """The form in which the outcome is wanted."""

    STANDARD = "STANDARD"
    vars().update({choice.name: choice.name for choice in CHOICES[1:]})

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the kinds to make; none for an answer alone."""
        return next(choice.kinds for choice in CHOICES if choice.name == self)


def phrase() -> str:
    """All kinds as a sentence names them: "a report, slides or a document"."""
    *others, last = (kind.phrase for kind in KINDS)
    return f"{', '.join(others)} or {last}"


def find_choice(named: set[str]) -> DeliverableType:
    """What a message asks for that names these kinds: several at once if there is such a choice, else one of them."""
    for choice in CHOICES:
        if len(choice.kinds) > 1 and named.issuperset(choice.kinds):
            return DeliverableType(choice.name)
    meant = max((kind for kind in KINDS if kind.name in named), key=lambda kind: kind.rank, default=None)
    return DeliverableType(meant.name) if meant else DeliverableType.STANDARD
