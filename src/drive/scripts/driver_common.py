"""Shared by planex's programs that drive an engine through its Python package.

`planex process` gives such a program to the interpreter of the user's environment, which may be on
another machine that has no part of planex. So each program is one text: the files that parts.cmake
lists for it, joined in order, this one first. None may need more than Python 3.8, its standard
library and the engine's package, nor import another of these files when it runs.

A program is called like planex-openvino (docs/reference/drivers.md):

    python3 PROGRAM --model FILE --out PREFIX [--name NAME] [FLAGS]

stdout gets one JSON object per line, {"phase": "compile", "done": 0.5}, and nothing else. Either
all of the files PREFIX.* are written or none. Exit: 0 done, 2 usage, 4 anything else; then the last
line on stderr is a JSON object of planex.driver-error/1.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import difflib
import errno
import importlib
import json
import math
import os
import platform
import shlex
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

DRIVER_VERSION = "0.1"

EXIT_USAGE = 2
EXIT_FAILED = 4

# The same number of inferences as planex-openvino runs: enough for quartiles, even if each takes
# microseconds. Fewer than thirty say too little about their median, however long they take.
MAX_ITERATIONS = 2000
MIN_ITERATIONS = 30
WARMUP_MS = 200
MAX_WARMUP = 50
MIN_WARMUP = 2

# Likely sizes of dynamic dimensions, for the flags that an error suggests.
LIKELY_PIXELS = 224
LIKELY_LENGTH = 128
PICTURE_RANK = 4


class DriverError(Exception):
    """Ends a run. `kind`: usage, not-found, bad-input, unsupported, io, tool (the engine)."""

    def __init__(self, kind: str, message: str, hint: str = "", context: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.context = context


def usage(message: str, hint: str = "") -> DriverError:
    return DriverError("usage", message, hint)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def join_words(words: list[str]) -> str:
    """["a", "b", "c"] -> "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def did_you_mean(word: str, known: list[str], otherwise: str) -> str:
    near = difflib.get_close_matches(word, known, 1)
    return f"Did you mean {near[0]}?" if near else otherwise


# --- JSON ----------------------------------------------------------------------------------------


def clean(value: object) -> object:
    """Makes a value valid JSON: NaN and infinity become null, invalid UTF-8 becomes U+FFFD.

    Six decimals: in milliseconds, the last one is a nanosecond.
    """
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {str(clean(str(key))): clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(item) for item in value]
    return value


def line(content: dict[str, object]) -> str:
    return json.dumps(clean(content), ensure_ascii=False, separators=(",", ":"))


def document(content: dict[str, object]) -> str:
    """One line per key, so that a long list does not hide its surroundings."""
    rows = [
        f" {json.dumps(key)}: {json.dumps(clean(value), ensure_ascii=False)}"
        for key, value in content.items()
    ]
    return "{\n" + ",\n".join(rows) + "\n}\n"


# --- Progress, and the final message -------------------------------------------------------------


class Progress:
    """Writes lines to the stdout that the program was started with."""

    def __init__(self, descriptor: int) -> None:
        self.phase = "start"
        self._descriptor = descriptor
        self._told = 0.0

    def write(self, text: str) -> None:
        data = text.encode("utf-8", "replace") + b"\n"
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            pass  # Nobody reads it.

    def enter(self, phase: str) -> None:
        self.phase = phase
        self._tell(0.0)

    def update(self, done: float) -> None:
        """At most ten lines per second."""
        if time.monotonic() - self._told > 0.1:
            self._tell(min(max(done, 0.0), 1.0))

    def _tell(self, done: float) -> None:
        self._told = time.monotonic()
        self.write(line({"phase": self.phase, "done": done}))


