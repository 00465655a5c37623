"""What other programs took from an engine is no slow-down of it."""

import json
import shutil
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "examples/engines/resnet18-openvino/fp32"
# Beside two other programs on two processors one thread of OpenVINO had half of the time of one,
# and its CPU time was within 3 % of what it was alone.
ALONE = {"slower": 1.0, "switches": 3}
BUSY = {"slower": 2.0, "switches": 463}


@pytest.fixture
def run_folder(tmp_path):
    def make(name, *, slower, switches, threads=1, work=1.0):
        """The engine's folder with times of another run: `work` times the CPU time."""
        folder = shutil.copytree(ENGINE, tmp_path / name)
        (path,) = folder.glob("*.times.json")
        document = json.loads(path.read_text())
        columns = document["columns"]
        columns["latency_ms"] = [ms * slower * work for ms in columns["latency_ms"]]
        columns.pop("start_ms", None)
        wall_ms = sum(columns["latency_ms"])
        document |= {
            "wall_ms": wall_ms,
            "cpu_ms": wall_ms / slower,
            "involuntary_switches": switches,
            "thread_count": threads,
        }
        path.write_text(json.dumps(document))
        return folder

    return make


@pytest.fixture
def verdict_of(planex):
    def judge(*words):
        result = planex("compare", *words, "--format", "json")
        return json.loads(result.stdout)["differences"][0]["verdict"]

    return judge


def test_one_thread_is_judged_by_its_cpu_time(planex, verdict_of, run_folder):
    alone, busy = run_folder("alone", **ALONE), run_folder("busy", **BUSY)
    gate = ["--fail-on-regression", "15%"]
    verdict = verdict_of(alone, busy, *gate)
    assert verdict["field"] == "cpu_time"
    assert verdict["judgement"] == "within-noise"
    assert verdict["change_ratio"] == pytest.approx(0, abs=1e-6)
    assert verdict["cpu_change_ratio"] == pytest.approx(0, abs=1e-6)
    assert verdict["gate"]["result"] == "passed"
    text = planex("compare", alone, busy, *gate, "--width", "300").stdout
    assert "of CPU time per inference" in text and "the machine was busy while busy was" in text
    # An engine that does have more to do is found all the same.
    slower = run_folder("slower", **BUSY, work=1.4)
    assert verdict_of(alone, slower)["judgement"] == "slower"
    planex("compare", alone, slower, *gate, code=1)


def test_threads_that_wait_for_each_other_raise_a_doubt(planex, verdict_of, run_folder):
    alone, busy = run_folder("alone", **ALONE, threads=2), run_folder("busy", **BUSY, threads=2)
    verdict = verdict_of(alone, busy)
    assert verdict["field"] != "cpu_time"
    assert verdict["judgement"] == "unclear" and verdict["unclear_reason"] == "busy-machine"
    planex("compare", alone, busy, "--fail-on-regression", "15%")


def test_a_quiet_machine_goes_by_the_wall(verdict_of, run_folder):
    alone = run_folder("alone", **ALONE)
    verdict = verdict_of(alone, run_folder("waits", slower=1.2, switches=3))
    assert verdict["field"] != "cpu_time"
    assert verdict["judgement"] == "slower" and verdict["change_ratio"] == pytest.approx(0.2)
    assert verdict["cpu_change_ratio"] == pytest.approx(0, abs=1e-6)
