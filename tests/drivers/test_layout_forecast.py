"""What the summary of a model says of copies between layouts, against engines that are built of it.

OpenVINO: every Reorder that does work. TensorRT-RTX: kernels at the edges that only move data.
"""

from __future__ import annotations

import json
import pathlib
import sys

import onnx
import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from findings_models import MODELS  # noqa: E402

SHORT = ["--", "--profile-ms", "5", "--duration-ms", "5"]
# Inputs, between layers, outputs; None: nothing is said, as something stands in the way of the
# convolutions of which it is not known what the engine does.
OPENVINO = {
    "resnet": (1, 0, 0),
    "detector": (1, 2, 0),
    "detector-qdq": (1, 2, 0),
    "qdq-placed-unsigned": (1, 0, 0),
    "mobile": (1, 0, 0),
    "unet": (1, 6, 1),
    "half-cnn": (1, 0, 0),
    "enhancer": (1, 0, 1),
    "one-convolution": (1, 0, 1),
    "volumes": (1, 2, 0),
    "windows": (1, 2, 1),
    "grouped": None,
    "keras": None,
    "transformer-dynamic": None,
    "if-loop": None,
}
TENSORRT_RTX = {
    "resnet": (1, 0),
    "detector": (1, None),
    "mobile": (1, 0),
    "one-convolution": (1, 1),
    "unet": (1, 1),
    "volumes": (1, None),
    "windows": (1, 1),
    "grouped": (None, None),
    "if-loop": (None, None),
}


@pytest.fixture
def model(tmp_path):
    def save(name: str) -> pathlib.Path:
        make, words = MODELS[name]
        assert not words
        onnx.save(make(), tmp_path / f"{name}.onnx")
        return tmp_path / f"{name}.onnx"

    return save


def forecast(planex, path, target: str) -> tuple:
    document = json.loads(planex("summary", path, "--format", "json").stdout)
    (found,) = [row for row in document["model_plan"]["targets"] if row["target"] == target]
    return tuple(found[f"layout_copies_{where}"] for where in ("at_inputs", "inside", "at_outputs"))


def rows_of(planex, folder) -> list[dict]:
    words = "SELECT name, type, role, is_reformat FROM layers ORDER BY layer_id"
    return json.loads(planex("query", folder, words, "--format", "json").stdout)["rows"]


@pytest.mark.parametrize("name", OPENVINO)
def test_openvino_copies_what_was_forecast(planex, model, tmp_path, name):
    path = model(name)
    said = forecast(planex, path, "openvino")
    assert said == (OPENVINO[name] or (None, None, None))
    planex("process", path, "--engine", "openvino", "-o", tmp_path / "run", *SHORT)
    copies = [
        row for row in rows_of(planex, tmp_path / "run") if row[1] == "Reorder" and row[2] == "work"
    ]
    if OPENVINO[name] is not None:
        assert len(copies) == sum(said), copies
    text = planex("summary", path).stdout
    assert ("openvino: likely copies" in text) == bool(OPENVINO[name] and sum(said))


@pytest.mark.parametrize("name", TENSORRT_RTX)
def test_tensorrt_rtx_copies_its_edges(planex, model, drivers_python, tmp_path, name):
    path = model(name)
    at_inputs, inside, at_outputs = forecast(planex, path, "tensorrt-rtx")
    assert inside is None
    assert (at_inputs, at_outputs) == TENSORRT_RTX[name]
    words = ["--engine", "tensorrt-rtx", "--python", drivers_python, "-o", tmp_path / "run"]
    planex("process", path, *words)
    (log,) = (tmp_path / "run").glob("*.build.log")
    kernels = [
        line for line in log.read_text(errors="replace").splitlines() if line.startswith("Name: ")
    ]
    moves = [
        line for line in kernels if line.startswith(("Name: __myl_Move_", "Name: __myl_Tran_"))
    ]
    inputs = {value.name for value in onnx.load(path).graph.input}
    outputs = {value.name for value in onnx.load(path).graph.output}

    def touches(line: str, side: str, names: set[str]) -> bool:
        part = line.split(f"{side}: [", 1)[1].split("]", 1)[0]
        return any(f"Name: {name}," in part for name in names)

    for count, side, names in ((at_inputs, "Inputs", inputs), (at_outputs, "Outputs", outputs)):
        if count is not None:
            assert sum(touches(line, side, names) for line in moves) == count, moves