def error_line(error: DriverError, phase: str) -> str:
    # From an engine's message, planex picks the most informative line, and shows the rest with it.
    is_engines = error.kind == "tool" and error.context
    content = {
        "schema": "planex.driver-error/1",
        "kind": error.kind,
        "phase": phase,
        "message": f"{error.message}\n{error.context}" if is_engines else error.message,
        "context": "" if is_engines else error.context,
        "hint": error.hint,
    }
    return line({key: value for key, value in content.items() if value or key == "message"})


def too_large_hint() -> str:
    """The hint if a file reached the size limit."""
    with contextlib.suppress(ImportError):  # on Windows
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        if limit != resource.RLIM_INFINITY:
            return f"Files are limited to {limit} bytes here (ulimit -f): raise that limit."
    return "The file system does not allow files of that size: choose a folder on another with -o."


def error_of(exception: BaseException) -> DriverError:
    if isinstance(exception, DriverError):
        return exception
    if isinstance(exception, OSError) and exception.errno is not None:
        text = exception.strerror or str(exception)
        kind = "not-found" if exception.errno == errno.ENOENT else "io"
        hint = ""
        if exception.errno in (errno.ENOSPC, errno.EDQUOT):
            hint = "Free space, or choose another folder with -o."
        elif exception.errno == errno.EFBIG:
            hint = too_large_hint()
        name = exception.filename
        return DriverError(kind, f"{name}: {text}" if name else text, hint)
    if isinstance(exception, UnicodeDecodeError):
        return DriverError(
            "bad-input",
            "a name in the model is not UTF-8, and the engine's Python package can't pass it on",
            "Compare the file's size and checksum with the original's.",
        )
    if isinstance(exception, MemoryError):
        return DriverError("tool", "out of memory")
    where = "".join(traceback.format_tb(exception.__traceback__)[-2:]).strip()
    return DriverError("tool", f"{type(exception).__name__}: {exception}", context=where)


# --- Files ---------------------------------------------------------------------------------------


