"""`planex.optimize` and `planex.clean`, with the driver of the wheel."""

from __future__ import annotations

import os

import pytest

import planex

SITE = os.environ.get("PLANEX_OPENVINO_SITE")
MODEL = os.environ.get("PLANEX_TINY_MODEL", "")

pytestmark = pytest.mark.skipif(SITE is None, reason="OpenVINO is not here")


@pytest.mark.usefixtures("openvino")
def test_options_that_change_little_are_tried(tmp_path):
    seen: list[str] = []
    told = planex.optimize(
        MODEL,
        tmp_path / "best",
        try_="options",
        budget="20s",
        flags=["--duration-ms", "50", "--profile-ms", "50"],
        progress=lambda engine, what, done: seen.append(what),
    )
    assert told["schema"] == "planex.optimize/1"
    assert told.goal == "same" and told.first.median_ms > 0
    assert {step.kind for step in told.steps} == {"options"}
    assert "pinning=on" in seen
    assert (tmp_path / "best/report.html").stat().st_size > 0


def test_a_graph_is_simplified(tmp_path):
    told = planex.clean(MODEL, tmp_path / "clean.onnx")
    assert told["schema"] == "planex.clean/1"
    assert told.node_count <= told.node_count_before
    assert (tmp_path / "clean.onnx").stat().st_size > 0
    with pytest.raises(planex.UsageError, match="polish"):
        planex.clean(MODEL, tmp_path / "no.onnx", only=["polish"])
