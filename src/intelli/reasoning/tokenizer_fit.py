"""How well a tokenizer knows a text: words of its own language become few long pieces, foreign ones many short ones."""

# Characters to a piece: what foreign scripts have, and what the language that the tokenizer was made for has.
_CRUMBS = 1.5
_WORDS = 3.0


def piece_fit(text: str, pieces: int) -> float:
    """Return the fit by the mean length of the pieces: 0 for fragments of words, 1 for whole words."""
    letters = sum(not character.isspace() for character in text)
    per_piece = letters / pieces if pieces else 0.0
    return min(1.0, max(0.0, (per_piece - _CRUMBS) / (_WORDS - _CRUMBS)))