class Files:
    """The files of one run: all of them, or none.

    They are written into a folder of their own beside their place, under their final names (files
    may name one another), and moved when all are complete.
    """

    def __init__(self, prefix: str, endings: list[str]) -> None:
        """`endings`: of all files that the program can write, such as ".times.json"."""
        self._prefix = prefix
        self._endings = endings
        self._lock = threading.Lock()
        self._done = False
        folder, name = os.path.split(prefix)
        try:
            self.folder = tempfile.mkdtemp(prefix=f"{name}.part-", dir=folder or ".")
        except OSError as exception:
            reason = exception.strerror or str(exception)
            raise DriverError("io", f"can't write in {quoted(folder or '.')}: {reason}") from None

    @property
    def failed_log(self) -> str:
        """Where a log is written; it stays if the program fails or crashes."""
        return self._prefix + ".failed.log"

    def keep_log(self, ending: str) -> None:
        """The program did not fail: its log becomes a file like the others."""
        os.replace(self.failed_log, self.path(ending))

    def path(self, ending: str) -> str:
        """The temporary path to write it to."""
        return os.path.join(self.folder, os.path.basename(self._prefix) + ending)

    def write(self, ending: str, text: str) -> None:
        path = self.path(ending)
        try:
            with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(text)
        except OSError as exception:
            exception.filename = path  # only open() sets it
            raise

    def written(self) -> list[str]:
        """Endings, in their order."""
        return [ending for ending in self._endings if os.path.exists(self.path(ending))]

    def commit(self) -> None:
        """Removes files of an earlier run that this one did not write: they would be mixed up."""
        with self._lock:
            placed = []
            try:
                for ending in self.written():
                    target = self._prefix + ending
                    os.replace(self.path(ending), target)
                    placed.append(target)
            except OSError:
                for target in placed:
                    os.unlink(target)
                raise
            self._done = True
            for ending in self._endings:
                target = self._prefix + ending
                if target not in placed and os.path.isfile(target):
                    os.unlink(target)
        self.discard()

    def discard(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def discard_log(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self.failed_log)

    def abandon(self) -> bool:
        """Called before a signal ends the process. False: too late, all files are in place."""
        with self._lock:
            if not self._done:
                self.discard()
                self.discard_log()
            return not self._done


class Stopper:
    """Ends the process on a signal, even while an engine is busy in its own code.

    Python calls a signal's handler only between two of its own instructions, and a compilation may
    take minutes. So a thread waits for the signals; engines let other threads run meanwhile.
    """

    SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")

    def __init__(self, progress: Progress) -> None:
        self.files: Files | None = None
        self._progress = progress
        self._signals = {getattr(signal, name) for name in self.SIGNALS if hasattr(signal, name)}
        if hasattr(signal, "pthread_sigmask"):
            # Threads of the engine inherit this, so that the waiting thread gets the signal.
            signal.pthread_sigmask(signal.SIG_BLOCK, self._signals)
            threading.Thread(target=self._wait, daemon=True).start()
        else:
            for number in self._signals:
                signal.signal(number, lambda number, frame: self._stop(number))
        self._follow_parent()

    def _follow_parent(self) -> None:
        # If planex is killed, it can no longer stop this process. PR_SET_PDEATHSIG is 1.
        if sys.platform == "linux":
            with contextlib.suppress(OSError, AttributeError):
                ctypes.CDLL(None).prctl(1, int(signal.SIGTERM))

    def _wait(self) -> None:
        while True:
            self._stop(signal.sigwait(self._signals))

    def _stop(self, number: int) -> None:
        if self.files is not None and not self.files.abandon():
            return
        name = signal.Signals(number).name
        error = DriverError("tool", f"stopped by {name}")
        end(EXIT_FAILED, error_line(error, self._progress.phase))


def end(code: int, last_words: str = "") -> NoReturn:
    """Ends the process here: output and crashes of engines on exit mean nothing."""
    sys.stdout.flush()
    sys.stderr.flush()
    if last_words:
        os.write(2, last_words.encode("utf-8", "replace") + b"\n")
    os._exit(code)


# --- Options -------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """Raises our own errors, with the nearest option; no abbreviations, which could change."""

    def error(self, message: str) -> NoReturn:
        raise usage(message.replace("argument ", "", 1), "--help lists the options.")

    def parse(self, words: list[str]) -> argparse.Namespace:
        options, left = self.parse_known_args(words)
        if left:
            names = [name for action in self._actions for name in action.option_strings]
            word = left[0].split("=", 1)[0]
            hint = did_you_mean(word, names, "--help lists the options.")
            what = "option" if word.startswith("-") else "word"
            raise usage(f"unknown {what} {quoted(word)}", hint)
        return options


def integer(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text) if text.isdigit() else -1
        if not least <= number <= most:
            what = f"{quoted(text)} is not a number from {least} to {most}"
            raise argparse.ArgumentTypeError(what)
        return number

    return parse


def key_and_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not KEY=VALUE")
    return key, value


def dims_of(text: str) -> list[int]:
    """ "1x3x8x8" -> [1, 3, 8, 8]; "" is a scalar."""
    dims = []
    for part in text.split("x") if text else []:
        if not part.isdigit() or int(part) > 1 << 30:
            raise argparse.ArgumentTypeError(f"{quoted(part)} in {quoted(text)} is not a dimension")
        dims.append(int(part))
    return dims


def name_and_dims(text: str) -> tuple[str, list[int]]:
    # The last '=': tensor names may contain others.
    name, equals, shape = text.rpartition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not NAME=SHAPE; use --shape input=1x3x8x8, once per input"
        )
    return name, dims_of(shape)


