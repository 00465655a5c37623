"""The interface of TREx 0.2.1 (TensorRT Engine Explorer) over planex: for notebooks that were
written for it.

    import planex.trex as trex

    plan = trex.EnginePlan("model.graph.json", "model.profile.json")
    plan.df
    trex.ConvLinter(plan).lint()

Numbers that TREx has wrong are right here; :func:`compatibility` has its own. Needs pandas.
"""

from planex.trex._mode import compatibility
from planex.trex.activations import Activation, create_activations
from planex.trex.compare_engines import (
    aligned_layers,
    aligned_merge_plans,
    compare_engines_summaries_tbl,
    get_plans_names,
    match_layers,
)
from planex.trex.df_preprocessing import (
    annotate_convolutions,
    change_col_order,
    clean_df,
    clean_for_display,
    clean_io,
    drop_columns,
    filter_by_layer,
    fix_df,
)
from planex.trex.engine_plan import EnginePlan, print_summary, summary_dict
from planex.trex.layer import Layer, fold_no_ops
from planex.trex.lint import ConvLinter, QDQLinter, ReformatLinter, SliceLinter
from planex.trex.misc import (
    group_count,
    group_mean_attr,
    group_sum_attr,
    shape_to_str,
    stack_dataframes,
    stack_dicts,
)

__all__ = [
    "Activation",
    "ConvLinter",
    "EnginePlan",
    "Layer",
    "QDQLinter",
    "ReformatLinter",
    "SliceLinter",
    "aligned_layers",
    "aligned_merge_plans",
    "annotate_convolutions",
    "change_col_order",
    "clean_df",
    "clean_for_display",
    "clean_io",
    "compare_engines_summaries_tbl",
    "compatibility",
    "create_activations",
    "drop_columns",
    "filter_by_layer",
    "fix_df",
    "fold_no_ops",
    "get_plans_names",
    "group_count",
    "group_mean_attr",
    "group_sum_attr",
    "match_layers",
    "print_summary",
    "shape_to_str",
    "stack_dataframes",
    "stack_dicts",
    "summary_dict",
]

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
    "display_df": "the frame itself, which notebooks show",
}


def __getattr__(name: str) -> object:
    for beginning, instead in _ELSEWHERE.items():
        if name.startswith(beginning):
            raise AttributeError(f"planex.trex has no {name}: use {instead}")
    raise AttributeError(f"module 'planex.trex' has no attribute {name!r}")
