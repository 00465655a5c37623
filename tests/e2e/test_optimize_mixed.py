"""Steps of `planex optimize` that mix INT8 and float: by what layers take, and by what the goal
needs; and that these end with the budget, or at once when they are stopped."""

import json
import shlex
import signal
import subprocess
import time

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

SHORT = [f"--flag={word}" for word in ("--duration-ms", "60", "--warmup", "1")]


@pytest.fixture(autouse=True)
def driver(planex_bin):
    if not (planex_bin.parent / "planex-openvino").exists():
        pytest.skip("no planex-openvino beside planex")


def convolutions(folder, count, channels=32, size=24):
    """Pointwise and depthwise convolutions in turns, and samples."""
    draw = np.random.default_rng(11)
    nodes, weights, tensor = [], [], "x"
    for place in range(count):
        is_depthwise = place % 2 == 1
        shape = (channels, 1, 5, 5) if is_depthwise else (channels, channels, 1, 1)
        spread = np.prod(shape[1:]) ** -0.5
        weights.append(numpy_helper.from_array(
            draw.normal(0, spread, shape).astype("float32"), f"w{place}"))  # fmt: skip
        more = {"group": channels, "pads": [2] * 4} if is_depthwise else {}
        nodes.append(helper.make_node("Conv", [tensor, f"w{place}"], [f"c{place}"],
                                      f"conv{place}", **more))  # fmt: skip
        nodes.append(helper.make_node("Relu", [f"c{place}"], [f"r{place}"], f"relu{place}"))
        tensor = f"r{place}"
    value = helper.make_tensor_value_info
    shape = [1, channels, size, size]
    graph = helper.make_graph(
        nodes,
        "convolutions",
        [value("x", TensorProto.FLOAT, shape)],
        [value(tensor, TensorProto.FLOAT, shape)],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, folder / "net.onnx")
    samples = draw.normal(0, 1, (24, *shape)).astype("float32")
    np.savez(folder / "samples.npz", x=samples)
    return folder / "net.onnx"


def words_for(model, best, *more):
    return ["optimize", model, "--data", model.parent / "samples.npz", "--try", "precision",
            *SHORT, *more, "-o", best]  # fmt: skip


def steps_of(best):
    told = json.loads((best / "optimize.json").read_text("utf-8"))
    return told, {step["id"]: step for step in told["steps"]}


def test_layers_that_are_faster_in_float_stay_in_float(planex, tmp_path, monkeypatch):
    model = convolutions(tmp_path, 8)
    best = tmp_path / "best"
    planex(*words_for(model, best, "--goal", "8dB"), timeout=300)
    told, steps = steps_of(best)
    ids = [step["id"] for step in told["steps"]]
    assert ids.index("int8-where-faster") == ids.index("int8") + 1
    step = steps["int8-where-faster"]
    if step["state"] == "unchanged":
        # Which layers are faster is the machine's.
        assert "faster in float" in step["reason"]
        return
    assert step["state"] in ("kept", "not-faster", "not-confirmed"), step
    command = shlex.split(step["command"])
    kept = [command[place + 1] for place, word in enumerate(command) if word == "--keep"]
    assert kept and set(kept) < {f"conv{place}" for place in range(8)}
    assert f"{len(kept)} in float" in step["said"]
    monkeypatch.chdir(tmp_path)
    planex(*command[1:])
    # Exactly these have weights in float.
    graph = onnx.load(command[-1]).graph
    made_by = {name: node for node in graph.node for name in node.output}
    in_float = {node.name for node in graph.node
                if node.op_type == "Conv" and node.input[1] not in made_by}  # fmt: skip
    assert in_float == set(kept)
    if step["state"] == "kept":
        assert (tmp_path / command[-1]).read_bytes() == (best / "model.onnx").read_bytes()


def test_a_search_ends_with_the_budget(planex, tmp_path):
    """No mix reaches this goal, and to find that out takes longer than there is."""
    model = convolutions(tmp_path, 40, size=96)
    best = tmp_path / "best"
    start = time.monotonic()
    planex(*words_for(model, best, "--goal", "79dB", "--budget", "12s"), timeout=300)
    took = time.monotonic() - start
    told, steps = steps_of(best)
    assert sum(step["duration_s"] for step in told["steps"]) < 12 + 10, told["steps"]
    assert took < 12 + 40, "the ends are measured, and a report is written"
    step = steps["int8-mixed"]
    assert step["state"] in ("not-tried", "unchanged"), step
    assert "time" in step["reason"]


def test_ctrl_c_stops_what_is_being_made(planex_bin, tmp_path):
    model = convolutions(tmp_path, 40, size=96)
    best = tmp_path / "best"
    words = words_for(model, best, "--goal", "79dB")
    with subprocess.Popen([planex_bin, *words], stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 200
        while time.monotonic() < deadline:
            told = steps_of(best)[1] if (best / "optimize.json").exists() else {}
            if "fp16" in told:
                break
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        # In the midst of the next step, the search.
        time.sleep(1)
        assert process.poll() is None
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert time.monotonic() - start < 15
    told, steps = steps_of(best)
    assert told["is_interrupted"] and "int8-mixed" not in steps
