"""Metrics and traces of one app."""

import asyncio
import queue
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.trace import SpanKind
from prometheus_client.parser import text_string_to_metric_families

from intelli.kit.errors import Unavailable
from intelli.kit.telemetry import Telemetry

TRACE_ID, PARENT_ID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


class Collector:
    """A real OTLP/HTTP receiver."""

    def __init__(self) -> None:
        self.requests: queue.Queue[tuple[str, ExportTraceServiceRequest]] = queue.Queue()
        self.may_answer = threading.Event()
        self.may_answer.set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the library's name
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.may_answer.wait(30)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
                collector.requests.put((self.path, ExportTraceServiceRequest.FromString(body)))

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}"

    def received(self) -> tuple[str, Mapping[str, str], list[Span]]:
        path, request = self.requests.get(timeout=60)
        (resource_spans,) = request.resource_spans
        resource = {pair.key: pair.value.string_value for pair in resource_spans.resource.attributes}
        return path, resource, [span for scope in resource_spans.scope_spans for span in scope.spans]


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield collector
    collector.may_answer.set()
    collector.server.shutdown()
    collector.server.server_close()
    thread.join(10)


async def samples(telemetry: Telemetry) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    scrape = await telemetry.render()
    families = text_string_to_metric_families(scrape.body.decode())
    return {
        (each.name, tuple(sorted(each.labels.items()))): each.value for family in families for each in family.samples
    }


async def test_requests_jobs_and_transactions_are_counted_with_their_labels() -> None:
    telemetry = Telemetry(version="1.2.3")
    telemetry.observe_request(method="GET", route="/documents/{id}", status=200, seconds=0.02)
    telemetry.observe_job(job="extract", outcome="succeeded", seconds=3)
    telemetry.observe_transaction(0.004)
    seen = await samples(telemetry)

    request = (("method", "GET"), ("route", "/documents/{id}"), ("status", "200"))
    assert seen["intelli_http_request_seconds_count", request] == 1
    assert seen["intelli_http_request_seconds_sum", request] == 0.02
    assert seen["intelli_job_seconds_count", (("job", "extract"), ("outcome", "succeeded"))] == 1
    assert seen["intelli_transaction_seconds_count", ()] == 1
    assert seen["intelli_build_info", (("version", "1.2.3"),)] == 1


async def test_an_invented_method_makes_no_series_of_its_own() -> None:
    telemetry = Telemetry(version="1")
    for method in ("AAAA", "BBBB"):
        telemetry.observe_request(method=method, route="unmatched", status=405, seconds=0.1)
    labels = (("method", "OTHER"), ("route", "unmatched"), ("status", "405"))
    assert (await samples(telemetry))["intelli_http_request_seconds_count", labels] == 2


async def test_queues_and_subscribers_are_asked_on_every_scrape() -> None:
    telemetry = Telemetry(version="1")
    depth = {("runs", "todo"): 3}

    async def ask() -> dict[tuple[str, str], int]:
        return dict(depth)

    telemetry.watch_queues(ask)
    telemetry.watch_subscribers(lambda: 7)
    first = await samples(telemetry)
    depth.clear()
    depth["index", "doing"] = 1
    second = await samples(telemetry)

    assert first["intelli_queue_jobs", (("queue", "runs"), ("status", "todo"))] == 3
    assert first["intelli_live_subscribers", ()] == 7
    assert {key: value for key, value in second.items() if key[0] == "intelli_queue_jobs"} == {
        ("intelli_queue_jobs", (("queue", "index"), ("status", "doing"))): 1
    }


async def test_a_database_out_of_reach_does_not_cost_the_other_metrics() -> None:
    telemetry = Telemetry(version="1")

    async def ask() -> dict[tuple[str, str], int]:
        raise Unavailable("The database is out of reach.")

    telemetry.watch_queues(ask)
    seen = await samples(telemetry)
    assert ("intelli_transaction_seconds_count", ()) in seen
    assert not [key for key in seen if key[0] == "intelli_queue_jobs"]


