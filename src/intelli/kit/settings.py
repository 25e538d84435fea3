"""Settings of the parts that every room uses: HTTP server, blob store, worker."""

from typing import Annotated, Self

from pydantic import Field, SecretStr, model_validator

from intelli.kit import setting_types
from intelli.kit.jobs import Queue
from intelli.kit.setting_types import SettingsGroup


class HttpSettings(SettingsGroup):
    """How long a connection may take over a request, and who reads the metrics."""

    head_timeout_s: float = Field(
        20, gt=0, le=3600, description="Seconds within which the head of a request has to be whole."
    )
    body_bytes_per_s: int = Field(
        1000, ge=1, description="Least pace of a body, in bytes per second; a slower one is given up."
    )
    keep_alive_s: int = Field(5, ge=1, le=3600, description="Seconds that a connection may wait between requests.")
    stream_silence_s: float = Field(
        25, gt=0, le=3600, description="Seconds of silence after which a live stream sends a sign of life."
    )
    stall_s: float = Field(
        90, gt=0, le=3600, description="Seconds after which a connection ends whose client takes nothing that is sent."
    )
    metrics_token: SecretStr | None = Field(
        None,
        min_length=16,
        description="Bearer token for /metrics, at least 16 characters; without one this machine alone may read it.",
    )


class BlobSettings(SettingsGroup):
    """How to reach an S3-compatible store. A cloud's own roles and variables work without these."""

    endpoint: setting_types.HttpUrl | None = Field(
        None, description="Address of an S3-compatible server; empty for AWS."
    )
    region: str | None = Field(None, description="Region of the bucket.")
    access_key_id: str | None = Field(None, description="Access key of the bucket.")
    secret_access_key: SecretStr | None = Field(None, description="Secret of the access key.")
    path_style: bool = Field(True, description="Put the bucket in the path of the address instead of its host name.")

    def options(self) -> dict[str, str]:
        """What `kit.blobs.open_blobs` takes as options; secrets in clear."""
        given = {
            "endpoint": self.endpoint,
            "region": self.region,
            "access_key_id": self.access_key_id,
            "secret_access_key": setting_types.reveal_secret(self.secret_access_key),
            "virtual_hosted_style_request": str(not self.path_style).lower(),
        }
        return {name: value for name, value in given.items() if value}


class WorkerSettings(SettingsGroup):
    """How a worker takes jobs."""

    concurrency: int = Field(
        4, ge=1, le=1000, description="Jobs of one queue that one worker runs at the same time for one person."
    )
    heartbeat_s: float = Field(5, gt=0, description="Seconds between two signs of life of a worker.")
    stall_s: float = Field(
        30, gt=0, description="Seconds of silence after which a worker counts as dead and its jobs run again."
    )
    queues: Annotated[tuple[Queue, ...], setting_types.SEPARATED] = Field(
        tuple(Queue), min_length=1, description="Queues that the worker serves, separated by commas."
    )

    @model_validator(mode="after")
    def _heart_beats_before_it_stalls(self) -> Self:
        if self.stall_s < 2 * self.heartbeat_s:
            raise ValueError(
                "worker.stall_s must be at least twice worker.heartbeat_s, or living workers count as dead"
            )
        return self
