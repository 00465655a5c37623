#!/usr/bin/env python3
"""Checks who may include whom, and that ARCHITECTURE.md tells the truth about the folders.

    tools/check_deps.py [ROOT]

Prints one line per violation, FILE:LINE: what is wrong, and exits 1 if there is one. The rules are
the tables below; ARCHITECTURE.md explains them. A new module, library or folder is a new row here.
"""

from __future__ import annotations

import dataclasses
import pathlib
import posixpath
import re
import sys
from collections.abc import Iterator

from rings import Arrows, Place, python_arrows

MAX_LINES = 800

# --- Rules for C++ ------------------------------------------------------------------------------

# Which modules of src/ the files of a module may include, beside their own and the public headers.
MODULES = {
    "base": [],
    "archive": ["base"],
    "record": ["base"],
    "engines": ["base"],
    "onnx": ["base"],
    "trtexec": ["base"],
    "arrays": ["base", "archive"],
    "clean": ["base", "onnx"],
    "quantize": ["base", "engines", "onnx", "arrays"],
    "model": ["base"],
    "ingest": ["base", "archive", "onnx", "trtexec", "model"],
    "graph": ["base", "model"],
    "query": ["base", "model"],
    "arrow": ["base", "record", "model"],
    "analyze": ["base", "engines", "model", "graph", "trtexec"],
    "lint": ["base", "engines", "model", "graph"],
    "render": [
        *["base", "record", "engines", "onnx", "arrays", "quantize", "model", "graph", "trtexec"],
        *["analyze", "lint", "clean"],
    ],
    "drive": ["base", "onnx", "trtexec", "arrays"],
    "tune": ["base", "engines", "onnx", "trtexec", "arrays", "quantize", "drive"],
    "session": [
        *[
            "base",
            "archive",
            "record",
            "onnx",
            "engines",
            "trtexec",
            "quantize",
            "model",
            "ingest",
            "graph",
            "query",
            "arrow",
        ],
        *["analyze", "lint", "render", "drive"],
    ],
    "jobs": [
        *["base", "record", "onnx", "model", "arrays", "clean", "quantize", "analyze", "drive"],
        *["tune", "render", "session"],
    ],
    "c_api": ["base", "render", "drive", "session", "jobs"],
    "serve": ["base", "model", "ingest", "analyze", "render", "session"],
    "cli": [
        *["base", "record", "model", "ingest", "graph", "query", "arrays", "quantize"],
        *["analyze", "lint", "render", "drive", "session", "jobs", "serve"],
    ],
}

# Parts that are stricter than the module they are in: path prefix -> modules it may include, and
# single headers of ours.
PARTS = {
    # An executable of its own, which must not drag the drivers or the model in. It shares its jobs
    # with who starts it.
    "src/drive/openvino_driver": [
        *["base", "onnx", "arrays"],
        *["drive/inference.h", "drive/inference_files.h"],
    ],
}

# Modules whose subfolders are plug-ins, but for one: it has the one file that knows them all. They
# may use what lies directly in the module's folder, but not one another.
PLUGIN_MODULES = {"ingest": "src/ingest/discover/registry.cc"}

# Folders whose subfolders nobody else includes: the build lists what they have.
PRIVATE_FOLDERS = ["src/session/explain/"]

# Third-party headers -> path prefixes of the files that may see them. A header there may include
# them only while no file elsewhere includes that header, directly or through others: so a library
# can be exchanged by touching one module.
THIRD_PARTY = {
    "CLI/": ["src/cli/"],
    "NvInferRuntime.h": ["recorder/"],
    "boost/asio/": ["src/serve/"],
    "boost/beast/": ["src/serve/"],
    "boost/math/": ["src/analyze/"],
    "cairo-pdf.h": ["src/render/raster/"],
    "fmt/": ["src/base/"],
    "immintrin.h": ["src/drive/"],
    "jerror.h": ["src/drive/openvino_driver/"],
    "jpeglib.h": ["src/drive/openvino_driver/"],
    "librsvg/": ["src/render/raster/"],
    "openvino/": ["src/drive/openvino_driver", "recorder/", "examples/recorder/"],
    "png.h": ["src/drive/openvino_driver/"],
    "protozero/": ["src/onnx/", "src/render/onnx/"],
    "pugixml.hpp": ["src/ingest/", "src/render/junit/"],
    "rapidjson/": [
        *("src/arrays/", "src/quantize/", "src/render/", "src/drive/", "src/ingest/"),
        # By drive/json_description.h.
        "src/jobs/optimize/saved_search.cc",
    ],
    "re2/": ["src/graph/", "src/lint/", "src/query/"],
    "simdjson.h": [
        *("src/arrays/", "src/ingest/", "src/drive/", "src/render/"),
        "src/jobs/optimize/saved_search.cc",
    ],
    "sodium.h": ["src/arrays/", "src/base/", "src/drive/", "src/serve/"],
    "sqlite3.h": ["src/query/", "src/ingest/"],
    "utf8proc.h": ["src/render/"],
    "webp/": ["src/drive/openvino_driver/"],
    "xlsxwriter.h": ["src/render/xlsx/"],
    "zip.h": ["src/archive/", "src/arrays/", "src/ingest/"],
    "zlib.h": ["src/render/", "src/ingest/"],
}

