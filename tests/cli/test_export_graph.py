"""planex export --format onnx and node-data: read by onnx, and by Model Explorer's own classes."""

from __future__ import annotations

import collections
import dataclasses
import importlib
import importlib.util
import json
import re
import subprocess
import sys
import types
from decimal import Decimal

import pytest

onnx = pytest.importorskip("onnx")

PLAN = "resnet18-a100-qat"
CONTROL_FLOW = "examples/engines/small-onnxruntime"


def notes_of(holder) -> dict[str, str]:
    keys = [entry.key for entry in holder.metadata_props]
    assert len(set(keys)) == len(keys), "a key twice"
    return {entry.key: entry.value for entry in holder.metadata_props}


def all_nodes(graph):
    """Of the graph and of all graphs in it."""
    waiting = collections.deque([graph])
    while waiting:
        inner = waiting.popleft()
        for node in inner.node:
            yield node
            for attribute in node.attribute:
                waiting.extend([attribute.g] if attribute.HasField("g") else attribute.graphs)


def without_notes(model):
    for holder in [model, *all_nodes(model.graph)]:
        kept = [entry for entry in holder.metadata_props if not entry.key.startswith("planex.")]
        del holder.metadata_props[:]
        holder.metadata_props.extend(kept)
    return model.SerializeToString(deterministic=True)


@pytest.fixture(scope="session")
def resnet(root, tmp_path_factory):
    """The model that an example engine was made of, and the folder of that engine."""
    folder = tmp_path_factory.mktemp("models")
    script = root / "examples/resnet18/make_resnet18.py"
    words = [sys.executable, script, "--variant", "qdq-residual", "--batch", "1", "-o", folder]
    subprocess.run(list(map(str, words)), check=True, capture_output=True)
    return next(folder.glob("*.onnx")), root / "examples/engines/resnet18-openvino/qdq-residual"


def exported(planex, tmp_path, *words, name="out.onnx"):
    path = tmp_path / name
    planex("export", *words, "-o", path)
    return path


def check_sums(planex, engine, model, *words):
    """What stands on nodes and what does not is Σ layers, to the last digit."""
    about = notes_of(model)
    nodes = [notes_of(node) for node in all_nodes(model.graph)]
    on_nodes = sum(Decimal(note["planex.node_ms"]) for note in nodes if "planex.node_ms" in note)
    assert on_nodes == Decimal(about["planex.nodes_ms"])
    total = on_nodes + Decimal(about["planex.elsewhere_ms"])
    assert total == Decimal(about["planex.layers_ms"])
    summary = json.loads(planex("summary", engine, "--format", "json", *words).stdout)
    basis = about["planex.basis"]
    assert float(total) == pytest.approx(summary["time"][f"layers_{basis}_ms"], rel=1e-12)
    return nodes


def test_model_gets_times(planex, resnet, tmp_path):
    source, engine = resnet
    path = exported(planex, tmp_path, engine, "--model", source)
    onnx.checker.check_model(str(path))
    model, original = onnx.load(path), onnx.load(source)
    nodes = check_sums(planex, engine, model, "--model", source)
    assert without_notes(model) == original.SerializeToString(deterministic=True)
    with_layer = [note for note in nodes if "planex.layer" in note]
    assert len(with_layer) > 40
    sql = "SELECT layer_id, name, type, precision, share, median_ms FROM layers"
    rows = json.loads(planex("query", engine, sql, "--format", "json").stdout)["rows"]
    layers = {row[0]: row for row in rows}
    nodes_of_layer = collections.Counter()
    for note in with_layer:
        layer, name, kind, precision, share, median = layers[int(note["planex.layer_id"])]
        nodes_of_layer[layer] += 1
        assert note["planex.layer"] == name and note["planex.type"] == kind
        assert note["planex.precision"] == precision
        assert float(note["planex.share"]) == share
        assert float(note["planex.median_ms"]) == median
        # A part of a layer's time is never more than all of it.
        assert Decimal(note["planex.node_ms"]) <= Decimal(note["planex.median_ms"])
    for note in with_layer:
        position, count = re.fullmatch(r"(\d+) of (\d+)", note["planex.layer_nodes"]).groups()
        assert 1 <= int(position) <= int(count)
        if "planex.layer_count" not in note:
            assert int(count) >= nodes_of_layer[int(note["planex.layer_id"])]
        assert ("planex.part_by" in note) == (int(count) > 1)


