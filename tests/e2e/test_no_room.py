"""A limit of a file's size, as `ulimit -f`, which fails a write as a full disk or quota does.

The kernel answers with SIGXFSZ, which ends a program that does not ignore it, and with EFBIG. Here
the signal has its default when planex is started, as in a terminal.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save_model

SHAPE = [1, 3, 8, 8]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A model of 20 kB, samples of less."""
    folder = tmp_path_factory.mktemp("files")
    draw = np.random.default_rng(11)
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["x", "w"], ["c"], "conv", pads=[1, 1, 1, 1]),
            helper.make_node("GlobalAveragePool", ["c"], ["y"], "pool"),
        ],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 200, 1, 1])],
        [numpy_helper.from_array(draw.normal(0, 0.2, (200, 3, 3, 3)).astype("float32"), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    save_model(model, folder / "model.onnx")
    np.save(folder / "x.npy", draw.normal(0, 1, (6, *SHAPE[1:])).astype("float32"))
    return folder


@pytest.fixture
def limited(planex_bin, tmp_path):
    """Runs planex in a folder of its own, where no file may have more than so many bytes."""

    def run(most_bytes, *words, **options):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        (tmp_path / "tmp").mkdir(exist_ok=True)
        (tmp_path / "work").mkdir(exist_ok=True)
        return subprocess.run(
            [planex_bin, *map(str, words)],
            preexec_fn=limit,
            capture_output=True,
            encoding="utf-8",
            cwd=tmp_path / "work",
            env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
            check=False,
            **options,
        )

    return run


def assert_told(done, tmp_path, most_bytes, *names):
    """One of the files, the limit and what to do; nothing half-written."""
    assert done.returncode == 3, (done.returncode, done.stderr)
    said = done.stderr[done.stderr.index("error: ") :]
    assert any(name in said.splitlines()[0] for name in names), said
    assert "File too large" in said
    assert f"more than {most_bytes} bytes here (ulimit -f): raise that limit" in said.lower()
    assert "crash" not in said and "SIG" not in said
    left = [path for folder in ("work", "tmp") for path in (tmp_path / folder).rglob("*")]
    assert left == []


@pytest.mark.parametrize("most_bytes", [0, 300])
@pytest.mark.parametrize("verb", ["report", "export", "draw", "summary", "lint", "layers"])
def test_what_shows_an_engine(limited, files, tmp_path, verb, most_bytes):
    output = {"report": "a.html", "draw": "a.svg"}.get(verb, "a.json")
    words = ["--format", "json"] if verb in ("summary", "lint", "layers") else []
    done = limited(most_bytes, verb, files / "model.onnx", "-o", output, *words)
    assert_told(done, tmp_path, most_bytes, output)


@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize("most_bytes", [0, 500, 3000])
def test_quantize(limited, files, tmp_path, most_bytes):
    words = ["--data", files / "x.npy", "--cache", "q.cache", "-o", "q.onnx"]
    done = limited(most_bytes, "quantize", files / "model.onnx", *words)
    assert_told(done, tmp_path, most_bytes, str(tmp_path / "tmp"), "q.onnx")


def test_cast(limited, files, tmp_path):
    done = limited(9000, "cast", files / "model.onnx", "--to", "fp16", "-o", "c.onnx")
    assert_told(done, tmp_path, 9000, "c.onnx", str(tmp_path / "tmp"))


@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize("most_bytes", [0, 1000, 4000])
def test_a_driver_that_writes(limited, files, tmp_path, most_bytes):
    """Where files are written in the driver, it names the file, not the folder it is made in."""
    done = limited(most_bytes, "process", files / "model.onnx", "-o", "run")
    assert_told(done, tmp_path, most_bytes, "run/model.")
    assert ".planex-" not in done.stderr


@pytest.mark.usefixtures("driver")
def test_the_last_good_run_stays(planex, limited, files, tmp_path):
    (tmp_path / "work").mkdir()
    planex("process", files / "model.onnx", "-o", tmp_path / "work/run")
    before = {path.name: path.read_bytes() for path in (tmp_path / "work/run").iterdir()}
    assert limited(1000, "process", files / "model.onnx", "-o", "run").returncode == 3
    after = {path.name: path.read_bytes() for path in (tmp_path / "work/run").iterdir()}
    assert after == before


def test_a_driver_that_is_started_alone(driver, files, tmp_path):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    words = [driver, "--model", files / "model.onnx", "--out", tmp_path / "run"]
    done = subprocess.run(
        words, preexec_fn=limit, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 4
    error = json.loads(done.stderr.splitlines()[-1])
    assert error["kind"] == "io" and error["file"] == str(tmp_path / "run.graph.json")
    assert "ulimit -f" in error["hint"]
    assert list(tmp_path.iterdir()) == []


def test_an_engine_that_is_ended_by_the_limit(limited, files, tmp_path):
    """A program that puts the default back, as shells of other languages do: it did not crash."""
    program = tmp_path / "trtexec"
    program.write_text(
        "#!/usr/bin/env python3\n"
        "import signal, sys\n"
        "if '--help' in sys.argv:\n"
        "    print('&&&& RUNNING TensorRT.trtexec [TensorRT v101600] [b1] # trtexec --help')\n"
        "    print('  --onnx=F')\n"
        "    sys.exit()\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "with open('big', 'wb', 0) as file:\n"
        "    for _ in range(9): file.write(bytes(10000))\n"
    )
    program.chmod(0o755)
    words = ["--engine", "trtexec", "--program", program, "-o", "run"]
    done = limited(20_000, "process", files / "model.onnx", *words)
    assert done.returncode == 3, done.stderr
    assert "was stopped (SIGXFSZ)" in done.stderr and "20000 bytes here (ulimit -f)" in done.stderr
    assert "crash" not in done.stderr
