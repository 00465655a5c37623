"""planex.trex: logs, archives, workbooks and other files."""

from __future__ import annotations

import json
import pathlib
import sys
import zipfile

import openpyxl
import pytest

import planex
import planex.trex as trex
from planex.trex import archiving, graphing, parser
from planex.trex.excel_summary import ExcelSummary
from trex_sets import DATA

ENGINE = pathlib.Path("examples/engines/resnet18-a100-qat")
FILE = ENGINE / "resnet-qat.onnx.engine"
LOGS = sorted((DATA / "expected/logs").glob("*-*.json"))
# Of several runs in one log planex shows one, TREx mixes them.
_SEVERAL_RUNS = "mnist-trt10.14.1-logs__EnginePrinter-log-main.py.log"


@pytest.fixture
def plan() -> trex.EnginePlan:
    return trex.EnginePlan(ENGINE)


@pytest.mark.parametrize("file", LOGS, ids=lambda one: one.stem)
def test_logs_have_the_keys_and_values_of_trex(file, as_trex) -> None:
    known = json.loads(file.read_text())
    log = DATA / "engines" / known["log"]
    for part, read in (("build", parser.parse_build_log), ("profile", parser.parse_profiling_log)):
        ours = read(log)
        assert ours.keys() == known[part].keys()
        for section, values in known[part].items():
            for key, value in values.items():
                if file.stem == _SEVERAL_RUNS:
                    continue
                found = ours[section][key.strip()]
                if isinstance(value, str):
                    # TREx cuts it at the second colon, and leaves some numbers as text.
                    assert not isinstance(found, str) or found.startswith(value), key
                else:
                    assert found == pytest.approx(value), key


@pytest.mark.skipif(not LOGS, reason="PLANEX_TEST_DATA has no logs")
def test_values_of_logs_are_whole() -> None:
    log = DATA / "engines/mnist-trt10.14.1-logs/result-02.log"
    built = parser.parse_build_log(log)["build_options"]
    assert built["Tempfile Controls"] == "{ in_memory: allow, temporary: allow }"
    measured = parser.parse_profiling_log(log)["device_information"]
    assert measured["Application Compute Clock Rate"] == 2.505
    loaded = DATA / "engines/mnist-trt8.6.0-names-only/result-03.log"
    # It ran an engine that was there: its log has the build options of no build.
    assert parser.parse_build_log(loaded)["build_options"] == {}


def test_single_files_are_read_as_they_are(plan) -> None:
    layers, bindings = parser.read_graph_file(f"{FILE}.graph.json")
    assert (len(layers), bindings) == (37, ["input.1", "422"])
    rows = parser.read_profiling_file(f"{FILE}.profile.json")
    assert sum(row["averageMs"] for row in rows) == pytest.approx(plan.total_runtime)
    metadata = f"{FILE}.profile.metadata.json"
    assert parser.get_device_properties(metadata)["SMs"] == 108
    assert parser.get_performance_summary(metadata)["Throughput"] == 1130.01
    assert parser.read_perf_metadata_file(metadata, "performance_summary") == (
        plan.performance_summary
    )
    built = parser.get_builder_config(f"{FILE}.build.metadata.json")
    assert built == {key: str(value) for key, value in plan.builder_cfg.items()}
    assert parser.get_device_properties(None) == {}
    imported, names = parser.import_graph_file(f"{FILE}.graph.json")
    assert [one["Name"] for one in imported] == plan.df["Name"].tolist()
    assert names == plan.bindings


def test_what_is_no_json_is_named(tmp_path) -> None:
    file = tmp_path / "graph.json"
    file.write_text("{")
    with pytest.raises(ValueError, match=r"graph\.json is not JSON"):
        parser.read_graph_file(file)
    file.write_text('{"Layers": ["conv1"]}')
    with pytest.raises(ValueError, match="profilingVerbosity=detailed"):
        parser.read_graph_file(file)


