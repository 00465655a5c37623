"""planex.trex by default: right where TREx is wrong, and missing where nothing is known."""

from __future__ import annotations

import json
import math
import pathlib
import subprocess
import sys
import tempfile
import warnings

import pandas as pd
import pytest

import planex
import planex.trex as trex

ENGINES = pathlib.Path("examples/engines")
SENTENCE = "Row major linear FP32"


@pytest.fixture(params=[True, False], ids=["as-trex", "right"])
def either(request):
    trex.compatibility(request.param)
    yield request.param
    trex.compatibility(False)


def layer(name: str, kind: str, reads: list[str], writes: list[str], **more: object) -> dict:
    def tensors(names: list[str]) -> list[dict]:
        return [
            {"Name": one, "Dimensions": [1, 8, 4, 4], "Format/Datatype": SENTENCE} for one in names
        ]

    return {
        "Name": name,
        "LayerType": kind,
        "Inputs": tensors(reads),
        "Outputs": tensors(writes),
        **more,
    }


def plan_of(*layers: dict) -> trex.EnginePlan:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return trex.EnginePlan(list(layers))


def test_planex_alone_does_not_import_it() -> None:
    code = "import planex, sys; print({'planex.trex', 'pandas', 'plotly'} & sys.modules.keys())"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"


