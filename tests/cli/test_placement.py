"""planex explain placement: the rules by which Q/DQ are placed."""

from __future__ import annotations

import csv
import io
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TARGETS = {"tensorrt": "tensorrt", "tensorrt_rtx": "tensorrt-rtx", "openvino": "openvino"}


def test_lists_all_rules_in_each_format(planex, valid):
    document = valid(planex("explain", "placement", "--format", "json").stdout, "placement-rules")
    ids = [rule["rule"] for rule in document["rules"]]
    assert document["target"] is None
    assert len(ids) == len(set(ids)) >= 18
    text = planex("explain", "placement").stdout
    rows = list(
        csv.DictReader(io.StringIO(planex("explain", "placement", "--format", "csv").stdout))
    )
    assert [row["rule"] for row in rows] == ids
    markdown = planex("explain", "placement", "--format", "markdown").stdout
    for rule in document["rules"]:
        line = next(line for line in text.splitlines() if line.startswith(rule["rule"] + " "))
        assert re.split(r"\s{2,}", line)[1:4] == [rule[target] for target in TARGETS]
        assert f"\n## {rule['rule']}\n" in markdown


def test_page_of_the_reference_is_fresh(planex):
    page = (ROOT / "docs/reference/placement.md").read_text()
    assert planex("explain", "placement", "--format", "markdown").stdout == page


def test_shows_what_a_target_follows(planex, valid):
    for field, target in TARGETS.items():
        words = ["explain", "placement", "--target", target]
        document = valid(planex(*words, "--format", "json").stdout, "placement-rules")
        assert document["target"] == target
        assert document["rules"]
        assert all(rule[field] != "no" for rule in document["rules"])
        assert ("residual-both" in planex(*words).stdout) == (target == "openvino")


def test_shows_one_rule(planex, valid):
    words = ["explain", "placement", "residual-both"]
    text = planex(*words).stdout
    assert text.startswith("residual-both")
    assert "OpenVINO: yes" in text
    assert "TensorRT: no" in text
    (rule,) = valid(planex(*words, "--format", "json").stdout, "placement-rules")["rules"]
    assert rule["why"] in re.sub(r"\s+", " ", text)
    assert rule["versions"] is None


def test_wrong_words_are_told(planex):
    failed = planex("explain", "placement", "residual-skp", code=2)
    assert "residual-skip" in failed.stderr
    failed = planex("explain", "placement", "--target", "tensort", code=2)
    assert "tensorrt" in failed.stderr
    failed = planex("explain", "speed", code=2)
    assert "PLAN" in failed.stderr
