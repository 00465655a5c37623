"""What TensorRT and TensorRT-RTX have in common: their Python packages differ little.

Builds an engine with the verbose log on and, if there is a GPU, runs it: first timed, then with the
profiler, in this order because profiling costs time. The files are the same as trtexec's.

Part of a program: see driver_common.py.
"""

import argparse
import ctypes
import random
import struct
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from driver_common import (
        DRIVER_VERSION,
        Driver,
        DriverError,
        Files,
        Parser,
        Progress,
        did_you_mean,
        dims_of,
        document,
        error_of,
        import_package,
        integer,
        join_words,
        line,
        make_parser,
        measure,
        profiled_count,
        quoted,
        resolve_shapes,
        shape_text,
        usage,
    )

MIN_PROFILED = 10
MAX_PROFILED = 200

# Lines of a failed build that are reported: the first errors are the cause, the others its effects.
MAX_TOLD = 12

# Bytes per element; names as both packages spell them.
BITS_OF = {
    "FLOAT": 32,
    "INT32": 32,
    "INT64": 64,
    "HALF": 16,
    "BF16": 16,
    "INT8": 8,
    "UINT8": 8,
    "BOOL": 8,
    "FP8": 8,
    "E8M0": 8,
    "INT4": 4,
    "FP4": 4,
}
INTEGER_FORMATS = {"INT32": "i", "INT64": "q", "INT8": "b", "UINT8": "B", "BOOL": "B"}
REAL_FORMATS = {"FLOAT": "f", "HALF": "e"}
# How many random elements are made; larger inputs repeat them.
RANDOM_BLOCK = 1 << 16


def optimization_profile(text: str) -> list[tuple[str, list[list[int]]]]:
    """ "x:1x8:4x8:16x8,y:..." -> [("x", [[1, 8], [4, 8], [16, 8]]), ...]."""
    inputs = []
    for part in text.split(","):
        words = part.rsplit(":", 3)
        if len(words) != 4 or not words[0]:
            raise argparse.ArgumentTypeError(
                f"{quoted(part)} is not INPUT:MIN:OPT:MAX, such as ids:1x128:8x128:16x128"
            )
        inputs.append((words[0], [dims_of(word) for word in words[1:]]))
    return inputs


# --- CUDA ----------------------------------------------------------------------------------------


class Cuda:
    """CUDA's driver interface, which is on every machine that can run an engine.

    So neither cuda-python nor the runtime library is needed. It shares memory and streams with
    TensorRT's runtime interface through the device's primary context.
    """

    NAMES = ("nvcuda.dll",) if sys.platform == "win32" else ("libcuda.so.1", "libcuda.so")
    COMPUTE_CAPABILITY_MAJOR = 75
    COMPUTE_CAPABILITY_MINOR = 76

    def __init__(self, library: Any, number: int) -> None:
        self._library = library
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), number)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, len(name), device)
        self.device_name = name.value.decode("utf-8", "replace")
        parts = []
        for attribute in (self.COMPUTE_CAPABILITY_MAJOR, self.COMPUTE_CAPABILITY_MINOR):
            value = ctypes.c_int()
            self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            parts.append(str(value.value))
        self.compute_capability = ".".join(parts)
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        self.driver_version = f"{version.value // 1000}.{version.value % 1000 // 10}"
        stream = ctypes.c_void_p()
        # CU_STREAM_NON_BLOCKING: otherwise it and the default stream would wait for each other.
        self.call("cuStreamCreate", ctypes.byref(stream), 1)
        self.stream = stream
        self._events = [self._event(), self._event()]

    @staticmethod
    def open(number: int) -> "Cuda | None":
        """None: there is no driver here, or no GPU."""
        for name in Cuda.NAMES:
            try:
                library = ctypes.CDLL(name)
            except OSError:
                continue
            count = ctypes.c_int()
            if (
                library.cuInit(0)
                or library.cuDeviceGetCount(ctypes.byref(count))
                or not count.value
            ):
                return None
            if number >= count.value:
                raise usage(f"there is no GPU {number}: this machine has {count.value}")
            return Cuda(library, number)
        return None

    def call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if not code:
            return
        text = ctypes.c_char_p()
        self._library.cuGetErrorName(code, ctypes.byref(text))
        reason = text.value.decode() if text.value else str(code)
        hint = "Use a smaller batch, or free the GPU's memory." if code == 2 else ""
        raise DriverError("tool", f"CUDA: {name} failed: {reason}", hint)

    def allocate(self, size: int) -> int:
        address = ctypes.c_uint64()
        # Zero bytes can't be allocated, but an address is needed all the same.
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def upload(self, address: int, data: bytes) -> None:
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def wait(self) -> None:
        self.call("cuStreamSynchronize", self.stream)

    def _event(self) -> ctypes.c_void_p:
        event = ctypes.c_void_p()
        self.call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def record(self, place: int) -> None:
        self.call("cuEventRecord", self._events[place], self.stream)

    def between_ms(self) -> float:
        """Time from the first event to the second; waits for the second."""
        self.call("cuEventSynchronize", self._events[1])
        elapsed = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(elapsed), *self._events)
        return elapsed.value


