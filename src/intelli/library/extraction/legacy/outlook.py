"""Reader of e-mails that Outlook saved (MSG)."""

import re
from email.parser import HeaderParser
from pathlib import Path

from intelli.library.extraction import compound
from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.mail import MailAttachment, MailBody, MailParts, add_mail, choose_body
from intelli.library.extraction.model import Extraction
from intelli.library.extraction.nested_files import NestedFiles, guess_media_type
from intelli.library.extraction.text import decode

_MEDIA_TYPE = "application/vnd.ms-outlook"
_SUBJECT, _SENDER, _ADDRESS, _SMTP, _TO, _CC, _BODY, _HTML, _HEADERS = (
    "0037", "0C1A", "0C1F", "5D01", "0E04", "0E03", "1000", "1013", "007D",
)  # fmt: skip
_FILE, _LONG_NAME, _NAME, _TYPE = "3701", "3707", "3704", "370E"
_ATTACHMENT = re.compile(r"(__attach_version1\.0_#[0-9A-F]{8})/__substg1\.0_")


def extract_outlook(path: Path, limits: Limits, inside: NestedFiles) -> Extraction:
    """Extract the text of an e-mail and of its attachments."""
    with compound.open_compound(path) as file:
        message = _Store(file)
        headers = HeaderParser().parsestr(message.text(_HEADERS))
        address = message.text(_SMTP) or message.text(_ADDRESS)
        sender = message.text(_SENDER)
        properties = {
            "subject": message.text(_SUBJECT),
            "from": f"{sender} <{address}>" if "@" in address and address != sender else sender or address,
            "to": message.text(_TO),
            "cc": message.text(_CC),
            "date": " ".join(str(headers.get("date") or "").split()),
        }
        bodies = [MailBody(message.text(_BODY), is_html=False), MailBody(decode(message.raw(_HTML)), is_html=True)]
        bodies = [body for body in bodies if body.text.strip()]
        parts = MailParts(bodies=[choose_body(bodies)] if bodies else [], attached=message.attachments())
    return add_mail(properties, parts, inside, assembly=TextAssembler(limits), media_type=_MEDIA_TYPE)


class _Store:
    """The properties of a message, each a stream named by its number and type."""

    def __init__(self, file: compound.Compound) -> None:
        self._file = file
        self._paths = file.paths()

    def raw(self, number: str, folder: str = "") -> bytes:
        path = f"{folder}__substg1.0_{number}0102"
        return self._file.read(path) if path in self._paths else b""

    def text(self, number: str, folder: str = "") -> str:
        path = f"{folder}__substg1.0_{number}"
        if path + "001F" in self._paths:
            return self._file.read(path + "001F").decode("utf-16-le", "replace").rstrip("\0").strip()
        return decode(self._file.read(path + "001E")).rstrip("\0").strip() if path + "001E" in self._paths else ""

    def attachments(self) -> list[MailAttachment]:
        folders = sorted({found[1] for path in self._paths if (found := _ATTACHMENT.match(path))})
        return [self._attachment(f"{folder}/") for folder in folders]

    def _attachment(self, folder: str) -> MailAttachment:
        name = self.text(_LONG_NAME, folder) or self.text(_NAME, folder) or "attachment"
        media_type = self.text(_TYPE, folder) or guess_media_type(name)
        return MailAttachment(name, media_type, self.raw(_FILE, folder))
