"""OpenVINO's own benchmark_app, with the settings that planex-openvino makes."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

from measuring import Skip
from workspace import ROOT, Workspace


@dataclasses.dataclass(frozen=True)
class Settings:
    """Of one inference after another on the CPU."""

    shape: tuple[int, ...] = (1, 3, 224, 224)
    threads: int = 1
    precision: str = "f32"
    isa: str = ""  # the highest instruction set; empty: that of the processor


def find_programs(workspace: Workspace, *names: str) -> tuple[str, ...]:
    """The paths of programs of planex's, and behind them that of benchmark_app."""
    for name in names:
        if not (workspace.build / name).exists():
            raise Skip(f"{name} is not built (PLANEX_BUILD_OPENVINO)")
    app = shutil.which("benchmark_app", path=str(ROOT / ".venv/bin")) or shutil.which(
        "benchmark_app"
    )
    if app is None:
        raise Skip("OpenVINO's benchmark_app is not installed (make setup)")
    return (*(str(workspace.build / name) for name in names), app)


def resnet18(workspace: Workspace) -> pathlib.Path:
    model = workspace.data / "resnet18-fp32.onnx"
    if not model.exists():
        python = ROOT / ".venv/bin/python"
        maker = ROOT / "examples/resnet18/make_resnet18.py"
        command = [str(python), str(maker), "--variant", "fp32", "-o", str(workspace.data)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return model


def app_latency(
    app: str, model: pathlib.Path, scratch: pathlib.Path, seconds: int, settings: Settings
) -> float:
    """The median in ms. What is set, and why: src/drive/openvino_driver/run.cc."""
    shape = ",".join(map(str, settings.shape))
    command = [app, "-m", str(model), "-d", "CPU", "-hint", "none", "-nstreams", "1"]
    command += ["-nthreads", str(settings.threads), "-infer_precision", settings.precision]
    command += ["-pin", "NO", "-api", "sync", "-nireq", "1", "-shape", f"[{shape}]"]
    # Without it benchmark_app takes an input of three channels for a picture, and compiles another
    # model: one that reads bytes and converts them.
    command += ["-ip", "f32", "-t", str(seconds), "-json_stats"]
    command += ["-report_type", "no_counters", "-report_folder", str(scratch)]
    environment = {**os.environ}
    if settings.isa:
        environment["ONEDNN_MAX_CPU_ISA"] = settings.isa
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    text = (scratch / "benchmark_report.json").read_text(encoding="utf-8")
    return float(json.loads(text)["execution_results"]["latency (ms)"])