# --- Callbacks of the package's classes -----------------------------------------------------------


class LogFile:
    """The builder's log, unbuffered, with severities before the lines in the form planex reads."""

    def __init__(self, path: str) -> None:
        # Line by line: if the engine's own code crashes, everything before is in the log.
        self._file = open(  # noqa: SIM115
            path, "w", encoding="utf-8", errors="replace", newline="\n", buffering=1
        )
        self.told: list[str] = []
        self.failure: OSError | None = None

    def add(self, severity: str, message: str) -> None:
        if severity in ("ERROR", "INTERNAL_ERROR") and len(self.told) < MAX_TOLD:
            self.told.append(message.strip())
        self.write(f"[{severity}] {message}\n")

    def write(self, text: str) -> None:
        # An exception can't pass through the engine's own code, so it is kept until that returns.
        try:
            if not self._file.closed:
                self._file.write(text)
        except OSError as exception:
            self.failure = self.failure or exception

    def close(self) -> None:
        try:
            self._file.close()
        except OSError as exception:
            self.failure = self.failure or exception

    def check(self) -> None:
        if self.failure:
            raise self.failure


def make_logger(trt: Any, log: LogFile) -> Any:
    class Logger(trt.ILogger):  # type: ignore[misc]
        def __init__(self) -> None:
            trt.ILogger.__init__(self)

        def log(self, severity: Any, message: str) -> None:
            log.add(severity.name, message)

    return Logger()


def make_profiler(trt: Any) -> Any:
    class Profiler(trt.IProfiler):  # type: ignore[misc]
        """Times of layers, in ms: by name and, where a name repeats, occurrence."""

        def __init__(self) -> None:
            trt.IProfiler.__init__(self)
            self.samples: dict[tuple[str, int], list[float]] = {}
            self._seen: dict[str, int] = {}

        def start_inference(self) -> None:
            self._seen.clear()

        def report_layer_time(self, layer_name: str, ms: float) -> None:
            occurrence = self._seen.get(layer_name, 0)
            self._seen[layer_name] = occurrence + 1
            self.samples.setdefault((layer_name, occurrence), []).append(float(ms))

    return Profiler()


def make_monitor(trt: Any, progress: Progress) -> Any:
    """How far a build is, for versions that report it (10 and later); None for others."""
    if not hasattr(trt, "IProgressMonitor"):
        return None

    class Monitor(trt.IProgressMonitor):  # type: ignore[misc]
        def __init__(self) -> None:
            trt.IProgressMonitor.__init__(self)
            self._outermost = ""
            self._steps = 1

        def phase_start(self, phase_name: str, parent_phase: str | None, num_steps: int) -> None:
            if parent_phase is None:
                self._outermost, self._steps = phase_name, max(num_steps, 1)

        def step_complete(self, phase_name: str, step: int) -> bool:
            if phase_name == self._outermost:
                progress.update(step / self._steps)
            return True

        def phase_finish(self, phase_name: str) -> None:
            pass

    return Monitor()


def make_allocator(trt: Any, cuda: Cuda) -> Any:
    """For outputs whose size is known only after the inference."""

    class Allocator(trt.IOutputAllocator):  # type: ignore[misc]
        def __init__(self) -> None:
            trt.IOutputAllocator.__init__(self)
            self._blocks: dict[str, tuple[int, int]] = {}

        def reallocate_output(
            self, tensor_name: str, memory: int, size: int, alignment: int
        ) -> int:
            address, room = self._blocks.get(tensor_name, (0, -1))
            if room < size:
                address = cuda.allocate(size)
                self._blocks[tensor_name] = address, size
            return address

        def reallocate_output_async(
            self, tensor_name: str, memory: int, size: int, alignment: int, stream: int
        ) -> int:
            return self.reallocate_output(tensor_name, memory, size, alignment)

        def notify_shape(self, tensor_name: str, shape: Any) -> None:
            pass

    return Allocator()


