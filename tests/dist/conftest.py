"""What tests of the distribution share.

PLANEX_STATIC_BIN  the static program, by default build/release/static/planex
PLANEX_DIST        the folder of what is passed on, by default build/dist

tools/dist.sh makes both; without them the tests are skipped, or fail where CI=true.
"""

from __future__ import annotations

import os
import pathlib

import pytest

from unmet import unmet

ROOT = pathlib.Path(__file__).resolve().parents[2]


def made(variable: str, default: str) -> pathlib.Path:
    path = pathlib.Path(os.environ.get(variable, ROOT / default)).resolve()
    if not path.exists():
        unmet(f"there is no {path} to test (make dist)")
    return path


@pytest.fixture(scope="session")
def static_bin() -> pathlib.Path:
    return made("PLANEX_STATIC_BIN", "build/release/static/planex")


@pytest.fixture(scope="session")
def dist() -> pathlib.Path:
    return made("PLANEX_DIST", "build/dist/SHA256SUMS").parent
