"""Hostile PDFs of our own making: broken, looping, locked, huge, empty. Each is small on disk."""

import io
import zlib

import pikepdf
from tests.library.extraction.pdfs import Sheet, build_pdf, make_pdf, saved, show

LOCKED = tuple(f"locked_{strength}.pdf" for strength in (2, 3, 4, 6))
_TEXT = show("Nine herons stand at the lake.", 72, 700)
_BOMB_BYTES = 100 << 20


def files() -> dict[str, bytes]:
    """Each file by its name."""
    sound = make_pdf(Sheet(_TEXT))
    return {
        "empty.pdf": b"",
        "head_only.pdf": b"%PDF-1.7\n",
        "half.pdf": sound[: len(sound) // 2],
        "garbage.pdf": b"%PDF-1.4\n" + bytes(n * 7919 % 251 for n in range(4000)),
        "no_trailer.pdf": sound.partition(b"trailer")[0].partition(b"startxref")[0],
        "wrong_start.pdf": sound[: sound.rindex(b"startxref")] + b"startxref\n7\n%%EOF\n",
        "far_start.pdf": sound[: sound.rindex(b"startxref")] + b"startxref\n99999999\n%%EOF\n",
        "no_text.pdf": make_pdf(Sheet(b"0 0 100 100 re f\n")),
        "no_pages.pdf": saved(pikepdf.new()),
        "turned.pdf": make_pdf(Sheet(_TEXT, rotate=90)),
        "locked_by_owner.pdf": make_pdf(Sheet(_TEXT), encryption=pikepdf.Encryption(user="", owner="secret", R=6)),
        **{name: _locked(strength) for name, strength in zip(LOCKED, (2, 3, 4, 6), strict=True)},
        **_plain(),
        "bomb.pdf": _compressed(zlib.compress(b" " * _BOMB_BYTES, 9)),
        "bad_compression.pdf": _compressed(b"\x78\x9cnot compressed at all"),
        "outline_loop.pdf": _outline_loop(),
    }


def _locked(strength: int) -> bytes:
    modern = {"aes": strength >= 4, "metadata": strength >= 4}
    return make_pdf(Sheet(_TEXT), encryption=pikepdf.Encryption(user="user", owner="owner", R=strength, **modern))


def _plain() -> dict[str, bytes]:
    """Files whose objects no program would write."""
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    stream = f"<</Length {len(_TEXT)}>>stream\n{_TEXT.decode()}endstream"
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
    catalog, pages = "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[5 0 R]>>"
    draws = "/Length 5>>stream\n/F Do\nendstream"
    form = f"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>{draws}"
    drawn = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/Resources<</XObject<</F 4 0 R>>>>>>"
    return {
        "tree_loop.pdf": _file(catalog, "<</Type/Pages/Count 9/Kids[2 0 R 5 0 R]>>", font, stream, page),
        "many_pages.pdf": _file(catalog, "<</Type/Pages/Count 99999999/Kids[5 0 R]>>", font, stream, page),
        "missing_kid.pdf": _file(catalog, "<</Type/Pages/Count 2/Kids[77 0 R 5 0 R]>>", font, stream, page),
        "no_length.pdf": _file(catalog, pages, font, stream.replace(f"/Length {len(_TEXT)}", "/Length 0"), page),
        "long_length.pdf": _file(catalog, pages, font, stream.replace(f"/Length {len(_TEXT)}", "/Length 999999"), page),
        "odd_box.pdf": _file(catalog, pages, font, stream, page.replace("0 0 612 792", "0 0 -9e30 nan")),
        "no_box.pdf": _file(catalog, pages, font, stream, page.replace("/MediaBox[0 0 612 792]", "")),
        "deep.pdf": _file(catalog, pages, font, stream, page.replace("/Type/Page/", f"/X {'[' * 20000}/Type/Page/")),
        "form_loop.pdf": _file(catalog, pages, font, form, drawn, f"<<{draws}"),
    }


def _file(*objects: str) -> bytes:
    made, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(made)}\n%%EOF\n"
    return f"{made}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode("latin-1")


def _compressed(content: bytes) -> bytes:
    pdf = build_pdf(Sheet(_TEXT))
    stream = pikepdf.Stream(pdf, content)
    stream.Filter = pikepdf.Name.FlateDecode
    pdf.pages[0].obj.Contents = pdf.make_indirect(stream)
    buffer = io.BytesIO()
    pdf.save(buffer, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return buffer.getvalue()


def _outline_loop() -> bytes:
    pdf = build_pdf(Sheet(_TEXT))
    item = pdf.make_indirect(pikepdf.Dictionary(Title=pikepdf.String("Again")))
    item.Next = item
    item.First = item
    pdf.Root.Outlines = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Outlines, First=item, Last=item))
    return saved(pdf)
