"""The clean edition is for readers, the proof edition for who checks; both can be checked again."""

import io
import json
import re
from pathlib import Path

import pikepdf
import pytest
from tests.deliverables import papers, reading

from intelli.deliverables.forms import FORMS, Edition, Options
from intelli.deliverables.forms.layout import file_kind, lay_out, source_name
from intelli.deliverables.recheck.report import recheck

CLEAN, PROOF = Options(), Options(edition=Edition.PROOF)
READ = ("md", "html", "pdf", "docx", "pptx", "slides", "site")
_HASH = re.compile(r"[0-9a-f]{12,}")


def shown_by(name: str, options: Options) -> str:
    rendered = FORMS[name].render(papers.brief(), papers.paper(), options)
    if name == "docx":
        parts = reading.parts_of(rendered, ".xml")
        shown = [parts[f"word/{each}.xml"] for each in ("document", "footnotes", "styles")]
        return " ".join(reading.office_words(each) for each in shown)
    return reading.words_of(name, rendered).replace("\u200b", "")


@pytest.mark.parametrize("name", [*READ, "bib", "csl"])
def test_readers_see_no_hash_no_identifier_and_no_media_type(name: str) -> None:
    words = shown_by(name, CLEAN)
    assert not _HASH.search(words)
    assert not re.search(r"sha-?256|application/", words, re.IGNORECASE)
    assert _HASH.search(shown_by(name, PROOF))


@pytest.mark.parametrize("name", READ)
def test_only_what_is_not_verified_is_marked(name: str) -> None:
    words = " ".join(shown_by(name, CLEAN).split())
    assert "Verified" not in words
    assert "In other words" in words
    assert "Not supported: The quote does not have \u201c48\u201d." in words


@pytest.mark.parametrize("name", READ)
def test_a_reader_finds_source_page_and_quote_and_the_question_at_the_end(name: str) -> None:
    words = " ".join(shown_by(name, CLEAN).split())
    assert all(quote in words for quote in papers.QUOTES)
    assert "fleet-survey, p. 4" in words.replace(" ,", ",")
    assert "fleet-survey.xlsx" not in words
    if name not in {"pptx", "slides"}:
        assert words.count(papers.brief().question) == 1
        assert words.index(papers.brief().question) > words.index("Open questions")


@pytest.mark.parametrize("edition", list(Edition))
def test_a_word_report_is_checked_again_in_either_edition(edition: Edition, tmp_path: Path) -> None:
    path = tmp_path / "report.docx"
    path.write_bytes(FORMS["docx"].render(papers.brief(), papers.paper(), Options(edition=edition)))
    found = recheck(path)
    assert found.is_recorded
    assert not found.removed
    assert {name for sentence in found.sentences for name in sentence.identifiers} == set(papers.IDS)


@pytest.mark.parametrize("edition", list(Edition))
def test_a_pdf_carries_its_citations_in_either_edition(edition: Edition) -> None:
    rendered = FORMS["pdf"].render(papers.brief(), papers.paper(), Options(edition=edition))
    with pikepdf.open(io.BytesIO(rendered)) as opened:
        table = json.loads(opened.attachments["citations.json"].get_file().read_bytes())
    assert {each["identifier"] for each in table["citations"]} == set(papers.IDS)


def test_an_edited_clean_report_is_flagged_where_its_source_no_longer_bears_it(tmp_path: Path) -> None:
    import docx

    path = tmp_path / "report.docx"
    path.write_bytes(FORMS["docx"].render(papers.brief(), papers.paper(), CLEAN))
    document = docx.Document(str(path))
    for paragraph in document.paragraphs:
        for run in paragraph.runs:
            run.text = run.text.replace("71 %", "17 %") if "71 %" in run.text else run.text
    document.save(str(path))
    flagged = [each.text for each in recheck(path).flagged]
    assert any("17 %" in each for each in flagged)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Annual Report 2024.pdf", "Annual Report 2024"),
        ("Re: closing accounts", "Re: closing accounts"),
        ("minutes v1.2", "minutes v1.2"),
        ("notes.markdown", "notes.markdown"),
    ],
)
def test_a_source_is_called_by_its_name_without_the_ending(name: str, called: str) -> None:
    assert source_name(papers.source(1, name)) == called


def test_mail_is_called_mail() -> None:
    mail = papers.source(1, "a.eml").model_copy(update={"mime_type": "message/rfc822"})
    assert file_kind(mail) == "E-mail"


def test_a_cover_has_the_question_in_the_proof_edition_only() -> None:
    clean = lay_out(papers.brief(), papers.paper())
    proof = lay_out(papers.brief(), papers.paper(), Edition.PROOF)
    assert (clean.subtitle, proof.small_print) == ("", "")
    assert proof.subtitle in clean.small_print
