"""Findings about the measurement are no fault of the engine: `--fail-on` leaves them out.

And what lint says of its rules, in each format.
"""

from __future__ import annotations

import csv
import io

import pytest

MEASUREMENT = {
    "inference-times-unsteady",
    "layer-times-scatter",
    "machine-disturbed-timing",
    "profiled-few-times",
}


@pytest.fixture
def case(root):
    return lambda rule: root / f"tests/golden/lint/{rule}/fires"


@pytest.mark.parametrize(
    ("rule", "level"),
    [
        ("machine-disturbed-timing", "warning"),
        ("profiled-few-times", "info"),
        ("inference-times-unsteady", "info"),
    ],
)
def test_the_measurement_fails_nothing_unless_named(planex, case, rule, level):
    words = ["lint", case(rule), "--fail-on", level]
    found = planex("lint", case(rule), "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(found)))
    assert rule in {row["rule"] for row in rows}
    # Other rules may find something in the engine.
    without = [
        word
        for row in rows
        if row["rule"] not in MEASUREMENT
        for word in ("--no-rule", row["rule"])
    ]

    passed = planex(*words, *without, code=0)
    assert rule in passed.stdout
    assert "about the measurement, not the engine" in passed.stderr
    assert "--fail-on-measurement" in passed.stderr
    failed = planex(*words, *without, "--fail-on-measurement", code=1)
    assert failed.stderr == ""
    planex(*words, "--rule", rule, code=1)
    planex(*words, *without, "--severity", f"{rule}=error", code=1)
    planex("lint", case(rule), "--fail-on", "never", code=0)


def test_a_finding_about_the_engine_fails(planex, root):
    engine = root / "examples/engines/resnet18-a100-qat-residual"
    assert planex("lint", engine, "--fail-on", "warning", code=1).stderr == ""


def test_the_flag_needs_a_level(planex, case):
    words = ["lint", case("profiled-few-times"), "--fail-on-measurement"]
    assert "--fail-on-measurement needs --fail-on" in planex(*words, code=2).stderr


def test_rules_in_each_format(planex, valid, tmp_path):
    told = valid(planex("lint", "--rules", "--format", "json").stdout, "lint-rules")
    rules = {rule["id"]: rule for rule in told["rules"]}
    assert {id for id, rule in rules.items() if rule["about"] == "measurement"} == MEASUREMENT
    assert rules["qdq-unfused"]["severity"] == "warning" and rules["qdq-unfused"]["rationale"]
    markdown = planex("lint", "--rules").stdout
    assert markdown == planex("lint", "--rules", "--format", "markdown").stdout
    assert all(f"## {id}\n" in markdown for id in rules)
    rows = csv.DictReader(io.StringIO(planex("lint", "--rules", "--format", "csv").stdout))
    assert [row["id"] for row in rows] == list(rules)
    # By the ending of the file, too.
    planex("lint", "--rules", "-o", tmp_path / "rules.json")
    assert valid((tmp_path / "rules.json").read_text("utf-8"), "lint-rules") == told
    refused = planex("lint", "--rules", "--format", "sarif", code=2).stderr
    assert "--rules does not support this --format" in refused and "json" in refused


def test_one_rule_in_each_format(planex, valid):
    words = ["lint", "--explain", "reformat-changes-type", "--format"]
    (rule,) = valid(planex(*words, "json").stdout, "lint-rules")["rules"]
    assert rule["id"] == "reformat-changes-type"
    assert "fires when" not in planex(*words, "csv").stdout
    for name in ("sarif", "markdown"):
        assert "--explain does not support this --format" in planex(*words, name, code=2).stderr
