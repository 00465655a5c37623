"""Rules about conversions between floats and 8 bits, on models of the placement rules."""

from __future__ import annotations

from cases_pairs import BOTH, MIDDLE, ORT, read_thrice

from models import QUANTIZED_DB, Advised, Case, Graph


def rounded(has_pair: bool) -> Graph:
    """Two operations in float, with a pair between them or not."""
    graph = Graph(512, 1024)
    graph.add("Tanh", "x")
    if has_pair:
        graph.pair(graph.tip, 0.01, MIDDLE)
    graph.add("Softmax", graph.tip, axis=-1)
    return graph


CASES = [
    Case(
        rule="tensor-converted-twice",
        engines=BOTH,
        model="three quantized 1 × 1 convolutions that read one tensor by a pair each, 64 channels "
        "of 112 × 112",
        change="planex advise --apply",
        before=lambda: read_thrice(3).model(),
        after=Advised(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="conversions-in-a-row",
        engines=ORT,
        model="Tanh and Softmax of 512 × 1024 with a pair between them",
        change="no pair",
        before=lambda: rounded(True).model(),
        after=lambda: rounded(False).model(),
        same_db=QUANTIZED_DB,
    ),
]
