#!/usr/bin/env python3
"""Writes an engine several times over, as one: repeat_engine.py GRAPH PROFILE COPIES PREFIX.

PREFIX.graph.json and PREFIX.profile.json have the layers of the engine COPIES times, one network
beside the other, each with tensors of its own: as many findings, as often."""

from __future__ import annotations

import json
import pathlib
import sys


def main() -> None:
    graph_path, profile_path, copies, prefix = sys.argv[1:]
    graph = json.loads(pathlib.Path(graph_path).read_text("utf-8"))
    profile = json.loads(pathlib.Path(profile_path).read_text("utf-8"))
    layers, rows = [], profile[:1]
    for copy in range(int(copies)):

        def own(name, copy=copy):
            return f"net{copy}.{name}"

        for layer in graph["Layers"]:
            ports = {
                key: [port | {"Name": own(port["Name"])} for port in layer[key]]
                for key in ("Inputs", "Outputs")
            }
            layers.append(layer | {"Name": own(layer["Name"])} | ports)
        rows += [row | {"name": own(row["name"])} for row in profile[1:]]
    bindings = [f"net{c}.{name}" for c in range(int(copies)) for name in graph["Bindings"]]
    made = {"Layers": layers, "Bindings": bindings}
    pathlib.Path(f"{prefix}.graph.json").write_text(json.dumps(made), "utf-8")
    pathlib.Path(f"{prefix}.profile.json").write_text(json.dumps(rows), "utf-8")


if __name__ == "__main__":
    main()
