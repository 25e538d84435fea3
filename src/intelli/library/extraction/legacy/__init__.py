"""The formats of old Office and its neighbours: DOC, PPT, RTF, and the e-mails of Outlook."""
