"""Results by labels, by the user's own programs, and against outputs that were saved elsewhere."""

from __future__ import annotations

import json
import stat
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from polygraphy_files import outputs_text

pytestmark = pytest.mark.usefixtures("driver")

CLASSES = 8
COUNT = 24


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """model.onnx: a Conv, a Relu, a head with a Softmax; samples, their labels, an INT8 model."""
    folder = tmp_path_factory.mktemp("scores")
    draw = np.random.default_rng(17)
    constants = {
        "w1": draw.normal(0, 0.2, (16, 3, 3, 3)).astype("float32"),
        "w2": draw.normal(0, 1.0, (16, CLASSES)).astype("float32"),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c"], "conv", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"], "relu"),
        helper.make_node("GlobalAveragePool", ["r"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flatten"),
        helper.make_node("MatMul", ["f", "w2"], ["logits"], "head"),
        helper.make_node("Softmax", ["logits"], ["y"], "softmax", axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "scored",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 8, 8))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, CLASSES))],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    samples = draw.normal(0, 1, (COUNT, 3, 8, 8)).astype("float32")
    np.savez(folder / "samples.npz", x=samples)
    return folder


def outputs_of(model, samples, *names):
    """Of each sample, as another runtime computes them."""
    model = onnx.load(model)
    for name in names:
        if name not in [value.name for value in model.graph.output]:
            model.graph.output.append(helper.make_empty_tensor_value_info(name))
    evaluator = ReferenceEvaluator(model)
    return [evaluator.run(list(names), {"x": sample[None]}) for sample in samples]


@pytest.fixture(scope="session")
def expected(folder):
    """What the float model says of each sample, in their order."""
    samples = np.load(folder / "samples.npz")["x"]
    return np.concatenate([y for (y,) in outputs_of(folder / "model.onnx", samples, "y")])


@pytest.fixture(scope="session")
def labels(folder, expected):
    """The class that the float model sees; of every fourth sample another, once its second."""
    classes = expected.argmax(axis=1)
    classes[::4] = np.argsort(expected[::4], axis=1)[:, -2]
    (folder / "labels.txt").write_text("".join(f"{one}\n" for one in classes), "utf-8")
    named = [f"samples.npz#{place},{one}\n" for place, one in enumerate(classes)]
    (folder / "labels.csv").write_text("".join(reversed(named)), "utf-8")
    return folder


@pytest.fixture(scope="session")
def quantized(planex, folder):
    planex(
        *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
        *["--method", "minmax", "--weight-bits", "7", "--opset", "19"],
        *["-o", folder / "int8.onnx"],
    )
    return folder / "int8.onnx"


