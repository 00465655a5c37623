#!/usr/bin/env python3
"""Whether the forecasts of `planex advise` come true: nets, engines, forecast, what was gained.

    tools/forecasts.py measure [NET...]   build each net, follow the advice, measure both in turns
    tools/forecasts.py table [--print]    forecast again from these runs; writes the table of
                                          docs/design/0073-forecasts-that-come-true.md

`measure` is for a change of the advice or of an engine, `table` for a change of the forecasts: it
takes seconds, as the runs are kept in build/test/forecasts/. Gains are in percent of an inference,
by the processor's time, so that other work counts little; the median of the turns, and
twice its standard error. PLANEX_BIN is the program (build/release/planex otherwise), and needs
planex-openvino beside it; PLANEX_DRIVERS_PYTHON the interpreter that has ONNX Runtime
(tools/drivers_env.sh makes it).
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build/test/forecasts"
PAGE = ROOT / "docs/design/0073-forecasts-that-come-true.md"
MARKS = ("<!-- forecasts -->\n", "<!-- /forecasts -->\n")
ENGINES = ("openvino", "onnxruntime")
TURNS = 9
sys.path[:0] = [str(ROOT / "tests/evidence"), str(ROOT / "tools")]


# --- Nets whose Q/DQ stand badly for one engine at least


def resnet18(variant: str):
    import onnx

    folder = WORK / "resnet18"
    words = ["--variant", variant, "--batch", "1", "-o", folder]
    call([sys.executable, ROOT / "examples/resnet18/make_resnet18.py", *words])
    return onnx.load(folder / f"resnet18-{variant}.onnx")


def perceptron():
    """Quantized products of 64 rows, with a bias in float and a Relu behind each."""
    from models import Graph

    graph = Graph(64, 512)
    tensor = "x"
    for inputs, outputs in ((512, 1024), (1024, 1024), (1024, 256)):
        start = graph.pair(tensor, 0.03)
        weight = graph.small_weight(outputs, inputs)
        graph.add("Gemm", start, weight, graph.normal(outputs, scale=0.1), transB=1)
        tensor = graph.add("Relu", graph.tip)
    return graph.model()


def nets() -> dict:
    """Name → what it is, what makes it."""
    import cases_placement as placement
    import cases_quantized as quantized
    import findings_models as found
    import numpy as np

    int8, uint8 = np.int8(0), np.uint8(128)
    resnet = functools.partial(found.quantized_resnet, image=80)
    return {
        "resnet18-naive": lambda: resnet18("qdq-naive"),
        "resnet18-residual": lambda: resnet18("qdq-residual"),
        "each-reader": lambda: resnet(int8, is_placed=False),
        "each-reader-uint8": lambda: resnet(uint8, is_placed=False),
        "placed-int8": lambda: resnet(int8, is_placed=True),
        "placed-uint8": lambda: resnet(uint8, is_placed=True),
        "detector": lambda: found.detector(small=True, image=320),
        "mobile": lambda: found.mobile(quantized=True, image=224),
        "transformer": lambda: found.transformer("static", tokens=128, width=256),
        "perceptron": perceptron,
        "residual": lambda: quantized.residual(False, False).model(),
        "pooled": lambda: quantized.pooled("MaxPool", False).model(),
        "activated": lambda: quantized.activated(int8).model(),
        "branches": lambda: placement.branches(3).model(),
        "gated": lambda: placement.gated(True).model(),
    }


# --- Measuring


class ForecastError(Exception):
    """A command that failed."""


def call(words: list) -> str:
    texts = [str(word) for word in words]
    done = subprocess.run(texts, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise ForecastError(
            f"exit code {done.returncode} of {' '.join(texts)}\n{done.stderr[-2000:]}"
        )
    return done.stdout


def planex() -> str:
    return str(ROOT / os.environ.get("PLANEX_BIN", "build/release/planex"))


def process(model: pathlib.Path, engine: str, folder: pathlib.Path, *, profile_ms: int) -> float:
    """Builds and measures once: the processor's time of an inference, in ms."""
    python = ROOT / os.environ.get("PLANEX_DRIVERS_PYTHON", "build/test/drivers/bin/python")
    words = [planex(), "process", model, "-o", folder, "--engine", engine]
    words += [] if engine == "openvino" else ["--python", python]
    call([*words, "--", "--duration-ms", 150, "--profile-ms", profile_ms])
    (file,) = folder.glob("*.times.json")
    times = json.loads(file.read_text("utf-8"))
    return times["cpu_ms"] / times["count"]


def write_samples(model: pathlib.Path) -> pathlib.Path:
    import numpy as np

    import feeding

    shapes, _ = feeding.names_of(model)
    random = np.random.default_rng(5)
    draws = {name: random.normal(0, 1, (4 * dims[0], *dims[1:])) for name, dims in shapes.items()}
    file = model.with_name("samples.npz")
    np.savez(file, **{name: draw.astype("float32") for name, draw in draws.items()})
    return file


def advise(folder: pathlib.Path, engine: str, *words) -> dict:
    model = folder / "before.onnx"
    run = ["--engine", folder / "before"]
    told = call([planex(), "advise", model, "--target", engine, *run, *words, "--format", "json"])
    return json.loads(told)


