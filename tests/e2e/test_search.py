"""`planex search` with the real OpenVINO: layers that have to stay in float are found.

The model is small and made here, so that its culprits are known: convolutions that read channels
of very different sizes, which one scale for all of them can't hold.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import time

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

pytestmark = pytest.mark.usefixtures("driver")

CHANNELS = 16
SHAPE = (1, CHANNELS, 8, 8)
LAYERS = 12
# Each reads channels of which one is so many times as large as the others.
CULPRITS = {"conv3": 300, "conv8": 200}
FAST = ["--method", "minmax", "--samples", "16", "--judge-samples", "16"]


def spread(culprit):
    """Sizes of the channels that it reads: the others share the 8 bits with the first."""
    sizes = np.ones(CHANNELS, "float32")
    sizes[0] = CULPRITS[culprit]
    return sizes


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """model.onnx: a chain of convolutions and a head; samples.npz."""
    folder = tmp_path_factory.mktemp("search")
    draw = np.random.default_rng(11)
    nodes, constants, tensor = [], {}, "x"
    for number in range(LAYERS):
        kernel = draw.normal(0, 1 / np.sqrt(9 * CHANNELS), (CHANNELS, CHANNELS, 3, 3))
        # What makes the culprit's input spreads the channels; the culprit takes it back, so that
        # each channel counts the same for it.
        if f"conv{number + 1}" in CULPRITS:
            kernel *= spread(f"conv{number + 1}")[:, None, None, None]
        if f"conv{number}" in CULPRITS:
            kernel /= spread(f"conv{number}")[None, :, None, None]
        constants[f"w{number}"] = kernel.astype("float32")
        name, output = f"conv{number}", f"t{number}"
        nodes.append(helper.make_node("Conv", [tensor, f"w{number}"], [output], name, pads=[1] * 4))
        tensor = f"{output}_act"
        nodes.append(helper.make_node("LeakyRelu", [output], [tensor], f"act{number}"))
    constants["head"] = draw.normal(0, 0.2, (CHANNELS, 10)).astype("float32")
    nodes += [
        helper.make_node("GlobalAveragePool", [tensor], ["pooled"], "pool"),
        helper.make_node("Flatten", ["pooled"], ["flat"], "flatten"),
        helper.make_node("MatMul", ["flat", "head"], ["logits"], "fc"),
        helper.make_node("Softmax", ["logits"], ["y"], "softmax", axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 10))],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    np.savez(folder / "samples.npz", x=draw.normal(0, 1, (32, *SHAPE[1:])).astype("float32"))
    return folder


def command(folder, output, *words):
    return [
        *["search", folder / "model.onnx", "--data", folder / "samples.npz", "-o", output],
        *[*FAST, *words],
    ]


@pytest.fixture(scope="session")
def found(planex, folder):
    """The document of a search with a goal."""
    return json.loads(
        planex(
            *command(folder, folder / "int8.onnx", "--goal", "28dB", "--format", "json"),
            *["--export-nodes", folder / "nodes.txt", "--export-trtexec", folder / "trtexec.txt"],
        ).stdout
    )


def test_the_culprits_are_kept(folder, found):
    assert found["schema"] == "planex.search/1"
    assert found["is_reached"]
    kept = set(found["kept"]) & set(CULPRITS)
    # Float sums differ from processor to processor: one alone may reach the goal, or both must go.
    assert kept
    assert len(found["kept"]) <= 4
    worst = sorted(found["layers"], key=lambda layer: layer["alone_db"])[:2]
    assert {layer["node"] for layer in worst} == set(CULPRITS)
    assert found["all_int8_db"] < 20
    assert found["simulated"][0]["sqnr_db"] >= 28
    chosen = [point for point in found["front"] if point["is_chosen"]]
    assert [point["kept"] for point in chosen] == [found["kept"]]
    assert chosen[0]["judged_sqnr_db"] == found["simulated"][0]["sqnr_db"]
    model = onnx.load(folder / "int8.onnx")
    onnx.checker.check_model(model, full_check=True)
    floats = {tensor.name for tensor in model.graph.initializer if tensor.data_type == 1}
    assert {f"w{node.removeprefix('conv')}" for node in kept} <= floats
    assert json.loads((folder / "int8.onnx.search.json").read_text("utf-8")) == found


def test_layers_are_not_compiled_one_by_one(folder, found):
    """The state has one line per model that was measured, and there are 13 layers."""
    assert len(found["layers"]) == LAYERS + 1
    assert any("in one model whose layers are switched" in note for note in found["notes"])
    state = (folder / "int8.onnx.search-state").read_text("utf-8").splitlines()[1:]
    assert not [line for line in state if " only " in line]
    assert len({line.rpartition(" on ")[0] for line in state}) <= 12


def test_a_layer_alone_loses_what_a_model_with_it_alone_loses(planex, folder, tmp_path):
    """The switched model against `planex quantize` with all other layers in float."""
    words = ["--float-layers", "1", "--search-samples", "16", "--format", "json"]
    told = json.loads(planex(*command(folder, tmp_path / "int8.onnx", *words)).stdout)
    names = [layer["node"] for layer in told["layers"]]
    for layer in told["layers"]:
        if layer["node"] not in (*CULPRITS, "conv5", "fc"):
            continue
        kept = [word for name in names if name != layer["node"] for word in ("--keep", name)]
        alone = json.loads(
            planex(
                *["quantize", folder / "model.onnx", "--data", folder / "samples.npz", *FAST],
                *[*kept, "--weight-bits", str(told["weight_bits"])],
                *["-o", tmp_path / "alone.onnx", "--format", "json"],
            ).stdout
        )
        db = alone["scores"][0]["simulated"][0]["sqnr_db"]
        assert layer["alone_db"] == pytest.approx(db, abs=0.5), layer["node"]


def test_costs_are_those_of_the_shapes(found):
    layers = {layer["node"]: layer for layer in found["layers"]}
    assert layers["conv0"]["macs"] == 8 * 8 * CHANNELS * CHANNELS * 9
    assert layers["fc"]["macs"] == CHANNELS * 10
    assert layers["fc"]["weight_bytes"] == CHANNELS * 10 * 4
    assert sum(layer["macs_ratio"] for layer in layers.values()) == pytest.approx(1)
    for point in found["front"]:
        assert point["macs_ratio"] == pytest.approx(
            sum(layers[node]["macs_ratio"] for node in point["kept"])
        )


def test_no_point_of_the_front_is_beaten_when_measured_again(planex, folder, found, tmp_path):
    """Each point is written by `planex quantize` and measured by `planex accuracy`'s own way."""
    again = []
    for number, point in enumerate(found["front"]):
        kept = [word for node in point["kept"] for word in ("--keep", node)]
        told = json.loads(
            planex(
                *[
                    "quantize",
                    folder / "model.onnx",
                    "--data",
                    folder / "samples.npz",
                    *FAST,
                    *kept,
                    *["--weight-bits", str(found["weight_bits"])],
                ],
                *["-o", tmp_path / f"{number}.onnx", "--format", "json"],
            ).stdout
        )
        db = told["scores"][0]["simulated"][0]["sqnr_db"]
        assert db == pytest.approx(point["judged_sqnr_db"], abs=1e-6)
        again.append((len(point["kept"]), db))
    assert again == sorted(again)
    assert all(one[1] < two[1] for one, two in itertools.pairwise(again))
    assert all(one[0] < two[0] for one, two in itertools.pairwise(again))


