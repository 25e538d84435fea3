"""Embedder behind any OpenAI-compatible `POST /embeddings`: batched, limited in parallel, retried once, checked."""

import asyncio
from collections.abc import Sequence

import httpx
import numpy as np

from intelli.kit import setting_types
from intelli.reasoning.adapters import endpoints
from intelli.reasoning.errors import EmbeddingRefused, EmbeddingUnavailable
from intelli.reasoning.ports import Tokenised, Vectors
from intelli.reasoning.settings import EmbeddingSettings

_RETRIED = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_BACKOFF_S = 1.0
_LONGEST_WAIT_S = 20.0
# Four characters to a token is usual for English; two is safe for other scripts.
_CHARACTERS_PER_TOKEN = 2
_MAX_CHARACTERS = 16_000


class OpenAiCompatibleEmbedder:
    """Embeds with one model of one endpoint."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        if not settings.base_url or not settings.model or not settings.dimensions:
            raise EmbeddingRefused(
                "An OpenAI-compatible embedding needs embedding.base_url, embedding.model and embedding.dimensions."
            )
        self._settings = settings
        self._model = settings.model
        self.name = f"openai-compatible:{settings.model}:{settings.dimensions}"
        self.dimensions = settings.dimensions
        self.prior = settings.prior
        self.background = settings.background
        self._slots = asyncio.Semaphore(settings.concurrency)
        headers = {"Authorization": f"Bearer {key}"} if (key := setting_types.reveal_secret(settings.api_key)) else {}
        self._client = endpoints.create_client(
            base_url=settings.base_url.rstrip("/") + "/",
            headers=headers,
            timeout=httpx.Timeout(settings.timeout_s),
        )

    def fit(self, text: str) -> float:
        """Return 1: the model is unknown, so we assume that it knows every language."""
        return 1.0

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed passages."""
        return await self._embed([self._settings.passage_prefix + text for text in texts])

    async def embed_tokenised(self, texts: Sequence[Tokenised]) -> Vectors:
        """Embed passages; their token numbers are ignored, since they are of another vocabulary."""
        return await self.embed([each.text for each in texts])

    async def embed_query(self, text: str) -> Vectors:
        """Embed a query."""
        vectors: Vectors = (await self._embed([self._settings.query_prefix + text]))[0]
        return vectors

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _embed(self, texts: Sequence[str]) -> Vectors:
        batches = list(self._batches(texts))
        try:
            async with asyncio.TaskGroup() as group:
                answers = [group.create_task(self._embed_batch(batch)) for batch in batches]
        except ExceptionGroup as failed:
            # The group exists for its cancelling; callers are told of the first failure alone.
            raise failed.exceptions[0] from None
        found = [answer.result() for answer in answers]
        return np.concatenate(found) if found else np.empty((0, self.dimensions), dtype=np.float32)

    def _batches(self, texts: Sequence[str]) -> list[list[str]]:
        """Split texts into batches, in order, by the limits of count and tokens."""
        batches: list[list[str]] = []
        room = 0
        for text in texts:
            cut = text[:_MAX_CHARACTERS] or " "
            tokens = len(cut) // _CHARACTERS_PER_TOKEN + 1
            if not batches or len(batches[-1]) >= self._settings.batch or tokens > room:
                batches.append([])
                room = self._settings.batch_tokens
            batches[-1].append(cut)
            room -= tokens
        return batches

    async def _embed_batch(self, batch: list[str]) -> Vectors:
        async with self._slots:
            response, wait_s = await self._post(batch)
            if response is None:
                await asyncio.sleep(wait_s)
                response, _ = await self._post(batch)
        if response is None:
            raise EmbeddingUnavailable("The embedding endpoint does not answer. It is tried again later.")
        if response.is_error:
            raise EmbeddingRefused(
                f"The embedding endpoint refuses with status {response.status_code}. "
                "Check embedding.base_url, embedding.api_key and embedding.model."
            )
        return self._parse_response(response, len(batch))

    async def _post(self, batch: list[str]) -> tuple[httpx.Response | None, float]:
        """Return the response; or None and the seconds to wait, when a retry may help."""
        body: dict[str, object] = {"model": self._model, "input": batch, "encoding_format": "float"}
        try:
            # Over all of it: an answer that comes byte by byte is never silent for long.
            async with asyncio.timeout(self._settings.timeout_s):
                response = await self._client.post("embeddings", json=body)
        except (httpx.RequestError, TimeoutError):
            return None, _BACKOFF_S
        if response.status_code in _RETRIED:
            return None, _wait_s(response)
        return response, 0

    def _parse_response(self, response: httpx.Response, count: int) -> Vectors:
        try:
            items = sorted(response.json()["data"], key=lambda item: int(item["index"]))
            found = np.asarray([item["embedding"] for item in items], dtype=np.float32)
        except (ValueError, KeyError, TypeError):
            raise EmbeddingUnavailable("The embedding endpoint answers with something else than embeddings.") from None
        if found.shape != (count, self.dimensions):
            width = found.shape[1] if found.ndim == 2 else 0
            raise EmbeddingRefused(
                f"The embedding endpoint gave {len(found)} vectors of {width} dimensions for {count} texts; "
                f"embedding.dimensions says {self.dimensions}. Set it to what the model gives."
            )
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        if not np.isfinite(found).all() or not lengths.all():
            raise EmbeddingUnavailable("The embedding endpoint gave vectors without a direction.")
        unit: Vectors = found / lengths
        return unit


def _wait_s(response: httpx.Response) -> float:
    try:
        return min(float(response.headers["Retry-After"]), _LONGEST_WAIT_S)
    except (KeyError, ValueError):
        return _BACKOFF_S
