"""What replay_trtexec.py needs to play TensorRT 11.1's build routes: knobs of which few matter, a
noise from build to build, and a clock that falls.

REPLAY_TUNING  a folder: it counts builds there (builds.txt), and reads settings.json, which may
               have seed, noise (0.01), drift (0.0005 a build), knobs (12), and factors, times by
               "knob=value"
"""

from __future__ import annotations

import json
import math
import os
import pathlib
import random

# Knob -> its values, the default first. Names are such as TensorRT has; what they do here is up to
# FACTORS alone.
KNOBS = {
    "-conv_lowering": ["on", "off"],
    "-kgen:tiling": ["2", "0", "1"],
    "-copy_ppg": ["on", "off"],
    "-cask_fusion:num_tactics": ["10", "20"],
    "-peep:max": ["1", "2"],
    "-kgen:codegen:cuda_tile": ["0", "1", "2", "3"],
    "-match_ragged_mha": ["off", "on"],
    "-fuse_reshape": ["on", "off"],
    "-hoist_casts": ["on", "off"],
    "-split_reduce": ["off", "on"],
    "-merge_slices": ["on", "off"],
    "-late_layout": ["off", "on"],
}  # fmt: skip
# Two matter: one gains 8 %, one gains 4 %.
FACTORS = {"-conv_lowering=off": 0.92, "-kgen:codegen:cuda_tile=2": 0.96}
# More of them change nothing.
MORE = {f"-spare:{number}": ["off", "on"] for number in range(400)}
# Enough for an interval, and quick to write.
SAMPLES = 400


class Tuning:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        file = folder / "settings.json"
        settings = json.loads(file.read_text("utf-8")) if file.exists() else {}
        self.seed = settings.get("seed", 1)
        self.noise = settings.get("noise", 0.01)
        self.drift = settings.get("drift", 0.0005)
        self.factors = settings.get("factors", FACTORS)
        count = settings.get("knobs", len(KNOBS))
        self.knobs = dict(list({**KNOBS, **MORE}.items())[:count])

    def help_text(self) -> str:
        options = [
            {"option": name, "allowed_values": sorted(values), "default_value": values[0],
             "help": f"A knob of the compiler: {name[1:]}."}
            for name, values in self.knobs.items()
        ]  # fmt: skip
        return json.dumps({"tuner_version": "2.19.45", "tuner_options": options}, indent=1)

    def unknown(self, route: str) -> str | None:
        """The first word of a route that names no knob, or no value of it."""
        for word in route.split():
            knob, _, value = word.partition("=")
            if value not in self.knobs.get(knob, []):
                return word
        return None

    def truth(self, route: str) -> float:
        """The true time over that of the default route."""
        return math.prod(self.factors.get(word, 1) for word in set(route.split()))

    def level(self, route: str) -> float:
        """That of a new build: with its noise, on a clock that falls."""
        counter = self.folder / "builds.txt"
        count = int(counter.read_text()) if counter.exists() else 0
        counter.write_text(str(count + 1))
        draw = random.Random(self.seed * 1_000_003 + count)  # noqa: S311
        return self.truth(route) * (1 + self.drift * count) * math.exp(draw.gauss(0, self.noise))


def tuning() -> Tuning | None:
    folder = os.environ.get("REPLAY_TUNING")
    return Tuning(pathlib.Path(folder)) if folder else None


def scaled_times(source: pathlib.Path, level: float, folder: pathlib.Path) -> str:
    # Recorded times are megabytes, of which a search would read hundreds.
    few = folder / "few_times.json"
    if not few.exists():
        few.write_text(json.dumps(json.loads(source.read_text("utf-8"))[:SAMPLES]))
    rows = json.loads(few.read_text("utf-8"))
    return json.dumps([{key: value * level for key, value in row.items()} for row in rows])


def scaled_profile(source: pathlib.Path, level: float) -> str:
    rows = json.loads(source.read_text("utf-8"))
    for row in rows:
        for key in ("timeMs", "averageMs", "medianMs"):
            if key in row:
                row[key] *= level
    return json.dumps(rows)
