"""Plays NVIDIA's packages tensorrt and tensorrt_rtx, for tests on machines that can't run them.

A version has exactly the names that names.json lists for it, of those that are played here: a
program which uses another fails here as it would there. A model is a JSON text:

    {"inputs": {"x": ["FLOAT", [-1, 8]]}, "outputs": {"y": ["FLOAT", [-1, 4]]},
     "layers": {"fc": 0.5, "relu": 0.25}, "fails": "build"}

A -1 of an output is the first input's; a -2 is known only when an inference ran. Layers take the ms
that they say, a build 20. `fails`: one of parse, build, hang, crash, load,
context, enqueue.
"""

from __future__ import annotations

import enum
import json
import os
import pathlib
import signal
import time
from typing import Any

NAMES = json.loads((pathlib.Path(__file__).parent / "names.json").read_text("utf-8"))["versions"]
# What there is of the version that is played, by class; set by play().
names: dict[str, list[str]] = {}


class Played:
    """Of the version's names only; what begins with _ is the stand-in's own."""

    def __getattribute__(self, name: str) -> Any:
        kind = object.__getattribute__(self, "__class__").__name__
        if not name.startswith("_") and name not in names.get(kind, [name]):
            raise AttributeError(f"{kind} has no attribute {name}")
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        kind = self.__class__.__name__
        if not name.startswith("_") and name not in names.get(kind, [name]):
            raise AttributeError(f"{kind} has no attribute {name}")
        object.__setattr__(self, name, value)


class ILogger:
    class Severity(enum.IntEnum):
        INTERNAL_ERROR = 0
        ERROR = 1
        WARNING = 2
        INFO = 3
        VERBOSE = 4

    def __init__(self) -> None:
        self._made = True


class IProfiler:
    def __init__(self) -> None:
        self._made = True


class IProgressMonitor:
    def __init__(self) -> None:
        self._made = True


class IOutputAllocator:
    def __init__(self) -> None:
        self._made = True


class ITensor(Played):
    def __init__(self, name: str, dims: list[int]) -> None:
        self.name = name
        self.shape = tuple(dims)
        self.is_shape_tensor = False


class INetworkDefinition(Played):
    def __init__(self) -> None:
        self._model: dict[str, Any] = {}

    @property
    def num_inputs(self) -> int:
        return len(self._model["inputs"])

    @property
    def num_outputs(self) -> int:
        return len(self._model["outputs"])

    def get_input(self, place: int) -> ITensor:
        name, (_, dims) = list(self._model["inputs"].items())[place]
        return ITensor(name, dims)


class ParserError(Played):
    def __init__(self, code: Any, text: str, node: str = "", operator: str = "") -> None:
        self._facts = code, text, node, operator

    def code(self) -> Any:
        return self._facts[0]

    def desc(self) -> str:
        return self._facts[1]

    def node_name(self) -> str:
        return self._facts[2]

    def node_operator(self) -> str:
        return self._facts[3]


class OnnxParser(Played):
    def __init__(self, network: INetworkDefinition, logger: Any) -> None:
        assert logger._made
        self._network, self._logger, self._errors = network, logger, []

    def parse_from_file(self, path: str) -> bool:
        codes = played["ErrorCode"]
        self._logger.log(ILogger.Severity.INFO, f"Input filename:   {path}")
        try:
            model = json.loads(pathlib.Path(path).read_text("utf-8"))
        except ValueError:
            self._errors = [ParserError(codes.MODEL_DESERIALIZE_FAILED, "Failed to parse model")]
            return False
        if model.get("fails") == "parse":
            text = "Plugin not found, are the plugin name, version, and namespace correct?"
            self._errors = [ParserError(codes.UNSUPPORTED_NODE, text, "odd", "Odd")]
            self._logger.log(ILogger.Severity.ERROR, text)
            return False
        self._network._model = model
        return True

    @property
    def num_errors(self) -> int:
        return len(self._errors)

    def get_error(self, place: int) -> ParserError:
        return self._errors[place]


class IOptimizationProfile(Played):
    def __init__(self) -> None:
        self._ranges: dict[str, list[Any]] = {}

    def set_shape(self, name: str, least: Any, best: Any, most: Any) -> None:
        if not all(a <= b <= c for a, b, c in zip(least, best, most, strict=True)):
            raise ValueError("Dimensions of the profile are out of order")
        self._ranges[name] = [least, best, most]


class ITimingCache(Played):
    def __init__(self, content: bytes) -> None:
        self._content = content

    def serialize(self) -> bytearray:
        return bytearray(self._content + b"timed")