# --- The driver ----------------------------------------------------------------------------------


class TensorRt(Driver):
    """Base class for both packages; `producer` is the name of the maker in the engine's files."""

    package = ""
    producer = ""
    install = ""
    endings = (
        ".engine",
        ".build.log",
        ".graph.json",
        ".profile.json",
        ".times.json",
        ".result.json",
    )

    def parser(self) -> Parser:
        parser = make_parser(
            self.program, f"builds and times an engine of {self.label}", self.label
        )
        add = parser.add_argument
        add(
            "--profile",
            metavar="INPUT:MIN:OPT:MAX",
            type=optimization_profile,
            action="append",
            default=[],
            help="optimization profile: shapes of each dynamic input, separated by "
            "commas; may be repeated; runs use OPT of the first, or --shape",
        )
        add("--strongly-typed", action="store_true", help="keep the types of the model")
        add(
            "--flag",
            metavar="NAME",
            action="append",
            default=[],
            dest="flags",
            help="set a builder flag such as SPARSE_WEIGHTS; clear it with the prefix no-",
        )
        add(
            "--max-aux-streams",
            metavar="N",
            type=integer(0, 1000),
            help="maximum number of auxiliary streams of the engine",
        )
        add(
            "--optimization-level",
            metavar="N",
            type=integer(0, 5),
            help="optimization level of the builder, 0 to 5",
        )
        add("--threads", metavar="N", help="ignored: an engine on a GPU has none")
        add("--device", metavar="N", type=integer(0, 1000), default=0, help="number of the GPU")
        add("--save-engine", action="store_true", help="save the engine as PREFIX.engine")
        return parser

    def load(self) -> Any:
        return import_package(self.package, self.label, self.install)

    def version(self) -> str:
        return f"{self.label} {self.load().__version__}"

    # The differences between the two packages.

    def network_flags(self, trt: Any, options: argparse.Namespace) -> list[Any]:
        return []

    def configure(self, trt: Any, config: Any, options: argparse.Namespace) -> None:
        pass

    def targets(self, trt: Any, config: Any) -> list[str]:
        """Compute capabilities to build the engine for; empty: that of this machine's GPU."""
        return []

    def finish_build(self, trt: Any, config: Any, options: argparse.Namespace) -> None:
        pass

    needs_gpu = True

    def run(
        self, options: argparse.Namespace, files: Files, progress: Progress, notes: list[str]
    ) -> None:
        TensorRtRun(self, options, files, progress, notes).all()


