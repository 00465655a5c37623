"""What `planex sweep` has for programs that place its runs themselves (planex.sweep of Python)."""

from __future__ import annotations

import json
import pathlib
import shlex
import sys

import pytest

REPLAY = pathlib.Path(__file__).parent.parent / "support/replay_trtexec.py"
# trtexec 8.6 does not know the option of the other half.
GRID = ["--vary", "builderOptimizationLevel=2,3", "--vary", "bf16=on,off", "--repeat", "2"]


@pytest.fixture
def sweep(planex, data, tmp_path):
    """sweep(*words): a grid of trtexec, half of whose cells fail."""
    model = tmp_path / "net.onnx"
    model.write_bytes(b"a model that only trtexec reads")
    program = tmp_path / "trtexec"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {REPLAY} "$@"\n')
    program.chmod(0o755)
    env = {"PLANEX_TEST_DATA": str(data), "REPLAY_VERSION": "8.6"}
    command = ["sweep", model, "-o", tmp_path / "sweep", "--engine", "trtexec"]

    def run(*words, code=0):
        return planex(*command, "--program", program, *GRID, *words, env=env, code=code)

    return run


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def record_of(folder, run):
    return json.loads((folder / "cells" / run / "run.json").read_text("utf-8"))


def test_the_list_says_what_goes_into_a_run(sweep, tmp_path):
    listed = lines(sweep("--list-runs").stdout)
    assert len(listed) == 8
    assert {line["state"] for line in listed} == {"pending"}
    run = next(line for line in listed if "bf16-off" in line["run"])
    assert len(run["inputs"]["model"]["net.onnx"]) == 64
    sweep("--only-run", run["run"])
    assert record_of(tmp_path / "sweep", run["run"])["inputs"] == run["inputs"]
    # trtexec is no engine that a Python drives: which one there is makes no difference.
    again = lines(sweep("--list-runs", "--python", "/another/python").stdout)
    assert [line["run"] for line in again if line["state"] == "done"] == [run["run"]]


def test_a_run_can_have_failed_elsewhere(sweep, tmp_path):
    run = lines(sweep("--list-runs").stdout)[0]["run"]
    sweep("--only-run", run, "--failed", "the machine is gone")
    record = record_of(tmp_path / "sweep", run)
    assert record["state"] == "failed"
    assert record["error"]["message"] == "the machine is gone"
    assert not list((tmp_path / "sweep/cells" / run).glob("net.*"))
    listed = lines(sweep("--list-runs").stdout)
    assert [line["run"] for line in listed if line["state"] == "failed"] == [run]
    assert "--list-runs lists them" in sweep("--only-run", "no/1", "--failed", "x", code=2).stderr
    assert "--only-run" in sweep("--failed", "x", code=2).stderr


def test_progress_for_programs(sweep):
    said = sweep("--json-progress")
    told = [line for line in lines(said.stderr) if "run" in line]
    assert [line["done"] for line in told if line["state"] == "done"][-1] <= 8
    # Two cells fail in the first round, and are not tried in the second.
    assert [line["state"] for line in told].count("failed") == 2
    assert [line["state"] for line in told].count("done") == 4
    assert {line["total"] for line in told} == {8}
