"""Speed of one endpoint, learnt from its own calls: how long it reads until its first word, and until a whole reply.

Nothing is known before a call was measured, and nothing is assumed of a model by its name.
"""

# The weight of the newest call: a machine's speed changes with what else it does.
_NEWEST = 0.5


class CallSpeed:
    """Moving averages of the seconds that an endpoint takes for a character sent to it."""

    def __init__(self) -> None:
        self._to_first_word: float | None = None
        self._to_read_at_most: float | None = None
        self._to_reply: dict[str, float] = {}

    def observe_first_word(self, characters: int, seconds: float) -> None:
        """Learn from a streamed reply, whose first word comes when the prompt is read."""
        self._to_first_word = _average(self._to_first_word, seconds / max(characters, 1))

    def observe_reply(self, form: str, *, characters: int, written: int, seconds: float) -> None:
        """Learn from a reply that came whole, for calls of the same form.

        To write takes a model longer than to read as much, so this also tells what reading takes at most.
        """
        self._to_reply[form] = _average(self._to_reply.get(form), seconds / max(characters, 1))
        self._to_read_at_most = _average(self._to_read_at_most, seconds / max(characters + written, 1))

    def estimate_first_word_s(self, characters: int) -> float | None:
        """Return the seconds until the first word of a streamed reply; None before any call was measured."""
        rate = self._to_read_at_most if self._to_first_word is None else self._to_first_word
        return None if rate is None else rate * characters

    def estimate_reply_s(self, form: str, characters: int) -> float | None:
        """Return the seconds until a whole reply of a form; None before one of this form was measured."""
        rate = self._to_reply.get(form)
        return None if rate is None else rate * characters


def _average(before: float | None, now: float) -> float:
    return now if before is None else (1 - _NEWEST) * before + _NEWEST * now
