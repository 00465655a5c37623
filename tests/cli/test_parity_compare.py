"""What the predecessor's linters and its comparing of engines gave, held to its own figures.

Rows P93 to P115 of docs/reference/parity.md, where they are no pictures. What it said of the real
engines is in data/expected: where it is right, planex says the same; where planex differs, the test
says by how much.
"""

from __future__ import annotations

import collections
import csv
import io
import json
import re

import pytest

RULES = {
    "conv-int8-in-float-out": "int8-conv-writes-float",
    "conv-channel-alignment": "channels-not-aligned",
    "reformat-dtype": "reformat-changes-type",
    "slice-dtype": "slice-changes-type",
}
QAT, RESIDUAL = "resnet18-a100-qat", "resnet18-a100-qat-residual"
FIVE = [
    f"resnet18-a100-{variant}"
    for variant in ("fp32", "fp16", "qat", "qat-residual", "qat-residual-qgap")
]
MODES = [("exact-shapes", "exact"), ("first-shapes", "first_io_only")]


def csv_rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture(scope="module")
def expected_pairs(data):
    documents = [
        json.loads(path.read_text("utf-8"))
        for path in sorted((data / "expected/compare").glob("*.json"))
    ]
    assert len(documents) == 9
    return documents


@pytest.fixture(scope="module")
def expected_sets(data):
    index = json.loads((data / "expected/index.json").read_text("utf-8"))
    names = [path.stem for path in sorted((data / "expected").glob("*.json"))]
    documents = {}
    for name in names:
        document = json.loads((data / "expected" / f"{name}.json").read_text("utf-8"))
        if isinstance(document, dict) and document.get("readable") is True:
            documents[name] = document
    assert index and len(documents) == 17
    return documents


@pytest.fixture(scope="module")
def compared(planex, engines):
    cache = {}

    def run(*words):
        if words not in cache:
            text = planex("compare", *words, "--format", "json", cwd=engines).stdout
            cache[words] = json.loads(text)
        return cache[words]

    return run


@pytest.fixture(scope="module")
def work_layers(planex, engines):
    """Rows of the predecessor's frame: layers that do work, in their order."""
    cache = {}

    def run(plan):
        if plan not in cache:
            sql = "select * from work_layers order by layer_id"
            text = planex("query", plan, sql, "--format", "json", cwd=engines).stdout
            table = json.loads(text)
            names = [column["name"] for column in table["columns"]]
            cache[plan] = [dict(zip(names, row, strict=True)) for row in table["rows"]]
        return cache[plan]

    return run


def by_rule(findings):
    layers = collections.defaultdict(list)
    for finding in findings:
        layers[finding["rule"]].append(finding)
    return layers


def trex_type(name):
    """DIFFERS: what a generated kernel does stands before its kind; TREx knows the kind only."""
    return "kgen" if name.endswith(" (kgen)") else name


# DIFFERS: asked of no first layer, head or depthwise convolution, where it could not be done.
ASKED_OF_FEWER = {"channels-not-aligned", "conv-no-tensor-core", "int8-conv-writes-float"}


