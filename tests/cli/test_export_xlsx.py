"""planex export --format xlsx: opened with openpyxl, and held to what the JSON says."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import zipfile

import pytest

openpyxl = pytest.importorskip("openpyxl")

PLAN = "resnet18-a100-qat"
OTHER = "resnet18-a100-fp32"
# What the sheet of layers has: with the times of no-ops it adds up to Σ layers.
SELECT_LISTED = (
    "SELECT {} FROM layers WHERE role = 'work' OR mean_ms IS NOT NULL OR median_ms IS NOT NULL"
)
SHEETS = [
    *["Summary", "Charts", "Layers", "Layer types", "Types by precision", "Precisions", "Tactics"],
    *["Reformats", "Reformat origins", "Convolutions & GEMMs", "Speed of light"],
    *["Precision changes", "Memory", "Operations", "Findings", "Bindings", "Timing percentiles"],
    *["Timing samples", "Build and run", "Files", "Diagnostics", "Chart data"],
]
# Bars in cells, which it does not know.
pytestmark = pytest.mark.filterwarnings("ignore:.*extension is not supported:UserWarning")
HOSTILE = ["=1+1", "+2", "-3", "@SUM(A1)", '=HYPERLINK("http://x","y")', "_x0041_", "a\x07b"]
HOSTILE += ["<b>&amp;", "http://example.com", "\u202egnp.exe", "\ufffe", "x" * 40_000, " "]


def workbook(planex, tmp_path, *words, cwd=None, name="out.xlsx"):
    path = tmp_path / name
    planex("export", *words, "-o", path, cwd=cwd)
    return openpyxl.load_workbook(path)


def rows_of(sheet):
    """The rows of a table as dictionaries by head."""
    rows = sheet.iter_rows(values_only=True)
    heads = next(rows)
    return [dict(zip(heads, row, strict=True)) for row in rows]


def exactly(number):
    """As far as a cell goes: Excel's own numbers have 15 digits, those of the file 16."""
    return pytest.approx(number, rel=1e-15, abs=0)


def query(planex, engines, engine, sql):
    text = planex("query", engine, sql, "--format", "json", cwd=engines).stdout
    document = json.loads(text)
    names = [column["name"] for column in document["columns"]]
    return [dict(zip(names, row, strict=True)) for row in document["rows"]]


@pytest.fixture(scope="module")
def resnet(planex, engines, tmp_path_factory):
    return workbook(planex, tmp_path_factory.mktemp("xlsx"), PLAN, cwd=engines)


def test_sheets(resnet):
    assert resnet.sheetnames == [name for name in SHEETS if name in resnet.sheetnames]
    assert set(SHEETS) - set(resnet.sheetnames) <= {"Operations"}
    assert all(len(name) <= 31 for name in resnet.sheetnames)
    for sheet in resnet:
        if sheet.title in ("Summary", "Charts"):
            continue
        assert sheet.freeze_panes is not None, sheet.title
        heads = [cell.value for cell in sheet[1]]
        assert all(heads), (sheet.title, heads)
        assert all(cell.font.b for cell in sheet[1])
        if sheet.title != "Chart data":
            assert sheet.auto_filter.ref, sheet.title
            assert len(set(heads)) == len(heads), (sheet.title, heads)
            assert sheet.column_dimensions["A"].width > 5


def test_nothing_is_a_formula(resnet):
    for sheet in resnet:
        for row in sheet.iter_rows():
            assert all(cell.data_type in ("s", "n", "inlineStr") for cell in row), sheet.title


