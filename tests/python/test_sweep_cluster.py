"""Sweeps on real schedulers: a cluster of Dask and one of Ray on this machine, with a worker killed
in the middle. Their processes take seconds to start; `-m "not cluster"` leaves them out."""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import importlib
import os
import pathlib
import re
import secrets
import shutil
import signal

import psutil
import pytest

import planex

SITE = os.environ.get("PLANEX_OPENVINO_SITE", "")
MODEL = os.environ.get("PLANEX_TINY_MODEL", "")
SHORT = ("--iterations=5", "--warmup=1", "--duration-ms=5", "--profile-ms=5", "--rounds=1")
GRID = {"batch": range(1, 21), "threads": [1, 2]}
WORKERS = 2
# Else Ray makes one and leaves it in the user's folder.
RAY_TOKEN = secrets.token_hex(32)

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(not SITE, reason="OpenVINO is not here"),
    # Of the schedulers themselves, at their end.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def command_of(process):
    """Empty for one that has ended since it was listed."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@contextlib.contextmanager
def dask():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor(), lambda: list(client.run(os.getpid).values())


@contextlib.contextmanager
def ray():
    import ray

    ray.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False)

    def workers():
        """Those that do a task: their titles have its name."""
        below = psutil.Process().children(recursive=True)
        return [one.pid for one in below if command_of(one).startswith("ray::_call")]

    try:
        with planex.RayExecutor() as executor:
            yield executor, workers
    finally:
        ray.shutdown()


@pytest.fixture(autouse=True)
def surroundings(monkeypatch):
    """Workers find OpenVINO, and Ray what it asks for."""
    monkeypatch.setenv("PYTHONPATH", SITE)
    monkeypatch.setenv("RAY_AUTH_TOKEN", RAY_TOKEN)


@pytest.fixture(params=[dask, ray], ids=["dask", "ray"])
def cluster(request):
    """An executor, and what gives the processes that do its tasks."""
    with request.param() as made:
        yield made


def test_no_cell_is_lost_with_a_worker(cluster, tmp_path):
    executor, workers = cluster
    killed: list[int] = []
    told: list[int] = []

    def progress(done, total):
        assert total == 40
        told.append(done)
        if done >= 10 and not killed and (victims := workers()):
            killed.append(victims[0])
            os.kill(victims[0], signal.SIGKILL)

    sweep = planex.sweep(
        MODEL,
        tmp_path,
        vary=GRID,
        repeat=1,
        flags=SHORT,
        executor=executor,
        progress=progress,
    )
    assert killed
    assert told[0] < 30
    document = sweep.document
    assert (document.done_count, document.failed_count, document.pending_count) == (40, 0, 0)
    assert told == list(range(1, 41))
    assert sweep.sql("SELECT count(DISTINCT cell) FROM layers").fetchall() == [(40,)]
    # All of it is there: nothing is done again.
    told.clear()
    planex.sweep(
        MODEL,
        tmp_path,
        vary=GRID,
        repeat=1,
        flags=SHORT,
        executor=executor,
        progress=progress,
    )
    assert not told


class Elsewhere(concurrent.futures.Executor):
    """An executor whose workers have nothing at the model's path."""

    def __init__(self, inner):
        self.inner = inner

    def submit(self, fn, task, content):
        away = dataclasses.replace(task, model="/no/such/place/tiny-fp32.onnx")
        return self.inner.submit(fn, away, content)

    def __getattr__(self, name):
        return getattr(self.inner, name)


def test_the_model_reaches_workers_that_do_not_see_it(cluster, tmp_path):
    """And what fails there is a row here; its later runs are taken back."""
    executor, _ = cluster
    sweep = planex.sweep(
        MODEL,
        tmp_path,
        vary=["batch=1,2", "precision=f32,int8"],
        repeat=2,
        flags=SHORT,
        executor=Elsewhere(executor),
        progress=None,
    )
    document = sweep.document
    assert (document.done_count, document.failed_count, document.pending_count) == (2, 2, 0)
    assert [cell.run_count for cell in document.cells] == [2, 0, 2, 0]
    assert all("int8" in (cell.error or "int8") for cell in document.cells)


def test_the_guide_runs(tmp_path, monkeypatch):
    """Its blocks without a prompt, in order, as one program; those with one are doctests."""
    page = pathlib.Path("docs/how-to/sweeps-from-python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    program = [block for block in blocks if not block.startswith(">>>")]
    assert len(program) == 4
    shutil.copy(MODEL, tmp_path / "model.onnx")
    monkeypatch.chdir(tmp_path)
    try:
        exec(compile("".join(program), "sweeps-from-python.md", "exec"), {})  # noqa: S102
    finally:
        importlib.import_module("ray").shutdown()
    folders = ["sweep", "pool", "dask", "ray"]
    counts = [planex.Sweep(folder).document.done_count for folder in folders]
    assert counts == [6, 2, 2, 2]