# P93 to P100.
def test_findings(planex, engines, expected_sets, work_layers):
    seen = collections.Counter()
    for name, expected in expected_sets.items():
        text = planex("lint", name, "--all", "--format", "json", cwd=engines).stdout
        found = by_rule(json.loads(text)["findings"])
        theirs = by_rule(expected["lints"]["fired"])
        layers = {row["layer_id"]: row for row in work_layers(name)}

        def ours(rule, of_type, found=found, layers=layers):
            ids = (f["layer_id"] for f in found[rule])
            return sorted(layers[i]["name"] for i in ids if layers[i]["type"] in of_type)

        for theirs_name, rule in RULES.items():
            wanted = sorted(hit["layer"] for hit in theirs[theirs_name])
            types = {"reformat-dtype": ["Reformat"], "slice-dtype": ["Slice"]}
            found_here = ours(rule, types.get(theirs_name, ["Convolution"]))
            if rule in ASKED_OF_FEWER:
                assert set(found_here) <= set(wanted), (name, rule)
            else:
                assert found_here == wanted, (name, rule)
            seen[rule] += len(found_here)
        # Q/DQ of their own: Scale layers, which it knows, and Reformats, which it lists as such.
        wanted = [hit["layer"] for hit in theirs["qdq-unfused"]]
        wanted += [hit["layer"] for hit in theirs["reformat-dtype"] if hit["origin"] == "QDQ"]
        assert ours("qdq-unfused", ["Scale", "Reformat"]) == sorted(wanted), name
        seen["qdq-unfused"] += len(wanted)
        # Tensor Core kernels that it takes for others.
        tactics = {row["name"]: row["tactic"] or "" for row in layers.values()}
        wanted = [
            hit["layer"]
            for hit in theirs["conv-no-tensor-core"]
            if not re.search("h1688|h16816", tactics[hit["layer"]])
        ]
        missed = re.compile("simt|^sm50")
        ids = ours("conv-no-tensor-core", ["Convolution"])
        known = [n for n in ids if not missed.search(tactics[n])]
        assert set(known) <= set(wanted), name
        seen["conv-no-tensor-core"] += len(known)
        # The conversion is a column there; here it is in the message.
        messages = {f["layer_id"]: f["message"] for f in found["reformat-changes-type"]}
        told = sorted((row["name"], messages[i]) for i, row in layers.items() if i in messages)
        conversions = {hit["layer"]: hit["type_conversion"] for hit in theirs["reformat-dtype"]}
        for layer, message in told:
            if layer in conversions:
                source, target = conversions[layer].upper().split(" -> ")
                assert f"{source} → {target}" in message
        # Every finding names what to do; there the column was empty for reformats and slices.
        assert all(f["fix"] for findings in found.values() for f in findings)
    assert seen["conv-no-tensor-core"] > 0
    assert seen["qdq-unfused"] > 17 and all(
        seen[rule] for rule in RULES.values() if "slice" not in rule
    )


def test_findings_of_one_layer_stay(planex, engines, expected_sets):
    text = planex("lint", QAT, "--all", "--format", "json", cwd=engines).stdout
    rules = {"conv-no-tensor-core", "int8-conv-writes-float", "channels-not-aligned"}
    findings = [f for f in json.loads(text)["findings"] if f["rule"] in rules]
    lints = expected_sets[QAT]["lints"]
    assert lints["rows_per_linter_frame"]["ConvLinter"] == 13
    # Here each stays, whatever else is said of its layer; of the head nothing is asked.
    assert len(findings) == len({(f["rule"], f["layer_id"]) for f in findings})
    assert len({f["layer_id"] for f in findings}) == 12


# P101.
def test_labels_are_unique(compared):
    assert [e["label"] for e in compared(QAT, QAT, RESIDUAL)["engines"]] == [
        "qat",
        "qat #2",
        "qat-residual",
    ]


# P102, P104 to P107, for all pairs of the reference.
def test_groups_and_throughput(compared, expected_pairs, expected_sets):
    for expected in expected_pairs:
        document = compared(expected["a"], expected["b"])
        totals = {row["metric"]: row["values"] for row in document["totals"]}
        assert totals["layer_count"] == [expected["layers_a"], expected["layers_b"]]
        assert totals["inferences_per_s"] == expected["throughput"]
        for key, name, times in (
            ("by_type", "type", "latency_by_type_ms"),
            ("by_precision", "precision", "latency_by_precision_ms"),
        ):
            # Nothing of a kind has no time; there it is 0.
            found = collections.defaultdict(lambda: [0, 0])
            for row in document[key]:
                for side, time in enumerate(row["mean_ms"]):
                    found[trex_type(row[name])][side] += time or 0
            assert set(found) == set(expected[times])
            for group, wanted in expected[times].items():
                assert found[group] == pytest.approx(wanted), (expected["a"], expected["b"], group)
        for side, plan in enumerate((expected["a"], expected["b"])):
            for key, name in (
                ("by_type", "type"),
                ("by_precision", "precision"),
                ("by_output_precision", "precision"),
            ):
                counts = collections.Counter()
                for row in document[key]:
                    counts[trex_type(row[name])] += row["count"][side] or 0
                wanted = {row["key"]: row["count"] for row in expected_sets[plan][key]}
                assert {k: v for k, v in counts.items() if v} == wanted, (plan, key)


