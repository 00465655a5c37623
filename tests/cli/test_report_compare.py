"""The comparison in the report's data: columns that say what planex.compare/2 says."""

from __future__ import annotations

import itertools
import json

import pytest

FIVE = [
    "resnet18-a100-fp32",
    "resnet18-a100-fp16",
    "resnet18-a100-qat",
    "resnet18-a100-qat-residual",
    "resnet18-a100-qat-residual-qgap",
]
FIGURES = ["engines", "totals", "by_type", "by_precision", "by_output_precision"]


def sums(column, count, usual):
    """A column that is written as differences."""
    return list(itertools.accumulate(column)) if column is not None else [usual] * count


class Pairs:
    """Decodes the columns of one engine_pair."""

    def __init__(self, engine_pair, words):
        self.pairs, self.words = engine_pair["pairs"], words
        self.count = self.pairs["count"]

    def column(self, name, usual):
        return sums(self.pairs.get(name), self.count, usual)

    def measures(self, name):
        return self.pairs.get(name, [None] * self.count)

    def layers(self, side):
        counts = sums(self.pairs[side].get("count"), self.count, 1)
        layers = iter(itertools.accumulate(self.pairs[side].get("layers", [])))
        lists = [list(itertools.islice(layers, count)) for count in counts]
        assert next(layers, None) is None
        return lists

    def named(self, name, word, usual=0):
        return [self.words[word][i] for i in self.column(name, usual)]

    def rows(self):
        tick = self.pairs["tick_fs"] / 1e12
        times = {s: self.measures(f"{s}_time") for s in "ab"}
        incomplete = self.column("incomplete", 0)
        lists = {side: self.layers(side) for side in "ab"}
        words = {
            "match_by": self.named("match", "match"),
            "cause": self.named("cause", "cause"),
            "noise_source": self.named("noise", "noise"),
        }
        masks = self.column("changes", 0)
        beyond = [[False, True, None][i] for i in self.column("exceeds_noise", 0)]
        certainty = self.column("certainty", 100)
        low, high = self.measures("low_ns"), self.measures("high_ns")
        for i in range(self.count):
            a, b = times["a"][i], times["b"][i]
            yield {
                "a_layers": lists["a"][i],
                "b_layers": lists["b"][i],
                "a_ms": None if a is None else a * tick,
                "b_ms": None if b is None else b * tick,
                "delta_ms": None if incomplete[i] else ((b or 0) - (a or 0)) * tick,
                "changes": [w for bit, w in enumerate(self.words["change"]) if masks[i] >> bit & 1],
                "exceeds_noise": beyond[i],
                "certainty": certainty[i] / 100,
                "low_ms": None if low[i] is None else low[i] / 1e6,
                "high_ms": None if high[i] is None else high[i] / 1e6,
                **{name: column[i] for name, column in words.items()},
            }


def near(value, digits):
    return value if value is None else pytest.approx(value, abs=digits)


def same_pairs(rows, pairs):
    assert len(rows) == len(pairs)
    for row, pair in zip(rows, pairs, strict=True):
        for name in ("a_layers", "b_layers", "changes", "cause", "match_by", "exceeds_noise"):
            assert row[name] == pair[name], (name, pair["name"])
        assert row["noise_source"] == pair["noise_source"]
        for name in ("a_ms", "b_ms", "delta_ms"):
            assert row[name] == near(pair[name], 1e-12), (name, pair["name"])
        for name in ("low_ms", "high_ms"):
            assert row[name] == near(pair[name], 0.6e-6), (name, pair["name"])
        assert row["certainty"] == near(pair["certainty"], 0.0051)


@pytest.fixture(scope="module")
def comparison(planex, engines):
    text = planex("report", *FIVE, "--format", "json", "-o", "-", cwd=engines).stdout
    return json.loads(text)["comparison"]


def compared(planex, engines, *plans):
    return json.loads(planex("compare", *plans, "--format", "json", cwd=engines).stdout)


def test_figures_are_those_of_compare(planex, engines, comparison):
    document = compared(planex, engines, *FIVE)
    for name in FIGURES:
        assert comparison[name] == document[name], name
    assert comparison["threshold_ratio"] == 0.03


def test_every_engine_pair_is_there(comparison):
    engine_pairs = [
        (engine_pair["a"], engine_pair["b"]) for engine_pair in comparison["engine_pairs"]
    ]
    assert engine_pairs == sorted(itertools.combinations(range(5), 2))


