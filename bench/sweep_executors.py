#!/usr/bin/env python3
"""Measures how many cells of a sweep are done in a minute, by executor and number of workers.

    PYTHONPATH=build/test/openvino-site build/test/python/bin/python bench/sweep_executors.py
        [--cells N] [--rounds N] [--workers N...] [--flags "WORDS"] [--model FILE]

Runs in the environment that tools/test_python.sh makes. Each round sweeps once with each executor,
into a new folder; workers are started, and have done a task, before the time begins. What is timed
is all of planex.sweep: the runs, their files on the way back, table and report at the end.
`program` is planex.sweep without an executor, one run after the other in one process.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import platform
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator

import planex

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = ROOT / "build/test/models/tiny-fp32.onnx"

Executor = concurrent.futures.Executor | None


@contextlib.contextmanager
def program(workers: int) -> Iterator[Executor]:
    yield None


@contextlib.contextmanager
def processes(workers: int) -> Iterator[Executor]:
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        yield pool


@contextlib.contextmanager
def dask(workers: int) -> Iterator[Executor]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor(pure=False)


@contextlib.contextmanager
def ray(workers: int) -> Iterator[Executor]:
    import ray

    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    try:
        with planex.RayExecutor() as executor:
            yield executor
    finally:
        ray.shutdown()


EXECUTORS: dict[str, Callable[[int], contextlib.AbstractContextManager[Executor]]] = {
    "program": program,
    "processes": processes,
    "dask": dask,
    "ray": ray,
}


def seconds(name: str, workers: int, asked: argparse.Namespace) -> float:
    with tempfile.TemporaryDirectory() as folder, EXECUTORS[name](workers) as executor:
        if executor is not None:
            # Long enough that no worker does two.
            tasks = [executor.submit(time.sleep, 1) for _ in range(workers)]
            concurrent.futures.wait(tasks)
        start = time.perf_counter()
        sweep = planex.sweep(
            asked.model,
            folder,
            vary={"batch": range(1, asked.cells + 1)},
            repeat=1,
            flags=asked.flags.split(),
            executor=executor,
            progress=None,
        )
        took = time.perf_counter() - start
        if sweep.document.done_count != asked.cells:
            raise SystemExit(f"sweep_executors: {sweep!r}")
        return took


def main() -> None:
    # Else Ray makes one and leaves it in the user's folder.
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--flags", default="", help="of planex-openvino")
    parser.add_argument("--model", type=pathlib.Path, default=MODEL)
    asked = parser.parse_args()
    rows = [
        (name, workers)
        for name in EXECUTORS
        for workers in (asked.workers if name != "program" else [1])
    ]
    times: dict[tuple[str, int], list[float]] = {row: [] for row in rows}
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors, ", end="")
    print(f"load {os.getloadavg()[0]:.1f} before")
    for _ in range(asked.rounds):
        for row in rows:
            times[row].append(seconds(*row, asked))
    print(f"load {os.getloadavg()[0]:.1f} after; {asked.cells} cells, {asked.rounds} rounds")
    print("executor   workers  cells/min (median, least, most)")
    for (name, workers), took in times.items():
        rates = [asked.cells * 60 / one for one in took]
        low, high = min(rates), max(rates)
        print(f"{name:<10} {workers:>7}  {statistics.median(rates):>6.0f} {low:>6.0f} {high:>6.0f}")


if __name__ == "__main__":
    main()
