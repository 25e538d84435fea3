"""How many tokens a text has, by the tokenizer that comes with the bundled embedding; nothing is fetched."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import islice

from tokenizers import Tokenizer

_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_BATCH = 512  # encodings are large: only their lengths are kept


def count_tokens(texts: Sequence[str]) -> list[int]:
    """The number of tokens of each text."""
    tokenizer = _tokenizer()
    rest = iter(texts)
    counts: list[int] = []
    while batch := list(islice(rest, _BATCH)):
        counts += [len(encoding.ids) for encoding in tokenizer.encode_batch_fast(batch, add_special_tokens=False)]
    return counts


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_str(files("wordllama").joinpath(_TOKENIZER).read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