def program(path, body):
    path.write_text(
        f"#!{sys.executable}\nimport json, sys, os\nimport numpy as np\n{body}", "utf-8"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


AGREEMENT = """
reference, subject = (np.load(path) for path in sys.argv[1:])
same = reference["y"].argmax(-1) == subject["y"].argmax(-1)
beside = os.path.join(os.path.dirname(sys.argv[1]), "samples.json")
samples = json.load(open(beside, encoding="utf-8"))
print("counting", file=sys.stderr)
print(json.dumps({
    "same": float(same.mean()),
    "rows": len(subject["y"]),
    "named": sum(sample["name"].startswith("samples.npz#") for sample in samples),
    "far": float(np.abs(reference["y"] - subject["y"]).max()),
}))
"""


@pytest.fixture
def judged(planex, folder, quantized, valid):
    def judge(*words):
        text = planex(
            *["accuracy", folder / "model.onnx", quantized, "--data", folder / "samples.npz"],
            *["--format", "json", *words],
        ).stdout
        return valid(text, "layer-accuracy")

    return judge


@pytest.mark.parametrize("file", ["labels.txt", "labels.csv"])
def test_labels_are_held_against_three_results(judged, labels, file):
    (score,) = judged("--outputs-only", "--labels", labels / file)["labels"]
    assert score["tensor"] == "logits"
    assert score["original"]["total"] == COUNT
    assert score["original"]["right"] == COUNT - COUNT // 4
    # Wilson's interval of 18 of 24.
    assert score["original"]["low"] == pytest.approx(0.551, abs=1e-3)
    assert score["original"]["high"] == pytest.approx(0.880, abs=1e-3)
    assert score["original_top5"]["right"] == COUNT
    for model in ("simulated", "engine"):
        assert abs(score[model]["right"] - score["original"]["right"]) <= 3
        assert score[f"{model}_top5"]["right"] >= score[model]["right"]


def test_labels_are_shown_and_those_of_others_refused(planex, folder, quantized, labels, tmp_path):
    words = ["accuracy", folder / "model.onnx", quantized, "--data", folder / "samples.npz"]
    words += ["--outputs-only"]
    text = planex(*words, "--labels", labels / "labels.txt").stdout
    assert "right by the labels" in text and "18 of 24" in text and "top-5 100" in text
    (tmp_path / "few.txt").write_text("1\n2\n", "utf-8")
    said = planex(*words, "--labels", tmp_path / "few.txt", code=3).stderr
    assert "2 labels, but the data has 24 samples" in said


def test_a_metric_is_asked_of_three_results(judged, folder, tmp_path):
    metric = program(tmp_path / "agree.py", AGREEMENT)
    told = judged("--outputs-only", "--metric", metric)
    values = {one["name"]: one for one in told["metrics"]}
    assert list(values) == ["same", "rows", "named", "far"]
    assert values["same"]["original"] == 1
    assert 0.5 < values["same"]["engine"] <= 1
    assert values["rows"] == {"name": "rows", "original": 24, "simulated": 24, "engine": 24}
    assert values["named"]["original"] == 24
    assert values["far"]["original"] == 0
    assert values["far"]["simulated"] > 0


def test_a_metric_of_quantize_and_in_the_engine(planex, valid, folder, tmp_path):
    number = program(tmp_path / "count.py", "print(len(np.load(sys.argv[2])['y']))")
    words = ["--data", folder / "samples.npz", "--method", "minmax", "-o", tmp_path / "q.onnx"]
    words += ["--metric", f"{sys.executable} {number}", "--format", "json"]
    told = valid(planex("quantize", folder / "model.onnx", *words).stdout, "quantize")
    count = told["judge_count"]
    (metric,) = told["metrics"]
    assert metric == {"name": "count", "original": count, "simulated": count, "engine": count}
    run = tmp_path / "run"
    planex("process", tmp_path / "q.onnx", "-o", run, "--", "--iterations", "2", "--warmup", "1")
    query = "SELECT key, value FROM metadata WHERE key LIKE 'metrics.%' ORDER BY key"
    rows = json.loads(planex("query", run, query, "--format", "json").stdout)["rows"]
    assert [key for key, _ in rows] == [
        "metrics.count.engine",
        "metrics.count.original",
        "metrics.count.simulated",
    ]
    assert {float(value) for _, value in rows} == {count}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.exit('labels.csv is missing')", "labels.csv is missing"),
        ("print('about 0.9')", "about 0.9"),
        ("", "printed nothing"),
    ],
)
def test_a_metric_that_fails_is_said(planex, folder, quantized, tmp_path, body, said):
    metric = program(tmp_path / "broken.py", body)
    words = ["accuracy", folder / "model.onnx", quantized, "--data", folder / "samples.npz"]
    done = planex(*words, "--outputs-only", "--metric", metric, code=4)
    assert said in done.stderr and "broken" in done.stderr


def test_a_metric_that_is_not_there_is_said(planex, folder, quantized):
    words = ["accuracy", folder / "model.onnx", quantized, "--data", folder / "samples.npz"]
    done = planex(*words, "--outputs-only", "--metric", "./no-such-metric", code=3)
    assert "no-such-metric" in done.stderr
    assert "names no program" in planex(*words, "--metric", " ", code=2).stderr


@pytest.fixture(scope="session")
def saved(folder, quantized):
    """Outputs of the quantized model by another runtime, with an error; in several formats."""
    samples = np.load(folder / "samples.npz")["x"]
    results = outputs_of(quantized, samples, "y", "c")
    draw = np.random.default_rng(2)
    noisy = [{"y": y + draw.normal(0, 0.01, y.shape).astype("float32"), "c": c} for y, c in results]
    (folder / "outputs.json").write_text(outputs_text(noisy), "utf-8")
    stacked = {name: np.stack([one[name] for one in noisy]) for name in ("y", "c")}
    np.savez(folder / "outputs.npz", **stacked)
    last = noisy[0]["y"]
    document = [{"name": "y", "dimensions": f"1x{CLASSES}", "values": [float(v) for v in last[0]]}]
    (folder / "trtexec.json").write_text(json.dumps(document), "utf-8")
    return stacked


