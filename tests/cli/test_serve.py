"""`planex serve`: what it serves, and that it follows its files."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shutil
import signal
import socket
import time
import urllib.parse
import zipfile

import pytest

from serving import CANARY, ENGINE, GRAPH, SMALL, of
from watching import processor_seconds, wait_until

# --- What is served ---


def test_the_list_has_the_figures_of_the_summaries(serve, place, planex, valid, tmp_path):
    server = serve("served")
    server.settled(2)
    listed = valid(server.get("/api/engines"), "engines")
    assert listed["places"] == ["served"]
    assert {e["place"] for e in listed["engines"]} == {"served/qat", "served/deep/er/mobilenet"}
    for engine in listed["engines"]:
        summary = planex("summary", engine["place"], "--format", "json", cwd=tmp_path)
        summary = json.loads(summary.stdout)
        for key in ("name", "producer", "producer_version", "device", "detail"):
            assert engine[key] == summary["engine"][key], key
        for key in ("layer_count", "weight_bytes", "findings"):
            assert engine[key] == summary[key], key
        end_to_end = summary["time"]["end_to_end"]
        assert engine["end_to_end_median_ms"] == (end_to_end or {}).get("median_ms")
        assert engine["layers_ms"] == summary["time"]["layers_median_ms"]
        assert engine["headline"] == (summary["conclusion"] or {}).get("headline")
        speed = planex("explain", "speed", engine["place"], "--format", "json", cwd=tmp_path)
        assert engine["reached_ratio"] == json.loads(speed.stdout)["total"]["reached"]
        assert engine["state"] == "ready" and engine["basis"] == "median"
        newest = max(p.stat().st_mtime_ns for p in (tmp_path / engine["place"]).iterdir())
        assert engine["modified_ms"] == newest // 1_000_000
        assert engine["place"] not in engine["id"]


def test_reports_are_those_of_report(serve, place, planex, tmp_path):
    server = serve("served")
    ids = {e["place"]: e["id"] for e in server.settled(2)["engines"]}
    both = [ids["served/qat"], ids["served/deep/er/mobilenet"]]
    for wanted, places in (
        (both[:1], ["served/qat"]),
        (both, ["served/qat", "served/deep/er/mobilenet"]),
    ):
        page = server.get(f"/report?{of(wanted)}")
        version = json.loads(server.get(f"/api/version?{of(wanted)}"))["version"]
        # What is said to a page that is served, and nothing else.
        for added in (
            '<meta name="planex-index" content="/">\n',
            f'<meta name="planex-version" content="{version}">\n',
            "; connect-src 'self'",
        ):
            assert page.count(added) == 1, added
            assert page.index(added) < page.index("<title>")
            page = page.replace(added, "")
        assert page == planex("report", *places, "-o", "-", cwd=tmp_path).stdout
        data = server.get(f"/data?{of(wanted)}")
        assert data == planex("report", *places, "--format", "json", "-o", "-", cwd=tmp_path).stdout


def test_headers(serve, place):
    server = serve("served")
    (engine, *_) = server.settled(2)["engines"]
    for path in ("/", f"/report?e={engine['id']}", "/data?e=x", "/api/engines", "/nowhere"):
        _, head, body = server.ask("GET", path)
        assert head["X-Content-Type-Options"] == "nosniff", path
        assert head["Cache-Control"] == "no-store"
        assert head["Referrer-Policy"] == "no-referrer"
        assert head["Cross-Origin-Resource-Policy"] == "same-origin"
        assert not [name for name in head if name.lower().startswith("access-control")]
        policy = head["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'") and "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy and "http" not in policy
        in_page = re.search(
            r'http-equiv="Content-Security-Policy" content="([^"]*)"', body.decode()
        )
        if in_page:
            assert policy == f"{in_page[1]}; frame-ancestors 'none'"
            assert "sha256-" in policy


def test_the_list_is_not_sent_twice(serve, place):
    server = serve("served")
    server.settled(2)
    _, head, body = server.ask("GET", "/api/engines")
    status, _, again = server.ask("GET", "/api/engines", headers={"If-None-Match": head["ETag"]})
    assert (status, again) == (304, b"")
    status, head, nothing = server.ask("HEAD", "/api/engines")
    assert (status, nothing) == (200, b"") and int(head["Content-Length"]) == len(body)


def test_files_archives_and_several_engines_of_a_folder(serve, tmp_path, engines):
    (tmp_path / "a").mkdir()
    for name in ("one", "two"):
        (tmp_path / f"a/{name}.graph.json").write_text(SMALL % name)
    with zipfile.ZipFile(tmp_path / "a/run.zip", "w") as archive:
        archive.write(engines / ENGINE / GRAPH, "run/x.graph.json")
    server = serve("a", cwd=tmp_path)
    places = sorted(e["place"] for e in server.settled(3)["engines"])
    assert places == ["a/one.graph.json", "a/run.zip", "a/two.graph.json"]
    of_file = serve("a/one.graph.json", "a/run.zip", cwd=tmp_path)
    listed = of_file.settled(2)["engines"]
    assert sorted(e["place"] for e in listed) == ["a/one.graph.json", "a/run.zip"]
    for engine in listed:
        assert "planex-data" in of_file.get(f"/report?e={engine['id']}")


def test_an_engine_has_the_same_address_wherever_it_is_served_from(serve, place, tmp_path):
    def address(*words, cwd):
        return {
            e["place"].split("/")[-1]: e["id"] for e in serve(*words, cwd=cwd).settled(2)["engines"]
        }

    first = address("served", cwd=tmp_path)
    assert address("served/", cwd=tmp_path) == first
    assert address(".", cwd=place) == first
    assert address(cwd=place) == first
    assert address(place, cwd="/") == first
    assert address("served", "served/qat", str(place), cwd=tmp_path) == first


def test_what_cannot_be_read_is_a_row(serve, place):
    (place / "broken").mkdir()
    (place / "broken/x.graph.json").write_text('{"Layers": [{"Name": "a", "LayerType"')
    server = serve("served")
    engines = {e["place"]: e for e in server.settled(3)["engines"]}
    broken = engines["served/broken"]
    assert broken["state"] == "failed" and "served/broken/x.graph.json" in broken["error"]
    assert engines["served/qat"]["state"] == "ready"
    message = server.get(f"/report?e={broken['id']}", status=422)
    assert "x.graph.json" in message


def test_many_folders_are_listed_as_they_are_read(serve, tmp_path):
    for i in range(1000):
        folder = tmp_path / f"runs/{i:03}"
        folder.mkdir(parents=True)
        (folder / "x.graph.json").write_text(SMALL % i)
    server = serve("runs", cwd=tmp_path)
    states = set()

    def is_done(listed):
        states.update(e["state"] for e in listed["engines"])
        return len(listed["engines"]) == 1000 and all(
            e["state"] == "ready" for e in listed["engines"]
        )

    server.until(is_done)
    assert states == {"waiting", "ready"}, "the list does not wait for the engines"


def test_runs_of_one_engine_are_a_trend(serve, tmp_path, engines):
    for i, factor in enumerate((1.0, 1.1, 0.9)):
        folder = tmp_path / f"runs/{i}"
        shutil.copytree(engines / ENGINE, folder)
        times = next(folder.glob("*.timing.json"))
        samples = json.loads(times.read_text())
        for sample in samples:
            for key in [k for k in sample if k.endswith("Ms")]:
                sample[key] = sample[key] * factor
        times.write_text(json.dumps(samples))
        for file in folder.iterdir():
            os.utime(file, (1_700_000_000 + i * 86400,) * 2)
    (trend,) = serve("runs", cwd=tmp_path).settled(3)["trends"]
    medians = [point["end_to_end_median_ms"] for point in trend]
    assert medians[1] / medians[0] == pytest.approx(1.1)
    assert [point["change_ratio"] for point in trend] == [
        None,
        pytest.approx(0.1),
        pytest.approx(0.9 / 1.1 - 1),
    ]
    assert [point["modified_ms"] for point in trend] == sorted(p["modified_ms"] for p in trend)


# --- Files that change ---


def test_changes_are_seen(serve, place, engines):
    server = serve("served")
    before = {e["place"]: e for e in server.settled(2)["engines"]}["served/qat"]
    page = server.get(f"/report?e={before['id']}")
    # Other times: the engine, and its report, are others.
    (profile,) = (place / "qat").glob("*.profile.json")
    rows = json.loads(profile.read_text())
    for row in rows:
        if "medianMs" in row:
            row["medianMs"] *= 2
    profile.write_text(json.dumps(rows))

    def is_read_again(listed):
        (now,) = [e for e in listed["engines"] if e["id"] == before["id"]]
        return now["layers_ms"] == pytest.approx(2 * before["layers_ms"])

    server.until(is_read_again)
    assert server.get(f"/report?e={before['id']}") != page
    # A new engine comes by itself, and one that is gone goes.
    shutil.copytree(engines / "resnet18-a100-fp16", place / "new")
    server.settled(3)
    shutil.rmtree(place / "qat")
    left = server.settled(2)
    assert before["id"] not in {e["id"] for e in left["engines"]}
    server.get(f"/report?e={before['id']}", status=404)


def test_what_is_half_written_is_read_when_it_is_whole(serve, tmp_path):
    (tmp_path / "runs/a").mkdir(parents=True)
    graph = tmp_path / "runs/a/x.graph.json"
    graph.write_text('{"Layers": [')
    server = serve("runs", cwd=tmp_path)
    server.until(lambda listed: [e["state"] for e in listed["engines"]] == ["failed"])
    graph.write_text(SMALL % "whole")
    server.until(lambda listed: [e["state"] for e in listed["engines"]] == ["ready"])


def test_a_report_knows_when_it_is_old(serve, place, valid):
    server = serve("served")
    ids = {e["place"]: e["id"] for e in server.settled(2)["engines"]}
    qat, other = ids["served/qat"], ids["served/deep/er/mobilenet"]

    def version(*of_ids):
        return valid(server.get(f"/api/version?{of(of_ids)}"), "page-version")

    def until(state, *of_ids, old):
        while (now := version(*of_ids))["state"] != state or now["version"] == old:
            assert server.process.poll() is None
            time.sleep(0.05)
        return now["version"]

    first = version(qat)
    assert first["state"] == "ready" and version(qat) == first
    assert f'content="{first["version"]}"' in server.get(f"/report?e={qat}")
    both, alone = version(qat, other)["version"], version(other)["version"]
    assert len({first["version"], both, alone}) == 3

    graph = place / "qat" / GRAPH
    whole = graph.read_text()
    graph.write_text(whole[:1000])
    failed = until("failed", qat, old=first["version"])
    graph.write_text(whole.replace("Convolution", "convolution"))
    second = until("ready", qat, old=failed)
    assert second != first["version"] and version(qat, other)["version"] != both
    assert f'content="{second}"' in server.get(f"/report?e={qat}"), "the next page is the new one"
    assert version(other)["version"] == alone, "another engine's report stays"
    shutil.rmtree(place / "qat")
    server.settled(1)
    valid(server.get(f"/api/version?e={qat}", status=404), "error")


# --- Dropped files ---


def test_dropped_files_open_at_once_and_are_nowhere_kept(serve, place, engines, valid, tmp_path):
    server = serve("served")
    server.settled(2)
    before = sorted(str(p) for p in tmp_path.rglob("*"))
    files = {p.name: p.read_bytes() for p in (engines / "resnet18-a100-fp32").iterdir()}
    status, opened = server.drop(files)
    assert status == 200
    (one,) = valid(json.dumps(opened), "opened")["ids"]
    assert "planex-data" in server.get(f"/report?e={one}"), "at once, before the list has it"
    listed = server.settled(3)
    (engine,) = [e for e in listed["engines"] if e["id"] == one]
    assert engine["is_dropped"] and engine["end_to_end_median_ms"]
    # What is shown of the files is of these, not of others that are called the same.
    data = json.loads(server.get(f"/data?e={one}"))
    assert data["engines"][0]["summary"]["engine"]["device"] == engine["device"]
    # Beside one of the disk.
    other = next(e for e in listed["engines"] if not e["is_dropped"])
    pair = json.loads(server.get(f"/data?{of([other['id'], one])}"))
    assert len(pair["engines"]) == 2 and pair["comparison"] is not None
    assert server.drop(files) == (200, opened), "the same files are the same engine"
    assert sorted(str(p) for p in tmp_path.rglob("*")) == before


def test_dropped_folders_and_archives(serve, tmp_path, engines):
    (tmp_path / "empty").mkdir()
    server = serve("empty", cwd=tmp_path)
    graph = (engines / ENGINE / GRAPH).read_bytes()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed_files:
        packed_files.writestr("x.graph.json", graph)
    status, opened = server.drop(
        {"a/x.graph.json": graph, "b/y.graph.json": graph, "run.zip": archive.getvalue()}
    )
    assert status == 200 and len(opened["ids"]) == 3
    assert "planex-data" in server.get(f"/report?{of(opened['ids'])}")


def test_dropped_files_that_are_no_engine(serve, place, valid):
    server = serve("served")
    status, error = server.drop({"notes.txt": b"nothing", "t.json": b"[1]"})
    assert status == 422
    assert "no layer information" in valid(json.dumps(error), "error")["message"]
    for name in ("../x.graph.json", "/etc/x.graph.json", "a/../../x", "", "a\0b", "a\nb"):
        status, error = server.drop({name: (SMALL % "a").encode()})
        assert status == 422, name
    status, _, _ = server.ask(
        "POST", "/api/open", b"cut", {"Content-Type": "application/x-planex-files"}
    )
    assert status == 422


# --- SQL ---


def test_queries_answer_as_query_does(serve, place, planex, tmp_path, valid):
    server = serve("served")
    ids = {e["place"]: e["id"] for e in server.settled(2)["engines"]}
    sql = "select name, median_ms from work_layers order by median_ms desc limit 5"
    status, body = server.query([ids["served/qat"]], sql)
    assert status == 200
    valid(body, "query")
    assert body == planex("query", "served/qat", sql, "--format", "json", cwd=tmp_path).stdout
    status, body = server.query([ids["served/qat"]], sql, "/api/query.csv")
    table = planex("query", "served/qat", sql, "--format", "csv", cwd=tmp_path).stdout
    assert body.replace("\r\n", "\n") == table
    both = list(ids.values())
    status, body = server.query(both, "select engine, count(*) from layers group by 1")
    assert status == 200 and len(json.loads(body)["rows"]) == 2


def test_queries_only_read(serve, place, tmp_path, valid):
    server = serve("served")
    (engine, *_) = server.settled(2)["engines"]
    secret = tmp_path / "outside/secret.txt"
    for sql in (
        f"attach '{tmp_path}/made.db' as x",
        "create table t (x)",
        "insert into layers (name) values ('x')",
        "update layers set name = 'x'",
        "delete from layers",
        "drop view work_layers",
        f"vacuum into '{tmp_path}/made.db'",
        f"select readfile('{secret}')",
        f"select writefile('{tmp_path}/made.txt', 'x')",
        f"select load_extension('{tmp_path}/x.so')",
        f"select * from csv('{secret}')",  # noqa: S608
        "pragma temp_store_directory = '/tmp'",
        f"pragma database_list; attach '{tmp_path}/made.db' as x",
        "begin",
        "",
        "select 1; select 2",
        "select '\0'",
    ):
        status, body = server.query([engine["id"]], sql)
        assert status == 400, sql
        assert CANARY not in body
        assert valid(body, "error")["code"] == "usage"
    assert not [p for p in tmp_path.iterdir() if p.name.startswith("made")]


def test_queries_have_limits(serve, place):
    server = serve("served")
    (engine, *_) = server.settled(2)["engines"]
    counted = "with recursive n(i) as (select 1 union all select i + 1 from n {}) select {} from n"
    status, body = server.query([engine["id"]], counted.format("where i < 30000", "i"))
    assert status == 200 and len(json.loads(body)["rows"]) == 10_001, "one more tells of more"
    sql = counted.format("where i < 30000", "i")
    status, body = server.query([engine["id"]], sql, "/api/query.csv")
    assert len(list(csv.reader(io.StringIO(body)))) == 30_001
    status, body = server.query([engine["id"]], counted.format("", "max(i)"))
    assert status == 400 and "more than 10 s" in body
    status, body = server.query([engine["id"]], "select " + "x" * (1 << 20))
    assert status == 413
    memory = "select group_concat(hex(randomblob(1000000))) from layers, layers, layers"
    status, body = server.query([engine["id"]], memory)
    assert status == 400


def test_who_leaves_ends_its_query(serve, place):
    server = serve("served")
    (engine, *_) = server.settled(2)["engines"]
    endless = (
        b"with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"
    )
    head = (
        f"POST /api/query?e={engine['id']} HTTP/1.1\r\nHost: {server.host}\r\n"
        f"Content-Type: application/sql\r\nContent-Length: {len(endless)}\r\n\r\n"
    )

    def used() -> float:
        return processor_seconds(server.process.pid)

    for _ in range(3):
        before = used()
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(head.encode() + endless)
            wait_until(lambda before=before: used() > before + 0.1, "it runs", server.process)
    before = used()
    status, body = server.query([engine["id"]], "select 1 as one")
    assert status == 200 and json.loads(body)["rows"] == [[1]]
    # Queries come in turn, and each that nobody waits for would compute for 10 s.
    assert used() - before < 5


# --- The program ---


def test_it_ends_well_whatever_goes_on(serve, place):
    for number in (signal.SIGINT, signal.SIGTERM):
        server = serve("served")
        (engine, *_) = server.settled(2)["engines"]
        endless = (
            "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"
        )
        with contextlib.ExitStack() as stack:
            for request in (
                "",
                "GET / HT",
                f"GET / HTTP/1.1\r\nHost: {server.host}\r\n\r\n",
                f"POST /api/query?e={engine['id']} HTTP/1.1\r\nHost: {server.host}\r\n"
                f"Content-Type: application/sql\r\nContent-Length: {len(endless)}\r\n\r\n{endless}",
            ):
                client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                client.sendall(request.encode())
            time.sleep(0.2)
            server.process.send_signal(number)
            assert server.process.wait() == 0
        with pytest.raises(ConnectionError):
            socket.create_connection(("127.0.0.1", server.port)).close()


def test_ports(serve, place, planex, tmp_path):
    first = serve("served")
    second = serve("served")
    assert first.port != second.port
    taken = planex("serve", "served", "--port", first.port, cwd=tmp_path, code=3)
    assert f"can't listen on 127.0.0.1:{first.port}" in taken.stderr and taken.stdout == ""
    first.process.send_signal(signal.SIGINT)
    first.process.wait()
    assert serve("served", "--port", first.port).port == first.port
    for port in ("0", "-1", "65536", "x"):
        planex("serve", "served", "--port", port, cwd=tmp_path, code=2)


def test_paths_must_be_there(planex, tmp_path):
    missing = planex("serve", "none", cwd=tmp_path, code=3)
    assert "none" in missing.stderr
    device = planex("serve", "/dev/null", cwd=tmp_path, code=2)
    assert "/dev/null" in device.stderr


@pytest.fixture
def browser(tmp_path):
    """A folder for PATH with an xdg-open that writes down what it is given."""
    folder = tmp_path / "bin"
    folder.mkdir()
    opener = folder / "xdg-open"
    opener.write_text(f'#!/bin/sh\nprintf "%s\\n" "$#" "$@" >> "{tmp_path}/opened"\nexit $FAILS\n')
    opener.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "FAILS": "0"}


def test_open_opens_the_index(serve, place, browser, tmp_path):
    server = serve("served", "--open", env=browser)
    while not (tmp_path / "opened").exists():
        time.sleep(0.05)
    server.get("/")
    assert (tmp_path / "opened").read_text() == f"1\n{server.url}\n"


def test_a_server_without_a_browser_serves(serve, place, browser, tmp_path):
    server = serve("served", "--open", env={**browser, "FAILS": "3"})
    server.get("/")
    none = serve("served", "--open", env={"PATH": str(tmp_path)})
    none.get("/")


def test_report_opens_in_the_browser(planex, engines, browser, tmp_path):
    spaces = tmp_path / "a folder; rm -rf %20 $HOME"
    spaces.mkdir()
    report = spaces / "x.html"
    planex("report", ENGINE, "--open", "-o", report, cwd=engines, env=browser)
    count, address, *rest = (tmp_path / "opened").read_text().splitlines()
    assert count == "1" and not rest
    assert urllib.parse.unquote(urllib.parse.urlparse(address).path) == str(report)
    assert ";" not in address and " " not in address and "$" not in address
    (tmp_path / "opened").unlink()

    # Without a name it is a temporary file, for its user alone.
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    env = {**browser, "TMPDIR": str(temporary)}
    result = planex("report", ENGINE, "--open", cwd=engines, env=env)
    (folder,) = temporary.iterdir()
    (page,) = folder.iterdir()
    assert result.stdout == f"{page}\n" and folder.stat().st_mode & 0o777 == 0o700
    assert page.read_text() == report.read_text()
    assert (tmp_path / "opened").read_text() == f"1\nfile://{page}\n"


def test_report_says_where_no_browser_is(planex, engines, browser, tmp_path):
    report = tmp_path / "x.html"
    failed = planex(
        "report", ENGINE, "--open", "-o", report, cwd=engines, env={**browser, "FAILS": "3"}, code=4
    )
    assert report.exists() and str(report) in failed.stderr
    planex("report", ENGINE, "--open", "-o", report, cwd=engines, env={"PATH": ""}, code=4)
    for words in (["-o", "-"], ["--format", "json", "-o", "x.json"]):
        planex("report", ENGINE, "--open", *words, cwd=engines, env=browser, code=2)
