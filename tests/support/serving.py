"""What the tests of `planex serve` share: a running server, and how to talk to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import socket
import struct
import time
import urllib.parse

ENGINE = "resnet18-a100-qat"
GRAPH = "resnet-qat.onnx.engine.graph.json"
CANARY = "canary-that-must-not-sing"
SMALL = '{"Layers": [{"Name": "%s", "LayerType": "NoOp"}]}'
NO_ID = "0" * 32


class Served:
    """A running server."""

    def __init__(self, process, url):
        self.process = process
        self.url = url
        self.port = urllib.parse.urlparse(url).port
        self.host = f"127.0.0.1:{self.port}"

    def raw(self, data: bytes) -> bytes:
        """Sends bytes as they are, and reads until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            with contextlib.suppress(ConnectionError):
                client.sendall(data)
            return read_all(client)

    def ask(self, method, path, body=None, headers=None):
        """The status, headers and body of one answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            reply = connection.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read()

    def get(self, path, headers=None, status=200):
        got, _, body = self.ask("GET", path, headers=headers)
        assert got == status, (path, got, body[:500])
        return body.decode()

    def engines(self):
        return json.loads(self.get("/api/engines"))

    def until(self, true_of):
        """Waits until something is true of the list, and returns the list."""
        while True:
            listed = self.engines()
            if true_of(listed):
                return listed
            assert self.process.poll() is None
            time.sleep(0.05)

    def settled(self, count=None):
        def is_settled(listed):
            engines = listed["engines"]
            return (
                not listed["is_searching"]
                and (count is None or len(engines) == count)
                and all(e["state"] != "waiting" and not e["is_stale"] for e in engines)
            )

        return self.until(is_settled)

    def query(self, ids, sql, path="/api/query", **headers):
        headers = {"Content-Type": "application/sql", **headers}
        status, _, body = self.ask("POST", f"{path}?{of(ids)}", sql.encode(), headers)
        return status, body.decode()

    def drop(self, files):
        headers = {"Content-Type": "application/x-planex-files"}
        status, _, body = self.ask("POST", "/api/open", packed(files), headers)
        return status, json.loads(body)


def of(ids):
    return "&".join(f"e={one}" for one in ids)


def packed(files):
    return b"".join(
        struct.pack("<IQ", len(name.encode()), len(content)) + name.encode() + content
        for name, content in files.items()
    )


def read_all(client):
    data = b""
    with contextlib.suppress(ConnectionError):
        while piece := client.recv(1 << 16):
            data += piece
    return data


def status_of(reply: bytes):
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", reply)
    return int(found[1]) if found else None
