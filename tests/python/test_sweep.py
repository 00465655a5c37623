"""Sweeps from Python: here, over pools, over executors that lose what they are given.

PLANEX_OPENVINO_SITE  a folder that has OpenVINO's package; without it nothing here runs
PLANEX_TINY_MODEL     a small model, as ONNX
"""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time
import warnings

import pytest

import planex

SITE = os.environ.get("PLANEX_OPENVINO_SITE", "")
MODEL = os.environ.get("PLANEX_TINY_MODEL", "")
SHORT = ("--iterations=5", "--warmup=1", "--duration-ms=5", "--profile-ms=5", "--rounds=1")
GRID = {"batch": [1, 2], "threads": [1, 2]}
RECORDED = "tests/data/sweep"

needs_openvino = pytest.mark.skipif(not SITE, reason="OpenVINO is not here")


@pytest.fixture(autouse=True)
def openvino(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers find OpenVINO as a package of theirs."""
    monkeypatch.setenv("PYTHONPATH", SITE)


def swept(folder, **more):
    given = {"vary": GRID, "repeat": 2, "flags": SHORT, "progress": None, **more}
    return planex.sweep(MODEL, folder, **given)


def files_of(folder):
    """By name: which model it was says the folder's, also where workers have it elsewhere."""
    return {path.relative_to(folder).as_posix() for path in folder.glob("cells/*/*/*")}


class Inline(concurrent.futures.Executor):
    """Does all in this thread, as another machine would: through bytes, and with what `fault`
    makes of a task. An exception there is a task that got lost."""

    # As pools have it: one at a time, so that the order is that of the sweep.
    _max_workers = 1

    def __init__(self, fault=lambda task: task):
        self.fault = fault
        self.runs: list[str | None] = []
        self.sent: list[bool] = []

    def submit(self, fn, /, *args, **kwargs):
        future: concurrent.futures.Future = concurrent.futures.Future()
        try:
            fn, task, content = pickle.loads(pickle.dumps((fn, *args)))  # noqa: S301
            self.runs.append(task.run)
            self.sent.append(content is not None)
            future.set_result(pickle.loads(pickle.dumps(fn(self.fault(task), content))))  # noqa: S301
        except Exception as error:
            future.set_exception(error)
        return future

    @property
    def done(self):
        """Runs, without the question which there are."""
        return [run for run in self.runs if run is not None]


# --- What a sweep is ------------------------------------------------------------------------------


def test_a_folder_of_the_program_is_a_sweep(tmp_path):
    sweep = planex.Sweep(RECORDED, store=tmp_path / "store")
    document = sweep.document
    assert document["schema"] == "planex.sweep/1"
    assert sweep.to_dict() == document.to_dict()
    cells = sweep.cells
    assert len(cells) == len(document.cells) == 12
    assert [row["latency_ms"] for row in cells] == [cell.latency_ms for cell in document.cells]
    assert [row["id"] for row in cells if row["state"] == "failed"] == [
        cell.id for cell in document.cells if cell.state == "failed"
    ]
    assert cells.schema["latency_ms"].unit == "ms"
    assert cells.to_polars().height == 12
    assert len(sweep.cliffs) == 1
    assert sweep.cliffs[0]["changed"][0].b_tactic == "ref_any_f32"
    assert sweep._repr_markdown_().startswith("| batch")
    assert "12 cells, 3 builds each" in str(sweep)
    assert "<html" in sweep.report(tmp_path / "report.html").html
    assert (tmp_path / "report.html").stat().st_size > 100_000
    with pytest.raises(planex.NotFoundError, match="not a sweep"):
        planex.Sweep("examples")


def test_its_layers_have_the_keys_of_their_cell(tmp_path):
    sweep = planex.Sweep(RECORDED, store=tmp_path)
    rows = sweep.to_arrow().to_pylist()
    assert {row["cell_run"] for row in rows} == {1, 2, 3}
    for row in rows:
        assert row["engine"].startswith(f"cells/{row['cell']}/{row['cell_run']}")
        assert row["cell"] == (
            f"batch-{row['cell_batch']}_threads-{row['cell_threads']}"
            f"_precision-{row['cell_precision']}"
        )
        assert row["cell_batch"] == row["batch_size"]
    per_cell = "SELECT cell_threads, sum(median_ms) FROM layers WHERE cell_batch = 4 GROUP BY ALL"
    one, two = (time for _, time in sorted(sweep.sql(per_cell).fetchall()))
    assert one > 1.5 * two  # The cliff.
    # Nothing is read again; another grid over the same folders is.
    assert sweep.build(progress=None).read == 0


def test_vary_is_values_or_words():
    from planex._sweep import _axes

    assert _axes({"batch": range(1, 3), "fp16": [True, False], "shape:a": [(1, 2), [3]]}) == [
        "batch=1,2",
        "fp16=on,off",
        "shape:a=1x2,3",
    ]
    assert _axes(["batch=1,2"]) == ["batch=1,2"]
    with pytest.raises(planex.UsageError, match="comma"):
        _axes({"isa": ["AVX2,AMX"]})
    with pytest.raises(planex.UsageError, match="single string"):
        _axes("batch=1,2")


def test_import_does_not_bring_it_along():
    code = "import planex, sys; assert 'planex._sweep' not in sys.modules; planex.sweep"
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_ray_is_said_to_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(planex.NotFoundError, match="cluster"):
        planex.RayExecutor()


# --- Here, and in pools ---------------------------------------------------------------------------


@needs_openvino
def test_without_an_executor_the_program_does_it(tmp_path):
    told: list[tuple[int, int]] = []
    sweep = swept(tmp_path, progress=lambda *step: told.append(step))
    assert told == [(done, 8) for done in range(1, 9)]
    assert sweep.document.done_count == 4
    assert (tmp_path / "sweep.csv").read_text().startswith("batch,threads,")
    assert (tmp_path / "report.html").is_file()
    told.clear()
    swept(tmp_path, progress=lambda *step: told.append(step))
    assert not told
    swept(tmp_path, fresh=True, progress=lambda *step: told.append(step))
    assert len(told) == 8


@needs_openvino
@pytest.mark.parametrize("kind", ["ThreadPoolExecutor", "ProcessPoolExecutor"])
def test_a_pool_does_the_same(tmp_path, kind):
    told: list[tuple[int, int]] = []
    with getattr(concurrent.futures, kind)(2) as pool:
        sweep = swept(tmp_path / "pool", executor=pool, progress=lambda *step: told.append(step))
    assert told == [(done, 8) for done in range(1, 9)]
    assert (sweep.document.done_count, sweep.document.failed_count) == (4, 0)
    swept(tmp_path / "here")
    assert files_of(tmp_path / "pool") == files_of(tmp_path / "here")
    for name in ("sweep.csv", "report.html"):
        assert (tmp_path / "pool" / name).is_file()
    assert not list((tmp_path / "pool").glob(".planex-*"))
    # What one of them finished, the other keeps.
    executor = Inline()
    swept(tmp_path / "here", executor=executor)
    assert not executor.done


@needs_openvino
def test_only_what_is_missing_is_placed(tmp_path):
    executor = Inline()
    swept(tmp_path, executor=executor)
    assert executor.runs[0] is None
    assert len(executor.done) == len(set(executor.done)) == 8
    again = Inline()
    swept(tmp_path, executor=again)
    assert not again.done
    (tmp_path / "cells/batch-1_threads-2/2/run.json").unlink()
    more = Inline()
    swept(tmp_path, executor=more, vary={"batch": [1, 2, 3], "threads": [1, 2]})
    assert set(more.done) == {
        "batch-1_threads-2/2",
        *(f"batch-3_threads-{threads}/{run}" for threads in (1, 2) for run in (1, 2)),
    }
    changed = Inline()
    swept(tmp_path, executor=changed, flags=[*SHORT[1:], "--iterations=6"])
    assert len(changed.done) == 8
    fresh = Inline()
    swept(tmp_path, executor=fresh, flags=[*SHORT[1:], "--iterations=6"], fresh=True)
    assert len(fresh.done) == 8


@needs_openvino
def test_a_cell_that_fails_is_a_row(tmp_path):
    executor = Inline()
    grid = {"threads": [1, 2], "precision": ["f32", "int8"]}
    sweep = swept(tmp_path, executor=executor, vary=grid)
    states = {row["id"]: (row["state"], row["error"]) for row in sweep.cells}
    assert [state for state, _ in states.values()] == ["done", "failed"] * 2
    assert all("int8" in error for state, error in states.values() if state == "failed")
    # What failed once is not tried again.
    tried = collections.Counter(run.rpartition("/")[0] for run in executor.done)
    assert {cell: tried[cell] for cell in states} == {
        cell: 1 if state == "failed" else 2 for cell, (state, _) in states.items()
    }


@needs_openvino
def test_nothing_but_failures_is_an_error(tmp_path):
    for folder, executor in (("here", None), ("placed", Inline())):
        with pytest.raises(planex.ExternalToolError, match="no cell could be built") as caught:
            swept(tmp_path / folder, executor=executor, vary=["precision=int8,int4"])
        assert "int" in caught.value.context
        assert planex.Sweep(tmp_path / folder).document.failed_count == 2


@needs_openvino
def test_what_makes_no_sense_is_said_at_once(tmp_path):
    for executor in (None, Inline()):
        with pytest.raises(planex.UsageError, match="twice"):
            swept(tmp_path, executor=executor, vary=["batch=1,1"])
        with pytest.raises(planex.UsageError, match="not a frequency"):
            swept(tmp_path, executor=executor, lock_clocks=-5)
        with pytest.raises(planex.NotFoundError, match="no such model"):
            planex.sweep("no.onnx", tmp_path, vary=GRID, executor=executor)


# --- Workers elsewhere ----------------------------------------------------------------------------


@needs_openvino
def test_workers_need_no_disk_in_common(tmp_path):
    """They get the model as bytes, after one of them said that it doesn't see it."""

    def elsewhere(task):
        return dataclasses.replace(task, model="/no/such/place/tiny-fp32.onnx")

    executor = Inline(elsewhere)
    sweep = swept(tmp_path, executor=executor)
    assert sweep.document.done_count == 4
    assert executor.sent == [False] + [True] * 9
    manifest = json.loads((tmp_path / "cells/batch-1_threads-1/1/manifest.json").read_text())
    assert manifest["model"]["path"] == "model/tiny-fp32.onnx"
    # Nothing is said of the folders of workers, so the same inputs are the same.
    again = Inline()
    swept(tmp_path, executor=again)
    assert not again.done


@needs_openvino
def test_a_file_that_is_another_is_not_the_model(tmp_path):
    other = tmp_path / "tiny-fp32.onnx"
    other.write_bytes(b"something else")
    executor = Inline(lambda task: dataclasses.replace(task, model=str(other)))
    assert swept(tmp_path / "sweep", executor=executor).document.done_count == 4
    assert sum(executor.sent) == 9


@needs_openvino
def test_weights_beside_the_model_are_sent_with_it(tmp_path):
    import onnx

    model = onnx.load(MODEL)
    (tmp_path / "data").mkdir()
    onnx.save(
        model,
        tmp_path / "model.onnx",
        save_as_external_data=True,
        location="weights.bin",
        size_threshold=0,
    )
    executor = Inline(lambda task: dataclasses.replace(task, model="/nowhere/model.onnx"))
    sweep = planex.sweep(
        tmp_path / "model.onnx",
        tmp_path / "sweep",
        vary=["batch=1"],
        repeat=1,
        flags=SHORT,
        executor=executor,
        progress=None,
    )
    assert sweep.document.done_count == 1


@needs_openvino
def test_lost_tasks_are_given_again_and_not_for_ever(tmp_path):
    tries: collections.Counter = collections.Counter()

    class GoneError(Exception):
        pass

    def lose(task):
        tries[task.run] += 1
        if task.run == "batch-1_threads-2/1" or tries[task.run] == 1:
            raise GoneError("the worker is gone")
        return task

    sweep = swept(tmp_path, executor=Inline(lose))
    assert tries.pop("batch-1_threads-2/1") == 4
    assert "batch-1_threads-2/2" not in tries  # Of a cell that was given up.
    assert set(tries.values()) == {2}
    failed = [cell for cell in sweep.document.cells if cell.state == "failed"]
    assert [cell.id for cell in failed] == ["batch-1_threads-2"]
    assert failed[0].error == "given up after 4 workers: GoneError: the worker is gone"
    assert sweep.document.done_count == 3


def test_an_executor_that_does_nothing_is_an_error(tmp_path):
    def lose(task):
        raise RuntimeError("no room")

    with pytest.raises(planex.ExternalToolError, match="no room"):
        swept(tmp_path, executor=Inline(lose))
    with pytest.raises(planex.ExternalToolError, match="a worker has planex"):
        swept(tmp_path, executor=Inline(lambda task: dataclasses.replace(task, version="0.0.1")))


@needs_openvino
def test_workers_that_differ_are_a_warning(tmp_path, monkeypatch):
    def another_kind(task):
        if task.run == "batch-1_threads-1/1":
            monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "AVX2")
        else:
            monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
        return task

    with pytest.warns(UserWarning, match="workers differ.*environment"):
        swept(tmp_path, executor=Inline(another_kind))
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    again = Inline()
    swept(tmp_path, executor=again)
    assert again.done == ["batch-1_threads-1/1"]


