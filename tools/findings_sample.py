#!/usr/bin/env python3
"""Builds engines of many kinds and draws findings at random, to be read beside the raw files.

    tools/findings_sample.py build FOLDER [NAME...]
    tools/findings_sample.py draw [--seed N] [--count N] -o LIST.md FOLDER...

`build` makes the models of tools/findings_models.py and an engine of each with OpenVINO, ONNX
Runtime and TensorRT-RTX's compiler (planex process; the interpreter of tools/drivers_env.sh).
`draw` lints every engine in the folders and takes COUNT findings: at least 30 % each of ONNX
Runtime, TensorRT-RTX and OpenVINO, the rest of TensorRT; at most three of one rule for an engine,
and ten in a hundred of one rule (those about the measurement count as one). It writes a list to
judge. Findings that are folded into others are not drawn, as the program does not show them.
docs/design/0065-a-hundred-findings.md says how they were judged.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
ENGINES = ("openvino", "onnxruntime", "tensorrt-rtx")
AT_LEAST = 0.3  # of the findings drawn are of each of ENGINES
OF_ONE_RULE = 3  # of an engine
ALL_OF_ONE_RULE = 0.1  # of all that are drawn
# Count as one rule: they are about the measurement, and on a shared machine most engines have them.
OF_MEASUREMENT = {
    "machine-disturbed-timing",
    "layer-times-scatter",
    "inference-times-unsteady",
    "profiled-few-times",
}
KINDS = {
    "OpenVINO": "openvino",
    "ONNX Runtime": "onnxruntime",
    "TensorRT-RTX": "tensorrt-rtx",
    "TensorRT": "tensorrt",
}


def planex() -> str:
    return os.environ.get("PLANEX_BIN", str(ROOT / "build/release/planex"))


def call(words: list) -> subprocess.CompletedProcess:
    texts = [str(word) for word in words]
    return subprocess.run(texts, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def build(args: argparse.Namespace) -> None:
    import onnx
    from findings_models import MODELS

    interpreter = ROOT / "build/test/drivers/bin/python"
    python = os.environ.get("PLANEX_DRIVERS_PYTHON", str(interpreter))
    for name in args.names or MODELS:
        make, words = MODELS[name]
        model = args.folder / "models" / f"{name}.onnx"
        model.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(make(), model)
        for engine in ENGINES:
            if words and engine != "openvino":
                continue
            place = args.folder / f"{engine}-{name}"
            command = [planex(), "process", model, "-o", place, "--engine", engine, *words]
            if engine != "openvino":
                command += ["--python", python]
            if engine != "tensorrt-rtx":
                command += ["--", "--duration-ms", 400, "--profile-ms", 400]
            done = call(command)
            print(
                f"{place.name}: {'built' if done.returncode == 0 else done.stderr[-400:]}",
                flush=True,
            )


def engines_in(folders: list[pathlib.Path]) -> list[tuple[pathlib.Path, str]]:
    """Path and kind of engine; of two folders of one name the later one counts."""
    by_name = {path.name: path for folder in folders for path in sorted(folder.iterdir())}
    places = [by_name[name] for name in sorted(by_name) if name not in ("models", "README.md")]
    document = json.loads(call([planex(), "list", *places, "--format", "json"]).stdout)
    names = [column["name"] for column in document["columns"]]
    rows = [dict(zip(names, row, strict=True)) for row in document["rows"]]
    found = []
    for row in rows:
        kind = next(
            (kind for word, kind in KINDS.items() if (row["engine"] or "").startswith(word)), None
        )
        if kind is not None:
            found.append((pathlib.Path(row["path"]), kind))
    return found


def findings_of(engine: pathlib.Path, kind: str) -> list[dict]:
    done = call([planex(), "lint", engine, "--format", "json"])
    if done.returncode not in (0, 1):
        print(f"{engine.name}: not read: {done.stderr.strip()[:200]}", file=sys.stderr)
        return []
    # One that is folded into another is not shown.
    found = [entry for entry in json.loads(done.stdout)["findings"] if entry["folded_into"] is None]
    return [{**entry, "path": engine, "kind": kind} for entry in found]


def limited(found: list[dict], chooser: random.Random) -> list[dict]:
    """In random order, no more than OF_ONE_RULE of a rule and engine."""
    seen: dict[tuple, int] = {}
    kept = []
    for entry in chooser.sample(found, len(found)):
        key = (entry["path"], entry["rule"])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= OF_ONE_RULE:
            kept.append(entry)
    return kept


class Drawing:
    """Takes findings in the order given, and no more of one rule than ALL_OF_ONE_RULE."""

    def __init__(self, count: int) -> None:
        self.count, self.drawn, self.of_rule = count, [], {}

    def take(self, pool: list[dict], count: int) -> None:
        for entry in pool:
            rule = "measurement" if entry["rule"] in OF_MEASUREMENT else entry["rule"]
            taken = self.of_rule.get(rule, 0)
            if count <= 0 or len(self.drawn) >= self.count:
                return
            if taken < ALL_OF_ONE_RULE * self.count and all(entry is not one for one in self.drawn):
                self.drawn.append(entry)
                self.of_rule[rule] = taken + 1
                count -= 1


def text_of(number: int, entry: dict) -> str:
    lines = [f"## {number}. {entry['path'].name}: {entry['rule']} ({entry['severity']})", ""]
    lines.append(f"- engine: {entry['kind']}, `{entry['path']}`")
    lines.append(f"- layer {entry['layer_id']}: `{entry['layer']}`")
    for key in ("message", "evidence", "fix", "estimated_ms", "estimate_method", "proof"):
        lines.append(f"- {key}: {entry.get(key)}")
    return "\n".join([*lines, "- verdict: ", ""])


def draw(args: argparse.Namespace) -> None:
    chooser = random.Random(args.seed)  # noqa: S311
    engines = engines_in(args.folders)
    found = [entry for engine, kind in engines for entry in findings_of(engine, kind)]
    pool = limited(found, chooser)
    drawing = Drawing(args.count)
    for kind in ENGINES:
        of_kind = [entry for entry in pool if entry["kind"] == kind]
        drawing.take(of_kind, round(args.count * AT_LEAST))
    drawing.take([entry for entry in pool if entry["kind"] == "tensorrt"], args.count)
    drawing.take(pool, args.count)
    drawn = drawing.drawn
    kinds = {kind: sum(entry["kind"] == kind for entry in drawn) for kind in KINDS.values()}
    head = f"{len(drawn)} of {len(found)} findings of {len(engines)} engines, "
    head += f"seed {args.seed}: {kinds}"
    texts = [text_of(number, entry) for number, entry in enumerate(drawn, 1)]
    args.output.write_text("\n".join([head, "", *texts]), encoding="utf-8")
    print(head)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("build")
    verb.add_argument("folder", type=pathlib.Path)
    verb.add_argument("names", nargs="*")
    verb.set_defaults(run=build)
    verb = verbs.add_parser("draw")
    verb.add_argument("folders", nargs="+", type=pathlib.Path)
    verb.add_argument("--seed", type=int, default=1)
    verb.add_argument("--count", type=int, default=100)
    verb.add_argument("-o", "--output", type=pathlib.Path, required=True)
    verb.set_defaults(run=draw)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
