"""Lint as an instrument: choosing rules, waivers, baselines, rules of one's own, SARIF."""

from __future__ import annotations

import collections
import csv
import io
import json
import re

import jsonschema
import pytest

QAT = "resnet18-a100-qat"
BETTER = "resnet18-a100-qat-residual"
OPENVINO = "openvino2026.4-resnet18-qdq-naive-b8"
ENGINES = [QAT, BETTER, "mobilenet-titanrtx-qat-trt8.2", "rtx1.7-resnet18-qdq-residual", OPENVINO]
RULE = "reformat-changes-type"


@pytest.fixture
def lint(planex, engines, valid):
    """lint(engine, *words): the JSON document, checked."""

    def run(engine, *words, code=0):
        result = planex("lint", engine, *words, "--format", "json", cwd=engines, code=code)
        assert result.stderr == ""
        return valid(result.stdout, "lint")

    return run


@pytest.fixture
def write(tmp_path):
    def file(name, content):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return file


def waivers_file(*waivers):
    return {"schema": "planex.waivers/1", "waivers": list(waivers)}


def rules_file(*rules):
    base = {"severity": "warning", "summary": "s", "fix": "do it", "message": "m"}
    return {"schema": "planex.rules/1", "rules": [base | rule for rule in rules]}


def shown(document):
    return [f for f in document["findings"] if f["suppressed"] is None and f["folded_into"] is None]


def unsuppressed(document):
    return sum(document["counts"].values()) + document["folded_count"]


def status(document, rule):
    return next(r for r in document["rules"] if r["id"] == rule)


def error_of(planex, engines, *words, code=3):
    result = planex("lint", QAT, *words, cwd=engines, code=code)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ") and "bug" not in result.stderr
    return result.stderr


# --- Choosing rules -----------------------------------------------------------------------------


def test_packs_follow_the_producer(lint):
    for engine, own in [(QAT, "tensorrt"), (OPENVINO, "openvino")]:
        for rule in lint(engine)["rules"]:
            other = rule["pack"] not in ("generic", own)
            about = rule["reason"] or ""
            assert (about.startswith("for ") and about.endswith(" only")) == other, rule
            assert not other or rule["status"] == "skipped"


def test_choosing_rules(lint):
    everything = lint(QAT)
    ids = {r["id"] for r in everything["rules"]}
    pack = lint(QAT, "--pack", "generic")
    assert {r["id"] for r in pack["rules"]} == ids, "what did not run is still listed"
    assert {status(everything, f["rule"])["pack"] for f in pack["findings"]} == {"generic"}
    both = lint(QAT, "--pack", "generic,tensorrt")
    assert both["findings"] == everything["findings"]
    one = lint(QAT, "--rule", RULE)
    assert {f["rule"] for f in one["findings"]} == {RULE}
    without = lint(QAT, "--no-rule", RULE)
    assert status(without, RULE)["reason"] == "disabled"
    assert len(without["findings"]) + len(one["findings"]) == len(everything["findings"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pack", "tensort"], 'did you mean "tensorrt"?'),
        (["--rule", "reformat-change-type"], f'did you mean "{RULE}"?'),
        (["--no-rule", "nothing"], "there is no rule"),
        (["--severity", RULE], "RULE=error"),
        (["--severity", f"{RULE}=fatal"], "RULE=error"),
        (["--severity", "nothing=error"], "there is no rule"),
        (["--explain", "reformat-change-type"], f'did you mean "{RULE}"?'),
        (["--reason", "x"], "--write-baseline"),
        (["--waive", "0" * 16, "--reason", "x"], "--waivers FILE"),
        (["--waive", "0" * 16, "--waivers", "w.json"], "--reason"),
        (["--waive", "0" * 16, "--waivers", "w.json", "--reason", "x"], "0000000000000000"),
        (
            ["--waive", "0" * 16, "--reason", "x", "--write-baseline", "b.json"],
            "can't be combined",
        ),
        (["--today", "tomorrow", "--waivers", "/dev/null"], "tomorrow"),
        (["--format", "junit"], "junit"),
    ],
)
def test_wrong_usage(planex, engines, words, said):
    assert said in error_of(planex, engines, *words, code=2)