# P102 to P106, N-way, and P108: the first engine's time ÷ each one's.
def test_many_engines(compared, expected_sets, planex, engines):
    document = compared(*FIVE)
    for row in document["by_type"]:
        of_sets = [
            next((r for r in expected_sets[plan]["by_type"] if r["key"] == row["type"]), None)
            for plan in FIVE
        ]
        assert row["mean_ms"] == [r and pytest.approx(r["avg_ms"]) for r in of_sets]
        assert row["count"] == [r and r["count"] for r in of_sets]
        for side, share in enumerate(row["share"]):
            # There a share is of the rows of the profile, by averages.
            wanted = of_sets[side] and of_sets[side]["pct"] / 100
            assert share == (wanted and pytest.approx(wanted, abs=0.005))
        base = row["median_ms"][0]
        for time, speed_up in zip(row["median_ms"], row["speed_up"], strict=True):
            assert speed_up == (pytest.approx(base / time) if base and time else None)
    assert [d["engine"] for d in document["differences"]] == [1, 2, 3, 4]
    text = planex("compare", *FIVE, "--all", "--width", 0, cwd=engines).stdout
    table = text.split("speed-up over fp32, by type\n")[1].split("\n\n")[0].splitlines()
    ratios = document["by_type"][0]["speed_up"]
    assert table[0].split() == ["Convolution", *(f"{ratio:.2f}" for ratio in ratios), "×"]


def test_speed_ups_are_coloured_from_a_threshold(planex, engines):
    def table(threshold):
        words = ["--all", "--color", "always", "--threshold", threshold]
        text = planex("compare", QAT, RESIDUAL, *words, cwd=engines).stdout
        return text.split("speed-up over qat, by type")[1].split("by input precision")[0]

    plain = table("900%").splitlines()
    coloured = table("3%").splitlines()
    changed = [i for i, line in enumerate(plain) if line != coloured[i]]
    # Pooling is faster by more than nine times.
    assert [plain[i].split()[0] for i in changed] == ["Convolution", "Reformat"]


# P103.
def test_per_item(compared, planex, engines, expected_sets):
    a, b = "resnet18-a100-fp16", "resnet18-trt10-fp16"
    document = compared(a, b)
    totals = {row["metric"]: row["values"] for row in document["totals"]}
    assert [e["batch_size"] for e in document["engines"]] == [32, 1]
    for side, batch in enumerate((32, 1)):
        time = totals["end_to_end_median_ms"][side]
        assert totals["item_time_ms"][side] == pytest.approx(time / batch)
    sql = (
        "select e.engine, l.type, sum(l.mean_ms) / e.batch_size as item_ms "
        "from work_layers l join engine e using (engine) group by 1, 2"
    )
    rows = json.loads(planex("query", a, b, sql, "--format", "json", cwd=engines).stdout)["rows"]
    labels = [e["label"] for e in document["engines"]]
    found = collections.Counter()
    for engine, kind, time in rows:
        found[engine, trex_type(kind)] += time
    for label, plan, batch in zip(labels, (a, b), (32, 1), strict=True):
        for row in expected_sets[plan]["by_type"]:
            assert found[label, row["key"]] == pytest.approx(row["avg_ms"] / batch)


def as_number(value):
    """30 of a log is 30.0 of the metadata beside it; CSV writes -1 in text as '-1."""
    try:
        return float(str(value).removeprefix("'"))
    except (TypeError, ValueError):
        return str(value)


# P109, in both directions.
@pytest.mark.parametrize("orientation", [[], ["--transpose"]])
def test_summaries(planex, engines, expected_pairs, expected_sets, orientation):
    compared_keys = 0
    for expected in expected_pairs:
        a, b = expected["a"], expected["b"]
        words = ["--summaries", *orientation, "--format", "csv"]
        rows = csv_rows(planex("compare", a, b, *words, cwd=engines).stdout)
        for side, plan in enumerate((a, b)):
            if orientation:
                cells = {tuple(k.split(": ", 1)): v for k, v in rows[side].items() if ": " in k}
            else:
                label = list(rows[0])[2 + side]
                cells = {(row["section"], row["key"]): row[label] for row in rows}
            values = collections.defaultdict(list)
            for (_, key), value in cells.items():
                values[key].append(value)
            theirs = expected_sets[plan]
            assert values["layers"] == [str(theirs["totals"]["layers"])]
            assert values["inputs"][0].startswith(theirs["bindings"]["names"][0])
            for section in ("performance_summary", "device_properties", "builder_cfg"):
                for key, value in (theirs[section] or {}).items():
                    # A key without a value is no row; log and metadata may differ.
                    found = [as_number(part) for text in values[key] for part in text.split("; ")]
                    assert value == "" or as_number(value) in found, (plan, section, key)
                    compared_keys += value != ""
    assert compared_keys > 200