# The one header of ours that hands a library on: text.h is how everybody formats text.
WRAPPERS = {"src/base/text.h": "fmt/"}

# The operating system: the core must live without it (a browser, another language's runtime).
SYSTEM = ["src/base/", "src/drive/", "src/cli/", "recorder/", "cmake/wasi/"]
SYSTEM_HEADER = re.compile(
    r"(sys|netinet|arpa|linux)/.*|"
    r"(dirent|dlfcn|fcntl|glob|netdb|poll|pthread|pwd|sched|semaphore|signal|spawn|termios|"
    r"unistd|windows)\.h"
)

# What public headers that are plain C may include.
C_HEADERS = ["stddef.h", "stdint.h"]

TEST_HEADERS = ["gtest/", "gmock/"]
TEST_FILE = re.compile(r"_(test|fuzz|fuzzer)(_[a-z_]+)?\.(cc|h)$")
BENCH_HEADERS = ["benchmark/"]
BENCH_FILE = re.compile(r"_bench\.cc$")

# Programs that use the installed library, and include its headers as those of others.
CONSUMERS = ("examples/cpp/", "examples/recorder/")

# Folders that stand outside: they test or measure everything, and so may include everything.
OUTSIDE = ["tests/", "fuzz/", "bench/"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# --- Rules for TypeScript -----------------------------------------------------------------------

# Folders of web/src -> folders they may import from, beside themselves. A folder that has no row
# may import everything but a view.
WEB_FOLDERS = {
    "base": [],
    "layout": ["base"],
    "model": ["base"],
    "public": ["base", "layout", "model"],
    "drawing": ["public", "base"],
    "views": ["public", "base", "drawing"],
    "frame": ["public", "base", "model"],
    "core": ["base", "model"],
}
# Those that import no packages: the page's look and words are in `public`.
WEB_PLAIN_FOLDERS = ["base", "drawing", "views"]
WEB_REGISTRY = "web/src/views/index.ts"
WEB_TEST_FILE = re.compile(r"(_test\.ts|/test_[a-z_]+\.ts)$")

IMPORT = re.compile(
    r"""^\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|"""  # import x from "y"
    r"""^\s*import\s*['"]([^'"]+)['"]|"""  # import "y"
    r"""^\s*\}\s*from\s*['"]([^'"]+)['"]|"""  # the last line of a long import
    r"""\bimport\(\s*['"]([^'"]+)['"]|"""  # import("y")
    r"""\bnew URL\(\s*['"](\.[^'"]+)['"]"""  # new Worker(new URL("y", import.meta.url))
)

# --- Rules for Python ---------------------------------------------------------------------------

PYTHON_PACKAGE = "python/planex"

# --- Rules for folders --------------------------------------------------------------------------

SKIPPED_FOLDERS = {"node_modules", "__pycache__"}
SKIPPED_PATHS = {
    *["build", "dist", "web/dist", "web/test-results", "web/playwright-report"],
    # Made with the wheel; here for mypy.
    *["python/planex/_rows.py", "python/planex/_tools.json", "python/planex/_topics.py"],
    "python/planex/_verbs.py",
}
SOURCE_SUFFIXES = {".cc", ".h", ".ts", ".css", ".html", ".py", ".sh", ".cmake", ".txt"}
GENERATED = re.compile(r"@generated|Generated by", re.IGNORECASE)

# A line of ARCHITECTURE.md that describes a folder: its path with a slash at the end, bare, in
# backquotes, as a list item or in the first column of a table.
FOLDER_LINE = re.compile(r"^\s*(?:[-*|]\s*)?`?((?:[\w.-]+/)+)`?(?=\s|:|$)")


@dataclasses.dataclass(frozen=True, order=True)
class Violation:
    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def listing(items: list[str]) -> str:
    return ", ".join(items) if items else "nothing"


def module_of(path: str) -> str | None:
    """The module a file of src/ belongs to, or None for other files."""
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def plugin_of(path: str) -> str | None:
    """ "ingest/tensorrt" for a file below src/ingest/tensorrt/."""
    parts = path.split("/")
    if len(parts) < 4 or parts[0] != "src" or parts[1] not in PLUGIN_MODULES:
        return None
    is_registry = posixpath.dirname(PLUGIN_MODULES[parts[1]]) == "/".join(parts[:3])
    return None if is_registry else "/".join(parts[1:3])


def check_third_party(file: str, header: str) -> str | None:
    """What is wrong with including a header that is not ours, or None."""
    if any(header.startswith(h) for h in TEST_HEADERS):
        return None if TEST_FILE.search(file) else f"<{header}> is for tests only"
    if TEST_FILE.search(file) and any(header.startswith(prefix) for prefix in THIRD_PARTY):
        return None  # A test may check our output with the library that reads it.
    if any(header.startswith(h) for h in BENCH_HEADERS):
        return None if BENCH_FILE.search(file) else f"<{header}> is for benchmarks only"
    for prefix, places in THIRD_PARTY.items():
        if header != prefix and not (prefix.endswith("/") and header.startswith(prefix)):
            continue
        if not any(file.startswith(place) for place in places):
            return f"<{header}> may only be included by {listing(places)}"
        return None
    if SYSTEM_HEADER.fullmatch(header):
        if not any(file.startswith(place) for place in SYSTEM):
            return f"<{header}> belongs to the operating system; only {listing(SYSTEM)} may use it"
        return None
    if file.startswith(CONSUMERS) and header.startswith("planex/"):
        return None
    if "." in header or "/" in header:
        return f"<{header}> is not known; a new library is a row in tools/check_deps.py"
    return None  # The standard library's headers have neither dot nor slash.


def check_ours(root: pathlib.Path, file: str, header: str) -> str | None:
    """What is wrong with including a header of ours (one in quotes), or None."""
    if header.startswith("planex/") or TEST_FILE.search(file):
        return None  # A test may load a real engine to test one part on it.
    if file.startswith("include/"):
        return f'"{header}": public headers include only the standard library and "planex/..."'
    module = module_of(file)
    if module is None:
        return None
    if ".." in header.split("/"):
        return f'"{header}": write the path from src/, without ".."'
    target = header.removeprefix("src/")
    if target.split("/")[0] not in MODULES:
        # Beside the file, or generated and found through the include path: the same module.
        beside = (root / file).parent / header
        if "/" not in header or beside.exists():
            return None
        return f'"{header}" belongs to no module of src/ ({listing(sorted(MODULES))})'
    for prefix, allowed in PARTS.items():
        if not file.startswith(prefix) or f"src/{target}".startswith(prefix):
            continue
        if target.split("/")[0] not in allowed and target not in allowed:
            return f'"{header}": {prefix} may only include {listing(allowed)}'
    wanted = target.split("/")[0]
    if wanted != module and wanted not in MODULES.get(module, []):
        return f'"{header}": {module} may only include {listing(MODULES.get(module, []))}'
    for prefix in PRIVATE_FOLDERS:
        folder = posixpath.dirname(f"src/{target}")
        if folder.startswith(prefix) and posixpath.dirname(file) != folder:
            return f'"{header}": only {folder} itself includes its headers'
    plugin = plugin_of(f"src/{target}")
    registry = PLUGIN_MODULES.get(wanted)
    if plugin and file != registry and plugin != plugin_of(file):
        return f'"{header}": only {plugin} itself and {registry} know {plugin}'
    return None


def check_leaks(sources: dict[str, list[str]]) -> Iterator[Violation]:
    """Third-party headers that reach a module they are not meant for, through headers of ours."""
    ours: dict[str, list[tuple[int, str]]] = {}  # file -> (line, our header it includes)
    seen: dict[str, dict[str, str]] = {}  # file -> third-party prefix -> how it comes there
    for file, lines in sources.items():
        ours[file], seen[file] = [], {}
        for number, line in enumerate(lines, start=1):
            found = INCLUDE.match(line)
            if not found:
                continue
            header = found.group(2)
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), header))
            for path in (f"src/{header.removeprefix('src/')}", beside):
                if path in sources:
                    ours[file].append((number, path))
                    break
            for prefix in THIRD_PARTY:
                if header.startswith(prefix) and WRAPPERS.get(file) != prefix:
                    seen[file][prefix] = header
    changed = True
    while changed:  # Until nothing more is handed on; chains of headers are short.
        changed = False
        for file, includes in ours.items():
            for _, header in includes:
                for prefix, name in seen[header].items():
                    changed = changed or prefix not in seen[file]
                    seen[file].setdefault(prefix, name)
    for file, includes in ours.items():
        for number, header in includes:
            for prefix, name in seen[header].items():
                if TEST_FILE.search(file):
                    continue
                if not any(file.startswith(place) for place in THIRD_PARTY[prefix]):
                    places = listing(THIRD_PARTY[prefix])
                    message = f"{header} hands on <{name}>, which only {places} may see"
                    yield Violation(file, number, message)