@pytest.mark.parametrize("a", range(4))
def test_pairs_and_sentences_are_those_of_compare(planex, engines, comparison, a):
    for engine_pair in (c for c in comparison["engine_pairs"] if c["a"] == a):
        plans = [FIVE[engine_pair["a"]], FIVE[engine_pair["b"]]]
        # Alone they have other labels.
        label = {plans[i]: comparison["engines"][engine_pair["ab"[i]]]["label"] for i in (0, 1)}
        for way, order in zip(engine_pair["directions"], (plans, plans[::-1]), strict=True):
            document = compared(planex, engines, *order)
            (difference,) = document["differences"]
            own = {
                e["label"]: label[plan] for e, plan in zip(document["engines"], order, strict=True)
            }
            sentence = way["verdict_sentence"]
            alone = difference["verdict_sentence"]
            # Of "qat-residual" and "qat" the longer one first.
            for short in sorted(own, key=len, reverse=True):
                alone = alone.replace(f" {short} ", f" {own[short]} ")
                alone = alone.replace(f" {short}:", f" {own[short]}:")
                if alone.startswith(f"{short} is"):
                    alone = own[short] + alone[len(short) :]
            assert sentence == alone
            for name in ("sentence", "counts", "causes", "types", "delta_ms", "verdict"):
                assert way[name] == difference[name], (name, order)
            if order is plans:
                same_pairs(list(Pairs(engine_pair, comparison["words"]).rows()), document["pairs"])


def test_ledger_is_that_of_compare(planex, engines, comparison):
    ledger = compared(planex, engines, *FIVE)["ledger"]
    count, strings = comparison["ledger"]["count"], comparison["strings"]

    def text(index):
        return None if index < 0 else strings[index]

    def column(part, name, usual):
        return sums(part.get(name), count, usual)

    def time(part, name):
        whole = part.get(f"{name}_ns", [None] * count)
        rest = part.get(f"{name}_fs", [None] * count)
        both = zip(whole, rest, strict=True)
        return [None if w is None else w * 10**6 + (r or 0) for w, r in both]

    assert comparison["ledger"]["total_fs"] == ledger["total_fs"]
    assert len(ledger["rows"]) == count
    kinds = column(comparison["ledger"], "kind", 0)
    texts = {n: column(comparison["ledger"], n, -1) for n in ("name", "type", "parameter")}
    for i, row in enumerate(ledger["rows"]):
        assert ["operation", "no-operation", "no-work"][kinds[i]] == row["kind"]
        for name, indices in texts.items():
            assert text(indices[i]) == row[name]
    for e, part in enumerate(comparison["ledger"]["engines"]):
        layers, own = column(part, "layers", 1), column(part, "name", -1)
        spread = column(part, "spread", 3)
        times, reformats = time(part, "time"), time(part, "reformats")
        for i, row in enumerate(ledger["rows"]):
            assert (layers[i] or None) == row["layers"][e]
            assert times[i] == row["time_fs"][e]
            if not layers[i]:
                continue
            assert (reformats[i] or 0) == row["reformat_fs"][e]
            if row["kind"] == "operation":
                assert comparison["words"]["spread"][spread[i]] == row["spread"][e]
                assert (text(own[i]) or row["name"]) == row["names"][e]
        # The rows are the last line, to the last digit.
        assert sum(t or 0 for t in times) == ledger["total_fs"][e]


def test_summaries_are_those_of_compare(planex, engines, comparison):
    table = planex(
        "compare", *FIVE, "--summaries", "--format", "markdown", cwd=engines
    ).stdout.splitlines()
    assert len(comparison["summaries"]) == len(table) - 2
    assert ["engine", "batch", "32", "32", "32", "32", "32"] in comparison["summaries"]


def test_without_times_the_pairs_are_there_all_the_same(planex, engines):
    plans = ["rtx1.7-resnet18-fp16", "rtx1.7-resnet18-fp32"]
    text = planex("report", *plans, "--format", "json", "-o", "-", cwd=engines).stdout
    comparison = json.loads(text)["comparison"]
    (engine_pair,) = comparison["engine_pairs"]
    rows = list(Pairs(engine_pair, comparison["words"]).rows())
    same_pairs(rows, compared(planex, engines, *plans)["pairs"])
    assert all(row["delta_ms"] is None for row in rows)
    assert "a_time" not in engine_pair["pairs"]
