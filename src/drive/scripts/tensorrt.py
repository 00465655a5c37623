"""planex-tensorrt: builds and runs an engine with NVIDIA's package tensorrt, 8.6 and later.

For machines without trtexec, since the package does not include it.

Part of a program: see driver_common.py.
"""

import argparse
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from driver_common import DriverError, Parser, drive, integer, join_words, usage
    from tensorrt_common import TensorRt

OLDEST = (8, 6)
# From this version on, networks always have explicit batches.
FIRST_WITHOUT_BATCH_FLAG = 10

PRECISION_FLAGS = {
    "fp32": [],
    "tf32": ["TF32"],
    "fp16": ["FP16"],
    "bf16": ["BF16"],
    "int8": ["INT8"],
    "fp8": ["FP8"],
    "best": ["TF32", "FP16", "BF16", "INT8", "FP8"],
}
ALIASES = {"f32": "fp32", "f16": "fp16", "i8": "int8", "f8": "fp8"}


class TensorRtPackage(TensorRt):
    program = "planex-tensorrt"
    label = "TensorRT"
    package = "tensorrt"
    producer = "tensorrt"
    install = "python -m pip install tensorrt"

    def parser(self) -> Parser:
        parser = super().parser()
        add = parser.add_argument
        add("--timing-cache", metavar="FILE", help="read tactic times from FILE, and add new ones")
        add(
            "--workspace-mib",
            metavar="N",
            type=integer(0, 1 << 30),
            help="workspace limit per tactic, in MiB; default: all",
        )
        add("--no-tf32", action="store_true", help="the same as --flag no-tf32")
        parser.epilog = (
            f"--precision: {', '.join(PRECISION_FLAGS)}, before version 11; from 11 on the "
            "model's own types decide. " + (parser.epilog or "")
        )
        return parser

    def check(self, options: argparse.Namespace) -> None:
        options.precision = ALIASES.get(options.precision, options.precision)
        if options.precision not in (None, *PRECISION_FLAGS):
            known = join_words(list(PRECISION_FLAGS))
            raise usage(f'TensorRT has no precision "{options.precision}"', f"Valid: {known}.")
        if options.no_tf32:
            options.flags.append("no-tf32")

    def load(self) -> Any:
        trt = super().load()
        numbers = tuple(int(word) for word in trt.__version__.split(".")[:2])
        if numbers < OLDEST:
            raise DriverError(
                "unsupported",
                f"TensorRT {trt.__version__} is too old: 8.6 or later is needed",
                "Use --engine trtexec, which planex drives from 8.2 on.",
            )
        return trt

    def network_flags(self, trt: Any, options: argparse.Namespace) -> list[Any]:
        known = trt.NetworkDefinitionCreationFlag.__members__
        flags = []
        if int(trt.__version__.split(".")[0]) < FIRST_WITHOUT_BATCH_FLAG:
            flags.append(known["EXPLICIT_BATCH"])
        if options.strongly_typed:
            if "STRONGLY_TYPED" not in known:
                raise usage(f"TensorRT {trt.__version__} has no strongly typed networks")
            flags.append(known["STRONGLY_TYPED"])
        return flags

    def configure(self, trt: Any, config: Any, options: argparse.Namespace) -> None:
        known = trt.BuilderFlag.__members__
        wanted = PRECISION_FLAGS[options.precision or "fp32"]
        present = [name for name in wanted if name in known]
        if wanted and (not present or (options.precision != "best" and present != wanted)):
            raise usage(
                f"TensorRT {trt.__version__} has no precision {options.precision}",
                "From 11 on the model's own types decide: convert it (planex cast MODEL "
                "--to fp16), or quantize it (planex quantize for int8; NVIDIA's Model "
                "Optimizer for fp8)."
                if "FP16" not in known
                else "A later version has it.",
            )
        if wanted and options.strongly_typed:
            raise usage("--precision and --strongly-typed exclude each other")
        for name in present:
            config.set_flag(known[name])
        if options.workspace_mib is not None:
            config.set_memory_pool_limit(trt.MemoryPoolType.WORKSPACE, options.workspace_mib << 20)
        if options.timing_cache:
            content = b""
            if os.path.exists(options.timing_cache):
                with open(options.timing_cache, "rb") as file:
                    content = file.read()
            self.cache = config.create_timing_cache(content)
            if self.cache is None or not config.set_timing_cache(self.cache, False):
                raise DriverError(
                    "bad-input",
                    f"{options.timing_cache}: TensorRT rejected this timing cache",
                    "It is from another version or GPU: give the name of a new file.",
                )

    def finish_build(self, trt: Any, config: Any, options: argparse.Namespace) -> None:
        if not options.timing_cache:
            return
        # Other programs may read it at any time.
        part = f"{options.timing_cache}.part-{os.getpid()}"
        with open(part, "wb") as file:
            file.write(memoryview(config.get_timing_cache().serialize()))
        os.replace(part, options.timing_cache)


if __name__ == "__main__":
    drive(TensorRtPackage(), sys.argv[1:])