def test_severity(lint, planex, engines):
    plain = lint(BETTER)
    assert plain["counts"]["error"] == 0
    rule = "qdq-unfused"
    raised = lint(BETTER, "--severity", f"{rule}=error", "--fail-on", "error", code=1)
    own = [f["severity"] for f in plain["findings"] if f["rule"] == rule]
    assert raised["counts"]["error"] == own.count("warning") > 0
    # What is a note to the rule itself stays one.
    assert raised["counts"]["info"] == plain["counts"]["info"]
    words = [x for r in plain["rules"] for x in ("--severity", f"{r['id']}=info")]
    planex("lint", BETTER, *words, "--fail-on", "warning", cwd=engines)


# --- Waivers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_waived_and_shown_are_all(lint, write, engine):
    before = lint(engine)
    for waiver in (
        {"rule": before["findings"][0]["rule"]},
        {"layer": before["findings"][0]["layer"]},
        {"layer_regex": "[02468]"},
        {"fingerprint": before["findings"][0]["fingerprint"]},
    ):
        path = write("w.json", waivers_file(waiver | {"reason": "we know"}))
        after = lint(engine, "--waivers", path)
        waived = [f for f in after["findings"] if f["suppressed"]]
        assert waived and len(waived) == after["suppressed_counts"]["waiver"]
        assert waived[0]["suppressed"] == {"by": "waiver", "entry": 0, "reason": "we know"}
        assert after["waivers"][0]["state"] == "holds"
        assert after["waivers"][0]["matched_count"] == len(waived)
        assert unsuppressed(after) + len(waived) == unsuppressed(before)
        key = ("rule", "fingerprint", "layer", "estimated_ms", "severity")
        count = collections.Counter(tuple(f[k] for k in key) for f in before["findings"])
        assert count == collections.Counter(tuple(f[k] for k in key) for f in after["findings"])
        assert (after["estimated_ms"] or 0) <= (before["estimated_ms"] or 0) + 1e-12


def test_expiry(planex, lint, write, engines):
    path = write(
        "w.json",
        waivers_file({"rule": RULE, "reason": "until March", "expires": "2027-03-31", "by": "Ann"}),
    )
    last = lint(QAT, "--waivers", path, "--today", "2027-03-31")
    assert last["suppressed_counts"]["waiver"] > 0
    after = lint(QAT, "--waivers", path, "--today", "2027-04-01")
    assert after["suppressed_counts"]["waiver"] == 0
    assert after["waivers"][0]["state"] == "expired"
    text = planex("lint", QAT, "--waivers", path, "--today", "2027-04-01", cwd=engines).stdout
    assert "/waivers/0 expired on 2027-03-31" in text and "until March" in text
    # SOURCE_DATE_EPOCH is the clock of builds that must repeat: 2027-03-31 and the day after.
    for epoch, count in [("1806451200", last), ("1806537600", after)]:
        result = planex(
            *["lint", QAT, "--waivers", path, "--format", "json"],
            cwd=engines,
            env={"SOURCE_DATE_EPOCH": epoch},
        )
        assert json.loads(result.stdout)["suppressed_counts"] == count["suppressed_counts"], epoch
    env = {"SOURCE_DATE_EPOCH": "soon"}
    assert "SOURCE_DATE_EPOCH" in planex("lint", QAT, cwd=engines, env=env, code=2).stderr


def test_unused_waivers_are_said(planex, lint, write, engines):
    path = write(
        "w.json",
        waivers_file(
            {"layer": "no such layer", "reason": "a"},
            {"rule": "no-such-rule", "reason": "b"},
            {"rule": "quantized-layer-writes-float", "reason": "c"},
        ),
    )
    states = [w["state"] for w in lint(QAT, "--waivers", path)["waivers"]]
    assert states == ["unused", "unknown-rule", "not-judged"]
    text = planex("lint", QAT, "--waivers", path, cwd=engines).stdout
    assert "matches no finding" in text and "no-such-rule" in text


