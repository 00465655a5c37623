"""Where the measured programs and their inputs are; makes the engines that aren't there yet."""

import os
import pathlib
import subprocess
import sys

from measuring import Report

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED_DATA = pathlib.Path(os.environ.get("PLANEX_TEST_DATA", ROOT / "../shared/data"))

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


class Workspace:
    """What every part of the benchmark is given."""

    def __init__(self, build: pathlib.Path, runs: int) -> None:
        self.programs = build / "bench"
        self.build = build
        self.data = build / "data"
        self.runs = runs
        self.report = Report()

    def summary_command(self) -> list[str]:
        """What loads an engine: the tool itself, or before it is built the loading alone."""
        planex = self.build / "planex"
        if planex.exists():
            return [str(planex), "summary", "--format", "json"]
        return [str(self.programs / "load_engine")]

    def make_data(self) -> None:
        """The engines that model_bench wants too."""
        self.data.mkdir(parents=True, exist_ok=True)
        for layers in SIZES:
            self.engine(layers)

    def engine(self, layers: int, shape: str = "resnet") -> pathlib.Path:
        """The folder of a generated engine; made once."""
        folder = self.data / (f"layers-{layers}" if shape == "resnet" else f"{shape}-{layers}")
        if not folder.is_dir():
            # Under another name until it is whole: an interrupted run leaves no half engine.
            part = self.data / f"part-{folder.name}"
            command = [sys.executable, str(ROOT / "bench/make_engine.py"), "--layers", str(layers)]
            command += ["--shape", shape, "--output", str(part / "engine")]
            subprocess.run(command, check=True)
            os.replace(part, folder)
        return folder
