"""`planex quantize` and `planex accuracy` on models, with the real OpenVINO.

The model is small and made here; what its Q/DQ mean is asked of ONNX's own reference evaluator.
"""

from __future__ import annotations

import json
import subprocess
import zlib

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

pytestmark = pytest.mark.usefixtures("driver")

SHAPE = (1, 3, 16, 16)
CLASSES = 10


def weights(draw, *shape):
    return draw.normal(0, 1 / np.sqrt(np.prod(shape[1:])), shape).astype("float32")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """model.onnx: two convolutions, a residual sum, a product and a Softmax; and samples.npz."""
    folder = tmp_path_factory.mktemp("quantize")
    draw = np.random.default_rng(7)
    constants = {
        "w1": weights(draw, 16, 3, 3, 3),
        "b1": weights(draw, 16),
        "w2": weights(draw, 16, 16, 3, 3),
        "w3": weights(draw, 16, CLASSES),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["r1"], "relu1"),
        helper.make_node("Conv", ["r1", "w2"], ["c2"], "conv2", pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["c2", "r1"], ["s"], "sum"),
        helper.make_node("GlobalAveragePool", ["s"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flatten"),
        helper.make_node("MatMul", ["f", "w3"], ["logits"], "head"),
        helper.make_node("Softmax", ["logits"], ["y"], "softmax", axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, CLASSES))],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    np.savez(folder / "samples.npz", x=draw.normal(0, 1, (48, *SHAPE[1:])).astype("float32"))
    return folder


@pytest.fixture(scope="session")
def quantized(planex, folder):
    """The document of a run with the default settings."""
    return json.loads(
        planex(
            *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
            *["--samples", "32", "-o", folder / "int8.onnx", "--format", "json"],
            # The first opset whose Q/DQ the reference evaluator has.
            *["--cache", folder / "model.cache", "--opset", "19"],
        ).stdout
    )