def test_fail_on_respects_waivers(planex, write, engines):
    planex("lint", QAT, "--fail-on", "info", cwd=engines, code=1)
    path = write("w.json", waivers_file({"layer_regex": ".", "reason": "all"}))
    planex("lint", QAT, "--fail-on", "info", "--waivers", path, cwd=engines)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "empty"),
        ("[]", "expected an object"),
        ("{", "w.json"),
        ('{"waivers": []}', "schema"),
        ({"schema": "planex.waivers/2", "waivers": []}, "newer planex"),
        ({"schema": "planex.baseline/1", "findings": []}, "planex.waivers/1"),
        ({"schema": "planex.waivers/1", "waiver": []}, 'did you mean "waivers"?'),
        (waivers_file({"rule": "a"}), '"reason"'),
        (waivers_file({"reason": "a"}), "waive everything"),
        (waivers_file({"rule": "a", "reason": "x", "expire": "2027-01-01"}), '"expires"?'),
        (waivers_file({"rule": "a", "reason": "x", "expires": "31.1.2027"}), "31.1.2027"),
        (waivers_file({"rule": "a", "reason": "x", "expires": "2027-02-30"}), "2027-02-30"),
        (waivers_file({"rule": "a", "reason": 7}), "is 7"),
        (waivers_file({"layer_regex": "a(b", "reason": "x"}), "not a valid regular expression"),
        (waivers_file({"layer_regex": "(?<=a)b", "reason": "x"}), "not a valid regular expression"),
        (waivers_file({"layer_regex": "((a{1,99}){1,99}){1,99}", "reason": "x"}), "w.json"),
        (waivers_file({"layer_regex": "a" * 5000, "reason": "x"}), "at most"),
        (waivers_file({"layer": "a", "layer_regex": "b", "reason": "x"}), "not both"),
        (waivers_file(*[{"rule": "a", "reason": "x"}] * 2), "/waivers/0"),
        (b'{"schema":"planex.waivers/1","waivers":[{"layer":"\xff","reason":"x"}]}', "w.json"),
        ('{"schema":"planex.waivers/1","waivers":' + "[" * 100_000, "w.json"),
    ],
)
def test_wrong_waivers(planex, engines, write, content, said):
    error = error_of(planex, engines, "--waivers", write("w.json", content))
    assert said in error
    assert "w.json" in error


def test_waive_writes_what_is_read_again(lint, planex, engines, tmp_path):
    path = tmp_path / "new.json"
    before = lint(QAT)
    first, second, third = before["findings"][0], before["findings"][1], before["findings"][-1]
    why = 'it\'s "known",\nsince 1.4'
    words = ["--waivers", path, "--waive", first["fingerprint"], "--reason", why]
    after = lint(QAT, *words)
    assert after["suppressed_counts"]["waiver"] == 1
    # The order of rules goes by what is left of their estimates.
    assert {f["fingerprint"] for f in after["findings"] if f["suppressed"] is None} == {
        f["fingerprint"] for f in before["findings"][1:]
    }
    assert json.loads(path.read_text("utf-8")) == waivers_file(
        {"rule": first["rule"], "fingerprint": first["fingerprint"], "reason": why}
    )
    assert lint(QAT, "--waivers", path)["findings"] == after["findings"]
    # Again: nothing changes. Two more, in one go: behind the first.
    text = path.read_text("utf-8")
    lint(QAT, *words)
    assert path.read_text("utf-8") == text
    more = f"{second['fingerprint']},{third['fingerprint']}"
    lint(QAT, "--waivers", path, "--waive", more, "--reason", "both")
    assert [w["fingerprint"] for w in json.loads(path.read_text("utf-8"))["waivers"]] == [
        f["fingerprint"] for f in (first, second, third)
    ]
    planex("lint", QAT, "--waivers", path, "--fail-on", "info", cwd=engines, code=1)


@pytest.mark.parametrize(
    "text",
    [
        '{"$schema":"s","waivers":[],"schema":"planex.waivers/1"}',
        '\n{ "schema" : "planex.waivers/1",\n'
        '"waivers":[ {"rule":"]}","reason":"a ] b"}\n\n ] }\n\n',
    ],
)
def test_waive_leaves_what_people_wrote(lint, write, text):
    path = write("w.json", text)
    fingerprint = lint(QAT)["findings"][0]["fingerprint"]
    lint(QAT, "--waivers", path, "--waive", fingerprint, "--reason", "x")
    after = path.read_text("utf-8")
    head, tail = text[: text.rindex("]")].rstrip(), text[text.rindex("]") :]
    assert after.startswith(head) and after.endswith(tail)
    assert json.loads(after)["waivers"][-1]["fingerprint"] == fingerprint


