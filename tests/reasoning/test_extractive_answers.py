"""Without a model: the sources' own sentences, their figures untouched, their disagreements told, their silence too."""
# ruff: noqa: RUF001

import re

import pytest
from tests.reasoning.passages import ACME, NEWS, answer, brief_of, note, passage

from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.extract import ExtractInput
from intelli.reasoning.verbs.judge import JudgeInput, StatementToJudge, Verdict
from intelli.reasoning.verbs.note import NoteInput
from intelli.reasoning.verbs.understand import PlannedTask

CITATION = re.compile(r'<gml-inlinecitation identifier="([^"]*)"/>')


async def test_the_answer_is_the_source_s_own_sentence_with_its_citation() -> None:
    found = await answer(ExtractiveReasoner(), "Who founded Acme?", ACME, NEWS)

    assert found.text == 'Acme was founded in 1990 by Jane Doe. <gml-inlinecitation identifier="acme-report"/>'
    assert found.is_answered
    assert found.confidence > 0.5


async def test_every_finding_quotes_its_passage_word_for_word() -> None:
    spaced = passage("Acme  was\nfounded   in 1990. Other things happened elsewhere.")
    notes = await note(ExtractiveReasoner(), "when was Acme founded", spaced)

    assert notes.findings
    assert all(finding.quote in spaced.text for finding in notes.findings)
    assert notes.findings[0].text == "Acme was founded in 1990."


async def test_the_same_question_gives_the_same_words() -> None:
    first = await answer(ExtractiveReasoner(), "What was the revenue of Acme in 2020?", ACME, NEWS)
    second = await answer(ExtractiveReasoner(), "What was the revenue of Acme in 2020?", ACME, NEWS)

    assert first == second


async def test_sources_that_disagree_on_a_figure_are_both_shown_and_it_is_said() -> None:
    press = passage("Acme's revenue in 2020 was $3.9 billion.", "news", "Press release")
    brief = await brief_of(ExtractiveReasoner(), "What was the revenue of Acme in 2020?", ACME, press)
    found = await answer(ExtractiveReasoner(), "What was the revenue of Acme in 2020?", ACME, press)

    (disagreement,) = brief.disagreements
    assert {(each.value, each.identifier) for each in disagreement.readings} == {
        ("$3.4 billion", "acme-report"),
        ("$3.9 billion", "news"),
    }
    assert "The sources disagree on" in found.text
    assert {"acme-report", "news"} <= set(CITATION.findall(found.text))


async def test_figures_of_different_years_are_no_disagreement() -> None:
    other = passage("Acme's revenue in 2019 was $2.1 billion.", "old")
    brief = await brief_of(ExtractiveReasoner(), "What was the revenue of Acme?", ACME, other)

    assert brief.disagreements == ()


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who invented the telephone in Boston?", "The sources do not answer this question."),
        ("Wie hoch war der Umsatz von Siemens?", "Die Quellen beantworten diese Frage nicht."),
        ("¿Quién es el presidente de la empresa?", "Las fuentes no responden a esta pregunta."),
        ("Кто изобрёл телефон?", "Источники не отвечают на этот вопрос."),
        ("谁发明了电话？", "资料没有回答这个问题。"),
        ("電話を発明したのは誰ですか？", "資料にはこの質問への答えがありません。"),
        ("누가 전화를 발명했습니까?", "자료에는 이 질문에 대한 답이 없습니다."),
        ("ใครเป็นผู้ประดิษฐ์โทรศัพท์", "The sources do not answer this question."),
    ],
)
async def test_silence_of_the_sources_is_told_in_the_language_of_the_question(question: str, words: str) -> None:
    found = await answer(ExtractiveReasoner(), question, ACME, NEWS)

    assert found.text == words
    assert not found.is_answered
    assert found.confidence == 0
    assert not CITATION.search(found.text)


async def test_without_any_passage_nothing_is_claimed() -> None:
    found = await answer(ExtractiveReasoner(), "Who founded Acme?")

    assert not found.is_answered


async def test_facets_that_no_source_answers_are_named() -> None:
    found = await answer(ExtractiveReasoner(), "Who founded Acme? Which submarine did Neptune Ltd sink?", ACME)

    assert "founded in 1990 by Jane Doe" in found.text
    assert "The sources do not say: Which submarine did Neptune Ltd sink" in found.text


async def test_a_task_that_asks_for_two_things_finds_both() -> None:
    notes = await note(ExtractiveReasoner(), "What did Globex buy and who founded Acme?", ACME, NEWS)

    assert {finding.identifier for finding in notes.findings} == {"acme-report", "news"}


async def test_what_is_said_twice_is_written_once() -> None:
    copies = [passage("Acme was founded in 1990 by Jane Doe.", f"copy-{number}") for number in range(5)]
    found = await answer(ExtractiveReasoner(), "Who founded Acme?", *copies)

    assert found.text.count("Jane Doe") == 1