def test_charts_are_not_imported_before_they_are_drawn() -> None:
    code = (
        "import planex.trex, sys;"
        "print({'plotly', 'IPython', 'ipywidgets', 'xlsxwriter', 'onnx'} & sys.modules.keys())"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"


def test_every_public_name_is_documented_and_there() -> None:
    for name in trex.__all__:
        found = getattr(trex, name)
        assert found.__doc__ or isinstance(found, str), name


def test_what_is_not_known_is_missing_and_not_zero() -> None:
    plan = plan_of(layer("a", "Reformat", ["x"], ["y"]))
    assert math.isnan(plan.total_runtime)
    assert plan.df["latency.avg_time"].isna().all()
    assert trex.summary_dict(plan)["Average time"] == "not known"


def test_no_times_are_zero_as_trex_has_them() -> None:
    trex.compatibility(True)
    try:
        assert plan_of(layer("a", "Reformat", ["x"], ["y"])).total_runtime == 0
    finally:
        trex.compatibility(False)


def test_weights_are_those_of_the_engine() -> None:
    plan = trex.EnginePlan(ENGINES / "resnet18-a100-qat")
    known = planex.open(ENGINES / "resnet18-a100-qat").work_layers.to_pylist()
    assert plan.df["weights_size"].tolist() == [row["weight_bytes"] for row in known]
    # TREx leaves the biases out.
    assert plan.total_weights_size == 11678912 + 23200


def test_a_folder_has_times_and_metadata() -> None:
    plan = trex.EnginePlan(ENGINES / "resnet18-a100-qat")
    assert plan.total_runtime == pytest.approx(1.09568)
    assert plan.performance_summary["Throughput"] == 1130.01
    assert plan.builder_cfg["Precision"] == "FP32+FP16+INT8"
    assert plan.device_properties["SMs"] == 108
    assert plan.df["latency.pct_time"].sum() == pytest.approx(100)


def test_every_engine_of_the_examples_opens(engines, either) -> None:
    for row in planex.find(ENGINES):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                plan = trex.EnginePlan(row.path)
            except ValueError as error:
                assert "profilingVerbosity" in str(error) or "no layers" in str(error)
                continue
        assert len(plan.df) == len(plan.layers)
        assert plan.df["Name"].is_unique
        trex.clean_for_display(plan.df)
        for kind in plan.df["type"].unique():
            try:
                assert len(plan.get_layers_by_type(kind)) == (plan.df["type"] == kind).sum()
            except ValueError as error:
                assert either and ("dimensions" in str(error) or "kernel" in str(error))


def test_every_engine_of_the_examples_has_a_report_card(either, shown) -> None:
    from planex.trex import report_card

    for row in planex.find(ENGINES):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                plan = trex.EnginePlan(row.path)
                convs = plan.get_layers_by_type("Convolution")
            except ValueError:
                assert either
                continue
        views = {
            **report_card.report_card_perf_overview(plan),
            **report_card.report_card_memory_footprint(plan),
            **report_card.report_card_convolutions_overview(convs),
        }
        for title, draw in views.items():
            assert draw(title=title, do_show=False).data is not None
        report_card.report_card_table_view(plan)
        report_card.report_card_efficiency_vs_latency_3d(plan)
        report_card.report_card_gemm_MNK_scatter(plan)
        report_card.layer_latency_sunburst(plan.df, "Time")
        report_card.report_card_reformat_overview(plan)
        report_card.report_card_pointwise_lint(plan)
    assert len(shown) > 20


def test_repeated_names_are_told_apart() -> None:
    plan = plan_of(*[layer("a", "Reformat", [f"{i}"], [f"{i + 1}"]) for i in range(3)])
    assert plan.df["Name"].tolist() == ["a", "a_2", "a_3"]
    assert plan.find("a_3") is plan.layers[2]
    assert plan.find("b") is None


def test_no_producer_is_lost_where_a_no_op_is_one_of_several() -> None:
    layers = [
        layer("left", "Reformat", ["x"], ["p"]),
        layer("nothing", "NoOp", ["p"], ["q"]),
        layer("right", "Reformat", ["x"], ["q"]),
        layer("last", "Reformat", ["q"], ["y"]),
    ]
    names = [one.name for one in plan_of(*layers).layers[-1].inputs]
    assert names == ["p", "q"]
    trex.compatibility(True)
    try:
        assert [one.name for one in plan_of(*layers).layers[-1].inputs] == ["p"]
    finally:
        trex.compatibility(False)


@pytest.mark.parametrize(
    ("sentence", "size", "in_trex"), [("Half", 2, 2), ("Bool", 1, 0), ("BFloat16", 2, 0)]
)
def test_sizes_of_elements(sentence: str, size: int, in_trex: int) -> None:
    raw = {"Name": "x", "Dimensions": [3, 5], "Format/Datatype": sentence}
    assert trex.Activation(raw).size_bytes == 15 * size
    trex.compatibility(True)
    try:
        assert trex.Activation(raw).size_bytes == 15 * in_trex
    finally:
        trex.compatibility(False)


def test_a_format_that_is_not_known_has_no_size(either) -> None:
    tensor = trex.Activation({"Name": "x", "Dimensions": [3], "Format/Datatype": "Odd words"})
    assert tensor.data_size == (0 if either else None)


def test_all_findings_of_a_layer_stay() -> None:
    plan = trex.EnginePlan(ENGINES / "resnet18-a100-qat")
    linter = trex.ConvLinter(plan)
    parts = [linter.tc_lint(), linter.mixed_precision_lint(), linter.alignment_lint()]
    assert len(linter.lint()) == sum(map(len, parts))
    assert len(trex.QDQLinter(plan).lint()) == 10
    assert trex.SliceLinter(plan).lint().empty


@pytest.mark.parametrize(
    "tactic", ["sm80_xmma_fprop", "turing_h1688cudnn_256x64", "ampere_h16816cudnn_128"]
)
def test_kernels_of_tensor_cores_are_known(tactic: str) -> None:
    sentence = "Channel major FP16 format where channel % 8 == 0"
    conv = layer("c", "CaskConvolution", ["x"], ["y"], ParameterType="Convolution", Groups=1,
                 OutMaps=8, Kernel=[1, 1], TacticName=tactic)  # fmt: skip
    for port in [*conv["Inputs"], *conv["Outputs"]]:
        port["Format/Datatype"] = sentence
    assert trex.ConvLinter(plan_of(conv)).tc_lint().empty


def test_convolutions_have_the_work_of_planex() -> None:
    plan = trex.EnginePlan(ENGINES / "resnet18-a100-qat")
    convs = plan.get_layers_by_type("Convolution")
    assert convs["attr.macs"].sum() == 58050347008
    product = convs["attr.M"] * convs["attr.N"] * convs["attr.K"]
    assert product.tolist() == convs["attr.macs"].tolist()
    assert convs["attr.memory_efficiency"].tolist() == pytest.approx(
        (convs["total_footprint_bytes"] / convs["latency.avg_time"]).tolist()
    )


def test_a_plan_keeps_the_figures_that_it_was_made_with() -> None:
    right = trex.EnginePlan(ENGINES / "resnet18-a100-qat")
    trex.compatibility(True)
    try:
        as_trex = trex.EnginePlan(ENGINES / "resnet18-a100-qat")
        kept = right.get_layers_by_type("Convolution")
    finally:
        trex.compatibility(False)
    intensity = "attr.arithmetic_intensity"
    now = right.get_layers_by_type("Convolution")
    assert now[intensity].tolist() == kept[intensity].tolist()
    # Its first convolution by TREx: 35.101...
    first = as_trex.get_layers_by_type("Convolution")[intensity].iloc[0]
    assert first == pytest.approx(35.101407875943686)
    assert as_trex.total_weights_size == 11678912


def test_a_frame_that_was_fixed_stays_what_it_is() -> None:
    frame = trex.EnginePlan(ENGINES / "resnet18-a100-qat").df
    pd.testing.assert_frame_equal(trex.fix_df(frame), frame)


def test_frames_side_by_side_keep_their_order() -> None:
    one = pd.DataFrame({"type": ["b", "a"], "ms": [1.0, 2.0]})
    two = pd.DataFrame({"type": ["c", "a"], "ms": [3.0, 4.0]})
    stacked = trex.stack_dataframes([one, two], "type", "ms")
    assert list(stacked.items()) == [("b", [1.0, 0]), ("a", [2.0, 4.0]), ("c", [0, 3.0])]


def test_the_summary_has_four_parts(capsys) -> None:
    trex.EnginePlan(ENGINES / "resnet18-a100-qat").summary()
    printed = capsys.readouterr().out
    for title in ("Model:", "Device Properties:", "Builder Configuration:", "Performance Summary:"):
        assert title in printed
    assert "Average time: 1.096 ms" in printed


def test_names_alone_open_with_advice() -> None:
    names = {"Layers": ["conv1", "relu1"], "Bindings": ["x"]}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "graph.json"
        file.write_text(json.dumps(names))
        with pytest.warns(UserWarning, match="profilingVerbosity=detailed"):
            assert len(trex.EnginePlan(file).df) == 2


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(planex.NotFoundError, match=r"no-such\.json"):
        trex.EnginePlan("no-such.json")


def test_tooltips_have_what_the_file_says() -> None:
    plan = plan_of(layer("a", "Reformat", ["x"], ["y"], Origin="QDQ"))
    assert "Origin: QDQ" in plan.layers[0].tooltip()
    assert json.dumps([1, 8, 4, 4]) in plan.layers[0].inputs[0].tooltip()


def test_drawings_are_those_of_planex(tmp_path) -> None:
    from planex.trex import graphing

    plan = trex.EnginePlan(ENGINES / "resnet18-a100-qat")
    graph = graphing.to_dot(
        plan, graphing.precision_formatter, display_regions=True, highlight_layers=["MaxPool_12"]
    )
    assert "MaxPool_12" in graph.source
    file = graphing.render_dot(graph, tmp_path / "plan", "svg")
    assert pathlib.Path(file) == tmp_path / "plan.svg"
    assert pathlib.Path(file).read_bytes().startswith(b"<svg")
    by_type = graphing.to_dot(plan, graphing.layer_type_formatter).render("svg")
    assert by_type != graphing.to_dot(plan, graphing.layer_precision_formatter).render("svg")


def test_options_of_drawings_are_checked() -> None:
    from planex.trex import graphing

    plan = trex.EnginePlan(ENGINES / "resnet18-a100-qat")
    with pytest.raises(TypeError, match="display_nothing"):
        graphing.to_dot(plan, display_nothing=True)
    with pytest.raises(ValueError, match="latency_type"):
        graphing.to_dot(plan, latency_type="worst")
    with pytest.warns(UserWarning, match="stack_layer_names"):
        graphing.to_dot(plan, stack_layer_names=False)


def test_plans_beside_one_another() -> None:
    plans = [
        trex.EnginePlan(ENGINES / name)
        for name in ("resnet18-a100-qat", "resnet18-a100-qat-residual")
    ]
    table = trex.compare_engines_summaries_tbl(plans)
    assert table.loc["Layers"].tolist() == ["35", "25"]
    assert trex.compare_engines_summaries_tbl(plans, "horizontal").equals(table.T)
    with pytest.raises(ValueError, match="orientation"):
        trex.compare_engines_summaries_tbl(plans, "diagonal")
    assert trex.get_plans_names([plans[0], plans[0]]) == [
        "resnet18-a100-qat.0",
        "resnet18-a100-qat.1",
    ]
