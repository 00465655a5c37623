"""The server for AI assistants, asked by the client of the official SDK over stdio."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters

import planex

QAT, RESIDUAL = "resnet18-a100-qat", "resnet18-a100-qat-residual"
TOOLS = {
    "list_engines",
    "open_engine",
    "summary",
    "timing",
    "layers",
    "query",
    "lint",
    "explain",
    "compare",
    "draw",
}


@contextlib.asynccontextmanager
async def served(*folders: object):
    arguments = ["-P", "-m", "planex.mcp", *map(str, folders)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(server, read_timeout_seconds=60) as client:
        yield client


def asked(folders, *calls):
    """The answers to some calls: the document, and whether it is an error."""

    async def ask():
        async with served(*folders) as client:
            answers = []
            for tool, arguments in calls:
                answers.append(await client.call_tool(tool, arguments))
            return answers

    return asyncio.run(ask())


def one(folders, tool, **arguments):
    answer = asked(folders, (tool, arguments))[0]
    return answer.structured_content, bool(answer.is_error)


@pytest.fixture
def folder(tmp_path):
    """A folder to serve, with a secret engine beside it."""
    root = tmp_path / "served"
    for name in (QAT, RESIDUAL):
        shutil.copytree(pathlib.Path("examples/engines") / name, root / name)
    shutil.copytree(root / QAT, tmp_path / "secret")
    return root


ENGINES = pathlib.Path("examples/engines")


def test_every_tool_answers_with_engine_basis_and_units():
    engine = {"engine": QAT}
    calls = [
        ("list_engines", {}),
        ("open_engine", engine),
        ("summary", engine),
        ("timing", engine),
        ("layers", engine),
        ("query", engine | {"sql": "SELECT name, median_ms FROM layers"}),
        ("lint", engine),
        ("explain", engine | {"topic": "memory"}),
        ("compare", {"engines": [QAT, RESIDUAL]}),
        ("draw", engine | {"slowest": 3}),
    ]
    assert {tool for tool, _ in calls} == TOOLS
    answers = asked([ENGINES], *calls)
    for (tool, _), answer in zip(calls, answers, strict=True):
        assert not answer.is_error, (tool, answer.content)
        document = answer.structured_content
        assert document["schema"].startswith("planex.mcp"), tool
        if tool == "list_engines":
            assert len(document["engines"]) == 10
            assert document["units"]["latency_ms"] == "ms"
            continue
        about = document["engines"][0]
        assert about["engine"] == QAT
        assert about["device"] == "NVIDIA A100 80GB PCIe"
        assert about["basis"]["layer_times"] == "median"
        assert about["basis"]["steady_state"] == "steady-after-warm-up"
        if tool == "draw":
            assert answer.content[0].text.startswith("<svg")
            continue
        # What a client without structured answers reads is the same.
        assert json.loads(answer.content[0].text) == document


def test_documents_are_those_of_the_package(engine):
    answers = asked(
        [ENGINES],
        ("summary", {"engine": QAT}),
        ("timing", {"engine": QAT}),
        ("explain", {"engine": QAT, "topic": "precision"}),
    )
    for answer, document in zip(
        answers, (engine.summary(), engine.timing(), engine.explain("precision")), strict=True
    ):
        said = answer.structured_content
        assert said["document_schema"] == document["schema"]
        if not said["more"]:
            assert said["document"] == document.to_dict()


def test_options_of_verbs_are_arguments(engine, folder):
    (folder / "rules.json").write_text('{"schema": "planex.waivers/1", "waivers": []}')
    rules = {
        "without_rules": ["reformat-changes-type"],
        "severities": {"int8-conv-writes-float": "info"},
    }
    engines = {"engines": [QAT, RESIDUAL]}
    lint, waived, overview, pair, speed = asked(
        [folder],
        ("lint", {"engine": QAT} | rules),
        ("lint", {"engine": QAT, "waivers": "rules.json"}),
        ("compare", engines | {"match": "exact-shapes", "threshold": "10%"}),
        ("compare", engines | {"section": "pair", "pair": 3}),
        ("explain", {"engine": QAT, "topic": "speed", "device": "A100 80GB SXM"}),
    )
    expected = engine.lint(**rules).to_dict()
    assert lint.structured_content["document"]["counts"] == expected["counts"]
    assert expected["counts"] != engine.lint().to_dict()["counts"]
    assert waived.structured_content["document"]["counts"] == engine.lint().to_dict()["counts"]
    paths = [ENGINES / QAT, ENGINES / RESIDUAL]
    compared = planex.compare(*paths, match="exact-shapes", threshold="10%").overview.to_dict()
    said = overview.structured_content["document"]
    assert len(said["pairs"]) <= len(compared["pairs"])
    assert said["pairs"][0] == compared["pairs"][0]
    assert pair.structured_content["document_schema"] == "planex.compare/2"
    expected = engine.explain("speed", device="A100 80GB SXM").to_dict()
    assert speed.structured_content["document"]["device"] == expected["device"]


@pytest.mark.parametrize("format", ["svg", "dot", "json", "png", "pdf", "onnx"])
def test_a_drawing_is_that_of_the_package(engine, format):
    (answer,) = asked([ENGINES], ("draw", {"engine": QAT, "slowest": 3, "format": format}))
    assert not answer.is_error, answer.content
    shown = answer.content[0]
    expected = engine.draw(slowest=3, format=format, by="heat").data
    if format in ("svg", "dot", "json"):
        assert shown.text.encode() == expected
    elif format == "png":
        assert base64.b64decode(shown.data) == expected
    else:
        drawn = base64.b64decode(shown.resource.blob)
        assert drawn[:4] == expected[:4] and shown.resource.mime_type.startswith("application/")


def test_every_number_that_a_name_gives_a_unit_has_it():
    summary, _ = one([ENGINES], "summary", engine=QAT)
    assert {"median_ms": "ms", "weight_bytes": "bytes", "share": "ratio"}.items() <= summary[
        "units"
    ].items()
    assert summary["units"]["throughput_per_s"] == "per_s"
    assert "layer_id" not in summary["units"]


def test_tools_are_said_to_only_read_and_the_order_of_questions_is_told():
    async def ask():
        async with served(ENGINES) as client:
            return (await client.list_tools()).tools, client.instructions

    tools, instructions = asyncio.run(ask())
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
    steps = [instructions.index(word) for word in ("timing", "summary", "lint", "compare")]
    assert steps == sorted(steps)


# --- Pages ----------------------------------------------------------------------------------------


def test_pages_of_a_document_add_up_to_it(engine):
    async def ask():
        async with served(ENGINES) as client:
            answer = (await client.call_tool("lint", {"engine": QAT})).structured_content
            whole, waiting = answer["document"], list(answer["more"])
            pages = 1
            while waiting:
                more = waiting.pop(0)
                arguments = {"engine": QAT, "cursor": more["cursor"]}
                answer = await client.call_tool("lint", arguments)
                assert len(answer.content[0].text) < 30_000
                page = answer.structured_content["page"]
                place = whole
                for step in page["pointer"].split("/")[1:]:
                    place = place[int(step) if isinstance(place, list) else step]
                assert len(place) == page["offset"]
                place.extend(page["rows"])
                waiting += answer.structured_content["more"]
                pages += 1
            return whole, pages

    whole, pages = asyncio.run(ask())
    assert pages > 3
    assert whole == engine.lint().to_dict()


def random_value(source: random.Random, depth: int):
    kind = source.randrange(3 if depth else 1)
    if kind == 1:
        return [random_value(source, depth - 1) for _ in range(source.choice((0, 1, 2, 40)))]
    if kind == 2:
        return {f"a/~{key}": random_value(source, depth - 1) for key in range(4)}
    return source.choice((None, 1, 0.5, "text" * source.randrange(50)))


@pytest.mark.parametrize("seed", range(40))
def test_pages_of_any_document_add_up_to_it(seed):
    from planex.mcp import _pages

    expected = {"lists": random_value(random.Random(seed), 5), "more": [[1] * 3000, [[2]] * 3000]}  # noqa: S311
    whole, waiting = _pages.fitted(expected, "asked", 3000)
    assert _pages.size(whole) <= 3000
    while waiting:
        more = waiting.pop()
        page, after = _pages.page_of(expected, "asked", more["cursor"])
        assert page["pointer"] == more["pointer"]
        place = whole
        for step in page["pointer"].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            place = place[int(step) if isinstance(place, list) else step]
        assert len(place) == page["offset"] == more["shown"]
        place.extend(page["rows"])
        waiting += after
    assert whole == expected


def test_pages_of_layers_are_sorted_filtered_and_complete(engine):
    async def ask():
        async with served(ENGINES) as client:
            rows, cursor = [], None
            while True:
                arguments = {"engine": QAT, "limit": 10, "type": "Convolution", "cursor": cursor}
                answer = (await client.call_tool("layers", arguments)).structured_content
                names = [column["name"] for column in answer["document"]["columns"]]
                page = answer["document"]["rows"]
                assert len(page) <= 10
                rows += [dict(zip(names, row, strict=True)) for row in page]
                if not answer["more"]:
                    return rows, answer["units"]
                cursor = answer["more"][0]["cursor"]

    rows, units = asyncio.run(ask())
    expected = engine.sql(
        "SELECT name FROM work_layers WHERE type = 'Convolution' ORDER BY median_ms DESC"
    )
    assert [row["name"] for row in rows] == [row["name"] for row in expected]
    assert units["median_ms"] == "ms"


def test_a_cursor_is_of_one_question_and_one_state_of_the_files(folder):
    async def ask():
        async with served(folder) as client:

            async def lint(**more):
                answer = await client.call_tool("lint", {"engine": QAT} | more)
                return answer.structured_content

            cursor = (await lint())["more"][0]["cursor"]
            assert "page" in await lint(cursor=cursor)
            wrong = [await lint(cursor=text) for text in ("", "x", "!", "AAAA", cursor + "A" * 9)]
            other = await client.call_tool("lint", {"engine": RESIDUAL, "cursor": cursor})
            file = next((folder / QAT).glob("*.profile.json"))
            os.utime(file, ns=(1, 1))
            return wrong[1:], other.structured_content, await lint(cursor=cursor)

    wrong, other, after = asyncio.run(ask())
    for answer in (*wrong, other, after):
        assert answer["error"]["code"] == "usage", answer
        assert answer["error"]["hint"]


# --- Confinement ----------------------------------------------------------------------------------


def test_nothing_outside_of_the_folders_is_read(folder, tmp_path):
    secret = tmp_path / "secret"
    (folder / "link").symlink_to(secret)
    (folder / "files").mkdir()
    for file in secret.iterdir():
        (folder / "files" / file.name).symlink_to(file)
    names = [
        "../secret",
        f"{QAT}/../../secret",
        str(secret),
        f"{folder}/../secret",
        "/etc/passwd",
        "/proc/self/environ",
        "link",
        "files",
        f"files/{next(secret.glob('*.graph.json')).name}",
        "a\0b",
        "~/x",
        "%2e%2e/secret",
    ]
    calls = [("open_engine", {"engine": name}) for name in names]
    calls += [("compare", {"engines": [QAT, name]}) for name in names]
    calls += [("list_engines", {"folder": name}) for name in names[:7]]
    for (tool, arguments), answer in zip(calls, asked([folder], *calls), strict=True):
        assert answer.is_error, (tool, arguments)
        assert answer.structured_content["error"]["code"] in ("usage", "not-found", "bad-input")
        assert "A100" not in answer.content[0].text
    listed, _ = one([folder], "list_engines")
    for row in listed["engines"]:
        if row["engine_path"].startswith(("link", "files")):
            assert row["error"]
            assert row["layer_count"] is None


def test_what_lies_elsewhere_is_not_there_for_the_core(folder, tmp_path):
    """The core itself looks where each file lies that it has open, so no change of links after a
    look of ours leads it out."""
    within = [folder]
    place = folder / QAT
    profile = next(place.glob("*.profile.json"))
    whole = planex.open(place, within=within)
    assert len(whole.layers) == 37
    with pytest.raises(planex.NotFoundError):
        planex.open(tmp_path / "secret", within=within)
    with pytest.raises(planex.NotFoundError):
        planex.open(place, profile=tmp_path / "secret" / profile.name, within=within)
    profile.unlink()
    profile.symlink_to(tmp_path / "secret" / profile.name)
    timed = "SELECT count(median_ms) AS n FROM layers"
    assert planex.open(place, within=within).sql(timed).to_pylist() == [{"n": 0}]
    both = planex.open(place, within=[folder, tmp_path / "secret"])
    assert both.sql(timed).to_pylist()[0]["n"] > 30
    assert [row.layer_count for row in planex.find(folder, within=within)] == [35, 25]
    with pytest.raises(planex.NotFoundError):
        planex.find(tmp_path / "secret", within=within)
    with pytest.raises(planex.NotFoundError):
        planex.open(place, within=[tmp_path / "no-such"])
    # Several together keep what each may read; a report reads files again.
    compared = planex.compare(planex.open(place, within=within), whole)
    assert "resnet" in compared.report().html


def test_a_link_within_the_folders_is_followed(folder):
    (folder / "again").symlink_to(folder / QAT)
    answer, is_error = one([folder], "summary", engine="again")
    assert not is_error
    assert answer["document"]["layer_count"] == 35


def test_of_two_folders_an_engine_is_named_whole(folder, tmp_path):
    folders = [folder, tmp_path / "secret", tmp_path / "other"]
    shutil.copytree(folder / RESIDUAL, folders[2] / RESIDUAL)
    calls = [("list_engines", {}), ("summary", {"engine": RESIDUAL}), ("summary", {"engine": QAT})]
    listed, both, single = asked(folders, *calls)
    names = [row["engine_path"] for row in listed.structured_content["engines"]]
    assert len(set(names)) == 4
    assert both.structured_content["error"]["code"] == "usage"
    assert not single.is_error
    for answer in asked(folders, *(("summary", {"engine": name}) for name in names)):
        assert not answer.is_error


def test_sql_only_reads():
    refused = ["ATTACH '/etc/passwd' AS x", "DELETE FROM layers", "SELECT load_extension('x')"]
    calls = [("query", {"engine": QAT, "sql": sql}) for sql in refused]
    for answer in asked([ENGINES], *calls):
        assert answer.structured_content["error"]["code"] == "usage"


def test_a_query_without_end_is_stopped():
    from planex.mcp._server import make_server

    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    async def ask():
        async with Client(make_server([ENGINES], query_seconds=0.5)) as client:
            start = time.monotonic()
            answer = await client.call_tool("query", {"engine": QAT, "sql": endless})
            took = time.monotonic() - start
            after = await client.call_tool("query", {"engine": QAT, "sql": "SELECT 1 AS one"})
            return answer.structured_content, took, after.structured_content

    answer, took, after = asyncio.run(ask())
    assert answer["error"]["code"] == "cancelled"
    assert took < 10
    assert after["document"]["rows"] == [[1]]


# --- Damage ---------------------------------------------------------------------------------------


def test_a_damaged_engine_is_an_error_with_file_and_place(folder):
    file = next((folder / QAT).glob("*.graph.json"))
    file.write_text(file.read_text()[:5000])
    answer, is_error = one([folder], "summary", engine=QAT)
    assert is_error
    assert answer["error"]["code"] == "bad-input"
    assert answer["error"]["file"].endswith(file.name)
    assert answer["error"]["message"]
    # The others are there still.
    listed, _ = one([folder], "list_engines")
    errors = {row["engine_path"]: row["error"] for row in listed["engines"]}
    assert errors[QAT]
    assert not errors[RESIDUAL]


def test_hostile_names_are_data(folder):
    file = next((folder / QAT).glob("*.graph.json"))
    graph = json.loads(file.read_text())
    hostile = "'; DROP TABLE layers; -- \u202e\u0007</script>\n" + "x" * 1_000_000
    graph["Layers"][3]["Name"] = hostile
    file.write_text(json.dumps(graph))
    for profile in (folder / QAT).glob("*.profile.json"):
        profile.unlink()
    answers = asked(
        [folder],
        ("layers", {"engine": QAT, "name_contains": "'; DROP"}),
        ("layers", {"engine": QAT, "sort": "name; --"}),
        ("layers", {"engine": QAT, "type": "' OR 1 = 1 --"}),
        ("open_engine", {"engine": QAT}),
        ("draw", {"engine": QAT, "around": "'\";\n<"}),
        ("no_such_tool", {}),
        ("summary", {}),
    )
    found = answers[0].structured_content
    assert found["document"]["row_count"] == 1
    assert found["more"][0]["characters"] == len(hostile)
    assert answers[1].is_error
    assert answers[2].structured_content["document"]["row_count"] == 0
    assert answers[4].is_error
    assert answers[5].is_error
    assert answers[6].is_error
    for answer in answers:
        assert len(answer.content[0].text) < 60_000


# --- Resources, and how it starts -----------------------------------------------------------------


def test_the_program_finds_the_server_beside_it():
    """planex mcp of an environment that is not on the PATH."""
    program = pathlib.Path(sys.executable).parent / "planex"
    environment = dict(os.environ) | {"PATH": "/usr/bin:/bin"}
    server = StdioServerParameters(
        command=str(program), args=["mcp", str(ENGINES)], env=environment
    )

    async def ask():
        async with Client(server, read_timeout_seconds=60) as client:
            return await client.call_tool("summary", {"engine": QAT})

    assert asyncio.run(ask()).structured_content["document"]["layer_count"] == 35
    done = subprocess.run([program, "mcp", "no-such"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"there is no such folder" in done.stderr


def test_resources():
    async def ask():
        async with served(ENGINES) as client:
            templates = (await client.list_resource_templates()).resource_templates
            listed = await client.read_resource("planex://engines")
            summary = await client.read_resource(f"planex://summary/{QAT}")
            drawing = await client.read_resource(f"planex://drawing/{QAT}")
            for uri in ("planex://summary/../secret", "planex://summary//etc/passwd"):
                with pytest.raises(Exception, match=r"."):
                    await client.read_resource(uri)
            return templates, listed, summary, drawing

    templates, listed, summary, drawing = asyncio.run(ask())
    assert {one.name for one in templates} == {"summary", "drawing"}
    assert len(json.loads(listed.contents[0].text)["engines"]) == 10
    assert json.loads(summary.contents[0].text)["document"]["layer_count"] == 35
    assert drawing.contents[0].text.startswith("<svg")


def test_the_skill_names_tools_and_commands_that_there_are(tmp_path):
    text = pathlib.Path("skills/planex/SKILL.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| `planex (.+?)` \|$", text, re.MULTILINE)
    assert len(rows) >= 14
    calls = {tool.strip("`").split("(")[0] for tool, _ in rows}
    assert calls - {"–"} == TOOLS
    values = {
        "FOLDER": "examples/engines",
        "ENGINE": f"examples/engines/{QAT}",
        "OLD": f"examples/engines/{QAT}",
        "NEW": f"examples/engines/{RESIDUAL}",
        "SQL": "SELECT 1",
    }
    program = pathlib.Path(sys.executable).parent / "planex"
    for _, command in rows:
        words = [values.get(word, word) for word in command.split()]
        if words[0] == "process":  # Takes a model, and an engine to run it.
            continue
        # Kernels and the like are missing in some engines: those are no errors of usage.
        said = subprocess.run([program, *words], capture_output=True, text=True)
        assert said.returncode in (0, 1), (command, said.stderr)


def test_it_says_what_is_missing(tmp_path):
    command = [sys.executable, "-P", "-m", "planex.mcp"]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 2
    said = subprocess.run([*command, tmp_path / "none"], capture_output=True, text=True)
    assert said.returncode == 3
    assert "there is no such folder" in said.stderr
    assert planex.__version__
