"""Files as Polygraphy saves them: inputs of `--save-inputs`, outputs of `--save-outputs`."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable, Mapping

import numpy as np


def array(value: np.ndarray) -> dict:
    buffer = io.BytesIO()
    np.save(buffer, value)
    text = base64.b64encode(buffer.getvalue()).decode("ascii")
    return {"array": text, "polygraphy_class": "ndarray"}


def inputs_text(iterations: Iterable[Mapping[str, np.ndarray]]) -> str:
    return json.dumps([{name: array(value) for name, value in one.items()} for one in iterations])


def outputs_text(iterations: Iterable[Mapping[str, np.ndarray]], runner: str = "trt-runner") -> str:
    results = [
        {
            "outputs": {
                name: {"values": array(value), "polygraphy_class": "LazyArray"}
                for name, value in outputs.items()
            },
            "runtime": 0.01,
            "runner_name": runner,
            "polygraphy_class": "IterationResult",
        }
        for outputs in iterations
    ]
    return json.dumps({"lst": [[runner, results]], "polygraphy_class": "RunResults"})