async def test_the_scraper_chooses_the_form() -> None:
    telemetry = Telemetry(version="1")
    assert (await telemetry.render()).content_type.startswith("text/plain")
    scrape = await telemetry.render("application/openmetrics-text; version=1.0.0")
    assert scrape.content_type.startswith("application/openmetrics-text")
    assert scrape.body.endswith(b"# EOF\n")


async def test_two_apps_in_one_process_share_nothing_and_touch_nothing_global() -> None:
    provider = trace.get_tracer_provider()
    one, other = Telemetry(version="1"), Telemetry(version="1", otlp_endpoint="http://127.0.0.1:9")
    one.observe_transaction(1)

    assert (await samples(other))["intelli_transaction_seconds_count", ()] == 0
    assert trace.get_tracer_provider() is provider
    await one.close()
    await other.close()


async def test_spans_arrive_at_the_collector_with_their_attributes_and_nesting(collector: Collector) -> None:
    telemetry = Telemetry(version="1.2.3", otlp_endpoint=collector.endpoint)
    with telemetry.span("outer", kind=SpanKind.SERVER, route="/x"):
        await asyncio.sleep(0)
        with telemetry.span("inner", size_bytes=7):
            pass
    await telemetry.close()
    path, resource, (inner, outer) = collector.received()

    assert path == "/v1/traces"
    assert resource == {"service.name": "intelli", "service.version": "1.2.3"}
    assert (inner.name, outer.name) == ("inner", "outer")
    assert inner.parent_span_id == outer.span_id
    assert {pair.key: pair.value.int_value for pair in inner.attributes} == {"size_bytes": 7}
    assert outer.kind == Span.SPAN_KIND_SERVER


async def test_a_span_continues_the_trace_of_the_caller(collector: Collector) -> None:
    telemetry = Telemetry(version="1", otlp_endpoint=f"{collector.endpoint}/v1/traces")
    with telemetry.span("request", parent=telemetry.incoming({"traceparent": f"00-{TRACE_ID}-{PARENT_ID}-01"})):
        pass
    await telemetry.close()
    path, _, (span,) = collector.received()

    assert path == "/v1/traces"
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE_ID, PARENT_ID)


@pytest.mark.parametrize("header", ["", "nonsense", "00-0-0-01", f"ff-{TRACE_ID}-{PARENT_ID}-01"])
async def test_a_header_that_is_no_trace_begins_a_new_one(collector: Collector, header: str) -> None:
    telemetry = Telemetry(version="1", otlp_endpoint=collector.endpoint)
    with telemetry.span("request", parent=telemetry.incoming({"traceparent": header})):
        pass
    await telemetry.close()
    _, _, (span,) = collector.received()
    assert span.parent_span_id == b""


async def test_a_failed_span_tells_the_type_of_the_error_and_not_its_message(collector: Collector) -> None:
    telemetry = Telemetry(version="1", otlp_endpoint=collector.endpoint)
    with pytest.raises(ValueError, match="hunter2"), telemetry.span("work"):
        raise ValueError("hunter2")
    await telemetry.close()
    _, _, (span,) = collector.received()

    assert span.status.message == "ValueError"
    assert "hunter2" not in str(span)


async def test_a_collector_that_does_not_answer_holds_the_shutdown_only_so_long(collector: Collector) -> None:
    collector.may_answer.clear()
    telemetry = Telemetry(version="1", otlp_endpoint=collector.endpoint)
    with telemetry.span("work"):
        pass
    began = time.monotonic()
    await telemetry.close(timeout_s=0.2)
    assert time.monotonic() - began < 3


async def test_without_an_endpoint_spans_cost_nothing_and_pass_the_trace_on() -> None:
    telemetry = Telemetry(version="1")
    parent = telemetry.incoming({"traceparent": f"00-{TRACE_ID}-{PARENT_ID}-01"})
    with telemetry.span("work", parent=parent) as span:
        assert not span.is_recording()
        assert f"{span.get_span_context().trace_id:032x}" == TRACE_ID
    await telemetry.close()