def make_parser(program: str, summary: str, engine: str) -> Parser:
    """A parser with the options that all drivers share, spelled as in planex-openvino."""
    parser = Parser(
        prog=program,
        description=f"{program}: {summary}, for `planex process`",
        epilog="The files are described in docs/reference/drivers.md.",
        allow_abbrev=False,
        add_help=False,
        usage=argparse.SUPPRESS,
    )
    add = parser.add_argument
    add("--model", metavar="FILE", help="ONNX model")
    add("--out", metavar="PREFIX", help="put the files at PREFIX.*")
    add("--name", metavar="NAME", help="name of the engine; default: the last part of PREFIX")
    add(
        "--shape",
        metavar="NAME=1x3x8x8",
        type=name_and_dims,
        action="append",
        default=[],
        help="shape of an input; once per input",
    )
    add("--precision", metavar="TYPE", type=str.lower, help=f"depends on {engine}: see below")
    add("--seed", metavar="N", type=integer(0, 2**32 - 1), default=1, help="seed of random inputs")
    add(
        "--iterations",
        metavar="N",
        type=integer(1, 10**6),
        help="timed inferences; default: as many as fit --duration-ms, 30 to 2000",
    )
    add(
        "--warmup",
        metavar="N",
        type=integer(0, 10**6),
        help="warm-up inferences; default: about 200 ms, at least 2",
    )
    add(
        "--duration-ms",
        metavar="N",
        type=integer(1, 10**7),
        default=1500,
        help="time for the timed inferences; default 1500",
    )
    add(
        "--rounds",
        metavar="N",
        type=integer(1, 10**5),
        help="profiled inferences, each a sample per layer; default: as many as fit --profile-ms",
    )
    add(
        "--profile-ms",
        metavar="N",
        type=integer(1, 10**7),
        default=3000,
        help="time for the profiled inferences; default 3000",
    )
    add("--no-profile", action="store_true", help="don't measure times per layer")
    add("--version", action="store_true", help="print the versions and exit")
    add("--help", action="store_true", help="print this and exit")
    return parser


# --- Inputs --------------------------------------------------------------------------------------


def shape_text(dims: list[int]) -> str:
    return "x".join("?" if dim < 0 else str(dim) for dim in dims)


def likely_shape(dims: list[int] | None) -> str:
    if dims is None:
        return f"1x{LIKELY_LENGTH}"
    likely = []
    for place, dim in enumerate(dims):
        is_pixels = len(dims) == PICTURE_RANK and place >= 2
        open_dim = 1 if place == 0 else LIKELY_PIXELS if is_pixels else LIKELY_LENGTH
        likely.append(dim if dim >= 0 else open_dim)
    return shape_text(likely)


def resolve_shapes(
    inputs: Sequence[tuple[str, list[int] | None]],
    given: list[tuple[str, list[int]]],
    notes: list[str],
) -> dict[str, list[int]]:
    """The shape of each input: as requested; a dynamic batch without a request becomes 1.

    `inputs`: name and dims as in the model, -1 if dynamic, None if not even the rank is known.
    Other dynamic dimensions affect the model too much to be guessed.
    """
    names = [name for name, _ in inputs]
    asked = dict(given)
    for name in asked:
        if name not in names:
            listed = f"Its inputs: {join_words(names)}." if names else "It has no inputs."
            raise DriverError(
                "bad-input",
                f"the model has no input {quoted(name)}",
                did_you_mean(name, names, listed),
            )
    shapes = {}
    missing = []
    for name, dims in inputs:
        if name in asked:
            wanted = asked[name]
            if dims is not None and (
                len(dims) != len(wanted)
                or any(dim >= 0 and dim != want for dim, want in zip(dims, wanted))
            ):
                raise DriverError(
                    "bad-input",
                    f"--shape {name}={shape_text(wanted)} does not fit: the model has "
                    f"{shape_text(dims) or 'a scalar'} there",
                    "Only dimensions shown as ? can be chosen.",
                )
            shapes[name] = wanted
            continue
        with_batch = None if dims is None else list(dims)
        if with_batch and with_batch[0] < 0:
            with_batch[0] = 1
        if with_batch is None or any(dim < 0 for dim in with_batch):
            missing.append((name, dims, with_batch))
            continue
        if with_batch != dims:
            text = shape_text(with_batch)
            notes.append(
                f"input {quoted(name)}: dynamic batch set to 1 (shape {text}); use "
                f"--shape {name}={text} to change it"
            )
        shapes[name] = with_batch
    if missing:
        listed = ", ".join(
            f"{quoted(name)}: {'of unknown rank' if dims is None else shape_text(dims)}"
            for name, dims, _ in missing
        )
        flags = "".join(
            f" --shape {shlex.quote(f'{name}={likely_shape(dims)}')}" for name, _, dims in missing
        )
        raise DriverError(
            "bad-input",
            f"{counted(len(missing), 'input')} with dynamic dimensions: {listed}",
            f"set the shapes you run with, for example{flags}",
        )
    return shapes


