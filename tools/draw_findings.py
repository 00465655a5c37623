#!/usr/bin/env python3
"""Draws findings at random over engines, to be read beside the records they are about.

    tools/draw_findings.py [--seed N] [--count N] [--warnings] PLANEX FOLDER...

Every folder in FOLDER is an engine. Prints, for each finding drawn, the engine, the finding, and
what the engine's tables have of its layer. Findings that are folded into others are not drawn.
docs/design/0032-findings-judged.md says how they were judged.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random
import subprocess

LAYER = (
    "select type, tactic, origin, precision, output_precision, median_ms, mean_ms, corrected_ms, "
    "share, gemm_m, gemm_n, gemm_k from layers where layer_id = {0}"
)
PORTS = (
    "select p.direction, t.name, p.dims, p.dtype, p.layout from ports p join tensors t "
    "using (tensor_id) where p.layer_id = {0}"
)


def run(*words: str) -> str:
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    return result.stdout if result.returncode in (0, 1) else ""


def findings_of(planex: str, engine: pathlib.Path) -> list[dict]:
    text = run(planex, "lint", str(engine), "--format", "json")
    found = json.loads(text)["findings"] if text else []
    return [{**finding, "engine": engine} for finding in found if finding["folded_into"] is None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("planex")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--warnings", action="store_true", help="no notes")
    args = parser.parse_args()
    # An engine that stands in two folders is one: the last of the folders has it.
    found_in = {path.name: path for folder in args.folders for path in folder.iterdir()}
    engines = sorted(path for path in found_in.values() if path.is_dir())
    found = [finding for engine in engines for finding in findings_of(args.planex, engine)]
    if args.warnings:
        found = [finding for finding in found if finding["severity"] != "info"]
    chooser = random.Random(args.seed)  # noqa: S311
    drawn = chooser.sample(found, min(args.count, len(found)))
    print(f"{len(drawn)} of {len(found)} findings of {len(engines)} engines, seed {args.seed}")
    for number, finding in enumerate(drawn, 1):
        print(f"\n## {number}. {finding['engine'].name}: {finding['severity']}[{finding['rule']}]")
        print(f"layer {finding['layer_id']}: {finding['layer']}")
        for key in ("message", "evidence", "estimated_ms", "estimate_method", "fix"):
            print(f"  {key}: {finding[key]}")
        if finding["layer_id"] is None:
            continue
        for sql in (LAYER, PORTS):
            table = run(
                args.planex, "query", str(finding["engine"]), sql.format(finding["layer_id"]),
                "--format", "csv",
            )  # fmt: skip
            print("  " + table.replace("\n", "\n  ").rstrip())


if __name__ == "__main__":
    main()
