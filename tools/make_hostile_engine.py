#!/usr/bin/env python3
"""Writes a TensorRT engine whose names try to break out of wherever they are shown.

    make_hostile_engine.py DIR

Makes DIR/hostile.graph.json and DIR/hostile.profile.json: an ordinary chain of layers as far as
the format goes, with names from HOSTILE. A page that runs one of them sets window.hostile.
"""

from __future__ import annotations

import json
import pathlib
import sys

HOSTILE = [
    # HTML and scripts, closing what they may stand in
    "</script><script>window.hostile=1</script>",
    "</textarea></style></title><img src=x onerror=window.hostile=2>",
    "\"><svg onload=window.hostile=3>'><svg onload=window.hostile=3>",
    "<!--<script>window.hostile=4//-->",
    "]]><script>window.hostile=5</script>",
    "javascript:window.hostile=6",
    "${window.hostile=7} {{window.hostile=7}} `+(window.hostile=7)+`",
    "&lt;b&gt;already escaped&lt;/b&gt; &amp; &#60;",
    # JavaScript: separators that end a line in a string, names every object has
    "line\u2028separator\u2029here",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    # Spreadsheets, SQL, DOT, paths, terminals
    '=HYPERLINK("x","click")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "'); DROP TABLE layers; --",
    '"]; evil [label="x\\n\\l\\N',
    "../../../../etc/passwd",
    "\u001b[31mred\u001b[0m\u001b]0;title\u0007",
    "carriage\rreturn\nline\ttab\u0000null\u007f",
    # Unicode
    "\u202eright to left\u202c",
    "zero\u200bwidth\ufeff\u00ad",
    "e\u0301" * 200,
    "\U0001f4a5\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\uffff\U0010ffff",
    # Nothing, little, and far too much
    "",
    " ",
    "name-without-a-break-" * 1000,
    "a + b || PWN(c, d) " * 100,
]


def tensor(name: str) -> dict:
    return {
        "Name": name,
        "Location": "Device",
        "Dimensions": [1, 8, 16, 16],
        "Format/Datatype": "Row major linear FP16 format",
    }


def make_engine() -> tuple[dict, list]:
    """The graph and the profile."""
    layers, profile = [], []
    before = "input"
    for index, name in enumerate(HOSTILE):
        after = f"{index}{name}"
        layers.append(
            {
                "Name": name,
                # The type, the tactic and the format are free text too.
                "LayerType": "Convolution" if index % 2 else name,
                "Inputs": [tensor(before)],
                "Outputs": [tensor(after)],
                "ParameterType": "Convolution",
                "TacticName": name,
                "TacticValue": "0x0000000000000001",
                "StreamId": 0,
                "Metadata": f"[ONNX Layer: {name}]",
            }
        )
        times = {"timeMs": 1.0, "averageMs": 0.01, "medianMs": 0.01, "percentage": 1.0}
        profile.append({"name": name, **times})
        before = after
    layers[0]["Inputs"][0]["Format/Datatype"] = HOSTILE[0]
    return {"Layers": layers, "Bindings": ["input", before]}, [{"count": 100}, *profile]


def main(argv: list[str]) -> int:
    if len(argv) != 2 or argv[1].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = pathlib.Path(argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    graph, profile = make_engine()
    (folder / "hostile.graph.json").write_text(json.dumps(graph, indent=1), "utf-8")
    (folder / "hostile.profile.json").write_text(json.dumps(profile, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
