"""Builds and measures candidates with `planex process`, in turns."""

import json
import pathlib
import shutil
import statistics
import subprocess
from collections.abc import Callable


class Refused(Exception):
    """Why an engine does not take a model."""


# Inferences alone: layers are not timed.
BRIEF = {
    "openvino": ["--profile-ms", "1", "--rounds", "1"],
    "onnxruntime": ["--no-profile", "--no-optimized-model"],
}


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "it said nothing"


def first_error(text: str) -> str:
    """planex begins with what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    wrong = [line for line in lines if "error" in line.lower()]
    return (wrong or lines or ["it said nothing"])[0][:300]


def run(words: list, timeout: float | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=timeout,
        check=False,
    )


def ended(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


class Measuring:
    """How a candidate becomes a time."""

    def __init__(self, planex: str, engine: str, python: str, duration_ms: int) -> None:
        self.engine = engine
        self.head = [planex, "process", "--engine", engine]
        if engine == "onnxruntime":
            self.head += ["--python", python]
        self.words = ["--duration-ms", duration_ms, *BRIEF.get(engine, [])]

    def time(self, model: pathlib.Path, words: list[str], folder: pathlib.Path) -> dict:
        """Of an inference of a fresh build. Errors: Refused."""
        shutil.rmtree(folder, ignore_errors=True)
        done = run([*self.head, model, "-o", folder, "--", *self.words, *words])
        if done.returncode != 0:
            raise Refused(f"planex process: {ended(done.returncode)}: {first_error(done.stderr)}")
        (file,) = folder.glob("*.times.json")
        times = json.loads(file.read_text("utf-8"))
        shutil.rmtree(folder)
        columns = times["columns"]
        values = columns.get("latency_ms")
        if values is None:
            spans = zip(columns["start_ms"], columns["end_ms"], strict=True)
            values = [end - start for start, end in spans]
        cpu_ms = times["cpu_ms"] / times["count"] if times.get("cpu_ms") else None
        return {"median_ms": statistics.median(values), "cpu_ms": cpu_ms}


def order_of(names: list[str], turn: int) -> list[str]:
    """Every second turn runs backwards, and the next pair of turns begins with another one: what a
    candidate leaves behind, such as a hot processor, meets others each time."""
    place = turn // 2 % len(names)
    order = names[place:] + names[:place]
    return order[::-1] if turn % 2 else order


def take_turns(
    names: list[str],
    turns: list[dict],
    count: int,
    measure: Callable[[str], dict],
    keep: Callable[[list[dict]], None],
    refuse: Callable[[str, str], None],
) -> None:
    """Adds turns until there are `count`. Whenever one is whole, `keep` gets them all to store.

    `refuse`: what an engine refuses takes part in no more turns.
    """
    left = list(names)
    while len(turns) < count:
        order = order_of(left, len(turns))
        turn: dict = {"order": order, "median_ms": {}, "cpu_ms": {}}
        for name in order:
            try:
                for clock, value in measure(name).items():
                    turn[clock][name] = value
            except Refused as why:
                left.remove(name)
                refuse(name, str(why))
        if not left:
            return
        turns.append(turn)
        keep(turns)
