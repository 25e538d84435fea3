"""Reproducible zip files: sorted, with one fixed time, and no trace of the machine."""

import io
import re
import zipfile
from collections.abc import Mapping

_EPOCH = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16
_RELATIONS, _THUMBNAIL = "_rels/.rels", "docProps/thumbnail.jpeg"
_TO_THUMBNAIL = re.compile(rb'<Relationship\s(?>[^<>]*?"docProps/thumbnail\.jpeg")[^<>]*+>')
_MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def pack(files: Mapping[str, bytes], first: tuple[str, ...] = ()) -> bytes:
    """Pack files into a zip. Those named in `first` come first, the others by name."""
    packed = io.BytesIO()
    names = [*(name for name in first if name in files), *sorted(files.keys() - set(first))]
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in names:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = _READABLE
            archive.writestr(info, files[name])
    return packed.getvalue()


def unpack(packed: bytes) -> dict[str, bytes]:
    """Unpack a zip that we have just made."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def make_reproducible(packed: bytes) -> bytes:
    """Make an Office file reproducible, including the workbooks inside its charts."""
    files = unpack(packed)
    # The picture of the library's template, which shows another document.
    files = {name: content for name, content in files.items() if name != _THUMBNAIL}
    files[_RELATIONS] = _TO_THUMBNAIL.sub(b"", files[_RELATIONS])
    for name in [name for name in files if name.endswith(".xlsx")]:
        files[name] = _make_workbook_reproducible(files[name])
    return pack(files, first=("[Content_Types].xml", _RELATIONS))


def _make_workbook_reproducible(packed: bytes) -> bytes:
    """Replace the time of day that the library writes into a workbook's properties, which nobody reads there."""
    files = unpack(packed)
    core = files.get("docProps/core.xml", b"")
    files["docProps/core.xml"] = _MOMENT.sub(b"1980-01-01T00:00:00Z", core)
    return pack(files, first=("[Content_Types].xml", _RELATIONS))