def test_points_are_timed_in_turns(planex, folder, found, tmp_path):
    words = ["--goal", "28dB", "--measure", "--runs", "2", "--format", "json"]
    told = json.loads(planex(*command(folder, tmp_path / "int8.onnx", *words)).stdout)
    assert told["run_count"] == 2
    assert [point["kept"] for point in told["front"]] == [point["kept"] for point in found["front"]]
    for point in told["front"]:
        assert point["median_low_ms"] <= point["median_ms"] <= point["median_high_ms"]
        assert point["median_low_ms"] > 0
    # Nobody asked, so nothing is known.
    assert found["run_count"] == 0
    assert {point["median_ms"] for point in found["front"]} == {None}
    # The record goes with the engine, and is its table.
    planex("process", tmp_path / "int8.onnx", "-o", tmp_path / "run")
    query = "SELECT float_layers, median_ms, is_chosen FROM front ORDER BY point"
    rows = json.loads(planex("query", tmp_path / "run", query, "--format", "json").stdout)["rows"]
    assert rows == [
        [point["float_layers"], point["median_ms"], int(point["is_chosen"])]
        for point in told["front"]
    ]
    query = "SELECT count(*) FROM front_layers WHERE layer_id IS NULL"
    rows = json.loads(planex("query", tmp_path / "run", query, "--format", "json").stdout)["rows"]
    assert rows == [[0]], "each layer in float is one of the engine's"


def test_exports_say_the_same(planex, folder, found, tmp_path):
    assert (folder / "nodes.txt").read_text("utf-8").split() == found["kept"]
    planex(
        *["quantize", folder / "model.onnx", "--data", folder / "samples.npz", *FAST],
        *["--keep", f"@{folder / 'nodes.txt'}", "-o", tmp_path / "again.onnx"],
        *["--weight-bits", str(found["weight_bits"])],
    )
    assert (tmp_path / "again.onnx").read_bytes() == (folder / "int8.onnx").read_bytes()
    options = (folder / "trtexec.txt").read_text("utf-8").strip()
    assert options == found["trtexec_options"]
    types = ",".join(f"{node}:fp16" for node in found["kept"])
    assert options == (
        f"--precisionConstraints=obey --layerPrecisions={types} --layerOutputTypes={types}"
    )


