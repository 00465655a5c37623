"""`planex.optimize` and `planex.clean`, with the driver of the wheel."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any

import numpy as np
import pytest

import planex

SITE = os.environ.get("PLANEX_OPENVINO_SITE")
ROOT = pathlib.Path(__file__).resolve().parents[2]
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


@pytest.mark.usefixtures("openvino")
def test_what_the_page_shows_works(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs/how-to/use-from-python.md").read_text("utf-8")
    section = page.split("## Make a model faster")[1].split("\n## ")[0]
    (code,) = re.findall(r"^```python\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    draw = np.random.default_rng(3)
    np.savez(tmp_path / "samples.npz", input=draw.random((12, 3, 8, 8), "float32"))
    for given, here in (("model.onnx", os.path.abspath(MODEL)), ("10m", "20s")):
        assert f'"{given}"' in code
        code = code.replace(f'"{given}"', repr(here))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"planex": planex}
    exec(code, names)  # noqa: S102
    assert names["engine"].layers.to_pylist()
    printed = capsys.readouterr().out
    assert "int8: 0%" in printed and "options" in {step.kind for step in names["record"].steps}
    # An exception of the caller's own stops the search, and comes out of it.
    with pytest.raises(RuntimeError, match="enough"):
        planex.optimize(MODEL, tmp_path / "stopped", progress=stop_at_once)


def stop_at_once(engine: str, what: str, done: float) -> None:
    raise RuntimeError("enough")


def test_a_graph_is_simplified(tmp_path):
    told = planex.clean(MODEL, tmp_path / "clean.onnx")
    assert told["schema"] == "planex.clean/1"
    assert told.node_count <= told.node_count_before
    assert (tmp_path / "clean.onnx").stat().st_size > 0
    with pytest.raises(planex.UsageError, match="polish"):
        planex.clean(MODEL, tmp_path / "no.onnx", only=["polish"])
