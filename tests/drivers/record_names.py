"""Writes down which names NVIDIA's Python packages have: stand_in/names.json.

    python record_names.py VERSION=WHEEL...

Each WHEEL is of tensorrt-bindings (8.6), tensorrt-cu12-bindings (10 and later) or
tensorrt-rtx-cu12-bindings (VERSION is rtx), for the Python that runs this. The bindings load where
TensorRT's libraries are not: empty ones that this compiles stand for them, as nothing is called.
Only names are recorded, those of the classes below.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

CLASSES = [
    "Builder",
    "BuilderFlag",
    "ComputeCapability",
    "DataType",
    "EngineInspector",
    "ErrorCode",
    "IBuilderConfig",
    "ICudaEngine",
    "IExecutionContext",
    "IHostMemory",
    "ILogger",
    "INetworkDefinition",
    "IOptimizationProfile",
    "IOutputAllocator",
    "IProfiler",
    "IProgressMonitor",
    "ITensor",
    "ITimingCache",
    "LayerInformationFormat",
    "MemoryPoolType",
    "NetworkDefinitionCreationFlag",
    "OnnxParser",
    "ParserError",
    "ProfilingVerbosity",
    "Runtime",
    "TensorIOMode",
    "TensorLocation",
]

# Prints the names of the module that it is given, in a process of its own: a second version of one
# module can't be loaded.
PRINT = """
import importlib.util, json, os, sys, types
sys.setdlopenflags(os.RTLD_LAZY)
folder, file = sys.argv[1].split("/")[-2:]
sys.modules[folder] = types.ModuleType(folder)
name = folder + "." + file.split(".")[0]
spec = importlib.util.spec_from_file_location(name, sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(json.dumps({
    name: sorted(word for word in dir(getattr(module, name)) if not word.startswith("_"))
    for name in sys.argv[2:] if hasattr(module, name)
}))
"""


def undefined(library: pathlib.Path) -> list[str]:
    out = subprocess.run(
        ["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True
    ).stdout
    names = [row.split()[-1] for row in out.splitlines()]
    # What has a version is another library's.
    return [name for name in names if "@" not in name and not name.startswith(("Py", "_Py"))]


def needed(library: pathlib.Path) -> list[str]:
    out = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True)
    rows = [
        row
        for row in out.stdout.splitlines()
        if "(NEEDED)" in row and ("[libnv" in row or "tensorrt" in row)
    ]
    return [row.split("[")[1].rstrip("]") for row in rows]


def names_of(wheel: str) -> dict[str, list[str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        zipfile.ZipFile(wheel).extractall(folder)
        (library,) = folder.glob("tensorrt*_bindings/*.so")
        source = folder / "empty.c"
        source.write_text("".join(f"void {word}(void) {{}}\n" for word in undefined(library)))
        for soname in needed(library):
            words = ["gcc", "-shared", "-fPIC", "-w", f"-Wl,-soname,{soname}", "-o"]
            subprocess.run([*words, folder / soname, source], check=True)
        out = subprocess.run(
            [sys.executable, "-c", PRINT, library, *CLASSES],
            env={**os.environ, "LD_LIBRARY_PATH": name},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(out.stdout)


def main() -> None:
    rows = []
    for word in sys.argv[1:]:
        version, _, wheel = word.partition("=")
        classes = [f"   {json.dumps(key)}: {json.dumps(v)}" for key, v in names_of(wheel).items()]
        rows.append(f'  "{version}": {{\n' + ",\n".join(classes) + "\n  }")
    about = "Names in the bindings of NVIDIA's packages tensorrt and tensorrt_rtx, by version"
    text = f'{{\n "about": {json.dumps(about)},\n "versions": {{\n' + ",\n".join(rows) + "\n }\n}\n"
    path = pathlib.Path(__file__).parent / "stand_in" / "names.json"
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