def test_layers_are_those_of_the_table(planex, engines, resnet):
    wanted = query(planex, engines, PLAN, SELECT_LISTED.format("*"))
    rows = rows_of(resnet["Layers"])
    assert len(rows) == len(wanted)
    heads = {
        "layer_id": "Layer id",
        "name": "Name",
        "type": "Type",
        "precision": "Precision",
        "output_precision": "Output precision",
        "tactic": "Tactic",
        "median_ms": "Median (ms)",
        "mean_ms": "Mean (ms)",
        "share": "Share of Σ layers (%)",
        "weight_bytes": "Weight (bytes)",
        "io_bytes": "Activations (bytes)",
        "footprint_bytes": "Bytes moved (bytes)",
        "macs": "MACs",
        "flops": "Operations (FLOP)",
        "arithmetic_intensity": "Arithmetic intensity (FLOP/byte)",
    }
    for row, layer in zip(rows, wanted, strict=True):
        for column, head in heads.items():
            value = layer[column]
            wanted_value = exactly(value) if isinstance(value, float) else value
            assert row[head] == wanted_value, (column, layer["name"])
    formats = {cell.value: below.number_format for cell, below in zip(
        resnet["Layers"][1], resnet["Layers"][2], strict=True)}  # fmt: skip
    assert formats["Share of Σ layers (%)"] == "0.00%"
    assert formats["Median (ms)"] == "0.000000"
    assert formats["Weight (bytes)"] == "#,##0"


def test_sums_are_those_of_the_summary(planex, engines, resnet):
    summary = json.loads(planex("summary", PLAN, "--format", "json", cwd=engines).stdout)
    total = summary["time"]["layers_median_ms"]
    for name, head in [
        ("Layers", "Median (ms)"),
        ("Layer types", "Median (ms)"),
        ("Types by precision", "Time (ms)"),
        ("Tactics", "Time (ms)"),
        ("Speed of light", "Time (ms)"),
    ]:
        rows = rows_of(resnet[name])
        assert sum(row[head] for row in rows if row[head] is not None) == pytest.approx(total), name
    rows = rows_of(resnet["Precisions"])
    for what in ("first input", "first output"):
        part = [row for row in rows if row["Of"] == what]
        assert sum(row["Median (ms)"] for row in part) == pytest.approx(total)
        assert sum(row["Share of Σ layers (%)"] for row in part) == pytest.approx(1)
    types = {row["Type"]: row for row in rows_of(resnet["Layer types"])}
    assert {name: row["Count"] for name, row in types.items()} == {
        group["type"]: group["count"] for group in summary["by_type"]
    }


def figures_of(sheet):
    return {row[0]: row[2:] for row in sheet.iter_rows(min_row=4, values_only=True) if row[0]}


def test_summary(planex, engines, resnet):
    summary = json.loads(planex("summary", PLAN, "--format", "json", cwd=engines).stdout)
    figures = {label: values[0] for label, values in figures_of(resnet["Summary"]).items()}
    time = summary["time"]
    assert figures["Engine"] == summary["engine"]["name"]
    assert figures["Device"] == summary["engine"]["device"]
    assert figures["Σ layers, median"] == exactly(time["layers_median_ms"])
    assert figures["Σ layers, mean"] == exactly(time["layers_mean_ms"])
    for label, key in {
        "End to end, median": "median_ms",
        "End to end, mean": "mean_ms",
        "End to end, minimum": "min_ms",
        "End to end, 90th percentile": "p90_ms",
        "End to end, 99th percentile": "p99_ms",
        "End to end, maximum": "max_ms",
    }.items():
        assert figures[label] == exactly(time["end_to_end"][key]), label
    assert figures["Σ layers minus end to end"] == exactly(time["gap_ms"])
    assert figures["Layers"] == summary["layer_count"]
    assert figures["Records of the engine's list"] == summary["record_count"]
    assert figures["Weights"] == summary["weight_bytes"]
    assert figures["Bytes moved"] == summary["footprint_bytes"]
    assert figures["Findings: warnings"] == summary["findings"]["warning"]
    percentiles = rows_of(resnet["Timing percentiles"])
    first = percentiles[0]
    assert first["Median (ms)"] == exactly(time["end_to_end"]["median_ms"])
    assert first["P99 (ms)"] == exactly(time["end_to_end"]["p99_ms"])