def test_waive_does_not_hide_that_a_waiver_has_expired(planex, engines, write, lint):
    finding = lint(QAT)["findings"][0]
    old = {key: finding[key] for key in ("rule", "fingerprint")} | {"reason": "x"}
    content = json.dumps(
        waivers_file({"rule": "a", "reason": "y"}, old | {"expires": "2026-01-31"})
    )
    path = write("w.json", content)
    words = ["--waivers", path, "--waive", finding["fingerprint"], "--reason", "z"]
    error = error_of(planex, engines, *words, "--today", "2026-02-01", code=2)
    assert "expired" in error and "/waivers/1" in error
    assert path.read_text("utf-8") == content


def test_waive_leaves_a_broken_file_alone(planex, engines, write, lint):
    path = write("w.json", '{"schema":"planex.waivers/1","waivers":[}')
    words = ["--waivers", path, "--waive", "0" * 16, "--reason", "z"]
    assert "w.json" in error_of(planex, engines, *words)
    assert path.read_text("utf-8") == '{"schema":"planex.waivers/1","waivers":[}'


@pytest.mark.parametrize("engine", ENGINES)
def test_savings_add_up_to_the_estimate(lint, engine):
    document = lint(engine)
    told = 0
    for finding in document["findings"]:
        known = [s["ms"] for s in finding["savings"] if s["ms"] is not None]
        if finding["savings"]:
            assert (finding["estimated_ms"] or 0) == pytest.approx(sum(known))
            told += 1
    assert told > 0
    actions = document["actions"]
    for rule in document["rules"]:
        known = [
            action["estimated_ms"] or 0
            for action in actions
            if document["findings"][action["findings"][0]]["rule"] == rule["id"]
        ]
        assert (rule["estimated_ms"] or 0) == pytest.approx(sum(known))
    for action in actions:
        parts = [layer["ms"] for layer in action["layers"] if layer["ms"] is not None]
        assert (action["estimated_ms"] or 0) == pytest.approx(sum(parts))
    for total, key in (
        (document["estimated_ms"], "estimated_ms"),
        ((document["estimate_band"] or {}).get("low_ms"), "saving_low_ms"),
        ((document["estimate_band"] or {}).get("high_ms"), "saving_high_ms"),
    ):
        assert (total or 0) == pytest.approx(sum(action[key] or 0 for action in actions))


def test_rules_say_why_they_exist(lint, planex):
    reference = planex("lint", "--rules").stdout
    for rule in lint(QAT)["rules"]:
        for key in ("rationale", "fix", "evidence", "estimate", "source"):
            assert rule[key], (rule["id"], key)
        assert rule["rationale"] in reference


def test_published_schemas_say_the_same(schema_of, write, planex, engines):
    """What the JSON Schemas take, the program takes, and the other way round."""

    def takes(kind, document):
        return jsonschema.Draft202012Validator(schema_of(kind)).is_valid(document)

    good = [
        waivers_file(),
        waivers_file({"rule": "a", "reason": "x", "by": "me", "expires": "2027-01-01"}),
        waivers_file({"layer": "a", "reason": "x"}, {"layer_regex": "b", "reason": "x"}),
    ]
    bad = [
        waivers_file({"reason": "x"}),
        waivers_file({"rule": "a"}),
        waivers_file({"rule": "a", "reason": "x", "until": "2027-01-01"}),
        waivers_file({"layer": "a", "layer_regex": "b", "reason": "x"}),
    ]
    for documents, code in [(good, 0), (bad, 3)]:
        for document in documents:
            assert takes("waivers", document) == (code == 0), document
            planex("lint", QAT, "--waivers", write("w.json", document), cwd=engines, code=code)