# --- Measuring -----------------------------------------------------------------------------------


def costs_so_far() -> dict[str, float] | None:
    """CPU time of this process since it started, without wall time. None: not known."""
    try:
        import resource
    except ImportError:
        return None
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "cpu_ms": (used.ru_utime + used.ru_stime) * 1e3,
        "involuntary_switches": used.ru_nivcsw,
    }


class Times:
    """Times of inferences without a profiler, in ms: the content of planex.times/1."""

    def __init__(self) -> None:
        self.columns: dict[str, list[float]] = {"start_ms": [], "latency_ms": []}
        self.warmup_ms: list[float] = []
        self.profiled_ms: list[float] = []
        self.costs: dict[str, float] = {}
        # The clock at start_ms 0: aligns other events on the machine with the times.
        self.origin_monotonic_ns = 0

    def median_ms(self) -> float:
        ordered = sorted(self.columns["latency_ms"])
        middle = len(ordered) // 2
        return (ordered[middle] + ordered[-middle - 1]) / 2 if ordered else 0.0

    def json(self, threads: int | None) -> str:
        content: dict[str, object] = {
            "schema": "planex.times/1",
            "count": len(self.columns["latency_ms"]),
            "warmup_count": len(self.warmup_ms),
            "origin_monotonic_ns": self.origin_monotonic_ns,
            **self.costs,
        }
        if threads is not None:
            content["thread_count"] = threads
        content["columns"] = self.columns
        content["warmup_latency_ms"] = self.warmup_ms
        if self.profiled_ms:
            content["profiled_latency_ms"] = self.profiled_ms
        return document(content)


def measure(
    infer: Callable[[], dict[str, float] | None], options: argparse.Namespace, progress: Progress
) -> Times:
    """Warms up, then times inferences.

    `infer()` runs one and waits for its result; the times that it returns, ms by column, are kept
    with the latency, which is measured here.
    """
    times = Times()
    clock = time.perf_counter

    def once() -> tuple[float, float, dict[str, float]]:
        start = clock()
        more = infer()
        return (start - origin) * 1e3, (clock() - start) * 1e3, more or {}

    progress.enter("warmup")
    times.origin_monotonic_ns, origin = time.monotonic_ns(), clock()
    while True:
        done = len(times.warmup_ms)
        spent_ms = (clock() - origin) * 1e3
        if options.warmup is not None:
            if done >= options.warmup:
                break
        elif done >= MIN_WARMUP and (done >= MAX_WARMUP or spent_ms >= WARMUP_MS):
            break
        times.warmup_ms.append(once()[1])
    progress.enter("time")
    before = costs_so_far()
    start = clock()
    rows: list[tuple[float, float, dict[str, float]]] = []
    while True:
        spent_ms = (clock() - start) * 1e3
        if options.iterations is not None:
            if len(rows) >= options.iterations:
                break
            progress.update(len(rows) / options.iterations)
        else:
            is_enough = len(rows) >= MIN_ITERATIONS and spent_ms >= options.duration_ms
            if len(rows) >= MAX_ITERATIONS or is_enough:
                break
            progress.update(min(len(rows) / MIN_ITERATIONS, spent_ms / options.duration_ms))
        rows.append(once())
    times.costs = {"wall_ms": (clock() - start) * 1e3}
    after = costs_so_far()
    if before and after:
        times.costs.update({key: after[key] - before[key] for key in after})
    for started_ms, latency_ms, more in rows:
        times.columns["start_ms"].append(started_ms)
        for name, value in more.items():
            times.columns.setdefault(name, []).append(value)
        times.columns["latency_ms"].append(latency_ms)
    return times


