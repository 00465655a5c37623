"""`planex optimize --engine trtexec`: build routes and options of a trtexec that replays recorded
runs, with the noise of builds, a clock that falls, and twelve knobs of which two matter."""

from __future__ import annotations

import json
import pathlib
import shlex
import sys

import pytest
import tuned_trtexec

SUPPORT = pathlib.Path(__file__).parent.parent / "support"
EIGHT, FOUR = tuned_trtexec.FACTORS


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    import make_resnet18

    folder = tmp_path_factory.mktemp("model")
    assert make_resnet18.main(["--variant", "tiny-fp32", "-o", str(folder)]) == 0
    return folder / "tiny-fp32.onnx"


@pytest.fixture
def optimize(planex, data, model, tmp_path):
    """Runs planex with the trtexec of a version; settings are those of tuned_trtexec.py."""
    program = tmp_path / "trtexec"
    asked = tmp_path / "asked.txt"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *helpBuildRoute*) echo asked >> {asked};; esac\n'
        f'exec {shlex.quote(sys.executable)} -S {SUPPORT / "replay_trtexec.py"} "$@"\n'
    )
    program.chmod(0o755)

    def run(*words, version="11.1", code=0, **settings):
        tuning = tmp_path / "tuning"
        tuning.mkdir(exist_ok=True)
        (tuning / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        env = {
            "PLANEX_TEST_DATA": str(data),
            "REPLAY_VERSION": version,
            "REPLAY_TUNING": str(tuning),
        }
        command = ["optimize", model, "--engine", "trtexec", "--program", program]
        command += ["--try", "options", "-o", tmp_path / "best"]
        return planex(*command, *words, env=env, code=code, timeout=900)

    return run


def record(folder):
    return json.loads((folder / "optimize.json").read_text("utf-8"))


def test_the_knobs_that_matter_are_found(optimize, tmp_path):
    text = optimize("--budget", "1h", seed=1).stdout
    told = record(tmp_path / "best")
    assert sorted(told["kept"]) == sorted([EIGHT, FOUR]), told["steps"]
    assert told["high_ratio"] < 0
    truth = 0.92 * 0.96
    assert abs(1 + told["change_ratio"] - truth) < 0.02
    # One option of trtexec has all of the route, in the command and in the engine's record.
    (word,) = [word for word in shlex.split(told["command"]) if "setBuildRoute" in word]
    assert set(word.split("=", 1)[1].split()) == {EIGHT, FOUR}
    manifest = json.loads((tmp_path / "best/best/manifest.json").read_text("utf-8"))
    assert any(f"--{word}" in command for command in manifest["commands"])
    # What went out is in the record, and one line of the screen.
    dropped = [step for step in told["steps"] if step["state"] == "dropped"]
    assert len(dropped) >= 8
    for step in dropped:
        assert step["after"]["run_count"] >= 1 and step["low_ratio"] is None
        assert "beside the best" in step["reason"]
        assert step["id"] not in text
    assert f"{len(dropped)} more went out after" in text
    kept = [step for step in told["steps"] if step["state"] == "kept"]
    assert all(step["group"] == "route" and step["high_ratio"] < 0 for step in kept)
    # Asked once, however many builds there were.
    assert (tmp_path / "asked.txt").read_text() == "asked\n"


def test_knobs_that_change_nothing_are_no_gain(optimize, tmp_path):
    text = optimize("--budget", "1h", seed=3, factors={}).stdout
    told = record(tmp_path / "best")
    assert told["kept"] == [] and told["change_ratio"] is None
    assert "nothing is proven faster" in text


def test_options_that_a_version_lacks_are_not_tried(optimize, tmp_path):
    text = optimize("--print-plan", "--format", "json", version="8.6").stdout
    told = json.loads(text)
    ids = {step["id"] for step in told["steps"]}
    assert "builderOptimizationLevel=5" in ids and "useCudaGraph" in ids
    assert "tilingOptimizationLevel=3" not in ids, "from 10.8 on"
    assert not any(step.get("group") == "route" for step in told["steps"])
    (note,) = [note for note in told["notes"] if "build routes" in note]
    assert note.startswith("trtexec 8.6") and "11.1 is the first" in note
    assert not (tmp_path / "best").exists()


def test_every_value_but_the_default_is_proposed(optimize):
    told = json.loads(optimize("--print-plan", "--format", "json").stdout)
    routes = [step["id"] for step in told["steps"] if step.get("group") == "route"]
    expected = [
        f"{knob}={value}"
        for knob, values in tuned_trtexec.KNOBS.items()
        for value in sorted(values)
        if value != values[0]
    ]
    assert routes == expected
    assert "useCudaGraph" not in {step["id"] for step in told["steps"]}, "the default since 11"


def test_a_short_budget_leaves_the_rest_untried(optimize, tmp_path):
    optimize("--budget", "12s", seed=1, knobs=300)
    told = record(tmp_path / "best")
    states = [step["state"] for step in told["steps"] if step.get("group") == "route"]
    assert states.count("not-tried") > 100
    assert told["duration_s"] < 60


def test_no_trtexec_is_said(planex, model, tmp_path):
    words = ["--engine", "trtexec", "--program", tmp_path / "none", "-o", tmp_path / "best"]
    result = planex("optimize", model, *words, code=None)
    assert result.returncode in (2, 3, 4)
    assert "none" in result.stderr and not (tmp_path / "best").exists()