def test_other_tables(planex, engines, resnet):
    def explained(topic):
        text = planex("explain", topic, PLAN, "--format", "csv", cwd=engines).stdout
        return list(csv.DictReader(io.StringIO(text)))

    reformats = rows_of(resnet["Reformats"])
    wanted = explained("reformats")
    assert [row["Layer id"] for row in reformats] == [int(row["layer_id"]) for row in wanted]
    assert [row["Verdict"] for row in reformats] == [row["verdict"] for row in wanted]
    timeline = rows_of(resnet["Memory"])
    wanted = explained("memory")
    assert [row["Live (bytes)"] for row in timeline] == [int(row["live_bytes"]) for row in wanted]
    speed = rows_of(resnet["Speed of light"])
    wanted = explained("speed")
    assert [row["Layer id"] for row in speed] == [int(row["layer_id"]) for row in wanted]
    for row, layer in zip(speed, wanted, strict=True):
        bound = float(layer["bound_ms"]) if layer["bound_ms"] else None
        assert row["Bound (ms)"] == (None if bound is None else pytest.approx(bound))
    findings = rows_of(resnet["Findings"])
    lint = json.loads(planex("lint", PLAN, "--format", "json", cwd=engines).stdout)["findings"]
    shown = [finding["rule"] for finding in lint if finding["folded_into"] is None]
    assert [row["Rule"] for row in findings] == shown
    iterations = query(planex, engines, PLAN, "SELECT compute_ms FROM iterations")
    samples = [row["Compute (ms)"] for row in rows_of(resnet["Timing samples"])]
    assert samples == exactly([row["compute_ms"] for row in iterations])
    bindings = rows_of(resnet["Bindings"])
    assert bindings[0]["Dims"] == "[32,3,224,224]"


def titles_of(sheet):
    def text(chart):
        runs = chart.title.tx.rich.p[0].r
        return "".join(run.t for run in runs)

    return [text(chart) for chart in sheet._charts]


def values_of(book, reference):
    name, first, last = re.fullmatch(
        r"'?(.*?)'?!\$([A-Z]+\$\d+):\$([A-Z]+\$\d+)", reference
    ).groups()
    cells = book[name.replace("''", "'")][f"{first.replace('$', '')}:{last.replace('$', '')}"]
    return [row[0].value for row in cells]


def test_charts_show_the_tables(resnet):
    sheet = resnet["Charts"]
    charts = dict(zip(titles_of(sheet), sheet._charts, strict=True))
    assert len(charts) == len(sheet._charts) >= 35
    layers = rows_of(resnet["Layers"])
    total = sum(row["Median (ms)"] for row in layers)
    for title in ("type", "precision", "output precision"):
        chart = charts[f"Time per layer, by {title} (ms)"]
        # Each layer is in one series, and all together are the engine.
        columns = [values_of(resnet, series.val.numRef.f) for series in chart.series]
        assert all(len(column) == len(layers) for column in columns)
        for values in zip(*columns, strict=True):
            assert sum(value is not None for value in values) == 1
        assert sum(v for column in columns for v in column if v is not None) == pytest.approx(total)
    shares = values_of(resnet, charts["Share per layer, of Σ layers"].series[0].val.numRef.f)
    assert shares == pytest.approx([row["Share of Σ layers (%)"] for row in layers])
    weights = values_of(resnet, charts["Weights per layer (bytes)"].series[0].val.numRef.f)
    assert weights == [row["Weight (bytes)"] for row in layers]
    counts = values_of(resnet, charts["Distribution of layer times"].series[0].val.numRef.f)
    assert sum(counts) == len(layers)
    ring = charts["Precisions: layers (inner ring) and time (outer ring)"]
    assert len(ring.series) == 2
    at_work = [row for row in layers if row["Role"] == "work"]
    assert sum(values_of(resnet, ring.series[0].val.numRef.f)) == len(at_work) > 30
    assert sum(values_of(resnet, ring.series[1].val.numRef.f)) == pytest.approx(total)
    roofline = charts["Roofline: achieved rate over arithmetic intensity"].series[0]
    assert len(values_of(resnet, roofline.yVal.numRef.f)) == len(
        rows_of(resnet["Convolutions & GEMMs"])
    )


@pytest.mark.parametrize(
    "engine",
    ["mnist-trt8.2.3-names-only", "rtx1.7-loop", "openvino2026.4-resnet18-fp32-b8",
     "controlnet-a10-trt8.6", "rtx1.7-failed-build-sm"],
)  # fmt: skip
def test_engines_that_lack_something(planex, engines, tmp_path, engine):
    book = workbook(planex, tmp_path, engine, cwd=engines)
    summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
    figures = figures_of(book["Summary"])
    assert figures["Records of the engine's list"][0] == summary["record_count"]
    if summary["time"]["layers_mean_ms"] is None:
        assert "Σ layers, mean" not in figures, "what is not known is no zero"
        assert not any("Time" in title for title in titles_of(book["Charts"]))


