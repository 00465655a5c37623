"""planex compare: pairs, causes, the ledger, the gate, and the formats that others read."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import xml.etree.ElementTree as ElementTree

import pytest

QAT, RESIDUAL = "resnet18-a100-qat", "resnet18-a100-qat-residual"
FIVE = [
    f"resnet18-a100-{variant}"
    for variant in ("fp32", "fp16", "qat", "qat-residual", "qat-residual-qgap")
]
PAIRS = [
    (QAT, RESIDUAL),
    (FIVE[0], FIVE[2]),
    ("resnet50-rtx3090-fp32", "resnet50-rtx3090-qat"),
    ("mobilenet-titanrtx-qat", "mobilenet-titanrtx-qat-residual"),
    ("openvino2026.4-resnet18-fp32-b8", "openvino2026.4-resnet18-qdq-shared-b8"),
    ("resnet18-a100-fp16", "resnet18-trt10-fp16"),
    # Nothing in common, and one that has no times.
    (QAT, "depth-anything-v2-rtx30-trt10"),
    ("rtx1.7-resnet18-fp32", "rtx1.7-resnet18-fp16"),
]


@pytest.fixture(scope="module")
def compare(planex, engines, valid):
    def run(*words):
        text = planex("compare", *words, "--format", "json", cwd=engines).stdout
        return valid(text, "compare")

    return run


@pytest.mark.parametrize("a,b", PAIRS)
def test_everything_closes(planex, engines, compare, a, b):
    document = compare(a, b)
    sides = []
    for plan in (a, b):
        sql = "select layer_id, coalesce(median_ms, mean_ms) as ms, role from layers"
        rows = json.loads(planex("query", plan, sql, "--format", "json", cwd=engines).stdout)[
            "rows"
        ]
        work = "select layer_id from work_layers"
        ids = json.loads(planex("query", plan, work, "--format", "json", cwd=engines).stdout)[
            "rows"
        ]
        sides.append(({row[0]: row[1] for row in rows}, sorted(row[0] for row in ids)))
    for index, key in enumerate(("a_layers", "b_layers")):
        listed = sorted(layer for pair in document["pairs"] for layer in pair[key])
        assert listed == sides[index][1], "each layer that does work is in one pair"
        listed = sorted(layer for row in document["rows"] for layer in row["layers"][index])
        assert listed == sides[index][1]
    for pair in document["pairs"]:
        for key, layers, times in (
            ("a_ms", pair["a_layers"], sides[0][0]),
            ("b_ms", pair["b_layers"], sides[1][0]),
        ):
            known = [times[layer] for layer in layers if times[layer] is not None]
            assert pair[key] == (pytest.approx(sum(known)) if known else None)
    difference = document["differences"][0]
    if difference["delta_ms"] is not None:
        for key in ("a_ms", "b_ms", "delta_ms"):
            total = sum(cause[key] for cause in difference["causes"])
            assert total == pytest.approx(difference[key], abs=1e-9)
    ledger = document["ledger"]
    for index, total in enumerate(ledger["total_fs"]):
        times = [row["time_fs"][index] for row in ledger["rows"]]
        assert sum(time or 0 for time in times) == (total or 0), "to the last digit"
        if total is not None:
            shown = next(r for r in document["totals"] if r["metric"] == "layers_time_ms")
            assert total * 1e-12 == pytest.approx(shown["values"][index], rel=1e-9)


def test_the_residual_branch(compare):
    document = compare(QAT, RESIDUAL)
    difference = document["differences"][0]
    assert difference["delta_ms"] == pytest.approx(-0.365, abs=0.0005)
    assert difference["verdict"]["judgement"] == "faster"
    assert difference["verdict"]["high_ratio"] < -0.3
    causes = {cause["cause"]: cause for cause in difference["causes"]}
    reformats = [cause for name, cause in causes.items() if name.startswith("reformats")]
    assert sum(cause["a_layers"] for cause in reformats) == 12
    assert sum(cause["b_layers"] for cause in reformats) == 3
    assert sum(cause["delta_ms"] for cause in reformats) == pytest.approx(-0.163, abs=0.0005)
    best = min(document["pairs"], key=lambda pair: pair["delta_ms"])
    assert best["a_layers"] == [1, 2] and best["b_layers"] == [1], "the stem and its pooling"
    assert "fused" in best["changes"] and best["exceeds_noise"] is not False
    assert {"change": "output-precision", "from": "FP32", "to": "INT8"} in best["details"]


def slower_copy(source, folder, factor):
    """The same engine, whose inferences took `factor` times as long."""
    shutil.copytree(source, folder)
    path = next(folder.glob("*.timing.json"))
    samples = json.loads(path.read_text("utf-8"))
    for sample in samples:
        sample["computeMs"] *= factor
    path.write_text(json.dumps(samples), "utf-8")
    return folder


def test_one_run_a_side_says_what_it_cannot_know(planex, engines, compare, tmp_path):
    slower = slower_copy(engines / QAT, tmp_path / "slower", 1.05)
    gate = ["--fail-on-regression", "3%"]
    verdict = compare(engines / QAT, slower, *gate)["differences"][0]["verdict"]
    assert verdict["judgement"] == "unclear" and verdict["unclear_reason"] == "single-run"
    assert verdict["change_ratio"] == pytest.approx(0.05, abs=0.002)
    assert verdict["run_difference_ratio"] == pytest.approx(0.088, abs=0.001)
    assert verdict["gate"]["result"] == "undecided"
    text = planex("compare", engines / QAT, slower, *gate, "--width", "300").stdout
    assert "takes 5.0 % longer than" in text and "but not significantly: one run of each" in text
    assert "runs of one engine can differ by 8.8 %" in text
    assert "measure each three times (--base, --candidate)" in text
    assert verdict["needed_run_count"] == 3
    assert re.search(r"gate 3.0 %: undecided, the change is between −\d.* and \+1\d", text)
    # Three runs say how runs differ, and so does whoever knows it.
    three = [word for _ in range(3) for word in ("--base", engines / QAT)]
    planex("compare", *three, slower, *gate, code=1)
    text = planex(
        "compare", engines / QAT, slower, *gate, "--run-spread", "0.3%", "--width", "300", code=1
    ).stdout
    assert "is slower than" in text
    planex("compare", engines / QAT, slower, "--run-spread", "much", code=2)


def mirrored(pair):
    swap = {"added": "removed", "fused": "split", "reformats-removed": "reformats-added"}
    swap |= {to: source for source, to in swap.items()}
    delta = pair["delta_ms"]
    return (
        tuple(pair["b_layers"]),
        tuple(pair["a_layers"]),
        None if delta is None else -delta,
        tuple(sorted(swap.get(change, change) for change in pair["changes"])),
    )


@pytest.mark.parametrize("a,b", PAIRS)
def test_antisymmetric(compare, a, b):
    there, back = compare(a, b), compare(b, a)
    expected = sorted(map(mirrored, there["pairs"]), key=repr)
    found = sorted(
        (
            (
                tuple(pair["a_layers"]),
                tuple(pair["b_layers"]),
                pair["delta_ms"],
                tuple(sorted(pair["changes"])),
            )
            for pair in back["pairs"]
        ),
        key=repr,
    )
    assert [f[:2] + f[3:] for f in found] == [e[:2] + e[3:] for e in expected]
    for one, other in zip(found, expected, strict=True):
        assert one[2] == other[2] or one[2] == pytest.approx(other[2])


@pytest.mark.parametrize("plan", sorted({plan for pair in PAIRS for plan in pair}))
def test_with_itself_nothing_changes(compare, plan):
    document = compare(plan, plan)
    for pair in document["pairs"]:
        assert pair["a_layers"] == pair["b_layers"]
        assert pair["changes"] == [] and not pair["delta_ms"]
    difference = document["differences"][0]
    assert not difference["delta_ms"]
    assert difference["verdict"]["judgement"] not in ("slower", "faster")
    for row in document["ledger"]["rows"]:
        assert row["time_fs"][0] == row["time_fs"][1]


def test_several_engines(planex, engines, compare):
    document = compare(*FIVE)
    assert [d["engine"] for d in document["differences"]] == [1, 2, 3, 4]
    assert {pair["engine"] for pair in document["pairs"]} == {1, 2, 3, 4}
    assert all(len(row["layers"]) == 5 for row in document["rows"])
    text = planex("compare", *FIVE, "--pairs", cwd=engines).stdout
    assert len(text.splitlines()) == len(document["rows"]) + 1


def csv_rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_choosing_pairs(planex, engines, compare):
    everything = compare(QAT, RESIDUAL)["pairs"]

    def chosen(only):
        rows = csv_rows(
            planex("compare", QAT, RESIDUAL, "--which", only, "--format", "csv", cwd=engines).stdout
        )
        return {int(row["pair"]) for row in rows}

    precisions = {"precision", "output-precision", "compute-precision"}
    expected = {p["index"] for p in everything if precisions & set(p["changes"])}
    assert expected and chosen("mismatch-precision") == expected
    assert chosen("mismatch-tactic") == {p["index"] for p in everything if "tactic" in p["changes"]}
    assert chosen("removed") == {p["index"] for p in everything if "removed" in p["changes"]}
    assert chosen("type=convactpool") == {p["index"] for p in everything if p["b_layers"] == [1]}
    filtered = planex(
        "compare", QAT, RESIDUAL, "--which", "removed", "--format", "json", cwd=engines
    ).stdout
    assert {p["index"] for p in json.loads(filtered)["pairs"]} == chosen("removed")
    wrong = planex("compare", QAT, RESIDUAL, "--which", "mismatch-tactics", cwd=engines, code=2)
    assert "mismatch-tactic" in wrong.stderr


def test_one_pair(planex, engines, compare):
    pairs = compare(QAT, RESIDUAL)["pairs"]
    index = next(pair["index"] for pair in pairs if pair["b_layers"] == [1])
    text = planex("compare", QAT, RESIDUAL, "--pair", index, cwd=engines).stdout
    assert re.search(r"^type +Convolution +ConvActPool +different$", text, re.MULTILINE)
    assert re.search(r"^in +INT8 +INT8 +same$", text, re.MULTILINE)
    assert "−0.224" in text
    planex("compare", QAT, RESIDUAL, "--pair", 0, "--ledger", cwd=engines, code=2)
    missing = planex("compare", QAT, RESIDUAL, "--pair", 999, cwd=engines, code=2)
    assert str(len(pairs)) in missing.stderr
    planex("compare", QAT, RESIDUAL, "--pair", 0, "--against", 2, cwd=engines, code=2)


def test_the_ledger(planex, engines, compare):
    document = compare(QAT, RESIDUAL)
    rows = csv_rows(
        planex("compare", QAT, RESIDUAL, "--ledger", "--format", "csv", cwd=engines).stdout
    )
    assert len(rows) == len(document["ledger"]["rows"])
    total = sum(float(row["qat"] or 0) for row in rows)
    assert total == pytest.approx(document["differences"][0]["a_ms"], abs=1e-9)
    text = planex("compare", QAT, RESIDUAL, "--ledger", "--all", cwd=engines).stdout
    assert text.splitlines()[-1].split()[:4] == ["Σ", "layers", "1.0957", "0.7311"]
    # Its number is another in each export; the weight tells which it is.
    stem = next(r for r in document["ledger"]["rows"] if r["names"][0] == "Conv_72")
    assert stem["names"] == ["Conv_72", "Conv_84"]


def test_summaries(planex, engines):
    text = planex("compare", *FIVE[:3], "--summaries", "--format", "csv", cwd=engines).stdout
    rows = {(row["section"], row["key"]): row for row in csv_rows(text)}
    assert rows["device_information", "Compute Capability"]["fp32"] == "8.0"
    assert rows["build_options", "Precision"]["qat"] == "FP32+FP16+INT8"
    turned = planex(
        "compare", *FIVE[:3], "--summaries", "--transpose", "--format", "csv", cwd=engines
    ).stdout
    assert [row["engine"] for row in csv_rows(turned)] == ["fp32", "fp16", "qat"]
    assert len(csv_rows(turned)[0]) == len(rows) + 1


def test_the_gate(planex, engines):
    def run(*words, code):
        return planex("compare", *words, "--fail-on-regression", "3%", cwd=engines, code=code)

    assert "passed" in run(QAT, RESIDUAL, code=0).stdout
    assert "failed" in run(RESIDUAL, QAT, code=1).stdout
    # Without the gate the same difference is no failure.
    planex("compare", RESIDUAL, QAT, cwd=engines, code=0)
    for bad in ("3 mm", "-3%", "nan", "", "1e9"):
        result = planex(
            "compare", QAT, RESIDUAL, f"--fail-on-regression={bad}", cwd=engines, code=2
        )
        assert "3%" in result.stderr or "PERCENT missing" in result.stderr


def test_runs_are_pooled(planex, engines, valid):
    words = ["--base", QAT, "--base", QAT, RESIDUAL]
    text = planex("compare", *words, "--format", "json", cwd=engines).stdout
    document = valid(text, "compare")
    assert [engine["label"] for engine in document["engines"]] == ["qat", "qat-residual"]
    verdict = document["differences"][0]["verdict"]
    assert verdict["base"]["run_count"] == 2 and verdict["candidate"]["run_count"] == 1
    words = [QAT, "--candidate", RESIDUAL, "--candidate", RESIDUAL]
    verdict = json.loads(planex("compare", *words, "--format", "json", cwd=engines).stdout)
    assert verdict["differences"][0]["verdict"]["candidate"]["run_count"] == 2
    planex("compare", "--base", QAT, "--base", QAT, cwd=engines, code=2)


def test_pairs_in_queries(planex, engines, compare):
    pairs = compare(*FIVE[:3])["pairs"]

    def query(sql):
        text = planex("query", *FIVE[:3], sql, "--format", "json", cwd=engines).stdout
        return json.loads(text)["rows"]

    rows = query("select candidate, pair, delta_ms, cause from pairs")
    labels = [None, "fp16", "qat"]
    assert rows == [[labels[p["engine"]], p["index"], p["delta_ms"], p["cause"]] for p in pairs]
    # Each layer that does work is in one pair of each comparison that its engine is in.
    sql = (
        "select engine, count(*) from pair_layers join work_layers using (engine, layer_id) "
        "group by engine"
    )
    counts = dict(query("select engine, count(*) from work_layers group by 1"))
    assert dict(query(sql)) == counts | {"fp32": 2 * counts["fp32"]}
    assert "pairs" in planex("query", *FIVE[:2], cwd=engines).stdout
    planex("query", *FIVE[:2], "--columns-of", "pair_layers", cwd=engines)
    planex("query", *FIVE[:2], "drop table pairs", cwd=engines, code=2)
    planex("query", FIVE[0], "select * from pairs", cwd=engines, code=2)


# What Jenkins' junit-10.xsd asks of the elements that are written here: children, attributes that
# must be there, attributes that may.
JUNIT = {
    "testsuites": (
        {"testsuite"},
        set(),
        {"name", "time", "tests", "failures", "disabled", "errors"},
    ),
    "testsuite": (
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
        {"name", "tests"},
        {
            "failures",
            "errors",
            "group",
            "time",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
        },
    ),
    "testcase": (
        {"skipped", "error", "failure", "system-out", "system-err"},
        {"name"},
        {"assertions", "time", "classname", "status", "class", "file", "line", "group"},
    ),
    "skipped": (set(), set(), {"message", "type"}),
    "failure": (set(), set(), {"type", "message"}),
    "system-out": (set(), set(), set()),
}


def check_junit(element):
    children, must, may = JUNIT[element.tag]
    assert must <= set(element.attrib) <= must | may, element.tag
    for key in ("tests", "failures", "errors", "skipped"):
        assert re.fullmatch(r"\d+", element.get(key, "0"))
    assert re.fullmatch(r"\d*(\.\d+)?", element.get("time", "0"))
    for child in element:
        assert child.tag in children, f"{child.tag} in {element.tag}"
        check_junit(child)
    if element.tag == "testsuite":
        for tag, key in (("failure", "failures"), ("skipped", "skipped")):
            assert len(element.findall(f"testcase/{tag}")) == int(element.get(key))
        assert len(element.findall("testcase")) == int(element.get("tests"))


@pytest.mark.parametrize(
    "words,failures,skipped",
    [
        (["--fail-on-regression", "3%", RESIDUAL, QAT, FIVE[0]], 2, 0),
        (["--fail-on-regression", "3%", QAT, RESIDUAL], 0, 0),
        (["rtx1.7-resnet18-fp32", "rtx1.7-resnet18-fp16"], 0, 1),
    ],
)
def test_junit(planex, engines, words, failures, skipped):
    result = planex("compare", *words, "--format", "junit", cwd=engines, code=1 if failures else 0)
    root = ElementTree.fromstring(result.stdout)  # noqa: S314 (our own output)
    assert root.tag == "testsuites"
    check_junit(root)
    assert len(root.findall(".//failure")) == failures == int(root.get("failures"))
    assert len(root.findall(".//skipped")) == skipped


def test_junit_of_hostile_names(planex, tmp_path):
    name = 'a]]><&"\x01\u202e\x7f'
    layers = {"Layers": [{"Name": name, "LayerType": "Reformat"}], "Bindings": []}
    for folder in ("<b&", 'c"d'):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.graph.json").write_text(json.dumps(layers))
    result = planex("compare", "<b&", 'c"d', "--format", "junit", cwd=tmp_path)
    check_junit(ElementTree.fromstring(result.stdout))  # noqa: S314
    for words in ([], ["--pairs"], ["--ledger"], ["--summaries"]):
        planex("compare", "<b&", 'c"d', *words, cwd=tmp_path)


def test_markdown(planex, engines):
    text = planex("compare", QAT, RESIDUAL, "--format", "markdown", cwd=engines).stdout
    lines = text.splitlines()
    assert lines[0].startswith("**qat-residual is faster than qat: −")
    assert text.count("<details>") == text.count("</details>") == 3
    for index, line in enumerate(lines):
        # Without an empty line GitHub takes what follows a fold for HTML.
        if line.startswith("<details>"):
            assert lines[index + 1] == ""
        # Every row of a table has as many cells as its head.
        if re.fullmatch(r"\|(:?-+:?\|)+", line):
            columns = line.count("|")
            row = index - 1
            while row < len(lines) and lines[row].startswith("|"):
                assert len(re.findall(r"(?<!\\)\|", lines[row])) == columns, lines[row]
                row += 1
    assert not re.search(r"<(?!/?(details|summary)>)", text)


def test_the_predecessors_rules(compare):
    for rule in ("exact-shapes", "first-shapes"):
        document = compare(QAT, RESIDUAL, "--match", rule)
        for pair in document["pairs"]:
            assert len(pair["a_layers"]) <= 1 and len(pair["b_layers"]) <= 1


def test_text_fits(planex, engines, display_width):
    for words in ([], ["--all"], ["--pairs"], ["--ledger"], ["--ledger", "--all"], ["--summaries"]):
        for plans in ([QAT, RESIDUAL], FIVE):
            for width in (80, 120):
                text = planex("compare", *plans, *words, "--width", width, cwd=engines).stdout
                wide = [line for line in text.splitlines() if display_width(line) > width]
                assert not wide, wide[:3]
                assert all(line == line.rstrip() for line in text.splitlines())
                coloured = planex(
                    "compare", *plans, *words, "--width", width, "--color", "always", cwd=engines
                ).stdout
                assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text


def write_log(folder, name, median_ms, per_s):
    """The end of a log of trtexec that names no layers."""
    times = ", ".join(f"{word} = {median_ms} ms" for word in ("min", "max", "mean", "median"))
    path = folder / f"{name}.log"
    path.write_text(
        f"&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --loadEngine={name}.plan\n"
        "[11/23/2026-10:00:00] [I] TensorRT version: 8.6.1\n"
        "[11/23/2026-10:00:01] [I] === Performance summary ===\n"
        f"[11/23/2026-10:00:01] [I] Throughput: {per_s} qps\n"
        f"[11/23/2026-10:00:01] [I] Latency: {times}, percentile(99%) = {median_ms} ms\n"
        f"[11/23/2026-10:00:01] [I] GPU Compute Time: {times}, percentile(99%) = {median_ms} ms\n"
        f"&&&& PASSED TensorRT.trtexec [TensorRT v8601] # trtexec --loadEngine={name}.plan\n"
    )
    return path


@pytest.mark.parametrize(
    "a,b,sentence",
    [
        (2.49, 0.3, "b is 8.3 × as fast as a; no samples, so no interval"),
        (0.3, 2.49, "b takes 8.3 × as long as a; no samples, so no interval"),
        (1.0, 1.12, "b takes 12.0 % longer than a; no samples, so no interval"),
    ],
)
def test_medians_without_samples_are_compared_in_words(planex, tmp_path, a, b, sentence):
    logs = [write_log(tmp_path, "a", a, 100), write_log(tmp_path, "b", b, 100)]
    assert sentence in planex("compare", *logs).stdout


def test_a_log_without_layers_has_its_throughput(planex, tmp_path):
    log = write_log(tmp_path, "fast", 0.3, 3166.667)
    text = planex("summary", log).stdout
    assert "3\u2009167 inferences/s" in text
    figures = json.loads(planex("summary", log, "--format", "json").stdout)
    assert figures["layer_count"] == 0
    assert figures["time"]["throughput_per_s"] == 3166.667


def test_names_alone_have_nothing_that_reads_as_zero(compare, tmp_path):
    for name, layers in {
        "a": ["Reformatting CopyNode for Input Tensor 0 to conv1"],
        "b": [],
    }.items():
        path = tmp_path / f"{name}.graph.json"
        path.write_text(json.dumps({"Layers": [*layers, "conv1", "pool"], "Bindings": ["x"]}))
    document = compare(tmp_path / "a.graph.json", tmp_path / "b.graph.json")
    totals = {row["metric"]: row["values"] for row in document["totals"]}
    assert totals["layer_count"] == [3, 2]
    # Every version names its own copies.
    assert totals["reformat_count"] == [1, 0]
    assert totals.get("finding_warning_count", [None, None]) == [None, None]
    assert {row.get("family") for row in document["by_type"]} == {"convolution", "pool", "reformat"}


def test_different_models_get_a_warning_and_no_speed_up(planex, engines, compare):
    plans = ["resnet18-a100-fp32", "resnet18-a100-fp16", "mobilenetv2-trt10.1-fp16"]
    related, strange = (compare(plans[0], plan) for plan in plans[1:])
    for document, is_strange in ((related, False), (strange, True)):
        difference = document["differences"][0]
        assert difference["are_unrelated"] is is_strange
        assert difference["verdict_sentence"].startswith("warning: ") is is_strange
        speed_ups = [row for row in document["totals"] if "speed_up" in row["metric"]]
        assert len(speed_ups) == (0 if is_strange else 1)
        assert all((row["speed_up"][1] is None) for row in document["by_type"]) is is_strange
    text = planex("compare", plans[0], plans[2], "--all", cwd=engines).stdout
    assert "likely different models" in text and " as fast as " not in text
    # Beside a stranger, what is of one model keeps its figures.
    (speed_up,) = [row for row in compare(*plans)["totals"] if "speed_up" in row["metric"]]
    assert speed_up["values"][0] == 1 and speed_up["values"][1] > 1
    assert speed_up["values"][2] is None


def openvino_engine(root, path, **settings):
    """A small engine as planex's own driver writes it, run with other settings."""
    source = root / "tests/golden/lint/quantized-layer-writes-float/silent/input.graph.json"
    document = json.loads(source.read_text("utf-8"))
    document["engine"] |= settings
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_settings_that_differ_are_told(root, planex, compare, tmp_path):
    one = openvino_engine(root, tmp_path / "one.graph.json", threads=1)
    other = openvino_engine(root, tmp_path / "other.graph.json", threads=4, precision="bf16")
    difference = compare(one, other)["differences"][0]
    told = {setting["key"]: (setting["a"], setting["b"]) for setting in difference["settings"]}
    assert told == {"threads": ("1", "4"), "precision": ("f32", "bf16")}
    words = " ".join(planex("compare", one, other).stdout.split())
    assert "settings differ: threads 1 → 4, precision asked for f32 → bf16" in words
    # What was asked for, and what came of it.
    assert "bf16 was requested for other, which ran in f32" in words
    assert "bf16 was requested; OpenVINO used f32" in planex("summary", other).stdout
    alone = planex("compare", one, one).stdout
    assert "requested" not in alone and "settings differ" not in alone


