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
        ("Unser Werk steht in Basel. Wie hoch ist die Kapazität?", "Unser Werk steht in Basel."),
    ],
)
def test_a_message_states_what_it_neither_asks_nor_orders(message: str, stated: str) -> None:
    assert evidence_rules.find_statements(message) == stated