def fails(planex_bin, *words):
    """The exit code and what is said."""
    done = subprocess.run(
        [planex_bin, *map(str, words)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def sqnr_db(reference, subject):
    reference, subject = reference.astype("float64"), subject.astype("float64")
    return 10 * np.log10((reference**2).sum() / ((subject - reference) ** 2).sum())


def test_model_is_valid_and_named(folder, quantized):
    model = onnx.load(folder / "int8.onnx")
    onnx.checker.check_model(model, full_check=True)
    assert quantized["schema"] == "planex.quantize/1"
    assert quantized["layers"] == ["conv1", "conv2", "head"]
    assert quantized["calibration_count"] == 32
    assert quantized["judge_count"] == 16
    kinds = [node.op_type for node in model.graph.node]
    assert kinds.count("QuantizeLinear") == len(quantized["tensors"])
    # What was not quantized is as it was.
    assert [node.name for node in model.graph.node if node.op_type == "Softmax"] == ["softmax"]
    beside = json.loads((folder / "int8.onnx.quantize.json").read_text("utf-8"))
    assert beside == quantized


def test_engine_has_the_records_of_its_model(planex, folder, quantized, tmp_path):
    """What each layer lost stands beside what it takes, once the engine's files lie together."""
    run = tmp_path / "run"
    words = ["--", "--iterations", "5", "--warmup", "2"]
    planex("process", folder / "int8.onnx", "-o", run, *words)
    copy = run / "int8.quantize.json"
    assert copy.read_bytes() == (folder / "int8.onnx.quantize.json").read_bytes()
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    assert copy.name in [artefact["file"] for artefact in manifest["artefacts"]]
    planex(
        *["accuracy", folder / "model.onnx", folder / "int8.onnx"],
        *["--data", folder / "samples.npz", "-o", run / "accuracy.json"],
    )
    told = json.loads((run / "accuracy.json").read_text("utf-8"))

    def rows(query):
        return json.loads(planex("query", run, query, "--format", "json").stdout)["rows"]

    assert rows("SELECT tensor, threshold FROM calibration") == [
        [tensor["tensor"], tensor["threshold"]] for tensor in quantized["tensors"]
    ]
    assert rows("SELECT tensor, simulated_db, engine_db FROM accuracy") == [
        [tensor["tensor"], tensor["simulated_db"], tensor["engine_db"]] for tensor in told["layers"]
    ]
    joined = rows(
        "SELECT tensor, op_name FROM accuracy JOIN sources USING (layer_id, op_name) "
        "WHERE tensor IN ('c2', 'logits')"
    )
    assert joined == [["c2", "conv2"], ["logits", "head"]]
    for tensor in quantized["tensors"]:
        assert sum(tensor["histogram"]) > 0
    # A run of the float model into the same folder would be another engine's; without a record
    # there is none.
    planex("process", folder / "model.onnx", "-o", tmp_path / "float", *words)
    assert not list((tmp_path / "float").glob("*.quantize.json"))


@pytest.mark.parametrize("opset", [13, 19, 21])
def test_opsets(planex, folder, tmp_path, opset):
    output = tmp_path / "q.onnx"
    planex(
        *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
        *["--method", "minmax", "--opset", str(opset), "--target", "tensorrt", "-o", output],
    )
    model = onnx.load(output)
    assert model.opset_import[0].version == opset
    onnx.checker.check_model(model, full_check=True)
    points = [tensor for tensor in model.graph.initializer if "zero_point" in tensor.name]
    assert points
    assert not any(numpy_helper.to_array(point).any() for point in points)


def test_ranges_are_those_of_numpy(folder, quantized):
    data = np.load(folder / "samples.npz")["x"]
    seen = {tensor["tensor"]: tensor for tensor in quantized["tensors"]}
    # Which 32 of the 48 were drawn is planex's affair; no range is beyond that of all.
    assert data.min() <= seen["x"]["min"] < seen["x"]["max"] <= data.max()
    assert seen["r1"]["min"] == 0
    # For OpenVINO what is never negative has all levels above 0; x is about even.
    assert (seen["r1"]["is_unsigned"], seen["r1"]["zero_point"]) == (True, 0)
    assert (seen["x"]["is_unsigned"], seen["x"]["zero_point"]) == (False, 0)
    for tensor in seen.values():
        if tensor["zero_point"] == 0:
            steps = 255 if tensor["is_unsigned"] else 127
            assert tensor["scale"] == pytest.approx(tensor["threshold"] / steps, rel=1e-6)
    applied = [one["tensor"] for one in quantized["decisions"] if is_shifted(one)]
    assert applied == [name for name, tensor in seen.items() if tensor["is_unsigned"]]


def is_shifted(decision):
    return decision["rule"] == "unsigned-activations"


def test_zero_points_are_those_of_the_file(folder, quantized):
    model = onnx.load(folder / "int8.onnx")
    constants = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    told = {tensor["tensor"]: tensor for tensor in quantized["tensors"]}
    pairs = [node for node in model.graph.node if node.op_type == "QuantizeLinear"]
    assert len(pairs) == len(told)
    for node in pairs:
        scale, point = constants[node.input[1]], constants[node.input[2]]
        tensor = told[node.input[0]]
        assert (point.dtype == np.uint8) == tensor["is_unsigned"]
        assert point == tensor["zero_point"]
        assert scale == np.float32(tensor["scale"])


def test_lopsided_ranges_have_a_zero_point_for_openvino_alone(planex, tmp_path):
    """Hard-swish: from -0.375 up. Both models are run by ONNX's reference evaluator."""
    draw = np.random.default_rng(3)
    nodes = [
        helper.make_node("HardSwish", ["x"], ["h"], "act"),
        helper.make_node("MatMul", ["h", "w"], ["y"], "head"),
    ]
    graph = helper.make_graph(
        nodes,
        "swish",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (4, 32))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (4, 16))],
        [numpy_helper.from_array(weights(draw, 32, 16), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    onnx.save(model, tmp_path / "swish.onnx")
    data = draw.normal(0, 2, (16, 4, 32)).astype("float32")
    np.save(tmp_path / "x.npy", data)
    found = {}
    for target in ("openvino", "tensorrt"):
        output = tmp_path / f"{target}.onnx"
        told = json.loads(
            planex(
                *["quantize", tmp_path / "swish.onnx", "--data", tmp_path / "x.npy"],
                *["--target", target, "--method", "mse", "--weight-bits", "8", "-o", output],
                *["--judge-samples", "0", "--format", "json"],
            ).stdout
        )
        before = ReferenceEvaluator(model)
        after = ReferenceEvaluator(onnx.load(output))
        rows = [(before.run(None, {"x": row}), after.run(None, {"x": row})) for row in data]
        found[target] = (
            told["tensors"][0],
            sqnr_db(
                np.concatenate([one[0] for one, _ in rows]),
                np.concatenate([two[0] for _, two in rows]),
            ),
        )
    shifted, signed = found["openvino"], found["tensorrt"]
    assert shifted[0]["is_unsigned"] and 5 < shifted[0]["zero_point"] < 60
    assert not signed[0]["is_unsigned"] and signed[0]["zero_point"] == 0
    assert shifted[1] > signed[1] + 3


def test_simulation_is_that_of_the_reference_evaluator(planex, folder, quantized):
    """The loss that planex tells is the one that ONNX's own evaluator has."""
    told = json.loads(
        planex(
            *["accuracy", folder / "model.onnx", folder / "int8.onnx", "--format", "json"],
            *["--data", folder / "samples.npz", "--samples", "48"],
        ).stdout
    )
    floats, integers = [], []
    before = ReferenceEvaluator(with_output(folder / "model.onnx", "logits"))
    after = ReferenceEvaluator(with_output(folder / "int8.onnx", "logits"))
    for sample in np.load(folder / "samples.npz")["x"]:
        floats.append(before.run(None, {"x": sample[None]})[-1])
        integers.append(after.run(None, {"x": sample[None]})[-1])
    expected = sqnr_db(np.concatenate(floats), np.concatenate(integers))
    assert told["simulated"][0]["tensor"] == "logits"
    assert told["simulated"][0]["sqnr_db"] == pytest.approx(expected, abs=0.2)
    assert quantized["scores"], "each method was judged"


def with_output(path, tensor):
    model = onnx.load(path)
    model.graph.output.append(helper.make_tensor_value_info(tensor, TensorProto.FLOAT, None))
    return model


def test_layers_are_looked_at(planex, folder, quantized):
    assert quantized
    told = json.loads(
        planex(
            *["accuracy", folder / "model.onnx", folder / "int8.onnx", "--format", "json"],
            *["--data", folder / "samples.npz", "--samples", "8"],
        ).stdout
    )
    layers = {layer["tensor"]: layer for layer in told["layers"]}
    assert {"c1", "c2", "logits"} <= set(layers)
    assert all(layer["tap"] in ("verified", "disturbed") for layer in layers.values())
    assert layers["c1"]["simulated_db"] > 20
    text = planex(
        *["accuracy", folder / "model.onnx", folder / "int8.onnx", "--all"],
        *["--data", folder / "samples.npz", "--samples", "8"],
    ).stdout
    assert "what it cost" in text and "c2" in text


def test_maps_are_where_tensors_differ(planex, folder, quantized):
    assert quantized
    told = json.loads(
        planex(
            *["accuracy", folder / "model.onnx", folder / "int8.onnx", "--format", "json"],
            *["--data", folder / "samples.npz", "--samples", "8", "--maps", "2"],
        ).stdout
    )
    maps = told["maps"]
    tensors = list(dict.fromkeys(one["tensor"] for one in maps))
    assert 1 <= len(tensors) <= 2
    layers = {layer["tensor"]: layer for layer in told["layers"]}
    for tensor in tensors:
        shown = {one["shown"]: one for one in maps if one["tensor"] == tensor}
        assert {"float", "simulated"} <= set(shown) <= {"float", "simulated", "engine"}
        for one in shown.values():
            assert len(one["cells"]) == one["height"] * one["width"]
            assert max(one["cells"]) in (0, 255) and min(one["cells"]) >= 0
            assert one["height"] <= 64 and one["width"] <= 64
        # No mean is above the largest difference of all samples.
        largest = layers[tensor]["simulated_max_abs"]
        assert shown["simulated"]["step"] * 255 <= largest * (1 + 1e-6)
    without = json.loads(
        planex(
            *["accuracy", folder / "model.onnx", folder / "int8.onnx", "--format", "json"],
            *["--data", folder / "samples.npz", "--samples", "8"],
        ).stdout
    )
    assert without["maps"] == []
    assert without["layers"] == told["layers"], "drawing changes no figure"


def test_same_bytes_twice_and_on_two_threads(planex, folder, tmp_path):
    made = []
    for name, threads in (("a", 1), ("b", 1), ("c", 2)):
        output = tmp_path / f"{name}.onnx"
        planex(
            *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
            *["--method", "mse", "--threads", str(threads), "-o", output],
        )
        made.append(output.read_bytes())
    assert made[0] == made[1] == made[2]


def test_each_kind_of_data_is_the_same(planex, folder, tmp_path):
    """An .npz, a folder of .npy, raw files and an array per sample give the same model."""
    data = np.load(folder / "samples.npz")["x"]
    (tmp_path / "npy").mkdir()
    (tmp_path / "raw").mkdir()
    for number, sample in enumerate(data):
        np.save(tmp_path / f"npy/{number:03}.npy", sample[None])
        sample.tofile(tmp_path / f"raw/{number:03}.bin")
    np.save(tmp_path / "batched.npy", data[:, None].astype("float64"))
    made = []
    for source in (
        folder / "samples.npz",
        tmp_path / "npy",
        f"raw:{tmp_path / 'raw'}",
        tmp_path / "batched.npy",
    ):
        planex(
            *["quantize", folder / "model.onnx", "--data", source],
            *["--method", "percentile:99.9", "-o", tmp_path / "q.onnx"],
        )
        made.append((tmp_path / "q.onnx").read_bytes())
    assert all(one == made[0] for one in made)


def test_kept_layers_stay_in_float(planex, folder, tmp_path):
    told = json.loads(
        planex(
            *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
            *["--method", "minmax", "--keep", "conv2", "-o", tmp_path / "k.onnx"],
            *["--format", "json"],
        ).stdout
    )
    assert told["layers"] == ["conv1", "head"]
    model = onnx.load(tmp_path / "k.onnx")
    assert "w2" in {tensor.name for tensor in model.graph.initializer}


def test_only_these_operators(planex, planex_bin, folder, tmp_path):
    command = ["quantize", folder / "model.onnx", "--data", folder / "samples.npz"]
    command += ["--method", "minmax", "-o", tmp_path / "q.onnx"]
    for target in ("openvino", "tensorrt-rtx"):
        words = ["--target", target, "--only-op", "Conv", "--format", "json"]
        assert json.loads(planex(*command, *words).stdout)["layers"] == ["conv1", "conv2"]
    command = ["quantize", folder / "model.onnx", "-o", tmp_path / "q.onnx"]
    code, said = fails(planex_bin, *command, "--to", "int4", "--only-op", "Conv")
    assert code == 2 and "int4" in said and "MatMul" in said


def test_cache_holds_the_scales(folder, quantized):
    lines = (folder / "model.cache").read_text("ascii").splitlines()
    assert lines[0].startswith("TRT-") and lines[0].endswith("-EntropyCalibration2")
    scales = {}
    for line in lines[1:]:
        name, _, digits = line.rpartition(": ")
        scales[name] = np.frombuffer(bytes.fromhex(digits), ">f4")[0]
    # Signed, whatever the model has.
    assert scales == {
        tensor["tensor"]: np.float32(tensor["threshold"] / 127) for tensor in quantized["tensors"]
    }


def test_cache_for_dla_has_a_scale_for_every_float_tensor(planex, folder, tmp_path):
    told = json.loads(
        planex(
            *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
            *["--target", "tensorrt", "--method", "minmax", "--cache", tmp_path / "dla.cache"],
            *["--dla", "-o", tmp_path / "q.onnx", "--format", "json"],
        ).stdout
    )
    lines = (tmp_path / "dla.cache").read_text("ascii").splitlines()[1:]
    scales = {}
    for line in lines:
        name, _, digits = line.rpartition(": ")
        scales[name] = float(np.frombuffer(bytes.fromhex(digits), ">f4")[0])
    assert list(scales) == ["x", "c1", "r1", "c2", "s", "p", "f", "logits", "y"]
    for tensor in told["tensors"]:
        assert scales[tensor["tensor"]] == pytest.approx(tensor["threshold"] / 127, rel=1e-6)
    # Of those that have no pair the range is that of the calibration samples.
    assert 0 < scales["y"] <= 1 / 127 * 1.0001
    assert all(scale > 0 for scale in scales.values())


def test_dla_needs_a_cache(planex_bin, folder, tmp_path):
    code, words = fails(
        planex_bin,
        *["quantize", folder / "model.onnx", "--data", folder / "samples.npz", "--dla"],
        *["-o", tmp_path / "q.onnx"],
    )
    assert code == 2 and "--cache" in words


def write_png(path, pixels):
    """RGB, without a filter."""
    height, width, _ = pixels.shape

    def chunk(kind, body):
        check = zlib.crc32(kind + body).to_bytes(4, "big")
        return len(body).to_bytes(4, "big") + kind + body + check

    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", size + bytes([8, 2, 0, 0, 0]))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


@pytest.fixture(scope="session")
def labelled(folder, tmp_path_factory):
    """Pictures in folders that are called like what the float model makes of them, but every
    fourth, which lies in the next one."""
    root = tmp_path_factory.mktemp("labelled")
    draw = np.random.default_rng(11)
    evaluator = ReferenceEvaluator(onnx.load(folder / "model.onnx"))
    for label in range(CLASSES):
        (root / str(label)).mkdir()
    for number in range(64):
        pixels = draw.integers(0, 256, (16, 16, 3), "uint8")
        data = (pixels / 255).astype("float32").transpose(2, 0, 1)[None]
        answer = int(evaluator.run(None, {"x": data})[0].argmax())
        if number % 4 == 3:
            answer = (answer + 1) % CLASSES
        write_png(root / str(answer) / f"{number:03}.png", pixels)
    return root


def test_labels_are_held_against_the_models(planex, folder, labelled, tmp_path):
    told = json.loads(
        planex(
            *["quantize", folder / "model.onnx", "--data", labelled, "--method", "minmax"],
            *["--judge", labelled, "--judge-samples", "64", "-o", tmp_path / "q.onnx"],
            *["--format", "json"],
        ).stdout
    )
    (score,) = told["labels"]
    assert score["tensor"] == "logits"
    assert (score["original"]["right"], score["original"]["total"]) == (48, 64)
    assert 0.63 < score["original"]["low"] < 0.65 and 0.83 < score["original"]["high"] < 0.85
    for kind in ("simulated", "engine"):
        assert score[kind]["total"] == 64
        assert 24 <= score[kind]["right"] <= 64


def test_labels_that_are_not_classes_are_left_out_and_said(planex, folder, labelled, tmp_path):
    data = tmp_path / "data"
    for name in ("cats", "dogs"):
        (data / name).mkdir(parents=True)
    for number, path in enumerate(sorted(labelled.rglob("*.png"))[:12]):
        (data / ("cats" if number % 2 else "dogs") / path.name).write_bytes(path.read_bytes())
    told = json.loads(
        planex(
            *["quantize", folder / "model.onnx", "--data", data, "--method", "minmax"],
            *["-o", tmp_path / "q.onnx", "--format", "json"],
        ).stdout
    )
    assert told["labels"] == []
    assert any("2 different labels" in note for note in told["notes"])


def test_unknown_node_names_the_nearest(planex_bin, folder, tmp_path):
    code, words = fails(
        planex_bin,
        *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
        *["--keep", "conv3", "-o", tmp_path / "out.onnx"],
    )
    assert code in (2, 3)
    assert "conv3" in words and "conv" in words.split("conv3", 1)[1]