# P110: the indices of its frame.
@pytest.mark.parametrize("rule,mode", MODES)
def test_both_old_rules(compared, work_layers, expected_pairs, rule, mode):
    for expected in expected_pairs:
        a, b = expected["a"], expected["b"]
        rows = [{row["layer_id"]: i for i, row in enumerate(work_layers(plan))} for plan in (a, b)]

        def row_of(layers, side, rows=rows):
            return rows[side][layers[0]] if layers else None

        document = compared(a, b, "--match", rule)
        found = {
            (row_of(pair["a_layers"], 0), row_of(pair["b_layers"], 1)) for pair in document["pairs"]
        }
        assert found == {tuple(pair) for pair in expected[mode]["pairs_in_trex_order"]}
        counts = document["differences"][0]["counts"]
        for key in ("matched", "only_a", "only_b"):
            assert counts[key] == expected[mode][key]
        times = [
            sum(
                work_layers(plan)[row_of(pair[key], side)]["mean_ms"] or 0
                for pair in document["pairs"]
                if pair["a_layers"] and pair["b_layers"]
            )
            for side, (plan, key) in enumerate(((a, "a_layers"), (b, "b_layers")))
        ]
        assert times == pytest.approx(expected[mode]["matched_avg_ms"])


# By itself planex pairs at least as many as share a part of their names there.
def test_own_rule_finds_as_much(compared, expected_pairs):
    for expected in expected_pairs:
        counts = compared(expected["a"], expected["b"])["differences"][0]["counts"]
        plausible = expected["exact"]["matched_sharing_a_name_token"]
        assert counts["matched"] >= plausible, (expected["a"], expected["b"])


# P111.
def test_swapped_pointwise(planex, tmp_path):
    def tensor(name, dims):
        return {"Name": name, "Dimensions": dims, "Format/Datatype": "Row major linear FP32"}

    def write(folder, kind, inputs, output):
        layer = {"Name": folder, "LayerType": kind, "ParameterType": kind}
        layer |= {"Inputs": inputs, "Outputs": [tensor("y", output)]}
        (tmp_path / folder).mkdir()
        text = json.dumps({"Layers": [layer], "Bindings": ["y"]})
        (tmp_path / folder / "x.graph.json").write_text(text)

    small, large = [1, 64, 1, 1], [1, 64, 8, 8]
    ab, ba = [tensor("s", small), tensor("l", large)], [tensor("l", large), tensor("s", small)]
    write("base", "PointWise", ab, large)
    write("swapped", "PointWise", ba, large)
    # The predecessor paired these too: it forgot the output.
    write("other-output", "PointWise", ba, small)
    write("shuffle", "Shuffle", ab, large)
    write("shuffle-swapped", "Shuffle", ba, large)
    for a, b, matched in (
        ("base", "swapped", 1),
        ("base", "other-output", 0),
        ("shuffle", "shuffle-swapped", 0),
    ):
        for rule, _ in MODES:
            words = ["--match", rule, "--format", "json"]
            document = json.loads(planex("compare", a, b, *words, cwd=tmp_path).stdout)
            assert document["differences"][0]["counts"]["matched"] == matched, (b, rule)


# P112: type, times, speed-up, precisions, tactics and formats of both, with gaps.
def test_merged_table(planex, engines, expected_pairs, expected_sets):
    for expected in expected_pairs:
        a, b = expected["a"], expected["b"]
        words = ["--match", "exact-shapes", "--pairs", "--format", "csv"]
        rows = csv_rows(planex("compare", a, b, *words, cwd=engines).stdout)
        sides = [collections.Counter(), collections.Counter()]
        for row in rows:
            assert row["a"] or row["b"]
            for side, key in enumerate("ab"):
                gap = [k for k in row if k.startswith(f"{key}_") and row[k]]
                if not row[key]:
                    assert not gap, "a gap is empty"
                    assert row["speed_up"] == ""
                    continue
                types = (row[f"{key}_{k}"] for k in ("type", "in", "out"))
                sides[side][tuple(map(trex_type, types))] += 1
                assert bool(row[f"{key}_in_format"]) == bool(row[f"{key}_in"])
            if row["a_ms"] and row["b_ms"]:
                ratio = float(row["a_ms"]) / float(row["b_ms"])
                assert float(row["speed_up"]) == pytest.approx(ratio)
        for side, plan in enumerate((a, b)):
            layers = expected_sets[plan]["layers"]
            keys = ("type", "precision", "output_precision")
            wanted = collections.Counter(tuple(layer[k] or "" for k in keys) for layer in layers)
            assert sides[side] == wanted, plan


