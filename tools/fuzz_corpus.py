#!/usr/bin/env python3
"""Cuts the corpus of the fuzz targets from real files: tools/fuzz_corpus.py [--data DIR] [NAME]...

Seeds are cut from the real engines (PLANEX_TEST_DATA, by default ../shared/data) and from the files
of the tests: a few records of each kind, the lines of a log that are unlike those before. Then,
where `tools/build.sh fuzz` has built planex_fuzz, libFuzzer picks those that reach code the others
don't, from the seeds, the present corpus and what runs of tools/fuzz.sh have found. In
fuzz/corpus/NAME they are called seed-* and found-*; files with other names were put there by hand
and stay.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz/corpus"
SEEDS = ROOT / "build/fuzz-seeds"
FOUND = ROOT / "build/fuzz-corpus"
FUZZER = ROOT / "build/asan/fuzz/planex_fuzz"

MOST_SEED_BYTES = 16_000
# Of a target, in bytes and files. The smallest come first: they are nearly all there is to gain.
MOST_OF_SEEDS = (64_000, 60)
MOST_OF_FOUND = (24_000, 30)

GOLDEN = ROOT / "tests/golden/ingest"
OPENVINO = ROOT / "tests/data/openvino"
TRACES = ROOT / "tests/data/onnxruntime"
ARRAYS = ROOT / "tests/data/arrays"


# --- Cutting ------------------------------------------------------------------------------------


def shape_of(value: object, depth: int = 0) -> object:
    """What is alike in records that the same code reads."""
    if isinstance(value, dict):
        kind = value.get("LayerType", value.get("cat", value.get("ParameterType")))
        deeper = tuple((key, shape_of(item, depth + 1)) for key, item in value.items())
        return (kind, deeper) if depth < 3 else tuple(value)
    if isinstance(value, list):
        shapes = {repr(shape_of(item, depth + 1)) for item in value[:4]}
        return (bool(value), tuple(sorted(shapes)))
    if isinstance(value, str):
        return re.sub(r"[0-9a-f]{4,}|\d+", "0", value)[:12] if depth < 2 else "text"
    return type(value).__name__


def unlike(items: list, count: int) -> list:
    """The first `count` items that are not alike, in their order."""
    seen: set[str] = set()
    kept = []
    for item in items:
        shape = repr(shape_of(item))
        if shape in seen or len(kept) == count:
            continue
        seen.add(shape)
        kept.append(item)
    return kept


def cut_json(text: str) -> str:
    """Of long lists a few items that are not alike, until the document is small."""
    document = json.loads(text)

    def cut(value: object, count: int) -> object:
        if isinstance(value, dict):
            return {key: cut(item, count) for key, item in value.items()}
        if isinstance(value, list) and len(value) > 8:
            return [cut(item, count) for item in unlike(value, count)]
        return [cut(item, count) for item in value] if isinstance(value, list) else value

    for count in (24, 12, 8, 5, 3, 2, 1):
        result = json.dumps(cut(document, count), indent=1, ensure_ascii=False)
        if len(result.encode()) <= MOST_SEED_BYTES:
            break
    return result


def cut_lines(text: str) -> str:
    """The head of a log, then the lines that are unlike those before."""
    head = 30
    seen: set[str] = set()
    result = ""
    for number, line in enumerate(text.splitlines(keepends=True)):
        shape = re.sub(r"[0-9a-fx]{6,}|\d+(\.\d+)?", "0", line)[:60]
        if (number >= head and shape in seen) or len(line) > 2_000:
            continue
        seen.add(shape)
        if len((result + line).encode()) > MOST_SEED_BYTES:
            break
        result += line
    return result


def cut_graph_xml(text: str) -> str:
    """An execution graph with a few layers of each type and the edges between them."""
    for count in (4, 2, 1):
        net = ElementTree.fromstring(text)  # noqa: S314 (a file of our own tests)
        layers, edges = net.find("layers"), net.find("edges")
        if layers is None or edges is None:
            return text[:MOST_SEED_BYTES]
        seen: dict[str | None, int] = {}
        kept = set()
        for layer in list(layers):
            kind = layer.get("type")
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] > count:
                layers.remove(layer)
            else:
                kept.add(layer.get("id"))
        for edge in list(edges):
            if edge.get("from-layer") not in kept or edge.get("to-layer") not in kept:
                edges.remove(edge)
        result = '<?xml version="1.0"?>\n' + ElementTree.tostring(net, "unicode") + "\n"
        if len(result.encode()) <= MOST_SEED_BYTES:
            break
    return result


def cut_model(data: bytes) -> bytes | None:
    """An ONNX model whose larger weights are said to lie in another file."""
    try:
        import onnx
    except ImportError:
        print("no package onnx: larger models are left out", file=sys.stderr)
        return None
    model = onnx.load_from_string(data)

    def move_away(tensor: onnx.TensorProto) -> None:
        if len(tensor.raw_data) <= 64:
            return
        length = len(tensor.raw_data)
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", "weights.bin"), ("length", str(length))):
            tensor.external_data.add(key=key, value=value)

    for tensor in model.graph.initializer:
        move_away(tensor)
    for node in model.graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                move_away(attribute.t)
    return model.SerializeToString()


# --- Seeds: one function a target, each gives names and contents ---------------------------------

Seeds = Iterator[tuple[str, bytes]]


def texts(paths: Iterable[Path], cut) -> Seeds:
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if len(text) > MOST_SEED_BYTES:
            text = cut(text)
        yield name_of(path), text.encode(errors="surrogateescape")


def name_of(path: Path) -> str:
    """Folder and kind: "resnet18-a100-fp16-graph.json"."""
    words = path.name.split(".")
    return f"{path.parent.name}-{'.'.join(words[-2:]) if len(words) > 2 else path.name}"


def golden(pattern: str) -> list[Path]:
    return sorted(GOLDEN.glob(f"*/{pattern}"))


def as_json(text: str) -> str:
    try:
        return cut_json(text)
    except json.JSONDecodeError:
        return cut_lines(text)


def files_called(golden_pattern: str, data_pattern: str, cut=as_json):
    """Those of the golden tests, and of the real engines."""

    def seeds(data: Path) -> Seeds:
        yield from texts(golden(golden_pattern), cut)
        yield from texts(sorted(data.glob(f"engines/*/{data_pattern}")), cut)

    return seeds


def tensorrt_graph(data: Path) -> Seeds:
    yield from texts(golden("*.graph.json"), as_json)
    for pattern in ("*.graph.json", "layer*.json", "*engine_info.json", "*layer_information.json"):
        yield from texts(sorted(data.glob(f"engines/*/{pattern}")), as_json)
    for pattern in ("EngineInspector-log*", "model-trained-exportLayerInfo.log", "modelInfo*"):
        yield from texts(sorted(data.glob(f"engines/*/{pattern}")), cut_lines)


def tensorrt_times(data: Path) -> Seeds:
    yield from texts(golden("*.times.json") + golden("*.timing.json"), as_json)
    yield from texts(sorted(data.glob("engines/*/*.timing.json")), as_json)


def tensorrt_log(data: Path) -> Seeds:
    yield from texts(golden("*.log"), cut_lines)
    for pattern in ("*.log", "trt.out", "result*.txt"):
        paths = sorted(data.glob(f"engines/*/{pattern}"))
        yield from texts((path for path in paths if path.name != "benchmark_app.log"), cut_lines)


def openvino_counters(data: Path) -> Seeds:
    paths = golden("*counters*") + sorted(data.glob("engines/*/*counters*"))
    yield from texts((path for path in paths if path.suffix == ".csv"), cut_lines)
    yield from texts((path for path in paths if path.suffix == ".json"), as_json)


def onnx_models(data: Path) -> Seeds:
    paths = sorted(TRACES.glob("*/*.onnx")) + sorted(data.glob("engines/*/*.onnx"))
    for path in [*paths, data / "openvino-crash-conv-arity.onnx"]:
        if not path.exists():
            continue
        content: bytes | None = path.read_bytes()
        if len(content) > 6_000:
            content = cut_model(content)
        if content is not None and len(content) <= MOST_SEED_BYTES:
            yield name_of(path), content


def onnxruntime_trace(data: Path) -> Seeds:
    for path in sorted(TRACES.glob("*/*.json")):
        text = path.read_text()
        events = json.loads(text)
        # The start of a session and of its first run; and events that are unlike.
        yield f"{path.parent.name}-start.json", json.dumps(events[:24], indent=0).encode()
        yield f"{path.parent.name}-unlike.json", cut_json(text).encode()


def planex_plan(data: Path) -> Seeds:
    yield from texts(golden("*.plan.json"), as_json)
    planex = next((ROOT / f"build/{name}/planex" for name in ("release", "dev", "w")
                   if (ROOT / f"build/{name}/planex").exists()), None)  # fmt: skip
    if planex is None:
        print("no planex built: no exported plans", file=sys.stderr)
        return
    cases = ("profiles", "openvino-benchmark", "duplicate-names", "times", "views")
    folders = [GOLDEN / case for case in cases] + [TRACES / "1.31", OPENVINO / "tiny-qdq"]
    for folder in [*folders, *sorted(data.glob("engines/rtx1.7-conditional"))]:
        done = subprocess.run([planex, "export", folder], capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"planex export {folder} failed:\n{done.stderr.decode()}")
        yield f"{folder.name}.plan.json", as_json(done.stdout.decode()).encode()


def openvino_files(pattern: str, cut=as_json):
    def seeds(_: Path) -> Seeds:
        yield from texts(sorted(OPENVINO.glob(f"*/{pattern}")), cut)

    return seeds


def trex_archive_config(_: Path) -> Seeds:
    yield from texts(golden("*_cfg.json"), as_json)


def archive(_: Path) -> Seeds:
    def zip_of(members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", method) as file:
            for name, content in members:
                file.writestr(zipfile.ZipInfo(name), content, compress_type=method)
        return buffer.getvalue()

    layers = (GOLDEN / "one-layer/engine.graph.json").read_bytes()
    options = [(path.name, path.read_bytes()) for path in golden("*_cfg.json")]
    yield "stored.zip", zip_of([("a.graph.json", layers)], zipfile.ZIP_STORED)
    yield "packed.zip", zip_of([("run/a.graph.json", layers), ("run/notes.txt", b"x\n")])
    yield "options.tea", zip_of([*options, ("plan.graph.json", layers)])
    yield "bzip2.zip", zip_of([("a.graph.json", layers)], zipfile.ZIP_BZIP2)
    yield "gzip-inside.zip", zip_of([("a.graph.json.gz", gzip.compress(layers, mtime=0))])
    yield "outside.zip", zip_of([("../a.graph.json", layers), ("/b.json", layers)])
    yield "empty.zip", zip_of([])
    stored = bytearray(zip_of([("a.graph.json", layers)], zipfile.ZIP_STORED))
    yield "cut.zip", bytes(stored[:-10])
    yield "damaged.zip", bytes(stored).replace(b"Layers", b"Laiers", 1)
    # The flag of encrypted members, in the local header and in the directory.
    stored[6] |= 1
    stored[stored.index(b"PK\x01\x02") + 8] |= 1
    yield "encrypted.zip", bytes(stored)


def capsule(_: Path) -> Seeds:
    """Lists of the two files that the target has, in the right state and in wrong ones."""
    plan = b'{"schema":"planex.plan/1","layers":[{"name":"a"}]}'
    profile = b'[{"count":1},{"name":"a","averageMs":1}]'

    def listed(name: str, kind: str, content: bytes, **more: object) -> dict[str, object]:
        digest = hashlib.sha256(content).hexdigest()
        return {"file": name, "kind": kind, "size_bytes": len(content), "sha256": digest, **more}

    engine = listed("a.plan.json", "planex-plan", plan, is_engine=True, evidence="named by you")
    times = listed("b.json", "tensorrt-profile", profile, is_named=True)

    def text_of(*files: object, **more: object) -> bytes:
        return json.dumps(
            {"schema": "planex.capsule/1", "engine": "e", **more, "files": files}
        ).encode()

    yield "one.json", text_of(engine)
    yield "two.json", text_of(engine, times, is_name_given=True, profile_index=0, run=None)
    yield "altered.json", text_of(engine | {"sha256": "0" * 64})
    yield "missing.json", text_of(engine, times | {"file": "c.json"})
    yield "twice.json", text_of(engine, engine)
    yield "run.json", text_of(engine, run=3, is_redacted=True)


def decode(_: Path) -> Seeds:
    text = '{"Layers": ["é 𝄞"]}\n'
    for encoding in ("utf-8-sig", "utf-16-le", "utf-16-be", "utf-16"):
        yield f"text.{encoding}", text.encode(encoding)
    yield "half-pair.utf-16", b"\xff\xfe{\0}\0" + struct.pack("<HH", 0xD800, 0x7B)
    packed = gzip.compress(text.encode(), mtime=0)
    yield "text.gz", packed
    yield "two-members.gz", packed + gzip.compress(b"more\n", mtime=0)
    yield "cut.gz", packed[:-4]
    yield "utf-16.gz", gzip.compress(text.encode("utf-16"), mtime=0)
    yield "garbage-behind.gz", packed + b"\0\0\0garbage"
    # With a name and a comment in the header.
    yield "named.gz", packed[:3] + b"\x18" + packed[4:10] + b"a.json\0comment\0" + packed[10:]
    yield "control-in-text", b'{"a\x01b": "\x1e\\\x02"} trailing [1]'


def saved_arrays(*patterns: str):
    """Files that the programs themselves wrote: tests/data/arrays/make.py."""

    def seeds(_: Path) -> Seeds:
        for pattern in patterns:
            for path in sorted(ARRAYS.glob(pattern)):
                if path.stat().st_size <= MOST_SEED_BYTES:
                    yield path.name, path.read_bytes()

    return seeds


def npy(data: Path) -> Seeds:
    yield from saved_arrays("*.npy", "*/*.npy")(data)
    with zipfile.ZipFile(ARRAYS / "stored.npz") as archive:
        for name in archive.namelist():
            yield name, archive.read(name)


def nsight_export(_: Path) -> Seeds:
    """Databases of small pages, for the layers that the target has."""
    sys.path.insert(0, str(ROOT / "tests/support"))
    import nsight_export as made

    def database(version: str, change: str = "", **options: object) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.sqlite"
            export = made.Export(path, version, page_size=512)
            kernels = [made.Kernel("k1", 3), made.Kernel("k2", 5)]
            layers = [made.Layer(name, kernels) for name in ("a", "b", "a")]
            made.write_run(export, layers, 2, **options)
            export.db.commit()
            export.db.executescript(change)
            export.close()
            return path.read_bytes()

    yield "2020.sqlite", database("2020", inline_text=True)
    yield "2025.sqlite", database("2025")
    yield "graph-nodes.sqlite", database("2022", graph="nodes", around=False)
    yield "graph-whole.sqlite", database("2022", graph="whole", around=False)
    views = "DROP TABLE StringIds; CREATE VIEW StringIds AS SELECT * FROM StringIds"
    yield "views.sqlite", database("2022", views, inline_text=True, around=False)
    one_number = (
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = 101;"
        "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 101"
    )
    yield "one-number.sqlite", database("2022", one_number, around=False)
    # In WAL mode.
    wal = bytearray(database("2022", around=False))
    wal[18:20] = b"\2\2"
    yield "wal.sqlite", bytes(wal)


def discover(data: Path) -> Seeds:
    def files_of(request: str, files: Iterable[tuple[str, bytes]]) -> bytes:
        pieces = [request.encode()]
        pieces += [name.encode() + b"\n" + content for name, content in files]
        return b"\n%%\n".join(pieces)

    def folder_of(folder: Path) -> list[tuple[str, bytes]]:
        paths = sorted(path for path in folder.iterdir() if path.name != "expected.txt")
        return [(f"run/{path.name}", path.read_bytes()) for path in paths]

    cases = ("profiles", "openvino-benchmark", "duplicate-names", "times", "only-samples",
             "openvino-benchmark-counters-only", "error-two-graphs", "trex-archive-options",
             "profiles-times-of-another", "metadata-of-devices")  # fmt: skip
    for case in cases:
        content = files_of("run", folder_of(GOLDEN / case))
        if len(content) <= MOST_SEED_BYTES:
            yield case, content
    graph = (GOLDEN / "duplicate-names/engine.graph.json").read_bytes()
    profile = (GOLDEN / "duplicate-names/engine.profile.json").read_bytes()
    yield "named", files_of("x/g|x/g|x/p|||||0|name", [("x/g", graph), ("x/p", profile)])
    yield "prefix", files_of("run/a", [("run/a.graph.json", graph), ("run/b.txt", profile)])
    plan = (GOLDEN / "plan-by-hand/engine.plan.json").read_bytes()
    yield "plan", files_of("run", [("run/a.plan.json", plan), ("run/a.profile.json", profile)])
    for name, content in onnxruntime_trace(data):
        if name.endswith("start.json"):
            model = TRACES / name.split("-")[0] / "control-flow.optimized.onnx"
            stripped = cut_model(model.read_bytes()) or model.read_bytes()
            files = [("run/a.json", content), ("run/a.onnx", stripped)]
            yield f"trace-and-model-{name.split('-')[0]}", files_of("run", files)
    for engine in ("odd-names", "conditional", "loop"):
        folder = data / f"engines/rtx1.7-{engine}"
        if not folder.exists():
            continue
        log = cut_lines((folder / f"{engine}.build.log").read_text()).encode()[:9_000]
        model = cut_model((folder / f"{engine}.onnx").read_bytes())
        if model is not None:
            files = [("run/x.log", log), ("run/x.onnx", model)]
            yield f"log-and-model-{engine}", files_of("run", files)


TARGETS = {
    "archive": archive,
    "capsule": capsule,
    "decode": decode,
    "discover": discover,
    "npy": npy,
    "npz": saved_arrays("*.npz"),
    "nsight-export": nsight_export,
    "onnx": onnx_models,
    "onnxruntime-trace": onnxruntime_trace,
    "openvino-counters": openvino_counters,
    "openvino-exec-graph": files_called("*.xml", "exec_graph.xml", cut_graph_xml),
    "openvino-graph": openvino_files("*graph.json"),
    "openvino-log": files_called("benchmark_app.log", "benchmark_app.log", cut_lines),
    "openvino-profile": openvino_files("*profile.json"),
    "openvino-report": files_called("benchmark_report*", "benchmark_report*", cut_lines),
    "planex-manifest": openvino_files("*manifest.json"),
    "planex-plan": planex_plan,
    "planex-times": openvino_files("*times.json"),
    "polygraphy": saved_arrays("polygraphy-*.json", "polygraphy-folder/*.json"),
    "tensorrt-graph": tensorrt_graph,
    "tensorrt-graph-pieces": tensorrt_graph,
    "tensorrt-log": tensorrt_log,
    "tensorrt-profile": files_called("*.profile.json", "*profile.json"),
    "tensorrt-samples": files_called("latency.json", "*latency.json"),
    "tensorrt-times": tensorrt_times,
    "trex-archive-config": trex_archive_config,
    "trex-metadata": files_called("*metadata.json", "*metadata.json"),
    "trtexec-output": saved_arrays("trtexec-output.json"),
}


# --- Choosing -----------------------------------------------------------------------------------


def write_seeds(target: str, data: Path) -> Path:
    folder = SEEDS / target
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in TARGETS[target](data):
        (folder / f"seed-{name}").write_bytes(content)
    return folder


def merge(target: str, folders: list[Path]) -> None:
    """Adds to the first folder the fewest files of the others that reach what they reach together.

    Only lines count, not how often they are reached: that would take ten times the files.
    """
    command = [FUZZER, f"--target={target}", "-set_cover_merge=1", "-use_counters=0"]
    command += ["-rss_limit_mb=2048", *(folder for folder in folders if folder.is_dir())]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        sys.exit(f"merging {target} failed:\n{done.stderr[-4000:]}")


def digest(path: Path) -> str:
    return hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()


def replace_corpus(target: str, seeds: Path) -> None:
    corpus = CORPUS / target
    corpus.mkdir(parents=True, exist_ok=True)
    names = {digest(path): path.name for path in (*corpus.iterdir(), *seeds.iterdir())}
    chosen = SEEDS / f".merged-{target}"
    shutil.rmtree(chosen, ignore_errors=True)
    chosen.mkdir(parents=True)
    # Seeds first: they are what a reader of the corpus can make sense of.
    merge(target, [chosen, seeds])
    merge(target, [chosen, corpus, FOUND / target])
    contents: dict[str, bytes] = {}
    room = {"seed": MOST_OF_SEEDS, "found": MOST_OF_FOUND}
    for path in sorted(chosen.iterdir(), key=lambda path: (path.stat().st_size, path.name)):
        name = names.get(digest(path), f"found-{digest(path)[:12]}")
        if limit := room.get(name.split("-")[0]):
            left_bytes, left_files = limit[0] - path.stat().st_size, limit[1] - 1
            if left_bytes < 0 or left_files < 0:
                continue
            room[name.split("-")[0]] = (left_bytes, left_files)
        contents[name] = path.read_bytes()
    for path in corpus.iterdir():
        if path.name.startswith(("seed-", "found-")):
            path.unlink()
    for name, content in contents.items():
        (corpus / name).write_bytes(content)
    sizes = [path.stat().st_size for path in corpus.iterdir()]
    print(f"{target}: {len(sizes)} files, {sum(sizes)} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    default = os.environ.get("PLANEX_TEST_DATA", str(ROOT.parent / "shared/data"))
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of real engines")
    parser.add_argument("target", nargs="*", choices=[*TARGETS, []], help="only these")
    arguments = parser.parse_args()
    if not (arguments.data / "engines").is_dir():
        sys.exit(f"no real engines in {arguments.data}")
    for target in arguments.target or TARGETS:
        seeds = write_seeds(target, arguments.data)
        if FUZZER.exists():
            replace_corpus(target, seeds)
        else:
            count = len(list(seeds.iterdir()))
            print(f"{target}: {count} seeds in {seeds}; build the preset asan to choose of them")


if __name__ == "__main__":
    main()