def killer(pools, at):
    """Kills a process of the pool when so many runs are done, once."""
    killed: list[int] = []

    def progress(done, total):
        if done == at and not killed:
            victim = next(iter(pools[-1]._processes))
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    return progress, killed


@needs_openvino
def test_a_pool_that_loses_a_process_is_made_anew(tmp_path):
    pools: list = []

    def make():
        pools.append(concurrent.futures.ProcessPoolExecutor(2))
        return pools[-1]

    progress, killed = killer(pools, at=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sweep = swept(tmp_path, executor=make, progress=progress)
    assert killed
    assert len(pools) == 2
    assert (sweep.document.done_count, sweep.document.failed_count) == (4, 0)
    assert all(cell.run_count == 2 for cell in sweep.document.cells)


@needs_openvino
def test_a_pool_that_can_not_be_made_anew_ends_the_sweep(tmp_path):
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        progress, _ = killer([pool], at=2)
        with pytest.raises(planex.ExternalToolError, match="the pool is broken"):
            swept(tmp_path, executor=pool, progress=progress)
    assert swept(tmp_path).document.done_count == 4


@needs_openvino
def test_an_exception_in_progress_stops_the_work(tmp_path):
    def stop(done, total):
        if done == 3:
            raise KeyboardInterrupt

    for executor in (None, Inline()):
        folder = tmp_path / str(executor is None)
        with pytest.raises(KeyboardInterrupt):
            swept(folder, executor=executor, progress=stop)
        kept = len(list(folder.glob("cells/*/*/run.json")))
        assert 3 <= kept < 8
        more = Inline()
        assert swept(folder, executor=more).document.done_count == 4
        assert len(more.done) == 8 - kept


@needs_openvino
def test_a_worker_that_is_killed_takes_its_engine_with_it(tmp_path):
    """Else what is left of it would run beside the runs of others, and be in their times."""
    words = [*SHORT[:3], "--profile-ms=60000"]
    script = (
        "import sys; from planex import _program\n"
        "_program.run(['sweep', *sys.argv[1:3], '--vary=batch=1', '--run=batch-1/1',"
        " '--end-with-parent', '--', *sys.argv[3:]])"
    )
    command = [sys.executable, "-P", "-c", script, MODEL, f"--output={tmp_path}", *words]
    worker = subprocess.Popen(command)
    mark = str(tmp_path).encode()

    def below():
        running = []
        for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = file.read_bytes()
            except OSError:
                continue
            if mark in line and file.parent.name != str(worker.pid):
                running.append(line)
        return running

    def wait_until(what):
        end = time.monotonic() + 30
        while not what() and time.monotonic() < end:
            time.sleep(0.1)
        return what()

    assert wait_until(lambda: len(below()) > 1), "the program and its driver"
    worker.kill()
    worker.wait()
    assert wait_until(lambda: not below())
