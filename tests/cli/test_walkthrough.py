"""The figures of docs/tutorial/resnet18-walkthrough.md, from the engines and in the page's prose.

What stands in the page's blocks is written by tools/docs_update.py; this is about the rest.
"""

from __future__ import annotations

import json
import re

import pytest

PAGE = "docs/tutorial/resnet18-walkthrough.md"
BUILDS = ["fp32", "fp16", "qat", "qat-residual", "qat-residual-qgap"]
FP32, FP16, QAT, RESIDUAL, QGAP = range(5)
QDQ_RULES = [
    "int8-conv-writes-float",
    "float-layer-between-quantized",
    "activation-read-in-two-precisions",
]
LAYERS = """
    select name, type, family, precision, output_precision, median_ms, output_bytes, footprint_bytes
    from work_layers order by layer_id"""


def folder(build):
    return f"resnet18-a100-{BUILDS[build]}"


@pytest.fixture(scope="module")
def ask(planex, engines):
    """A command's JSON."""

    def run(*words):
        return json.loads(planex(*words, "--format", "json", cwd=engines).stdout)

    return run


@pytest.fixture(scope="module")
def layers(ask):
    """Of each build, its layers as dictionaries."""

    def of(build):
        document = ask("query", folder(build), LAYERS)
        names = [column["name"] for column in document["columns"]]
        return [dict(zip(names, row, strict=True)) for row in document["rows"]]

    return [of(build) for build in range(len(BUILDS))]


@pytest.fixture(scope="module")
def all_five(ask):
    return ask("compare", *map(folder, range(len(BUILDS))))


@pytest.fixture(scope="module")
def step(ask):
    """The comparison of two builds: totals by metric, the difference, the pairs."""
    seen = {}

    def run(a, b):
        if (a, b) not in seen:
            seen[a, b] = ask("compare", folder(a), folder(b))
        return seen[a, b]

    return run


@pytest.fixture(scope="module")
def lint(ask):
    def run(build, *rules):
        return ask("lint", folder(build), *[word for rule in rules for word in ("--rule", rule)])

    return run


