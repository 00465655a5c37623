"""The lock of Python is released while planex works, and an engine is read from many threads."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import planex

ENGINE = "examples/engines/resnet18-a100-qat"
# Takes a second and more, and no memory.
SLOW = """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000)
          SELECT max(i) FROM n"""


def ticks_while(work) -> tuple[int, float]:
    """How often another thread got to run while `work` did, and for how long that was."""
    count, done = 0, threading.Event()

    def tick() -> None:
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    try:
        work()
    finally:
        elapsed = time.perf_counter() - start
        done.set()
        thread.join()
    return count, elapsed


def test_other_threads_run_during_a_query(engine):
    count, elapsed = ticks_while(lambda: engine.sql(SLOW))
    assert elapsed > 0.1
    # Were the lock held, it would be one or two.
    assert count > 20


def test_other_threads_run_while_a_report_is_made(engine):
    # Were the lock held, another thread would get it before a report and after it. However busy the
    # machine is, of many reports there is one in whose making it runs more often.
    assert any(ticks_while(engine.report)[0] > 5 for _ in range(200))


def test_many_threads_ask_one_engine(engine):
    expected = (
        engine.summary().to_dict(),
        engine.lint().to_dict(),
        engine.layers.to_pylist(),
        engine.sql("SELECT sum(median_ms) FROM layers").to_pylist(),
        engine.draw().data,
    )

    def ask(_: int) -> bool:
        fresh = planex.open(ENGINE)
        return all(
            (
                one.summary().to_dict(),
                one.lint().to_dict(),
                one.layers.to_pylist(),
                one.sql("SELECT sum(median_ms) FROM layers").to_pylist(),
                one.draw().data,
            )
            == expected
            for one in (engine, fresh)
        )

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(12)))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_control_c_ends_a_query():
    code = textwrap.dedent(
        f"""
        import planex
        engine = planex.open({ENGINE!r})
        print("ready", flush=True)
        try:
            engine.sql({SLOW.replace("3000000", "3000000000")!r})
        except KeyboardInterrupt:
            print("stopped", flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out == "stopped\n"
