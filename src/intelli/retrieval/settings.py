"""The settings of search; the root puts them under `search`."""

from pydantic import Field

from intelli.kit.setting_types import SettingsGroup


class SearchSettings(SettingsGroup):
    """How much a search may compute to rank its best passages anew, token by token."""

    rerank_ms: int = Field(
        400, ge=0, le=60_000, description="CPU milliseconds that a search may take to rank passages anew; 0: none."
    )
    research_rerank_ms: int = Field(
        1_500, ge=0, le=60_000, description="The same for a search of a run or of a check, for which nobody waits."
    )
    rerank_cache_mb: int = Field(
        64, ge=0, le=4_096, description="Memory of a process for passages that were read token by token."
    )
