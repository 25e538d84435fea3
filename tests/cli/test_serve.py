"""`intelli serve` and `intelli worker` as processes: one server a directory, clear refusals, an orderly end."""

import json
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest
from tests.cli.conftest import OWNER
from tests.cli.process import PROGRAM, Process, environment, intelli, postmaster_pid, running, serving, until
from tests.support.installation import Install
from tests.support.server import PASSWORD

from intelli.kit.postgres import EmbeddedPostgres


def sign_in(server: Process) -> httpx.Client:
    client = httpx.Client(base_url=f"{server.url}/api/v1", timeout=60)
    body = {"email": OWNER, "password": PASSWORD}
    tokens = client.post("/auth/login", json=body).raise_for_status().json()
    client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
    return client


def test_a_second_server_on_the_directory_is_told_who_serves_it(server: Process, data: Path) -> None:
    done = intelli("serve", "--port", 0, "--data", data)
    assert done.code == 1
    assert f"process {server.said['pid']}" in done.err
    assert server.url in done.err
    assert done.out == ""
    assert httpx.get(f"{server.url}/readyz", timeout=60).json()["ready"]


def test_a_port_in_use_is_told_with_the_way_out(server: Process, tmp_path: Path) -> None:
    port = server.url.rpartition(":")[2]
    done = intelli("serve", "--port", port, "--data", tmp_path / "data")
    assert done.code == 1
    assert f"127.0.0.1:{port} is in use by another program" in done.err
    assert "--port 0" in done.err
    assert not (tmp_path / "data" / "postgres").exists(), "nothing is made before the address is free"


def test_an_address_of_another_machine_is_refused_in_words(tmp_path: Path) -> None:
    done = intelli("serve", "--host", "192.0.2.1", "--port", 0, "--data", tmp_path / "data")
    assert done.code == 1
    assert "--host" in done.err
    assert "Traceback" not in done.err


def test_a_directory_that_cannot_be_made_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = intelli("serve", "--port", 0, "--data", tmp_path / "file" / "data")
    assert done.code in {1, 2}
    assert str(tmp_path / "file") in done.err
    assert "Traceback" not in done.err


