"""planex-tensorrt-rtx: builds a TensorRT-RTX engine, even on a machine without a GPU.

Without a GPU the log is the only result: it lists the layers. With several targets the program
builds one engine for all of them, as it would be shipped; for one engine per target, run the
program once per target.

Part of a program: see driver_common.py.
"""

import argparse
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from driver_common import Files, Parser, Progress, did_you_mean, drive, join_words, usage
    from tensorrt_common import TensorRt

TERMS = (
    "TensorRT-RTX is NVIDIA's, and you use it under your own license agreement with NVIDIA "
    "(LICENSE.txt of the package). Among other things it prohibits building engines for others as "
    "a hosted service. This is shown once."
)


def terms_marker() -> str:
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(
        os.path.expanduser("~"), ".local", "state"
    )
    return os.path.join(state, "planex", "tensorrt-rtx-terms-shown")


class TensorRtRtx(TensorRt):
    program = "planex-tensorrt-rtx"
    label = "TensorRT-RTX"
    package = "tensorrt_rtx"
    producer = "tensorrt-rtx"
    install = "python -m pip install tensorrt-rtx-cu12"
    needs_gpu = False

    def parser(self) -> Parser:
        parser = super().parser()
        parser.add_argument(
            "--target",
            metavar="sm75,sm80",
            action="append",
            default=[],
            dest="targets",
            help="compute capabilities that the engine must support; default: the package's",
        )
        parser.epilog = (
            "--precision: TensorRT-RTX computes in the model's own types; change the model. "
            + (parser.epilog or "")
        )
        return parser

    def check(self, options: argparse.Namespace) -> None:
        if options.precision not in (None, "fp32", "f32"):
            raise usage(
                f"TensorRT-RTX has no precision {options.precision}: it computes in the model's "
                "own types",
                "Convert the model (planex cast MODEL --to fp16), or quantize it (planex quantize "
                "for int8; NVIDIA's Model Optimizer for fp8 and fp4).",
            )

    def network_flags(self, trt: Any, options: argparse.Namespace) -> list[Any]:
        flags = trt.NetworkDefinitionCreationFlag
        return [flags.STRONGLY_TYPED] if options.strongly_typed else []

    def configure(self, trt: Any, config: Any, options: argparse.Namespace) -> None:
        words = [word for words in options.targets for word in words.split(",")]
        known = {
            name: value
            for name, value in trt.ComputeCapability.__members__.items()
            if name != "NONE"
        }
        names = []
        for word in words:
            name = word.strip().upper().replace(".", "")
            name = f"SM{name}" if name.isdigit() else name
            if name not in known:
                listed = join_words([each.lower() for each in known])
                hint = did_you_mean(name, list(known), f"Valid: {listed}.").lower().capitalize()
                raise usage(f'this TensorRT-RTX has no target "{word}"', hint)
            if name not in names:
                names.append(name)
        if "CURRENT" in names and len(names) > 1:
            raise usage("--target current can't be combined: it means this machine's GPU")
        config.num_compute_capabilities = len(names)
        for place, name in enumerate(names):
            if not config.set_compute_capability(known[name], place):
                raise usage(f"TensorRT-RTX rejected the target {name.lower()}")

    def targets(self, trt: Any, config: Any) -> list[str]:
        count = config.num_compute_capabilities
        return [config.get_compute_capability(place).name for place in range(count)]

    def run(
        self, options: argparse.Namespace, files: Files, progress: Progress, notes: list[str]
    ) -> None:
        marker = terms_marker()
        is_first = not os.path.exists(marker)
        if is_first:
            notes.append(TERMS)
        super().run(options, files, progress, notes)
        if is_first:
            try:
                os.makedirs(os.path.dirname(marker), exist_ok=True)
                with open(marker, "w", encoding="utf-8"):
                    pass
            except OSError:
                pass  # The terms are shown again next time.


if __name__ == "__main__":
    drive(TensorRtRtx(), sys.argv[1:])
