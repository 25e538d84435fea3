"""BM25: how much a term's count in a chunk is worth, against the chunk's length."""

from intelli.retrieval.postings import Floats

K1 = 1.2
B = 0.75


def impact(counts: Floats, lengths: Floats, average: float) -> Floats:
    """Return the share of a term's weight that each chunk gets, 0 to 1, from its count there and the chunk's length."""
    return counts / (counts + K1 * (1 - B + B * lengths / average))
