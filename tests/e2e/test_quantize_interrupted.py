"""Ctrl-C in each step of `quantize` that puts its files in place.

Model, record and cache are one transaction: either all are the new ones, or all are as they were
before, and what is said is true. A library that is loaded into planex (signal_at_file_call.c) sends
the signal right before or after a certain call, so that no step is missed and no clock decides.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save_model

from unmet import unmet

SHAPE = [1, 3, 8, 8]
NAMES = ("q.onnx", "q.onnx.quantize.json", "q.cache")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    draw = np.random.default_rng(13)
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"], "conv", pads=[1, 1, 1, 1])],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8, 8, 8])],
        [numpy_helper.from_array(draw.normal(0, 0.2, (8, 3, 3, 3)).astype("float32"), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    save_model(model, folder / "model.onnx")
    np.save(folder / "x.npy", draw.normal(0, 1, (6, *SHAPE[1:])).astype("float32"))
    return folder


@pytest.fixture(scope="module")
def sender(root, tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        unmet("no C compiler")
    library = tmp_path_factory.mktemp("sender") / "sender.so"
    source = root / "tests/support/signal_at_file_call.c"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source, "-ldl"],
        check=True,
    )
    return library


@pytest.fixture
def run(planex_bin, files, sender, tmp_path, driver):
    """quantize into a folder, interrupted at a call; how it ended, and which calls there were."""

    def quantize(folder, at=0, when="before", times=1, words=()):
        calls = tmp_path / "calls"
        calls.unlink(missing_ok=True)
        (tmp_path / "tmp").mkdir(exist_ok=True)
        done = subprocess.run(
            [
                planex_bin,
                "quantize",
                files / "model.onnx",
                "--data",
                files / "x.npy",
                *words,
                "-o",
                folder / "q.onnx",
                "--cache",
                folder / "q.cache",
            ],
            env={
                **os.environ,
                "LD_PRELOAD": str(sender),
                "SIGNAL_FOLDER": f"{folder}/",
                "SIGNAL_AT": str(at),
                "SIGNAL_WHEN": when,
                "SIGNAL_TIMES": str(times),
                "SIGNAL_NUMBER": str(int(signal.SIGINT)),
                "SIGNAL_CALLS": str(calls),
                "TMPDIR": str(tmp_path / "tmp"),
            },
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done, calls.read_text("utf-8").splitlines() if calls.exists() else []

    return quantize


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def is_one_run(content):
    record = json.loads(content["q.onnx.quantize.json"])
    return record["output_sha256"] == hashlib.sha256(content["q.onnx"]).hexdigest()


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
@pytest.mark.parametrize("is_there", [False, True], ids=["first", "replaced"])
def test_every_step(run, tmp_path, is_there, times):
    old = {}
    folder = tmp_path / "out"
    folder.mkdir()
    if is_there:
        done, _ = run(folder, words=["--method", "minmax"])
        assert done.returncode == 0, done.stderr
        old = content_of(folder)
    rehearsal = tmp_path / "rehearsal"
    shutil.copytree(folder, rehearsal)
    _, calls = run(rehearsal, words=["--method", "percentile:99.9"])
    new = content_of(rehearsal)
    assert set(new) == set(NAMES) and new != old and is_one_run(new)
    # Each of the three files is made and renamed, and the old ones have a second name meanwhile.
    assert sum(call.startswith("rename") for call in calls) == len(NAMES), calls
    assert sum(call.startswith("link") for call in calls) == (len(NAMES) if is_there else 0)

    stopped = written = 0
    steps = [(at, "before") for at in range(1, len(calls) + 1)] + [(len(calls), "after")]
    for at, when in steps:
        for path in folder.iterdir():
            path.unlink()
        for name, data in old.items():
            (folder / name).write_bytes(data)
        done, _ = run(folder, at, when, times, ["--method", "percentile:99.9"])
        step = f"{when} {calls[at - 1]}: {done.returncode}\n{done.stderr}"
        after = content_of(folder)
        if done.returncode == 0:
            written += 1
            assert is_one_run(after) and set(after) == set(NAMES), step
            assert after["q.onnx"] == new["q.onnx"], step
            assert after["q.cache"] == new["q.cache"], step
            assert "nothing was written" not in done.stderr, step
            continue
        if times == 1:
            assert done.returncode == 128 + signal.SIGINT, step
            assert "stopped; nothing was written" in done.stderr, step
            assert not list((tmp_path / "tmp").iterdir()), step
        else:
            # The second ends it where it stands, and it says nothing.
            assert done.returncode == -signal.SIGINT, step
            shutil.rmtree(tmp_path / "tmp")
        if after != old and times == 2:
            assert is_one_run(after) and set(after) == set(NAMES), step
            written += 1
            continue
        assert after == old, step
        stopped += 1
    assert stopped >= len(NAMES), "before the first file is replaced"
    assert written >= len(NAMES), "from there on"
