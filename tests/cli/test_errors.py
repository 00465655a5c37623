"""Exit codes and messages: wrong usage is 2, bad input is 3, and nothing partial is written."""

from __future__ import annotations

import json
import shutil

import pytest

QAT = "resnet18-a100-qat"
VERBS_OF_PLANS = ["summary", "layers", "lint", "doctor", "query", "report", "compare"]


def first_line(result):
    return result.stderr.splitlines()[0] if result.stderr else ""


def only_error(result):
    """The error is all there is: a whole sentence on the first line, nothing on stdout."""
    assert result.stdout == ""
    assert first_line(result).startswith("error: ")
    assert len(first_line(result)) > len("error: ") + 5
    assert "bug" not in result.stderr
    return result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["summaryy"], "did you mean summary?"),
        (["lints", "x"], "did you mean lint?"),
        (["frobnicate"], "no verb"),
        (["summary"], "PLAN"),
        (["layers"], "PLAN"),
        (["lint"], "PLAN"),
        (["query"], "PLAN"),
        (["compare"], "PLAN"),
        (["compare", QAT], "two or more engines"),
        (["report", "-o", "x.html"], "PLAN"),
        (["report", QAT], "-o"),
        (["process"], "MODEL"),
        (["completion"], "SHELL"),
        (["completion", "tcsh"], "tcsh"),
        (["summary", QAT, "--colour", "always"], "did you mean --color?"),
        (["summary", QAT, "--frmat=json"], "did you mean --format?"),
        (["layers", QAT, "--fliter", "1"], "did you mean --filter?"),
        (["summary", QAT, "--format", "yaml"], "yaml"),
        (["summary", QAT, "--format", "csv"], "csv"),
        (["doctor", QAT, "--format", "markdown"], "markdown"),
        (["summary", QAT, "--format"], "--format"),
        (["summary", QAT, "--width", "wide"], "wide"),
        (["summary", QAT, "--width", "-5"], "-5"),
        (["summary", QAT, "--color", "sometimes"], "sometimes"),
        (["layers", QAT, "another"], "another"),
        (["diff", QAT, QAT], "did you mean compare?"),
        (["ls"], "did you mean list?"),
        (["profile"], "did you mean process?"),
        (["list", QAT, "--sort", "latency"], "latency_ms"),
        (["version", "extra"], "extra"),
        (["lint", QAT, "--fail-on", "anything"], "anything"),
        (["layers", QAT, "--columns", "name,medain_ms"], 'did you mean "median_ms"?'),
        (["layers", QAT, "--sort", "Name!"], "Name!"),
        (["layers", QAT, "--top", "many"], "many"),
        (["layers", QAT, "--top", "-1"], '"-1" is not a whole number of 0 or more'),
        (["layers", QAT, "-o", "x.yaml"], "--format"),
        (["layers", QAT, "-o", "x.sarif"], "sarif"),
        (["export", QAT, "-o", "x.avro"], ".csv"),
        (["report", QAT, "-o", "x.pdf"], ".html"),
        (["summary", QAT, "--profile", "3"], "profile 3"),
        (["summary", QAT, QAT, "--format", "json"], "planex list"),
        (["layers", QAT, "--filter", "no_such = 1"], "no_such"),
        (["layers", QAT, "--filter", "1 = "], "--filter"),
        (["layers", QAT, "--filter", "1) or (1"], "--filter"),
        (["layers", QAT, "--filter", "1; drop table layers"], "--filter"),
        (["query", QAT, "zelect 1"], "zelect"),
        (["query", QAT, "select nothing_here from layers"], "nothing_here"),
        (["query", QAT, "select * from layer"], "layer"),
        (["query", QAT, "select 1; select 2"], "only one statement is allowed"),
        (["query", QAT, "--columns-of", "layer"], "layer"),
        (["--frobnicate"], "--frobnicate"),
    ],
)
def test_usage(planex, engines, words, said):
    result = planex(*words, cwd=engines, code=2)
    text = only_error(result)
    assert said in text
    assert len(text.splitlines()) >= 2, "it says what to do"


