"""The recorder: programs of somebody else's that record the engine they run, built against the
installed library with both compilers; what they leave is read by planex."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

from unmet import unmet

COMPILERS = {"gcc": "g++", "clang": "clang++-19"}
ENGINE = "examples/engines/resnet18-a100-qat"


def run(*words, **options):
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done


@pytest.fixture(scope="module", params=COMPILERS)
def programs(request, root, tmp_path_factory):
    compiler = shutil.which(COMPILERS[request.param])
    if compiler is None:
        unmet(f"there is no {COMPILERS[request.param]}")
    place = tmp_path_factory.mktemp(request.param)
    common = ["-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Release"]
    flags = "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wconversion -Werror"
    run("cmake", "-S", root / "recorder", "-B", place / "recorder", *common, flags)
    run("cmake", "--build", place / "recorder")
    run("cmake", "--install", place / "recorder", "--prefix", place / "prefix")
    prefix = f"-DCMAKE_PREFIX_PATH={place / 'prefix'}"
    run("cmake", "-S", root / "examples/recorder", "-B", place / "build", *common, flags, prefix)
    run("cmake", "--build", place / "build")
    return place / "build"


@pytest.fixture(scope="module")
def engine(root):
    (path,) = (root / ENGINE).glob("*.graph.json")
    layers = json.loads(path.read_text("utf-8"))["Layers"]
    names = [layer["Name"] if isinstance(layer, dict) else layer for layer in layers]
    return path, [f"{name}={0.01 * (i + 1):.2f}" for i, name in enumerate(names)]


def recorded(programs, engine, folder, count, *words, **options):
    path, layers = engine
    environment = {**os.environ, "PLANEX_RECORD": str(folder)}
    command = [programs / "tensorrt_program", path, count, *words, *layers]
    return run(*command, env=environment, **options)


def read(folder, kind):
    return json.loads((folder / f"detector.{kind}.json").read_text("utf-8"))


def wait_for(is_true):
    deadline = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_tensorrt(programs, engine, planex, tmp_path):
    folder = tmp_path / "run"
    recorded(programs, engine, folder, 350)
    assert (folder / "detector.graph.json").read_text("utf-8") == engine[0].read_text("utf-8")
    times = read(folder, "times")
    # Ten of each hundred are profiled; the first ten warm up.
    assert (times["count"], times["warmup_count"]) == (310, 10)
    assert len(times["profiled_latency_ms"]) == 30
    columns = times["columns"]
    assert all(len(column) == 310 for column in columns.values())
    assert columns["start_ms"] == sorted(columns["start_ms"])
    enqueue, latency = columns["enqueue_ms"], columns["latency_ms"]
    assert all(0 <= some <= whole for some, whole in zip(enqueue, latency, strict=True))
    assert min(latency) >= 0.2
    count, *rows = read(folder, "profile")
    assert count == {"count": 30}
    assert [row["name"] for row in rows] == [word.rpartition("=")[0] for word in engine[1]]
    assert [row["medianMs"] for row in rows] == pytest.approx(
        [0.01 * (i + 1) for i in range(len(rows))], abs=1e-6
    )
    sql = (
        "SELECT count(*), sum(median_ms), (SELECT count(*) FROM iterations) FROM layers "
        "WHERE median_ms IS NOT NULL"
    )
    said = json.loads(planex("query", folder, sql, "--format", "json").stdout)
    ((layers, total, inferences),) = said["rows"]
    assert (layers, inferences) == (len(rows), 310)
    assert total == pytest.approx(sum(row["medianMs"] for row in rows))


def test_nothing_is_recorded_unasked(programs, engine, tmp_path):
    path, layers = engine
    environment = {key: value for key, value in os.environ.items() if key != "PLANEX_RECORD"}
    run(programs / "tensorrt_program", path, 20, *layers, env=environment, cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_exit_in_the_middle(programs, engine, tmp_path):
    recorded(programs, engine, tmp_path, 30, "exit")
    assert read(tmp_path, "times")["count"] == 20


def test_signals(programs, engine, tmp_path):
    path, layers = engine
    process = subprocess.Popen(
        [programs / "tensorrt_program", path, "50", "wait", *layers],
        env={**os.environ, "PLANEX_RECORD": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "done\n"
    assert not list(tmp_path.iterdir())
    process.send_signal(signal.SIGUSR1)
    wait_for((tmp_path / "manifest.json").exists)
    assert read(tmp_path, "times")["count"] == 40
    assert process.poll() is None
    for file in tmp_path.iterdir():
        file.unlink()
    process.send_signal(signal.SIGTERM)
    assert process.wait() == -signal.SIGTERM
    process.stdout.close()
    assert read(tmp_path, "times")["count"] == 40
    assert not list(tmp_path.glob("*.part"))


def test_a_folder_that_can_not_be_made(programs, engine, tmp_path):
    (tmp_path / "file").write_text("x", "utf-8")
    path, layers = engine
    done = subprocess.run(
        [programs / "tensorrt_program", path, "5", *layers],
        env={**os.environ, "PLANEX_RECORD": str(tmp_path / "file/run")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "planex recorder: can't create the folder" in done.stderr


def test_openvino(programs, planex, root, tmp_path):
    openvino = pytest.importorskip("openvino")
    program = programs / "openvino_program"
    if not program.exists():
        unmet("OpenVINO's headers were not found")
    import make_resnet18

    assert make_resnet18.main(["--variant", "tiny-fp32", "-o", str(tmp_path)]) == 0
    libraries = pathlib.Path(openvino.__file__).parent / "libs"
    folder = tmp_path / "run"
    environment = {**os.environ, "PLANEX_RECORD": str(folder), "LD_LIBRARY_PATH": str(libraries)}
    run(program, tmp_path / "tiny-fp32.onnx", 100, env=environment)
    said = json.loads(planex("doctor", folder, "--format", "json").stdout)
    assert "no-total" not in json.dumps(said)
    sql = (
        "SELECT count(*), count(mean_ms), (SELECT count(*) FROM iterations) FROM layers "
        "WHERE role = 'work'"
    )
    ((layers, timed, times),) = json.loads(planex("query", folder, sql, "--format", "json").stdout)[
        "rows"
    ]
    assert layers >= 5
    assert timed >= 4
    assert times == 90


def test_overhead(programs, tmp_path):
    """The program behind the figures of docs/how-to/record-your-own-program.md runs."""
    said = json.loads(run(programs / "overhead", tmp_path).stdout)
    assert said["none_ns"] >= 0
    assert said["on_ns"] > said["off_ns"]
    assert said["layer_ns"] > 0
