"""planex export: tables as CSV and JSON lines, against the same tables in SQL."""

from __future__ import annotations

import csv
import io
import json

import pytest

PLAN = "resnet18-a100-qat"
ENGINES = [PLAN, "controlnet-a10-trt8.6", "rtx1.7-branches-streams", "mnist-trt8.2.3-names-only"]
LISTS = {"dims", "strides", "profile_min", "profile_opt", "profile_max"}
LISTS |= {"min_dims", "opt_dims", "max_dims"}

# Names that spreadsheets, terminals and pages would act on.
HOSTILE = ["=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", '=HYPERLINK("http://x","y")']
HOSTILE += ["<script>alert(1)</script>", 'a,b"c\nd', "_x0041_", "\u202egnp.exe", "x" * 40_000]


@pytest.fixture
def hostile(tmp_path):
    """An engine whose texts are hostile."""
    layers = [
        {
            "name": name,
            "type": name[:200],
            "tactic": name[:200],
            "median_ms": 0.5,
            "inputs": [{"tensor": f"in {i} {name[:100]}", "dims": [1, 8], "dtype": "FP16"}],
            "outputs": [{"tensor": f"out {i} {name[:100]}", "dims": [1, 8], "dtype": "FP16"}],
            "sources": [{"op_name": name[:200]}],
            "attributes": {"=key": "=value"},
        }
        for i, name in enumerate(HOSTILE)
    ]
    document = {"schema": "planex.plan/1", "engine": {"name": "=engine"}, "layers": layers}
    path = tmp_path / "hostile.plan.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


def tables_of(planex, engine, cwd):
    rows = json.loads(planex("query", engine, "--format", "json", cwd=cwd).stdout)
    return [row[0] for row in rows["rows"]]


@pytest.mark.parametrize("engine", ENGINES)
def test_csv_is_what_sql_says(planex, engines, engine, tmp_path):
    folder = tmp_path / "tables"
    planex("export", engine, "--format", "csv", "-o", f"{folder}/", cwd=engines)
    names = tables_of(planex, engine, engines)
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{n}.csv" for n in names)
    for name in names:
        sql = f"SELECT * FROM {name}"  # noqa: S608
        wanted = planex("query", engine, sql, "--format", "csv", cwd=engines)
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        assert rows == list(csv.reader(io.StringIO(wanted.stdout, newline=""))), name


@pytest.mark.parametrize("table", ["layers", "work_layers", "ports", "bindings", "iterations"])
def test_json_lines_are_what_sql_says(planex, engines, table):
    text = planex("export", PLAN, "--format", "jsonl", "--table", table, cwd=engines).stdout
    rows = [json.loads(line) for line in text.splitlines()]
    sql = f"SELECT * FROM {table}"  # noqa: S608
    result = planex("query", PLAN, sql, "--format", "json", cwd=engines)
    document = json.loads(result.stdout)
    columns = [column["name"] for column in document["columns"]]
    assert len(rows) == len(document["rows"]) > 0
    for row, wanted in zip(rows, document["rows"], strict=True):
        assert list(row) == columns
        for name, value in zip(columns, wanted, strict=True):
            if name in LISTS and isinstance(value, str):
                value = json.loads(value)
            assert row[name] == value, (table, name)


def test_layers_are_the_default(planex, engines):
    text = planex("export", PLAN, "--format", "csv", cwd=engines).stdout
    assert (
        text == planex("export", PLAN, "--format", "csv", "--table", "layers", cwd=engines).stdout
    )
    assert text.startswith("layer_id,")


def test_several_engines_have_a_column(planex, engines):
    other = "resnet18-a100-fp32"
    text = planex("export", PLAN, other, "--format", "csv", cwd=engines).stdout
    sql = "SELECT * FROM layers"
    assert text == planex("query", PLAN, other, sql, "--format", "csv", cwd=engines).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["engine"] for row in rows} == {"qat", "fp32"}
    line = planex("export", PLAN, other, "--format", "jsonl", cwd=engines).stdout.splitlines()[0]
    assert json.loads(line)["engine"] == "qat"
    for form in ("plan", "onnx", "node-data"):
        result = planex("export", PLAN, other, "--format", form, cwd=engines, code=2)
        assert "one engine" in result.stderr
    result = planex("export", PLAN, other, "--name", "x", "--format", "csv", cwd=engines, code=2)
    assert "work with one PLAN only" in result.stderr


def test_no_text_is_a_formula(planex, hostile, tmp_path):
    folder = tmp_path / "tables"
    planex("export", hostile, "--format", "csv", "-o", f"{folder}/")
    found = set()
    for path in folder.iterdir():
        for row in csv.DictReader(path.open(newline="", encoding="utf-8")):
            for value in row.values():
                # Numbers may be negative; none of these engines has one.
                assert not value or value[0] not in "=+-@\t\r", (path.name, value[:60])
                found.add(value)
    assert "'=1+1" in found and "'@SUM(A1)" in found
    text = planex("export", hostile, "--format", "jsonl").stdout
    # The lines of JSON end at \n and nowhere else.
    assert [json.loads(line)["name"] for line in text.split("\n")[:-1]] == HOSTILE


def test_ends_of_names(planex, engines, tmp_path):
    for name, start in {
        "a.csv": "layer_id,",
        "a.jsonl": '{"layer_id":0',
        "a.plan.json": '{"schema":"planex.plan/1"',
        "a.trace.json": '{"displayTimeUnit"',
        "a.node-data.json": '{\n"',
        "a.json": '{"schema":"planex.plan/1"',
    }.items():
        planex("export", PLAN, "-o", tmp_path / name, cwd=engines)
        assert (tmp_path / name).read_text("utf-8").startswith(start), name


def test_words_that_are_wrong(planex, engines, tmp_path):
    def error(*words):
        return planex("export", PLAN, *words, cwd=engines, code=2).stderr

    assert "did you mean layers?" in error("--format", "csv", "--table", "layer")
    assert "-o FOLDER/" in error("--format", "csv", "--table", "layers", "--table", "ports")
    assert "is a folder" in error("--format", "xlsx", "-o", f"{tmp_path}/")
    assert "is a folder" in error("-o", f"{tmp_path}/")
    assert "--table is for csv, jsonl, parquet and arrow" in error(
        "--format", "trace", "--table", "layers"
    )
    # Nothing is written where one of the tables does not exist.
    words = ["--format", "csv", "--table", "layers", "--table", "nothing"]
    assert "there is no table" in error(*words, "-o", f"{tmp_path}/new/")
    assert not (tmp_path / "new").exists()
    words = ["--format", "jsonl", "--table", "layers", "--table", "ports"]
    planex("export", PLAN, *words, "-o", f"{tmp_path}/new/", cwd=engines)
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"layers.jsonl", "ports.jsonl"}
