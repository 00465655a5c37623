"""The interface of TREx 0.2.1 (TensorRT Engine Explorer) over planex: for notebooks that were
written for it.

    import planex.trex as trex

    plan = trex.EnginePlan("model.graph.json", "model.profile.json")
    plan.df
    trex.ConvLinter(plan).lint()

Numbers that TREx has wrong are right here; :func:`compatibility` has its own. Needs pandas.
"""

from planex.trex._elsewhere import __getattr__ as __getattr__
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