# --- Baselines ----------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_a_baseline_hides_what_was_there(planex, lint, engines, tmp_path, valid, engine):
    path = tmp_path / "b.json"
    before = lint(engine)
    written = planex(
        *["lint", engine, "--write-baseline", path, "--reason", "release 2", "--fail-on", "info"],
        cwd=engines,
    )
    assert written.stdout == planex("lint", engine, cwd=engines).stdout
    entries = valid(path.read_text("utf-8"), "baseline")["findings"]
    assert len(entries) == len(before["findings"])
    assert len({(e["rule"], e["fingerprint"]) for e in entries}) == len(entries)
    after = lint(engine, "--baseline", path, "--fail-on", "info")
    assert shown(after) == [] and after["counts"] == {"error": 0, "warning": 0, "info": 0}
    assert after["suppressed_counts"] == {"waiver": 0, "baseline": len(entries)}
    assert after["baseline"] == {"reason": "release 2", "count": len(entries), "resolved": []}
    assert after["estimated_ms"] is None


def test_what_is_new_and_what_is_gone(planex, lint, engines, tmp_path):
    path = tmp_path / "b.json"
    planex("lint", QAT, "--write-baseline", path, cwd=engines)
    after = lint(BETTER, "--baseline", path)
    old = json.loads(path.read_text("utf-8"))["findings"]
    held = after["suppressed_counts"]["baseline"]
    assert 0 < held < len(old)
    assert held + len(after["baseline"]["resolved"]) == len(old)
    assert held + unsuppressed(after) == len(after["findings"])
    text = planex("lint", BETTER, "--baseline", path, cwd=engines).stdout
    assert f"{held} findings hidden" in text and "resolved" in text
    # Of rules that did not run nothing is gone.
    assert lint(BETTER, "--baseline", path, "--pack", "openvino")["baseline"]["resolved"] == []
    # A new baseline has what is waived no more, and what the old one hid still.
    again = tmp_path / "again.json"
    planex("lint", BETTER, "--baseline", path, "--write-baseline", again, cwd=engines)
    assert len(json.loads(again.read_text("utf-8"))["findings"]) == len(after["findings"])


def test_fingerprints_survive_renumbering(planex, lint, engines, tmp_path):
    """The same engine, the compiler's and the exporter's numbers counted differently."""
    graph = next((engines / QAT).glob("*.graph.json"))
    renumbered = graph.read_text("utf-8")
    for number in range(400, 0, -1):
        for mark in ("_", "Layer* "):
            renumbered = renumbered.replace(f"{mark}{number} ", f"{mark}{number + 1000} ")
            renumbered = renumbered.replace(f'{mark}{number}"', f'{mark}{number + 1000}"')
            renumbered = renumbered.replace(f"{mark}{number})", f"{mark}{number + 1000})")
    assert renumbered != graph.read_text("utf-8")
    (tmp_path / "e.graph.json").write_text(renumbered, encoding="utf-8")
    (tmp_path / "o.graph.json").write_text(graph.read_text("utf-8"), encoding="utf-8")
    prints = [
        [(f["rule"], f["fingerprint"]) for f in lint(tmp_path / name)["findings"]]
        for name in ("e.graph.json", "o.graph.json")
    ]
    assert prints[0] == prints[1]


# --- Rules of one's own -------------------------------------------------------------------------

FLOAT = {
    "id": "team-float-convolutions",
    "pack": "tensorrt",
    "severity": "error",
    "summary": "a convolution runs in FP32.",
    "sql": [
        "select layer_id, name, precision, median_ms, median_ms / 2 as estimated_ms",
        "from work_layers where type = 'Convolution' and median_ms > 0.04",
    ],
    "message": "{name} in {precision} takes {median_ms} ms {{of the total}}",
}


