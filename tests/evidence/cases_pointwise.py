"""Rules about activations that stand alone."""

from __future__ import annotations

import numpy as np

from models import Case, Graph


def clamped(is_one_clip: bool, channels: int = 32, image: int = 112) -> Graph:
    """Three convolutions, each limited to 0…6."""
    graph = Graph(1, channels, image, image)
    tensor = "x"
    for _ in range(3):
        graph.conv(tensor, channels, channels, 1)
        if is_one_clip:
            tensor = graph.add("Clip", graph.tip, np.float32(0), np.float32(6))
        else:
            tensor = graph.add("Min", graph.add("Relu", graph.tip), np.float32(6))
    graph.conv(tensor, channels, 8, 1)
    return graph


CASES = [
    Case(
        rule="clamp-as-a-layer",
        engines=("openvino", "onnxruntime"),
        model="three 1 × 1 convolutions of 32 channels, 112 × 112, each with a Min behind its Relu",
        change="one Clip in place of Relu and Min",
        before=lambda: clamped(False).model(),
        after=lambda: clamped(True).model(),
    ),
]