@pytest.fixture(scope="module")
def prose(root):
    """The page without its blocks, on one line."""
    text = (root / PAGE).read_text("utf-8")
    text = re.sub(r"<!-- run.*?-->\n```text\n.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "```" not in text
    return " ".join(text.split())


@pytest.fixture(scope="module")
def spoken():
    """Phrases that were looked for, by test."""
    return {}


@pytest.fixture
def says(prose, spoken, request):
    """says(phrase, …): the page has these words, and the figures in them are the engines'."""
    phrases_so_far = spoken.setdefault(request.node.name, [])

    def check(*phrases):
        for phrase in phrases:
            assert phrase in prose, f"the page does not say: {phrase}"
        phrases_so_far.extend(phrases)

    return check


def total(document, metric):
    return next(row["values"] for row in document["totals"] if row["metric"] == metric)


def time(rows, **wanted):
    """Sum of the median times of the layers that have all of these values."""
    found = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    assert found, wanted
    return sum(row["median_ms"] for row in found)


def count(rows, **wanted):
    return sum(all(row[key] == value for key, value in wanted.items()) for row in rows)


def one(rows, name):
    """The one layer with this text in its name, a number at its end being whole."""
    return only(row for row in rows if re.search(re.escape(name) + r"(?!\d)", row["name"]))


def only(rows):
    (row,) = rows
    return row


def test_time_by_type_and_precision(all_five, layers, says):
    by_type = {row["type"]: row["median_ms"] for row in all_five["by_type"]}
    by_precision = {row["precision"]: row["median_ms"] for row in all_five["by_precision"]}

    def rounded(table):
        return {kind: [value and round(value, 3) for value in row] for kind, row in table.items()}

    assert rounded(by_type) == {
        "Convolution": [1.975, 0.857, 0.711, 0.534, 0.490],
        "Pooling": [0.103, 0.072, 0.106, 0.009, 0.015],
        "Reformat": [0.045, 0.088, 0.279, 0.116, 0.095],
        "ConvActPool": [None, None, None, 0.073, 0.072],
    }
    assert rounded(by_precision) == {
        "FP32": [2.124, 0.081, 0.194, 0.112, 0.095],
        "FP16": [None, 0.936, 0.191, None, None],
        "INT8": [None, None, 0.711, 0.620, 0.578],
    }
    # The same sums from the layers, and both tables close.
    sums = total(all_five, "layers_time_ms")
    for build, rows in enumerate(layers):
        for table, key in [(by_type, "type"), (by_precision, "precision")]:
            for kind, values in table.items():
                if values[build] is not None:
                    assert time(rows, **{key: kind}) == pytest.approx(values[build], rel=1e-12)
            assert sum(row[build] or 0 for row in table.values()) == pytest.approx(sums[build])
    says(
        f"{by_type['Convolution'][QAT]:.3f} ms instead of {by_type['Convolution'][FP16]:.3f} ms",
        f"12 layers only convert, {by_type['Reformat'][QAT]:.3f} ms",
        f"takes {by_type['Pooling'][QAT]:.3f} ms instead of {by_type['Pooling'][FP16]:.3f} ms",
    )


def test_end_to_end(all_five, says):
    ms = total(all_five, "end_to_end_median_ms")
    says(
        f"FP16 is {ms[FP32] / ms[FP16]:.2f} times as fast as FP32",
        f"the first Q/DQ engine takes {ms[QAT]:.3f} ms, FP16 {ms[FP16]:.3f} ms",
        f"From {ms[FP32]:.3f} ms to {ms[QGAP]:.3f} ms: {ms[FP32] / ms[QGAP]:.2f} times as fast",
        f"{ms[QAT] / ms[QGAP]:.2f} times as fast as the first Q/DQ engine",
    )


@pytest.mark.parametrize(
    ("a", "b", "judgement"),
    [
        (FP32, FP16, "faster"),
        (FP32, QAT, "faster"),
        (FP16, QAT, "unclear"),
        (QAT, RESIDUAL, "faster"),
        (RESIDUAL, QGAP, "faster"),
    ],
)
def test_verdicts(step, says, a, b, judgement):
    verdict = only(step(a, b)["differences"])["verdict"]
    assert verdict["judgement"] == judgement
    assert verdict["source"] == "samples"
    low, change, high = (verdict[k] for k in ["low_ratio", "change_ratio", "high_ratio"])
    assert low < change < high
    assert (low > 0 or high < 0) == (judgement == "faster")
    if (a, b) == (FP16, QAT):
        says(f"{100 * change:.1f} % slower than FP16")


def test_what_the_first_qdq_engine_lost(step, says):
    causes = {row["cause"]: row for row in only(step(FP16, QAT)["differences"])["causes"]}
    precision, came = causes["precision"], causes["reformats-added"]
    says(
        f"{precision['pairs']} in another precision gained "
        f"{-precision['delta_ms']:.3f} ms together",
        f"the added reformats cost {came['delta_ms']:.3f} ms",
    )


def test_reformats(all_five, layers, says):
    counts = total(all_five, "reformat_count")
    shares = [100 * share for share in total(all_five, "reformat_share_ratio")]
    assert counts[QAT:] == [12, 3, 1]
    assert [round(share, 2) for share in shares[QAT:]] == [25.42, 15.83, 14.16]
    for rows, number, share in zip(layers, counts, shares, strict=True):
        assert count(rows, family="reformat") == number
        of_all = time(rows, family="reformat") / sum(row["median_ms"] for row in rows)
        assert 100 * of_all == pytest.approx(share)
    says(
        f"12 reformats take {shares[QAT]:.2f} % of the layer time",
        f"12 reformats became 3, and their share fell to {shares[RESIDUAL]:.2f} %",
        f"3 reformats became 1, and their share fell to {shares[QGAP]:.2f} %",
    )
    left = only(row for row in layers[QGAP] if row["family"] == "reformat")
    assert (left["precision"], left["output_precision"]) == ("FP32", "INT8")
    says(
        f"One reformat is left, which takes {left['median_ms']:.4f} ms, "
        f"{shares[QGAP]:.2f} % of the layer time"
    )


def test_fp16_layers(layers, says):
    assert [count(rows, precision="FP16") for rows in layers[QAT:]] == [11, 0, 0]
    assert count(layers[QAT], precision="FP16", family="reformat") == 10
    assert count(layers[QAT], precision="FP16", type="Pooling") == 1
    says(
        "11 layers read FP16 in an engine that should be INT8: ten of the reformats, and a pooling",
        "No layer reads FP16 any more: 11 before, none now",
    )


def test_convolutions_that_write_floats(lint, layers, says):
    findings = lint(QAT, "int8-conv-writes-float")["findings"]
    assert len(findings) == 12
    flagged = [
        row["name"]
        for row in layers[QAT]
        if row["family"] == "convolution"
        and row["precision"] == "INT8"
        and row["output_precision"] in ("FP16", "FP32")
    ]
    assert len(flagged) == 13
    # The head is the last of them; nothing is asked of it.
    assert sorted(flagged[:-1]) == sorted(finding["layer"] for finding in findings)
    assert sum("Add_" in name for name in flagged) == 8
    assert sum(".0.conv2" in name and "Add_" not in name for name in flagged) == 3
    first = one(layers[QAT], "conv1.weight + QuantizeLinear_7")
    says(
        "13 convolutions read INT8 and write a float type. Twelve are findings",
        f"The first writes {first['output_bytes'] / 1e6:.0f} MB of FP32",
        "Eight are fused with the addition",
        "Three are the second convolutions",
    )


def test_first_estimate_and_gain(lint, layers, step, says):
    document = lint(QAT, *QDQ_RULES)
    estimate = document["estimated_ms"]
    step_document = step(QAT, RESIDUAL)
    difference = only(step_document["differences"])
    gain = -difference["delta_ms"]
    ends = total(step_document, "end_to_end_median_ms")
    end_gain = ends[0] - ends[1]
    band = document["estimate_band"]
    assert band["low_ms"] <= end_gain <= band["high_ms"], "what was asked of lint"
    says(
        f"The layers gained {gain:.3f} ms, end to end {end_gain:.3f} ms. "
        f"Lint predicted {estimate:.3f} ms: {100 - 100 * estimate / end_gain:.0f} % too little",
        f"worth about {estimate:.3f} ms end to end",
    )
    assert len(layers[QAT]) - len(layers[RESIDUAL]) == 10, "ten layers less"


def test_parts_of_the_first_gain(layers, says):
    before, after = layers[QAT], layers[RESIDUAL]

    def ms(rows):
        return sum(row["median_ms"] for row in rows)

    reformats = [row for row in before if row["family"] == "reformat"]
    at_input = one(reformats, "QuantizeLinear_2")
    around_average = [
        one(reformats, "to GlobalAveragePool"),
        one(reformats, "QuantizeLinear_250"),
    ]
    gone = [row for row in reformats if row not in [at_input, *around_average]]
    left = [row for row in after if row["family"] == "reformat" and row["name"] != at_input["name"]]
    assert (len(gone), len(left)) == (9, 2)
    max_pool = only(row for row in before if row["name"] == "MaxPool_12")
    fused = ms([one(before, "Conv_9"), max_pool]) - one(after, "MaxPool_12")["median_ms"]
    says(
        f"The eleven conversions among them take {ms(gone) + ms(around_average):.3f} ms",
        f"Nine of the eleven conversions are gone, {ms(gone):.3f} ms in the profile",
        f"the two gained {fused:.3f} ms together",
    )


def test_pooling(all_five, layers, step, ask, says):
    pooling = next(row for row in all_five["by_type"] if row["type"] == "Pooling")["median_ms"]
    assert [round(value, 4) for value in pooling[QAT:]] == [0.1065, 0.0092, 0.0154]
    says("Pooling: " + " → ".join(f"{value:.4f}" for value in pooling[QAT:]) + " ms")

    max_pool, average = (row for row in layers[QAT] if row["type"] == "Pooling")
    says(
        f"{pooling[QAT]:.4f} ms was two layers: {max_pool['median_ms']:.4f} ms for "
        f"the max pooling, which moved {max_pool['footprint_bytes'] / 1e6:.0f} MB in FP32, and "
        f"{average['median_ms']:.4f} ms for the average pooling",
    )
    fused = one(layers[RESIDUAL], "MaxPool_12")
    assert fused["type"] == "ConvActPool"
    assert "Conv_9" in fused["name"]
    readers = 'select distinct p.dtype from ports p where p.direction = "input" and p.tensor_id in '
    readers += "(select tensor_id from ports where direction = 'output' and layer_id = "
    readers += "(select layer_id from layers where name like '%MaxPool_12'))"
    readers = readers.replace('"', "'")
    assert ask("query", folder(RESIDUAL), readers)["rows"] == [["INT8"]]
    pair = only(row for row in step(QAT, RESIDUAL)["pairs"] if row["cause"] == "fused")
    traffic = [
        sum(row["footprint_bytes"] for row in [one(layers[QAT], "Conv_9"), max_pool]) / 1e6,
        fused["footprint_bytes"] / 1e6,
    ]
    says(
        f"{pair['a_ms']:.3f} ms became {pair['b_ms']:.4f} ms, "
        f"because {traffic[0]:.0f} MB of traffic became {traffic[1]:.1f} MB",
    )

    float_pool, int8_pool = (
        only(row for row in layers[build] if row["type"] == "Pooling") for build in (RESIDUAL, QGAP)
    )
    assert float_pool["precision"] == "FP32"
    assert int8_pool["precision"] == int8_pool["output_precision"] == "INT8"
    assert int8_pool["footprint_bytes"] * 4 == float_pool["footprint_bytes"]
    slower = int8_pool["median_ms"] - float_pool["median_ms"]
    says(
        f"under Pooling, {float_pool['median_ms']:.4f} ms, is the average pooling in FP32",
        f"runs in INT8 and takes {int8_pool['median_ms']:.4f} ms, {slower:.4f} ms longer",
        "nine and fifteen ticks of the profiler",
    )
    step_ms = 0.001024
    assert [round(row["median_ms"] / step_ms, 6) for row in (float_pool, int8_pool)] == [9, 15]
    pair = only(
        row for row in step(RESIDUAL, QGAP)["pairs"] if row["name"].startswith("GlobalAveragePool")
    )
    assert pair["low_ms"] > 0, "the interval does not reach zero"


def test_second_estimate_and_gain(ask, lint, step, says):
    document = lint(RESIDUAL, *QDQ_RULES[:2])
    estimate = document["estimated_ms"]
    step_document = step(RESIDUAL, QGAP)
    difference = only(step_document["differences"])
    gain = -difference["delta_ms"]
    ends = total(step_document, "end_to_end_median_ms")
    end_gain = ends[0] - ends[1]
    assert abs(estimate / end_gain - 1) < 0.25
    says(
        f"The layers gained {gain:.4f} ms, end to end {end_gain:.4f} ms. "
        f"Lint predicted {estimate:.4f} ms: {100 - 100 * estimate / end_gain:.0f} % too little",
    )
    gone = next(row for row in difference["causes"] if row["cause"] == "reformats-removed")
    assert gone["pairs"] == 2
    conversions = -gone["delta_ms"]
    pairs = {row["name"]: row for row in step_document["pairs"]}
    conv = only(row for name, row in pairs.items() if "layer4.1.conv2" in name)
    pool = only(row for name, row in pairs.items() if name.startswith("GlobalAveragePool"))
    says(
        f"The two conversions are gone: {conversions:.4f} ms",
        f"The convolution before them gained {-conv['delta_ms']:.4f} ms",
        f"nothing for the average pooling, which lost {pool['delta_ms']:.4f} ms",
    )
    # The pair that one of the fixes names is there: quantized in, float out, into the addition.
    ends_of_it = """
        select direction, dtype, t.name from ports join tensors t using (tensor_id)
        where layer_id = (select layer_id from layers where name = 'DequantizeLinear_291')
        order by direction"""
    rows = ask("query", folder(RESIDUAL), ends_of_it)["rows"]
    assert [row[:2] for row in rows] == [["input", "INT8"], ["output", "FP32"]]
    assert rows[1][2] == "onnx::Add_454"
    before = conv["a_ms"] + pool["a_ms"] + conversions
    after = conv["b_ms"] + pool["b_ms"]
    says(f"quantizer of the head, the time fell from {before:.4f} ms to {after:.4f} ms")


def test_no_other_figures(prose, spoken):
    """Numbers with a decimal point in the prose are all ones that the tests above look for."""
    tests = {name for name in globals() if name.startswith("test_")} - {"test_no_other_figures"}
    if tests - {name.partition("[")[0] for name in spoken}:
        pytest.skip("needs what the other tests of this file find")
    rest = prose
    for phrase in sorted(
        {p for phrases in spoken.values() for p in phrases}, key=len, reverse=True
    ):
        rest = rest.replace(phrase, "")
    assert re.findall(r"\S* ?\d+\.\d+ ?\S*", rest) == []
