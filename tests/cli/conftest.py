"""Fixtures of the command line's tests."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess

import pytest

from serving import CANARY, ENGINE, SMALL, Served
from unmet import unmet


@pytest.fixture
def serve(planex_bin, tmp_path):
    """serve(*words, cwd=…): a running server; ended with Ctrl-C, which it must take well."""
    running = []
    homes = tmp_path / "home"
    homes.mkdir()

    def start(*words, cwd=tmp_path, env=None):
        environment = {
            **os.environ,
            "HOME": str(homes),
            "TMPDIR": str(homes),
            "XDG_CACHE_HOME": str(homes / "cache"),
            **(env or {}),
        }
        process = subprocess.Popen(
            [str(planex_bin), "serve", *map(str, words)],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        url = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url), process.stderr.read()
        return Served(process, url)

    yield start
    for process in running:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert out == ""
        assert "ERROR" not in err and "runtime error" not in err, err
    assert not list(homes.iterdir()), "nothing is written"


@pytest.fixture
def place(tmp_path, engines):
    """served/ with two engines; outside/ beside it with a canary."""
    served = tmp_path / "served"
    outside = tmp_path / "outside"
    (served / "deep/er").mkdir(parents=True)
    outside.mkdir()
    shutil.copytree(engines / ENGINE, served / "qat")
    shutil.copytree(engines / "mobilenetv2-trt10.1-fp16", served / "deep/er/mobilenet")
    (outside / "secret.graph.json").write_text(SMALL % CANARY)
    (outside / "secret.txt").write_text(CANARY)
    return served


@pytest.fixture
def case(data):
    """case("15"), case("15-ort-…"): the folder of one of the measured cases."""

    def find(start: str):
        found = sorted((data / "cases").glob(f"{start}*"))
        if not found:
            unmet(f"no case {start} in {data}")
        return found[0]

    return find
