"""Names of TREx that planex has in another form."""

from __future__ import annotations

# Parts of TREx that planex has in another form, by how their names begin; and what to use.
_ELSEWHERE = {
    "report_card_draw": "planex.trex.graphing.to_dot",
    "report_card_table": "clean_for_display(plan.df)",
    "report_card": "plan.engine.report()",
    "layer_latency_sunburst": "plan.engine.report()",
    "plot_engine_timings": "plan.engine.timing() or plan.engine.iterations",
    "read_timing_file": "plan.engine.iterations",
    "compare_engines": "planex.compare() or planex.open_many(...).report()",
    "plotly_": "plan.engine.report(), or a plotting package with plan.df",
    "stacked_": "stack_dataframes, and a plotting package",
    "OnnxGraph": 'plan.engine.draw(format="onnx")',
    "PlanGraph": "plan.engine.draw(format='json')",
    "ExcelSummary": "pandas.DataFrame.to_excel, or `planex export`",
    "EngineArchive": "planex.open, which reads .tea archives",
    "parse_": "planex.open(log).metadata",
    "GPUConfigurator": "planex.process",
    "GPUMonitor": "planex.process",
    "InteractiveDiagram": "plan.engine.report()",
    "section_header": "cells of the notebook",
    "set_wide_display": "the notebook's own settings",
    "display_df": "the frame itself, which notebooks show",
}


def __getattr__(name: str) -> object:
    for beginning, instead in _ELSEWHERE.items():
        if name.startswith(beginning):
            # No AttributeError: `from planex.trex import ...` would hide its message.
            raise ImportError(f"planex.trex has no {name}: use {instead}")
    raise AttributeError(f"planex.trex has no {name}")