def test_the_file_stays_as_it_is_elsewhere(planex, resnet, tmp_path):
    source, engine = resnet
    once = exported(planex, tmp_path, engine, "--model", source, name="once.onnx")
    twice = exported(planex, tmp_path, engine, "--model", once, name="twice.onnx")
    assert once.read_bytes() == twice.read_bytes(), "adding twice is adding once"
    # Unknown fields, metadata of others, and weights in a file of their own.
    model = onnx.load(source)
    model.graph.node[0].metadata_props.add(key="namespace", value="theirs")
    model.metadata_props.add(key="author", value="somebody")
    strange = tmp_path / "strange.onnx"
    onnx.save(model, strange, save_as_external_data=True, location="weights.bin")
    strange.write_bytes(strange.read_bytes() + b"\xfa\x3f\x03abc")  # field 1023
    path = exported(planex, tmp_path, engine, "--model", strange, name="annotated.onnx")
    assert path.read_bytes().endswith(b"\xfa\x3f\x03abc") or b"\xfa\x3f\x03abc" in path.read_bytes()
    assert path.stat().st_size < 400_000, "weights stay where they are"
    again = onnx.load(path)  # with the weights, whose path is as before
    notes = notes_of(again)
    assert notes["author"] == "somebody" and "planex.layers_ms" in notes
    assert notes_of(again.graph.node[0])["namespace"] == "theirs"
    weights = {t.name: onnx.numpy_helper.to_array(t).sum() for t in again.graph.initializer}
    assert weights == {
        t.name: onnx.numpy_helper.to_array(t).sum() for t in onnx.load(source).graph.initializer
    }


def test_subgraphs_get_times(planex, root, tmp_path):
    engine = root / CONTROL_FLOW
    path = exported(planex, tmp_path, engine)
    model = onnx.load(path)
    onnx.checker.check_model(model)
    nodes = check_sums(planex, engine, model)
    assert notes_of(model)["planex.layers_elsewhere"] == "0"
    inner = [note for note in nodes if note.get("planex.layer", "").startswith(("body_", "then_"))]
    assert inner and all("planex.node_ms" in note for note in inner)
    source = next(path for path in engine.glob("*.optimized.onnx"))
    assert without_notes(model) == onnx.load(source).SerializeToString(deterministic=True)


def test_real_models(planex, engines, tmp_path):
    for source in sorted(engines.glob("*/*.onnx")):
        path = exported(planex, tmp_path, source.parent, name=f"{source.stem}.onnx")
        model = onnx.load(path)
        onnx.checker.check_model(model)
        named = sum("planex.layer" in notes_of(node) for node in all_nodes(model.graph))
        assert named > 0, source
        assert without_notes(model) == onnx.load(source).SerializeToString(deterministic=True)


@pytest.mark.parametrize("engine", [PLAN, "controlnet-a10-trt8.6", "rtx1.7-loop"])
def test_layers_as_a_graph(planex, engines, tmp_path, engine):
    path = exported(planex, tmp_path, engines / engine, "--nodes", "layers")
    model = onnx.load(path)
    onnx.checker.check_model(model)
    summary = json.loads(planex("summary", engines / engine, "--format", "json").stdout)
    assert {node.domain for node in model.graph.node} == {"planex"}
    layers = [n for n in model.graph.node if any(a.name == "role" for a in n.attribute)]
    assert len(layers) == summary["layer_count"]
    if engine == PLAN:
        values = {value.name for value in model.graph.value_info}
        assert len(values) > 30 and model.graph.input[0].type.tensor_type.shape.dim


def test_words_that_are_wrong(planex, engines, resnet):
    source, _ = resnet
    words = ["export", PLAN, "--format", "onnx", "--nodes", "operations"]
    assert "--model FILE" in planex(*words, cwd=engines, code=2).stderr
    alien = ["export", "controlnet-a10-trt8.6", "--format", "onnx", "--model", source]
    result = planex(*alien, "--nodes", "operations", cwd=engines, code=2)
    assert "no layer of this engine comes from" in result.stderr


# --- Model Explorer ------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def explorer():
    """Its classes, without its server, and the adapter that reads ONNX for it.

    The package asks for an adapter of 500 MB for other formats as soon as it is imported whole, so
    its modules are imported one by one.
    """
    spec = importlib.util.find_spec("model_explorer")
    if spec is None or importlib.util.find_spec("model_explorer_onnx") is None:
        pytest.skip("Model Explorer is not here (ai-edge-model-explorer, model-explorer-onnx)")
    package = types.ModuleType("model_explorer")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules["model_explorer"] = package
    for name in ("graph_builder", "node_data_builder", "adapter", "types"):
        setattr(package, name, importlib.import_module(f"model_explorer.{name}"))
    package.Adapter = package.adapter.Adapter
    package.AdapterMetadata = package.adapter.AdapterMetadata
    package.ModelExplorerGraphs = package.types.ModelExplorerGraphs
    package.read = importlib.import_module("model_explorer_onnx.main").ONNXAdapter().convert
    return package


def as_explorer_data(explorer, text):
    """The document as its own classes hold it; what they have no field for is an error."""
    builder = explorer.node_data_builder
    graphs = {}
    for graph, data in json.loads(text).items():
        data["results"] = {
            key: builder.NodeDataResult(**value) for key, value in data["results"].items()
        }
        data["gradient"] = [builder.GradientItem(**item) for item in data.get("gradient", [])]
        graphs[graph] = builder.GraphNodeData(**data)
    model = builder.ModelNodeData(graphsData=graphs)
    again = json.loads(model.to_json_string())
    assert {graph: data["results"] for graph, data in again.items()} == {
        graph: data["results"] for graph, data in json.loads(text).items()
    }
    return model


