"""Groups of settings that belong to no room. Rooms declare their own beside their rules."""

from decimal import Decimal
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from intelli.kit import values
from intelli.kit.jobs import Queue
from intelli.runs.settings import RunSettings


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class BlobSettings(_Group):
    """How to reach an S3-compatible store. A cloud's own roles and variables work without these."""

    endpoint: values.HttpUrl | None = Field(None, description="Address of an S3-compatible server; empty for AWS.")
    region: str | None = Field(None, description="Region of the bucket.")
    access_key_id: str | None = Field(None, description="Access key of the bucket.")
    secret_access_key: SecretStr | None = Field(None, description="Secret of the access key.")
    path_style: bool = Field(True, description="Put the bucket in the path of the address instead of its host name.")

    def options(self) -> dict[str, str]:
        """What `kit.blobs.open_blobs` takes as options; secrets in clear."""
        secret = self.secret_access_key.get_secret_value() if self.secret_access_key else None
        given = {
            "endpoint": self.endpoint,
            "region": self.region,
            "access_key_id": self.access_key_id,
            "secret_access_key": secret,
            "virtual_hosted_style_request": str(not self.path_style).lower(),
        }
        return {name: value for name, value in given.items() if value}


class ContentLimits(_Group):
    """How much may be uploaded at once, and how long what nobody references is kept."""

    upload_limit_bytes: int = Field(2_147_483_648, ge=1, description="Largest file that can be uploaded, in bytes.")
    grace_hours: float = Field(
        24, ge=0, le=87_600, description="Hours that content which nothing references is kept before it is removed."
    )


class BudgetSettings(_Group):
    """What a run may spend."""

    cents_per_run: Decimal = Field(
        Decimal(200), ge=0, le=1_000_000, description="Most that the models of one run may cost, in US cents."
    )

    def runs(self) -> RunSettings:
        """What runs are told of it."""
        return RunSettings(budget_cents=self.cents_per_run)


class ClientSettings(_Group):
    """Another Intelli that commands talk to instead of this machine's."""

    server: values.HttpUrl | None = Field(None, description="Address of a server that commands talk to.")
    key: SecretStr | None = Field(None, description="API key for that server.")


class WorkerSettings(_Group):
    """How a worker takes jobs."""

    concurrency: int = Field(
        4, ge=1, le=1000, description="Jobs of one queue that one worker runs at the same time for one person."
    )
    heartbeat_s: float = Field(5, gt=0, description="Seconds between two signs of life of a worker.")
    stall_s: float = Field(
        30, gt=0, description="Seconds of silence after which a worker counts as dead and its jobs run again."
    )
    queues: Annotated[tuple[Queue, ...], values.SEPARATED] = Field(
        tuple(Queue), min_length=1, description="Queues that the worker serves, separated by commas."
    )

    @model_validator(mode="after")
    def _heart_beats_before_it_stalls(self) -> Self:
        if self.stall_s < 2 * self.heartbeat_s:
            raise ValueError(
                "worker.stall_s must be at least twice worker.heartbeat_s, or living workers count as dead"
            )
        return self
