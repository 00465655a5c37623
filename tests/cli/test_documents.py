"""Every verb in every format on real engines: what is printed, that formats agree, -o."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import re

import pytest

FULL = [
    "resnet18-a100-qat",
    "resnet18-a100-fp32",
    "mobilenet-titanrtx-qat-trt8.2",
    "mobilenetv2-trt10.1-fp16",
    "resnet18-trt10-fp16",
    "controlnet-a10-trt8.6",
    "depth-anything-v2-rtx30-trt10",
    "alexnet-torch-tensorrt-10",
]
NAMES_ONLY = ["yolo-orin-trt8.5.2-names-only", "mnist-trt8.6.0-names-only"]
ENGINES = FULL + NAMES_ONLY

# Words after the verb, and the formats it has. PLAN and PLAN2 are engines.
VERBS = {
    "summary": (["PLAN"], ["text", "json"]),
    "list": (["PLAN"], ["text", "json", "csv", "markdown"]),
    "layers": (["PLAN"], ["text", "json", "csv", "markdown"]),
    "query": (
        ["PLAN", "select name, type, median_ms, io_bytes from layers"],
        ["text", "json", "csv", "markdown"],
    ),
    "lint": (["PLAN"], ["text", "json", "csv", "markdown", "sarif"]),
    "compare": (["PLAN", "PLAN2"], ["text", "json", "csv", "markdown", "junit"]),
    "doctor": (["PLAN"], ["text", "json"]),
    "schema": ([], ["text", "json", "csv", "markdown"]),
    "version": ([], ["text", "json"]),
}
PLAN, PLAN2 = "resnet18-a100-qat", "mobilenetv2-trt10.1-fp16"


def words_of(verb, plan=PLAN):
    return [verb, *(plan if w == "PLAN" else PLAN2 if w == "PLAN2" else w for w in VERBS[verb][0])]


def csv_rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def same(shown: str, value) -> bool:
    """A CSV cell and a JSON value."""
    if value is None:
        return shown == ""
    if isinstance(value, str):
        # Texts that a spreadsheet would run as a formula are marked with a quote.
        return shown == value or shown == "'" + value
    return (int if isinstance(value, int) else float)(shown) == value


@pytest.mark.parametrize("verb", VERBS)
def test_every_format(planex, engines, verb):
    for form in VERBS[verb][1]:
        first = planex(*words_of(verb), "--format", form, cwd=engines)
        assert first.stderr == ""
        assert first.stdout.endswith("\n")
        assert "\x1b" not in first.stdout
        again = planex(*words_of(verb), "--format", form, cwd=engines)
        assert again.stdout == first.stdout, "the same input gives the same bytes"
        if form == "text":
            assert planex(*words_of(verb), cwd=engines).stdout == first.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_output_file(planex, engines, tmp_path, files_in, verb):
    for form in VERBS[verb][1]:
        target = tmp_path / f"out.{form}"
        target.write_text("what was there before")
        result = planex(*words_of(verb), "--format", form, "-o", target, cwd=engines)
        assert result.stdout == "" and result.stderr == ""
        printed = planex(*words_of(verb), "--format", form, cwd=engines).stdout
        assert target.read_text("utf-8") == printed
    assert len(files_in(tmp_path)) == len(VERBS[verb][1]), "nothing else is left"


@pytest.mark.parametrize("verb", VERBS)
def test_output_that_cannot_be_written(planex, engines, tmp_path, files_in, verb):
    target = tmp_path / "no such folder" / "out"
    result = planex(*words_of(verb), "-o", target, cwd=engines, code=3)
    assert result.stdout == ""
    assert str(target) in result.stderr.splitlines()[0]
    folder = tmp_path / "folder"
    folder.mkdir()
    result = planex(*words_of(verb), "-o", folder, cwd=engines, code=3)
    assert result.stdout == "" and str(folder) in result.stderr.splitlines()[0]
    assert files_in(tmp_path) == []
    if os.geteuid() != 0:
        folder.chmod(0o555)
        planex(*words_of(verb), "-o", folder / "out", cwd=engines, code=3)
        assert files_in(tmp_path) == []


def test_full_disk(planex_bin, engines):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    import subprocess

    for verb in [*VERBS, "completion"]:
        words = ["completion", "bash"] if verb == "completion" else words_of(verb)
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [planex_bin, *words], cwd=engines, stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert result.returncode == 3, verb
        assert result.stderr.startswith("error:"), verb


def test_reader_that_goes_away(planex_bin, engines):
    """`planex … | head -1`: no message, no core."""
    import subprocess

    process = subprocess.Popen(
        [planex_bin, "query", PLAN, "select * from ports, (select 1 from ports limit 200)"],
        cwd=engines,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.wait(60)
    process.stderr.close()
    assert process.returncode in (-13, 141, 3)
    assert b"bug" not in said


@pytest.mark.parametrize("engine", ENGINES)
def test_summary(planex, engines, valid, engine):
    summary = valid(planex("summary", engine, "--format", "json", cwd=engines).stdout, "summary")
    text = planex(engine, cwd=engines).stdout
    assert text == planex("summary", engine, cwd=engines).stdout
    assert f"{summary['layer_count']} layer" in text or engine in NAMES_ONLY
    memory = summary["memory"]
    assert memory["weight_bytes"] == summary["weight_bytes"]
    assert memory["traffic_bytes"] == summary["activation_bytes"]
    assert (memory["peak"]["layer_id"] is None) == (memory["peak"]["layer"] is None)
    time = summary["time"]
    basis = time["share_basis"]
    if basis is not None:
        total = time[f"layers_{basis}_ms"]
        by_type = sum(group[f"{basis}_ms"] or 0 for group in summary["by_type"])
        # Records that do no work, as constants, may still take time: of Σ layers, but of no type.
        sql = f"select coalesce(sum({basis}_ms), 0) from layers where role <> 'work'"  # noqa: S608
        result = planex("query", engine, sql, "--format", "json", cwd=engines).stdout
        idle = json.loads(result)["rows"][0][0]
        assert by_type + idle == pytest.approx(total)
        shares = sum(group["share"] or 0 for group in summary["by_type"])
        assert shares == pytest.approx(by_type / total)
        assert sum(group["count"] for group in summary["by_type"]) == summary["layer_count"]
        assert sum(group["count"] for group in summary["by_precision"]) == summary["layer_count"]
        assert f"{total:.3f}" in text
        for layer in summary["top_layers"][:5]:
            assert f"{layer[f'{basis}_ms']:.3f}" in text
    if time["end_to_end"]:
        median_ms = time["end_to_end"]["median_ms"]
        assert f"{median_ms:.3f}" in text or f"{median_ms:.3g}" in text
    tops = [layer[f"{basis}_ms"] for layer in summary["top_layers"]]
    assert tops == sorted(tops, reverse=True)


@pytest.mark.parametrize("engine", ENGINES)
def test_timing(planex, engines, valid, engine):
    words = ["summary", engine, "--timing"]
    document = valid(planex(*words, "--format", "json", cwd=engines).stdout, "timing")
    summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
    text = planex(*words, cwd=engines).stdout
    assert document["end_to_end"] == summary["time"]["end_to_end"]
    conclusion = document["conclusion"]["headline"]
    assert conclusion in text or conclusion[0].lower() + conclusion[1:-1] in text
    steps = document["waterfall"]
    for before, step in itertools.pairwise(steps):
        end = step["to_ms"] if step["is_sum"] else step["from_ms"]
        assert end == pytest.approx(before["to_ms"]), step
        assert not step["is_sum"] or step["from_ms"] == 0
    state, short = document["steady_state"], summary["steady_state"]
    if state is None:
        assert short is None and re.search("No (inference times|samples of inference times)", text)
        assert document["samples"] == {"count": 0, "fields": []}
        return
    for remark in document["remarks"]:
        assert remark["text"].split()[0] in text
    end_to_end = document["samples"]["fields"][0]
    assert end_to_end["is_end_to_end"] and end_to_end["field"] == state["field"]
    of_all = {k: v for k, v in document["end_to_end"].items() if k in end_to_end["all"]}
    assert end_to_end["all"] == pytest.approx(of_all)
    trusted = {k: v for k, v in state["trusted"].items() if k in end_to_end["trusted"]}
    assert end_to_end["trusted"] == pytest.approx(trusted)
    assert short == {key: value for key, value in state.items() if key in short}
    assert state["text"] in text
    assert state["text"] in planex("summary", engine, cwd=engines).stdout
    assert sum(phase["count"] for phase in state["phases"]) == state["sample_count"]
    assert sum(level["share"] for level in state["levels"]) == pytest.approx(1)
    assert len(state["steps"]) == state["step_count"]
    trusted = [phase for phase in state["phases"] if phase["is_trusted"]]
    assert [phase["first"] for phase in trusted] == [state["trusted"]["first"]]
    assert len(state["series"]["median_ms"]) == len(state["series"]["max_ms"]) == 60


@pytest.mark.parametrize("engine", ENGINES)
def test_layers(planex, engines, valid, engine):
    document = valid(planex("layers", engine, "--format", "json", cwd=engines).stdout, "layers")
    names = [column["name"] for column in document["columns"]]
    rows = csv_rows(planex("layers", engine, "--format", "csv", cwd=engines).stdout)
    assert len(rows) == len(document["rows"])
    for row, values in zip(rows, document["rows"], strict=True):
        assert list(row) == names
        for name, value in zip(names, values, strict=True):
            assert same(row[name], value), (name, row[name], value)
    summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
    assert len(rows) == summary["layer_count"]
    text = planex("layers", engine, cwd=engines).stdout
    assert len(text.splitlines()) == 1 + len(rows)
    every = planex("layers", engine, "--all-records", "--format", "json", cwd=engines).stdout
    assert len(json.loads(every)["rows"]) == summary["record_count"]


def test_layers_options(planex, engines):
    def listed(*words):
        text = planex("layers", PLAN, *words, "--format", "json", cwd=engines).stdout
        document = json.loads(text)
        return [c["name"] for c in document["columns"]], document["rows"]

    columns, rows = listed("--columns", "name,median_ms", "--sort", "median_ms", "--top", "3")
    assert columns == ["name", "median_ms"] and len(rows) == 3
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)
    summary = json.loads(planex("summary", PLAN, "--format", "json", cwd=engines).stdout)
    assert [row[0] for row in rows] == [layer["name"] for layer in summary["top_layers"][:3]]
    _, rows = listed("--columns", "name", "--sort", "name")
    assert rows == sorted(rows)
    _, turned = listed("--columns", "name", "--sort", "name", "--reverse")
    assert turned == rows[::-1]
    _, rows = listed("--columns", "type,precision", "--filter", "type = 'Reformat' or 0")
    assert len(rows) == 12 and {row[0] for row in rows} == {"Reformat"}
    # The same question as SQL.
    sql = "select name, median_ms from work_layers where precision = 'INT8' order by layer_id"
    asked = json.loads(planex("query", PLAN, sql, "--format", "json", cwd=engines).stdout)
    _, rows = listed("--columns", "name,median_ms", "--filter", "precision = 'INT8'")
    assert rows == asked["rows"]
    # Nothing fits: an empty table, not an error.
    text = planex("layers", PLAN, "--filter", "0", cwd=engines).stdout
    assert "no rows" in text


@pytest.mark.parametrize("engine", ENGINES)
def test_lint(planex, engines, valid, engine):
    document = valid(planex("lint", engine, "--format", "json", cwd=engines).stdout, "lint")
    findings = document["findings"]
    rows = csv_rows(planex("lint", engine, "--format", "csv", cwd=engines).stdout)
    assert len(rows) == len(findings)
    for row, finding in zip(rows, findings, strict=True):
        for key, value in finding.items():
            if isinstance(value, list):
                continue  # a row has one cell for each member
            if key == "suppressed":
                value = value and value["by"]
            assert same(row[key], value), (key, row[key], value)
    for index, finding in enumerate(findings):
        if finding["folded_into"] is not None:
            cause = findings[finding["folded_into"]]
            assert index in cause["symptoms"] and cause["folded_into"] is None
    assert sum(len(f["symptoms"]) for f in findings) == document["folded_count"]
    causes = [f for f in findings if f["folded_into"] is None]
    for severity, count in document["counts"].items():
        assert count == sum(f["severity"] == severity for f in causes)
    for rule in document["rules"]:
        assert rule["count"] == sum(f["rule"] == rule["id"] for f in causes)
        assert (rule["status"] == "fired") == (rule["count"] + rule["folded_count"] > 0)
        assert rule["status"] != "skipped" or rule["reason"]
    summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
    assert summary["findings"] == document["counts"]
    text = planex("lint", engine, cwd=engines).stdout
    assert f"{document['counts']['warning']} warning" in text
    everything = planex("lint", engine, "--all", cwd=engines).stdout
    for finding in causes:
        assert " ".join(finding["message"].split()) in " ".join(everything.split())
    for rule in document["rules"]:
        shown = {
            "fired": rf"{rule['id']} +{rule['count']}( |$)",
            "silent": rf"silent: .*\b{rule['id']}\b",
            "skipped": rf"skipped, {re.escape(rule['reason'] or '')}: .*\b{rule['id']}\b",
        }[rule["status"]]
        assert re.search(rf"^  {shown}", everything, re.MULTILINE), rule
        # Without --all: what fired, and what lacks data. Other engines' rules are only counted.
        lacks_data = rule["status"] == "skipped" and not rule["reason"].endswith(" only")
        if rule["count"] > 0 or lacks_data:
            assert re.search(rf"^  {shown}", text, re.MULTILINE), rule


def test_lint_rules(planex, root, tmp_path):
    text = planex("lint", "--rules").stdout
    assert text == (root / "docs/reference/rules.md").read_text("utf-8")
    planex("lint", "--rules", "-o", tmp_path / "rules.md")
    assert (tmp_path / "rules.md").read_text("utf-8") == text


def test_compare(planex, engines, valid):
    variants = ["fp32", "fp16", "qat", "qat-residual", "qat-residual-qgap"]
    plans = [f"resnet18-a100-{variant}" for variant in variants]
    document = valid(planex("compare", *plans, "--format", "json", cwd=engines).stdout, "compare")
    assert [engine["label"] for engine in document["engines"]] == variants
    totals = {row["metric"]: row["values"] for row in document["totals"]}
    for index, plan in enumerate(plans):
        summary = json.loads(planex("summary", plan, "--format", "json", cwd=engines).stdout)
        assert totals["layer_count"][index] == summary["layer_count"]
        assert totals["layers_time_ms"][index] == summary["time"]["layers_median_ms"]
        median = summary["time"]["end_to_end"]["median_ms"]
        assert totals["end_to_end_median_ms"][index] == median
        by_type = {group["type"]: group["median_ms"] for group in summary["by_type"]}
        for row in document["by_type"]:
            assert row["median_ms"][index] == by_type.get(row["type"])
    base = totals["end_to_end_median_ms"][0]
    for ratio, median in zip(totals["speed_up_ratio"], totals["end_to_end_median_ms"], strict=True):
        assert ratio == pytest.approx(base / median)
    rows = csv_rows(planex("compare", *plans, "--format", "csv", cwd=engines).stdout)
    shown = {row["key"]: row for row in rows if row["section"] == "totals"}
    for metric, values in totals.items():
        for variant, value in zip(variants, values, strict=True):
            assert same(shown[metric][variant], value)
    text = planex("compare", *plans, cwd=engines).stdout
    for median in totals["end_to_end_median_ms"]:
        assert f"{median:.3f}" in text


def test_compare_with_itself(planex, engines):
    text = planex("compare", PLAN, PLAN, "--format", "json", cwd=engines).stdout
    document = json.loads(text)
    for row in document["totals"]:
        assert row["values"][0] == row["values"][1], row
    labels = [engine["label"] for engine in document["engines"]]
    assert len(set(labels)) == 2, "the same engine twice has two labels"


@pytest.mark.parametrize("engine", ENGINES)
def test_doctor(planex, engines, valid, engine):
    document = valid(planex("doctor", engine, "--format", "json", cwd=engines).stdout, "doctor")
    assert document["error"] is None and document["producer"]
    used = [file for file in document["files"] if file["used"]]
    assert used
    names = {os.path.basename(file["file"]) for file in document["files"]}
    assert names <= set(os.listdir(engines / engine))
    for file in document["files"]:
        assert file["size_bytes"] == os.path.getsize(engines / file["file"])
    text = planex("doctor", engine, cwd=engines).stdout
    for file in used:
        assert os.path.basename(file["file"]) in text
    for piece in document["missing"]:
        assert piece["command"] in text


def test_doctor_of_nothing(planex, engines, valid, tmp_path):
    (tmp_path / "notes.txt").write_text("nothing here")
    document = valid(planex("doctor", tmp_path, "--format", "json", code=3).stdout, "doctor")
    assert document["error"]["message"]
    planex("doctor", tmp_path, code=3)


def test_doctor_of_a_model(planex, data, valid, tmp_path):
    """Which engines are here is asked of the PATH; scripts play them."""
    model = data / "openvino-crash-conv-arity.onnx"
    words = ["doctor", model, "--format", "json"]
    bare = {"PATH": str(tmp_path)}
    document = valid(planex(*words, env=bare).stdout, "doctor")
    assert document["model"]["file"] == str(model)
    assert document["model"]["size_bytes"] == model.stat().st_size
    assert document["error"] is None and document["files"] == [] and document["missing"] == []
    engines = {engine["id"]: engine for engine in document["engines"]}
    assert list(engines) == ["openvino", "trtexec", "tensorrt", "tensorrt-rtx", "onnxruntime"]
    for engine in engines.values():
        assert (engine["install"] is None) == engine["is_installed"]
        assert model.name in engine["command"]
    assert not engines["trtexec"]["is_installed"]
    text = planex("doctor", model, env=bare).stdout
    assert "engines not installed" in text
    assert engines["onnxruntime"]["install"] in " ".join(text.split())

    trtexec = tmp_path / "trtexec"
    trtexec.write_text("#!/bin/sh\necho '&&&& RUNNING TensorRT.trtexec [TensorRT v110100] # x'\n")
    trtexec.chmod(0o755)
    document = valid(planex(*words, env=bare).stdout, "doctor")
    found = next(engine for engine in document["engines"] if engine["id"] == "trtexec")
    assert found["is_installed"] and found["detail"].startswith("11.1.0")
    assert found["command"].startswith(f"planex process {model} --engine trtexec -o ")
    text = planex("doctor", model, env=bare).stdout
    assert found["command"] in text and "installed engines" in text


def test_doctor_of_this_machine(planex, valid, tmp_path):
    document = valid(planex("doctor", "--format", "json", env={"PATH": str(tmp_path)}).stdout,
                     "doctor")  # fmt: skip
    assert document["model"] is None and document["error"] is None
    assert len(document["engines"]) == 5
    assert all(engine["install"] for engine in document["engines"] if not engine["is_installed"])
    assert "planex process MODEL.onnx" in planex("doctor").stdout


def test_names_only_is_said_first(planex, engines):
    # The named log keeps the build's log out, which has more than names.
    words = ["summary", "mnist-trt8.6.0-names-only"]
    words += ["--log", "mnist-trt8.6.0-names-only/result-04.log"]
    memory = json.loads(planex(*words, "--format", "json", cwd=engines).stdout)["memory"]
    assert [v for k, v in memory.items() if k.endswith("_bytes") and v is not None] == []
    assert memory["peak"]["bytes"] is None
    text = planex(*words, cwd=engines).stdout
    lines = [line for line in text.splitlines() if line]
    assert "names only" in lines[2]
    # What gets the rest stands behind what there is.
    at = lines.index("  to see types, tensors, precisions:")
    assert "--profilingVerbosity=detailed" in lines[at + 1]
    # Its log has a short line for each layer.
    text = planex("summary", "yolo-orin-trt8.5.2-names-only", cwd=engines).stdout
    assert "without parameters" in text.splitlines()[1]
    lines = [line for line in text.splitlines() if line]
    command = lines[lines.index("  to see parameters, weights, source operations:") + 1]
    assert "--int8" in command and "--exportLayerInfo=" in command


def test_query_tables(planex, engines, valid):
    tables = valid(planex("query", PLAN, "--format", "json", cwd=engines).stdout, "tables")
    names = [row[0] for row in tables["rows"]]
    schema = valid(planex("schema", "--format", "json").stdout, "schema")
    assert set(names) >= {table["name"] for table in schema["tables"]}
    for table in schema["tables"]:
        words = ["query", PLAN, "--columns-of", table["name"], "--format", "json"]
        columns = valid(planex(*words, cwd=engines).stdout, "columns")
        described = [row[0] for row in columns["rows"]]
        assert [c["name"] for c in table["columns"]] == [d for d in described if d != "engine"][
            : len(table["columns"])
        ] or described == [c["name"] for c in table["columns"]]
        sql = f"select count(*) from {table['name']}"  # noqa: S608
        counted = valid(planex("query", PLAN, sql, "--format", "json", cwd=engines).stdout, "query")
        assert counted["rows"][0][0] == tables["rows"][names.index(table["name"])][1]


def test_query_values(planex, engines, valid):
    sql = (
        "select 1 a, -2.5 b, null c, 'x,\"y\"' d, '=1+1' e, 'two\nlines' f, "
        "9007199254740993 g, 0.1 h, '' i"
    )
    document = valid(planex("query", PLAN, sql, "--format", "json", cwd=engines).stdout, "query")
    values = [1, -2.5, None, 'x,"y"', "=1+1", "two\nlines", 9007199254740993, 0.1, ""]
    assert document["rows"] == [values]
    result = planex("query", PLAN, sql, "--format", "csv", cwd=engines)
    row = csv_rows(result.stdout)[0]
    for name, value in zip("abcdefghi", values, strict=True):
        assert same(row[name], value), name
    assert row["g"] == "9007199254740993", "whole numbers lose no digit"


def test_query_over_several(planex, engines, valid):
    sql = "select engine, sum(median_ms) from work_layers group by engine order by 1"
    words = ["query", PLAN, PLAN2, sql, "--format", "json"]
    document = valid(planex(*words, cwd=engines).stdout, "query")
    assert len(document["rows"]) == 2
    for name, total in document["rows"]:
        plan = next(plan for plan in (PLAN, PLAN2) if name in plan)
        text = planex("summary", plan, "--format", "json", cwd=engines).stdout
        assert json.loads(text)["time"]["layers_median_ms"] == pytest.approx(total)


def test_schema_and_version(planex, valid, root):
    schema = valid(planex("schema", "--format", "json").stdout, "schema")
    rows = csv_rows(planex("schema", "--format", "csv").stdout)
    flat = [(table["name"], c["name"]) for table in schema["tables"] for c in table["columns"]]
    assert [(row["table"], row["column"]) for row in rows] == flat
    version = valid(planex("version", "--format", "json").stdout, "version")["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert planex("version").stdout == planex("--version").stdout == f"planex {version}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(planex, shell, tmp_path):
    import shutil
    import subprocess

    script = planex("completion", shell).stdout
    for verb in [*VERBS, "report", "process", "completion"]:
        assert re.search(rf"\b{verb}\b", script)
    assert "--fail-on" in script or "-l fail-on" in script
    path = tmp_path / "script"
    path.write_text(script)
    if shutil.which(shell):
        subprocess.run([shell, "-n", path], check=True)


def test_bash_completion_completes(planex, tmp_path):
    import subprocess

    (tmp_path / "script").write_text(planex("completion", "bash").stdout)

    def completed(*words):
        program = (
            'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _planex; '
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        result = subprocess.run(
            ["bash", "-c", program, "bash", tmp_path / "script", "planex", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return result.stdout.split()

    assert completed("su") == ["summary"]
    assert "--fail-on" in completed("lint", "--")
    assert completed("lint", "--fa") == ["--fail-on", "--fail-on-measurement"]
    assert completed("summary", "scr") == ["script"]


def test_files_by_name(planex, engines, tmp_path):
    """--graph and the others name files that are called something else."""
    source = engines / PLAN
    stem = "resnet-qat.onnx.engine"
    for kind, name in [("graph", "a.json"), ("profile", "b.json"), ("timing", "c.json")]:
        (tmp_path / name).write_bytes((source / f"{stem}.{kind}.json").read_bytes())
    text = planex(
        *["summary", "a.json", "--profile", "b.json", "--times", "c.json"],
        *["--name", "mine", "--format", "json"],
        cwd=tmp_path,
    ).stdout
    document = json.loads(text)
    assert document["engine"]["name"] == "mine"
    expected = json.loads(planex("summary", source, "--format", "json").stdout)
    for key in ["by_type", "layer_count", "weight_bytes", "top_layers"]:
        assert document[key] == expected[key]
    assert document["time"]["end_to_end"] == expected["time"]["end_to_end"]
    alone = json.loads(planex("summary", source / f"{stem}.graph.json", "--format", "json").stdout)
    assert alone["by_type"] == expected["by_type"], "siblings of a file are found by name"
    prefix = json.loads(planex("summary", source / stem, "--format", "json").stdout)
    assert prefix["by_type"] == expected["by_type"], "a common prefix names an engine"