def test_user_rules(planex, lint, engines, write, schema_of):
    document = rules_file(FLOAT, {"id": "team-quiet", "sql": "select null as layer_id where 0"})
    jsonschema.Draft202012Validator(schema_of("rules")).validate(document)
    path = write("r.json", document)
    result = lint(QAT, "--rules-file", path, "--fail-on", "error", code=1)
    rows = json.loads(
        planex("query", QAT, "\n".join(FLOAT["sql"]), "--format", "json", cwd=engines).stdout
    )["rows"]
    own = [f for f in result["findings"] if f["rule"] == FLOAT["id"]]
    assert len(own) == len(rows) == result["counts"]["error"] > 0
    for finding in own:
        assert finding["message"].startswith(finding["layer"])
        assert finding["message"].endswith("ms {of the total}")
        assert finding["fix"] == "do it"
        assert "precision = " in finding["evidence"]
        assert finding["estimated_ms"] > 0.02
    assert status(result, "team-quiet")["status"] == "silent"
    assert status(result, FLOAT["id"])["summary"] == "a convolution runs in FP32"
    assert status(lint(OPENVINO, "--rules-file", path), FLOAT["id"])["status"] == "skipped"
    only = lint(QAT, "--rules-file", path, "--rule", FLOAT["id"])
    assert {f["rule"] for f in only["findings"]} == {FLOAT["id"]}
    text = planex("lint", QAT, "--rules-file", path, cwd=engines).stdout
    assert f"error[{FLOAT['id']}]" in text
    explained = planex("lint", "--explain", FLOAT["id"], "--rules-file", path).stdout
    assert "from work_layers" in explained
    # They are waived like the rest.
    waive = write("w.json", waivers_file({"rule": FLOAT["id"], "reason": "x"}))
    planex(
        *["lint", QAT, "--rules-file", path, "--waivers", waive, "--fail-on", "error"], cwd=engines
    )


@pytest.mark.parametrize(
    ("rule", "place", "said"),
    [
        ({"id": "Bad Id", "sql": "select 1"}, "/rules/0/id", "lower-case letters"),
        ({"id": RULE, "sql": "select 1"}, "/rules/0/id", "of its own"),
        ({"id": "a", "sql": "select 1", "pack": "cuda"}, "/rules/0/pack", "generic"),
        ({"id": "a", "sql": "select 1", "severity": "fatal"}, "/rules/0/severity", "warning"),
        ({"id": "a", "sql": "select 1", "message": "{a"}, "/rules/0/message", "unmatched {:"),
        ({"id": "a", "sql": "select 1", "message": "a}"}, "/rules/0/message", "unmatched }:"),
        ({"id": "a"}, "/rules/0", '"sql"'),
        ({"id": "a", "sql": "select medain_ms from layers"}, "/rules/0/sql", "medain_ms"),
        ({"id": "a", "sql": "select 1; select 2"}, "/rules/0/sql", "only one statement"),
        ({"id": "a", "sql": "drop table layers"}, "/rules/0/sql", "only reads"),
        ({"id": "a", "sql": "select name from layers"}, "/rules/0/sql", "layer_id"),
        ({"id": "a", "sql": "select 'x' as layer_id"}, "/rules/0/sql", "not a layer"),
        ({"id": "a", "sql": "select 99999 as layer_id"}, "/rules/0/sql", "not a layer"),
        ({"id": "a", "sql": "select -1 as layer_id"}, "/rules/0/sql", "not a layer"),
        (
            {"id": "a", "sql": "select 1 as layer_id, 'much' as estimated_ms"},
            "/rules/0/sql",
            "not a time",
        ),
        (
            {"id": "a", "sql": "select 1 as layer_id, -1 as estimated_ms"},
            "/rules/0/sql",
            "not a time",
        ),
        (
            {"id": "a", "sql": "select layer_id, name from layers", "message": "{namee}"},
            "/rules/0/message",
            'did you mean "name"?',
        ),
        (
            {
                "id": "a",
                "sql": "with recursive n(x) as (select 1 union all select x + 1 from n) "
                "select null as layer_id from n where x < 0",
            },
            "/rules/0/sql",
            "longer than",
        ),
        (
            {
                "id": "a",
                "sql": "with recursive n(x) as (select 1 union all select x + 1 from n) "
                "select null as layer_id from n limit 300000",
            },
            "/rules/0/sql",
            "200000",
        ),
    ],
)
def test_wrong_rules(planex, engines, write, rule, place, said):
    path = write("r.json", rules_file(rule))
    seconds = "0.3" if said == "longer than" else "60"
    error = error_of(planex, engines, "--rules-file", path, "--rule-seconds", seconds)
    assert said in error and "r.json" in error and place in error


def test_two_rules_of_one_name(planex, engines, write):
    path = write("r.json", rules_file(*[{"id": "a", "sql": "select 1"}] * 2))
    assert "two rules" in error_of(planex, engines, "--rules-file", path)


