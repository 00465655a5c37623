"""best/optimize.planex: made by a search, opened elsewhere, and searched again from."""

import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

BRIEF = [
    "--flag=--duration-ms=100",
    "--flag=--profile-ms=20",
    "--flag=--rounds=1",
    "--flag=--warmup=1",
]


@pytest.fixture(autouse=True)
def driver(planex_bin):
    if not (planex_bin.parent / "planex-openvino").exists():
        pytest.skip("no planex-openvino beside planex")


def small_model(folder: pathlib.Path, in_files: bool) -> pathlib.Path:
    draw = np.random.default_rng(3)
    weight = draw.normal(0, 0.2, (8, 8, 3, 3)).astype("float32")
    graph = helper.make_graph(
        [
            helper.make_node("Exp", ["k"], ["folded"], "constant"),
            helper.make_node("Conv", ["x", "w"], ["c"], "conv", pads=[1, 1, 1, 1]),
            helper.make_node("Add", ["c", "folded"], ["y"], "add"),
        ],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 32, 32])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8, 32, 32])],
        [
            numpy_helper.from_array(weight, "w"),
            numpy_helper.from_array(draw.normal(0, 1, (1, 8, 1, 1)).astype("float32"), "k"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    words = {"save_as_external_data": True, "location": "net.data"} if in_files else {}
    onnx.save_model(model, folder / "net.onnx", **words)
    return folder / "net.onnx"


def record(folder):
    return json.loads((folder / "optimize.json").read_text("utf-8"))


@pytest.mark.parametrize("in_files", [False, True])
def test_the_search_runs_again_from_it(planex, tmp_path, monkeypatch, in_files):
    model = small_model(tmp_path, in_files)
    best = tmp_path / "best"
    planex("optimize", model, "--try", "clean", "--threads", "2", *BRIEF, "-o", best)
    told = record(best)
    capsule = best / "optimize.planex"
    assert capsule.exists()
    place = tmp_path / "elsewhere"
    place.mkdir()
    shutil.move(capsule, place / "optimize.planex")
    content = model.read_bytes()
    shutil.rmtree(best)
    for file in tmp_path.glob("net.*"):
        file.unlink()
    planex("verify", place / "optimize.planex")

    words = shlex.split(told["rerun"])
    assert words[:2] == ["planex", "optimize"] and "--threads" in words and "--try" in words
    assert words[2] == str(capsule)
    words[2] = str(place / "optimize.planex")
    monkeypatch.chdir(place)
    planex(*words[1:])
    again = record(place / "again")
    assert again["model"] == "again/original/net.onnx"
    assert (place / again["model"]).read_bytes() == content
    assert again["model_sha256"] == told["model_sha256"]
    assert [step["id"] for step in again["steps"]] == [step["id"] for step in told["steps"]]
    assert again["first"]["median_ms"] > 0
    # And the capsule of that is a whole one again.
    with zipfile.ZipFile(place / "again/optimize.planex") as opened:
        assert opened.read("original/net.onnx") == content
        assert ("original/net.data" in opened.namelist()) == in_files
    # The same command goes on.
    planex(*words[1:])
    # Unpacked, the script finds its model, whichever that is.
    with zipfile.ZipFile(place / "optimize.planex") as opened:
        opened.extractall(place / "unpacked")
    script = place / "unpacked/reproduce.py"
    done = subprocess.run([sys.executable, script], check=True, capture_output=True, text=True)
    assert float(done.stdout.split()[0]) > 0


def test_the_plan_needs_no_folder(planex, tmp_path):
    model = small_model(tmp_path, False)
    planex("optimize", model, "--try", "clean", *BRIEF, "-o", tmp_path / "best")
    capsule = tmp_path / "best/optimize.planex"
    text = planex("optimize", capsule, "--print-plan", "-o", tmp_path / "again").stdout
    assert "pinning=on" in text
    assert not (tmp_path / "again").exists()
    # It would overwrite what it reads.
    planex("optimize", capsule, "-o", tmp_path / "best", code=2)
