"""Guessing passwords: the guesser is slowed down, and the owner is not locked out."""

from collections.abc import AsyncIterator, Callable

import httpx
import psycopg
import pytest
from tests.support.server import PASSWORD, Person

from intelli.identity import throttle

From = Callable[[str], httpx.AsyncClient]


@pytest.fixture
async def coming_from(address: str) -> AsyncIterator[From]:
    """Make a client that comes from another address of the loopback."""
    clients: list[httpx.AsyncClient] = []

    def new(host: str) -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(local_address=host)
        clients.append(httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60, transport=transport))
        return clients[-1]

    yield new
    for client in clients:
        await client.aclose()


async def sign_in(client: httpx.AsyncClient, email: str, password: str = PASSWORD) -> int:
    return (await client.post("/auth/login", json={"email": email, "password": password})).status_code


def exhaust(admin_url: str, name: throttle.ThrottleKey) -> None:
    """As many attempts under a name as it allows."""
    with psycopg.connect(admin_url) as connection:
        connection.execute(
            """insert into throttles (name_hash, account_hash, failures) values (%(name)s, %(account)s, %(limit)s)
               on conflict (name_hash) do update set failures = %(limit)s""",
            {"name": name.hash, "account": name.account_hash, "limit": name.limit},
        )


async def test_wrong_passwords_from_one_address_do_not_lock_the_account_for_others(owner: Person, coming_from: From):
    guesser = coming_from("127.0.0.2")
    codes = [await sign_in(guesser, owner.email, "wrong password") for _ in range(12)]
    assert codes == [401] * 10 + [429] * 2
    assert await sign_in(guesser, owner.email) == 429
    assert await sign_in(coming_from("127.0.0.3"), owner.email) == 200


async def test_an_address_that_tries_many_accounts_is_slowed_down_for_all(
    owner: Person, coming_from: From, admin_url: str
):
    exhaust(admin_url, throttle.sign_in_keys("any@example.org", "127.0.0.2", is_familiar=False)[1])
    assert await sign_in(coming_from("127.0.0.2"), owner.email) == 429
    assert await sign_in(coming_from("127.0.0.3"), owner.email) == 200


@pytest.mark.parametrize("email", ["owner@example.org", "nobody@example.org"])
async def test_guesses_at_one_account_from_many_networks_come_to_an_end(
    owner: Person, coming_from: From, admin_url: str, email: str
):
    exhaust(admin_url, throttle.sign_in_keys(email, "127.0.0.2", is_familiar=False)[-1])
    assert await sign_in(coming_from("127.0.0.4"), email, "wrong password") == 429


async def test_the_owner_signs_in_where_they_did_before_whatever_strangers_do(
    owner: Person, coming_from: From, admin_url: str
):
    at_home = coming_from("127.0.0.5")
    assert await sign_in(at_home, owner.email) == 200
    exhaust(admin_url, throttle.sign_in_keys(owner.email, "127.0.0.2", is_familiar=False)[-1])
    assert await sign_in(coming_from("127.0.0.4"), owner.email) == 429
    assert await sign_in(at_home, owner.email) == 200


async def test_who_is_signed_in_changes_the_password_whatever_strangers_do(owner: Person, coming_from: From):
    guesser = coming_from("127.0.0.2")
    for _ in range(12):
        await sign_in(guesser, owner.email, "wrong password")
    change = {"current_password": PASSWORD, "new_password": "another battery staple"}
    assert (await owner.client.post("/auth/password", json=change)).status_code == 204


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("unknown", "unknown", True),
    ],
)
def test_a_line_of_ipv6_counts_as_one_address(one: str, other: str, is_same: bool):
    assert (throttle.networks_of_host(one)[0] == throttle.networks_of_host(other)[0]) is is_same


def test_lines_of_one_ipv6_site_add_up():
    assert throttle.networks_of_host("2001:db8:1:2::1")[1] == throttle.networks_of_host("2001:db8:1:3::1")[1]
