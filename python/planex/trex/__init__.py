"""The interface of TREx 0.2.1 (TensorRT Engine Explorer) over planex: for notebooks that were
written for it.

    import planex.trex as trex

    plan = trex.EnginePlan("model.graph.json", "model.profile.json")
    plan.df
    trex.ConvLinter(plan).lint()

Figures that are wrong in TREx are corrected here; :func:`compatibility` restores TREx's own. Needs
pandas.
"""

from planex._core import version as _version
from planex.trex import (
    activations,
    archiving,
    colors,
    compare_engines,
    df_preprocessing,
    engine_plan,
    excel_summary,
    graphing,
    interactive,
    layer,
    lint,
    misc,
    notebook,
    parser,
    plotting,
    report_card,
)
from planex.trex._mode import compatibility
from planex.trex.activations import Activation, create_activations
from planex.trex.colors import (
    GRID_COLOR,
    NVDA_GREEN,
    UNKNOWN_KEY_COLOR,
    default_pallete,
    layer_colormap,
    precision_colormap,
)
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
    layer_attributes,
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
from planex.trex.parser import (
    get_builder_config,
    get_device_properties,
    get_performance_summary,
    import_graph_file,
    read_graph_file,
    read_json,
    read_metadata_file,
    read_perf_metadata_file,
    read_profiling_file,
    read_timing_file,
)

__version__ = _version()

__all__ = [
    "GRID_COLOR",
    "NVDA_GREEN",
    "UNKNOWN_KEY_COLOR",
    "Activation",
    "ConvLinter",
    "EnginePlan",
    "Layer",
    "QDQLinter",
    "ReformatLinter",
    "SliceLinter",
    "activations",
    "aligned_layers",
    "aligned_merge_plans",
    "annotate_convolutions",
    "archiving",
    "change_col_order",
    "clean_df",
    "clean_for_display",
    "clean_io",
    "colors",
    "compare_engines",
    "compare_engines_summaries_tbl",
    "compatibility",
    "create_activations",
    "default_pallete",
    "df_preprocessing",
    "drop_columns",
    "engine_plan",
    "excel_summary",
    "filter_by_layer",
    "fix_df",
    "fold_no_ops",
    "get_builder_config",
    "get_device_properties",
    "get_performance_summary",
    "get_plans_names",
    "graphing",
    "group_count",
    "group_mean_attr",
    "group_sum_attr",
    "import_graph_file",
    "interactive",
    "layer",
    "layer_attributes",
    "layer_colormap",
    "lint",
    "match_layers",
    "misc",
    "notebook",
    "parser",
    "plotting",
    "precision_colormap",
    "print_summary",
    "read_graph_file",
    "read_json",
    "read_metadata_file",
    "read_perf_metadata_file",
    "read_profiling_file",
    "read_timing_file",
    "report_card",
    "shape_to_str",
    "stack_dataframes",
    "stack_dicts",
    "summary_dict",
]
