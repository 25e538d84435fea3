"""The static embedding that ours uses by default, for the peers: the same weights, the same arithmetic."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

DIMENSIONS = 256


class StaticEmbedding:
    """Vectors of unit length."""

    def __init__(self) -> None:
        package = Path(find_spec("wordllama").submodule_search_locations[0])
        self._tokenizer = Tokenizer.from_file(str(package / "tokenizers/l2_supercat_tokenizer_config.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        (weights,) = load_file(package / "weights/l2_supercat_256.safetensors").values()
        self._weights = np.ascontiguousarray(weights, dtype=np.float32)

    def embed(self, texts: list[str]) -> np.ndarray:
        """One row for each text."""
        found = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, encoding in enumerate(self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)):
            if encoding.ids:
                found[row] = self._weights[np.asarray(encoding.ids)].mean(axis=0)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return found / np.where(lengths == 0, 1, lengths)
