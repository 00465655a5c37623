"""What the tests that run engines share."""

from __future__ import annotations

import pathlib
import shlex
import sys

import pytest

from unmet import unmet


@pytest.fixture(scope="session")
def driver(planex_bin):
    """OpenVINO's driver, beside the program."""
    program = planex_bin.parent / "planex-openvino"
    if not program.exists():
        unmet(f"no OpenVINO driver to test: {program}")
    return program


@pytest.fixture
def trtexec(tmp_path):
    """A trtexec that replays what a real one recorded."""
    replay = pathlib.Path(__file__).parent.parent / "support/replay_trtexec.py"
    program = tmp_path / "trtexec"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {replay} "$@"\n')
    program.chmod(0o755)
    return program
