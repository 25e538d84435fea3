"""Readers of old Office formats and their kin: DOC, PPT, RTF, and e-mails of Outlook."""
