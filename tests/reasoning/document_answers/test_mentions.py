"""Which documents tell of something: those whose texts have its words, each with the sentence that shows it."""

FILES = {
    "report.md": "# Report\n\n## Outlook\n\nA store in Porto is planned. The store in Porto opens in 2027.\n",
    "mail.eml": "From: Ann Berg <ann@a.example>\nTo: Bo Lind <bo@b.example>\nSubject: Sites\n"
    "Date: Mon, 03 Feb 2025 11:31:00 +0100\n\nDear Bo,\n\nthe board decides on Porto in May.\n\nKind regards\nAnn\n",
    "sites.csv": "site,pallets\nPorto,4200\nGhent,3100\n",
    "ports.txt": "All ports are closed on Sundays, and portable radios are lent out.\n",
}


def _lines(found) -> list[str]:
    return [line.text for line in found.lines]


def test_documents_are_listed_with_a_whole_sentence_or_the_row_that_has_the_word(ask):
    found = ask("Which documents mention Porto?", FILES)
    assert _lines(found) == [
        "report.md: A store in Porto is planned.",
        "mail.eml: the board decides on Porto in May.",
        "sites.csv: in a table, Porto: 4200",
    ]
    assert found.lead == "Documents that mention “Porto”:"


def test_a_sender_is_told_as_a_party_and_no_guess_where_there_is_a_statement(ask):
    found = ask("Which documents mention Ann Berg?", FILES)
    assert _lines(found) == ["mail.eml: parties: Ann Berg"]
    guess = "I think that Porto is too dear. The board decides on Porto in May.\n"
    assert _lines(ask("Which documents mention Porto?", {"a.txt": guess})) == [
        "a.txt: The board decides on Porto in May."
    ]


def test_inflected_words_are_found_and_answered_in_the_language_of_the_question(ask):
    files = {"p.md": "# Protokoll\n\n## TOP 7\n\nDie Versammlung beschließt den Bau neuer Dächer.\n"}
    found = ask("In welchen Unterlagen geht es um Dächern?", files)
    assert _lines(found) == ["p.md: Die Versammlung beschließt den Bau neuer Dächer."]
    assert found.lead == "Dokumente, in denen „Dächern“ vorkommt:"


def test_words_of_a_topic_have_to_stand_in_one_section_and_those_of_a_name_side_by_side(ask):
    apart = {"a.md": "# Plan\n\n## Roof\n\nThe roof is old.\n\n## Boats\n\nThe boathouse is dry.\n"}
    assert ask("Which documents mention the roof of the boathouse?", apart) is None
    together = {"b.md": "# Plan\n\n## Boathouse\n\nThe roof is old.\n"}
    assert _lines(ask("Which documents mention the roof of the boathouse?", together)) == ["b.md: The roof is old."]
    names = {"c.txt": "Freight is sent by Corbin and others every week.\n"}
    assert ask("Which documents mention Corbin Freight?", names) is None


def test_only_documents_of_the_kind_that_is_asked_for_are_listed(ask):
    files = {
        "invoice_7.md": "# Invoice 7\n\nThe invoice is sent to Corbin Freight in Brussels.\n",
        "note.md": "# Note\n\nThe yard of Corbin Freight is closed.\n",
    }
    found = ask("Which invoices concern Corbin Freight?", files)
    assert _lines(found) == ["invoice_7.md: The invoice is sent to Corbin Freight in Brussels."]


def test_nothing_is_listed_where_nothing_has_the_word(ask):
    assert ask("Which documents mention Zanzibar?", FILES) is None
    assert ask("Which documents mention Porto?", {}) is None


def test_kinds_are_known_in_compounds_and_in_other_languages_and_set_nothing_aside_where_none_is_known(ask):
    files = {
        "mietvertrag.md": "# Gewerbemietvertrag\n\nDie Halle wird an Corbin vermietet.\n",
        "a.md": "Corbin is paid at once.\n",
    }
    assert _lines(ask("Welche Verträge nennen Corbin?", files)) == [
        "mietvertrag.md: Die Halle wird an Corbin vermietet."
    ]
    assert len(_lines(ask("Which invoices mention Corbin?", files))) == 2
    deed = {"supply.md": "# Supply Agreement\n\nCorbin supplies the lenses.\n", "a.md": "Corbin is paid at once.\n"}
    assert _lines(ask("Welche Verträge nennen Corbin?", deed)) == ["supply.md: Corbin supplies the lenses."]


def test_what_stands_far_down_or_far_right_in_a_table_is_found_too(ask):
    deep = "site,pallets\n" + "".join(f"Site {n},{n}\n" for n in range(2_100)) + "Porto,4200\n"
    wide = ",".join(f"c{n}" for n in range(12)) + "\n" + ",".join(["1"] * 11) + ",Porto\n" + ",".join(["2"] * 12) + "\n"
    found = ask("Which documents mention Porto?", {"deep.csv": deep, "wide.csv": wide})
    assert [line.split(":")[0] for line in _lines(found)] == ["deep.csv", "wide.csv"]
    assert "Porto" in _lines(found)[0]


def test_documents_with_a_statement_come_before_those_that_only_name_it(ask):
    mail = "From: A <a@a.example>\nSubject: Bill\n\nWe paid the bill.\n\nKind regards\nLuc Thierry\nCorbin Freight SA\n"
    files = {"m.eml": mail, "n.md": "# Note\n\nCorbin Freight is paid at once.\n"}
    found = ask("Which documents concern Corbin Freight?", files)
    assert _lines(found) == ["n.md: Corbin Freight is paid at once.", "m.eml: in the line “Corbin Freight SA”"]
