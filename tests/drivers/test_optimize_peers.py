"""The bench of `planex optimize` beside its peers, shortened: two tiny models, and peers that need
nothing but ONNX Runtime (bench/optimize_peers.py)."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import numpy
import onnx
import optimize_turns
import optimize_verdicts
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PEERS = "ort-basic,ort-extended,olive"


def write_subject(out: pathlib.Path, name: str, depth: int) -> None:
    """A few convolutions, with what optimize_models.py writes beside a model."""
    folder = out / "models" / name
    folder.mkdir(parents=True)
    draw = numpy.random.default_rng(depth)
    nodes, constants, last = [], [], "x"
    for place in range(depth):
        channels = 3 if place == 0 else 16
        weight = draw.normal(0, (9 * channels) ** -0.5, (16, channels, 3, 3)).astype("float32")
        constants.append(numpy_helper.from_array(weight, f"w{place}"))
        nodes.append(helper.make_node("Identity", [last], [f"i{place}"]))
        words = [f"i{place}", f"w{place}"]
        nodes.append(helper.make_node("Conv", words, [f"c{place}"], pads=[1, 1, 1, 1]))
        nodes.append(helper.make_node("Relu", [f"c{place}"], [f"r{place}"]))
        last = f"r{place}"
    nodes[-1].output[0] = "y"
    shape = [1, 3, 24, 24]
    values = [("x", shape), ("y", [1, 16, 24, 24])]
    ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, dims) for end, dims in values]
    graph = helper.make_graph(nodes, name, ends[:1], ends[1:], constants)
    opsets = [helper.make_opsetid("", 19)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    onnx.save(model, folder / "model.onnx")
    for use in ("calibrate", "judge"):
        numpy.savez(folder / f"{use}.npz", x=draw.normal(0, 1, (4, *shape)).astype("float32"))
    about = {"name": name, "what": "convolutions", "origin": "drawn", "data": "noise"}
    about |= {"goal": "20dB", "calibrated": 4, "judged": 4}
    (folder / "about.json").write_text(json.dumps(about), "utf-8")


@pytest.fixture(scope="module")
def run(planex_bin, drivers_python, tmp_path_factory):
    """run(*words): the bench on two models, in one folder."""
    if not (planex_bin.parent / "planex-openvino").exists():
        pytest.skip("no planex-openvino beside planex")
    out = tmp_path_factory.mktemp("peers")
    write_subject(out, "small", 2)
    write_subject(out, "deeper", 3)
    words = [sys.executable, ROOT / "bench/optimize_peers.py", "run", "--out", out, "--short"]
    words += ["--planex", planex_bin, "--python", drivers_python, "--peers", PEERS]
    words += ["--openvino-python", sys.executable, "--exporters-python", drivers_python]

    def call(*more, code=0) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [*map(str, words), *map(str, more)], capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    call.out = out
    return call


PAIRS = [["--models", "small", "--engines", "openvino"]]
PAIRS += [["--models", "deeper", "--engines", "onnxruntime"]]


@pytest.fixture(scope="module")
def record(run):
    for words in PAIRS:
        run(*words, "--budget", "8s")
    return json.loads((run.out / "record.json").read_text("utf-8"))


def test_the_record_says_all_of_each_pair(record, run):
    assert record["schema"] == "planex.bench-optimize/1"
    assert [(pair["model"], pair["engine"]) for pair in record["pairs"]] == [
        ("deeper", "onnxruntime"),
        ("small", "openvino"),
    ]
    for pair in record["pairs"]:
        candidates = pair["candidates"]
        assert list(candidates) == ["as-it-is", *PEERS.split(","), "planex"]
        assert len(pair["turns"]) == 6
        for name, candidate in candidates.items():
            if name == "olive":
                assert candidate["state"] == "failed" and candidate["time_ms"] is None
                assert "olive-ai is not installed" in candidate["reason"]
                continue
            assert candidate["state"] == "made", candidate
            told = candidate["time_ms"]
            assert 0 < told["low"] <= told["median"] <= told["high"]
            assert candidate["sqnr_db"] is None or candidate["sqnr_db"] > 20
            assert candidate["meets_goal"]
        # Each turn has them all, and another one begins.
        names = [name for name in candidates if name != "olive"]
        assert all(sorted(turn["order"]) == sorted(names) for turn in pair["turns"])
        assert len({turn["order"][0] for turn in pair["turns"]}) > 2
        gain = pair["gain_ratio"]
        assert gain["low"] <= gain["median"] <= gain["high"]
        assert pair["best_peer"] in names and pair["verdict"] in ("faster", "within the noise")
    table = (run.out / "table.md").read_text("utf-8")
    assert "| small | openvino | 20 |" in table and "of 2 faster than the best peer" in table


def test_what_is_done_is_not_run_again(record, run):
    # Written at each start.
    passing = ("record.json", "table.md", "settings.json", "planex.json")
    files = [path for path in run.out.rglob("*") if path.is_file() and path.name not in passing]
    before = [path.stat().st_mtime_ns for path in files]
    for words in PAIRS:
        assert run(*words, "--budget", "8s").stdout == ""
    assert [path.stat().st_mtime_ns for path in files] == before


def test_an_interrupted_run_goes_on_at_its_turn(record, run):
    """What a stop leaves: no verdict, some turns whole, a candidate that was not made yet."""
    pair = run.out / "pairs/small-openvino"
    turns = json.loads((pair / "turns.json").read_text("utf-8"))
    (pair / "turns.json").write_text(json.dumps(turns[:4]), "utf-8")
    (pair / "pair.json").unlink()
    told = run(*PAIRS[0], "--budget", "8s").stdout
    assert "turns 5 to 6 of" in told and "planex optimize" not in told
    again = json.loads((pair / "turns.json").read_text("utf-8"))
    assert again[:4] == turns[:4] and len(again) == 6


def test_other_settings_need_another_folder(record, run):
    assert "other settings" in run(*PAIRS[0], "--budget", "9s", code=2).stderr


# --- Verdicts, with times worked out by hand ------------------------------------------------------


def candidate(sqnr_db: float | None) -> dict:
    return {"state": "made", "reason": None, "sqnr_db": sqnr_db}


def judged(times: dict[str, list[float]], decibels: dict[str, float | None]) -> dict:
    turns = [
        {
            "order": list(times),
            "median_ms": {name: times[name][turn] for name in times},
            "cpu_ms": {name: 1.0 if name == "planex" else None for name in times},
        }
        for turn in range(len(times["planex"]))
    ]
    candidates = {name: candidate(decibels[name]) for name in times}
    pair = {"model": "m", "engine": "e", "goal_db": 20.0, "candidates": candidates}
    return optimize_verdicts.judge_pair(pair | {"turns": turns})


NOISE = [1.0, 1.01, 0.99, 1.02, 0.98, 1.0, 1.01, 0.99, 1.0]


def test_what_is_less_accurate_or_slower_is_not_counted():
    times = {
        "as-it-is": [2 * x for x in NOISE],
        "careless": [0.5 * x for x in NOISE],
        "slow": [3 * x for x in NOISE],
        "planex": NOISE,
    }
    told = judged(times, {"as-it-is": None, "careless": 12.0, "slow": 60.0, "planex": 31.0})
    assert told["best_peer"] == "as-it-is" and told["verdict"] == "faster"
    by_cpu = optimize_verdicts.judge_pair(told, "cpu")
    assert by_cpu["best_peer"] is None and by_cpu["gain_ratio"] is None, "no peer has a CPU time"
    told = optimize_verdicts.judge_pair(told)
    assert told["gain_ratio"]["median"] == pytest.approx(2)
    assert not told["candidates"]["careless"]["meets_goal"]
    assert told["candidates"]["careless"]["time_ms"]["median"] == pytest.approx(0.5)
    document = {
        "clock": "wall",
        "pairs": [told],
        "models": [],
        "summary": optimize_verdicts.summarize([told]),
    }
    assert "| m | e | careless | 0.500 (0.495 to 0.505) | 12.0 | misses the goal |" in (
        optimize_verdicts.markdown(document)
    )


def test_planex_must_meet_its_goal_too():
    times = {"as-it-is": [2 * x for x in NOISE], "planex": NOISE}
    told = judged(times, {"as-it-is": None, "planex": 19.9})
    assert told["verdict"] == "misses the goal"
    failed = candidate(None) | {"state": "failed", "reason": "signal 11"}
    pair = told | {"candidates": {"as-it-is": candidate(None), "planex": failed}}
    assert optimize_verdicts.judge_pair(pair)["verdict"] == "failed"
    summary = optimize_verdicts.summarize([told])
    assert summary["wins"] == 0 and not summary["is_never_slower"]


def test_slower_is_beyond_the_noise_alone():
    slow = {"as-it-is": NOISE, "planex": [1.5 * x for x in NOISE]}
    same = {"as-it-is": NOISE, "planex": NOISE[::-1]}
    equal = {"as-it-is": None, "planex": None}
    assert judged(slow, equal)["verdict"] == "slower"
    assert judged(same, equal)["verdict"] == "within the noise"
    few = {name: times[:5] for name, times in slow.items()}
    assert judged(few, equal)["verdict"] == "too few turns"


def test_the_best_of_many_equals_is_not_faster_than_planex():
    """One of twelve peers that differ by noise is below planex nearly always."""
    draw, wrong = numpy.random.default_rng(3), 0
    for _ in range(40):
        names = [f"p{number}" for number in range(12)] + ["planex"]
        times = {name: draw.normal(1, 0.03, 9).tolist() for name in names}
        told = judged(times, dict.fromkeys(names))
        wrong += told["verdict"] != "within the noise"
    assert wrong <= 4


def test_the_interval_is_that_of_the_sign_test():
    """Of nine values the 2nd and the 8th: the median is outside in 20 of 512 cases."""
    told = optimize_verdicts.estimate([9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    assert (told.low, told.median, told.high) == (2.0, 5.0, 8.0)
    assert optimize_verdicts.estimate([1.0] * 5).low is None


def test_the_order_rotates():
    names = ["a", "b", "c"]
    orders = [optimize_turns.order_of(names, turn) for turn in range(6)]
    assert orders[:3] == [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]]
    for place in range(3):
        assert {order[place] for order in orders} == set(names)


def test_what_an_engine_refuses_takes_part_no_more():
    refused, stored, turns = {}, [], []

    def measure(name: str) -> dict:
        if name == "bad":
            raise optimize_turns.Refused("no such operator")
        return {"median_ms": 1.0, "cpu_ms": None}

    optimize_turns.take_turns(
        ["good", "bad"],
        turns,
        3,
        measure,
        lambda found: stored.append(len(found)),
        refused.__setitem__,
    )
    assert refused == {"bad": "no such operator"} and stored == [1, 2, 3]
    assert all(turn["median_ms"] == {"good": 1.0} for turn in turns)
