"""`planex sweep` with the real OpenVINO: a grid that is stopped, killed, changed and resumed."""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

# Short measurements: these tests are about runs and files, not about times.
SHORT = ["--iterations", "30", "--warmup", "1", "--rounds", "1", "--profile-ms", "5"]
GRID = ["batch=1,2,3,4", "threads=1,2", "precision=f32,bf16,f16"]
CELLS = 24
REPLAY = pathlib.Path(__file__).parent.parent / "support/replay_trtexec.py"
pytestmark = pytest.mark.usefixtures("driver")


def write_model(path, seed=1):
    import make_resnet18

    folder = path.parent / f"made-{seed}"
    arguments = ["--variant", "tiny-fp32", "--seed", str(seed), "-o", str(folder)]
    assert make_resnet18.main(arguments) == 0
    path.write_bytes((folder / "tiny-fp32.onnx").read_bytes())


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "tiny.onnx"
    write_model(path)
    return path


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sweep"


def words_of(model, folder, *words, grid=GRID, repeat=1, flags=SHORT):
    vary = [word for axis in grid for word in ("--vary", axis)]
    return ["sweep", model, "-o", folder, *vary, "--repeat", repeat, *words, "--", *flags]


@pytest.fixture
def sweep(planex, model, folder):
    def run(*words, code=0, env=None, **settings):
        return planex(*words_of(model, folder, *words, **settings), code=code, env=env)

    return run


def states(result) -> dict[str, str]:
    """Of --list-runs: how each run stands."""
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    return {row["run"]: row["state"] for row in rows}


def counted(result) -> tuple[int, int]:
    """What a sweep that went on says: runs that were kept, and runs that were done now."""
    found = re.search(
        r"^(\d+) runs? finished before, done now: (\d+)$", result.stderr, re.MULTILINE
    )
    return (int(found[1]), int(found[2])) if found else (0, done_now(result))


def done_now(result) -> int:
    return len(re.findall(r"^\d+ of \d+.*: [\d.]+ s$", result.stderr, re.MULTILINE))


def run_files(folder) -> dict[str, int]:
    """The run.json of each run, and when it was written."""
    found = folder.glob("cells/*/*/run.json")
    return {f"{p.parts[-3]}/{p.parts[-2]}": p.stat().st_mtime_ns for p in found}


def nothing_temporary(folder):
    names = [path.name for path in folder.rglob("*")]
    assert not [name for name in names if name.startswith(".") or ".part" in name], names


def no_driver_left(mark):
    deadline = time.monotonic() + 5
    while True:
        left = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
            except OSError:
                continue
            if os.fsencode(str(mark)) in words and b"planex" in words:
                left.append(words)
        if not left:
            return
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def document_of(planex, folder) -> dict:
    return json.loads(planex("sweep", folder, "--format", "json").stdout)