class IBuilderConfig(Played):
    def __init__(self) -> None:
        self.max_aux_streams = -1
        self.builder_optimization_level = 3
        self._flags: set[Any] = {played["BuilderFlag"].TF32}
        self._profiles: list[IOptimizationProfile] = []
        self._pools: dict[Any, int] = {}
        self._targets: list[Any] = []
        self._monitor = None
        self._cache: ITimingCache | None = None

    @property
    def num_compute_capabilities(self) -> int:
        return len(self._targets)

    @num_compute_capabilities.setter
    def num_compute_capabilities(self, count: int) -> None:
        self._targets = [None] * count

    def set_compute_capability(self, target: Any, place: int) -> bool:
        self._targets[place] = target
        return True

    def get_compute_capability(self, place: int) -> Any:
        return self._targets[place]

    def set_flag(self, flag: Any) -> None:
        self._flags.add(flag)

    def clear_flag(self, flag: Any) -> None:
        self._flags.discard(flag)

    def get_flag(self, flag: Any) -> bool:
        return flag in self._flags

    def set_memory_pool_limit(self, pool: Any, size: int) -> None:
        self._pools[pool] = size

    def add_optimization_profile(self, profile: IOptimizationProfile) -> int:
        self._profiles.append(profile)
        return len(self._profiles) - 1

    def create_timing_cache(self, content: bytes) -> ITimingCache:
        return ITimingCache(bytes(content))

    def set_timing_cache(self, cache: ITimingCache, ignore_mismatch: bool) -> bool:
        self._cache = cache
        return not cache._content or cache._content.endswith(b"timed")

    def get_timing_cache(self) -> ITimingCache:
        assert self._cache
        return self._cache


class IHostMemory(bytearray):
    @property
    def nbytes(self) -> int:
        return len(self)


class Builder(Played):
    def __init__(self, logger: Any) -> None:
        assert logger._made
        self._logger = logger

    def create_network(self, flags: int) -> INetworkDefinition:
        if version.startswith("8.") and not flags & 1:
            raise RuntimeError("the ONNX parser needs an explicit batch")
        return INetworkDefinition()

    def create_builder_config(self) -> IBuilderConfig:
        return IBuilderConfig()

    def create_optimization_profile(self) -> IOptimizationProfile:
        return IOptimizationProfile()

    def build_serialized_network(
        self, network: INetworkDefinition, config: IBuilderConfig
    ) -> IHostMemory | None:
        model, log, severity = network._model, self._logger.log, ILogger.Severity
        if config.__dict__.get("profiling_verbosity") is None:
            log(severity.WARNING, "layers have no details")
        monitor = config.__dict__.get("progress_monitor")
        if monitor is not None:
            monitor.phase_start("Building", None, 2)
            assert monitor.step_complete("Building", 1)
        fails = model.get("fails")
        time.sleep(3600 if fails == "hang" else 0.02)
        if fails == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        for name in model["layers"]:
            log(severity.VERBOSE, f"Layer: {name} Host Persistent: 80 bytes")
        if fails == "build":
            log(severity.ERROR, "Error Code 10: Could not find any implementation for node fc.")
            log(severity.ERROR, "Engine generation failed")
            return None
        if monitor is not None:
            monitor.phase_finish("Building")
        ranges = [profile._ranges for profile in config._profiles]
        return IHostMemory(json.dumps({**model, "ranges": ranges}).encode())


class EngineInspector(Played):
    def __init__(self, engine: ICudaEngine) -> None:
        self._engine = engine

    def get_engine_information(self, form: Any) -> str:
        assert form == played["LayerInformationFormat"].JSON
        context = self.__dict__["execution_context"]

        def port(name: str) -> dict[str, Any]:
            dims = context.get_tensor_shape(name)
            return {
                "Name": name,
                "Location": "Device",
                "Dimensions": list(dims),
                "Format/Datatype": "Row major linear FP32",
            }

        model = self._engine._model
        names = [next(iter(model["inputs"])), *[f"t{i}" for i in range(1, len(model["layers"]))]]
        layers = []
        for place, name in enumerate(model["layers"]):
            last = place + 1 == len(model["layers"])
            out = next(iter(model["outputs"])) if last else names[place + 1]
            layers.append(
                {
                    "Name": name,
                    "LayerType": "gemm",
                    "Inputs": [port(names[place])],
                    "Outputs": [port(out)],
                    "TacticName": f"kernel_of_{name}",
                    "StreamId": 0,
                    "Metadata": f"[ONNX Layer: {name}]",
                }
            )
        bindings = [*model["inputs"], *model["outputs"]]
        return json.dumps({"Layers": layers, "Bindings": bindings})


