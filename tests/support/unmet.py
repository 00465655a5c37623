"""What a test does where something that it needs is not there."""

from __future__ import annotations

import os
import pathlib
from typing import NoReturn

import pytest


def unmet(message: str) -> NoReturn:
    """Skips; fails where CI=true, where all must be there."""
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def may_skip(reason: str) -> bool:
    """Whether a test may be skipped for that reason: anywhere but in CI, and there by the list."""
    if os.environ.get("CI") != "true":
        return True
    allowed = pathlib.Path(__file__).resolve().parent.parent / "may_skip.txt"
    lines = (line.split("\t", 1) for line in allowed.read_text("utf-8").splitlines())
    return any(line[0] == "pytest" and line[1] in reason for line in lines)
