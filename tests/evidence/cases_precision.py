"""Rules about the type that an engine computes in."""

from __future__ import annotations

from models import Case, Graph

# What BF16 rounds, 8 bits of mantissa in each layer.
BFLOAT16_DB = 30.0


def convolutions() -> Graph:
    graph = Graph(1, 64, 56, 56)
    for _ in range(4):
        graph.add("Relu", graph.conv(graph.tip, 64, 64))
    return graph


CASES = [
    Case(
        rule="float32-on-bfloat16-cpu",
        engines=("openvino",),
        model="four 3 × 3 convolutions of 64 channels, 56 × 56",
        change="built with --precision bf16",
        before=lambda: convolutions().model(),
        after=lambda: convolutions().model(),
        after_words=("--precision", "bf16"),
        same_db=BFLOAT16_DB,
    ),
]
