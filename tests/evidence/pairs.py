"""Pairs of recorded engines of the test data, of which the second has the fix of a rule."""

from __future__ import annotations

import dataclasses
import json
import pathlib

from running import EvidenceError, Tools, call


@dataclasses.dataclass(frozen=True)
class Pair:
    rules: tuple[str, ...]
    before: str
    after: str
    change: str


PAIRS = [
    Pair(
        (
            "activation-read-in-two-precisions",
            "int8-conv-writes-float",
            "qdq-unfused",
            "reformat-changes-type",
            "conversion-over-3-percent",
        ),
        "resnet18-a100-qat",
        "resnet18-a100-qat-residual",
        "Q/DQ on the skip paths",
    ),
    Pair(
        ("float-layer-between-quantized",),
        "resnet18-a100-qat-residual",
        "resnet18-a100-qat-residual-qgap",
        "Q/DQ before the average pooling",
    ),
    Pair(
        ("no-reduced-precision",),
        "resnet18-a100-fp32",
        "resnet18-a100-fp16",
        "built with --fp16",
    ),
]


def run(pair: Pair, rule: str, tools: Tools, data: pathlib.Path) -> dict:
    """The record; EvidenceError where the rule does not fire less in the second engine."""
    words = ["--rule", rule, "--format", "json"]
    documents = []
    for name in (pair.before, pair.after):
        documents.append(json.loads(call([tools.planex, "lint", data / name, *words])))
    counts = [len(document["findings"]) for document in documents]
    if counts[0] == 0 or counts[1] >= counts[0]:
        raise EvidenceError(f"{pair.before}: {counts[0]} findings, {pair.after}: {counts[1]}")
    summaries = [
        json.loads(call([tools.planex, "summary", data / name, "--format", "json"]))
        for name in (pair.before, pair.after)
    ]
    times = [summary["time"]["end_to_end"] for summary in summaries]
    before, after = (time["median_ms"] or time["mean_ms"] for time in times)
    if after >= before:
        raise EvidenceError(f"{pair.after} takes {after} ms, {pair.before} {before} ms")
    engine = summaries[0]["engine"]
    return {
        "schema": "planex.evidence/1",
        "kind": "lint",
        "rule": rule,
        "asked": documents[0]["actions"][0]["kind"],
        "engine": engine["producer"],
        "version": engine["producer_version"],
        "before": pair.before,
        "after": pair.after,
        "change": pair.change,
        "promised_ms": documents[0]["estimated_ms"],
        "before_ms": before,
        "after_ms": after,
        "findings_before": counts[0],
        "findings_after": counts[1],
    }
