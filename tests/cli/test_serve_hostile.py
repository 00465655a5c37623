"""`planex serve`: hostile clients get nothing that is not theirs, and hold nobody up."""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import shutil
import socket
import subprocess
import time
import urllib.parse

import pytest

from serving import CANARY, GRAPH, NO_ID, of, read_all, status_of

# --- Who asks ---


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "localhost", "127.0.0.1", "localhost:1",
     "0.0.0.0:{port}", "127.0.0.1.evil.example:{port}", "[::]:{port}",
     "localhost:{port}.evil.example", ""],
)  # fmt: skip
def test_other_hosts_get_nothing(serve, place, host):
    server = serve("served")
    host = host.format(port=server.port)
    for path in ("/", "/api/engines", "/report?e=" + NO_ID):
        reply = server.raw(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert status_of(reply) in (400, 421), reply[:200]
        assert b"planex.engines" not in reply


def test_our_names_are_answered(serve, place):
    server = serve("served")
    for host in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        reply = server.raw(
            f"GET /api/engines HTTP/1.1\r\nHost: {host}:{server.port}\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        assert status_of(reply) == 200, host


def test_a_request_names_one_host(serve, place):
    server = serve("served")
    own = f"Host: {server.host}\r\n"
    for head in ("GET / HTTP/1.1\r\n\r\n", f"GET / HTTP/1.1\r\n{own}{own}\r\n",
                 f"GET / HTTP/1.1\r\n{own}Host: evil.example\r\n\r\n",
                 "GET / HTTP/1.0\r\n\r\n"):  # fmt: skip
        assert status_of(server.raw(head.encode())) == 400, head


def test_pages_of_other_origins_get_nothing(serve, place):
    server = serve("served")
    (engine, *_) = server.settled(2)["engines"]
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"https://{server.host}",
                   f"http://localhost:{server.port}"):  # fmt: skip
        status, _ = server.query([engine["id"]], "select 1", Origin=origin)
        assert status == 403, origin
        status, _, _ = server.ask("GET", "/data?e=" + engine["id"], headers={"Origin": origin})
        assert status == 403, origin
    status, _ = server.query([engine["id"]], "select 1", Origin=f"http://{server.host}")
    assert status == 200
    # What a page of others embeds gets nothing; a link from there leads here.
    foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert server.ask("GET", "/data?e=" + engine["id"], headers=foreign)[0] == 403
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert server.ask("GET", "/", headers=link)[0] == 200
    assert server.ask("POST", "/api/open", b"", link)[0] == 403


def test_other_types_of_body_are_refused(serve, place):
    server = serve("served")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        for path in ("/api/open", f"/api/query?e={NO_ID}", f"/api/query.csv?e={NO_ID}"):
            assert server.ask("POST", path, b"x", {"Content-Type": kind})[0] == 415


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_other_users_of_the_machine_get_nothing(serve, place):
    def asked(server, user):
        script = (
            f"import socket; c = socket.create_connection(('127.0.0.1', {server.port}));"
            f"c.sendall(b'GET / HTTP/1.1\\r\\nHost: {server.host}\\r\\n\\r\\n');"
            "print(len(c.recv(1000)))"
        )
        result = subprocess.run(
            ["/usr/bin/python3", "-c", script],
            user=user,
            capture_output=True,
            text=True,
            check=False,
        )
        return result.stdout.strip() not in ("", "0")

    nobody = 65534
    server = serve("served")
    assert asked(server, 0) and not asked(server, nobody)
    assert asked(serve("served", "--any-user"), nobody)


def test_only_loopback_is_bound(serve, place):
    server = serve("served")
    with open("/proc/net/tcp") as table:
        lines = [line.split() for line in table.readlines()[1:]]
    port = f"{server.port:04X}"
    assert [w[1] for w in lines if w[3] == "0A" and w[1].endswith(":" + port)] == [
        f"0100007F:{port}"
    ]


# --- What is outside ---


ESCAPES = [
    "/../outside/secret.txt", "/..%2foutside%2fsecret.txt", "/%2e%2e/outside/secret.txt",
    "/%2e%2e%2foutside%2fsecret.txt", "/....//outside/secret.txt", "/..\\outside\\secret.txt",
    "/%252e%252e/outside/secret.txt", "//outside/secret.txt", "/etc/passwd", "//etc/passwd",
    "/%00", "/%00/etc/passwd", "/served/qat", "/report/../../outside/secret.txt", "/report/",
    "/file:///etc/passwd", "/?path=/etc/passwd", "/report?e=../outside", "/report?e=/etc/passwd",
    "/report?e=..%2Foutside%2Fsecret.graph.json", "/report?e={absolute}", "/data?e={absolute}",
    "/api/version", "/api/version?e={absolute}", "/api/version?e=" + NO_ID, "/api/version?e=..",
    "/report?path={absolute}", "/report?e=", "/report", "/data", "/api/", "/api", "/api/open/..",
    "/API/engines", "/api/engines/", "/index.html", "/favicon.ico", "/.git/config",
    "/report?e=" + NO_ID, "/report?e=" + "0" * 31 + "%30", "/report?e=" + NO_ID + "%00",
]  # fmt: skip


@pytest.mark.parametrize("escape", ESCAPES)
def test_no_path_leads_out(serve, place, tmp_path, escape):
    server = serve("served")
    server.settled(2)
    target = escape.format(absolute=urllib.parse.quote(f"{tmp_path}/outside/secret.graph.json"))
    for line in (target, target.replace("%00", "\0"), target.replace("%2f", "/")):
        reply = server.raw(
            f"GET {line} HTTP/1.1\r\nHost: {server.host}\r\nConnection: close\r\n\r\n".encode()
        )
        # The index takes no query, and ignores it.
        assert status_of(reply) in ((200,) if target.startswith("/?") else (400, 404)), reply[:200]
        assert CANARY.encode() not in reply and b"root:x:" not in reply


def test_targets_that_are_no_path(serve, place):
    server = serve("served")
    for target in (f"http://{server.host}/", "http://evil.example/", "*", "index", "/a b",
                   "/\x01", "/\x7f", "/\xff", "?e=1", ""):  # fmt: skip
        reply = server.raw(
            b"GET " + target.encode("latin-1") + b" HTTP/1.1\r\nHost: "
            + server.host.encode() + b"\r\nConnection: close\r\n\r\n"
        )  # fmt: skip
        assert status_of(reply) in (400, 404), (target, reply[:100])


def test_links_that_lead_out_are_not_followed(serve, place, tmp_path):
    outside = tmp_path / "outside"
    (place / "linked").symlink_to(outside)
    (place / "one").mkdir()
    (place / "one/secret.graph.json").symlink_to(outside / "secret.graph.json")
    (place / "qat/secret.log").symlink_to(outside / "secret.txt")
    (place / "in").mkdir()
    (place / "in/x.graph.json").symlink_to(place / "qat" / GRAPH)
    (place / "loop").symlink_to(place)
    server = serve("served")
    listed = server.settled(3)
    assert sorted(e["place"] for e in listed["engines"]) == [
        "served/deep/er/mobilenet",
        "served/in",
        "served/qat",
    ]
    for engine in listed["engines"]:
        for path in ("/report", "/data"):
            assert CANARY not in server.get(f"{path}?e={engine['id']}")
        _, body = server.query([engine["id"]], "select * from layers, files")
        assert CANARY not in body
    assert CANARY not in server.get("/api/engines")


def test_an_engine_that_becomes_a_link_is_gone(serve, place, tmp_path):
    server = serve("served")
    ids = {e["place"]: e["id"] for e in server.settled(2)["engines"]}
    shutil.rmtree(place / "qat")
    (place / "qat").symlink_to(tmp_path / "outside")
    status, _, body = server.ask("GET", f"/report?e={ids['served/qat']}")
    assert status in (404, 422) and CANARY.encode() not in body
    server.settled(1)


# --- Requests that are too much ---


def test_methods(serve, place):
    server = serve("served")
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "BREW"):
        reply = server.raw(f"{method} / HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
        assert status_of(reply) == 405 or method in ("BREW",), (method, reply[:100])
        if status_of(reply) == 405:
            assert b"\r\nAllow: GET, HEAD, POST\r\n" in reply
    assert server.ask("GET", "/api/open")[0] == 405
    assert server.ask("POST", "/", b"")[0] == 405


def test_large_heads(serve, place):
    server = serve("served")
    own = f"Host: {server.host}\r\n"
    for head in (
        f"GET /{'a' * 100_000} HTTP/1.1\r\n{own}\r\n",
        f"GET / HTTP/1.1\r\n{own}X: {'a' * 100_000}\r\n\r\n",
        f"GET / HTTP/1.1\r\n{own}" + "X: a\r\n" * 10_000 + "\r\n",
        "a" * 1_000_000,
    ):
        assert status_of(server.raw(head.encode())) in (400, 431), head[:50]
    server.get("/")


def test_heads_that_are_none(serve, place):
    server = serve("served")
    for head in (b"\r\n\r\n", b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                 b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                 b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                 b"GET / HTTP/1.1\nHost: x\n\n", b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
                 b"GET / HTTP/1.1\r\n Host: x\r\n\r\n"):  # fmt: skip
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(head)
            client.shutdown(socket.SHUT_WR)
            reply = read_all(client)
        assert status_of(reply) in (None, 400, 421), (head, reply[:100])
    server.get("/")


def test_bodies(serve, place):
    server = serve("served")

    def post(length, body=b"", path="/api/open", more=""):
        return server.raw(
            f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\n{length}{more}"
            "Content-Type: application/x-planex-files\r\n\r\n".encode()
            + body
        )

    assert status_of(post("Content-Length: 1000000000000\r\n")) == 413
    assert status_of(post("Content-Length: 18446744073709551615\r\n")) == 413
    assert status_of(post("Content-Length: 18446744073709551616\r\n")) == 400
    assert status_of(post("Content-Length: -1\r\n")) == 400
    assert status_of(post("Content-Length: 1\r\nContent-Length: 2\r\n")) == 400
    assert status_of(post("")) == 411
    chunked = "Transfer-Encoding: chunked\r\n"
    assert status_of(post(chunked, b"5\r\nhello\r\n0\r\n\r\n")) == 411
    both = post(chunked + "Content-Length: 5\r\n", b"hello")
    assert status_of(both) in (400, 411)
    # All of a body that is too large, from a client that does not listen before it is through.
    assert status_of(post("Content-Length: 300000000\r\n", b"x" * 3_000_000)) == 413
    with_body = f"GET / HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 5\r\n\r\nhello"
    assert status_of(server.raw(with_body.encode())) == 400
    server.get("/")


def test_bodies_that_wait_for_a_word(serve, place):
    server = serve("served")
    head = (
        f"POST /api/open HTTP/1.1\r\nHost: {server.host}\r\nExpect: 100-continue\r\n"
        "Content-Type: application/x-planex-files\r\nConnection: close\r\nContent-Length: 3\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(head.encode())
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"cut")
        assert status_of(read_all(client)) == 422


def test_slow_clients_hold_nobody_up(serve, place):
    server = serve("served")
    (engine, *_) = server.settled(2)["engines"]
    with contextlib.ExitStack() as stack:
        slow = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            for _ in range(150)
        ]
        head = f"GET / HTTP/1.1\r\nHost: {server.host}\r\nX: ".encode()
        closed = set()
        sent = 0
        # A byte now and then, and the head never ends: until the server has had enough of all.
        while len(closed) < len(slow):
            piece = head[sent : sent + 1] or b"a"
            sent += 1
            for client in slow:
                if client in closed:
                    continue
                try:
                    client.sendall(piece)
                    client.setblocking(False)
                    if client.recv(1) == b"":
                        closed.add(client)
                except BlockingIOError:
                    client.setblocking(True)
                except ConnectionError:
                    closed.add(client)
            server.get(f"/report?e={engine['id']}")
            time.sleep(0.2)
    server.get("/")


