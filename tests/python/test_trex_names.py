"""Every public name of TREx 0.2.1 is in planex.trex, or docs/reference/parity.md says why not."""

from __future__ import annotations

import importlib
import inspect
import pathlib
import re
from collections.abc import Iterator

import pytest
from numpydoc.validate import validate

PARITY = pathlib.Path("docs/reference/parity.md")

# By module, and of what can be called the parameters that TREx takes, in its order.
NAMES = {
    "activations": {"Activation": "raw_dict", "create_activations": "layer"},
    "archiving": {
        "EngineArchive": "archive_filename override_files",
        "EngineArchive.open": "self",
        "EngineArchive.close": "self",
        "EngineArchive.writef_txt": "self fname text",
        "EngineArchive.writef_bin": "self fname content",
        "EngineArchive.readf": "self fname",
        "EngineArchive.writer": "self fname",
        "EngineArchive.reader": "self fname",
        "EngineArchive.archive_build_config": None,
        "EngineArchive.archive_timing_cache": None,
        "EngineArchive.archive_plan_info": None,
        "EngineArchive.Builder": None,
        "get_reader": "tea fname",
        "get_writer": "tea fname",
        "StreamTrtLogger": None,
        "NullTrtLogger": None,
        "regular_file_reader": None,
        "regular_file_writer": None,
        "zip_file_reader": None,
        "zip_file_writer": None,
    },
    "colors": dict.fromkeys(
        (
            "NVDA_GREEN",
            "UNKNOWN_KEY_COLOR",
            "GRID_COLOR",
            "default_pallete",
            "precision_colormap",
            "layer_colormap",
        )
    ),
    "compare_engines": {
        "get_plans_names": "plans",
        "compare_engines_overview": "plans",
        "compare_engines_summaries_tbl": "plans orientation",
        "get_io_dimensions": "layer use_all_tensors",
        "get_io_formats": "layer",
        "get_io_precisions": "layer",
        "match_layers": "plan1 plan2 exact_matching",
        "aligned_merge_plans": "plan1 plan2 matched_indices_pairs",
        "aligned_layers": "plan1 plan2 matched_indices_pairs layer_type",
        "speedup_range_highlights": "col_name threshold",
        "compare_engines_layer_latencies": "plan1 plan2 threshold exact_matching",
        "compare_engines_layer_details": "plan1 plan2",
    },
    "df_preprocessing": {
        "layer_attributes": None,
        "fix_df": "df",
        "clean_io": "df",
        "filter_by_layer": "df layer_type",
        "change_col_order": "df",
        "drop_columns": "df columns",
        "clean_df": "df inplace",
        "clean_for_display": "df",
        "annotate_convolutions": "convs",
    },
    "engine_plan": {
        "EnginePlan": "graph_file profiling_file profiling_metadata_file build_metadata_file name "
        "profile_id",
        "EnginePlan.get_layers_by_type": "self layer_type",
        "EnginePlan.find": "self layer_name",
        "EnginePlan.get_bindings": "self",
        "EnginePlan.summary": "self",
        "EnginePlan.from_string": None,
        "summary_dict": "plan",
        "print_summary": "plan",
    },
    "excel_summary": {
        "MAX_PERMISSIBLE_NAME_LENGTH": None,
        "ExcelSummary": "plan path",
        "ExcelSummary.add_dataframes": "self df_dict",
        "ExcelSummary.add_images": "self image_dict",
        "ExcelSummary.generate_default_summary": "self save",
        "ExcelSummary.save": "self",
    },
    "graphing": {
        "to_dot": None,
        "render_dot": "dot_graph engine_name output_format",
        "latency_types": None,
        "layer_node_formatters": None,
        "layer_node_renderers": None,
        "layer_precision_formatter": None,
        "layer_type_formatter": None,
        "precision_formatter": None,
        "DotGraph": "plan layer_node_formatter",
        "OnnxGraph": "plan display_forking_regions",
        "PlanGraph": "plan include_regions include_constants include_forking_regions",
        "PortDesc": "layer_name port",
        "Edge": "src dst tensor region_gen",
        "RegionGeneration": "tensor id is_user is_forked writers readers",
        "Region": None,
        "Region.nb_generations": "self",
        "Region.writers": "self gen_id",
        "Region.readers": "self gen_id",
        "Region.is_placeholder": "self",
        "Region.add_generation": None,
        "Region.add_writer": None,
        "Region.add_reader": None,
        "regions_factory": "plan",
        "LayerNode": "layer",
        "MemoryNode": "name tensor region_gen is_user",
        "name_or_metadata": None,
        "layer_node_renderer_simple": None,
        "layer_node_renderer_keras": None,
        "layer_node_configurable_renderer": None,
        "layer_node_highlighter": None,
        "region_precision_formatter": None,
        "get_dot_id": None,
        "make_onnx_tensor": None,
    },
    "interactive": {
        "InteractiveDiagram": "diagram_renderer choices description",
        "InteractiveDiagram.dropdown_state_eventhandler": None,
        "InteractiveDiagram_2": "choices description",
        "InteractiveDiagram_2.dropdown_state_eventhandler": None,
    },
    "layer": {"Layer": "raw_dict", "Layer.tooltip": "self", "fold_no_ops": "layers bindings"},
    "lint": {
        "ConvLinter": "plan",
        "ConvLinter.lint": "self",
        "ConvLinter.tc_lint": "self",
        "ConvLinter.mixed_precision_lint": "self",
        "ConvLinter.alignment_lint": "self",
        "ReformatLinter": "plan",
        "ReformatLinter.lint": "self",
        "SliceLinter": "plan",
        "SliceLinter.lint": "self",
        "QDQLinter": "plan",
        "QDQLinter.lint": "self",
    },
    "misc": {
        "group_count": "df grouping_attr",
        "group_sum_attr": "df grouping_attr reduced_attr",
        "group_mean_attr": "df grouping_attr reduced_attr",
        "shape_to_str": "shape",
        "stack_dicts": "dict_list empty_placeholder",
        "stack_dataframes": "df_list names_col values_col empty_placeholder",
    },
    "notebook": {
        "section_header": "title",
        "set_wide_display": "width_pct",
        "display_df_dtale": "df range_highlights nan_display precision",
        "table_display_backend": None,
        "set_table_display_backend": "tbl_display_fn",
        "display_df": "df",
    },
    "parser": {
        "read_json": "json_file",
        "read_graph_file": "graph_file",
        "read_profiling_file": "profiling_file",
        "read_metadata_file": "metadata_file device",
        "read_timing_file": "timing_json_file",
        "read_perf_metadata_file": "metadata_file section",
        "get_device_properties": "metadata_file",
        "get_performance_summary": "metadata_file",
        "get_builder_config": "metadata_file",
        "import_graph_file": "graph_file profile_id",
        # Of utils/parse_trtexec_log.py.
        "parse_build_log": "file_name tea",
        "parse_profiling_log": "file_name tea",
        "FileSection": None,
    },
    "plotting": {
        "NVDA_GREEN": None,
        "UNKNOWN_KEY_COLOR": None,
        "GRID_COLOR": None,
        "default_pallete": None,
        "precision_colormap": None,
        "layer_colormap": None,
        "trex_base_layout": "fig gridcolor",
        "create_layout": "title size x_title y_title orientation show_axis_ticks",
        "plotly_bar2": "df title values_col names_col orientation color size use_slider colormap "
        "show_axis_ticks showlegend xaxis_title yaxis_title do_show",
        "rotate_columns": "df",
        "stacked_tabular_df": "bar_names df_list names_col values_col empty_symbol",
        "stacked_tabular": None,
        "stacked_bars": "title bar_names df_list names_col values_col empty_symbol colormap "
        "display_tbl fig xaxis_title yaxis_title",
        "plotly_hist": "df title values_col xaxis_title color colormap do_show",
        "plotly_hist_wrap": None,
        "plotly_bar2_wrap": None,
        "plotly_pie": "df title values names colormap do_show",
        "plotly_pie2": "title charts max_cols colormap do_show",
    },
    "report_card": {
        "report_card_perf_overview": "plan",
        "report_card_perf_overview_widget": "plan",
        "report_card_convolutions_overview": "convs",
        "report_card_convolutions_overview_widget": "convs",
        "report_card_table_view": "plan",
        "report_card_memory_footprint": "plan",
        "report_card_memory_footprint_widget": "plan",
        "report_card_draw_plan_graph": "plan engine_name",
        "report_card_draw_plan_graph_extended": "plan engine_name",
        "report_card_pointwise_lint": "plan",
        "layer_latency_sunburst": "df title do_show",
        "plot_engine_timings": "timing_json_file do_show",
        "report_card_gemm_MNK": "plan",
        "report_card_gemm_MNK_scatter": "plan",
        "report_card_efficiency_vs_latency_3d": "plan",
        "report_card_perf_scatter": "plan",
        "report_card_reformat_overview": "plan",
    },
    # Of utils/, which are scripts.
    "config_gpu": dict.fromkeys(("GPUMonitor", "GPUConfigurator", "get_max_clocks", "nvmlContext")),
}
# What `import trex` had: names of these modules.
CORE = ("df_preprocessing", "misc", "lint", "activations", "engine_plan", "colors")
EACH = [(module, name, known) for module, names in NAMES.items() for name, known in names.items()]


