"""Without a model: what a message wants, into which tasks it falls, and what it is called."""

import pytest

from intelli.deliverable_kinds import DeliverableType
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.values import Turn
from intelli.reasoning.verbs.title import TitleInput
from intelli.reasoning.verbs.understand import IntentKind, ResearchPlan, UnderstandInput


async def planned(asked: UnderstandInput) -> ResearchPlan:
    understood, _ = await ExtractiveReasoner().do(asked)
    assert understood.plan is not None
    return understood.plan


async def queries(question: str, **more: int) -> list[str]:
    plan = await planned(UnderstandInput(question=question, **more))
    return [query for task in plan.tasks for query in task.queries]


async def test_a_simple_question_is_one_task() -> None:
    assert await queries("What does vitamin D do?") == ["What does vitamin D do"]


async def test_each_side_of_a_comparison_is_a_task_with_what_they_are_compared_in() -> None:
    assert await queries("Compare Acme and Globex in terms of margin") == [
        "Compare Acme and Globex in terms of margin",
        "Acme margin",
        "Globex margin",
    ]
    assert await queries("iPhone vs. Pixel for battery life") == [
        "iPhone vs. Pixel for battery life",
        "iPhone battery life",
        "Pixel battery life",
    ]


async def test_clauses_keep_the_name_that_they_are_about() -> None:
    found = await queries("What is the revenue of Acme and how did it change in 2020?")

    assert "What is the revenue of Acme" in found
    assert any("change" in query and "Acme" in query and "revenue of" not in query for query in found)


async def test_several_questions_are_several_tasks() -> None:
    found = await queries("Who founded Acme? When was it sold?")

    assert len(found) == 2
    assert "founded" in found[0]
    assert "sold" in found[1]
    assert "Acme" in found[1]


async def test_the_form_that_is_wanted_is_no_question() -> None:
    assert await queries("How did revenue develop? Please make slides of it.") == ["How did revenue develop"]
    assert await queries("Write a report.") == ["Write a report"]


async def test_things_listed_of_one_are_a_task_each() -> None:
    found = await queries("What are the revenue, margin and growth of Acme Corp?")

    assert found == ["revenue of Acme Corp", "margin of Acme Corp", "growth of Acme Corp"]
    compared = await queries("Compare the price, weight and colour of Gold and Silver")
    assert compared == ["price of Gold and Silver", "weight of Gold and Silver", "colour of Gold and Silver"]


async def test_one_thing_asked_of_two_is_asked_of_each() -> None:
    assert (await queries("What are the duties of the CTO and the VP of Sales at Acme?"))[1:] == [
        "What are the duties of the CTO",
        "What are the duties of the VP of Sales at Acme",
    ]
    assert (await queries("What does the handbook say about leave and pay?"))[1:] == [
        "What does the handbook say about leave",
        "What does the handbook say about pay",
    ]
    assert await queries("What is the price of bread and butter?") == ["What is the price of bread and butter"]


async def test_things_are_compared_way_by_way() -> None:
    ways = ["price of Gold and Silver", "weight of Gold and Silver"]
    assert await queries("How do Gold and Silver compare on price and weight?") == ways
    assert await queries("Compare Gold and Silver in terms of price and weight") == ways


async def test_a_span_of_years_is_asked_for_year_by_year() -> None:
    found = await queries("What were the sales of Acme from 2019 to 2021?")

    assert [query[-4:] for query in found[1:]] == ["2019", "2020", "2021"]


@pytest.mark.parametrize(
    "question",
    [
        "How did sales develop from 2019 to 2021?",
        "How have costs changed between 2019 and 2024?",
        "Wie haben sich die Kosten von 2019 bis 2024 entwickelt?",
    ],
)
async def test_how_something_went_over_a_span_of_years_is_one_question(question: str) -> None:
    assert await queries(question) == [question.rstrip("?")]