def test_hostile_texts(planex, tmp_path):
    layers = [
        {"name": name, "type": name[:100], "tactic": name, "median_ms": 1} for name in HOSTILE
    ]
    plan = tmp_path / "x.plan.json"
    document = {"schema": "planex.plan/1", "engine": {"name": "=[a]:*?/\\'" * 9}, "layers": layers}
    plan.write_text(json.dumps(document), "utf-8")
    book = workbook(planex, tmp_path, plan, plan)
    test_nothing_is_a_formula(book)
    assert all(len(name) <= 31 for name in book.sheetnames)
    names = [row["Name"] for row in rows_of(book["Layers"])][: len(HOSTILE)]
    for name, wanted in zip(names, HOSTILE, strict=True):
        if wanted == " ":
            assert name in (None, " ")
        elif len(wanted) > 32_767:
            assert name == "x" * 32_766 + "…"
        elif wanted.isprintable():
            assert name == wanted
        else:
            assert "⟨U+" in name
    assert any("cut: a cell has at most 32 767" in str(row[0]) for row in
               book["Summary"].iter_rows(values_only=True))  # fmt: skip
    # No links, no scripts, nothing from outside.
    with zipfile.ZipFile(tmp_path / "out.xlsx") as files:
        parts = files.namelist()
        assert not [part for part in parts if "external" in part.lower() or "vba" in part.lower()]
        for part in parts:
            assert b'TargetMode="External"' not in files.read(part), part


def test_several_engines(planex, engines, tmp_path):
    book = workbook(planex, tmp_path, PLAN, OTHER, cwd=engines)
    assert book.sheetnames[:5] == [
        "Summary",
        "Compare",
        "Compare charts",
        "Charts qat",
        "Charts fp32",
    ]
    compared = json.loads(
        planex("compare", PLAN, OTHER, "--pairs", "--format", "json", cwd=engines).stdout
    )
    figures = figures_of(book["Compare"])
    for row in compared["totals"]:
        assert list(figures[row["label"]]) == pytest.approx(row["values"]), row["label"]
    pairs = rows_of(book["Pairs"])
    assert len(pairs) == len(compared["pairs"])
    assert sum(row["A (ms)"] or 0 for row in pairs) == pytest.approx(
        sum(pair["a_ms"] or 0 for pair in compared["pairs"])
    )
    layers = rows_of(book["Layers"])
    assert {row["Engine"] for row in layers} == {"qat", "fp32"}
    for engine, label in ((PLAN, "qat"), (OTHER, "fp32")):
        wanted = query(planex, engines, engine, SELECT_LISTED.format("median_ms"))
        found = [row["Median (ms)"] for row in layers if row["Engine"] == label]
        assert found == pytest.approx([row["median_ms"] for row in wanted])
    stacked = dict(
        zip(titles_of(book["Compare charts"]), book["Compare charts"]._charts, strict=True)
    )
    series = stacked["Time by type (ms)"].series
    for position, engine in enumerate((PLAN, OTHER)):
        summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
        parts = [values_of(book, one.val.numRef.f)[position] or 0 for one in series]
        assert sum(parts) == pytest.approx(summary["time"]["layers_median_ms"])
    for sheet in ("Charts qat", "Charts fp32"):
        assert len(book[sheet]._charts) >= 35


def test_kernels_of_a_trace(planex, tmp_path):
    kernels = [
        {"layer_id": 0, "name": "=kernel<1>", "median_us": 12.5, "count": 3, "grid": [4, 1, 1]},
        {"layer_id": None, "name": "[CUDA memcpy]", "median_us": 2},
    ]
    document = {
        "schema": "planex.plan/1",
        "layers": [{"name": "conv", "median_ms": 1}],
        "kernels": kernels,
    }
    plan = tmp_path / "k.plan.json"
    plan.write_text(json.dumps(document), "utf-8")
    book = workbook(planex, tmp_path, plan)
    rows = rows_of(book["Kernels"])
    assert [(row["Layer"], row["Name"], row["Median (µs)"]) for row in rows] == [
        ("conv", "=kernel<1>", 12.5),
        (None, "[CUDA memcpy]", 2),
    ]
    assert rows[0]["Grid"] == "[4,1,1]" and rows[1]["Grid"] is None
    test_nothing_is_a_formula(book)


