"""Rules about recurrent nets."""

from __future__ import annotations

import numpy as np

from models import Case, Graph


def weights(graph: Graph, inputs: int, width: int, gates: int) -> list[np.ndarray]:
    """Of the input, of the state, and the biases of both; gates side by side as ONNX has them."""
    return [
        graph.normal(gates * width, inputs),
        graph.normal(gates * width, width),
        graph.normal(2 * gates * width, scale=0.1),
    ]


def lstm_step(graph: Graph, gates: str, cell: str, width: int) -> tuple[str, str]:
    """Input, output and forget gate, then what is new: state and cell."""
    graph.add("Split", gates, np.array([width] * 4), count=4, axis=-1)
    parts = graph.outs()
    given, shown, kept = (graph.add("Sigmoid", part) for part in parts[:3])
    new = graph.add("Mul", given, graph.add("Tanh", parts[3]))
    cell = graph.add("Add", graph.add("Mul", kept, cell), new)
    return graph.add("Mul", shown, graph.add("Tanh", cell)), cell


def gru_step(graph: Graph, ours: str, theirs: str, state: str, width: int) -> str:
    """Update and reset gate, then what is new; the reset behind the product, as PyTorch has it."""
    both = []
    for gates in (ours, theirs):
        graph.add("Split", gates, np.array([width] * 3), count=3, axis=-1)
        both.append(graph.outs())
    update, reset = (
        graph.add("Sigmoid", graph.add("Add", one, other))
        for one, other in zip(both[0][:2], both[1][:2], strict=True)
    )
    new = graph.add("Tanh", graph.add("Add", both[0][2], graph.add("Mul", reset, both[1][2])))
    moved = graph.add("Mul", update, graph.add("Sub", state, new))
    return graph.add("Add", new, moved)


def recurrent(
    kind: str,
    is_one_operation: bool,
    steps: int = 32,
    width: int = 128,
    inputs: int = 64,
    batch: int = 1,
) -> Graph:
    """One layer over a sequence, and a product behind its last state."""
    graph = Graph(steps, batch, inputs)
    gates = 4 if kind == "LSTM" else 3
    outer, inner, bias = weights(graph, inputs, width, gates)
    head = graph.normal(width, 16)
    if is_one_operation:
        words = [data[np.newaxis] for data in (outer, inner, bias)]
        more = {} if kind == "LSTM" else {"linear_before_reset": 1}
        graph.add(kind, "x", *words, count=2, hidden_size=width, **more)
        state = graph.add("Squeeze", graph.outs()[1], np.array([0]))
    else:
        shared = [graph.constant(data.T.copy()) for data in (outer, inner)]
        biases = [graph.constant(part) for part in np.split(bias, 2)]
        state = cell = graph.constant(np.zeros((batch, width), np.float32))
        for step in range(steps):
            here = graph.add("Gather", "x", np.array(step), axis=0)
            ours, theirs = (
                graph.add("Add", graph.add("MatMul", tensor, weight), part)
                for tensor, weight, part in zip((here, state), shared, biases, strict=True)
            )
            if kind == "LSTM":
                state, cell = lstm_step(graph, graph.add("Add", ours, theirs), cell, width)
            else:
                state = gru_step(graph, ours, theirs, state, width)
    graph.add("MatMul", state, head)
    return graph


CASES = [
    Case(
        rule="recurrence-unrolled",
        engines=("openvino", "onnxruntime"),
        model="an LSTM of 128 over 32 steps of 64 numbers, one cell after another",
        change="one LSTM operation",
        before=lambda: recurrent("LSTM", False).model(),
        after=lambda: recurrent("LSTM", True).model(),
    ),
]
