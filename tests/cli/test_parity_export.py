"""What the predecessor wrote for spreadsheets and showed in notebooks, and where planex has it.

Rows P116 and P117 of docs/reference/parity.md.
"""

from __future__ import annotations

import csv
import io
import json

import pytest

PLAN = "resnet18-a100-qat"

# ExcelSummary.generate_default_summary: a sheet Plan, and the pictures of report_card_perf_overview
# and report_card_memory_footprint, by their titles; here the chart that shows the same.
DEFAULT_SUMMARY = {
    "Latency per Layer (%)": "Share per layer, of Σ layers",
    "Latency per Layer (ms)": "Time per layer, by type (ms)",
    "Layer Latency Distribution": "Distribution of layer times",
    "Precision per Layer": "Time per layer, by precision (ms)",
    "Output Precision per Layer": "Time per layer, by output precision (ms)",
    "Count By Layer Type": "Layers by type",
    "Latency per Layer Type (ms)": "Time by type (ms)",
    "Latency per Layer Type (%)": "Share by type, of Σ layers",
    "Precision per Type": "Layers by type and precision",
    "Precision Statistics": "Precisions: layers (inner ring) and time (outer ring)",
    "weights per layer": "Weights per layer (bytes)",
    "activations per layer": "Activations read and written per layer (bytes)",
    "total bytes per layer": "Bytes moved per layer",
    "weights distribution": "Distribution of weights per layer",
    "activations distribution": "Distribution of activations per layer",
    "total bytes distribution": "Distribution of bytes moved per layer",
}


def test_p116_default_summary(planex, engines, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "engine_summary.xlsx"
    planex("export", PLAN, "-o", path, cwd=engines)
    book = openpyxl.load_workbook(path)
    charts = {
        "".join(run.t for run in chart.title.tx.rich.p[0].r) for chart in book["Charts"]._charts
    }
    missing = {old for old, new in DEFAULT_SUMMARY.items() if new not in charts}
    assert not missing, "charts that Excel draws itself, where there were pictures"
    assert not book["Charts"]._images
    heads = [cell.value for cell in book["Layers"][1]]
    assert heads[:3] == ["Layer id", "Name", "Type"] and len(heads) > 20


def test_p116_any_frame(planex, engines, tmp_path):
    """add_dataframes: any table is a file that spreadsheets open."""
    sql = "SELECT type, sum(median_ms) AS median_ms FROM layers GROUP BY type"
    text = planex("query", PLAN, sql, "--format", "csv", cwd=engines).stdout
    assert next(csv.reader(io.StringIO(text))) == ["type", "median_ms"]
    planex("export", PLAN, "--format", "csv", "-o", f"{tmp_path}/t/", cwd=engines)
    assert len(list((tmp_path / "t").glob("*.csv"))) > 15


def test_p117_tables_for_notebooks(planex, engines):
    """display_df: a table by one line of a notebook, without a helper of ours."""
    text = planex("export", PLAN, "--format", "jsonl", cwd=engines).stdout
    rows = [json.loads(line) for line in text.splitlines()]
    summary = json.loads(planex("summary", PLAN, "--format", "json", cwd=engines).stdout)
    assert len(rows) == summary["record_count"]
    assert sum(row["median_ms"] or 0 for row in rows) == pytest.approx(
        summary["time"]["layers_median_ms"]
    )