async def test_how_several_things_went_is_asked_of_each() -> None:
    assert await queries("How did revenue and cargo develop, and what does the master warn of?") == [
        "How did revenue develop",
        "How did cargo develop",
        "what does the master warn of",
    ]
    assert await queries("How have the costs, the staff and the margin of Acme changed since 2020?") == [
        "How have the costs of Acme changed since 2020",
        "How have the staff of Acme changed since 2020",
        "How have the margin of Acme changed since 2020",
    ]
    assert await queries("Wie haben sich Umsatz und Kosten seit 2020 entwickelt?") == [
        "Wie haben sich Umsatz seit 2020 entwickelt",
        "Wie haben sich Kosten seit 2020 entwickelt",
    ]
    assert len(await queries("How did Watson and Crick develop the model?")) == 1


async def test_more_things_than_tasks_are_looked_for_together_and_none_is_left_out() -> None:
    asked = UnderstandInput(question="What are a1, b2, c3, d4, e5 and f6 of Acme Corp?", max_tasks=3)
    plan = await planned(asked)

    assert [len(task.queries) for task in plan.tasks] == [3, 3, 3]
    assert [query.split()[0] for task in plan.tasks for query in task.queries[1:]] == [
        "a1",
        "b2",
        "c3",
        "d4",
        "e5",
        "f6",
    ]


async def test_there_is_always_a_task() -> None:
    assert len(await queries("", may_ask=False)) == 1
    assert len(await queries("? ! …", may_ask=False)) == 1


async def test_a_long_message_is_planned_in_no_time() -> None:
    assert await queries("compare " * 50_000 + "and this", may_ask=False)


@pytest.mark.parametrize(
    ("message", "kind", "deliverable"),
    [
        ("What is the margin?", IntentKind.QUESTION, DeliverableType.STANDARD),
        ("Write a report on margins", IntentKind.CREATE, DeliverableType.REPORT),
        ("Please create slides about margins", IntentKind.CREATE, DeliverableType.SLIDES),
        ("Erstelle eine Präsentation zu Margen", IntentKind.CREATE, DeliverableType.SLIDES),
        ("Make a report and a website on margins", IntentKind.CREATE, DeliverableType.REPORT_WITH_WEBSITE),
        ("Delete the old contract", IntentKind.DELETE, DeliverableType.STANDARD),
        ("Update the price in offer.docx", IntentKind.EDIT, DeliverableType.STANDARD),
        ("Find all contracts with Acme", IntentKind.SEARCH, DeliverableType.STANDARD),
        ("What does the report say?", IntentKind.QUESTION, DeliverableType.STANDARD),
    ],
)
async def test_what_is_wanted_is_read_from_the_opening(
    message: str, kind: IntentKind, deliverable: DeliverableType
) -> None:
    understood, usage = await ExtractiveReasoner().do(UnderstandInput(question=message))
    intent = understood.intent

    assert (intent.kind, intent.deliverable, intent.clarification) == (kind, deliverable, None)
    assert usage.cost == 0


@pytest.mark.parametrize("message", ["", "?", "what is it?", "und was ist das?"])
async def test_a_message_without_a_subject_is_asked_back(message: str) -> None:
    understood, _ = await ExtractiveReasoner().do(UnderstandInput(question=message))

    assert understood.intent.clarification
    assert understood.plan is None


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("hello", "Hello. Ask a question about your documents"),
        ("Hi there, how are you?", "Hello. Ask a question about your documents"),
        ("Thanks a lot for your help!", "You are welcome."),
        ("OK, thanks", "You are welcome."),
        ("Vielen Dank!", "Gern geschehen."),
        ("What can you do?", "I am Intelli."),
        ("Was kannst du alles tun?", "Ich bin Intelli."),
        ("Which documents are in the library?", "At the top of the library there are: reports/, a.pdf."),
        ("Welche Dateien habe ich?", "Oben in der Bibliothek liegen: reports/, a.pdf."),
    ],
)
async def test_small_talk_and_questions_about_product_and_library_need_no_research(message: str, says: str) -> None:
    understood, _ = await ExtractiveReasoner().do(UnderstandInput(question=message, library=("reports/", "a.pdf")))

    assert understood.reply is not None
    assert understood.reply.startswith(says)
    assert understood.plan is None