def test_archives_are_written_and_read(tmp_path) -> None:
    file = tmp_path / "run.tea"
    archive = archiving.EngineArchive(file)
    for path in ENGINE.glob("*.json"):
        archive.writef_bin(path.name, path.read_bytes())
    archive.writef_txt("notes.txt", "batch 32\nA100")
    with archive, archiving.get_reader(archive, "notes.txt") as reader:
        assert [line.strip() for line in reader.readlines()] == ["batch 32", "A100"]
    again = archiving.EngineArchive(file)
    assert sorted(again.names()) == sorted(
        [*(one.name for one in ENGINE.glob("*.json")), "notes.txt"]
    )
    assert len(again.engine().work_layers) == 35
    assert len(trex.EnginePlan(file).df) == 35
    with pytest.raises(FileExistsError):
        archive.writef_txt("notes.txt", "twice")


def test_what_was_there_is_replaced_when_something_is_written(tmp_path) -> None:
    file = tmp_path / "run.tea"
    archiving.EngineArchive(file).writef_txt("old.txt", "1")
    kept = archiving.EngineArchive(file, override_files=False)
    assert kept.readf("old.txt") == b"1"
    with pytest.raises(FileExistsError):
        kept.writef_txt("new.txt", "2")
    archiving.EngineArchive(file).writef_txt("new.txt", "2")
    assert archiving.EngineArchive(file).names() == ["new.txt"]


def test_building_needs_tensorrt(tmp_path) -> None:
    archive = archiving.EngineArchive(tmp_path / "run.tea")
    with pytest.raises(NotImplementedError, match="TensorRT"):
        archive.Builder(None)
    with archiving.get_writer(None, tmp_path / "plain.txt") as writer:
        writer.write("plain")
    with archiving.get_reader(None, tmp_path / "plain.txt") as reader:
        assert reader.read() == "plain"


def test_logs_are_read_out_of_archives(tmp_path) -> None:
    archive = archiving.EngineArchive(tmp_path / "run.tea")
    log = "[11/23/2026-10:00:00] [I] "
    lines = ["=== Build Options ===", "Precision: FP32+FP16", "=== Performance summary ===",
             "Throughput: 100.5 qps"]  # fmt: skip
    archive.writef_txt("build.log", "".join(f"{log}{line}\n" for line in lines))
    assert parser.parse_build_log("build.log", archive)["build_options"] == {
        "Precision": "FP32+FP16"
    }
    measured = parser.parse_profiling_log("build.log", archive)["performance_summary"]
    assert measured["Throughput"] == 100.5


def test_the_workbook_has_the_frame_and_a_chart_of_every_view(plan, tmp_path, capsys) -> None:
    file = tmp_path / "summary.xlsx"
    ExcelSummary(plan, file).generate_default_summary()
    assert capsys.readouterr().out == f"{file} has been saved\n"
    book = openpyxl.load_workbook(file)
    assert book.sheetnames == [
        "Plan",
        "Latency per layer (%)",
        "Latency per layer (ms)",
        "Layer latency distribution",
        "Precision per layer",
        "Output precision per layer",
        "Count per layer type",
        "Latency per layer type (ms)",
        "Latency per layer type (%)",
        "Precision per layer type",
        "Precision rollup",
        "Weights footprint per layer",
        "Activation footprint per layer",
        "Total footprint per layer",
        "Weights footprint distribution ",
        "Activations footprint distribut",
        "Total footprint distribution pe",
    ]
    rows = list(book["Plan"].iter_rows(min_row=4, min_col=2, values_only=True))
    column = rows[0].index("latency.avg_time")
    assert sum(row[column] for row in rows[1:]) == pytest.approx(plan.total_runtime)
    by_type = {row[0]: row[1] for row in book["Count per layer type"].iter_rows(values_only=True)}
    assert by_type == {"name": "value", "Convolution": 21, "Pooling": 2, "Reformat": 12}
    distribution = book["Layer latency distribution"].iter_rows(min_row=2, values_only=True)
    assert sum(sum(row[1:4]) for row in distribution) == 35
    charts = {sheet.title: len(sheet._charts) for sheet in book}
    assert charts.pop("Plan") == charts.pop("Precision per layer type") == 0
    assert charts.pop("Precision rollup") == 2
    assert set(charts.values()) == {1}