def test_a_grid(planex, sweep, folder):
    result = sweep()
    assert done_now(result) == CELLS
    assert set(states(sweep("--list-runs")).values()) == {"done"}
    nothing_temporary(folder)
    document = document_of(planex, folder)
    assert document["schema"] == "planex.sweep/1"
    assert document["done_count"] == len(document["cells"]) == CELLS
    assert all(cell["latency_ms"] > 0 and cell["layer_count"] >= 5 for cell in document["cells"])
    assert [cell["batch_size"] for cell in document["cells"][::6]] == [1, 2, 3, 4]
    assert (folder / "report.html").stat().st_size > 100_000
    rows = (folder / "sweep.csv").read_text("utf-8").splitlines()
    assert len(rows) == 1 + CELLS
    assert planex("sweep", folder, "--format", "csv").stdout.splitlines() == rows
    # Each cell is a run as any other.
    planex("summary", folder / "cells/batch-1_threads-1_precision-f32/1")


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGKILL])
def test_killed_in_the_middle(planex_bin, planex, sweep, model, folder, stop):
    words = [str(word) for word in words_of(model, folder)]
    process = subprocess.Popen(
        [str(planex_bin), *words], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    for line in process.stderr:
        if line.startswith(f"{CELLS // 2} of"):
            break
    # In the midst of a run, and not between two.
    while not list(folder.glob("cells/*/*/.planex-*")):
        assert process.poll() is None
    process.send_signal(stop)
    _, said = process.communicate(timeout=30)
    if stop == signal.SIGTERM:
        assert process.returncode == 128 + stop, said
        assert "finished runs are kept" in said
        nothing_temporary(folder)
    else:
        assert process.returncode == -stop
    no_driver_left(folder)
    kept = run_files(folder)
    assert CELLS // 2 <= len(kept) < CELLS
    listed = states(sweep("--list-runs"))
    assert {run for run, state in listed.items() if state == "done"} == set(kept)
    assert list(listed.values()).count("pending") == CELLS - len(kept)
    assert counted(sweep()) == (len(kept), CELLS - len(kept))
    assert run_files(folder).items() >= kept.items(), "finished runs were left as they were"
    nothing_temporary(folder)
    assert document_of(planex, folder)["done_count"] == CELLS
    assert counted(sweep()) == (CELLS, 0)


def test_what_makes_runs_anew(sweep, model, folder):
    grid = ["batch=1,2", "threads=1,2"]
    sweep(grid=grid)
    # Another thread of the grid: only its cells are new, and those that left it stay.
    wider = sweep(grid=["batch=1,2", "threads=2,3"])
    assert counted(wider) == (2, 2)
    assert "2 cells of an earlier grid" in wider.stderr
    # An option that all have.
    longer = [*SHORT, "--seed", "7"]
    assert set(states(sweep("--list-runs", grid=grid, flags=longer)).values()) == {"changed"}
    assert counted(sweep(grid=grid, flags=longer)) == (0, 4)
    assert counted(sweep(grid=grid, flags=longer)) == (4, 0)
    # A variable that reaches the engine.
    limited = {"ONEDNN_MAX_CPU_ISA": "AVX2"}
    listed = sweep("--list-runs", grid=grid, flags=longer, env=limited)
    assert set(states(listed).values()) == {"changed"}
    # The model, whatever its name.
    write_model(model, seed=2)
    assert set(states(sweep("--list-runs", grid=grid, flags=longer)).values()) == {"changed"}
    assert counted(sweep(grid=grid, flags=longer)) == (0, 4)
    # More repeats.
    assert counted(sweep(grid=grid, flags=longer, repeat=2)) == (4, 4)
    # All, because the user says so.
    before = run_files(folder)
    assert done_now(sweep("--fresh", grid=grid, flags=longer, repeat=2)) == 8
    after = run_files(folder)
    assert all(after[run] > written for run, written in before.items() if "threads-3" not in run)


def test_a_cell_that_fails(planex, sweep, folder):
    grid = ["threads=1,2", "INFERENCE_PRECISION_HINT=f32,nonsense"]
    result = sweep(grid=grid, repeat=2)
    assert done_now(result) == 4
    document = document_of(planex, folder)
    assert (document["done_count"], document["failed_count"]) == (2, 2)
    failed = [cell for cell in document["cells"] if cell["state"] == "failed"]
    assert [cell["values"][1] for cell in failed] == ["nonsense", "nonsense"]
    assert all("INFERENCE_PRECISION_HINT" in cell["error"] for cell in failed)
    assert all(cell["latency_ms"] is None for cell in failed)
    nothing_temporary(folder)
    # It may have been the machine: it is tried again, once for each time that planex is called.
    again = sweep(grid=grid, repeat=2)
    assert counted(again) == (4, 0) and again.stderr.count("INFERENCE_PRECISION_HINT") >= 2
    # Where nothing can be built, there is no sweep.
    alone = sweep(grid=["threads=0"], code=2)
    assert "--threads" in alone.stderr


def test_runs_one_by_one(planex, sweep, folder):
    """As a scheduler does them: listed, each done alone, collected at the end."""
    grid = ["batch=1,2"]
    listed = states(sweep("--list-runs", grid=grid, repeat=2))
    assert list(listed.values()) == ["pending"] * 4
    assert sorted(listed) == ["batch-1/1", "batch-1/2", "batch-2/1", "batch-2/2"]
    first = sweep("--only-run", "batch-2/1", grid=grid, repeat=2)
    assert first.stdout == "" and list(run_files(folder)) == ["batch-2/1"]
    assert not (folder / "report.html").exists()
    sweep("--collect", grid=grid, repeat=2)
    document = document_of(planex, folder)
    assert [cell["state"] for cell in document["cells"]] == ["pending", "done"]
    assert (folder / "report.html").exists()
    sweep(
        "--only-run",
        "batch-1/1",
        "--only-run",
        "batch-1/2",
        "--only-run",
        "batch-2/2",
        grid=grid,
        repeat=2,
    )
    assert set(states(sweep("--list-runs", grid=grid, repeat=2)).values()) == {"done"}
    unknown = sweep("--only-run", "batch-3/1", grid=grid, repeat=2, code=2)
    assert "no run" in unknown.stderr and "--list-runs" in unknown.stderr
    failed = sweep(
        "--only-run", "batch-1/1", grid=grid, repeat=2, flags=["--iterations", "x"], code=2
    )
    assert "--iterations" in failed.stderr


def test_two_sweeps_do_not_make_the_same_run(sweep, folder):
    few = {"grid": ["threads=1,2"]}
    run = next(iter(states(sweep("--list-runs", **few))))
    (folder / "cells" / run).mkdir(parents=True)
    # What another sweep has in hand looks so.
    with (folder / "cells" / run / ".run-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / "cells" / run / ".planex-being-written").mkdir()
        result = sweep("--only-run", run, code=2, **few)
        assert "another sweep is making this run" in result.stderr
        assert (folder / "cells" / run / ".planex-being-written").is_dir()
    sweep("--only-run", run, **few)
    assert set(run_files(folder)) == {run}
    nothing_temporary(folder)


def test_print_only(sweep, folder):
    lines = sweep("--print-only").stdout.splitlines()
    assert len(lines) == CELLS and not folder.exists()
    words = [shlex.split(line) for line in lines]
    assert {row[row.index("--shape") + 1] for row in words} == {
        f"input={batch}x3x8x8" for batch in (1, 2, 3, 4)
    }
    assert {row[row.index("--precision") + 1] for row in words} == {"f32", "bf16", "f16"}


def test_streams(planex, sweep, folder):
    """Their throughput is measured; it does not follow from the latency."""
    sweep(grid=["streams=1,2"])
    document = document_of(planex, folder)
    one, two = document["cells"]
    assert one["items_per_s"] == pytest.approx(1000 / one["latency_ms"], rel=1e-6)
    times = json.loads((folder / "cells/streams-2/1/tiny.times.json").read_text("utf-8"))
    assert two["items_per_s"] == pytest.approx(times["throughput_per_s"])
    # What the second brings, in figures and in words.
    (scaling,) = document["scaling"]
    assert [point["cell"] for point in scaling["points"]] == [0, 1]
    second = scaling["points"][1]
    assert second["throughput_ratio"] == pytest.approx(two["items_per_s"] / one["items_per_s"])
    assert second["latency_ratio"] == pytest.approx(two["latency_ms"] / one["latency_ms"])
    said = " ".join(document["sentences"])
    said_where_enough = "More than streams 1 brings no more throughput"
    grows = "From streams 1 to 2 throughput grows"
    assert (said_where_enough if scaling["enough"] == 0 else grows) in said


def test_through_a_launcher(planex, sweep, folder):
    launcher = ["--launcher", "env A=1 nice"]
    sweep(*launcher, grid=["batch=1,2", "threads=1,2"])
    assert document_of(planex, folder)["done_count"] == 4
    for path in folder.glob("cells/*/1/manifest.json"):
        assert json.loads(path.read_text("utf-8"))["launcher"] == ["env", "A=1", "nice"]
    assert counted(sweep(*launcher, grid=["batch=1,2", "threads=1,2"])) == (4, 0)
    # Without it they are other runs.
    listed = sweep("--list-runs", grid=["batch=1,2", "threads=1,2"])
    assert set(states(listed).values()) == {"changed"}


def test_another_model_in_the_folder(planex, sweep, folder, tmp_path):
    sweep(grid=["batch=1"])
    other = tmp_path / "other.onnx"
    write_model(other)
    failed = planex(*words_of(other, folder, grid=["batch=1"]), code=2)
    assert "another model" in failed.stderr


def test_trtexec(planex, data, tmp_path):
    """A cell whose build fails leaves its log in its folder."""
    model = tmp_path / "net.onnx"
    model.write_bytes(b"a model that only trtexec reads")
    trtexec = tmp_path / "trtexec"
    fail = 'case "$*" in *--int8*) export REPLAY_FAULT=build:fail;; esac'
    trtexec.write_text(f'#!/bin/sh\n{fail}\nexec {shlex.quote(sys.executable)} {REPLAY} "$@"\n')
    trtexec.chmod(0o755)
    folder = tmp_path / "sweep"
    words = ["sweep", model, "-o", folder, "--engine", "trtexec", "--program", trtexec]
    words += ["--vary", "precision=fp32,fp16,int8", "--repeat", "2"]
    env = {"PLANEX_TEST_DATA": str(data), "REPLAY_VERSION": "8.6"}
    result = planex(*words, env=env)
    document = document_of(planex, folder)
    assert [cell["state"] for cell in document["cells"]] == ["done", "done", "failed"]
    assert document["cells"][0]["run_count"] == 2
    log = next(folder.glob("cells/precision-int8/*/net.failed.log"))
    assert f"The complete log: {log}" in document["cells"][2]["error_hint"]
    assert "TensorRT can't parse the model" in result.stdout
    nothing_temporary(folder)
    # The program is hashed, as it has no version to ask for.
    trtexec.write_text(trtexec.read_text().replace(fail, ""))
    listed = states(planex(*words, "--list-runs", env=env))
    assert set(listed.values()) == {"changed", "pending"}
    planex(*words, env=env)
    assert document_of(planex, folder)["done_count"] == 3
    assert not list(folder.rglob("*.failed.log"))
