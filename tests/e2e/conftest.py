"""What the tests that run engines share."""

from __future__ import annotations

import pytest

from unmet import unmet


@pytest.fixture(scope="session")
def driver(planex_bin):
    """OpenVINO's driver, beside the program."""
    program = planex_bin.parent / "planex-openvino"
    if not program.exists():
        unmet(f"no OpenVINO driver to test: {program}")
    return program
