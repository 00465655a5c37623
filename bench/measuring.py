"""Runs programs, keeps what they took, and prints it in tables."""

import dataclasses
import os
import resource
import statistics
import sys
import tempfile
import time


class Skip(Exception):
    """Why a part can't be measured here."""


@dataclasses.dataclass
class Measurement:
    """One command, run several times."""

    name: str
    command: list[str]
    wall_ms: list[float] = dataclasses.field(default_factory=list)
    cpu_ms: list[float] = dataclasses.field(default_factory=list)
    peak_bytes: int = 0
    input_bytes: int | None = None
    # Exit codes beside 0 that are no failure: `lint` says 1 where it found something.
    fine: tuple[int, ...] = ()
    # The program prints the ms of what counts; kept beside its wall time.
    prints_ms: bool = False
    own_ms: list[float] = dataclasses.field(default_factory=list)

    def run(self) -> None:
        """Runs it once. Wall time is from before the start to after the exit."""
        with tempfile.TemporaryFile() as output:
            streams = [
                (os.POSIX_SPAWN_DUP2, output.fileno(), 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ]
            start = time.perf_counter()
            pid = os.posix_spawn(self.command[0], self.command, os.environ, file_actions=streams)
            _, status, usage = os.wait4(pid, 0)
            self.wall_ms.append((time.perf_counter() - start) * 1e3)
            if os.waitstatus_to_exitcode(status) not in (0, *self.fine):
                sys.exit(f"run_bench: this failed: {' '.join(self.command)}")
            if self.prints_ms:
                output.seek(0)
                self.own_ms.append(float(output.read()))
        self.cpu_ms.append((usage.ru_utime + usage.ru_stime) * 1e3)
        self.peak_bytes = max(self.peak_bytes, usage.ru_maxrss * 1024)

    def peak_is_its_own(self) -> bool:
        """A child begins with this program's own peak, so a smaller one can't be seen."""
        own_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return self.peak_bytes > own_bytes * 1.1

    def forget(self) -> None:
        for values in (self.wall_ms, self.cpu_ms, self.own_ms):
            values.clear()

    def as_json(self) -> dict:
        result = {"name": self.name, "command": self.command, "runs": len(self.wall_ms)}
        for key, values in (
            ("wall_ms", self.wall_ms),
            ("cpu_ms", self.cpu_ms),
            ("own_ms", self.own_ms),
        ):
            if not values:
                continue
            result[key] = {
                "median": statistics.median(values),
                "min": min(values),
                "max": max(values),
            }
        result["peak_bytes"] = self.peak_bytes if self.peak_is_its_own() else None
        result["input_bytes"] = self.input_bytes
        return result


def take_turns(measurements: list[Measurement], runs: int) -> None:
    """Runs all of them `runs` times in turn, after one run each that isn't counted."""
    for measurement in measurements:
        measurement.run()
        measurement.forget()
    for _ in range(runs):
        for measurement in measurements:
            measurement.run()


def ratio_of_medians(subject: Measurement, peer: Measurement) -> float:
    return statistics.median(subject.wall_ms) / statistics.median(peer.wall_ms)


def ratio_of_fastest(subject: Measurement, peer: Measurement) -> float:
    """What is held against a limit: other work on the machine only ever adds time."""
    return min(subject.wall_ms) / min(peer.wall_ms)


class Report:
    """Prints tables as they come and keeps everything for the JSON file."""

    def __init__(self) -> None:
        self.measurements: list[dict] = []
        self.ratios: list[dict] = []
        self.skipped: list[dict] = []

    def heading(self, text: str) -> None:
        print(f"\n{text}\n")

    def table(self, header: list[str], rows: list[list[str]]) -> None:
        widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
        for row in [header, *rows]:
            cells = [
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            print(("  " + "  ".join(cells)).rstrip())

    def processes(self, measurements: list[Measurement]) -> None:
        """A row per process."""
        self.measurements += [measurement.as_json() for measurement in measurements]
        rows = [
            [
                m.name,
                f"{statistics.median(m.wall_ms):.1f}",
                f"{min(m.wall_ms):.1f}",
                f"{max(m.wall_ms):.1f}",
                f"{statistics.median(m.cpu_ms):.1f}",
                f"{m.peak_bytes / 1e6:.0f}" if m.peak_is_its_own() else "–",
                str(len(m.wall_ms)),
            ]
            for m in measurements
        ]
        self.table(["process", "median ms", "min", "max", "CPU ms", "peak MB", "runs"], rows)

    def ratio(
        self,
        ident: str,
        what: str,
        value: float,
        limit: float,
        unit: str = "",
        *,
        at_least: bool = False,
    ) -> None:
        within = value >= limit if at_least else value <= limit
        self.ratios.append(
            {"id": ident, "what": what, "value": value, "limit": limit, "within": within}
        )
        verdict = "within" if within else "OVER"
        word = "at least" if at_least else "limit"
        print(f"  {what}: {value:.2f}{unit} ({word} {limit:g}{unit}: {verdict})")

    def recorded(self, what: str, ms: float) -> None:
        text = f"{ms / 1e3:g} s" if ms >= 1e3 else f"{ms:g} ms"
        print(f"  {what}: {text} (recorded, not measured here)")

    def skip(self, part: str, why: str) -> None:
        self.skipped.append({"part": part, "why": why})
        print(f"\n{part}: left out: {why}")