@pytest.mark.parametrize("file", ["outputs.json", "outputs.npz"])
def test_saved_outputs_are_the_engines(planex, valid, folder, quantized, saved, expected, file):
    words = ["accuracy", folder / "model.onnx", quantized, "--data", folder / "samples.npz"]
    words += ["--engine-outputs", folder / file, "--format", "json"]
    told = valid(planex(*words).stdout, "layer-accuracy")
    assert told["engine_outputs"] == str(folder / file)
    assert told["engine_outputs_format"] == (".npz" if "npz" in file else "Polygraphy outputs")
    assert told["sample_count"] == COUNT
    (engine,) = told["engine"]
    error = saved["y"].reshape(COUNT, -1) - expected
    wanted = 10 * np.log10((expected**2).sum() / (error**2).sum())
    assert engine["sqnr_db"] == pytest.approx(wanted, abs=0.05)
    (simulated,) = told["simulated"]
    (parted,) = told["engine_to_simulated"]
    assert simulated["sqnr_db"] > engine["sqnr_db"]
    assert parted["sqnr_db"] is not None
    # What the engine saved beside its outputs is a layer; the other runtime simulates alike.
    (layer,) = told["layers"]
    assert (layer["tensor"], layer["node"], layer["tap"]) == ("c", "conv", "none")
    assert layer["engine_db"] == pytest.approx(layer["simulated_db"], abs=0.5)
    text = planex(*words[:-2]).stdout
    assert "float → simulated" in text and "simulated → engine" in text
    assert told["engine_outputs_format"] in text


def test_saved_outputs_against_one_model(planex, valid, folder, quantized, saved, tmp_path):
    assert saved
    words = ["--data", folder / "samples.npz", "--format", "json"]
    told = valid(
        planex("accuracy", quantized, folder / "outputs.json", *words).stdout, "layer-accuracy"
    )
    assert told["simulated"] and told["engine"] and told["engine_to_simulated"]
    assert any("without its Q/DQ" in note for note in told["notes"])
    told = valid(
        planex("accuracy", folder / "model.onnx", folder / "outputs.npz", *words).stdout,
        "layer-accuracy",
    )
    assert told["engine"] and not told["simulated"] and told["fault"] == "unknown"
    # Of one inference.
    told = valid(
        planex("accuracy", quantized, folder / "trtexec.json", *words).stdout, "layer-accuracy"
    )
    assert told["sample_count"] == 1
    assert any("the first 1" in note for note in told["notes"])
    metric = program(tmp_path / "agree.py", AGREEMENT)
    more = ["--metric", metric]
    told = valid(
        planex("accuracy", quantized, folder / "outputs.npz", *words, *more).stdout,
        "layer-accuracy",
    )
    assert {one["name"] for one in told["metrics"]} == {"same", "rows", "named", "far"}


def test_saved_outputs_and_labels(planex, valid, folder, quantized, saved, labels):
    assert saved
    words = ["accuracy", folder / "model.onnx", quantized, "--data", folder / "samples.npz"]
    words += ["--engine-outputs", folder / "outputs.npz", "--labels", labels / "labels.txt"]
    told = valid(planex(*words, "--format", "json").stdout, "layer-accuracy")
    (score,) = told["labels"]
    assert score["original"]["right"] == COUNT - COUNT // 4
    assert score["engine"]["total"] == COUNT


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["model.onnx", "outputs.npz"], 2, "--data is required"),
        (["outputs.npz", "model.onnx", "--data", "samples.npz"], 2, "the model comes first"),
        (["model.onnx", "outputs.npz", "--data", "samples.npz", "--bisect"], 2, "--bisect"),
        (["model.onnx", "samples.npz", "--data", "samples.npz"], 3, "no tensor with the name"),
        (["model.onnx", "--data", "samples.npz"], 2, "nothing to compare"),
        (["outputs.npz", "outputs.npz", "--engine-outputs", "outputs.npz"], 2, "saved outputs"),
    ],
)
def test_wrong_sides_are_said(planex, folder, saved, words, code, said):
    assert saved
    assert said in planex("accuracy", *words, cwd=folder, code=code).stderr
