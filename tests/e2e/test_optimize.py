"""`planex optimize` with real engines: what is kept is proven, and what is there works."""

import base64
import json
import os
import re
import signal
import subprocess
import time
import zlib

import numpy as np
import pytest


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A network that gains by INT8, with samples."""
    import make_resnet18

    folder = tmp_path_factory.mktemp("model")
    assert make_resnet18.main(["--variant", "fp32", "-o", str(folder)]) == 0
    draw = np.random.default_rng(7)
    np.savez(folder / "samples.npz", input=draw.normal(0, 1, (24, 3, 224, 224)).astype("float32"))
    return folder / "resnet18-fp32.onnx"


@pytest.fixture(autouse=True)
def driver(planex_bin):
    if not (planex_bin.parent / "planex-openvino").exists():
        pytest.skip("no planex-openvino beside planex")


def record(folder):
    return json.loads((folder / "optimize.json").read_text("utf-8"))


def test_int8_is_proven_faster(planex, model, tmp_path):
    before = model.read_bytes()
    best = tmp_path / "best"
    words = ["--data", model.parent / "samples.npz", "--goal", "15dB", "--try", "precision"]
    text = planex("optimize", model, *words, "-o", best).stdout
    told = record(best)
    assert told["schema"] == "planex.optimize/1"
    assert "int8" in told["kept"], told["steps"]
    step = next(step for step in told["steps"] if step["id"] == "int8")
    assert step["state"] == "kept" and step["sqnr_db"] > 15
    assert told["high_ratio"] < -0.2, "far beyond the noise"
    assert told["low_ratio"] <= told["change_ratio"] <= told["high_ratio"]
    assert f"{1 / (1 + told['change_ratio']):.2f} × as fast" in text.splitlines()[0]
    assert model.read_bytes() == before
    # What it leaves works by itself.
    assert "layers" in planex("summary", best / "best").stdout
    # Its report has the record, and so has one of the folder.
    page = (best / "report.html").read_text("utf-8")
    (data,) = re.findall(r'id="planex-data"[^>]*>([^<]*)<', page)
    document = json.loads(zlib.decompress(base64.b64decode(data.strip())))
    assert document["optimize"] == told
    assert [engine["label"] for engine in document["engines"]] == ["first", "best"]
    again = json.loads(planex("report", best, "--format", "json", "-o", "-").stdout)
    assert again["optimize"] == told
    assert [engine["label"] for engine in again["engines"]] == ["first", "best"]
    words = told["command"].replace("-o run/", f"-o {tmp_path / 'run'}").split()
    planex(*words[1:])


def test_the_same_results_allow_no_int8(planex, model, tmp_path):
    words = ["--data", model.parent / "samples.npz", "--try", "precision", "--format", "json"]
    told = json.loads(planex("optimize", model, *words, "-o", tmp_path / "best").stdout)
    assert told["kept"] == [] and told["change_ratio"] is None
    assert {step["state"] for step in told["steps"]} == {"not-tried"}
    assert "--goal" in told["steps"][0]["reason"]
    assert told["first"]["median_ms"] > 0
    assert not (tmp_path / "best/model.onnx").exists()


def test_the_plan_is_printed_and_nothing_runs(planex, model, tmp_path):
    text = planex("optimize", model, "--print-plan", "-o", tmp_path / "best").stdout
    assert "pinning=on" in text
    assert not (tmp_path / "best").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--goal", "20dB"], "needs --data"),
        (["--goal", "good", "--data", "."], "good"),
        (["--budget", "soon"], "is not a time"),
        (["--engine", "steam"], "steam"),
    ],
)
def test_what_is_wrong_is_said(planex, model, tmp_path, words, said):
    assert said in planex("optimize", model, *words, "-o", tmp_path / "best", code=2).stderr
    assert not (tmp_path / "best").exists()


def test_what_is_no_model_is_said(planex, tmp_path):
    (tmp_path / "model.onnx").write_text("no")
    told = planex("optimize", tmp_path / "model.onnx", "-o", tmp_path / "best", code=3)
    assert "is not an ONNX model" in told.stderr


def test_a_stop_keeps_what_is_proven(planex_bin, model, tmp_path):
    best = tmp_path / "best"
    words = ["--data", model.parent / "samples.npz", "--goal", "15dB", "-o", best]
    process = subprocess.Popen([planex_bin, "optimize", model, *words], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 300
    while not (best / "model.onnx").exists() or not (best / "optimize.json").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    told = record(best)
    assert told["is_interrupted"] and told["kept"] == ["int8"]
    assert told["best_model"] == str(best / "model.onnx")
