"""What the library needs to know, handed over by the composition root."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """How to sign in to a source: empty until the operator has set it."""

    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    token_url: str = ""
    refresh_token: str = field(default="", repr=False)
    api_url: str = ""
    workspaces: frozenset[UUID] = frozenset()


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """How content is cut into passages, and what may be fetched from where."""

    chunk_tokens: int = 512
    chunk_overlap: float = 0.5
    web_allow_private: bool = False
    fetch_limit_bytes: int = 100 << 20
    fetch_timeout_s: float = 60
    clients: Mapping[str, OAuthClient] = field(default_factory=dict)