@pytest.fixture
def graph(engines):
    return (engines / QAT / "resnet-qat.onnx.engine.graph.json").read_bytes()


BAD_FILES = {
    "empty": lambda graph: b"",
    "blank": lambda graph: b" \n\t\n",
    "binary": lambda graph: bytes(range(256)) * 64,
    "zeros": lambda graph: b"\0" * 10_000,
    "text": lambda graph: b"hello, this is no engine\n" * 10,
    "truncated": lambda graph: graph[: len(graph) // 2],
    "cut at the last byte": lambda graph: graph.rstrip()[:-1],
    "nothing but a brace": lambda graph: b"{",
    "huge number": lambda graph: graph.replace(b"224", b"1" + b"0" * 400, 1),
    "integer over 64 bits": lambda graph: graph.replace(b"224", b"99999999999999999999", 1),
    "deep": lambda graph: b'{"Layers":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": lambda graph: b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep and open": lambda graph: b"[" * 100_000,
    "a list": lambda graph: b"[1, 2, 3]",
    "a number": lambda graph: b"12",
    "no layers": lambda graph: b"{}",
    "layers are no list": lambda graph: b'{"Layers": 3, "Bindings": []}',
    "a layer is a number": lambda graph: b'{"Layers": [{"Name": "a"}, 5], "Bindings": []}',
    "elf": lambda graph: b"\x7fELF\2\1\1" + b"\0" * 100,
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_bad_file(planex, tmp_path, graph, files_in, kind):
    bad = tmp_path / "bad.graph.json"
    content = BAD_FILES[kind](graph)
    bad.write_bytes(content)
    outcomes = set()
    for verb in VERBS_OF_PLANS:
        output = tmp_path / "out"
        words = [verb, bad, *([bad] if verb == "compare" else []), "-o", output]
        result = planex(*words, code=None)
        outcomes.add(result.returncode)
        if result.returncode == 0:
            output.unlink()
            continue
        if verb == "doctor":  # It reports on what can't be read, and says so with its exit code.
            assert result.returncode == 3
            assert "error:" in output.read_text("utf-8")
            output.unlink()
            continue
        assert result.returncode == 3, (verb, result.stderr)
        text = only_error(result)
        assert str(bad) in first_line(result)
        assert len(text) < 2_000 and len(text.splitlines()) >= 2
        assert files_in(tmp_path) == [bad], "nothing partial is written"
    # A number out of range may be one odd size in a sound file; all else can't be read.
    assert outcomes == {3} or kind in ("huge number", "integer over 64 bits"), outcomes


def test_wrong_type_in_dimensions(planex, tmp_path, graph):
    document = json.loads(graph)
    layer = document["Layers"][17]
    layer["Inputs"][0]["Dimensions"][1] = "abc"
    text = json.dumps(document, indent=1)
    bad = tmp_path / "bad.graph.json"
    bad.write_text(text)
    result = planex("summary", bad, code=3)
    only_error(result)
    assert first_line(result).startswith(f"error: {bad}: ")
    assert '"abc"' in first_line(result) and "integer" in first_line(result)
    assert "/Layers/17/Inputs/0/Dimensions/1" in result.stderr
    assert f"byte {text.index(chr(34) + 'abc')}" in result.stderr.replace("\u2009", "")
    assert layer["Name"] in result.stderr


def test_missing_paths(planex, tmp_path):
    for path in [tmp_path / "missing", tmp_path / "no" / "where.json", "./nothing.json"]:
        result = planex("summary", path, cwd=tmp_path, code=3)
        only_error(result)
        assert str(path) in first_line(result)
        result = planex(path, cwd=tmp_path, code=3)
        assert str(path) in first_line(result)
    graph = tmp_path / "a.json"
    graph.write_text('{"Layers": ["a", "b"], "Bindings": []}')
    for flag in ["--graph", "--profile", "--times", "--metadata"]:
        result = planex("summary", graph, flag, "missing.json", cwd=tmp_path, code=3)
        assert "missing.json" in first_line(result)


def test_unreadable_file(planex, tmp_path):
    import os

    path = tmp_path / "a.json"
    path.write_text("{}")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root reads everything")
    result = planex("summary", path, code=3)
    assert str(path) in first_line(result)


def test_odd_kinds_of_files(planex, tmp_path):
    import os

    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    for path in [loop, "/dev/null"]:
        result = planex("summary", path, code=3, timeout=20)
        only_error(result)
        assert str(path) in first_line(result)
    # In a folder only files are looked at: a pipe would be waited for.
    os.mkfifo(tmp_path / "fifo.graph.json")
    planex("summary", tmp_path, code=3, timeout=20)


def test_pipe(planex_bin, engines):
    import subprocess

    command = 'exec "$0" summary <(cat "$1"/*.graph.json) --format json'
    result = subprocess.run(
        ["bash", "-c", command, planex_bin, engines / QAT], capture_output=True, check=True
    )
    assert json.loads(result.stdout)["layer_count"] == 35


def test_folder_without_engine(planex, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    result = planex("summary", empty, code=3)
    assert str(empty) in first_line(result) and only_error(result)
    (empty / "readme.txt").write_text("text")
    (empty / "deeper").mkdir()
    result = planex("summary", empty, code=3)
    assert str(empty) in first_line(result)
    assert "trtexec" in result.stderr or "planex process" in result.stderr


def test_folder_with_several_engines(planex, engines, tmp_path):
    for name in ["one", "two"]:
        source = engines / QAT / "resnet-qat.onnx.engine.graph.json"
        shutil.copy(source, tmp_path / f"{name}.graph.json")
    result = planex("summary", tmp_path, code=2)
    text = only_error(result)
    assert "one" in text and "two" in text, "it names what to choose from"
    planex("summary", tmp_path / "one.graph.json")
    planex("summary", tmp_path / "two")
    text = planex(tmp_path).stdout
    assert text == planex("list", tmp_path).stdout
    assert "one.graph.json" in text and "two.graph.json" in text
    planex("doctor", tmp_path, code=3)


def test_profile_of_another_engine(planex, engines):
    graph = next((engines / QAT).glob("*.graph.json"))
    other = next((engines / "mobilenet-titanrtx-qat").glob("*profile.json"))
    result = planex("summary", graph, "--profile", other, code=3)
    assert "the profile belongs to another engine: 1 of its 73 rows" in first_line(result)


def test_files_of_other_tools(planex, tmp_path):
    engine = tmp_path / "net.engine"
    engine.write_bytes(b"ftrt\1\0\0\0" + bytes(100))
    result = planex(engine, code=3)
    assert "TensorRT engine" in first_line(result)
    assert f"trtexec --loadEngine={engine}" in result.stderr
    assert "TensorRT engine" in planex("summary", tmp_path, code=3).stderr


def test_format_follows_the_ending(planex, engines, tmp_path):
    for ending, start in [("json", "{"), ("csv", "layer_id,"), ("md", "|"), ("txt", "layer id")]:
        path = tmp_path / f"layers.{ending}"
        planex("layers", engines / QAT, "-o", path)
        assert path.read_text("utf-8").startswith(start), ending
    planex("layers", engines / QAT, "-o", tmp_path / "odd.ending", "--format", "csv")
    planex("report", engines / QAT, "-o", tmp_path / "data.json")
    assert (tmp_path / "data.json").read_text("utf-8").startswith("{")


def test_several_engines(planex, engines):
    names = [QAT, "resnet18-a100-fp32"]
    each = [planex("summary", name, cwd=engines).stdout for name in names]
    assert planex("summary", *names, cwd=engines).stdout == "\n".join(each)
    each = [planex("lint", name, cwd=engines).stdout for name in names]
    result = planex("lint", *names, "--fail-on", "warning", cwd=engines, code=1)
    assert result.stdout == "\n".join(each)


def test_one_bad_engine_of_several(planex, engines, tmp_path, files_in):
    result = planex("compare", engines / QAT, tmp_path, code=3)
    assert str(tmp_path) in first_line(only_error(result) and result)
    planex("report", engines / QAT, tmp_path, "-o", tmp_path / "r.html", code=3)
    assert files_in(tmp_path) == []


def test_bad_siblings(planex, tmp_path, graph):
    """A damaged profile is an error, not a silent lack of times."""
    (tmp_path / "x.graph.json").write_bytes(graph)
    (tmp_path / "x.profile.json").write_bytes(b'[{"count": 5}, {"name": "a", "averageMs": "fast"}]')
    result = planex("summary", tmp_path, code=None)
    assert result.returncode == 3 or "odd" in result.stdout
    assert "x.profile.json" in result.stderr + planex("doctor", tmp_path, code=None).stdout


@pytest.mark.parametrize(
    ("engine", "level", "code"),
    [
        (QAT, "never", 0),
        (QAT, "error", 0),
        (QAT, "warning", 1),
        (QAT, "info", 1),
        ("resnet18-a100-qat-residual-qgap", "warning", 0),
        ("resnet18-a100-qat-residual-qgap", "info", 1),
    ],
)
def test_fail_on(planex, engines, tmp_path, engine, level, code):
    counts = json.loads(planex("lint", engine, "--format", "json", cwd=engines).stdout)["counts"]
    failing = {
        "never": 0,
        "error": counts["error"],
        "warning": counts["error"] + counts["warning"],
        "info": sum(counts.values()),
    }[level]
    assert (failing > 0) == (code == 1), "the case still fits the engine"
    result = planex("lint", engine, "--fail-on", level, cwd=engines, code=code)
    assert result.stderr == "" and result.stdout == planex("lint", engine, cwd=engines).stdout
    # The findings are written, whatever the exit code.
    planex("lint", engine, "--fail-on", level, "-o", tmp_path / "f", cwd=engines, code=code)
    assert (tmp_path / "f").read_text("utf-8") == result.stdout


def test_names_cannot_be_taken_for_flags(planex, engines, tmp_path):
    shutil.copytree(engines / QAT, tmp_path / "--format")
    planex("summary", "./--format", cwd=tmp_path)
    planex("summary", "--", "--format", cwd=tmp_path)


def test_odd_paths(planex, engines, tmp_path):
    for name in ["with space", "ünïcödé 模型", "quote'\"$(x)", "semi;colon", "new\nline"]:
        shutil.copytree(engines / QAT, tmp_path / name)
        result = planex(tmp_path / name)
        assert "35 layers" in result.stdout
        planex("report", tmp_path / name, "-o", tmp_path / name / "page.html")
        assert (tmp_path / name / "page.html").stat().st_size > 1000


def test_same_from_anywhere(planex, planex_bin, engines, tmp_path):
    import subprocess

    here = planex("summary", engines / QAT, "--format", "json").stdout
    assert planex("summary", QAT, "--format", "json", cwd=engines).stdout == here
    bare = subprocess.run(
        ["env", "-i", str(planex_bin), "summary", str(engines / QAT), "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    assert bare.returncode == 0 and bare.stdout == here
    turkish = planex("summary", engines / QAT, "--format", "json", env={"LC_ALL": "de_DE.UTF-8"})
    assert turkish.stdout == here


def test_message_shows_no_escape_codes(planex, tmp_path):
    name = "evil\x1b[31m\x07name.json"
    result = planex("summary", tmp_path / name, code=3)
    assert "\x1b" not in result.stderr and "\x07" not in result.stderr
    (tmp_path / name).write_text('{"Layers": [{"Name": "\\u001b[2J", "Inputs": 5}]}')
    result = planex("summary", tmp_path / name, code=None)
    assert "\x1b" not in result.stderr + result.stdout