def test_a_damaged_cluster_is_told_with_the_words_of_postgresql(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with EmbeddedPostgres(data / "postgres"):
        pass
    (data / "postgres" / "pgdata" / "global" / "pg_control").write_bytes(b"junk")
    done = intelli("serve", "--port", 0, "--data", data, env={"INTELLI_POSTGRES_VERSION": "18"})
    assert done.code == 75
    assert "PostgreSQL did not start" in done.err
    assert "Traceback" not in done.err


def test_a_very_long_path_is_no_obstacle(tmp_path: Path) -> None:
    data = tmp_path / ("long" * 20) / ("longer" * 20)
    data.parent.mkdir(parents=True)
    with serving(data) as server:
        assert httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200


def test_an_external_database_that_was_not_prepared_is_refused_with_the_command_that_does(
    server: Process, data: Path, tmp_path: Path
) -> None:
    with psycopg.connect(embedded(data).maintenance_url, autocommit=True) as connection:
        connection.execute("create database elsewhere")
    env = {"INTELLI_DATABASE_URL": elsewhere(data), "INTELLI_SECRET_KEY": "k" * 48}
    refused = intelli("serve", "--port", 0, "--data", tmp_path, env=env)
    assert refused.code == 1
    assert "run `intelli db upgrade`" in refused.err
    checked = intelli("db", "check", "--json", "--data", tmp_path, env=env)
    assert (checked.code, checked.json["pending"]) == (1, True)
    upgraded = intelli("db", "upgrade", "--json", "--data", tmp_path, env=env)
    assert upgraded.json["before"] is None
    assert intelli("db", "check", "--data", tmp_path, env=env).code == 0
    with serving(tmp_path / "data", env=env) as other:
        assert not httpx.get(f"{other.url}/api/v1/installation", timeout=60).json()["claimed"]
    back = intelli("db", "downgrade", "base", "--json", "--data", tmp_path, env=env)
    assert back.json["after"] is None


def test_a_role_that_could_pass_by_row_level_security_is_refused(server: Process, data: Path, tmp_path: Path) -> None:
    with psycopg.connect(embedded(data).maintenance_url, autocommit=True) as connection:
        connection.execute("create database unsafe")
        env = {"INTELLI_DATABASE_URL": elsewhere(data, "unsafe"), "INTELLI_SECRET_KEY": "k" * 48}
        assert intelli("db", "upgrade", "--data", tmp_path, env=env).code == 0
        connection.execute("alter role intelli_app bypassrls")
        try:
            refused = intelli("serve", "--port", 0, "--data", tmp_path / "data", env=env)
        finally:
            connection.execute("alter role intelli_app nobypassrls")
    assert refused.code == 1
    assert "alter role intelli_app nobypassrls" in refused.err


def test_an_unknown_revision_is_refused_in_words(server: Process, data: Path) -> None:
    done = intelli("db", "downgrade", "9999", "--data", data)
    assert done.code == 2
    assert "9999" in done.err
    assert "Traceback" not in done.err


def test_a_stream_that_is_open_does_not_hold_up_the_end(tmp_path: Path, install: Install) -> None:
    data = install(tmp_path / "data")
    with serving(data) as server:
        body = {"email": OWNER, "password": PASSWORD, "name": "Owner"}
        httpx.post(f"{server.url}/api/v1/auth/register", json=body, timeout=60).raise_for_status()
        client = sign_in(server)
        opened, ended = threading.Event(), threading.Event()

        def follow() -> None:
            with client.stream("GET", "/audit/stream", timeout=60) as answer:
                for _ in answer.iter_bytes():
                    opened.set()
            ended.set()

        threading.Thread(target=follow, daemon=True).start()
        assert opened.wait(60)
        postmaster = postmaster_pid(data)
        begun = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begun < 20
        assert ended.wait(20), "the stream ends as a whole answer, not as a broken one"
        assert not psutil.pid_exists(postmaster)
        client.close()


def test_ctrl_c_ends_the_server_in_order(tmp_path: Path, install: Install) -> None:
    data = install(tmp_path / "data")
    with serving(data) as server:
        assert server.stop(signal.SIGINT) == 130
    assert "Traceback" not in server.log.read_text()
    assert server.log.read_text().endswith("intelli: Stopped.\n")
    assert not (data / "postgres" / "pgdata" / "postmaster.pid").exists()
    assert (data / "serve.lock").read_text() == ""


def test_a_second_ctrl_c_does_not_wait_for_slow_clients(tmp_path: Path, install: Install) -> None:
    with serving(install(tmp_path / "data")) as server:
        host, _, port = server.url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as slow:
            slow.sendall(b"POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            until(lambda: httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200)
            server.send(signal.SIGINT)
            until(lambda: "Waiting for" in server.log.read_text() or "Shutting down" in server.log.read_text())
            assert server.stop(signal.SIGINT) == 130
        assert "timeout graceful shutdown exceeded" not in server.log.read_text()


def test_for_people_the_server_says_where_to_open_it(tmp_path: Path) -> None:
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--data", str(tmp_path / "data")],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment(),
        ) as process,
    ):
        assert process.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, (tmp_path / "log").read_text()
            said += line
        process.terminate()
    assert "Open http://127.0.0.1:" in said
    assert str(tmp_path / "data") in said
    assert "first account" in said


def test_a_worker_beside_a_server_without_one_makes_it_ready(tmp_path: Path, install: Install) -> None:
    data = install(tmp_path / "data")
    with serving(data, "--no-worker") as server:
        alone = httpx.get(f"{server.url}/readyz", timeout=60)
        assert (alone.status_code, alone.json()["checks"]["worker"]["ok"]) == (503, False)
        log = tmp_path / "worker.log"
        with running("worker", "--queues", "index,maintenance", "--concurrency", 2, "--data", data, log=log) as worker:
            assert worker.said == {
                "pid": worker.pid,
                "queues": ["index", "maintenance"],
                "concurrency": 2,
            }
            until(lambda: httpx.get(f"{server.url}/readyz", timeout=60).status_code == 200)
            assert worker.stop() == 0
        assert httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200


def test_a_worker_is_not_started_with_a_queue_that_does_not_exist(server: Process, data: Path) -> None:
    done = intelli("worker", "--queues", "indx", "--data", data)
    assert done.code == 2
    assert "worker.queues" in done.err


def test_the_claim_of_a_killed_server_does_not_stand_in_the_way(tmp_path: Path, install: Install) -> None:
    data = install(tmp_path / "data")
    with serving(data) as first:
        first.kill()
    assert json.loads((data / "serve.lock").read_text())["pid"] == first.said["pid"]
    with serving(data) as second:
        assert httpx.get(f"{second.url}/readyz", timeout=60).status_code in {200, 503}


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_the_server_listens_on_ipv6_as_well(tmp_path: Path, install: Install) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    with serving(install(tmp_path / "data"), "--host", "::1") as server:
        assert server.url.startswith("http://[::1]:")
        assert httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200


def embedded(data: Path) -> EmbeddedPostgres:
    return EmbeddedPostgres(data / "postgres")


def elsewhere(data: Path, database: str = "elsewhere") -> str:
    return embedded(data).maintenance_url.replace("/postgres?", f"/{database}?")
