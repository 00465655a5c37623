"""Tools of the server for assistants that run models: what they are made of, where they read and
write, and what they answer, asked by the client of the official SDK over stdio."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest

pytest.importorskip("mcp")

import numpy as np
from mcp import Client, StdioServerParameters

import planex

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = ROOT / "examples/engines"
MODELS = ROOT / "tests/quantize/models"
SITE = os.environ.get("PLANEX_OPENVINO_SITE")
TINY = os.environ.get("PLANEX_TINY_MODEL", "")
PROGRAM = pathlib.Path(sys.executable).parent / "planex"

OF_ENGINES = ("summary", "timing", "lint", "explain", "compare", "draw")
OF_MODELS = ("optimize", "quantize", "accuracy", "advise", "clean")
# What the server adds to the verb's own.
OWN = {verb: {"engine", "cursor"} for verb in OF_ENGINES} | {verb: {"cursor"} for verb in OF_MODELS}
OWN |= {"compare": {"engines", "cursor"}, "draw": {"engine"}}
# Who chooses a program can run anything.
STARTING = {"metric", "flag", "program", "python", "launcher"}
# The server itself says that nothing is measured.
DECIDED = {("explain", "may-measure")}

needs_model = pytest.mark.skipif(not TINY, reason="no model was made for the tests")
needs_openvino = pytest.mark.skipif(SITE is None, reason="OpenVINO is not here")
SHORT = {"try": ["options"], "seed": 3}


@contextlib.asynccontextmanager
async def served(*words: object):
    environment = dict(os.environ) | ({"PYTHONPATH": SITE} if SITE else {})
    server = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "planex.mcp", *map(str, words)],
        env=environment,
    )
    async with Client(server, read_timeout_seconds=240) as client:
        yield client


def asked(words, *calls, progress=None):
    """The answers to some calls; `progress` is that of the first."""

    async def ask():
        async with served(*words) as client:
            (tool, given), *others = calls
            first = await client.call_tool(tool, given, progress_callback=progress)
            return [first] + [await client.call_tool(tool, given) for tool, given in others]

    return asyncio.run(ask())


def document_of(answer):
    assert not answer.is_error, answer.content
    return answer.structured_content


def error_of(answer):
    assert answer.is_error, answer.content
    return answer.structured_content["error"]


@pytest.fixture
def place(tmp_path):
    """Served models, a folder for results beside them, and a secret that nobody serves."""
    models = tmp_path / "models"
    (models / "graphs").mkdir(parents=True)
    shutil.copy(MODELS / "resnet18-residual.onnx", models / "graphs/no-weights.onnx")
    if TINY:
        shutil.copy(TINY, models / "graphs/small.onnx")
        shutil.copy(TINY, models / "tiny.onnx")
    draw = np.random.default_rng(3)
    np.savez(models / "samples.npz", input=draw.random((12, 3, 8, 8), "float32"))
    shutil.copy(MODELS / "resnet18-naive.onnx", tmp_path / "secret.onnx")
    return tmp_path


def words(place: pathlib.Path, *more: str) -> list[str]:
    return [str(place / "models"), "--write", str(place / "results"), *more]


# --- What tools are made of -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def told():
    said = subprocess.run([PROGRAM, "schema", "--verbs"], capture_output=True, check=True)
    return json.loads(said.stdout)


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")

    async def ask():
        async with served(ENGINES, "--write", folder) as client:
            return (await client.list_tools()).tools, client.instructions

    listed, instructions = asyncio.run(ask())
    return {tool.name: tool for tool in listed}, instructions


def name_of(option) -> str:
    return (option["python"] or option["name"].replace("-", "_")).removeprefix("!")


@pytest.mark.parametrize("verb", [*OF_ENGINES, *OF_MODELS])
def test_a_tool_has_the_options_of_its_verb_and_no_others(told, tools, verb):
    (said,) = (one for one in told["verbs"] if one["name"] == verb)
    topics = {one["name"] for one in told["topics"]}
    expected = {
        name_of(one): one
        for one in said["options"]
        if not one["for_people"]
        and (one["topic"] is None or one["topic"] in topics)
        and one["name"] not in STARTING
        and (verb, one["name"]) not in DECIDED
    }
    assert {one["name"] for one in said["options"] if one["starts"]} <= STARTING
    tool = tools[0][verb]
    schema = tool.input_schema
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(expected) | OWN[verb]
    # The words about explain are those about its topics.
    first = said["summary"].split(":")[0]
    assert tool.description.startswith(first)
    for name, option in expected.items():
        one = schema["properties"][name]
        # Names of options are names of arguments there.
        assert (
            re.sub(r"\W+", "", option["help"].split("--")[0]).lower()[:20]
            in re.sub(r"\W+", "", one["description"]).lower()
        )
        accepted = topics if (verb, name) == ("explain", "topic") else option["words"]
        for word in accepted:
            assert json.dumps(word) in json.dumps(one), (verb, name)
        assert (name in schema.get("required", [])) == (
            option["is_required"] or (verb, name) == ("explain", "topic")
        )
    if verb == "explain":
        assert all(one["summary"] in tool.description for one in told["topics"])


def test_defaults_are_those_of_the_verb_but_for_a_shorter_budget(told, tools):
    (said,) = (one for one in told["verbs"] if one["name"] == "optimize")
    initial = {name_of(one): one["initial"] for one in said["options"]}
    schema = tools[0]["optimize"].input_schema["properties"]
    assert initial["budget"] == "10m" and schema["budget"]["default"] == "2m"
    for name in ("engine", "goal", "aim"):
        assert schema[name]["default"] == initial[name]
    assert schema["judge_samples"]["default"] == int(initial["judge_samples"])
    assert tools[0]["draw"].input_schema["properties"]["by"]["default"] == "heat"


def test_models_run_only_where_the_server_was_given_a_folder_for_results(tools):
    made = {*OF_MODELS, "list_models"}
    assert made <= set(tools[0])
    for name, tool in tools[0].items():
        assert tool.annotations.read_only_hint == (name not in OF_MODELS), name
    assert "list_models" in tools[1]

    async def ask():
        async with served(ENGINES) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            answer = await client.call_tool("clean", {"model": "a", "output": "b"})
            return listed, answer, client.instructions

    listed, answer, instructions = asyncio.run(ask())
    assert not made & listed
    assert answer.is_error
    assert "list_models" not in instructions


@pytest.mark.parametrize(
    ("tool", "given", "hint"),
    [
        ("summary", {"engin": "x"}, "engine"),
        ("lint", {"engine": "x", "rule": ["a"]}, "rules"),
        ("query", {"engine": "x", "statement": "SELECT 1"}, "arguments are engine, sql"),
        ("list_engines", {"path": "x"}, "arguments are folder"),
        ("optimize", {"model": "x", "output": "y", "budgets": "2m"}, "budget"),
        ("optimize", {"model": "x", "output": "y", "launcher": ["sh"]}, "arguments are"),
        ("optimize", {"model": "x", "output": "y", "flags": ["--x"]}, "arguments are"),
        ("quantize", {"model": "x", "output": "y", "metrics": ["sh"]}, ""),
        ("clean", {"model": "x", "output": "y", "cursor": "!"}, "ask again"),
    ],
)
def test_an_unknown_argument_is_an_error_with_the_nearest_name(place, tool, given, hint):
    error = error_of(asked(words(place), (tool, given))[0])
    assert error["code"] == "usage"
    assert hint in error["hint"]
    if "cursor" not in given:
        assert "has no argument" in error["message"]


# --- Where they read and write --------------------------------------------------------------------


@needs_model
def test_nothing_is_read_or_written_outside_of_the_folders(place):
    model, secret = "graphs/small.onnx", place / "secret.onnx"
    (place / "models/link.onnx").symlink_to(secret)
    (place / "models/linked").mkdir()
    (place / "models/linked/a.npy").symlink_to(secret)
    (place / "results").mkdir()
    (place / "results/out").symlink_to(place)
    before = {file: file.read_bytes() for file in place.rglob("*") if file.is_file()}
    read = [str(secret), "../secret.onnx", "link.onnx", "/etc/passwd", "a\0b"]
    written = [str(place / "new.onnx"), "../new.onnx", "out/new.onnx", "/tmp/new.onnx", ".", "a\0b"]  # noqa: S108
    calls = [("clean", {"model": one, "output": "new.onnx"}) for one in read]
    calls += [("clean", {"model": model, "output": one}) for one in written]
    # A served folder is no folder for results.
    calls += [("clean", {"model": model, "output": str(place / "models/new.onnx")})]
    quantize = {"model": model, "output": "new.onnx", "data": "samples.npz"}
    for option, value in {
        "data": f"raw:{place}",
        "judge": "linked",
        "labels": "/etc/passwd",
        "keep": ["#0", f"@{secret}"],
        "cache": str(place / "new.cache"),
        "preview": str(place / "pictures"),
    }.items():
        calls.append(("quantize", quantize | {option: value}))
    calls.append(("optimize", {"model": model, "output": str(place / "best")}))
    calls.append(("lint", {"engine": "x", "waivers": str(secret)}))
    for (tool, given), answer in zip(calls, asked(words(place), *calls), strict=True):
        error = error_of(answer)
        if given.get("model") == "link.onnx":  # Looked for among the results as well.
            assert error["code"] == "not-found"
            continue
        assert error["code"] == "usage", (tool, given, error)
        assert re.search("outside|contain|leads out", error["message"]), (tool, given, error)
    after = {file: file.read_bytes() for file in place.rglob("*") if file.is_file()}
    assert after == before


def test_an_input_is_not_written_over(place):
    results = place / "results"
    results.mkdir()
    # Nothing of it runs.
    for name in ("m.onnx", "m.float.onnx", "b/model.onnx"):
        (results / name).parent.mkdir(exist_ok=True)
        shutil.copy(MODELS / "resnet18-residual.onnx", results / name)
    given = {"reference": str(results / "m.float.onnx"), "subject": str(results / "m.onnx")}
    calls = [
        ("clean", {"model": str(results / "m.onnx"), "output": "m.onnx"}),
        ("optimize", {"model": str(results / "b/model.onnx"), "output": "b"}),
        ("accuracy", given | {"data": "samples.npz", "extract": "m.onnx"}),
        ("accuracy", given | {"data": "samples.npz", "extract": "m"}),
    ]
    for answer in asked(words(place), *calls):
        assert "written over an input" in error_of(answer)["message"]


@needs_model
def test_what_a_graph_is_cleaned_to(place):
    model = "graphs/small.onnx"
    listed, answer, again = asked(
        words(place),
        ("list_models", {}),
        ("clean", {"model": model, "output": "deep/clean.onnx"}),
        ("clean", {"model": str(place / "results/deep/clean.onnx"), "output": "again.onnx"}),
    )
    rows = document_of(listed)
    paths = [row["path"] for row in rows["models"]]
    assert str(place / "models" / model) in paths
    assert rows["samples"][0]["size_bytes"] > 0
    said = document_of(answer)
    assert said["document_schema"] == "planex.clean/1"
    assert said["written"] == {"output": str(place / "results/deep/clean.onnx")}
    by_package = planex.clean(place / "models" / model, place / "package.onnx").to_dict()
    paths = ("model", "output")
    assert {k: v for k, v in said["document"].items() if k not in paths} == {
        k: v for k, v in by_package.items() if k not in paths
    }
    written = place / "results/deep/clean.onnx"
    assert written.read_bytes() == (place / "package.onnx").read_bytes()
    assert document_of(again)["document"]["node_count"] == by_package["node_count"]


def test_a_budget_is_a_time_within_the_servers(place):
    given = {"model": "graphs/small.onnx", "output": "best"}
    calls = [("optimize", given | {"budget": text}) for text in ("61s", "2m", "1h", "x", "-1", "0")]
    for answer in asked(words(place, "--max-budget", "1m"), *calls):
        assert error_of(answer)["code"] == "usage"
    command = [sys.executable, "-P", "-m", "planex.mcp", place / "models"]
    write = ["--write", str(place / "results")]
    refused = [["--max-budget", "1m"], [*write, "--max-budget", "x"]]
    # What is served is not written over.
    refused += [["--write", str(folder)] for folder in (place, place / "models")]
    for more in refused:
        assert subprocess.run([*command, *more], capture_output=True).returncode == 2, more
    inside = [*command, "--write", place / "models/results"]
    assert subprocess.run(inside, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


# --- What they answer -----------------------------------------------------------------------------


@needs_openvino
def test_a_model_is_optimized_with_progress(place):
    seen = []

    async def progress(done, total, message):
        seen.append((done, message))

    given = {"model": "tiny.onnx", "output": "best", "budget": "20s", **SHORT}
    answer, summary, again = asked(
        words(place, "--max-budget", "1m"),
        ("optimize", given),
        ("summary", {"engine": str(place / "results/best/first")}),
        ("optimize", given),
        progress=progress,
    )
    said = document_of(answer)
    # The same call goes on, and writes the record again.
    record = json.loads((place / "results/best/optimize.json").read_text("utf-8"))
    assert document_of(again)["document"] == record
    assert said["document_schema"] == record["schema"] == "planex.optimize/1"
    assert said["more"] == []
    decided = {step["id"]: (step["state"], step["change_ratio"]) for step in record["steps"]}
    told = said["document"]["steps"]
    assert {step["id"]: (step["state"], step["change_ratio"]) for step in told} == decided
    assert record["budget_s"] == 20 and {step["kind"] for step in record["steps"]} == {"options"}
    assert said["written"] == {"output": str(place / "results/best")}
    # The engine that the other tools are asked about next.
    engine = "best" if any(step["state"] == "kept" for step in record["steps"]) else "first"
    assert pathlib.PurePath(said["engines"][0]["engine"]).name == engine
    assert said["units"]["median_ms"] == "ms"
    assert document_of(summary)["document"]["layer_count"] > 0
    assert seen and [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert any("denormals=zero" in message for _, message in seen)


@needs_openvino
def test_a_client_that_cancels_stops_the_engine_and_others_are_answered(place):
    async def ask():
        async with served(*words(place)) as client:
            begun = asyncio.Event()
            took = {}

            async def progress(done, total, message):
                begun.set()

            given = {"model": "tiny.onnx", "output": "best", "budget": "2m"}
            call = asyncio.create_task(
                client.call_tool("optimize", given, progress_callback=progress)
            )
            await asyncio.wait_for(begun.wait(), 60)
            start = time.monotonic()
            meanwhile = await client.call_tool("list_models", {})
            took["meanwhile"] = time.monotonic() - start
            is_running = not call.done()
            call.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await call
            start = time.monotonic()
            # Waits for its turn: the engine of the other one has ended.
            after = await client.call_tool(
                "clean", {"model": "graphs/small.onnx", "output": "after.onnx"}
            )
            took["after"] = time.monotonic() - start
            return meanwhile, is_running, after, took

    meanwhile, is_running, after, took = asyncio.run(ask())
    assert is_running
    assert document_of(meanwhile)["models"]
    assert document_of(after)["written"]
    assert took["meanwhile"] < 5 and took["after"] < 20, took
    record = json.loads((place / "results/best/optimize.json").read_text("utf-8"))
    assert record["is_interrupted"] is True


@needs_openvino
def test_a_server_that_ends_stops_the_engine(place):
    def line(**said):
        return json.dumps({"jsonrpc": "2.0"} | said) + "\n"

    me = {"name": "test", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": me}
    call = {"name": "optimize", "arguments": {"model": "tiny.onnx", "output": "best"}}
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "planex.mcp", *words(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=dict(os.environ) | {"PYTHONPATH": SITE},
        text=True,
    )
    server.stdin.write(line(id=1, method="initialize", params=hello))
    server.stdin.flush()
    server.stdout.readline()
    server.stdin.write(line(method="notifications/initialized"))
    server.stdin.write(line(id=2, method="tools/call", params=call))
    server.stdin.flush()
    best = place / "results/best"
    end = time.monotonic() + 60
    while not (best / "optimize.state.json").exists() and time.monotonic() < end:
        time.sleep(0.1)
    server.stdin.close()
    assert server.wait(30) == 0
    server.stdout.close()
    assert json.loads((best / "optimize.json").read_text("utf-8"))["is_interrupted"] is True


@needs_openvino
def test_what_takes_longer_than_the_server_allows_is_stopped(place):
    quantize = {"model": "tiny.onnx", "output": "int8.onnx", "data": "samples.npz"}
    accuracy = {"reference": "tiny.onnx", "subject": "tiny.onnx", "data": "samples.npz"}
    start = time.monotonic()
    for answer in asked(
        words(place, "--max-budget", "0.01s"), ("accuracy", accuracy), ("quantize", quantize)
    ):
        error = error_of(answer)
        assert error["code"] == "cancelled"
        assert "0.01 s" in error["message"] and "--max-budget" in error["hint"]
    assert time.monotonic() - start < 60
    assert not (place / "results/int8.onnx").exists()


@needs_openvino
def test_a_model_is_quantized_judged_and_advised(place):
    int8 = str(place / "results/int8.onnx")
    quantize = {"model": "tiny.onnx", "output": "int8.onnx", "data": "samples.npz", "samples": 8}
    accuracy = {"reference": "tiny.onnx", "subject": int8, "data": "samples.npz", "layers": False}
    quantized, judged, advised = asked(
        words(place),
        ("quantize", quantize | {"method": "minmax"}),
        ("accuracy", accuracy),
        ("advise", {"model": int8, "target": "openvino"}),
    )
    assert document_of(quantized)["document"]["calibration_count"] == 8
    assert document_of(judged)["document"]["simulated"][0]["sqnr_db"] > 10
    by_package = planex.advise(int8, target="openvino").to_dict()
    assert document_of(advised)["document"] == by_package


@needs_openvino
def test_pages_of_an_answer_run_nothing_again(place, monkeypatch):
    from planex.mcp import _pages, _server

    monkeypatch.syspath_prepend(SITE)
    whole_of = _pages.fitted

    def cut(document, asked, limit=2_000, at=(), first=0):
        return whole_of(document, asked, 2_000, at, first)

    monkeypatch.setattr(_pages, "fitted", cut)
    monkeypatch.chdir(place)
    given = {"model": "tiny.onnx", "output": "int8.onnx", "data": "samples.npz", "samples": 8}
    given |= {"method": "minmax"}

    async def ask():
        async with Client(_server.make_server(["models"], write="results")) as client:
            said = document_of(await client.call_tool("quantize", given))
            whole, waiting, pages = said["document"], list(said["more"]), 0
            (place / "results/int8.onnx").unlink()
            while waiting:
                more = waiting.pop(0)
                page = document_of(
                    await client.call_tool("quantize", given | {"cursor": more["cursor"]})
                )
                at = whole
                for step in page["page"]["pointer"].split("/")[1:]:
                    at = at[int(step) if isinstance(at, list) else step]
                at.extend(page["page"]["rows"])
                waiting += page["more"]
                pages += 1
            other = await client.call_tool(
                "quantize", given | {"samples": 7, "cursor": more["cursor"]}
            )
            return whole, pages, other

    whole, pages, other = asyncio.run(ask())
    assert pages > 1
    assert not (place / "results/int8.onnx").exists(), "it was written again"
    assert "no answer of this call is kept" in error_of(other)["message"]
    expected = planex.quantize(
        "models/tiny.onnx", "other.onnx", "models/samples.npz", samples=8, method="minmax"
    ).to_dict()
    assert whole["tensors"] == expected["tensors"]


@needs_openvino
def test_what_the_page_shows_works(place):
    page = (ROOT / "docs/how-to/use-from-an-assistant.md").read_text("utf-8")
    section = page.split("## Let it optimize a model")[1].split("\n## ")[0]
    call, shown = (
        json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", section, re.M | re.S)
    )
    (command,) = re.findall(r"^planex mcp (.+)$", section, re.MULTILINE)
    options = command.split()[1:]
    assert options == ["--write", "results/", "--max-budget", "5m"]
    (place / "models/resnet18.onnx").write_bytes(pathlib.Path(TINY).read_bytes())
    arguments = call["arguments"] | {"budget": "20s", "try": ["options"]}
    (answer,) = asked(words(place, *options[2:]), (call["name"], arguments))
    has_all(shown, document_of(answer), "")


def has_all(shown, said, where: str) -> None:
    """What the page shows is there, with these types."""
    for key, value in shown.items():
        assert key in said, f"{where}/{key}"
        if isinstance(value, dict):
            has_all(value, said[key], f"{where}/{key}")
        elif value is not None and said[key] is not None:
            kind = (int, float) if isinstance(value, int | float) else type(value)
            assert isinstance(said[key], kind), f"{where}/{key}"