async def test_problems_of_the_run_are_owned_up_to() -> None:
    found = await answer(ExtractiveReasoner(), "Who founded Acme?", ACME, problems=("One of three tasks failed.",))

    assert found.text.endswith("One of three tasks failed.")


async def test_markup_and_false_citations_in_a_source_stay_text() -> None:
    nasty = passage(
        'Acme <gml-inlinecitation identifier="bank"/> was founded [1] by {citation:evil} `x` *Jane* '
        "<script>alert(1)</script>."
    )
    found = await answer(ExtractiveReasoner(), "Who founded Acme?", nasty)

    assert set(CITATION.findall(found.text)) == {"one"}
    assert "<script" not in found.text
    assert "{citation:" not in found.text.replace("\\{citation:", "")
    assert not re.search(r"(?<!\\)[\[*`]", CITATION.sub("", found.text))


async def test_an_identifier_cannot_break_out_of_its_citation() -> None:
    odd = passage("Acme was founded in 1990 by Jane Doe.", 'a"/><b x="')
    found = await answer(ExtractiveReasoner(), "Who founded Acme?", odd)

    assert CITATION.findall(found.text) == ["a&quot;/>&lt;b x=&quot;"]


async def test_figures_and_dates_of_the_findings_are_kept_as_written() -> None:
    source = passage("On 3 May 2021 Acme's margin was 12.5 % and its sales were 1,234.50 million euros.")
    brief = await brief_of(ExtractiveReasoner(), "What were Acme's margin and sales?", source)

    assert {(metric.value, metric.unit) for metric in brief.metrics} >= {("12.5", "%"), ("1,234.50", "million euros")}
    assert all(metric.value in source.text for metric in brief.metrics)
    assert brief.timeline[0].when == "3 May 2021"


async def test_nothing_is_judged_without_a_model() -> None:
    asked = JudgeInput(
        statements=(StatementToJudge(text="Acme was founded in 1990", sources=("acme",)),), passages=(ACME,)
    )
    judged, _ = await ExtractiveReasoner().do(asked)

    assert [each.verdict for each in judged.judgements] == [Verdict.UNCHECKED]


async def test_names_and_what_joins_them_are_taken_from_the_text() -> None:
    asked = ExtractInput(passage=passage("Globex Corp bought Hooli in Berlin. Globex Corp is large."), known=("HOOLI",))
    found, _ = await ExtractiveReasoner().do(asked)

    assert {thing.name: thing.kind for thing in found.things} == {
        "Globex Corp": "organisation",
        "HOOLI": "concept",
        "Berlin": "place",
    }
    assert ("Globex Corp", "bought", "HOOLI") in {(fact.subject, fact.relation, fact.object) for fact in found.facts}
    assert all(fact.quote in asked.passage.text for fact in found.facts)


async def test_a_very_large_passage_is_read_in_one_go() -> None:
    filler = "Nothing of interest happened on this day in the long year. " * 20_000
    found = await note(ExtractiveReasoner(), "who founded Acme", passage(f"{filler}Acme was founded by Jane Doe."))

    assert found.findings[0].text == "Acme was founded by Jane Doe."


async def test_a_question_for_a_figure_is_answered_with_the_sentence_that_has_it_first():
    text = (
        "The Harbour Reimbursement Programme\n\nThe harbour programme reimburses boats and their crews.\n\n"
        "Under the harbour programme a boat is reimbursed up to 900 euros."
    )
    asked = NoteInput(
        question="How much does the harbour programme reimburse?",
        task=PlannedTask(title="t", message="m", queries=("How much does the harbour programme reimburse",)),
        passages=(SourceText(identifier="a", title="harbour.txt", text=text),),
    )
    notes, _ = await ExtractiveReasoner().do(asked)
    assert notes.findings[0].text == "Under the harbour programme a boat is reimbursed up to 900 euros."
    assert "The Harbour Reimbursement Programme" not in [finding.text for finding in notes.findings]


PORT = passage(
    "A year at the port of Lindholm\n\nRevenue rose to 36.9 million euros in 2025, from 33.4 million in 2024. "
    "The port handled 4.2 million tonnes of cargo, 7 percent more than in the year before. "
    "The harbour master warns that the fairway is silting up. The port was opened by the king.",
    "port",
    "report.txt",
)


async def test_how_things_went_is_told_by_their_figures_in_whatever_words() -> None:
    found = await answer(
        ExtractiveReasoner(), "How did revenue and cargo develop, and what does the harbour master warn of?", PORT
    )

    assert "Revenue rose to 36.9 million euros" in found.text
    assert "4.2 million tonnes of cargo" in found.text
    assert "silting up" in found.text
    assert "do not say" not in found.text
    assert "king" not in found.text


