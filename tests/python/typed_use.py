"""How a user's code reads to a type checker; mypy --strict looks at it, nothing runs it."""

from __future__ import annotations

import concurrent.futures
from typing import Literal, assert_type

import planex
from planex import documents


def slowest(path: str) -> list[str]:
    engine: planex.Engine = planex.open(path, model="model.onnx", profile_index=0)
    table: planex.Table = engine.sql("SELECT name FROM layers ORDER BY median_ms DESC LIMIT 3")
    unit: str = table.schema["name"].unit
    names = [str(row["name"]) for row in table]
    summary: planex.Document = engine.summary()
    assert summary["schema"] == "planex.summary/2"
    engine.draw(by="heat", slowest=3).save("slow.svg")
    page: planex.Report = engine.report("report.html")
    comparison: planex.Comparison = planex.compare(engine, "other/", fail_on_regression=0.03)
    rows: planex.Rows = comparison.pairs("changed")
    try:
        planex.process("model.onnx", "run/", shapes={"input": (1, 3, 8, 8)}, progress=print)
    except planex.ExternalToolError as error:
        return [error.message, error.context or "", unit, page.html, repr(rows)]
    return names + [finding.rule for finding in planex.find("runs/")]


def documents_have_types(engine: planex.Engine, comparison: planex.Comparison) -> None:
    """Members by name, as items and as attributes."""
    summary = engine.summary()
    assert_type(summary, documents.Summary)
    assert_type(summary["layer_count"], int)
    assert_type(summary["time"]["layers_median_ms"], float | None)
    assert_type(summary.time.layers_median_ms, float | None)
    assert_type(summary.by_type[0].count, int)
    assert_type(summary["schema"], Literal["planex.summary/2"])
    assert_type(engine.lint().findings[0].severity, Literal["error", "warning", "info"])
    assert_type(engine.explain("speed").layers, planex.Rows[documents.SpeedLayer])
    for reformat in engine.explain("reformats").reformats:
        assert_type(reformat.verdict, Literal["avoidable", "needed", "unclear"])
    assert_type(comparison.overview.differences[0].delta_ms, float | None)
    # A word of Python, and the name of a method: items alone.
    assert_type(engine.explain("precision").transitions[0]["all"]["count"], int)
    read: str | None = engine.explain("precision").transitions[0]["from"]
    assert_type(comparison.overview.totals[0]["values"], list[float | None])
    print(read)


def sweeps_have_types(executor: concurrent.futures.Executor) -> planex.Dataset:
    """Mappings and words; executors, and what makes them."""
    grid = {"batch": [1, 2], "shape:input": [(1, 3, 8, 8)], "fp16": [True, False]}
    sweep = planex.sweep("model.onnx", "sweep/", vary=grid, executor=executor)
    planex.sweep("model.onnx", "sweep/", vary=["batch=1,2"], executor=planex.RayExecutor)
    assert_type(sweep, planex.Sweep)
    assert_type(sweep.cells, planex.Table)
    assert_type(sweep.document.cells[0].latency_ms, float | None)
    assert_type(sweep.cliffs[0].changed[0].b_tactic, str | None)
    return sweep


def what_is_not_there_is_an_error(engine: planex.Engine) -> None:
    """mypy also says which of these comments are of no use."""
    engine.summary()["layers_count"]  # type: ignore[call-overload]
    print(engine.summary().layers_count)  # type: ignore[attr-defined]
    engine.summary().layer_count.upper()  # type: ignore[attr-defined]
    engine.explain("reformat")  # type: ignore[call-overload]