def test_the_same_bytes(planex, engines, tmp_path):
    for name, zone in {"a.xlsx": "UTC", "b.xlsx": "Asia/Tokyo"}.items():
        planex("export", PLAN, "-o", tmp_path / name, cwd=engines, env={"TZ": zone})
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_nothing_is_left_behind(planex_bin, engines, tmp_path, files_in):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    words = [planex_bin, "export", PLAN, "--format", "xlsx"]
    environment = {"TMPDIR": str(scratch), "PATH": "/usr/bin"}
    result = subprocess.run(words, cwd=engines, env=environment, capture_output=True, check=True)
    assert openpyxl.load_workbook(io.BytesIO(result.stdout)).sheetnames[0] == "Summary"
    assert files_in(scratch) == []
    environment["TMPDIR"] = str(tmp_path / "none")
    result = subprocess.run(words, cwd=engines, env=environment, capture_output=True)
    assert result.returncode in (0, 3)


def test_many_layers(planex, tmp_path, files_in):
    """So many that rows are written as they come, and no more of them is kept than one."""
    count = 20_001
    layers = [
        {
            "name": HOSTILE[i % len(HOSTILE)][:200],
            "type": ("Convolution", "=Pool", "Reformat")[i % 3],
            "median_ms": 0.001 + i / 2**30,
        }
        for i in range(count)
    ]
    plan = tmp_path / "many.plan.json"
    plan.write_text(json.dumps({"schema": "planex.plan/1", "layers": layers}), "utf-8")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for name in ("a.xlsx", "b.xlsx"):
        planex("export", plan, "-o", tmp_path / name, env={"TMPDIR": str(scratch)})
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    assert files_in(scratch) == []
    book = openpyxl.load_workbook(tmp_path / "a.xlsx", read_only=True)
    assert book.sheetnames == [name for name in SHEETS if name in book.sheetnames]
    rows = rows_of(book["Layers"])
    assert [row["Layer id"] for row in rows] == list(range(count))
    assert [row["Median (ms)"] for row in rows] == exactly([row["median_ms"] for row in layers])
    for row, layer in zip(rows[: len(HOSTILE)], layers, strict=False):
        if layer["name"].isprintable() and layer["name"] != " ":
            # openpyxl undoes the format's escapes only in texts that cells share.
            assert row["Name"].replace("_x005F_x", "_x") == layer["name"]
    for row in book["Layers"].iter_rows(max_row=len(HOSTILE) + 1):
        assert all(cell.data_type in ("s", "n", "inlineStr") for cell in row)
    book.close()
    with zipfile.ZipFile(tmp_path / "a.xlsx") as files:
        charts = [name for name in files.namelist() if name.startswith("xl/charts/chart")]
        texts = [files.read(name).decode() for name in charts]
        formulas = [
            name
            for name in files.namelist()
            if name.startswith("xl/worksheets/sheet") and b"<f>" in files.read(name)
        ]
    assert len(charts) >= 5 and formulas == []
    # A bar for each of the slowest ones, and the title says so.
    assert any("; the 2000 slowest of 20001" in text for text in texts)


def test_only_workbooks_need_the_library(planex_bin, engines, tmp_path):
    # As on a machine without it: the name that the program loads the library by is of none.
    program = tmp_path / "planex"
    content = planex_bin.read_bytes()
    assert content.count(b"libxlsxwriter.so.") > 0
    program.write_bytes(content.replace(b"libxlsxwriter.so.", b"libxlsxwriten.so."))
    program.chmod(0o755)

    def run(*words):
        words = [program, "export", engines / PLAN, *words]
        return subprocess.run(words, capture_output=True, encoding="utf-8", check=False)

    assert run("--format", "csv").returncode == 0
    (tmp_path / "x.xlsx").write_text("what was there")
    result = run("-o", tmp_path / "x.xlsx")
    assert result.returncode == 3
    assert (tmp_path / "x.xlsx").read_text() == "what was there"
    assert "workbooks are not available here" in result.stderr
    assert "export CSV" in result.stderr
