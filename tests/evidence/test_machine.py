"""The machine that follows advice: what it measures by, and what it refuses."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import onnx
import pytest

import feeding
import pages
import running
from models import Case, Graph

FINDINGS_OF = running.findings_of
ASKED = running.asked
QAT, BETTER = "examples/engines/resnet18-a100-qat", "examples/engines/resnet18-a100-qat-residual"


def test_a_gain_is_the_median_of_what_the_turns_gained():
    before = [10.0, 12.0, 11.0, 10.5, 90.0]
    after = [9.0, 11.1, 10.0, 9.4, 20.0]
    gain, noise = running.gain(before, after)
    assert gain == pytest.approx(1.0)
    # Quartiles of 1.0, 0.9, 1.0, 1.1, 70 are 1.0 and 1.1: the disturbed turn counts as one.
    assert noise == pytest.approx(2 * 1.253 * 0.1 / 1.349 / math.sqrt(5))


def test_one_turn_proves_nothing():
    gain, noise = running.gain([2.0], [1.0])
    assert gain == 1.0 and noise == math.inf
    assert not pages.gains({"gain_ms": gain, "noise_ms": noise})


def test_results_are_compared_output_by_output():
    left, right = np.array([1.0, -2.0, 2.0]), np.array([3.0, 4.0])
    same = feeding.difference([left, right], [left, right])
    assert same["is_equal"] and same["sqnr_db"] is None and same["max_abs"] == 0
    off = feeding.difference([left, right], [left, right + np.array([0.0, 0.5])])
    assert not off["is_equal"]
    assert off["sqnr_db"] == pytest.approx(20.0)  # 25 against 0.25
    assert (off["max_abs"], off["max_rel"]) == (0.5, pytest.approx(0.125))
    with pytest.raises(ValueError):
        feeding.difference([left], [right])


@pytest.fixture
def tools(planex_bin, tmp_path):
    return running.Tools(str(planex_bin), "", "", tmp_path)


@pytest.fixture
def case():
    def small() -> onnx.ModelProto:
        graph = Graph(1, 4)
        graph.add("Relu", "x")
        return graph.model()

    return Case("int8-conv-writes-float", ("openvino",), "m", "c", small, small)


def run_with(monkeypatch, root, case, tools, before, after, decibel=None):
    """A run whose engines are those of the examples."""
    folders = {"before": root / before, "after": root / after}
    monkeypatch.setattr(running, "process", lambda c, e, side, *rest: folders[side])
    monkeypatch.setattr(running, "times_of", lambda folder: {"median_ms": 1.0})
    monkeypatch.setattr(running, "version_of", lambda folder: "1")
    named = {"before-0": folders["before"], "after-0": folders["after"]}
    monkeypatch.setattr(running, "findings_of", lambda f, r, t: FINDINGS_OF(named[f.name], r, t))
    monkeypatch.setattr(running, "asked", lambda f, r, t: ASKED(named[f.name], r, t))
    results = {"is_equal": decibel is None, "sqnr_db": decibel, "max_abs": 0.0, "max_rel": 0.0}
    monkeypatch.setattr(running, "results", lambda *words: results)
    return running.run(case, "openvino", tools, turns=3)


def test_a_fix_that_changes_results_is_refused(monkeypatch, root, case, tools):
    quiet = dataclasses.replace(case, rule="activation-read-in-two-precisions")
    record = run_with(monkeypatch, root, quiet, tools, QAT, BETTER)
    assert record["promised_ms"] == pytest.approx(0.1027, abs=1e-3)
    assert "Q/DQ" in record["fix"] and record["results"]["are_same"]
    with pytest.raises(running.EvidenceError, match="results differ"):
        run_with(monkeypatch, root, quiet, tools, QAT, BETTER, decibel=3.0)


def test_a_rule_must_fire_before_and_not_after(monkeypatch, root, case, tools):
    quiet = dataclasses.replace(case, rule="activation-read-in-two-precisions")
    with pytest.raises(running.EvidenceError, match="does not fire before: silent"):
        run_with(monkeypatch, root, quiet, tools, BETTER, BETTER)
    with pytest.raises(running.EvidenceError, match="still fires"):
        run_with(monkeypatch, root, quiet, tools, QAT, QAT)


def test_each_rule_has_one_row_for_each_engine(monkeypatch):
    record = {"kind": "lint", "rule": "a", "engine": "openvino"}
    record |= {"version": "1", "model": "m", "change": "c", "before_ms": 2.0, "after_ms": 1.0}
    record |= {"gain_ms": 1.0, "noise_ms": 0.1, "promised_ms": None}
    record["results"] = {"is_equal": True, "sqnr_db": None, "max_abs": 0.0}
    entry = {"state": "not-proven", "reason": "why"}
    monkeypatch.setattr(pages, "records", lambda: [record])
    monkeypatch.setattr(pages, "unbuilt", lambda: {("a", "tensorrt"): entry})
    both = [("a", "openvino"), ("a", "tensorrt")]
    rows = pages.rows(both, "lint")
    assert [row.proof for row in rows] == ["measured", "not-proven"]
    assert rows[0].gained == "2 → 1 ms: 1 ± 0.1 ms, 50 %" and rows[1].said == "why"
    with pytest.raises(ValueError, match="b on openvino: neither"):
        pages.rows([*both, ("b", "openvino")], "lint")
    with pytest.raises(ValueError, match="does not have"):
        pages.rows([("a", "tensorrt")], "lint")
    monkeypatch.setattr(pages, "unbuilt", lambda: {("a", "openvino"): entry})
    with pytest.raises(ValueError, match="a record and a row"):
        pages.rows([("a", "openvino")], "lint")
    # A gain within the noise is none.
    record["noise_ms"] = 1.5
    monkeypatch.setattr(pages, "unbuilt", dict)
    (row,) = pages.rows([("a", "openvino")], "lint")
    assert row.proof == "not-proven" and row.gained.startswith("nothing beyond the noise")