@pytest.mark.parametrize(("module", "name", "known"), EACH, ids=[f"{m}.{n}" for m, n, _ in EACH])
def test_a_name_is_there_or_has_a_reason(module: str, name: str, known: str | None) -> None:
    try:
        found: object = importlib.import_module(f"planex.trex.{module}")
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        assert f"`{module}.{name}`" in PARITY.read_text()
        return
    if known is not None:
        ours = list(inspect.signature(found).parameters)
        assert ours[: len(known.split())] == known.split()


def test_every_row_of_the_table_has_a_test() -> None:
    rows = re.findall(r"^\| (P\d.*?) \|.*\| (.*?) \|$", PARITY.read_text(), re.MULTILINE)
    seen: list[int] = []
    for ids, tests in rows:
        for first, last in re.findall(r"P(\d+)(?:–P(\d+))?", ids):
            seen += range(int(first), int(last or first) + 1)
        files = re.findall(r"`(.+?)`", tests)
        # What drives TensorRT is a part of its own.
        assert files or 122 <= seen[-1] <= 134, ids
        for file in files:
            assert pathlib.Path(file).is_file(), f"{ids}: {file}"
    assert sorted(seen) == list(range(1, 138))


def test_what_import_trex_had_is_in_planex_trex() -> None:
    import planex.trex as trex

    for module in CORE:
        for name in NAMES[module]:
            if "." not in name:
                assert hasattr(trex, name), name


