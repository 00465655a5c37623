"""What findings about Q/DQ promise, and what the next engine gained: the table of a how-to page."""

from __future__ import annotations

import json

PAGE = "docs/how-to/find-what-to-quantize.md"
BEGIN, END = "<!-- estimates: tests/cli/test_estimates.py -->\n", "<!-- end of estimates -->"
# The band that planex states beside an estimate, gained of predicted: lint/run.h.
LEAST, MOST = 0.94, 1.50
PAIRS = [
    ("resnet18-a100-qat", "resnet18-a100-qat-residual"),
    ("resnet18-a100-qat-residual", "resnet18-a100-qat-residual-qgap"),
    ("mobilenet-titanrtx-qat", "mobilenet-titanrtx-qat-residual"),
    ("openvino2026.4-resnet18-qdq-naive-b8", "openvino2026.4-resnet18-qdq-shared-b8"),
]
# Those about where Q/DQ stands. The quantizer of the engine's input is the caller's business.
RULES = [
    "activation-read-in-two-precisions",
    "float-layer-between-quantized",
    "int8-conv-writes-float",
    "quantized-layer-writes-float",
]


def folder(engines, root, engine):
    """Of the data of the repository, where the name has a slash, else of the real engines."""
    return root / "tests/data" / engine if "/" in engine else engines / engine


def inference_ms(planex, path):
    summary = json.loads(planex("summary", path, "--format", "json").stdout)
    end_to_end = summary["time"]["end_to_end"]
    return end_to_end["median_ms"] or end_to_end["mean_ms"]


def table(planex, engines, root):
    lines = ["| engine → next | end to end, ms | gained, ms | predicted, ms | gained ÷ predicted |"]
    lines.append("|---|---:|---:|---:|---:|")
    for before, after in PAIRS:
        old, new = (folder(engines, root, engine) for engine in (before, after))
        words = ["--rule", ",".join(RULES), "--format", "json"]
        predicted = json.loads(planex("lint", old, *words).stdout)["estimated_ms"]
        first, second = inference_ms(planex, old), inference_ms(planex, new)
        gained = first - second
        ratio = gained / predicted
        assert LEAST - 0.01 <= ratio <= MOST + 0.01, (before, predicted, gained)
        lines.append(
            f"| {before} → {after} | {first:.3f} → {second:.3f} | {gained:.3f} | {predicted:.3f} "
            f"| {ratio:.2f} |"
        )
    return "\n".join(lines) + "\n"


def test_the_page_says_what_the_estimates_came_to(planex, engines, root, request):
    page = (root / PAGE).read_text("utf-8")
    before, rest = page.split(BEGIN)
    written, after = rest.split(END)
    produced = table(planex, engines, root)
    if request.config.getoption("--update-golden"):
        (root / PAGE).write_text(before + BEGIN + produced + END + after, "utf-8")
        written = produced
    assert written == produced