class IExecutionContext(Played):
    def __init__(self, engine: ICudaEngine) -> None:
        self._engine = engine
        self._dims: dict[str, tuple[int, ...]] = {}
        self._addresses: dict[str, int] = {}
        self._allocators: dict[str, Any] = {}

    def set_input_shape(self, name: str, dims: tuple[int, ...]) -> bool:
        for ranges in self._engine._model["ranges"][:1]:
            if name in ranges:
                low, _, high = ranges[name]
                if not all(a <= b <= c for a, b, c in zip(low, dims, high, strict=True)):
                    return False
        self._dims[name] = dims
        return True

    def get_tensor_shape(self, name: str) -> tuple[int, ...]:
        model = self._engine._model
        if name in model["inputs"]:
            return self._dims[name]
        first = next(iter(self._dims.values()))
        dims = model["outputs"].get(name, ["FLOAT", list(first)])[1]
        # -2 stands for what only an inference tells.
        filled = (first[i] if dim == -1 else dim for i, dim in enumerate(dims))
        return tuple(-1 if dim == -2 else dim for dim in filled)

    def set_tensor_address(self, name: str, address: int) -> bool:
        assert address
        self._addresses[name] = address
        return True

    def set_output_allocator(self, name: str, allocator: Any) -> bool:
        assert allocator._made
        self._allocators[name] = allocator
        return True

    def execute_async_v3(self, stream: int) -> bool:
        assert stream
        model = self._engine._model
        if model.get("fails") == "enqueue":
            log = self._engine._logger.log
            log(ILogger.Severity.ERROR, "Error Code 1: Cuda Runtime (an illegal address)")
            return False
        for name in [*model["inputs"], *model["outputs"]]:
            assert name in self._addresses or name in self._allocators, name
        for name, allocator in self._allocators.items():
            last = ["reallocate_output", "reallocate_output_async"]["IProgressMonitor" in names]
            more = [stream] if last.endswith("async") else []
            assert getattr(allocator, last)(name, 0, 64, 256, *more)
            allocator.notify_shape(name, (16,))
        time.sleep(sum(model["layers"].values()) / 1e3)
        profiler = self.__dict__.get("profiler")
        if profiler is not None:
            for layer, ms in model["layers"].items():
                profiler.report_layer_time(layer, ms)
        return True


class ICudaEngine(Played):
    def __init__(self, model: dict[str, Any], logger: Any) -> None:
        self._model, self._logger = model, logger
        self._io = {**model["inputs"], **model["outputs"]}

    @property
    def num_io_tensors(self) -> int:
        return len(self._io)

    def get_tensor_name(self, place: int) -> str:
        return list(self._io)[place]

    def get_tensor_mode(self, name: str) -> Any:
        modes = played["TensorIOMode"]
        return modes.INPUT if name in self._model["inputs"] else modes.OUTPUT

    def get_tensor_dtype(self, name: str) -> Any:
        return played["DataType"][self._io[name][0]]

    def get_tensor_location(self, name: str) -> Any:
        return played["TensorLocation"].DEVICE

    def create_engine_inspector(self) -> EngineInspector:
        return EngineInspector(self)

    def create_execution_context(self) -> IExecutionContext | None:
        return None if self._model.get("fails") == "context" else IExecutionContext(self)


class Runtime(Played):
    def __init__(self, logger: Any) -> None:
        assert logger._made
        self._logger = logger

    def deserialize_cuda_engine(self, plan: IHostMemory) -> ICudaEngine | None:
        model = json.loads(bytes(plan))
        return None if model.get("fails") == "load" else ICudaEngine(model, self._logger)


CLASSES = [
    Builder,
    EngineInspector,
    IBuilderConfig,
    ICudaEngine,
    IExecutionContext,
    IHostMemory,
    ILogger,
    INetworkDefinition,
    IOptimizationProfile,
    IOutputAllocator,
    IProfiler,
    IProgressMonitor,
    ITensor,
    ITimingCache,
    OnnxParser,
    ParserError,
    Runtime,
]
ENUMERATIONS = [
    "BuilderFlag",
    "ComputeCapability",
    "DataType",
    "ErrorCode",
    "LayerInformationFormat",
    "MemoryPoolType",
    "NetworkDefinitionCreationFlag",
    "ProfilingVerbosity",
    "TensorIOMode",
    "TensorLocation",
]
version = ""
played: dict[str, Any] = {}


def play(chosen: str, shown: str) -> dict[str, Any]:
    """The names of a module of this version. `shown`: what it says of itself."""
    global names, version
    names, version = NAMES[chosen], shown
    for kind in ENUMERATIONS:
        if kind in names:
            words = [word for word in names[kind] if word not in ("name", "value")]
            played[kind] = enum.IntEnum(kind, {word: place for place, word in enumerate(words)})
    for each in CLASSES:
        if each.__name__ in names:
            played[each.__name__] = each
    return {**played, "__version__": shown}


def members_played() -> dict[str, set[str]]:
    """By class, the names that a program can find here, whatever the version."""
    found = {
        each.__name__: {word for word in vars(each) if not word.startswith("_")} for each in CLASSES
    }
    found["ITensor"] |= {"name", "shape", "is_shape_tensor"}
    found["IBuilderConfig"] |= {"max_aux_streams", "builder_optimization_level"}
    return found