def check_node_data(explorer, planex, onnx_path, *words):
    text = planex("export", *words, "--format", "node-data").stdout
    data = as_explorer_data(explorer, text)
    graphs = {
        graph.id: {node.id for node in graph.nodes}
        for graph in explorer.read(str(onnx_path), {})["graphs"]
    }
    for graph, values in data.graphsData.items():
        assert graph in graphs
        assert set(values.results) <= graphs[graph], set(values.results) - graphs[graph]
        for item in dataclasses.asdict(values)["gradient"]:
            assert re.fullmatch(r"#[0-9A-F]{6}", item["bgColor"])
    return data.graphsData


def test_node_data_of_a_model(planex, explorer, resnet, tmp_path):
    source, engine = resnet
    graphs = check_node_data(explorer, planex, source, engine, "--model", source)
    (values,) = graphs.values()
    path = exported(planex, tmp_path, engine, "--model", source)
    model = onnx.load(path)
    notes = {node.name: notes_of(node) for node in model.graph.node}
    wanted = {
        name: float(note["planex.node_ms"])
        for name, note in notes.items()
        if "planex.node_ms" in note
    }
    assert {name: result.value for name, result in values.results.items()} == wanted
    assert sum(wanted.values()) == pytest.approx(float(notes_of(model)["planex.nodes_ms"]))
    # Model Explorer shows the times of the ONNX model itself, too.
    (graph,) = explorer.read(str(path), {})["graphs"]
    shown = {attribute.key for node in graph.nodes for attribute in node.attrs}
    assert {"[metadata] planex.node_ms", "[metadata] planex.layer"} <= shown


def test_node_data_of_subgraphs(planex, explorer, root):
    engine = root / CONTROL_FLOW
    model = next(path for path in engine.glob("*.optimized.onnx"))
    graphs = check_node_data(explorer, planex, model, engine)
    assert len(graphs) == 2, "the main graph with the conditional in it, and the loop's"


def test_node_data_of_layers(planex, explorer, engines, tmp_path):
    for engine in (PLAN, "mobilenet-titanrtx-qat"):
        path = exported(planex, tmp_path, engines / engine, name=f"{engine}.onnx")
        (values,) = check_node_data(explorer, planex, path, engines / engine).values()
        summary = json.loads(planex("summary", engines / engine, "--format", "json").stdout)
        total = sum(result.value for result in values.results.values())
        assert total == pytest.approx(summary["time"]["layers_median_ms"])


def test_other_values(planex, explorer, resnet):
    source, engine = resnet
    words = [engine, "--model", source, "--value"]
    (parts,) = check_node_data(explorer, planex, source, *words, "time").values()
    (whole,) = check_node_data(explorer, planex, source, *words, "layer-time").values()
    (share,) = check_node_data(explorer, planex, source, *words, "share").values()
    (words,) = check_node_data(explorer, planex, source, *words, "precision").values()
    assert whole.hideAggregatedStats == ["sum"], "a sum would count layers several times"
    assert not parts.hideAggregatedStats
    assert all(whole.results[key].value >= part.value for key, part in parts.results.items())
    assert 90 < sum(result.value for result in share.results.values()) <= 100
    assert {result.value for result in words.results.values()} >= {"UINT8"}
    assert all(re.fullmatch("#[0-9A-F]{6}", r.bgColor) for r in words.results.values())


def test_names_as_model_explorer_makes_them(planex, explorer, tmp_path):
    helper = onnx.helper
    kind = onnx.TensorProto.FLOAT
    nodes = [
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Relu", ["b"], ["c"], name="x"),
        helper.make_node("Abs", ["c"], ["d"], name="x"),
        helper.make_node("Abs", ["d"], ["e"]),
        helper.make_node("Neg", ["e"], ["f"], name="node_1"),
        helper.make_node("Relu", ["f"], ["o"]),
    ]
    values = [helper.make_tensor_value_info(name, kind, [1]) for name in "ao"]
    graph = helper.make_graph(nodes, "", values[:1], values[1:])
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph), path)
    layers = [
        {"name": f"layer {i}", "median_ms": i + 1, "sources": [{"op_name": node.output[0]}]}
        for i, node in enumerate(nodes)
    ]
    plan = tmp_path / "m.plan.json"
    plan.write_text(json.dumps({"schema": "planex.plan/1", "layers": layers}))
    text = planex("export", plan, "--model", path, "--format", "node-data").stdout
    (graph,) = explorer.read(str(path), {})["graphs"]
    order = [node.id for node in graph.nodes if not node.id.startswith("[value]")]
    data = json.loads(text)
    assert graph.id in data, list(data)
    found = {key: value["value"] for key, value in data[graph.id]["results"].items()}
    assert found == {key: i + 1 for i, key in enumerate(order)}
