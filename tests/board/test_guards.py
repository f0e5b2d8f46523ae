"""The page's server answers its own page alone: each row of the threats, by plain sockets."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.board import routes
from pbem.board.server import BYTES, POLICY, Server
from pbem.cli import board, local
from tests.board.serving import ask, found, post, raw, send, served, usual


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("board") / "g"
    game = found(folder)
    with local.own_keys(folder), served(game) as running:
        yield running


def test_the_page_itself_is_answered(server: Server) -> None:
    answer = post(server, "/sheet", {"game": 0})
    assert answer.status == 200 and answer.plain["player"] == "yamada"


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    assert server._http.server_address[0] == "127.0.0.1"


# -- names bent to this machine ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["localhost:{port}", "evil.example", "127.0.0.1", "127.0.0.1:{port}.evil.example", "[::1]:{port}"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_host_is_refused(server: Server, host: str, method: str) -> None:
    headers = {**usual(server, b"{}"), "Host": host.format(port=server.port)}
    assert send(server, method, "/games" if method == "POST" else "/", headers, b"{}").status == 403


def test_a_request_without_host_or_with_two_is_refused(server: Server) -> None:
    assert raw(server, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").status == 403
    one = f"Host: 127.0.0.1:{server.port}\r\n".encode()
    assert raw(server, b"GET / HTTP/1.1\r\n" + one + b"Host: evil.example\r\n\r\n").status == 403
    assert raw(server, b"GET / HTTP/1.1\r\n" + one + b"Connection: close\r\n\r\n").status == 200


def test_a_foreign_host_is_refused_before_the_body_is_read(server: Server) -> None:
    head = f"POST /games HTTP/1.1\r\nHost: evil.example\r\nContent-Length: {1 << 40}\r\n\r\n"
    assert raw(server, head.encode()).status == 403


# -- other pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        ("Origin", "", 403),
        ("Origin", "null", 403),
        ("Origin", "http://evil.example", 403),
        ("Origin", "http://localhost:{port}", 403),
        ("Origin", "https://127.0.0.1:{port}", 403),
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Sec-Fetch-Site", "same-site", 403),
        ("Sec-Fetch-Site", "none", 403),
        ("X-Pbem-Key", "", 403),
        ("X-Pbem-Key", "wrong", 403),
        ("Content-Type", "", 415),
        ("Content-Type", "text/plain", 415),
        ("Content-Type", "application/x-www-form-urlencoded", 415),
        ("Content-Type", "multipart/form-data; boundary=x", 415),
        ("Content-Type", "application/json; charset=utf-8", 415),
        ("Content-Length", "", 411),
        ("Content-Length", "-1", 411),
        ("Content-Length", "1e3", 411),
        ("Content-Length", str((1 << 20) + 1), 413),
        ("Content-Length", "9" * 400, 413),
        ("Transfer-Encoding", "chunked", 400),
        ("Content-Encoding", "gzip", 400),
    ],
)
def test_a_header_that_the_page_would_not_send_is_refused(server: Server, name: str, value: str, status: int) -> None:
    headers = {**usual(server, b"{}"), name: value.format(port=server.port)}
    assert send(server, "POST", "/games", headers, b"{}").status == status


@pytest.mark.parametrize("name", ["Content-Length", "Origin", "x-pbem-key", "Content-Type"])
def test_a_header_that_comes_twice_is_refused(server: Server, name: str) -> None:
    known = usual(server, b"{}")
    again = {**known, name.swapcase(): known[name.title()]}
    assert send(server, "POST", "/games", known, b"{}").status == 200
    assert send(server, "POST", "/games", again, b"{}").status == 400


def test_a_browser_that_does_not_say_where_it_comes_from_is_answered(server: Server) -> None:
    assert post(server, "/games", Sec_Fetch_Site="").status == 200


def test_the_key_is_long_and_another_one_at_each_start(server: Server) -> None:
    other = Server(server.hall, server.services)
    other._http.server_close()
    assert len(server.key) >= 32 and other.key != server.key


def test_no_answer_opens_the_server_to_other_pages(server: Server) -> None:
    for answer in (
        post(server, "/games"),
        send(server, "GET", "/", usual(server, b"")),
        post(server, "/games", Origin="http://x"),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "HEAD", "TRACE", "CONNECT"])
def test_other_methods_do_nothing(server: Server, method: str) -> None:
    assert send(server, method, "/games", usual(server, b"")).status == 501


def test_get_changes_nothing_and_knows_nothing(server: Server) -> None:
    for address in (*routes.ASKED, routes.RECEIVE):
        assert send(server, "GET", address, usual(server, b"")).status == 404


# -- what comes back --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", [*routes.FILES])
def test_files_of_the_page(server: Server, address: str) -> None:
    answer = send(server, "GET", address, {"Host": f"127.0.0.1:{server.port}", "Accept-Encoding": "gzip"})
    assert answer.status == 200 and answer.body
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_policy_lets_in_only_our_own(server: Server) -> None:
    assert POLICY.startswith("default-src 'none'")
    assert "unsafe" not in POLICY and "*" not in POLICY and "data:" not in POLICY
    page = send(server, "GET", "/", {"Host": f"127.0.0.1:{server.port}"}).body.decode()
    assert "<style" not in page and " style=" not in page and "onclick" not in page
    assert page.count("<script") == page.count('<script type="module" src="/')


def test_answers_carry_the_policy_too(server: Server) -> None:
    for answer in (post(server, "/games"), post(server, "/games", Origin="http://x")):
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["cache-control"] == "no-store"


# -- addresses and bodies ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["/../pbem.json", "/board.css/../../x", "/%2e%2e/x", "/map/base-x.svg", "/?x", "/index.html", "/sheet/"],
)
def test_an_address_that_is_not_in_the_table(server: Server, address: str) -> None:
    assert send(server, "GET", address, usual(server, b"")).status == 404
    assert send(server, "POST", address, usual(server, b"{}"), b"{}").status == 404


@pytest.mark.parametrize("number", [-1, 1, 10**30, True, "0", None, [0], 0.0])
def test_games_are_chosen_by_number(server: Server, number: object) -> None:
    answer = post(server, "/sheet", {"game": number})
    assert answer.status == 422 and answer.plain["problems"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 5000, b'{"game": 0, "verb": 7}'])
def test_a_body_that_is_no_request(server: Server, body: bytes) -> None:
    answer = send(server, "POST", "/step", usual(server, body), body)
    assert answer.status == 422 and "strange" in answer.plain["problems"][0]


@pytest.mark.parametrize(
    "chosen",
    [
        "x",
        [["unit"]],
        [["unit", "x", 0]],
        [["unit", "x", "1"]],
        [[1, "x", 1]],
        [["unit", "x" * 3000, 1]],
        [["u", "x", 1]] * 2001,
    ],
)
def test_picks_that_are_none(server: Server, chosen: object) -> None:
    assert "chosen" in post(server, "/step", {"game": 0, "verb": "buy", "chosen": chosen}).plain["problems"][0]


def test_bytes_go_to_receive_alone(server: Server) -> None:
    body = b"hello"
    assert send(server, "POST", "/receive", usual(server, body, BYTES), body).status == 200
    assert send(server, "POST", "/receive", usual(server, body), body).status == 415
    assert send(server, "POST", "/sheet", usual(server, body, BYTES), body).status == 415


def test_a_body_that_ends_early_does_nothing(server: Server) -> None:
    before = ask(server, "/changes")
    head = "\r\n".join(
        ["POST /take HTTP/1.1", *(f"{n}: {v}" for n, v in {**usual(server, b"{}"), "Content-Length": "900"}.items())]
    )
    with pytest.raises(IndexError):  # no answer at all
        raw(server, f"{head}\r\n\r\n".encode() + json.dumps({"game": 0, "verb": "done", "seen": ""}).encode())
    assert ask(server, "/changes") == before


# -- the way in ---------------------------------------------------------------------------------------------------------------


def test_the_key_is_in_the_fragment_and_the_door_is_for_its_owner(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    assert server.address == f"http://127.0.0.1:{server.port}/#{server.key}"
    with board._door(server) as door:
        assert stat.S_IMODE(os.stat(door).st_mode) == 0o600
        assert server.address in door.read_text()
    assert not door.exists()


def test_requests_are_not_logged(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    post(server, "/games")
    post(server, "/games", Origin="http://evil.example")
    assert capfd.readouterr() == ("", "")
