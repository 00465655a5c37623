"""The part log: reading logs of 1 to 200 MB."""

import os
import pathlib
import statistics
import subprocess
import sys

from measuring import Measurement, Skip, take_turns
from workspace import ROOT, SHARED_DATA, Workspace

LOG_MEGABYTES = (1, 10, 100, 200)
# The real logs that the long ones are made of.
REAL_LOGS = {
    "build": "mnist-trt10.14.1-logs/result-02.log",
    "records": "rtx1.7-chain1000/chain1000.build.log",
}

LIMIT_LOG_MB_PER_S = 500.0


def log_file(workspace: Workspace, kind: str, megabytes: int) -> pathlib.Path:
    """A long log made of a real one; made once."""
    real = SHARED_DATA / "engines" / REAL_LOGS[kind]
    if not real.is_file():
        raise Skip(f"no real logs in {SHARED_DATA}; set PLANEX_TEST_DATA")
    folder = workspace.data / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}-{megabytes}.log"
    if not path.exists():
        part = folder / f"part-{kind}"
        command = [sys.executable, str(ROOT / "bench/make_log.py"), kind, "--from", str(real)]
        command += ["--bytes", str(megabytes * 1_000_000), "--output", str(part)]
        subprocess.run(command, check=True)
        os.replace(part, path)
    return path


def log(workspace: Workspace) -> None:
    kinds = {
        "build": "verbose build log of trtexec 10.14",
        "records": "nothing but layer records, of TensorRT-RTX 1.7",
    }
    workspace.report.heading("Logs: `planex summary`, fastest runs")
    rows, rates = [], {}
    for kind, what in kinds.items():
        for megabytes in LOG_MEGABYTES:
            path = log_file(workspace, kind, megabytes)
            command = [*workspace.summary_command(), str(path)]
            measurement = Measurement(f"log {kind}, {megabytes} MB", command)
            measurement.input_bytes = path.stat().st_size
            take_turns([measurement], workspace.runs)
            workspace.report.measurements.append(measurement.as_json())
            fastest, size = min(measurement.wall_ms), measurement.input_bytes
            peak = measurement.peak_bytes
            rate = size / 1e3 / fastest
            rows.append(
                [
                    what,
                    f"{size / 1e6:.1f}",
                    f"{fastest:.1f}",
                    f"{statistics.median(measurement.wall_ms):.1f}",
                    f"{rate:.0f}",
                    f"{peak / 1e6:.0f}" if measurement.peak_is_its_own() else "–",
                ]
            )
        rates[kind] = rate
    workspace.report.table(["log", "MB", "ms", "median ms", "MB/s", "peak MB"], rows)
    print()
    workspace.report.ratio(
        "log-build",
        f"{kinds['build']}, {LOG_MEGABYTES[-1]} MB",
        rates["build"],
        LIMIT_LOG_MB_PER_S,
        " MB/s",
        at_least=True,
    )