def test_idle_clients_make_room(serve, place):
    server = serve("served")
    with contextlib.ExitStack() as stack:
        for _ in range(600):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        for _ in range(20):
            server.get("/api/engines")


def test_readers_who_do_not_read(serve, place):
    server = serve("served")
    (engine, *_) = server.settled(2)["engines"]
    request = f"GET /report?e={engine['id']} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
    with contextlib.ExitStack() as stack:
        for _ in range(100):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            client.sendall(request)
        assert "planex-data" in server.get(f"/report?e={engine['id']}")
        server.get("/api/engines")


def test_a_hundred_readers_at_once(serve, place):
    server = serve("served")
    ids = [e["id"] for e in server.settled(2)["engines"]]
    paths = ["/", "/api/engines", f"/report?e={ids[0]}", f"/report?{of(ids)}", f"/data?e={ids[1]}"]
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(lambda i: (i % 5, server.get(paths[i % 5])), range(500)))
    for which in range(5):
        assert len({body for kind, body in answers if kind == which}) == 1
        assert len([1 for kind, _ in answers if kind == which]) == 100


def test_requests_in_a_row_on_one_connection(serve, place):
    server = serve("served")
    server.settled(2)
    one = f"GET /api/engines HTTP/1.1\r\nHost: {server.host}\r\n\r\n"
    last = one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    reply = server.raw((one * 9 + last).encode())
    assert reply.count(b"HTTP/1.1 200 OK") == 10
    assert reply.count(b'"schema":"planex.engines/1"') == 10
