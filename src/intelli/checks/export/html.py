"""HTML export: one self-contained page, the text with its statements marked, and each with its verdict and passages."""

from html import escape

from intelli.checks import wire
from intelli.citations.marks import SIGNS, WORDS
from intelli.reasoning.verbs.judge import Verdict

# Should anything get in all the same, it may load nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.text a { color: inherit; text-decoration-thickness: 2px; text-underline-offset: 3px; }
.supported { text-decoration: underline dotted #2e7d32; }
.partly { text-decoration: underline dashed #b26a00; }
.not_supported { text-decoration: underline wavy #c62828; }
.contradicted { text-decoration: underline double #c62828; }
.unchecked { text-decoration: underline dotted #757575; }
sup { margin-left: .1em; }
li { margin: 1rem 0; } .said { font-weight: 600; overflow-wrap: anywhere; }
blockquote { margin: .2rem 0 .2rem 1rem; color: #555; }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e6e6e6; } blockquote { color: #b5b5b5; } }
"""
_STANCES = {wire.Stance.FOR: "For", wire.Stance.AGAINST: "Against", wire.Stance.CITED: "Cited"}


def write(check: wire.TextCheck) -> str:
    """Write the page."""
    title = escape(check.title)
    items = "\n".join(_item(each) for each in check.statements)
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{title}</h1>\n<p>{summary(check)}</p>\n"
        f'<div class="text">{_text(check)}</div>\n<h2>Statements</h2>\n<ol>{items}</ol>\n</body></html>\n'
    )


def summary(check: wire.TextCheck) -> str:
    """Say in a line how many statements have each verdict: `12 statements: ✓ 9 supported · ✕ 3 not supported`."""
    counted = check.counts.model_dump()
    parts = [f"{SIGNS[each]} {counted[each]} {WORDS[each].lower()}" for each in Verdict if counted[each]]
    told = ": " + " \u00b7 ".join(parts) if parts else ""
    return f"{len(check.statements)} statement{'s' * (len(check.statements) != 1)}{told}"


def place_of(citation: wire.FoundCitation) -> str:
    """Name the file of a passage, and its page or section."""
    page = f", page {citation.page}" if citation.page else f", {citation.section}" if citation.section else ""
    return f"{citation.file_name}{page}"


def _text(check: wire.TextCheck) -> str:
    pieces: list[str] = []
    at = 0
    for each in check.statements:
        start, end = max(each.char_start, at), max(each.char_end, at)
        said = escape(check.text[start:end])
        link = f'<a class="{each.verdict}" href="#s{each.number}" title="{escape(WORDS[each.verdict])}">{said}</a>'
        pieces += (escape(check.text[at:start]), link, f"<sup>{SIGNS[each.verdict]}</sup>")
        at = end
    return "".join([*pieces, escape(check.text[at:])])


def _item(each: wire.TextStatement) -> str:
    reason = f": {escape(each.reason)}" if each.reason else ""
    sums = "".join(f"<p>{escape(one.formula)}</p>" for one in each.calculations)
    passages = "".join(map(_passage, each.citations))
    return (
        f'<li id="s{each.number}" value="{each.number + 1}"><p class="said">{escape(each.text)}</p>'
        f"<p>{SIGNS[each.verdict]} {escape(WORDS[each.verdict])}{reason}</p>{sums}{passages}</li>"
    )


def _passage(citation: wire.FoundCitation) -> str:
    quote = f"<blockquote>{escape(citation.quote)}</blockquote>" if citation.quote else ""
    return f"<div>{_STANCES[citation.stance]}: {escape(place_of(citation))}{quote}</div>"