class TensorRtRun:
    def __init__(
        self,
        driver: TensorRt,
        options: argparse.Namespace,
        files: Files,
        progress: Progress,
        notes: list[str],
    ) -> None:
        self.driver = driver
        self.options = options
        self.files = files
        self.progress = progress
        self.notes = notes
        self.trt = driver.load()
        self.took_ms: dict[str, float] = {}
        self.profile_count: int | None = None

    def all(self) -> None:
        if self.options.threads is not None:
            # It may be meant for another engine of the same command.
            self.notes.append("--threads is ignored: an engine on a GPU has no threads")
        self.cuda = Cuda.open(self.options.device)
        if self.cuda is None and self.driver.needs_gpu:
            raise DriverError(
                "unsupported",
                f"{self.driver.label} builds engines on the GPU they run on; there is none here",
                "Run it on a machine with a GPU (planex process --launcher), or try --engine "
                "tensorrt-rtx, which builds without one.",
            )
        self.log = LogFile(self.files.failed_log)
        try:
            self.write_opening()
            self.logger = make_logger(self.trt, self.log)
            self.parse()
            self.configure()
            plan = self.build()
            if self.cuda is not None:
                self.execute(plan)
            self.log.write(f"&&&& PASSED {self.banner()}\n")
        except BaseException as exception:
            self.log.write(f"&&&& FAILED {self.banner()}\n")
            kind = error_of(exception).kind
            # Keep the log only if it explains the failure: a full disk needs the space.
            if kind in ("io", "usage") or (kind != "tool" and not self.log.told):
                self.files.discard_log()
            raise
        finally:
            self.log.close()
        self.log.check()
        self.files.keep_log(".build.log")
        self.write(plan)

    # --- Building -------------------------------------------------------------------------------

    def banner(self) -> str:
        """Names the program like trtexec's banner does, with the command."""
        words = [self.driver.program, *sys.argv[1:]]
        # The temporary location of the files says nothing about the run.
        if "--out" in words[:-1]:
            place = words.index("--out")
            del words[place : place + 2]
        name = self.driver.label.replace(" ", "-")
        return f"{name}.planex # {' '.join(words)}"

    def write_opening(self) -> None:
        # The log itself names neither its program nor the version.
        self.log.write(f"&&&& RUNNING {self.banner()}\n")
        self.log.write(f"[INFO] TensorRT version: {self.trt.__version__}\n")

    def timed(self, name: str, start: float) -> None:
        self.took_ms[name] = (time.perf_counter() - start) * 1e3

    def failed(self, what: str, kind: str = "tool") -> DriverError:
        """An error with the log's own words, each line once."""
        told = "\n".join(dict.fromkeys(self.log.told)) or what
        message, _, rest = told.partition("\n")
        return DriverError(kind, message, context=rest)

    def parse(self) -> None:
        trt = self.trt
        start = time.perf_counter()
        self.builder = trt.Builder(self.logger)
        flags = 0
        for flag in self.driver.network_flags(trt, self.options):
            flags |= 1 << int(flag)
        self.network = self.builder.create_network(flags)
        parser = trt.OnnxParser(self.network, self.logger)
        parsed = parser.parse_from_file(self.options.model)
        self.timed("parse_ms", start)
        self.log.check()
        if parsed and self.network.num_outputs:
            return
        errors = [parser.get_error(place) for place in range(parser.num_errors)]
        if not errors:
            what = f"not an ONNX model, or an empty one: {self.driver.label} found no outputs"
            raise self.failed(what, "bad-input")
        told = []
        is_unsupported = False
        for error in errors:
            where = error.node_name() if hasattr(error, "node_name") else ""
            operator = error.node_operator() if hasattr(error, "node_operator") else ""
            place = f"{where} ({operator}): " if where and operator else ""
            # 'creator && "Plugin not found"': the parser's own condition, and its message.
            text = error.desc().strip()
            text = text[text.find('"') :].strip('"') if text.endswith('"') else text
            told.append(f"{place}{text}")
            is_unsupported = is_unsupported or (
                "UNSUPPORTED" in error.code().name or text.startswith("Plugin not found")
            )
        kind = "unsupported" if is_unsupported else "bad-input"
        raise DriverError(kind, told[0], context="\n".join(told[1:MAX_TOLD]))

    def model_inputs(self) -> list[tuple[str, list[int]]]:
        inputs = []
        for place in range(self.network.num_inputs):
            tensor = self.network.get_input(place)
            if tensor.is_shape_tensor:
                raise DriverError(
                    "unsupported",
                    f"the input {quoted(tensor.name)} determines the shape of another tensor",
                    "Make it a constant of the model: a random value would not work.",
                )
            inputs.append((tensor.name, list(tensor.shape)))
        return inputs

    def configure(self) -> None:
        options, trt = self.options, self.trt
        config = self.config = self.builder.create_builder_config()
        config.profiling_verbosity = trt.ProfilingVerbosity.DETAILED
        if options.max_aux_streams is not None:
            config.max_aux_streams = options.max_aux_streams
        if options.optimization_level is not None:
            config.builder_optimization_level = options.optimization_level
        for word in options.flags:
            self.set_flag(word)
        self.driver.configure(trt, config, options)
        self.add_profiles(self.model_inputs())
        monitor = make_monitor(trt, self.progress)
        if monitor is not None:
            self.monitor = config.progress_monitor = monitor

    def set_flag(self, word: str) -> None:
        name = word.upper().replace("-", "_")
        known = self.trt.BuilderFlag.__members__
        clears = name.startswith("NO_") and name not in known
        name = name[3:] if clears else name
        if name not in known:
            hint = did_you_mean(name, list(known), f"Valid: {join_words(sorted(known))}.")
            raise usage(f"{self.driver.label} has no builder flag {quoted(word)}", hint)
        (self.config.clear_flag if clears else self.config.set_flag)(known[name])

    def add_profiles(self, inputs: list[tuple[str, list[int]]]) -> None:
        options = self.options
        given = list(options.shape)
        asked = {name for name, _ in given}
        if options.profile:
            # A run uses the first profile's best shape unless another is requested.
            for name, (_, best, _) in options.profile[0]:
                if name not in asked:
                    given.append((name, best))
        self.shapes = resolve_shapes(inputs, given, self.notes)
        dynamic = [name for name, dims in inputs if any(dim < 0 for dim in dims)]
        profiles = options.profile or ([[]] if dynamic else [])
        for entries in profiles:
            ranges = {name: [self.shapes[name]] * 3 for name in dynamic}
            for name, shapes in entries:
                if name not in self.shapes:
                    hint = did_you_mean(name, list(self.shapes), "")
                    raise usage(f"--profile: the model has no input {quoted(name)}", hint)
                ranges[name] = shapes
            made = self.builder.create_optimization_profile()
            for name, (least, best, most) in ranges.items():
                try:
                    made.set_shape(name, least, best, most)
                except ValueError as exception:
                    raise usage(f"--profile {name}: {exception}") from None
            if self.config.add_optimization_profile(made) < 0:
                raise self.failed("the optimization profile was not accepted", "usage")

    def build(self) -> Any:
        self.progress.enter("compile")
        start = time.perf_counter()
        plan = self.builder.build_serialized_network(self.network, self.config)
        self.timed("build_ms", start)
        self.log.check()
        if plan is None:
            raise self.failed("the engine could not be built; the log does not say why")
        self.driver.finish_build(self.trt, self.config, self.options)
        return plan

    # --- Running --------------------------------------------------------------------------------

    def execute(self, plan: Any) -> None:
        trt = self.trt
        start = time.perf_counter()
        runtime = self.runtime = trt.Runtime(self.logger)
        engine = self.engine = runtime.deserialize_cuda_engine(plan)
        if engine is None:
            raise self.failed("the engine that was just built could not be loaded")
        self.timed("deserialize_ms", start)
        start = time.perf_counter()
        context = self.context()
        self.timed("context_ms", start)
        inspector = engine.create_engine_inspector()
        # With shapes set, the shapes of dynamic layers are known.
        inspector.execution_context = context
        layers = inspector.get_engine_information(trt.LayerInformationFormat.JSON)
        self.files.write(".graph.json", layers.rstrip() + "\n")
        self.times = measure(self.inference(context), self.options, self.progress)
        if not self.options.no_profile:
            self.profile()
        self.files.write(".times.json", self.times.json(None))

    def context(self) -> Any:
        """An execution context with memory for its inputs, filled at random, and its outputs."""
        trt, engine, cuda = self.trt, self.engine, self.cuda
        assert cuda is not None
        context = engine.create_execution_context()
        if context is None:
            raise self.failed("an execution context could not be made: too little memory?")
        generator = random.Random(self.options.seed)  # noqa: S311
        names = [engine.get_tensor_name(place) for place in range(engine.num_io_tensors)]
        is_input = {name: engine.get_tensor_mode(name) == trt.TensorIOMode.INPUT for name in names}
        for name in filter(is_input.get, names):
            if not context.set_input_shape(name, tuple(self.shapes[name])):
                shape = shape_text(self.shapes[name])
                raise self.failed(f"the shape {shape} of {quoted(name)} fits no profile", "usage")
        self.allocator = make_allocator(trt, cuda)
        self.host_memory = []
        for name in names:
            kind = engine.get_tensor_dtype(name).name
            dims = list(context.get_tensor_shape(name))
            if any(dim < 0 for dim in dims):
                context.set_output_allocator(name, self.allocator)
                continue
            count = 1
            for dim in dims:
                count *= dim
            size = (count * BITS_OF.get(kind, 32) + 7) // 8
            if engine.get_tensor_location(name) == trt.TensorLocation.HOST:
                buffer = ctypes.create_string_buffer(max(size, 1))
                self.host_memory.append(buffer)
                context.set_tensor_address(name, ctypes.addressof(buffer))
                continue
            address = cuda.allocate(size)
            if is_input[name]:
                cuda.upload(address, random_bytes(generator, name, kind, count))
            context.set_tensor_address(name, address)
        return context

    def enqueue(self, context: Any) -> None:
        assert self.cuda is not None
        if not context.execute_async_v3(self.cuda.stream.value):
            raise self.failed("an inference could not be started")

    def inference(self, context: Any) -> Any:
        cuda, clock = self.cuda, time.perf_counter
        assert cuda is not None

        def infer() -> dict[str, float]:
            cuda.record(0)
            start = clock()
            self.enqueue(context)
            enqueued_ms = (clock() - start) * 1e3
            cuda.record(1)
            return {"enqueue_ms": enqueued_ms, "compute_ms": cuda.between_ms()}

        return infer

    def profile(self) -> None:
        cuda = self.cuda
        assert cuda is not None
        self.progress.enter("profile")
        # A context of its own: the timed one stays unchanged.
        context = self.context()
        self.enqueue(context)
        cuda.wait()
        profiler = make_profiler(self.trt)
        context.profiler = profiler
        count = profiled_count(self.options, self.times.median_ms(), MIN_PROFILED, MAX_PROFILED)
        for done in range(count):
            profiler.start_inference()
            start = time.perf_counter()
            self.enqueue(context)
            cuda.wait()
            self.times.profiled_ms.append((time.perf_counter() - start) * 1e3)
            self.progress.update((done + 1) / count)
        self.profile_count = count
        self.files.write(".profile.json", profile_json(profiler.samples, count))

    # --- How it was made ------------------------------------------------------------------------

    def device(self, targets: list[str]) -> str:
        if self.cuda is not None:
            return self.cuda.device_name
        names = join_words([target.lower() for target in targets])
        return f"no GPU: built for {names or 'the targets of the package'}"

    def write(self, plan: Any) -> None:
        self.progress.enter("write")
        options, cuda = self.options, self.cuda
        if options.save_engine:
            with open(self.files.path(".engine"), "wb") as file:
                file.write(memoryview(plan))
        targets = self.driver.targets(self.trt, self.config)
        content = {
            "schema": f"planex.{self.driver.producer}-result/1",
            "engine": {
                "name": options.name,
                "producer": self.driver.producer,
                "producer_version": self.trt.__version__,
                "driver_version": DRIVER_VERSION,
                "device": self.device(targets),
                "compute_capability": cuda.compute_capability if cuda else None,
                "cuda_version": cuda.driver_version if cuda else None,
                "targets": targets,
                "precision": options.precision,
                "has_run": cuda is not None,
            },
            "model": options.model,
            "seed": options.seed,
            "inputs": [{"name": name, "dims": dims} for name, dims in self.shapes.items()],
            **self.took_ms,
            "plan_bytes": plan.nbytes,
            "profiled_count": self.profile_count,
            "config": self.settings(),
            "notes": self.notes,
        }
        self.files.write(".result.json", document(content))

    def settings(self) -> dict[str, object]:
        """The builder's settings, given or default."""
        config = self.config
        flags = self.trt.BuilderFlag.__members__
        return {
            "flags": [name for name, flag in flags.items() if config.get_flag(flag)],
            "max_aux_streams": config.max_aux_streams,
            "optimization_level": config.builder_optimization_level,
            "strongly_typed": self.options.strongly_typed,
            "optimization_profiles": [
                {name: [shape_text(shape) for shape in shapes] for name, shapes in entries}
                for entries in self.options.profile
            ],
        }