def tensorrt_engine(path, layers):
    """Layers of TensorRT, one behind the other: what each is called, and what it stems from."""
    records, profile = [], [{"count": 10}]
    for index, (name, operations) in enumerate(layers):
        port = {"Location": "Device", "Dimensions": [1, 8, 16, 16], "Format/Datatype": "FP32"}
        records.append(
            {
                "Name": name,
                "LayerType": "kgen",
                "Inputs": [{"Name": f"t{index}", **port}],
                "Outputs": [{"Name": f"t{index + 1}", **port}],
                "TacticValue": "0x0",
                "StreamId": 0,
                "Metadata": "\x1e".join(f"[ONNX Layer: {one}]" for one in operations),
            }
        )
        profile.append({"name": name, "timeMs": 1.0, "averageMs": 0.1, "percentage": 1.0})
    bindings = ["t0", f"t{len(layers)}"]
    path.write_text(json.dumps({"Layers": records, "Bindings": bindings}), "utf-8")
    path.with_name(path.name.replace("graph", "profile")).write_text(json.dumps(profile), "utf-8")
    return path


def test_the_model_tells_operations_of_all_engines(planex, compare, tmp_path):
    onnx = pytest.importorskip("onnx")
    helper, value = onnx.helper, onnx.helper.make_tensor_value_info
    names = [("a", "Sin"), ("b", "Cos"), ("c", "Tan"), ("d", "Erf")]
    nodes = [
        helper.make_node(kind, [f"x{i}"], [f"x{i + 1}"], name=name)
        for i, (name, kind) in enumerate(names)
    ]
    ends = [value(name, onnx.TensorProto.FLOAT, [1, 8, 16, 16]) for name in ("x0", "x4")]
    model = tmp_path / "source.onnx"
    onnx.save(helper.make_model(helper.make_graph(nodes, "g", ends[:1], ends[1:])), model)

    one = tensorrt_engine(
        tmp_path / "one.graph.json", [("k0", ["a"]), ("k1", ["b", "c"]), ("k2", ["d"])]
    )
    other = tensorrt_engine(
        tmp_path / "other.graph.json", [("m0", ["a", "b"]), ("m1", ["c"]), ("m2", ["d"])]
    )
    plans = [one, other, "--ledger"]
    rows = {row["name"]: row for row in compare(*plans)["ledger"]["rows"]}
    assert {rows[name]["type"] for name, _ in names} == {None}
    rows = {row["name"]: row for row in compare(*plans, "--model", model)["ledger"]["rows"]}
    assert {name: rows[name]["type"] for name, _ in names} == dict(names)
    # It is the model of every engine, and of further runs of one only the times are read.
    runs = ["--base", one, "--base", one, other, other]
    document = compare(*runs, "--ledger", "--model", model)
    assert {row["type"] for row in document["ledger"]["rows"]} >= {kind for _, kind in names}

    missing = planex("compare", one, other, "--model", tmp_path / "none.onnx", code=3)
    assert "none.onnx" in missing.stderr