def test_a_search_that_was_killed_goes_on(planex, planex_bin, folder, found, tmp_path):
    """SIGKILL in the middle, then the same again: the same bytes, and little is measured twice."""
    output, state = tmp_path / "int8.onnx", tmp_path / "state"
    words = command(folder, output, "--goal", "28dB", "--state", state)
    with subprocess.Popen([planex_bin, *map(str, words)], stderr=subprocess.DEVNULL) as run:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and run.poll() is None:
            if state.exists() and len(state.read_text("utf-8").splitlines()) > 3:
                break
            time.sleep(0.002)
        run.send_signal(signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL, "it was stopped before its end"
    assert not output.exists()
    known = len(state.read_text("utf-8").splitlines()) - 1
    done = subprocess.run(
        [planex_bin, *map(str, words), "--format", "json"], capture_output=True, check=True
    )
    assert known >= 3
    assert output.read_bytes() == (folder / "int8.onnx").read_bytes()
    told = json.loads(done.stdout)
    for part in ("front", "path", "layers", "kept"):
        assert told[part] == found[part]
    # All is known to a third run, whatever its goal; no model is compiled to be measured.
    before = state.read_bytes()
    planex(*command(folder, tmp_path / "other.onnx", "--float-layers", "1", "--state", state))
    assert state.read_bytes() == before


def test_same_bytes_on_two_threads(planex, folder, found, tmp_path):
    assert found
    planex(*command(folder, tmp_path / "two.onnx", "--goal", "28dB", "--threads", "2"))
    assert (tmp_path / "two.onnx").read_bytes() == (folder / "int8.onnx").read_bytes()


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (["--float-layers", "1"], lambda point: len(point["kept"]) <= 1),
        (["--float-share", "9%"], lambda point: point["macs_ratio"] <= 0.09),
    ],
    ids=["layers", "share"],
)
def test_limits_hold(planex, folder, found, tmp_path, words, most):
    """With the state of the search before: what it measured is not measured again."""
    assert found
    told = json.loads(
        planex(
            *command(folder, tmp_path / "q.onnx", *words, "--format", "json"),
            *["--state", folder / "int8.onnx.search-state"],
        ).stdout
    )
    assert all(most(point) for point in told["front"])
    assert len(told["front"]) > 1
    assert told["front"][-1]["is_chosen"]
    assert set(told["kept"]) & set(CULPRITS)
    assert not told["is_reached"], "there was no goal"


def test_a_goal_that_is_not_reached(planex_bin, folder, found, tmp_path):
    assert found
    output = tmp_path / "q.onnx"
    words = command(folder, output, "--goal", "200dB", "--float-layers", "1")
    state = ["--state", str(folder / "int8.onnx.search-state")]
    done = subprocess.run(
        [planex_bin, *map(str, words), *state], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "not reached" in done.stdout
    assert output.exists(), "the nearest was written"


def test_what_is_wrong_is_said(planex_bin, folder, tmp_path):
    other = tmp_path / "notes.txt"
    other.write_text("mine\n", "utf-8")
    for words, said in [
        ([], "needs a goal"),
        (["--goal", "20"], "is not a valid goal"),
        (["--float-share", "7"], "is not a share"),
        (["--goal", "20dB", "--state", str(other)], 'expected "planex.search-state/1"'),
        (["--goal", "20dB", "--cost", "ms"], "no layer has a time"),
        (["--goal", "20dB", "--cost", "layers", "--float-share", "5%"], "MACs as the cost"),
        (["--goal", "20dB", "--keep", "@" + str(tmp_path / "no.txt")], "no.txt"),
    ]:
        done = subprocess.run(
            [planex_bin, *map(str, command(folder, tmp_path / "q.onnx", *words))],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (2, 3), done.stderr
        assert said in done.stderr
        assert not (tmp_path / "q.onnx").exists()
    assert other.read_text("utf-8") == "mine\n"


def test_a_stop_leaves_what_was_measured(planex_bin, folder, tmp_path):
    """SIGTERM in the middle: a state that can be read, no model, no temporary folder."""
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    output = tmp_path / "q.onnx"
    words = command(folder, output, "--goal", "28dB")
    with subprocess.Popen(
        [planex_bin, *map(str, words)],
        env={**os.environ, "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
    ) as run:
        state = tmp_path / "q.onnx.search-state"
        deadline = time.monotonic() + 120
        while not state.exists() and time.monotonic() < deadline:
            time.sleep(0.002)
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=60)
    assert run.returncode != 0
    assert state.read_text("utf-8").startswith("planex.search-state/1 ")
    assert not output.exists()
    assert not list(scratch.iterdir())