def check_cpp(root: pathlib.Path, file: str, lines: list[str]) -> Iterator[Violation]:
    module = module_of(file)
    if module is not None and module not in MODULES:
        yield Violation(file, 1, f"src/{module} has no row in tools/check_deps.py")
        return
    for number, line in enumerate(lines, start=1):
        found = INCLUDE.match(line)
        if not found:
            continue
        bracket, header = found.groups()
        if file.startswith("include/") and bracket == "<":
            standard = header in C_HEADERS or ("." not in header and "/" not in header)
            problem = None if standard else f"<{header}>: public headers stand on their own"
        elif bracket == "<" or any(header.startswith(p) for p in [*THIRD_PARTY, *TEST_HEADERS]):
            problem = check_third_party(file, header)
        else:
            problem = check_ours(root, file, header)
        if problem:
            yield Violation(file, number, problem)


def check_ts(file: str, lines: list[str]) -> Iterator[Violation]:
    inside = file.removeprefix("web/src/")
    folder = inside.split("/")[0] if "/" in inside else ""
    is_test = WEB_TEST_FILE.search(file) is not None
    view = "/".join(inside.split("/")[:2]) if folder == "views" and inside.count("/") > 1 else None
    for number, line in enumerate(lines, start=1):
        found = IMPORT.search(line)
        if not found:
            continue
        name = next(group for group in found.groups() if group)
        if not name.startswith("."):
            if folder in WEB_PLAIN_FOLDERS and not is_test:
                yield Violation(file, number, f"'{name}': {folder} imports no packages")
            continue
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), name.split("?")[0]))
        if not target.startswith("web/src/"):
            if folder in WEB_FOLDERS and not is_test:
                yield Violation(file, number, f"'{name}' lies outside web/src")
            continue
        path = target.removeprefix("web/src/")
        target_folder = path.split("/")[0]
        if target_folder == "views":
            is_index = re.fullmatch(r"views(/index(\.[jt]s)?)?", path) is not None
            same_view = view is not None and (path + "/").startswith(view + "/")
            if file != WEB_REGISTRY and not same_view and not (is_index and folder != "views"):
                yield Violation(file, number, f"'{name}': only {WEB_REGISTRY} knows the views")
        elif is_test or folder not in WEB_FOLDERS or target_folder == folder:
            continue
        elif file != WEB_REGISTRY and target_folder not in WEB_FOLDERS[folder]:
            allowed = listing(WEB_FOLDERS[folder])
            yield Violation(file, number, f"'{name}': {folder} may only import {allowed}")


