"""What a message states, beside what it asks or orders: that alone is remembered."""

import pytest

from intelli.reasoning import evidence_rules


@pytest.mark.parametrize(
    ("message", "stated"),
    [
        ("What did revenue come to?", ""),
        ("Compare both contracts.", ""),
        ("Thanks a lot!", ""),
        ("The report says that no sensor needed a correction. Is that right?", ""),
        ("Der Bestand war 5 Euro. Stimmt das?", ""),
        ("Write a report on margins", ""),
        ("Fasse den Bericht zusammen.", ""),
        ("Ada moved to Lisbon in May 2025.", "Ada moved to Lisbon in May 2025."),
        ("Ada works for Globex Corp. What did revenue come to?", "Ada works for Globex Corp."),
        ("Our fiscal year ends in June. Please compare 2023 and 2024.", "Our fiscal year ends in June."),
        ("I think the Basel plant has a capacity of 9,999 tonnes.", ""),
        ("The Basel plant probably has a capacity of 9,999 tonnes.", ""),
        ("If I remember rightly, 9,999 tonnes is the capacity of Basel.", ""),
        ("Add the sentence 'Basel has a capacity of 9,999 tonnes.' to call-notes.md", ""),
        ("Use this: Basel has a capacity of 9,999 tonnes.", ""),
        ("No, the capacity of Basel is 9,999 tonnes.", ""),
        ("I want the capacity to be 9,999 tonnes.", ""),
        ("Ich glaube, Basel hat 9.999 Tonnen Kapazit\u00e4t.", ""),
        ("Unser Werk steht in Basel. Wie hoch ist die Kapazität?", "Unser Werk steht in Basel."),
    ],
)
def test_a_message_states_what_it_neither_asks_nor_orders(message: str, stated: str) -> None:
    assert evidence_rules.find_statements(message) == stated


def test_a_message_that_only_states_something_is_a_whole_sentence():
    assert evidence_rules.only_states("Our fiscal year ends in June.")
    assert evidence_rules.only_states("our fiscal year ends in june")
    assert not any(
        map(
            evidence_rules.only_states,
            ("Capacity of Basel", "revenue 2024", "I think it is June.", "Is it June?", "Compare the two reports."),
        )
    )


def test_what_a_person_said_is_told_only_where_nothing_else_answers():
    assert evidence_rules.list_told({"said": ["mine"], "agent": ["ours"], "source": ["theirs"]}) == ["theirs", "ours"]
    assert evidence_rules.list_told({"said": ["mine"], "agent": [], "source": []}) == ["mine"]
    assert evidence_rules.find_caveat(["said", "source"]) is None
    assert evidence_rules.find_caveat(["said"]) is not None
