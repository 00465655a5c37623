"""planex-openvino on PATH: starts the driver with the libraries of OpenVINO's own wheel."""

from __future__ import annotations

import os
import sys

from planex._run import INSTALL, PROGRAMS, openvino_libraries


def main() -> None:
    """Becomes the driver."""
    libraries = openvino_libraries()
    program = PROGRAMS / "planex-openvino"
    if libraries is None or not program.exists():
        print(f"error: OpenVINO is not installed\n  {INSTALL}", file=sys.stderr)
        sys.exit(4)
    before = os.environ.get("LD_LIBRARY_PATH")
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, [str(libraries), before])),
    }
    os.execve(program, [str(program), *sys.argv[1:]], environment)  # noqa: S606