def measure(name: str, make, engine: str) -> None:
    import onnx

    import running

    folder = WORK / f"{name}-{engine}"
    folder.mkdir(parents=True, exist_ok=True)
    before, after = folder / "before.onnx", folder / "after.onnx"
    onnx.save(make(), before)
    for file in [after, *folder.glob("after.onnx.advise.json")]:
        file.unlink(missing_ok=True)
    process(before, engine, folder / "before", profile_ms=600)
    samples = write_samples(before)
    told = advise(folder, engine, "--apply", "-o", after, "--data", samples)
    measured: dict = {"pieces": len(told["advice"]), "applied": told["applied_count"]}
    if told["applied_count"] > 0:
        process(after, engine, folder / "after", profile_ms=600)
        sides: dict[str, list[float]] = {"before": [], "after": []}
        for turn in range(TURNS):
            # A B, B A, …: what grows over time falls on both alike.
            for side in ("before", "after") if turn % 2 == 0 else ("after", "before"):
                model = folder / f"{side}.onnx"
                sides[side].append(process(model, engine, folder / f"turn-{side}", profile_ms=1))
        measured["before_ms"] = statistics.median(sides["before"])
        measured["after_ms"] = statistics.median(sides["after"])
        # Of each turn on its own, so that a slower moment of the machine is not taken for a gain.
        ones = [1.0] * TURNS
        ratios = [b / a for a, b in zip(sides["before"], sides["after"], strict=True)]
        measured["gain_ratio"], measured["noise_ratio"] = running.gain(ones, ratios)
    (folder / "measured.json").write_text(json.dumps(measured, indent=1) + "\n", "utf-8")
    print(f"{folder.name}: {measured}", flush=True)


# --- The table


@dataclasses.dataclass
class Row:
    net: str
    engine: str
    told: dict
    measured: dict

    @property
    def inference_ms(self) -> float:
        """What gains are parts of: both without what other programs did to the times."""
        return self.told["as_measured"]["layers_ms"]

    def ratio(self, ms: float | None) -> float | None:
        return None if ms is None else ms / self.inference_ms

    def ranges(self) -> int:
        return sum(one["gain_low_ms"] is not None for one in self.told["advice"])

    def verdict(self) -> str:
        """What came, against the range: within its ends, as far as the measurement tells."""
        low, high = (self.ratio(self.told[f"gain_{end}_ms"]) for end in ("low", "high"))
        if "gain_ratio" not in self.measured:
            return "nothing to do"
        gain, noise = self.measured["gain_ratio"], self.measured["noise_ratio"]
        if high is None:
            return "no forecast"
        if gain - noise > high:
            return "more came"
        if low is None:
            return "at most"
        return "promised too much" if gain + noise < low else "held"


def rows() -> list[Row]:
    found = []
    for name in nets():
        for engine in ENGINES:
            folder = WORK / f"{name}-{engine}"
            if (folder / "measured.json").is_file():
                told = advise(folder, engine)
                measured = json.loads((folder / "measured.json").read_text("utf-8"))
                found.append(Row(name, engine, told, measured))
    return found


def percent(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.0f}"


def table(found: list[Row]) -> str:
    text = "| net | engine | pieces with a range | an inference | forecast | gained | |\n"
    text += "|---|---|---|---|---|---|---|\n"
    for row in found:
        ends = [row.ratio(row.told[f"gain_{end}_ms"]) for end in ("low", "high")]
        forecast = "–" if ends[1] is None else f"{percent(ends[0])} … {percent(ends[1])} %"
        if ends[0] is None and ends[1] is not None:
            forecast = f"≤ {percent(ends[1])} %"
        gained = "–"
        if "gain_ratio" in row.measured:
            gain, noise = row.measured["gain_ratio"], row.measured["noise_ratio"]
            gained = f"{percent(gain)} ± {percent(noise)} %"
        count = len(row.told["advice"])
        text += f"| {row.net} | {row.engine} | {row.ranges()} of {count} | "
        text += f"{row.inference_ms:.3g} ms | {forecast} | {gained} | {row.verdict()} |\n"
    return text


def summary(found: list[Row]) -> str:
    verdicts = [row.verdict() for row in found]
    judged = [one for one in verdicts if one not in ("nothing to do", "no forecast")]
    held, ranges = verdicts.count("held"), sum(row.ranges() for row in found)
    count = sum(len(row.told["advice"]) for row in found)
    return (
        f"Of {len(judged)} forecasts {held} held, {judged.count('at most')} said only the most, "
        f"{judged.count('more came')} came out better and "
        f"{judged.count('promised too much')} worse; {verdicts.count('no forecast')} gave none. "
        f"{ranges} of {count} pieces have a range.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    measuring = verbs.add_parser("measure")
    measuring.add_argument("nets", nargs="*")
    measuring.add_argument("--engine", choices=ENGINES, action="append")
    writing = verbs.add_parser("table")
    writing.add_argument("--print", action="store_true", help="do not write the page")
    args = parser.parse_args()
    if args.verb == "measure":
        failed: list[str] = []
        for name, make in nets().items():
            if not args.nets or name in args.nets:
                for engine in args.engine or ENGINES:
                    try:
                        measure(name, make, engine)
                    except ForecastError as error:
                        failed.append(f"{name}, {engine}: {error}")
                        print(failed[-1], flush=True)
        sys.exit(bool(failed))
    found = rows()
    text = f"{table(found)}\n{summary(found)}"
    print(text, end="")
    if not args.print:
        page = PAGE.read_text("utf-8")
        start, end = page.index(MARKS[0]) + len(MARKS[0]), page.index(MARKS[1])
        PAGE.write_text(page[:start] + text + page[end:], "utf-8")


if __name__ == "__main__":
    main()