@pytest.mark.parametrize("message", ["Ada works for Globex Corp.", "The deadline of the project is 3 May 2026."])
async def test_a_fact_that_is_stated_and_asks_nothing_is_not_researched(message: str) -> None:
    understood, _ = await ExtractiveReasoner().do(UnderstandInput(question=message))
    assert understood.plan is None
    assert understood.reply is not None
    assert understood.reply.startswith("Noted as your statement")


@pytest.mark.parametrize(
    "message", ["Net debt at the end of 2024.", "I want to know when the lease ends.", "The rent."]
)
async def test_what_may_be_meant_as_a_question_is_researched(message: str) -> None:
    understood, _ = await ExtractiveReasoner().do(UnderstandInput(question=message))
    assert understood.plan is not None


@pytest.mark.parametrize(
    "message",
    [
        "Thanks to whom did Acme survive?",
        "What documents does clause 7 require?",
        "Which files were deleted in the incident of May?",
        "How does this work with VAT?",
        "Hello Ltd: what is its margin?",
        "Good practice for audits?",
    ],
)
async def test_what_only_begins_like_small_talk_is_researched(message: str) -> None:
    understood, _ = await ExtractiveReasoner().do(UnderstandInput(question=message))

    assert understood.reply is None
    assert understood.plan is not None


async def test_within_a_conversation_a_bare_message_is_understood_from_it() -> None:
    before = (Turn(role="user", text="What is Acme's margin?"), Turn(role="assistant", text="It is 4 %."))
    understood, _ = await ExtractiveReasoner().do(UnderstandInput(question="and why?", conversation=before))

    assert understood.intent.clarification is None


async def test_a_title_is_the_question_cut_at_a_word() -> None:
    reasoner = ExtractiveReasoner()
    short, _ = await reasoner.do(TitleInput(question="  What is\tAcme's margin?\n\nDetails follow."))
    long, _ = await reasoner.do(TitleInput(question="word " * 100))

    assert short.title == "What is Acme's margin"
    assert len(long.title) <= 61
    assert long.title.endswith("word…")


@pytest.mark.parametrize(
    ("before", "question", "meant"),
    [
        (["What did revenue come to in 2025?"], "And in 2024?", "What did revenue come to in 2024"),
        (["What did revenue come to in 2025?", "And in 2024?"], "2023?", "What did revenue come to in 2023"),
        (["What did revenue come to in 2025?"], "And in Germany?", "What did revenue come to in 2025 in Germany"),
        (
            ["What did revenue of Acme Corp come to?"],
            "How many people did it employ?",
            "How many people did it employ Acme Corp",
        ),
        (["Wie hoch war der Umsatz im Jahr 2025?"], "Und 2024?", "Wie hoch war der Umsatz im Jahr 2024"),
        (["What did revenue come to in 2025?"], "Who leads the company today?", "Who leads the company today"),
        (["Revenue in 2025"], "???", "Revenue in 2025"),
    ],
)
async def test_a_question_that_leans_on_the_one_before_is_planned_as_it_is_meant(
    before: list[str], question: str, meant: str
) -> None:
    said = tuple(Turn(role="user", text=text) for text in before)
    plan = await planned(UnderstandInput(question=question, conversation=said))
    assert plan.tasks[0].queries == (meant,)


@pytest.mark.parametrize("said", ["?", "Hello", "hi there!", "...", "Guten Tag", "test"])
async def test_what_names_no_subject_gives_no_title(said: str) -> None:
    understood, _ = await ExtractiveReasoner().do(UnderstandInput(question=said))
    assert understood.title == ""