def cpp_arrows(sources: dict[str, list[str]]) -> Arrows:
    """Between the folders of one module of src/."""
    arrows = Arrows()
    for file, lines in sources.items():
        module = module_of(file)
        if module is None or TEST_FILE.search(file):
            continue
        folder = posixpath.dirname(file)
        for number, line in enumerate(lines, start=1):
            found = INCLUDE.match(line)
            target = f"src/{found.group(2).removeprefix('src/')}" if found else ""
            if target in sources and module_of(target) == module:
                arrows.add(folder, posixpath.dirname(target), Place(file, number))
    return arrows


def ts_arrows(sources: dict[str, list[str]]) -> Arrows:
    """Between all folders of web/src."""
    arrows = Arrows()
    for file, lines in sources.items():
        if WEB_TEST_FILE.search(file):
            continue
        folder = posixpath.dirname(file)
        for number, line in enumerate(lines, start=1):
            found = IMPORT.search(line)
            name = next((group for group in found.groups() if group), "") if found else ""
            target = posixpath.normpath(posixpath.join(folder, name.split("?")[0]))
            if name.startswith(".") and target in sources:
                arrows.add(folder, posixpath.dirname(target), Place(file, number))
    return arrows


def check_rings(arrows: Arrows, what: str) -> Iterator[Violation]:
    for ring in arrows.rings():
        circle = " → ".join([*(tail for tail, _, _ in ring), ring[0][0]])
        for tail, head, place in ring:
            message = f"{tail} needs {head}, and so {what} need each other: {circle}"
            yield Violation(place.file, place.line, message)