def profiled_count(options: argparse.Namespace, latency_ms: float, least: int, most: int) -> int:
    """How many inferences to profile if the user gave no number."""
    if options.rounds is not None:
        return int(options.rounds)
    return max(least, min(most, int(options.profile_ms / max(latency_ms, 1e-3))))


# --- The machine, and the whole run --------------------------------------------------------------


def processor_name() -> str | None:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for row in file:
                key, _, value = row.partition(":")
                if key.strip() in ("model name", "Model"):
                    return value.strip()
    except OSError:
        pass
    return platform.processor() or None


class Driver:
    """One engine: its program's name, its options, and how it is run."""

    program = ""
    label = ""
    # All files that it can write, in the order in which they are put into place.
    endings: tuple[str, ...] = ()

    def parser(self) -> Parser:
        raise NotImplementedError

    def check(self, options: argparse.Namespace) -> None:
        """Checks options before anything is read."""

    def version(self) -> str:
        """Such as "ONNX Runtime 1.32.0". Errors: not-found, with the command that installs it."""
        raise NotImplementedError

    def run(
        self, options: argparse.Namespace, files: Files, progress: Progress, notes: list[str]
    ) -> None:
        raise NotImplementedError


def import_package(name: str, label: str, install: str) -> Any:
    """The engine's package. Errors: not-found, with the command that installs it."""
    try:
        return importlib.import_module(name)
    # A package whose libraries can't be loaded may raise anything.
    except Exception as exception:
        raise DriverError(
            "not-found",
            f"{label} can't be imported by {sys.executable}: {exception}",
            f"Install it there: {install}; or use another interpreter with --python.",
        ) from None


def check_model(path: str) -> None:
    if os.path.isdir(path):
        raise DriverError("bad-input", f"{path}: is a folder, expected a model file")
    if not os.path.exists(path):
        raise DriverError("not-found", f"{path}: there is no such model file")


def drive(driver: Driver, words: list[str]) -> NoReturn:
    """The whole program; does not return."""
    # Packages print what they like: stdout is only for us, their output goes to stderr.
    out = os.dup(1)
    os.dup2(2, 1)
    progress = Progress(out)
    files = None
    try:
        parser = driver.parser()
        options = parser.parse(words)
        if options.help:
            progress.write(parser.format_help().strip())
            end(0)
        if options.version:
            progress.write(f"{driver.program} {DRIVER_VERSION}, {driver.version()}")
            end(0)
        for name in ("model", "out"):
            if not getattr(options, name):
                raise usage(f"--{name} is missing", "--help lists the options.")
        options.name = options.name or os.path.basename(options.out)
        driver.check(options)
        stopper = Stopper(progress)
        progress.enter("read")
        check_model(options.model)
        driver.version()
        files = stopper.files = Files(options.out, list(driver.endings))
        driver.run(options, files, progress, [])
        files.commit()
    # Everything: the caller only understands the line on stderr.
    except BaseException as exception:
        if files is not None:
            files.discard()
        error = error_of(exception)
        code = EXIT_USAGE if error.kind == "usage" else EXIT_FAILED
        end(code, error_line(error, "usage" if error.kind == "usage" else progress.phase))
    end(0)


# A program in the folder may have the same name as the package that it imports.
sys.path[:] = [
    folder
    for folder in sys.path
    if not sys.argv[0] or folder != os.path.dirname(os.path.abspath(sys.argv[0]))
]