def public() -> Iterator[tuple[str, object]]:
    for module in NAMES.keys() - {"config_gpu"}:
        found = importlib.import_module(f"planex.trex.{module}")
        for name in found.__all__:
            value = getattr(found, name)
            if not inspect.isclass(value) and not inspect.isfunction(value):
                continue
            yield f"planex.trex.{module}.{name}", value
            for member, method in vars(value).items() if inspect.isclass(value) else ():
                if member[0] != "_" and inspect.isfunction(method):
                    yield f"planex.trex.{module}.{name}.{member}", method


# What numpydoc asks for and this package does not have: an extended summary, examples and
# cross references even where they are no help; a summary that tells a function what to do; the
# first line below the quotes; words of choices that begin with a capital.
_LEFT_OUT = {"ES01", "EX01", "GL01", "GL02", "PR08", "RT04", "SA01", "SS05", "SS06"}


def test_docstrings_say_what_numpydoc_asks_for() -> None:
    wrong = [
        (name, *error)
        for name, value in sorted(public(), key=lambda one: one[0])
        if getattr(value, "__module__", "").startswith("planex.trex")
        for error in validate(name)["errors"]
        if error[0] not in _LEFT_OUT
    ]
    assert not wrong


def test_modules_have_no_name_that_is_not_listed_as_public() -> None:
    for module in NAMES:
        if module == "config_gpu":
            continue
        found = importlib.import_module(f"planex.trex.{module}")
        for name in NAMES[module]:
            if "." not in name and hasattr(found, name):
                assert name in found.__all__, f"{module}.{name}"
        for name in found.__all__:
            assert hasattr(found, name), f"{module}.{name}"
