"""The machine that follows advice: what it measures by, and what it refuses."""

from __future__ import annotations

import dataclasses
import json
import math
import re

import editing
import judging
import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import feeding
import pages
import running
from models import Broken, Case, Graph, Quantized

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


@pytest.fixture
def placement(case, monkeypatch):
    """A case of a placement rule that nothing but the case itself judges, with a float model."""
    monkeypatch.setattr(running, "version_of", lambda folder: "1")
    monkeypatch.setattr(running, "times_of", lambda folder: {"median_ms": 1.0})
    return dataclasses.replace(
        case, rule="a", kind="placement", known_by="hand", float_model=case.before
    )


def test_a_rule_about_results_brings_them_nearer_to_the_float_models(monkeypatch, placement, tools):
    case = dataclasses.replace(placement, about="results")
    taken = {"before-0": 1.0, "after-0": 1.25}
    monkeypatch.setattr(running, "process", lambda c, e, side, *rest: f"{side}-0")
    monkeypatch.setattr(running, "times_of", lambda folder: {"median_ms": taken[folder]})
    distances = {"before": {"sqnr_db": 20.0, "is_finite": True}}

    def run(after):
        distances["after"] = after
        monkeypatch.setattr(running, "from_float", lambda *words: distances)
        return running.run(case, "openvino", tools, turns=3)

    row = pages.row_of_record(run({"sqnr_db": 26.0, "is_finite": True}))
    assert row.proof == "measured"
    assert row.results == "from the float model: 20.0 dB before, 26.0 dB after"
    assert row.gained == "results; time: takes longer: 1 → 1.25 ms: −0.25 ± 0 ms, −25 %"
    for after in (
        {"sqnr_db": 20.5, "is_finite": True},
        {"sqnr_db": None, "is_finite": False},
    ):
        with pytest.raises(running.EvidenceError, match="no nearer"):
            run(after)
    distances["before"] = {"sqnr_db": None, "is_finite": False}
    row = pages.row_of_record(run({"sqnr_db": 2.0, "is_finite": True}))
    assert row.results == "from the float model: not a number before, 2.0 dB after"


def test_results_that_are_no_numbers_have_no_distance():
    one, two = [np.array([1.0, 2.0])], [np.array([1.0, math.nan])]
    assert feeding.distance(one, two) == {"sqnr_db": None, "is_finite": False}
    assert feeding.distance(one, one) == {"sqnr_db": None, "is_finite": True}
    far = feeding.distance(one, [np.array([1.0, 2.5])])
    assert far["is_finite"] and far["sqnr_db"] == pytest.approx(13.0103)


def test_an_engine_refuses_the_model_before_by_the_words_of_the_case(monkeypatch, placement, tools):
    case = dataclasses.replace(placement, about="refused", message=r"no \w+ of 48")
    after = {"after": {"sqnr_db": 30.0, "is_finite": True}}
    monkeypatch.setattr(running, "from_float", lambda *words: after)
    said = "reader: no blocks of 48, sorry"

    def process(case, engine, side, *rest):
        if side == "before" and said:
            raise running.EvidenceError(said)
        return side

    monkeypatch.setattr(running, "process", process)
    row = pages.row_of_record(running.run(case, "openvino", tools, turns=3))
    assert row.proof == "measured" and row.results == "from the float model: 30.0 dB after"
    assert row.gained == "refused before: “no blocks of 48”; 1 ms after"
    said = "out of memory"
    with pytest.raises(running.EvidenceError, match="by other words: out of memory"):
        running.run(case, "openvino", tools)
    said = ""
    with pytest.raises(running.EvidenceError, match="takes the model before"):
        running.run(case, "openvino", tools)


def test_what_is_broken_is_made_of_the_model_after(case, tools, tmp_path):
    def rename(model):
        model.producer_name += " and broken"

    def named():
        model = case.before()
        model.producer_name = "followed"
        return model

    broken = dataclasses.replace(case, before=Broken(rename), after=named)
    paths = running.write_models(broken, tools, tmp_path, "openvino")
    assert sorted(paths) == ["after", "before"]
    made = {side: onnx.load(path).producer_name for side, path in paths.items()}
    assert made == {"after": "followed", "before": "followed and broken"}


def test_a_decision_of_the_quantizer_says_whether_a_rule_was_applied(case, tools, tmp_path):
    paths = {side: tmp_path / f"{side}.onnx" for side in ("before", "after")}

    def decide(side, *applied):
        decisions = [{"rule": "a", "is_applied": one} for one in applied]
        file = tmp_path / f"{side}.onnx.quantize.json"
        file.write_text(json.dumps({"decisions": decisions}), "utf-8")

    def judge(before):
        subject = dataclasses.replace(
            case, rule="a", kind="placement", known_by="quantize", before=before
        )
        judging.judge_placement(subject, "openvino", paths, tools)

    decide("before", False)
    decide("after", True)
    judge(case.before)
    judge(Quantized())
    decide("after", False)
    with pytest.raises(running.EvidenceError, match="does not apply"):
        judge(case.before)
    with pytest.raises(running.EvidenceError, match="the same of both"):
        judge(Quantized())
    # Of an end that is kept in float there is no decision any more.
    decide("after")
    judge(Quantized())


def test_what_edits_break_still_computes_nearly_the_same():
    graph = Graph(8, 64, opset=21)
    graph.add("MatMul", "x", graph.normal(64, 16))
    model = graph.model()
    values = {"x": np.random.default_rng(3).uniform(-3, 3, (8, 64)).astype(np.float32)}
    (whole,) = ReferenceEvaluator(model).run(None, values)
    small = editing.small

    def pair(graph, node, *words):
        node.input[0] = editing.pair(graph, node, "x", *words)

    for edit, words, least_db in (
        (small, (1, 1), 35),
        (small, (1, None), 30),
        (pair, (3 / 127, np.int8(0)), 35),
    ):
        broken = graph.model()
        edit(broken.graph, broken.graph.node[0], *words)
        assert broken.graph.node[-1].op_type == "MatMul"
        (made,) = ReferenceEvaluator(broken).run(None, values)
        assert feeding.distance([whole], [made])["sqnr_db"] > least_db
        assert not np.array_equal(whole, made)


def test_no_placement_rule_waits_for_a_case():
    placement = pages.HERE.parent.parent / "docs/reference/placement.md"
    rules = set(re.findall(r"^## (\S+)$", placement.read_text("utf-8"), re.MULTILINE))
    waiting = {
        (rule, engine)
        for (rule, engine), row in pages.unbuilt().items()
        if rule in rules and "no case" in row["reason"]
    }
    assert len(rules) > 30 and not waiting


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
