"""Reader of ZIP archives: each readable entry is a part of the text, named by its path."""

import zipfile
import zlib
from pathlib import Path, PurePosixPath

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import ExtractedAttachment, Extraction, Refusal, Unreadable
from intelli.library.extraction.nested_files import NestedFiles
from intelli.library.extraction.zip_files import open_zip

_MEDIA_TYPE = "application/zip"
_LITTER = {".ds_store", "thumbs.db", "desktop.ini"}


def extract_archive(path: Path, limits: Limits, inside: NestedFiles) -> Extraction:
    """Extract the entries of an archive, one after the other; warn of those that are damaged."""
    assembly = TextAssembler(limits)
    attachments: list[ExtractedAttachment] = []
    with open_zip(path, limits) as archive:
        entries = [entry for entry in archive.infolist() if not _is_litter(entry)]
        if not entries:
            raise Unreadable(Refusal.EMPTY, "The archive is empty. Upload it again if it should have content.")
        for entry in entries:
            try:
                with archive.open(entry) as file:
                    attachments.append(inside.include(assembly, file, name=entry.filename, size_bytes=entry.file_size))
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
                assembly.warn(f"{entry.filename}: It is damaged, or packed in a way that is not read.")
    return assembly.finish(_MEDIA_TYPE, attachments=attachments)


def _is_litter(entry: zipfile.ZipInfo) -> bool:
    """Return whether an entry is a folder or a file that operating systems leave in folders."""
    path = PurePosixPath(entry.filename)
    return entry.is_dir() or path.name.lower() in _LITTER or "__MACOSX" in path.parts
