"""The machine beside the times, and locked clocks: `planex process` with the real OpenVINO, and
with a library that stands in for NVIDIA's."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time

import pytest

from unmet import unmet

# Of 7 to 50 µs each: half a second or more, of which the machine is sampled each tenth.
SHORT = ["--iterations", "60000", "--profile-ms", "60", "--rounds", "3"]


@pytest.fixture(scope="module")
def model(driver, tmp_path_factory):
    import make_resnet18

    folder = tmp_path_factory.mktemp("models")
    assert make_resnet18.main(["--variant", "tiny-fp32", "-o", str(folder)]) == 0
    return folder / "tiny-fp32.onnx"


@pytest.fixture(scope="module")
def library(root, tmp_path_factory):
    """A folder with libnvidia-ml.so.1."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        unmet("there is no C compiler")
    folder = tmp_path_factory.mktemp("nvml")
    source = root / "tests/support/nvml_stand_in.c"
    target = folder / "libnvidia-ml.so.1"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", target, source], check=True)
    return folder


@pytest.fixture
def gpu(library, tmp_path):
    """The environment in which planex finds a GPU whose clock falls."""
    replay = tmp_path / "replay"
    replay.write_text("1410 6251 60 149000 99 0 1\n1110 6251 84 150000 98 4 1\n", encoding="utf-8")
    return {
        **os.environ,
        "LD_LIBRARY_PATH": f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}",
        "PLANEX_NVML_REPLAY": str(replay),
        "PLANEX_NVML_CALLS": str(tmp_path / "calls"),
    }


def process(planex_bin, model, folder, *words, env=None):
    return subprocess.run(
        [planex_bin, "process", model, "-o", folder, *words, "--", *SHORT],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def timing(planex, folder):
    return json.loads(planex("summary", folder, "--timing", "--format", "json").stdout)


def test_samples_are_on_the_clock_of_the_inferences(planex_bin, planex, model, tmp_path):
    done = process(planex_bin, model, tmp_path / "run")
    assert done.returncode == 0, done.stderr
    said = timing(planex, tmp_path / "run")
    machine = said["machine"]
    assert machine["window"] == "inferences"
    assert machine["window_ms"] == pytest.approx(said["steady_state"]["duration_ms"], rel=0.01)
    assert machine["sample_count"] > machine["window_count"] >= 2
    # One thread infers all the time, as far as others on the machine let it.
    assert 0.02 < machine["own_processors"] <= machine["processor_count"] + 0.5
    assert "machine" in [remark["id"] for remark in said["remarks"]]
    sql = (
        "SELECT count(*) FROM machine_samples WHERE inference_ms BETWEEN "
        "(SELECT min(start_ms) FROM iterations) AND (SELECT max(end_ms) FROM iterations)"
    )
    ((inside,),) = json.loads(planex("query", tmp_path / "run", sql, "--format", "json").stdout)[
        "rows"
    ]
    assert 2 <= inside <= machine["window_count"]


def test_a_gpu(planex_bin, planex, model, gpu, tmp_path):
    done = process(planex_bin, model, tmp_path / "run", env=gpu)
    assert done.returncode == 0, done.stderr
    recorded = json.loads((tmp_path / "run/tiny-fp32.machine.json").read_text("utf-8"))
    assert recorded["gpu"]["name"] == "NVIDIA A10"
    assert recorded["columns"]["gpu_mhz"][0] == 1410
    assert recorded["columns"]["gpu_mhz"][-1] == 1110
    figures = {
        figure["id"]: figure for figure in timing(planex, tmp_path / "run")["machine"]["figures"]
    }
    assert figures["gpu-clock"]["before"] == 1410
    assert figures["gpu-clock"]["after"] == 1110
    found = json.loads(planex("lint", tmp_path / "run", "--all", "--format", "json").stdout)
    (finding,) = (f for f in found["findings"] if f["rule"] == "machine-disturbed-timing")
    assert "the power limit held the GPU's clock down" in finding["message"]


def test_locked_clocks(planex_bin, planex, model, gpu, tmp_path):
    done = process(planex_bin, model, tmp_path / "run", "--lock-clocks", env=gpu)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "calls").read_text("utf-8") == "lock 1410\nreset 0\n"
    assert timing(planex, tmp_path / "run")["machine"]["locked_gpu_mhz"] == 1410


def wait_for(is_true):
    deadline = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_locked_clocks_are_given_back(planex_bin, model, gpu, tmp_path, number):
    running = subprocess.Popen(
        [
            *[planex_bin, "process", model, "-o", tmp_path / "run", "--lock-clocks"],
            *["--", "--duration-ms", "60000", "--iterations", "100000000"],
        ],
        env=gpu,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    calls = tmp_path / "calls"
    wait_for(calls.exists)
    running.send_signal(number)
    running.wait()
    wait_for(lambda: calls.read_text("utf-8") == "lock 1410\nreset 0\n")


def test_no_right_to_lock(planex_bin, model, gpu, tmp_path):
    done = process(
        planex_bin,
        model,
        tmp_path / "run",
        "--lock-clocks",
        env={**gpu, "PLANEX_NVML_FAIL": "lock"},
    )
    assert done.returncode != 0
    assert "can't lock the GPU's clock: Insufficient Permissions" in done.stderr
    assert "sudo nvidia-smi --lock-gpu-clocks=1410" in done.stderr
    assert not (tmp_path / "run").exists()


def test_what_stays_locked_is_said(planex_bin, model, gpu, tmp_path):
    done = process(
        planex_bin,
        model,
        tmp_path / "run",
        "--lock-clocks",
        env={**gpu, "PLANEX_NVML_FAIL": "reset"},
    )
    assert done.returncode == 0
    assert "the clocks are still locked" in done.stderr
    assert "--reset-gpu-clocks" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--lock-clocks=fast"], "not a frequency"),
        (["--lock-clocks=-5"], "not a frequency"),
        (["--lock-clocks", "--launcher", "env"], "another machine"),
    ],
)
def test_wrong_use(planex_bin, model, tmp_path, words, said):
    done = process(planex_bin, model, tmp_path / "run", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_behind_a_launcher_nothing_is_recorded(planex_bin, model, tmp_path):
    done = process(planex_bin, model, tmp_path / "run", "--launcher", "env")
    assert done.returncode == 0, done.stderr
    assert not list((tmp_path / "run").glob("*.machine.json"))
