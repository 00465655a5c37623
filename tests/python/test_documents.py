"""Documents are those of the command line, and can be read by name."""

from __future__ import annotations

import copy
import csv
import io
import json
import pathlib
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest

import planex

ENGINE = "examples/engines/resnet18-a100-qat"
OTHER = "examples/engines/resnet18-a100-qat-residual"


def command_line(*words: str) -> str:
    program = shutil.which("planex")
    assert program is not None
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


TOPICS = [
    "reformats",
    "speed",
    "memory",
    "precision",
    "blocks",
    "operations",
    "kernels",
    "quantization",
]


@pytest.mark.parametrize(
    ("words", "ask"),
    [
        (["summary"], lambda engine: engine.summary()),
        (["summary", "--timing"], lambda engine: engine.timing()),
        (["lint"], lambda engine: engine.lint()),
        *[
            (["explain", topic], lambda engine, topic=topic: engine.explain(topic))
            for topic in TOPICS
        ],
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_documents_are_those_of_the_command_line(words, ask):
    document = ask(planex.open(ENGINE))
    theirs = json.loads(command_line(*words, ENGINE, "--format", "json"))
    assert document.to_dict() == theirs
    assert json.loads(document.to_json()) == theirs
    schema = pathlib.Path("docs/reference/json", document["schema"].replace("/", "-") + ".json")
    assert list(document) == list(theirs), schema
    everything = ["--all"] if words[0] in ("lint", "explain") else []
    assert str(document) == command_line(*words, ENGINE, *everything)


def test_comparison_is_that_of_the_command_line():
    comparison = planex.compare(ENGINE, planex.open(OTHER))
    words = ["compare", ENGINE, OTHER, "--format", "json"]
    assert comparison.overview.to_dict() == json.loads(command_line(*words))
    assert comparison.ledger().to_dict() == json.loads(command_line(*words, "--ledger"))
    assert comparison.summaries().to_dict() == json.loads(command_line(*words, "--summaries"))
    assert comparison.pair(0).to_dict() == json.loads(command_line(*words, "--pair", "0"))
    assert len(comparison.pairs()) == len(comparison.overview["pairs"])
    assert len(comparison.pairs("changed")) < len(comparison.pairs())
    # Of one layer alone there is no time in the other engine, and no difference.
    for row, pair in zip(comparison.pairs(), comparison.overview["pairs"], strict=True):
        same = ("a_ms", "b_ms", "delta_ms", "certainty", "exceeds_noise", "cause")
        assert [row[key] for key in same] == [pair[key] for key in same]
        assert (row.pair, row.a is None) == (pair.index, pair.a is None)
    assert comparison.sql("SELECT count(*) AS n FROM pairs").to_pylist()[0]["n"] > 0
    assert "<html" in comparison.report().html[:500]
    with pytest.raises(planex.UsageError, match="two or more"):
        planex.compare(ENGINE)


def test_members_by_name(engine):
    summary = engine.summary()
    assert summary.engine.producer == summary["engine"]["producer"] == "tensorrt"
    assert isinstance(summary.inputs, planex.Rows)
    assert summary.inputs[0].dims == [32, 3, 224, 224]
    assert summary.inputs[:1] == summary.inputs
    with pytest.raises(AttributeError, match="there are schema"):
        _ = summary.latency
    assert copy.deepcopy(summary) == summary
    assert "memory" in dir(summary)


def test_findings_become_a_frame(engine):
    findings = engine.lint().findings
    frame = findings.to_pandas()
    assert len(frame) == len(findings) > 10
    assert set(frame["severity"]) <= {"error", "warning", "info"}
    assert findings.to_polars().height == len(findings)


def test_a_list_without_rows_is_a_table_too(engine):
    clean = planex.open(OTHER).lint(packs=["openvino"]).findings
    assert len(clean) == 0
    assert clean.columns == engine.lint().findings.columns
    assert list(clean.to_pandas()["rule"]) == []
    assert clean.to_polars()["rule"].to_list() == []
    # What is no list of objects stays what it is.
    assert planex.Document({"schema": "planex.summary/2", "inputs": []}).inputs == planex.Rows([])
    assert planex.Document({"dims": []}).dims == []


def test_every_list_of_rows_has_its_columns(engines):
    """As the schema has them, in every document of every example."""

    def look(value):
        if isinstance(value, planex.Rows):
            if len(value) and value._place[0]:
                known = planex.Rows([], value._place).columns
                # Some objects leave out what does not apply.
                assert set(known) >= set(value.columns), value._place
                assert [name for name in known if name in value.columns] == list(value.columns)
            for row in value:
                look(row)
        elif isinstance(value, planex.Document):
            for key in value:
                look(value[key])

    for engine in engines:
        for document in (engine.summary(), engine.timing(), engine.lint()):
            look(document)
        for topic in TOPICS:
            look(engine.explain(topic))


def test_types_of_documents_can_be_imported():
    from planex.documents import ExplainSpeed, Summary

    assert Summary is ExplainSpeed is planex.Document
    with pytest.raises(ImportError):
        from planex.documents import summary  # noqa: F401


def test_lint_takes_a_choice_of_rules(engine):
    rule = "reformat-changes-type"
    one = engine.lint(rules=[rule], severities={rule: "error"})
    assert {finding.rule for finding in one.findings} == {rule}
    assert one.counts.error > 0
    with pytest.raises(planex.UsageError, match="no-such-rule"):
        engine.lint(rules=["no-such-rule"])


def test_rules_of_the_user(engine):
    document = engine.lint(
        rules_file="examples/lint/our-rules.json", waivers="examples/lint/waivers.json"
    )
    assert len(document.findings) > 0


def test_drawing(engine, tmp_path):
    drawing = engine.draw(by="heat", slowest=3, context=2)
    ET.fromstring(drawing.data)  # noqa: S314
    assert drawing._repr_svg_().startswith("<svg")
    assert drawing._repr_png_() is None
    assert drawing.save(tmp_path / "engine.svg").read_bytes() == drawing.data
    assert engine.draw(format="json").data.startswith(b"{")
    assert engine.draw(format="dot")._repr_svg_() is None
    between = engine.draw(between=("#0", "#5"), format="json")
    assert len(between.data) < len(engine.draw(format="json").data)
    with pytest.raises(planex.UsageError):
        engine.draw(around="no such layer")


def test_report(engine, tmp_path):
    report = engine.report(tmp_path / "report.html", no_paths=True)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text == report.html
    assert "<!doctype html>" in text[:200].lower()
    frame = report._repr_html_()
    assert frame.startswith("<iframe sandbox=")
    # The page is an attribute's value: nothing in it ends that.
    assert '"' not in frame.split('srcdoc="', 1)[1].removesuffix('"></iframe>')


def test_export(engine, tmp_path):
    path = engine.export(tmp_path / "layers.csv", format="csv", table="layers")
    assert path.read_text(encoding="utf-8").startswith("layer_id,role,")
    again = planex.open(engine.export(tmp_path / "a.plan.json", format="plan"))
    assert again.layers.to_pylist() == engine.layers.to_pylist()


def test_find_and_doctor():
    found = planex.find("examples/engines")
    assert len(found) == 10
    assert found[1].latency_ms == pytest.approx(0.882568)
    assert planex.doctor(ENGINE)["schema"] == "planex.doctor/1"
    assert "resnet-qat.onnx.engine.graph.json" in str(planex.doctor(ENGINE))


@pytest.mark.parametrize("topic", TOPICS)
def test_rows_of_a_result_are_those_of_its_csv(engine, topic):
    document = engine.explain(topic)
    table = document.to_table()
    lines = list(csv.reader(io.StringIO(document._render("csv"))))
    assert list(table.columns) == lines[0]
    assert len(table) == len(lines) - 1
    for row, line in zip(table.to_pylist(), lines[1:], strict=True):
        for value, text in zip(row.values(), line, strict=True):
            if isinstance(value, list):
                value = ", ".join(map(str, value))
            if isinstance(value, float):
                assert float(text) == pytest.approx(value, rel=1e-5)
            else:
                assert text == (
                    "" if value is None else str(int(value) if value is True else value)
                )


def test_rows_of_findings_and_comparisons(engine):
    findings = engine.lint()
    assert len(findings.to_table()) == len(findings.findings)
    assert findings.to_pandas()["estimated_ms"].dtype == "float64"
    other = planex.open(OTHER)
    totals = planex.compare(engine, other).overview.to_table()
    assert "metric" in totals.columns or len(totals.columns) > 2


def test_a_document_without_rows(engine):
    with pytest.raises(planex.UsageError):
        engine.summary().to_table()
    with pytest.raises(planex.UsageError, match="has no rows"):
        engine.summary().time.to_table()