def test_workbooks_take_frames_and_pictures(plan, tmp_path) -> None:
    picture = tmp_path / "plan.png"
    picture.write_bytes(plan.engine.draw(format="png", scale=0.2, slowest=1).data)
    file = tmp_path / "own.xlsx"
    odd = plan.df[:1].assign(Name="=1+1", long="x" * 40000)
    with ExcelSummary(plan, path=file) as summary:
        summary.add_dataframes({"clean_df": trex.clean_for_display(plan.df), "odd": odd})
        summary.add_images({"drawing": picture})
        with pytest.raises(FileNotFoundError, match=r"none\.png"):
            summary.add_images({"none": tmp_path / "none.png"})
    book = openpyxl.load_workbook(file)
    assert book.sheetnames == ["clean_df", "odd", "drawing"]
    with zipfile.ZipFile(file) as parts:
        assert parts.read("xl/media/image1.png") == picture.read_bytes()
    rows = list(book["odd"].iter_rows(min_row=4, min_col=2, values_only=True))
    cells = dict(zip(rows[0], rows[1], strict=True))
    assert (cells["Name"], len(cells["long"])) == ("=1+1", 32767)


def test_the_model_for_netron_has_a_node_for_each_layer(plan, tmp_path) -> None:
    graph = graphing.OnnxGraph(plan)
    assert len(graph.onnx_model.graph.node) >= len(plan.layers)
    graph.save(tmp_path / "plan.onnx")
    assert (tmp_path / "plan.onnx").stat().st_size > 1000


def test_regions_say_who_writes_and_reads(plan) -> None:
    graph = graphing.PlanGraph(plan, include_regions=True)
    region = next(one for one in graph.regions if one.name == "onnx::MaxPool_136")
    assert region.writers() == [("conv1.weight + QuantizeLinear_7 + Conv_9", 0)]
    assert region.readers(0) == [("MaxPool_12", 0)]
    assert not region.is_placeholder()
    assert str(region.generations[0].tensor) == "onnx::MaxPool_136: [32, 64, 112, 112]xFP32 NCHW"
    edges = {(edge.src.layer_name, edge.dst.layer_name) for edge in graph.edges_list}
    assert ("onnx::MaxPool_136.0", "MaxPool_12") in edges
    assert ("input.1", "QuantizeLinear_2") in edges


def test_what_is_not_installed_is_named(plan, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(ImportError, match=r"needs plotly: pip install 'planex-explorer\[trex\]'"):
        trex.plotting.plotly_bar2(plan.df, "Time", "latency.avg_time", "Name")
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(ImportError, match="needs xlsxwriter"):
        ExcelSummary(plan)


def test_options_of_trex_change_the_drawing(plan) -> None:
    formatter = graphing.layer_node_formatters["layer_type"]
    plain = graphing.to_dot(plan, formatter).render("svg")
    named = graphing.to_dot(plan, formatter, highlight_layers=["MaxPool_12"]).render("svg")
    assert graphing.to_dot(plan, formatter, highlight_layers=[2]).render("svg") == named
    for name, renderer in graphing.layer_node_renderers.items():
        drawn = graphing.to_dot(
            plan, formatter, layer_node_renderer=renderer, expand_layer_details=True
        ).render("svg")
        assert (drawn == plain) == (name == "Keras")
    minimal = graphing.layer_node_renderers["Minimal"]
    assert graphing.to_dot(plan, formatter, layer_node_renderer=minimal).render("svg") != plain
    # TREx spells it so.
    graphing.to_dot(plan, formatter, display_matadata=True, latency_type=graphing.latency_types[1])
    with pytest.raises(TypeError, match="layer_node_formatters"):
        graphing.to_dot(plan, lambda layer: {})  # type: ignore[arg-type]
    assert formatter(plan.layers[1])["fillcolor"] == trex.layer_colormap["Convolution"]


def test_files_that_are_missing_are_named() -> None:
    with pytest.raises(planex.NotFoundError, match=r"none\.log"):
        parser.parse_build_log("none.log")