async def test_each_of_many_things_in_one_question_is_answered_or_told_as_open() -> None:
    facts = passage(
        "The budget of Kite is 4 million euros. The deadline of Kite is 5 May 2027. The owner of Kite is Ada Byron. "
        "The sponsor of Kite is the harbour board. The location of Kite is the north quay."
    )
    question = "What are the budget, deadline, owner, sponsor, location, vendor and insurer of Kite?"
    found = await answer(ExtractiveReasoner(), question, facts)

    for value in ("4 million", "5 May 2027", "Ada Byron", "harbour board", "north quay"):
        assert value in found.text
    assert "do not say: Vendor of Kite" in found.text
    assert "do not say: Insurer of Kite" in found.text


async def test_the_title_of_a_text_is_no_answer_and_a_line_with_a_figure_is() -> None:
    found = (await note(ExtractiveReasoner(), "year at the port of Lindholm", PORT)).findings
    assert all("A year at" not in each.text for each in found)
    named = passage("Kite AG: Annual report 2024 (management summary)\n\nKite AG sold 5 boats in 2024. All went well.")
    (finding,) = (await note(ExtractiveReasoner(), "What did Kite AG report in 2024?", named)).findings
    assert finding.text == "Kite AG sold 5 boats in 2024."
    label = passage("Owner of Kite: Ada Byron\n\nThe project began in May. It goes on.")
    assert (await note(ExtractiveReasoner(), "Who is the owner of Kite?", label)).findings
    headline = passage("Lindholm handles 4.2 million tonnes of cargo\n\nIt was a good year for all.")
    (finding,) = (await note(ExtractiveReasoner(), "How many tonnes of cargo does Lindholm handle?", headline)).findings
    assert finding.text == "Lindholm handles 4.2 million tonnes of cargo"


async def test_code_is_told_without_its_fences() -> None:
    manual = passage("Start the Kite server with this command:\n\n```bash\nkite serve --port 80\n```\n\nThen open it.")
    found = await answer(ExtractiveReasoner(), "How is the kite server started with a port?", manual)

    assert "kite serve --port 80" in found.text
    assert "`" not in found.text


async def test_how_high_something_is_in_german_is_an_amount() -> None:
    minutes = passage("Der Umsatz der Kite AG betrug im Jahr 2024 252,9 Millionen Euro. Der Rat nahm das zur Kenntnis.")
    found = await answer(ExtractiveReasoner(), "Wie hoch war der Umsatz der Kite AG im Jahr 2024?", minutes)

    assert "252,9 Millionen Euro" in found.text
    assert found.confidence > 0.6


async def test_a_cost_is_no_span_of_time_and_a_table_is_told_row_by_row() -> None:
    register = passage(
        "In October an intrusion stopped the system for 19 hours. The cost of the intrusion was EUR 2.3 million.\n\n"
        "| Risk | Likelihood | Impact |\n|---|---|---|\n| Supplier failure | 20% | 18.0 |\n| Fire | 5% | 4.5 |",
        "register",
    )
    found = await answer(ExtractiveReasoner(), "What did the intrusion cost?", register)
    assert "EUR 2.3 million" in found.text
    assert "19 hours" not in found.text
    likely = await answer(ExtractiveReasoner(), "What is the likelihood of a supplier failure?", register)
    assert "Risk: Supplier failure; Likelihood: 20%" in likely.text
    assert "|" not in likely.text


async def test_a_row_is_told_with_its_columns_also_where_a_unit_has_a_digit() -> None:
    table = passage("Site\tYear\tWater use (m3)\nBasel\t2022\t48200\nLyon\t2022\t30900", "table", "water.csv")
    found = await answer(ExtractiveReasoner(), "What was the water use (m3) of Basel in 2022?", table)

    assert "Site: Basel; Year: 2022; Water use (m3): 48200" in found.text


async def test_a_sentence_of_which_only_a_part_is_there_is_not_told() -> None:
    question = "Which expenses does the Gold plan not pay?"
    page = "The Gold plan pays for visits that no other\nplan pays. The Gold plan will not pay any expenses"

    for cut in (page, f"{page}\fNorthwind covers. Then it pays."):
        assert "any expenses" not in (await answer(ExtractiveReasoner(), question, passage(cut))).text


@pytest.mark.parametrize("between", ["\f", "\n\n"], ids=["pages", "blocks"])
async def test_a_sentence_that_goes_on_behind_a_break_of_its_page_is_told_whole(between: str) -> None:
    page = f"The Gold plan will not pay any expenses{between}that exceed the limit. Rain fell in May."
    found = await answer(ExtractiveReasoner(), "Which expenses does the Gold plan not pay?", passage(page))

    assert "The Gold plan will not pay any expenses that exceed the limit. <gml" in found.text


async def test_a_line_without_a_full_stop_is_told_where_nothing_was_cut() -> None:
    for text in ("Lunch is at noon. Tom lives in Berlin", "Meals\n\nTom lives in Berlin", "- Tom lives in Berlin"):
        said = await answer(ExtractiveReasoner(), "Where does Tom live?", passage(text))
        assert "Tom lives in Berlin." in said.text
