"""How a user's code reads to a type checker; mypy --strict looks at it, nothing runs it."""

from __future__ import annotations

import planex


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
