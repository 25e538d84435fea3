"""Short texts in encodings of the past: read right, or read with a word of doubt; UTF-8 comes first."""

from pathlib import Path

import pytest

from intelli.library.extraction.formats import FileFormat, sniff
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Unreadable
from intelli.library.extraction.text import decode, detect_and_decode, extract_text

SAMPLES = (
    ("cp1252", "Die Übung kostet 12,50 € für Müller"),
    ("cp1252", "The price is £40 – “cheap”"),
    ("cp1252", "It’s 20 °C outside"),
    ("cp1252", "L’été dernier, à Genève"),
    ("cp1252", "São Paulo não é a capital"),
    ("cp1252", "Blåbærsyltetøj på brød"),
    ("cp1252", "MÜLLER & SÖHNE"),
    ("cp1252", "Café"),
    ("latin-1", "Zürich liegt an der Limmat"),
    ("latin-1", "La niña comió en España"),
    ("iso8859-15", "Das kostet 20 € für alle"),
    ("mac_roman", "Die Übung kostet 12,50 € für Müller"),
    ("mac_roman", "“Hello,” she said — it’s over"),
    ("mac_roman", "Straße nach Köln"),
    ("mac_roman", "Señor Núñez vive en España"),
    ("mac_roman", "Café au lait"),
    ("cp850", "Die Größe für Müller"),
    ("cp1250", "Zażółć gęślą jaźń"),
    ("cp1250", "Cena je 100 Kč za kus, děkuji"),
    ("cp1250", "Árvíztűrő tükörfúrógép"),
    ("iso8859-2", "Příliš žluťoučký kůň"),
    ("cp1254", "İstanbul çok güzel bir şehir"),
    ("koi8-r", "Привет, мир"),
    ("koi8-r", "Цена договора 100 рублей"),
    ("cp1251", "Цена договора 100 рублей"),
    ("cp1251", "Москва"),
    ("cp866", "Привет, как дела?"),
    ("cp866", "Принцип"),
    ("cp1253", "Η τιμή είναι 100 ευρώ"),
    ("iso8859-7", "Καλημέρα κόσμε"),
    ("cp1255", "שלום עולם"),
    ("cp1256", "السلام عليكم"),
    ("shift_jis", "今日は東京で会議があります。"),
    ("shift_jis", "価格は1000円です"),
    ("shift_jis", "東京"),
    ("euc_jp", "今日は東京で会議があります。"),
    ("gbk", "合同价格是一百元。"),
    ("gbk", "我们在北京开会"),
    ("gbk", "Total: 100元 (含税)"),
    ("big5", "這個合約的價格是一百元。"),
    ("euc_kr", "계약 가격은 백만 원입니다."),
    ("utf-16-le", "Die Übung kostet 12,50 €"),
    ("utf-16-be", "Hello world"),
    ("utf-16-le", "Привет, мир"),
    ("utf-16-be", "Цена 100 рублей"),
    ("utf-16-le", "今日は東京です。"),
    ("utf-16-le", "Γειά σου Κόσμε"),
)


@pytest.mark.parametrize(("encoding", "text"), SAMPLES)
def test_a_short_text_is_read_by_the_encoding_it_was_written_in(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("text", sorted({text for _, text in SAMPLES}))
def test_text_in_utf_8_is_never_taken_for_anything_else(text: str) -> None:
    found = detect_and_decode(text.encode())
    assert (found.text, found.doubt) == (text, None)


def test_a_longer_text_leaves_no_doubt() -> None:
    story = "Die Straße führt über den Fluß. Im Frühling blühen dort die schönsten Bäume. " * 3
    for encoding in ("cp1252", "mac_roman", "cp850"):
        found = detect_and_decode(story.encode(encoding))
        assert (found.text, found.doubt) == (story, None), encoding


def test_what_might_be_read_in_two_ways_is_read_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "name.txt"
    path.write_bytes("garçon".encode("cp1252"))
    found = extract_text(path, Limits())
    assert found.text == "garçon"
    assert ["save it as UTF-8" in warning for warning in found.warnings] == [True]


def test_stray_windows_bytes_in_utf_8_do_not_garble_the_rest() -> None:
    raw = "Müller und Söhne, gegründet 1890".encode() + b" \x96 caf\xe9"
    assert decode(raw) == "Müller und Söhne, gegründet 1890 – café"


@pytest.mark.parametrize(
    ("lines", "encoding"),
    [
        (("Größe und Maß; Ölpreis", "Příliš žluťoučký kůň"), "cp1250"),
        (("Приветствие города", "Договор номер пять и ещё много слов"), "cp1251"),
        (("価格表です", "東京都の人口は多いです"), "cp932"),
        (("Łukasz;Łódź", "Müller;Köln"), "cp1252"),
    ],
)
def test_words_of_two_encodings_are_each_read_by_their_own_and_a_warning_says_so(
    tmp_path: Path, lines: tuple[str, str], encoding: str
) -> None:
    path = tmp_path / "mixed.csv"
    path.write_bytes(lines[1].encode(encoding) + b"\n" + lines[0].encode())
    extraction = extract_text(path, Limits())
    assert sniff(path, path.name) is FileFormat.CSV
    assert extraction.text == f"{lines[1]}\n{lines[0]}"
    assert [f"others were read as {encoding}" in warning for warning in extraction.warnings] == [True]


def test_text_that_a_program_padded_with_nul_is_read_and_what_is_mostly_nul_is_not(tmp_path: Path) -> None:
    path = tmp_path / "padded.txt"
    path.write_bytes(b"Meyer\0\0\0Hamburg\0\0harbour office")
    assert sniff(path, path.name) is FileFormat.TEXT
    extraction = extract_text(path, Limits())
    assert extraction.text.split() == ["Meyer", "Hamburg", "harbour", "office"]
    assert ["NUL" in warning for warning in extraction.warnings] == [True]
    path.write_bytes(b"AB" + b"\0" * 40)
    with pytest.raises(Unreadable):
        sniff(path, path.name)