def random_bytes(generator: random.Random, name: str, kind: str, count: int) -> bytes:
    """Elements from -1 to 1; of integers 0 or 1: valid as an index, a mask, a token and a flag."""
    made = min(count, RANDOM_BLOCK)
    if kind in INTEGER_FORMATS:
        values = [generator.getrandbits(1) for _ in range(made)]
        block = struct.pack(f"<{made}{INTEGER_FORMATS[kind]}", *values)
    elif kind in REAL_FORMATS:
        reals = [generator.uniform(-1, 1) for _ in range(made)]
        block = struct.pack(f"<{made}{REAL_FORMATS[kind]}", *reals)
    elif kind == "BF16":
        # The upper half of the bits of a float.
        reals = [generator.uniform(-1, 1) for _ in range(made)]
        floats = struct.pack(f"<{made}f", *reals)
        block = b"".join(floats[place + 2 : place + 4] for place in range(0, len(floats), 4))
    else:
        text = f"planex can't make data of type {kind} for the input {quoted(name)}"
        raise DriverError("unsupported", text)
    size = len(block) // max(made, 1) * count
    return (block * (size // max(len(block), 1) + 1))[:size]


def profile_json(samples: dict[tuple[str, int], list[float]], count: int) -> str:
    """Same format as trtexec --exportProfile: times in ms, by layer, in the order of execution."""
    whole = sum(map(sum, samples.values())) or 1.0
    rows = [line({"count": count})]
    for (name, _), values in samples.items():
        ordered = sorted(values)
        middle = len(ordered) // 2
        row: dict[str, object] = {
            "name": name,
            "timeMs": sum(values),
            "averageMs": sum(values) / len(values),
            "medianMs": (ordered[middle] + ordered[-middle - 1]) / 2,
            "percentage": sum(values) / whole * 100,
        }
        rows.append(line(row))
    return "[\n  " + ",\n  ".join(rows) + "\n]\n"
