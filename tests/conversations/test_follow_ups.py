"""What could be asked next: what was left open, then what was found and not used, which the sources can answer."""

from uuid import UUID, uuid4

from intelli.citations.wire import Check, Citation, FileStatus
from intelli.conversations.follow_ups import AnsweredQuestion, SeenPassage, suggest

REPORT, OTHER = uuid4(), uuid4()
QUESTION = "What was revenue in 2025?"


def citation(document_id: UUID | None = REPORT, section: str | None = "Revenue", ordinal: int = 0) -> Citation:
    return Citation(
        id=uuid4(), message_id=uuid4(), ordinal=ordinal, identifier="a", entity_id=None, document_id=document_id,
        episode_id=None, group_id=None,
        file_name="report.md", mime_type="text/markdown", source_type="blob_storage", sha256="0" * 64, text_sha256=None,
        char_start=ordinal * 100, char_end=ordinal * 100 + 10, page=3, section=section, quote="412.7 million",
        sentence="Revenue came to 412.7 million.", check=Check.VERIFIED, reason="", score=1, review=None,
        is_stale=False, file_status=FileStatus.ACTIVE,
    )  # fmt: skip


def part(
    identifier: str, section: str | None = None, text: str = "", *, of: UUID = REPORT, score: float = 0.5
) -> SeenPassage:
    return SeenPassage(identifier, of, "report.md" if of == REPORT else "other.md", section, text, score)


def suggested(question: str, *parts: SeenPassage, left_open: tuple[str, ...] = ()) -> list[str]:
    return suggest(AnsweredQuestion(question, left_open, [citation()], parts))


def test_what_was_left_open_comes_before_what_was_not_used():
    parts = (
        part("a", "Revenue"),
        part("b", "Report \u203a Staff"),
        part("c", "Elsewhere", of=OTHER, score=0.05),
        part("d", "Risks"),
        part("e", "Outlook"),
        part("f", "2.1"),
        part("g"),
    )
    assert suggested(QUESTION, *parts, left_open=("the margin", "revenue")) == [
        "the margin?",
        "What does report say about Staff?",
        "What does report say about Risks?",
    ]
    assert suggested("Wie hoch war der Umsatz?", *parts)[0] == "Was sagt report über Staff?"


def test_a_passage_without_a_heading_is_asked_about_in_its_own_words():
    text = "The company depends on the price of refined copper, which rose by 18 percent. Prices of refined copper va"
    assert suggested(QUESTION, part("b", text=text)) == ["What does report say about refined copper?"]
    german = "Das Werk in Bremen wurde im Jahr 2024 von der Nordwind Holding mit neuen Anlagen ausgestattet und er"
    assert suggested(QUESTION, part("b", text=german)) == ["What does report say about Nordwind Holding?"]


def test_of_several_things_the_one_is_asked_about_that_other_passages_speak_of_too():
    one = part("b", text="Under the new lease, the plant pays for heat recovery. It is old.")
    two = part("c", text="Savings from heat recovery were small.", score=0.4)
    assert suggested(QUESTION, one, two)[0] == "What does report say about heat recovery?"


def test_nothing_is_asked_twice_nor_what_the_answer_has_said():
    staff = "Staff costs rose with the number of new employees. The rest"
    assert len(suggested(QUESTION, part("b", text=staff), part("c", text=staff))) == 1
    assert suggested(QUESTION, part("b", text="The report tells of revenue in 2025. It")) == []


def test_a_file_that_is_not_cited_is_asked_about_where_it_fits_nearly_as_well():
    near, far = part("b", "Staff", of=OTHER, score=0.9), part("c", "Canteen", of=OTHER, score=0.1)
    assert suggested(QUESTION, part("a", "Revenue", score=1.0), near, far) == ["What does other say about Staff?"]


def test_what_a_cited_passage_has_besides_comes_last():
    cited = part("a", "Revenue", "Revenue came to 412.7 million. It leans on demand for electric cars, which is high.")
    assert suggested(QUESTION, cited, part("b", "Staff", score=0.1)) == [
        "What does report say about Staff?",
        "What does report say about electric cars?",
    ]


def test_an_answer_that_cites_nothing_leads_nowhere():
    assert suggest(AnsweredQuestion("Why?", ["the margin"], [], [part("b", "Staff")])) == []


def test_the_title_of_a_document_is_not_asked_about_and_headings_lose_their_numbers():
    parts = (part("b", "Annual outlook of Kite"), part("c", "Annual outlook of Kite \u203a 4. Staff"))
    assert suggested(QUESTION, *parts) == ["What does report say about Staff?"]
