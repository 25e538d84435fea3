"""Metrics and traces of one app, without global state: several apps can run in one process.

Only names and numbers are exported: a span records the type of an exception, never its message.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ALWAYS_ON, ParentBased
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.exposition import choose_encoder

from intelli.kit.errors import Unavailable

Attribute = str | int | float | bool
QueueDepth = Callable[[], Awaitable[Mapping[tuple[str, str], int]]]
"""Counts the jobs of each (queue, status)."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_TRACES_PATH = "/v1/traces"
_EXPORT_TIMEOUT_S = 5
_SCRAPE_TIMEOUT_S = 5
_REQUEST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_JOB_BUCKETS = (0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600)
_TRANSACTION_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30)


@dataclass(frozen=True, slots=True)
class Scrape:
    """Answer of `/metrics`."""

    body: bytes
    content_type: str


class Telemetry:
    """Metrics registry and tracer of one app."""

    def __init__(self, *, version: str, otlp_endpoint: str | None = None) -> None:
        self.registry = CollectorRegistry()
        self._requests = self._histogram(
            "intelli_http_request_seconds", "Time to answer a request.", _REQUEST_BUCKETS, ("method", "route", "status")
        )
        self._jobs = self._histogram("intelli_job_seconds", "Time to run a job.", _JOB_BUCKETS, ("job", "outcome"))
        self._tools = self._histogram(
            "intelli_tool_seconds", "Time a run's tool took.", _REQUEST_BUCKETS, ("tool", "outcome")
        )
        self._nodes = self._histogram(
            "intelli_run_node_seconds", "Time a node of the research graph took.", _JOB_BUCKETS, ("node",)
        )
        self._tokens = Counter(
            "intelli_model_tokens", "Tokens that models read and wrote.", ("model", "direction"), registry=self.registry
        )
        self._cost = Counter(
            "intelli_model_cost_cents", "What models cost, in US cents.", ("model",), registry=self.registry
        )
        self._transactions = self._histogram(
            "intelli_transaction_seconds", "Time a database transaction was open.", _TRANSACTION_BUCKETS
        )
        self._queue_jobs = Gauge("intelli_queue_jobs", "Jobs in a queue.", ("queue", "status"), registry=self.registry)
        self._subscribers = Gauge(
            "intelli_live_subscribers", "Open live streams of this process.", registry=self.registry
        )
        Info("intelli_build", "What is running.", registry=self.registry).info({"version": version})
        ProcessCollector(registry=self.registry)
        self._queue_depth: QueueDepth | None = None
        self._provider = _provider(version, otlp_endpoint)
        self._tracer = self._provider.get_tracer("intelli", version)

    def watch_queues(self, depth: QueueDepth) -> None:
        """Register the callback that counts jobs; it is called on every scrape."""
        self._queue_depth = depth

    def watch_subscribers(self, count: Callable[[], int]) -> None:
        """Register the callback that counts open live streams; it is called on every scrape."""
        self._subscribers.set_function(count)

    def observe_request(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Record an answered request. `route` is the template, never the path: a path would create a series per id."""
        known = method if method in _METHODS else "OTHER"
        self._requests.labels(known, route, str(status)).observe(seconds)

    def observe_job(self, *, job: str, outcome: str, seconds: float) -> None:
        """Record a job that ended."""
        self._jobs.labels(job, outcome).observe(seconds)

    def observe_tool(self, *, tool: str, outcome: str, seconds: float) -> None:
        """Record a tool call of a run."""
        self._tools.labels(tool, outcome).observe(seconds)

    def observe_node(self, *, node: str, seconds: float) -> None:
        """Record a node of a run's graph that ended."""
        self._nodes.labels(node).observe(seconds)

    def observe_model(self, *, model: str, input_tokens: int, output_tokens: int, cost_cents: float) -> None:
        """Record a step of a model: its tokens and its cost."""
        self._tokens.labels(model, "input").inc(input_tokens)
        self._tokens.labels(model, "output").inc(output_tokens)
        self._cost.labels(model).inc(cost_cents)

    def observe_transaction(self, seconds: float) -> None:
        """Record a transaction that ended."""
        self._transactions.observe(seconds)

    async def render(self, accept: str = "") -> Scrape:
        """Render all metrics in the format that the scraper's Accept header asks for."""
        depth = await self._depth()
        self._queue_jobs.clear()
        for (queue, status), count in depth.items():
            self._queue_jobs.labels(queue, status).set(count)
        encode, content_type = choose_encoder(accept)
        return Scrape(encode(self.registry), content_type)

    @contextmanager
    def span(
        self,
        name: str,
        *,
        parent: Context | None = None,
        kind: SpanKind = SpanKind.INTERNAL,
        **attributes: Attribute,
    ) -> Iterator[Span]:
        """Open a span for the block. It is the current span inside the block, also across awaits."""
        with self._tracer.start_as_current_span(
            name, parent, kind, attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield span
            except BaseException as error:
                span.set_status(Status(StatusCode.ERROR, type(error).__name__))
                raise

    def incoming(self, headers: Mapping[str, str]) -> Context:
        """Return the caller's trace context from the W3C `traceparent` header, to pass to `span` as parent."""
        return TraceContextTextMapPropagator().extract(headers)

    async def close(self, *, timeout_s: float = 3) -> None:
        """Export the remaining spans; give up after `timeout_s` when the collector does not answer."""
        # The library waits up to 30 s and its own time limits are not honoured; a daemon thread blocks nobody.
        closing = threading.Thread(target=self._provider.shutdown, name="telemetry-close", daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, timeout_s)

    async def _depth(self) -> Mapping[tuple[str, str], int]:
        """Return no counts when the database is unreachable: just then the other metrics are needed most."""
        if self._queue_depth is None:
            return {}
        try:
            async with asyncio.timeout(_SCRAPE_TIMEOUT_S):
                return await self._queue_depth()
        except (Unavailable, TimeoutError):
            return {}

    def _histogram(
        self, name: str, meaning: str, buckets: tuple[float, ...], labels: tuple[str, ...] = ()
    ) -> Histogram:
        return Histogram(name, meaning, labels, buckets=buckets, registry=self.registry)


def _provider(version: str, otlp_endpoint: str | None) -> TracerProvider:
    """Build the tracer provider. Without an endpoint nothing is sampled, but trace ids still pass through."""
    sampler = ParentBased(ALWAYS_ON) if otlp_endpoint else ALWAYS_OFF
    resource = Resource({"service.name": "intelli", "service.version": version})
    provider = TracerProvider(sampler, resource, shutdown_on_exit=False)
    if otlp_endpoint:
        address = otlp_endpoint.removesuffix("/").removesuffix(_TRACES_PATH) + _TRACES_PATH
        exporter = OTLPSpanExporter(address, timeout=_EXPORT_TIMEOUT_S)
        provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider
