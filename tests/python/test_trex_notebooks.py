"""Code as TREx's four notebooks have it, after the one change of its import, and its figures."""

from __future__ import annotations

import pathlib
from typing import Any

import openpyxl
import pytest

import planex.trex as trex
from trex_sets import HAS_ALL, READABLE, file_of, plan_of_set

SETS = {one["set"]: one for one in READABLE}
NETWORK = "mobilenet-titanrtx" if HAS_ALL else "resnet18-a100"
QAT, RESIDUAL = f"{NETWORK}-qat", f"{NETWORK}-qat-residual"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=[True, False], ids=["as-trex", "right"])
def is_as_trex(request):
    trex.compatibility(request.param)
    yield request.param
    trex.compatibility(False)


def names_of(*modules: str) -> dict[str, Any]:
    """What a notebook has after ``from trex.MODULE import *``."""
    namespace: dict[str, Any] = {}
    for module in modules:
        exec(f"from planex.trex{module} import *", namespace)  # noqa: S102
    return namespace


def files_of(name: str) -> list[str]:
    roles = ("graph", "profile", "profile_metadata")
    return [str(file_of(SETS[name], role)) for role in roles]


def by_key(known: list[dict[str, Any]], value: str) -> Any:
    return pytest.approx({row["key"]: row[value] for row in known}, rel=1e-3, abs=2e-3)


def test_the_tutorial_runs(is_as_trex, shown, capsys) -> None:
    import plotly.express as px

    known = SETS[QAT]
    trex.notebook.set_wide_display()
    plan = trex.EnginePlan(*files_of(QAT))
    plan.summary()
    printed = capsys.readouterr().out
    for key in ("Average time", "Layers"):
        assert f"{key}: {known['summary_card'][key]}" in printed
    assert f"Throughput: {known['performance_summary']['Throughput']}" in printed

    df = plan.df
    assert {"latency.time", "latency.avg_time", "latency.pct_time"} <= set(df.columns)
    trex.notebook.display_df(plan.df)
    df = trex.df_preprocessing.clean_for_display(plan.df)
    assert list(df.columns)[:3] == ["Name", "type", "Inputs"]
    trex.notebook.display_df(df)

    layer_types = trex.group_count(plan.df, "type")
    counted = dict(layer_types.itertuples(index=False))
    assert counted == known["histograms"]["type"]
    trex.plotting.plotly_bar2(
        df=layer_types,
        title="Layer Count By Type",
        values_col="count",
        names_col="type",
        orientation="v",
        color="type",
        colormap=trex.colors.layer_colormap,
        show_axis_ticks=(True, True),
    )
    top3 = plan.df.nlargest(3, "latency.pct_time")
    slowest = sorted(known["layers"], key=lambda row: -row["pct"])[:3]
    assert top3["Name"].tolist() == [row["name"] for row in slowest]
    trex.plotting.plotly_bar2(
        df=plan.df,
        title="% Latency Budget Per Layer",
        values_col="latency.pct_time",
        names_col="Name",
        color="type",
        use_slider=False,
        colormap=trex.colors.layer_colormap,
    )
    trex.plotting.plotly_hist(
        df=plan.df,
        title="Layer Latency Distribution",
        values_col="latency.pct_time",
        xaxis_title="Latency (ms)",
        color="type",
        colormap=trex.colors.layer_colormap,
    )
    columns = ["latency.pct_time", "latency.avg_time"]
    time_by_type = plan.df.groupby(["type"])[columns].sum().reset_index()
    trex.plotting.plotly_bar2(
        df=time_by_type,
        title="% Latency Budget Per Layer Type",
        values_col="latency.pct_time",
        names_col="type",
        orientation="h",
        color="type",
        colormap=trex.colors.layer_colormap,
    )
    bars = shown[-1].data[0]
    assert dict(zip(bars.y, bars.x, strict=True)) == by_key(known["by_type"], "pct")

    for color in ("latency.pct_time", "total_io_size_bytes"):
        treemap = px.treemap(plan.df, path=["type", "Name"], values="latency.pct_time", color=color)
        treemap.show()
        kinds = {
            label: value
            for label, parent, value in zip(
                treemap.data[0].labels, treemap.data[0].parents, treemap.data[0].values, strict=True
            )
            if not parent
        }
        assert kinds == by_key(known["by_type"], "pct")

    for title, column in (("Weights", "weights_size"), ("Activations", "total_io_size_bytes")):
        trex.plotting.plotly_bar2(
            plan.df, f"{title} Sizes Per Layer", column, "Name", color="type",
            colormap=trex.colors.layer_colormap,
        )  # fmt: skip
    trex.plotting.plotly_hist(
        plan.df, "Layer Activations Sizes Distribution", "total_io_size_bytes", "Size (bytes)",
        color="type", colormap=trex.colors.layer_colormap,
    )  # fmt: skip
    assert plan.df["total_io_size_bytes"].describe()["count"] == known["totals"]["layers"]

    counts = trex.group_count(plan.df, "precision")
    times = trex.group_sum_attr(plan.df, grouping_attr="precision", reduced_attr="latency.pct_time")
    charts = [
        (counts, "Layer Count By Precision", "count", "precision"),
        (times, "% Latency Budget By Precision", "latency.pct_time", "precision"),
    ]
    trex.plotting.plotly_pie2(
        "Precision Statistics", charts, colormap=trex.colors.precision_colormap
    )
    for ring, key in zip(shown[-1].data, ("count", "pct"), strict=True):
        assert dict(zip(ring.labels, ring.values, strict=True)) == by_key(
            known["by_precision"], key
        )
    trex.plotting.plotly_bar2(
        plan.df, "By precision", "latency.pct_time", "Name", color="precision",
        colormap=trex.colors.precision_colormap,
    )  # fmt: skip

    graph = trex.graphing.to_dot(plan, trex.graphing.layer_type_formatter)
    assert pathlib.Path(trex.graphing.render_dot(graph, "plan", "svg")).stat().st_size > 10_000
    graph = trex.graphing.to_dot(plan, trex.graphing.precision_formatter)
    assert pathlib.Path(trex.graphing.render_dot(graph, "plan", "png")).stat().st_size > 10_000

    assert len(plan.df.query("type == 'Convolution'")) == known["conv_totals"]["count"]
    convs = plan.get_layers_by_type("Convolution")
    assert convs["attr.macs"].sum() == known["conv_totals"]["macs"]
    for values, color in (
        ("attr.arithmetic_intensity", "precision"),
        ("total_io_size_bytes", "latency.pct_time"),
        ("attr.arithmetic_intensity", "total_io_size_bytes"),
        ("attr.memory_efficiency", "latency.pct_time"),
        ("attr.compute_efficiency", "latency.pct_time"),
    ):
        trex.plotting.plotly_bar2(convs, "Convolutions", values, "Name", color=color)
    for key in ("subtype", "attr.groups", "precision"):
        rows = trex.group_count(convs, key), trex.group_sum_attr(convs, key, "latency.pct_time")
        charts = [
            (rows[0], "Count", "count", key),
            (rows[1], "% Latency Budget", "latency.pct_time", key),
        ]
        trex.plotting.plotly_pie2("Convolutions Statistics", charts)
        assert sum(shown[-1].data[0].values) == len(convs)


def test_the_report_card_runs(is_as_trex, shown, capsys) -> None:
    cell = names_of("", ".notebook", ".report_card", ".excel_summary")
    known = SETS[QAT]
    cell["set_wide_display"]()
    plan = cell["EnginePlan"](*files_of(QAT))
    cell["report_card_draw_plan_graph_extended"](plan, "mobilenet")
    assert pathlib.Path("mobilenet.svg").is_file()
    plan.summary()
    cell["layer_latency_sunburst"](plan.df, "Layers Latencies (%)")
    assert sum(shown[-1].data[0].values) == pytest.approx(100, abs=0.01)
    table = cell["report_card_table_view"](plan)
    assert len(table.show("Convolution")) == known["conv_totals"]["count"]
    cell["plot_engine_timings"](timing_json_file=str(file_of(known, "timing")))
    assert len(shown[-1].data[0].y) == known["timing_samples"]["n"]
    cell["report_card_perf_overview_widget"](plan)
    cell["report_card_memory_footprint_widget"](plan)
    convs = plan.get_layers_by_type("Convolution")
    cell["report_card_convolutions_overview_widget"](convs)

    latency_per_tactic = cell["partial"](
        cell["plotting"].plotly_bar2,
        convs,
        values_col="latency.pct_time",
        names_col="Name",
        color="tactic",
    )
    latency_per_tactic("Latency per Layer (color=Tactics)")
    tactics = cell["group_count"](plan.df, "tactic")
    assert len(tactics) == len({row["tactic"] for row in known["layers"]})
    cell["display_df"](tactics)

    cell["report_card_gemm_MNK"](plan)
    cell["report_card_gemm_MNK_scatter"](plan)
    cell["report_card_efficiency_vs_latency_3d"](plan)
    cell["report_card_perf_scatter"](plan)
    for linter in ("ConvLinter", "ReformatLinter", "SliceLinter", "QDQLinter"):
        findings = cell[linter](plan).lint()
        cell["display_df"](findings)
        if is_as_trex:
            assert len(findings) == known["lints"]["rows_per_linter_frame"][linter]
    cell["report_card_reformat_overview"](plan)
    cell["report_card_pointwise_lint"](plan)

    cell["ExcelSummary"](plan, path="default.xlsx").generate_default_summary()
    with cell["ExcelSummary"](plan, path="customized.xlsx") as summary:
        summary.add_dataframes({"df": plan.df})
        summary.add_dataframes({"clean_df": cell["clean_for_display"](plan.df)})
    rows = list(openpyxl.load_workbook("customized.xlsx")["df"].iter_rows(min_row=5))
    assert len(rows) == known["totals"]["layers"]


def test_the_comparison_runs(is_as_trex, shown, capsys) -> None:
    cell = names_of("", ".notebook", ".report_card", ".compare_engines")
    plans = tuple(cell["EnginePlan"](*files_of(name), name=name) for name in (QAT, RESIDUAL))
    overview = cell["compare_engines_overview"](plans)
    for title in overview.choices:
        overview.show(title)
    table = cell["compare_engines_summaries_tbl"](plans, orientation="vertical")
    for name, plan in zip((QAT, RESIDUAL), plans, strict=True):
        card = SETS[name]["summary_card"]
        assert table.loc["Average time", plan.name] == card["Average time"]
        assert (
            table.loc["Throughput", plan.name] == (SETS[name]["performance_summary"]["Throughput"])
        )
    capsys.readouterr()
    latencies = cell["compare_engines_layer_latencies"](*plans, threshold=0.03, exact_matching=True)
    printed = capsys.readouterr().out
    for name in (QAT, RESIDUAL):
        assert f"{name}: {SETS[name]['totals']['sum_avg_ms']:.3f} ms" in printed
    for choice in latencies.choices:
        latencies.show(choice)
    details = cell["compare_engines_layer_details"](*plans)
    first = details.show(next(iter(details.choices)))
    assert first["attribute"].tolist()[:2] == ["name", "avg_time"]
    for plan in plans:
        cell["report_card_perf_overview_widget"](plan)
        cell["report_card_table_view"](plan)
        graph = cell["graphing"].to_dot(
            plan,
            cell["graphing"].layer_type_formatter,
            display_regions=True,
            expand_layer_details=True,
        )
        cell["graphing"].render_dot(graph, plan.name, "svg")
        assert pathlib.Path(f"{plan.name}.svg").is_file()


def test_the_api_examples_run(is_as_trex, capsys) -> None:
    cell = names_of(".notebook")
    plan, known = plan_of_set(QAT), SETS[QAT]
    layers = known["layers"]
    top3 = plan.df.nlargest(3, "latency.pct_time")
    for i in range(len(top3)):
        layer = top3.iloc[i]
        print(f"{layer['Name']}: {layer['type']}")
    slowest = sorted(layers, key=lambda row: -row["pct"])[:3]
    printed = [f"{row['name']}: {row['type']}" for row in slowest]
    assert capsys.readouterr().out.splitlines() == printed
    assert top3["latency.avg_time"].sum() == pytest.approx(sum(row["avg_ms"] for row in slowest))

    convs = plan.df.query('type == "Convolution"')
    typed = plan.get_layers_by_type("Convolution")
    assert len(convs) == len(typed) == known["conv_totals"]["count"]
    assert convs["latency.avg_time"].sum() == pytest.approx(known["conv_totals"]["avg_ms"])
    first = next(row for row in layers if row["type"] == "Convolution")
    assert [one["Name"] for one in convs.iloc[0]["Inputs"]] == [port[0] for port in first["in"]]
    cleaned = trex.clean_df(typed.copy(), inplace=True)
    assert cleaned.iloc[0]["Inputs"] == ", ".join(port[2] for port in first["in"])
    inputs, _ = trex.create_activations(convs.iloc[0])
    assert [inputs[0].name, inputs[0].shape, inputs[0].format] == first["in"][0]
    assert sum(one.size_bytes for one in inputs) == first["in_bytes"]

    summed = plan.df.groupby(["type"])[["latency.avg_time", "latency.pct_time"]].sum()
    assert summed["latency.avg_time"].to_dict() == by_key(known["by_type"], "avg_ms")
    assert trex.group_sum_attr(plan.df, "type", "latency.avg_time").set_index("type")[
        "latency.avg_time"
    ].to_dict() == by_key(known["by_type"], "avg_ms")
    assert trex.group_count(plan.df, "type")["count"].sum() == len(layers)
    one_by_one = cleaned[cleaned["attr.kernel"].map(tuple) == (1, 1)]
    cell["display_df"](one_by_one[one_by_one["Outputs"].str.startswith("FP32")])
    wanted = sum(one["kernel"] == [1, 1] for one in known["convs"])
    assert len(one_by_one) == wanted


def test_choices_are_lists_in_a_notebook(shown, monkeypatch) -> None:
    from planex.trex import interactive, notebook, report_card

    displayed: list[Any] = []
    for module in (interactive, notebook, report_card):
        monkeypatch.setattr(module, "has_notebook", lambda: True)
        monkeypatch.setattr(module, "display", displayed.append)
    plan = plan_of_set(QAT)
    choice = report_card.report_card_perf_overview_widget(plan)
    assert choice.choice_widget.options[0] == "Latency per layer (%)"
    before = len(shown)
    choice.choice_widget.value = "Precision rollup"
    assert len(shown) == before + 1
    assert choice._ipython_display_() is None

    monkeypatch.setattr(report_card, "_show_graph", lambda graph, name: f"{name}.svg")
    report_card.report_card_draw_plan_graph_extended(plan, "plan")
    columns, buttons, _ = displayed[-1].children
    assert len(columns.children) == 3
    for button in buttons.children:
        button.click()
    assert pathlib.Path("plan.onnx").is_file()

    trex.compare_engines.compare_engines_layer_latencies(plan, plan_of_set(RESIDUAL), 0.03, True)
    (styled,) = [one for one in displayed if hasattr(one, "to_html")]
    assert "background-color: rgba(0, 255, 0, 1)" in styled.to_html()
    assert "Title &lt;1&gt;" in notebook.section_header("Title <1>").data
    notebook.set_table_display_backend(displayed.append)
    try:
        notebook.display_df(plan.df, range_highlights={})
    finally:
        notebook.set_table_display_backend(notebook.display_df_dtale)
    assert displayed[-1] is plan.df