# --- Output -------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def sarif_schema(root):
    text = (root / "tests/data/sarif/sarif-schema-2.1.0.json").read_text("utf-8")
    return jsonschema.Draft7Validator(json.loads(text))


@pytest.mark.parametrize("engine", [*ENGINES, "mnist-trt8.6.0-names-only", "rtx1.7-odd-names"])
def test_sarif(planex, lint, engines, write, tmp_path, sarif_schema, engine):
    path = tmp_path / "b.json"
    planex("lint", QAT, "--write-baseline", path, cwd=engines)
    waive = write(
        "w.json",
        waivers_file(
            {"layer_regex": "[13579]", "reason": "{odd}"},
            {"rule": RULE, "reason": "old", "expires": "2020-01-01"},
        ),
    )
    rules = write("r.json", rules_file({"id": "team", "sql": "select null as layer_id"}))
    words = ["--waivers", waive, "--baseline", path, "--rules-file", rules]
    sarif = json.loads(planex("lint", engine, *words, "--format", "sarif", cwd=engines).stdout)
    sarif_schema.validate(sarif)
    document = lint(engine, *words)
    (run,) = sarif["runs"]
    declared = run["tool"]["driver"]["rules"]
    assert [r["id"] for r in declared] == [r["id"] for r in document["rules"]]
    results = [r for r in run["results"] if r.get("baselineState") != "absent"]
    assert len(run["results"]) - len(results) == len(document["baseline"]["resolved"])
    level = {"error": "error", "warning": "warning", "info": "note"}
    for result, finding in zip(results, document["findings"], strict=True):
        assert declared[result["ruleIndex"]]["id"] == result["ruleId"] == finding["rule"]
        folded = finding["folded_into"] is not None
        assert result["level"] == ("none" if folded else level[finding["severity"]])
        assert result["properties"]["folded_into"] == finding["folded_into"]
        assert result["partialFingerprints"]["planexFinding/v1"] == finding["fingerprint"]
        assert (result["suppressions"] != []) == (finding["suppressed"] is not None)
        assert result["properties"]["estimated_ms"] == finding["estimated_ms"]
        (location,) = result["locations"]
        (logical,) = location["logicalLocations"]
        assert finding["layer"] is None or logical["name"] == finding["layer"]
        artifact = location["physicalLocation"]["artifactLocation"]
        assert run["artifacts"][artifact["index"]]["location"]["uri"] == artifact["uri"]
        assert re.fullmatch(r"([\w.~/-]|%[0-9A-F]{2})+", artifact["uri"], re.ASCII)
    skipped = [r["id"] for r in document["rules"] if r["status"] == "skipped"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert set(skipped) <= {n["associatedRule"]["id"] for n in notes if "associatedRule" in n}


def test_csv_and_markdown_know_what_is_waived(planex, lint, engines, write):
    path = write("w.json", waivers_file({"rule": RULE, "reason": "x"}))
    words = ["lint", QAT, "--waivers", path, "--format"]
    document = lint(QAT, "--waivers", path)
    rows = list(csv.DictReader(io.StringIO(planex(*words, "csv", cwd=engines).stdout, newline="")))
    assert [r["suppressed"] == "waiver" for r in rows] == [
        f["rule"] == RULE for f in document["findings"]
    ]
    markdown = planex(*words, "markdown", cwd=engines).stdout
    assert f"; {document['suppressed_counts']['waiver']} waived" in markdown
    # Two tables, with a row for their heads each.
    assert markdown.count("\n| ") == len(shown(document)) + len(document["actions"]) + 2


def test_explain_says_everything_of_every_rule(planex, lint):
    for rule in lint(QAT)["rules"]:
        text = planex("lint", "--explain", rule["id"]).stdout
        flat = " ".join(text.split())
        assert text.startswith(f"{rule['severity']}[{rule['id']}]")
        assert rule["summary"] in flat
        for part in ("Pack", "Needs", "Why it matters", "Fix", "Source", "Example", "message:"):
            if part == "Needs" and rule["estimate"] == "none: the finding is about the measurement":
                continue  # needs nothing of the layers
            assert part in text, (rule["id"], part)
        narrow = planex("lint", "--explain", rule["id"], "--width", "60").stdout
        assert " ".join(narrow.split()) == flat
