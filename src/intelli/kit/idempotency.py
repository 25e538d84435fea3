"""Idempotency-Key: a repeated creating request gets the first answer and creates nothing again.

The answer is stored in the transaction that did the work, so that a crash cannot separate the two.
"""

import base64
import hashlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from cryptography.fernet import Fernet, InvalidToken
from pydantic import BaseModel
from sqlalchemy import ColumnElement, delete, select, text, update
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.db import Tx
from intelli.kit.errors import Conflict, Invalid
from intelli.kit.ids import uuid7
from intelli.kit.tables import IdempotentAnswer

Answer = TypeVar("Answer", bound=BaseModel)
KEPT_HOURS = 24


class IdempotencyKeyReused(Invalid):
    """The key came with another request before."""

    code = "idempotency_key_reused"


class AnswerUnreadable(Conflict):
    """The work was done, but its answer was kept under a secret key that has since changed."""

    code = "answer_unreadable"


class Once:
    """Idempotency-Key of one request, which may have none."""

    def __init__(self, *, key: str | None, request: bytes, secret: bytes) -> None:
        self._key = key
        self._request_hash = hashlib.sha256(request).hexdigest()
        self._secret = secret

    async def answer(self, tx: Tx, model: type[Answer], make: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the stored answer of this key, else call `make` and store its answer. Without a key, only call `make`.

        Raises IdempotencyKeyReused when the key came with another request, AnswerUnreadable when the secret changed.
        """
        if self._key is None:
            return await make()
        key_hash = hashlib.sha256(self._key.encode()).hexdigest()
        if not await self._reserve(tx, key_hash):
            return await self._load_answer(tx, model, key_hash)
        answer = await make()
        body = self._cipher().encrypt(answer.model_dump_json().encode())
        await tx.session.execute(update(IdempotentAnswer).where(*_key_conditions(tx, key_hash)).values(body=body))
        return answer

    async def _reserve(self, tx: Tx, key_hash: str) -> bool:
        """Insert the key; return False when it exists. Waits while another transaction with the same key is open."""
        row = {"tenant_id": tx.tenant_id, "id": uuid7(), "user_id": tx.user_id, "key_hash": key_hash}
        statement = insert(IdempotentAnswer).values(**row, request_hash=self._request_hash).on_conflict_do_nothing()
        return await tx.session.scalar(statement.returning(IdempotentAnswer.id)) is not None

    async def _load_answer(self, tx: Tx, model: type[Answer], key_hash: str) -> Answer:
        row = (await tx.session.execute(select(IdempotentAnswer).where(*_key_conditions(tx, key_hash)))).scalar_one()
        if row.request_hash != self._request_hash:
            raise IdempotencyKeyReused("This Idempotency-Key was used for another request. Use a new key.")
        try:
            return model.model_validate_json(self._cipher().decrypt(row.body or b""))
        except InvalidToken as error:
            raise AnswerUnreadable(
                "This was done already, but its answer is no longer kept. List to find it."
            ) from error

    def _cipher(self) -> Fernet:
        material = hashlib.sha256(self._secret + b"\0idempotency\0" + (self._key or "").encode()).digest()
        return Fernet(base64.urlsafe_b64encode(material))


async def delete_old_answers(tx: Tx) -> None:
    """Delete the stored answers of the workspace that are older than KEPT_HOURS."""
    age = text(f"now() - interval '{KEPT_HOURS} hours'")
    await tx.session.execute(
        delete(IdempotentAnswer).where(IdempotentAnswer.tenant_id == tx.tenant_id, IdempotentAnswer.created_at < age)
    )


def _key_conditions(tx: Tx, key_hash: str) -> tuple[ColumnElement[bool], ...]:
    return (
        IdempotentAnswer.tenant_id == tx.tenant_id,
        IdempotentAnswer.user_id == tx.user_id,
        IdempotentAnswer.key_hash == key_hash,
    )