# P113: it counts layers without a partner as different; they are chosen by added and removed here.
@pytest.mark.parametrize("rule,mode", MODES)
def test_mismatches(planex, engines, compared, work_layers, expected_pairs, rule, mode):
    for expected in expected_pairs:
        a, b = expected["a"], expected["b"]
        theirs = expected[mode]
        unmatched = theirs["only_a"] + theirs["only_b"]

        def chosen(only, a=a, b=b):
            words = ["--match", rule, "--which", only, "--format", "csv"]
            return csv_rows(planex("compare", a, b, *words, cwd=engines).stdout)

        assert len(chosen("removed")) == theirs["only_a"]
        assert len(chosen("added")) == theirs["only_b"]
        found = chosen("mismatch-precision")
        assert len(found) + unmatched == theirs["precision_mismatch_rows"]
        # Tactics without a name are all "TensorRT" there; their numbers tell them apart here.
        found = chosen("mismatch-tactic")
        named = [
            row
            for row in found
            if not all((row[f"{s}_tactic"] or "0x").startswith("0x") for s in "ab")
        ]
        assert len(named) + unmatched == theirs["tactic_mismatch_rows"]
        for row in chosen("type=convolution"):
            assert "Convolution" in (row["a_type"], row["b_type"])
        # Of averages as many are faster and slower as there; ours go by medians.
        layers = [{row["layer_id"]: row for row in work_layers(plan)} for plan in (a, b)]
        faster = slower = 0
        for pair in compared(a, b, "--match", rule)["pairs"]:
            if not (pair["a_layers"] and pair["b_layers"]):
                continue
            times = [
                layers[side][pair[key][0]]["mean_ms"]
                for side, key in enumerate(("a_layers", "b_layers"))
            ]
            faster += times[0] / times[1] > 1.03
            slower += times[0] / times[1] < 0.97
        assert (faster, slower) == (theirs["rows_faster_3pct"], theirs["rows_slower_3pct"])


def test_sums_of_pairs(planex, engines, compared):
    words = ["--match", "exact-shapes", "--which", "type=reformat"]
    text = planex("compare", QAT, RESIDUAL, *words, "--width", 0, cwd=engines).stdout
    rows = csv_rows(planex("compare", QAT, RESIDUAL, *words, "--format", "csv", cwd=engines).stdout)
    assert all("Reformat" in (row["a_type"], row["b_type"]) for row in rows)
    last = text.splitlines()[-1]
    sums = [sum(float(row[key] or 0) for row in rows) for key in ("a_ms", "b_ms")]
    assert f"{len(rows)} pairs" in last
    for total in sums:
        assert f"{total:.4f}" in last


# P114.
def test_details_of_a_pair(planex, engines):
    words = ["resnet50-rtx3090-fp32", "resnet50-rtx3090-fp16", "--match", "exact-shapes"]
    rows = csv_rows(planex("compare", *words, "--pairs", "--format", "csv", cwd=engines).stdout)
    for index in (0, 3, 65):
        row = rows[index]
        text = planex("compare", *words, "--pair", index, "--width", 0, cwd=engines).stdout
        lines = {re.split("  +", line)[0]: re.split("  +", line)[1:] for line in text.splitlines()}
        for label, key in (
            ("type", "type"),
            ("in", "in"),
            ("out", "out"),
            ("in format", "in_format"),
            ("out format", "out_format"),
            ("tactic", "tactic"),
        ):
            a, b = row[f"a_{key}"], row[f"b_{key}"]
            assert lines[label] == [a, b, "same" if a == b else "different"], label
        assert lines["time"][:2] == [f"{float(row[k]):.4f} ms" for k in ("a_ms", "b_ms")]
        assert f"{float(row['speed_up']):.2f} ×" in text


# P115.
def test_highlights(planex, engines, compared, expected_pairs):
    for expected in expected_pairs:
        a, b = expected["a"], expected["b"]
        ratios = [pair["ratio"] for pair in compared(a, b, "--match", "exact-shapes")["pairs"]]
        for threshold in (0.03, 0.2):
            words = ["--match", "exact-shapes", "--pairs", "--threshold", threshold]
            text = planex("compare", a, b, *words, "--width", 0, cwd=engines).stdout
            faster = sum(1 for r in ratios if r and 1 / r > 1 + threshold)
            slower = sum(1 for r in ratios if r and 1 / r < 1 - threshold)
            assert len(re.findall(r"\d  faster\b", text)) == faster, (a, b, threshold)
            assert len(re.findall(r"\d  slower\b", text)) == slower, (a, b, threshold)
