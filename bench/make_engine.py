#!/usr/bin/env python3
"""Writes a TensorRT engine of any size as trtexec would export it: a layer file and a profile.

    make_engine.py --layers N --output PREFIX [--shape SHAPE] [--times N]
                   [--changed FRACTION [--seed SEED]]

writes PREFIX.graph.json and PREFIX.profile.json. With --times also PREFIX.times.json, the times of
so many inferences. With --changed also PREFIX-variant.graph.json and its profile, the same engine
with that share of its layers changed (engine_variant.py), and PREFIX.truth.json, which says what
layers of the two are the same. The layers are those of a residual network, if not told otherwise,
over and over: convolutions with their weights and kernels, fused additions, pooling, reformats.
Keys, types and the bytes per layer (1.35 KB) follow the files of TensorRT 10.
The numbers are invented; the same arguments give the same bytes.
"""

import argparse
import json
import pathlib
from collections.abc import Iterable

from engine_shapes import INPUTS, SHAPES
from engine_variant import changed


def record_text(record: dict) -> str:
    """One layer in trtexec's manner: a key a line, values without blanks."""
    lines = []
    for key, value in record.items():
        if key in ("Inputs", "Outputs") and value:
            text = (
                "[\n  {\n"
                + "\n  },\n  {\n".join(
                    ",\n".join(
                        f"    {json.dumps(name)}: {json.dumps(item, separators=(',', ':'))}"
                        for name, item in port.items()
                    )
                    for port in value
                )
                + "\n  }]"
            )
        elif isinstance(value, list):
            text = json.dumps(value, separators=(",", ":"))
        else:
            text = json.dumps(value)
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"


def layer_ms(index: int) -> float:
    return 0.002 + index * 7919 % 1000 * 1e-5


def write(records: Iterable[dict], count: int, prefix: str, shape: str) -> None:
    pathlib.Path(prefix).parent.mkdir(parents=True, exist_ok=True)
    last = ""
    with (
        open(f"{prefix}.graph.json", "w", encoding="utf-8") as graph,
        open(f"{prefix}.profile.json", "w", encoding="utf-8") as profile,
    ):
        graph.write('{"Layers": [')
        profile.write('[\n  { "count" : 100 }\n')
        for index, record in enumerate(records):
            graph.write(("," if index else "") + record_text(record))
            mean_ms = layer_ms(index)
            profile.write(
                f', {{ "name" : {json.dumps(record["Name"])}, "timeMs" : {mean_ms * 100:.6g}, '
                f'"averageMs" : {mean_ms:.6g}, "medianMs" : {mean_ms * 0.997:.6g}, '
                f'"percentage" : {100 / count:.6g} }}\n'
            )
            last = record["Outputs"][0]["Name"]
        bindings = ", ".join(map(json.dumps, (*INPUTS[shape], last)))
        graph.write(f'],\n"Bindings": [{bindings}]}}\n')
        profile.write("]\n")


def write_times(layers: int, inferences: int, prefix: str) -> None:
    """Inferences one after another that take as long as all layers, give or take a percent."""
    layers_ms = sum(map(layer_ms, range(layers)))
    start_ms, rows = 200.0, []
    for index in range(inferences):
        compute_ms = round(layers_ms * (0.99 + index * 7919 % 1000 * 2e-5), 6)
        end_ms = round(start_ms + compute_ms, 6)
        spans = (("Enq", start_ms - 0.12, start_ms - 0.1), ("H2d", start_ms, start_ms))
        spans += (("Compute", start_ms, end_ms), ("D2h", end_ms, end_ms))
        row = {}
        for name, start, end in spans:
            row |= {f"start{name}Ms": round(start, 6), f"end{name}Ms": round(end, 6)}
        row |= {"h2dMs": 0, "computeMs": compute_ms, "d2hMs": 0, "latencyMs": compute_ms}
        rows.append(json.dumps(row))
        start_ms = end_ms + 0.002
    pathlib.Path(f"{prefix}.times.json").write_text("[\n  " + "\n, ".join(rows) + "\n]\n", "utf-8")


def write_variant(count: int, prefix: str, shape: str, fraction: float, seed: int) -> None:
    records, truth = changed(list(SHAPES[shape](count)), fraction, seed)
    write(records, len(records), f"{prefix}-variant", shape)
    pathlib.Path(f"{prefix}.truth.json").write_text(json.dumps(truth), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--layers", type=int, required=True)
    parser.add_argument("--output", metavar="PREFIX", required=True)
    parser.add_argument("--shape", choices=SHAPES, default="resnet")
    parser.add_argument("--times", type=int, metavar="N")
    parser.add_argument("--changed", type=float, metavar="FRACTION")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    count, prefix, shape = arguments.layers, arguments.output, arguments.shape
    write(SHAPES[shape](count), count, prefix, shape)
    if arguments.times is not None:
        write_times(count, arguments.times, prefix)
    if arguments.changed is not None:
        write_variant(count, prefix, shape, arguments.changed, arguments.seed)


if __name__ == "__main__":
    main()