def check_length(file: str, lines: list[str]) -> Iterator[Violation]:
    if len(lines) > MAX_LINES and not any(GENERATED.search(line) for line in lines[:5]):
        message = f"{len(lines)} lines; the limit is {MAX_LINES}: split it by what it does"
        yield Violation(file, len(lines), message)


def check_architecture(root: pathlib.Path, folders: set[str]) -> Iterator[Violation]:
    """One line per top-level folder and per folder of src/, and no line without its folder."""
    name = "ARCHITECTURE.md"
    if not (root / name).is_file():
        yield Violation(name, 1, "is missing")
        return
    described: dict[str, int] = {}
    for number, line in enumerate((root / name).read_text("utf-8").splitlines(), start=1):
        found = FOLDER_LINE.match(line)
        if not found:
            continue
        folder = found.group(1).rstrip("/")
        if folder in described:
            message = f"{folder}/ has a line already, line {described[folder]}"
            yield Violation(name, number, message)
        elif not (root / folder).is_dir():
            yield Violation(name, number, f"{folder}/ does not exist")
        described.setdefault(folder, number)
    for folder in sorted(folders):
        # A top-level folder may be described by what is in it: include/planex/, src/base/.
        covered = folder in described or (
            "/" not in folder and any(d.startswith(f"{folder}/") for d in described)
        )
        if not covered:
            yield Violation(name, 1, f"{folder}/ has no line; say in one what it is for")


def source_files(root: pathlib.Path) -> Iterator[str]:
    """All files that are neither hidden, built nor installed, relative to the root."""
    for path in sorted(root.iterdir()):
        yield from files_below(root, path)


def files_below(root: pathlib.Path, path: pathlib.Path) -> Iterator[str]:
    name = path.relative_to(root).as_posix()
    if path.name.startswith(".") or path.is_symlink() or name in SKIPPED_PATHS:
        return
    if path.is_file():
        yield name
    elif path.is_dir() and path.name not in SKIPPED_FOLDERS:
        for child in sorted(path.iterdir()):
            yield from files_below(root, child)


def check(root: pathlib.Path) -> list[Violation]:
    violations: list[Violation] = []
    folders: set[str] = set()
    cpp: dict[str, list[str]] = {}
    web: dict[str, list[str]] = {}
    python: list[str] = []
    for file in source_files(root):
        parts = file.split("/")
        if len(parts) > 1:
            folders.add(parts[0])
        if len(parts) > 2 and parts[0] == "src":
            folders.add("/".join(parts[:2]))
        suffix = pathlib.PurePath(file).suffix
        # Test data is not source: engines are as large and as odd as their tools made them.
        if suffix not in SOURCE_SUFFIXES or file.startswith(("tests/data/", "tests/golden/")):
            continue
        lines = (root / file).read_text("utf-8", errors="replace").splitlines()
        violations += check_length(file, lines)
        if suffix in (".cc", ".h") and not file.startswith(tuple(OUTSIDE)):
            violations += check_cpp(root, file, lines)
            cpp[file] = lines
        if suffix == ".ts" and file.startswith("web/src/"):
            violations += check_ts(file, lines)
            web[file] = lines
        if suffix == ".py" and file.startswith(f"{PYTHON_PACKAGE}/"):
            python.append(file)
    violations += check_leaks(cpp)
    violations += check_rings(cpp_arrows(cpp), "folders")
    violations += check_rings(ts_arrows(web), "folders")
    violations += check_rings(python_arrows(root, PYTHON_PACKAGE, python), "modules")
    violations += check_architecture(root, folders)
    return sorted(set(violations))


def main(argv: list[str]) -> int:
    if len(argv) > 2 or argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0 if len(argv) == 2 else 2
    root = pathlib.Path(argv[1]) if len(argv) == 2 else pathlib.Path(__file__).parent.parent
    violations = check(root.resolve())
    for violation in violations:
        print(violation)
    if violations:
        print(f"check_deps: {len(violations)} violations", file=sys.stderr)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
