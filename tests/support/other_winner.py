#!/usr/bin/env python3
"""Writes a build log in which the runner-up of a layer wins: other_winner.py LOG EXPLAINED LAYER

EXPLAINED is what `planex explain tactics LOG --format json` says. The log goes to the standard
output: its times, the line that says who won, and the layer of the engine are changed."""

from __future__ import annotations

import json
import pathlib
import re
import sys


def with_other_winner(text: str, layer: dict) -> str:
    lines = text.splitlines(keepends=True)
    formats = f"{layer['input_formats']} -> {layer['output_formats']}"
    of_layer = [
        at
        for at, line in enumerate(lines)
        if f"Timing Runner: {layer['name']} ({layer['runner']})" in line
        and formats in next(before for before in lines[at::-1] if "Autotuning" in before)
    ]
    assert len(of_layer) == 1
    won, lost = f"Tactic: {layer['tactic']} ", f"Tactic: {layer['runner_up']} "
    for at in of_layer:
        for i in range(at + 1, len(lines)):
            if "Autotuning" in lines[i]:
                break
            if "] " + won + "Time" in lines[i]:
                lines[i] = re.sub(r"Time: \S+", "Time: 0.0012", lines[i])
            elif "] " + lost + "Time" in lines[i]:
                lines[i] = re.sub(r"Time: \S+", "Time: 0.001", lines[i])
            elif "Chose Runner Type" in lines[i]:
                lines[i] = lines[i].replace(won.strip(), lost.strip())
    for i, line in enumerate(lines):
        if line.startswith("Layer(") and f"): {layer['name']}, Tactic: " in line:
            lines[i] = line.replace(won.strip() + ",", lost.strip() + ",")
    return "".join(lines)


def main() -> None:
    log, explained, name = sys.argv[1:]
    document = json.loads(pathlib.Path(explained).read_text("utf-8"))
    [layer] = [row for row in document["layers"] if row["name"] == name]
    text = pathlib.Path(log).read_bytes().decode("utf-8", "surrogateescape")
    sys.stdout.buffer.write(with_other_winner(text, layer).encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main()
