#!/usr/bin/env python3
"""Writes a stand-in for Nsight Systems' SQLite export of a TensorRT run.

    tests/support/nsight_export.py ENGINE_FOLDER OUT.sqlite [--version 2020|2022|2025] [--graph]
    tests/support/nsight_export.py --layers 100000 --inferences 100 OUT.sqlite

There is no GPU where the tests run, so no export is real. Tables, columns, types and numbers of
enumerations are those of NVIDIA's published schema (SQLite schema reference of the user guide, and
of the exporter's documentation for 2020 and 2021.5); names of layers are those of the engine, and
times are made of its profile: what a layer takes, less 2 µs for the profiler's events, split over
one or two kernels. Nothing about the times of a device can be learnt from such a file.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

VERSIONS = ("2020", "2022", "2025")

PROCESS = 0x0001_00_0A2B_00_0000  # machine, process, and no thread
THREAD = PROCESS | 0x2B
DOMAIN = 3
MYELIN_DOMAIN = 4
PUSH_POP, START_END, DOMAIN_CREATED, MARK = 59, 60, 75, 34

# Columns by table: (name, type and constraint, the first version that has it). A version before
# 2021 has no nulls: what is missing is written as 0 or as an empty text.
TABLES: dict[str, list[tuple[str, str, str]]] = {
    "StringIds": [
        ("id", "INTEGER NOT NULL PRIMARY KEY", "2020"),
        ("value", "TEXT NOT NULL", "2020"),
    ],
    "ThreadNames": [
        ("nameId", "INTEGER NOT NULL", "2020"),
        ("priority", "INTEGER", "2020"),
        ("globalTid", "INTEGER", "2020"),
    ],
    "META_DATA_EXPORT": [("name", "TEXT NOT NULL", "2022"), ("value", "TEXT", "2022")],
    "TARGET_INFO_GPU": [
        ("vmId", "INTEGER NOT NULL", "2022"),
        ("id", "INTEGER NOT NULL", "2020"),
        ("name", "TEXT", "2020"),
        ("totalMemory", "INTEGER", "2020"),
        ("smCount", "INTEGER", "2020"),
        ("computeMajor", "INTEGER", "2022"),
        ("computeMinor", "INTEGER", "2022"),
    ],
    "ENUM_CUDA_MEMCPY_OPER": [
        ("id", "INTEGER NOT NULL PRIMARY KEY", "2022"),
        ("name", "TEXT", "2022"),
        ("label", "TEXT", "2022"),
    ],
    "CUPTI_ACTIVITY_KIND_KERNEL": [
        ("start", "INTEGER NOT NULL", "2020"),
        ("end", "INTEGER NOT NULL", "2020"),
        ("deviceId", "INTEGER NOT NULL", "2020"),
        ("contextId", "INTEGER NOT NULL", "2020"),
        ("greenContextId", "INTEGER", "2025"),
        ("streamId", "INTEGER NOT NULL", "2020"),
        ("correlationId", "INTEGER", "2020"),
        ("globalPid", "INTEGER", "2020"),
        ("demangledName", "INTEGER NOT NULL", "2020"),
        ("shortName", "INTEGER NOT NULL", "2020"),
        ("mangledName", "INTEGER", "2022"),
        ("launchType", "INTEGER", "2022"),
        ("cacheConfig", "INTEGER", "2020"),
        ("registersPerThread", "INTEGER NOT NULL", "2020"),
        ("gridX", "INTEGER NOT NULL", "2020"),
        ("gridY", "INTEGER NOT NULL", "2020"),
        ("gridZ", "INTEGER NOT NULL", "2020"),
        ("blockX", "INTEGER NOT NULL", "2020"),
        ("blockY", "INTEGER NOT NULL", "2020"),
        ("blockZ", "INTEGER NOT NULL", "2020"),
        ("staticSharedMemory", "INTEGER NOT NULL", "2020"),
        ("dynamicSharedMemory", "INTEGER NOT NULL", "2020"),
        ("localMemoryPerThread", "INTEGER NOT NULL", "2020"),
        ("localMemoryTotal", "INTEGER NOT NULL", "2020"),
        ("gridId", "INTEGER NOT NULL", "2020"),
        ("sharedMemoryExecuted", "INTEGER", "2022"),
        ("graphNodeId", "INTEGER", "2022"),
        ("sharedMemoryLimitConfig", "INTEGER", "2025"),
    ],
    "CUPTI_ACTIVITY_KIND_MEMCPY": [
        ("start", "INTEGER NOT NULL", "2020"),
        ("end", "INTEGER NOT NULL", "2020"),
        ("deviceId", "INTEGER NOT NULL", "2020"),
        ("contextId", "INTEGER NOT NULL", "2020"),
        ("streamId", "INTEGER NOT NULL", "2020"),
        ("correlationId", "INTEGER", "2020"),
        ("globalPid", "INTEGER", "2020"),
        ("bytes", "INTEGER NOT NULL", "2020"),
        ("copyKind", "INTEGER NOT NULL", "2020"),
        ("graphNodeId", "INTEGER", "2022"),
    ],
    "CUPTI_ACTIVITY_KIND_MEMSET": [
        ("start", "INTEGER NOT NULL", "2020"),
        ("end", "INTEGER NOT NULL", "2020"),
        ("deviceId", "INTEGER NOT NULL", "2020"),
        ("contextId", "INTEGER NOT NULL", "2020"),
        ("streamId", "INTEGER NOT NULL", "2020"),
        ("correlationId", "INTEGER", "2020"),
        ("globalPid", "INTEGER", "2020"),
        ("value", "INTEGER NOT NULL", "2020"),
        ("bytes", "INTEGER NOT NULL", "2020"),
        ("graphNodeId", "INTEGER", "2022"),
    ],
    "CUPTI_ACTIVITY_KIND_RUNTIME": [
        ("start", "INTEGER NOT NULL", "2020"),
        ("end", "INTEGER NOT NULL", "2020"),
        ("eventClass", "INTEGER NOT NULL", "2020"),
        ("globalTid", "INTEGER", "2020"),
        ("correlationId", "INTEGER", "2020"),
        ("nameId", "INTEGER NOT NULL", "2020"),
        ("returnValue", "INTEGER NOT NULL", "2020"),
        ("callchainId", "INTEGER", "2022"),
    ],
    "CUDA_GRAPH_NODE_EVENTS": [
        ("start", "INTEGER NOT NULL", "2022"),
        ("end", "INTEGER NOT NULL", "2022"),
        ("eventClass", "INTEGER NOT NULL", "2022"),
        ("globalTid", "INTEGER", "2022"),
        ("nameId", "INTEGER NOT NULL", "2022"),
        ("graphNodeId", "INTEGER NOT NULL", "2022"),
        ("originalGraphNodeId", "INTEGER", "2022"),
    ],
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": [
        ("start", "INTEGER NOT NULL", "2022"),
        ("end", "INTEGER NOT NULL", "2022"),
        ("deviceId", "INTEGER NOT NULL", "2022"),
        ("contextId", "INTEGER NOT NULL", "2022"),
        ("streamId", "INTEGER NOT NULL", "2022"),
        ("correlationId", "INTEGER", "2022"),
        ("globalPid", "INTEGER", "2022"),
        ("graphId", "INTEGER NOT NULL", "2022"),
        ("graphExecId", "INTEGER NOT NULL", "2022"),
    ],
    "NVTX_EVENTS": [
        ("start", "INTEGER NOT NULL", "2020"),
        ("end", "INTEGER", "2020"),
        ("eventType", "INTEGER NOT NULL", "2020"),
        ("rangeId", "INTEGER", "2020"),
        ("category", "INTEGER", "2020"),
        ("color", "INTEGER", "2020"),
        ("text", "TEXT", "2020"),
        ("globalTid", "INTEGER", "2020"),
        ("endGlobalTid", "INTEGER", "2020"),
        ("textId", "INTEGER", "2020"),
        ("domainId", "INTEGER", "2020"),
        ("uint64Value", "INTEGER", "2020"),
        ("jsonTextId", "INTEGER", "2025"),
        ("jsonText", "TEXT", "2022"),
    ],
}
# Made whether something was recorded or not.
ALWAYS = (
    "StringIds",
    "ThreadNames",
    "META_DATA_EXPORT",
    "TARGET_INFO_GPU",
    "ENUM_CUDA_MEMCPY_OPER",
)

SCHEMA_VERSIONS = {"2022": ("2022.4.2.1", "2.7.1"), "2025": ("2025.1.1.65", "3.16.3")}


@dataclass
class Kernel:
    name: str
    us: float
    short: str = ""
    grid: tuple[int, int, int] = (108, 1, 1)
    block: tuple[int, int, int] = (128, 1, 1)


@dataclass
class Layer:
    name: str
    kernels: list[Kernel] = field(default_factory=list)


def columns_of(table: str, version: str) -> list[tuple[str, str]]:
    columns = [(name, kind) for name, kind, since in TABLES[table] if since <= version]
    if version < "2021":
        columns = [
            (name, kind if "NOT NULL" in kind else f"{kind} NOT NULL") for name, kind in columns
        ]
    return columns


class Export:
    """A database with the tables of one version; tables are made when the first row comes."""

    def __init__(
        self, path: pathlib.Path | str, version: str = "2025", page_size: int = 4096
    ) -> None:
        self.version = version
        self.db = sqlite3.connect(path)
        self.db.executescript(
            f"PRAGMA page_size={page_size}; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF"
        )
        self.strings: dict[str, int] = {}
        self.made: set[str] = set()
        for table in ALWAYS:
            self.make(table)
        self.row("TARGET_INFO_GPU", id=0, name="NVIDIA A100-SXM4-40GB", vmId=0)
        if version in SCHEMA_VERSIONS:
            product, schema = SCHEMA_VERSIONS[version]
            self.row("META_DATA_EXPORT", name="EXPORT_PRODUCT_VERSION", value=product)
            self.row("META_DATA_EXPORT", name="EXPORT_SCHEMA_VERSION", value=schema)

    def make(self, table: str) -> bool:
        if table in self.made:
            return True
        columns = columns_of(table, self.version)
        if not columns:
            return False
        self.made.add(table)
        text = ",\n    ".join(f"{name:<27} {kind}" for name, kind in columns)
        self.db.execute(f"CREATE TABLE {table} (\n    {text}\n)")
        return True

    def rows(self, table: str, names: Iterable[str], rows: Iterable[tuple]) -> None:
        """Many rows of the same columns; columns that the version lacks are left out."""
        if not self.make(table):
            return
        names = list(names)
        columns = columns_of(table, self.version)
        known = dict(columns)
        kept = [i for i, name in enumerate(names) if name in known]
        # What has to be there and was not given.
        rest = [
            (n, "''" if "TEXT" in k else "0")
            for n, k in columns
            if n not in names and "NOT NULL" in k
        ]
        given = ", ".join([names[i] for i in kept] + [name for name, _ in rest])

        def place(kind: str) -> str:
            if self.version >= "2021":
                return "?"
            return "coalesce(?, '')" if "TEXT" in kind else "coalesce(?, 0)"

        places = ", ".join([place(known[names[i]]) for i in kept] + [value for _, value in rest])
        sql = f"INSERT INTO {table} ({given}) VALUES ({places})"  # noqa: S608
        if len(kept) == len(names):
            self.db.executemany(sql, rows)
        else:
            self.db.executemany(sql, (tuple(row[i] for i in kept) for row in rows))

    def row(self, table: str, **values: object) -> None:
        self.rows(table, values.keys(), [tuple(values.values())])

    def string(self, text: str) -> int:
        if text not in self.strings:
            self.strings[text] = len(self.strings) + 1
            self.row("StringIds", id=self.strings[text], value=text)
        return self.strings[text]

    def domain(self, name: str, number: int) -> None:
        self.row(
            "NVTX_EVENTS",
            start=1,
            eventType=DOMAIN_CREATED,
            text=name,
            globalTid=THREAD,
            domainId=number,
        )

    def close(self) -> None:
        self.db.commit()
        self.db.close()


RANGE = ("start", "end", "eventType", "text", "textId", "globalTid", "domainId")
CALL = ("start", "end", "globalTid", "correlationId", "nameId")
KERNEL = (
    "start", "end", "streamId", "correlationId", "globalPid", "demangledName", "shortName",
    "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
    "staticSharedMemory", "dynamicSharedMemory", "graphNodeId",
)  # fmt: skip


def write_run(
    export: Export,
    layers: list[Layer],
    inferences: int = 10,
    *,
    graph: str = "",
    inline_text: bool = False,
    around: bool = True,
    warm_up: float = 3.0,
    suffix: str = "",
) -> None:
    """A benchmark's inferences, one after the other on one thread and one stream.

    graph: "" none, "nodes" the kernels of a CUDA graph that was captured in the recording, "lost"
    one that was captured before it, "whole" the graph without its kernels. around: copies before
    and behind an inference, and a kernel of the application. warm_up: how much longer the first
    inference takes. suffix: what stands behind each layer's name in its range.
    """
    launch = export.string("cudaLaunchKernel_v7000")
    copy = export.string("cudaMemcpyAsync_v3020")
    graph_launch = export.string("cudaGraphLaunch_v10000")
    node_created = export.string("Graph Node Creation")
    export.domain("TensorRT", DOMAIN)
    export.domain("myelin-exec", MYELIN_DOMAIN)
    texts = [layer.name + suffix for layer in layers]
    text_ids = [None if inline_text else export.string(text) for text in texts]
    enqueue = None if inline_text else export.string("ExecutionContext::enqueue")
    names = {
        kernel.name: (export.string(kernel.name), export.string(kernel.short or kernel.name))
        for layer in layers
        for kernel in layer.kernels
    }
    other = export.string("void preprocess<float>(float const*, float*, int)")
    ranges: list[tuple] = []
    calls: list[tuple] = []
    kernels: list[tuple] = []
    nodes: list[tuple] = []
    copies: list[tuple] = []
    traces: list[tuple] = []

    def flush() -> None:
        export.rows("NVTX_EVENTS", RANGE, ranges)
        export.rows("CUPTI_ACTIVITY_KIND_RUNTIME", CALL, calls)
        export.rows("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, kernels)
        if copies:
            columns = (
                "start",
                "end",
                "streamId",
                "correlationId",
                "globalPid",
                "bytes",
                "copyKind",
            )
            export.rows("CUPTI_ACTIVITY_KIND_MEMCPY", columns, copies)
        if nodes:
            columns = ("start", "end", "globalTid", "nameId", "graphNodeId", "originalGraphNodeId")
            export.rows("CUDA_GRAPH_NODE_EVENTS", columns, nodes)
        if traces:
            columns = (
                "start",
                "end",
                "streamId",
                "correlationId",
                "globalPid",
                "graphId",
                "graphExecId",
            )
            export.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", columns, traces)
        for rows in (ranges, calls, kernels, nodes, copies, traces):
            rows.clear()

    def add_range(start: int, end: int, text: str, text_id: int | None) -> None:
        row_text = text if text_id is None else None
        ranges.append((start, end, PUSH_POP, row_text, text_id, THREAD, DOMAIN))

    def kernel_row(kernel: Kernel, at: int, ns: int, correlation: int, node: int | None) -> tuple:
        demangled, short = names[kernel.name]
        return (
            at, at + ns, 7, correlation, PROCESS, demangled, short, 64, *kernel.grid, *kernel.block,
            0, 16384, node,
        )  # fmt: skip

    now = 1_000_000
    correlation = 100
    if graph in ("nodes", "lost"):
        node = 0
        if graph == "nodes":
            # The capture: ranges, calls and nodes, and nothing on the device.
            begin = now
            for layer, text, text_id in zip(layers, texts, text_ids, strict=True):
                start = now
                for _ in layer.kernels:
                    node += 1
                    now += 2_000
                    correlation += 1
                    calls.append((now, now + 1_500, THREAD, correlation, launch))
                    nodes.append((now + 500, now + 500, THREAD, node_created, node, None))
                add_range(start + 100, now + 1_800, text, text_id)
                now += 2_000
            add_range(begin, now, "ExecutionContext::enqueue", enqueue)
            # Instantiated: each node again, as a copy of itself.
            for original in range(1, node + 1):
                nodes.append((now, now, THREAD, node_created, original + 1_000_000, original))
    for inference in range(inferences):
        slow = warm_up if inference == 0 else 1.0
        now += 20_000
        device = now + 30_000
        if around:
            correlation += 1
            calls.append((now, now + 3_000, THREAD, correlation, copy))
            copies.append((device, device + 9_000, 7, correlation, PROCESS, 602_112, 1))
            correlation += 1
            calls.append((now + 4_000, now + 6_000, THREAD, correlation, launch))
            kernels.append(
                (device + 10_000, device + 14_000, 7, correlation, PROCESS, other, other, 32,
                 64, 1, 1, 256, 1, 1, 0, 0, None)
            )  # fmt: skip
            now += 8_000
            device += 20_000
        begin = now
        if graph:
            correlation += 1
            calls.append((now, now + 9_000, THREAD, correlation, graph_launch))
            start, node = device, 1_000_000
            for layer in layers:
                for kernel in layer.kernels:
                    node += 1
                    ns = round(kernel.us * 1000 * slow)
                    if graph != "whole":
                        kernels.append(kernel_row(kernel, device, ns, correlation, node))
                    device += ns + 300
            if graph == "whole":
                traces.append((start, device, 7, correlation, PROCESS, 1, 2))
            now += 10_000
        else:
            now += 1_000
            for layer, text, text_id in zip(layers, texts, text_ids, strict=True):
                start = now
                for kernel in layer.kernels:
                    now += 1_000
                    correlation += 1
                    calls.append((now, now + 2_500, THREAD, correlation, launch))
                    device = max(device, now + 3_000)
                    ns = round(kernel.us * 1000 * slow)
                    kernels.append(kernel_row(kernel, device, ns, correlation, None))
                    device += ns + 700
                    now += 2_500
                add_range(start, now + 200, text, text_id)
                now += 400
            add_range(begin, now, "ExecutionContext::enqueue", enqueue)
        now = max(now, device)
        if around:
            correlation += 1
            calls.append((now, now + 3_000, THREAD, correlation, copy))
            copies.append((now + 1_000, now + 3_500, 7, correlation, PROCESS, 128_000, 2))
            now += 10_000
        if len(kernels) > 200_000:
            flush()
    flush()


def times_of(folder: pathlib.Path) -> dict[str, float]:
    """Median time in µs by layer, from trexec's profile."""
    files = sorted(folder.glob("*profile.json"))
    if not files:
        return {}
    rows = [row for row in json.loads(files[0].read_text()) if "name" in row]
    return {row["name"]: 1000 * row.get("medianMs", row["averageMs"]) for row in rows}


def layers_of(folder: pathlib.Path) -> list[Layer]:
    """The layers of an engine that do work, each with what it might launch."""
    graph = json.loads(next(iter(sorted(folder.glob("*graph.json")))).read_text())
    times = times_of(folder)
    layers = []
    for record in graph["Layers"]:
        name = record["Name"]
        kind = record.get("ParameterType", record.get("LayerType", ""))
        if record["LayerType"] in ("Constant", "NoOp") or kind in ("Constant", "NoOp"):
            continue
        us = max(1.0, times.get(name, 10.0) - 2.0)
        tactic = record.get("TacticName") or f"generated::{record['LayerType']}"
        layer = Layer(name)
        if kind == "Reformat":
            reformat = "void genericReformat::copyPackedKernel<float, signed char, true>(int)"
            layer.kernels = [Kernel(reformat, us, "copyPackedKernel", (49, 1, 32), (256, 1, 1))]
        elif kind == "Convolution" and len(layers) % 4 == 1:
            layer.kernels = [
                Kernel(tactic, 0.85 * us, tactic),
                Kernel("void splitKreduce_kernel<32, 16, int>(float*)", 0.15 * us,
                       "splitKreduce_kernel", (32, 4, 1), (32, 16, 1)),
            ]  # fmt: skip
        else:
            layer.kernels = [Kernel(tactic, us, tactic)]
        layers.append(layer)
    return layers


def synthetic(count: int) -> Iterator[Layer]:
    """Layers with a kernel each."""
    for i in range(count):
        yield Layer(f"layer_{i}", [Kernel(f"sm80_kernel_{i % 97}", 5 + i % 13)])


def names_of(path: pathlib.Path) -> list[Layer]:
    """Layers by the names of a layer file, with a kernel each."""
    records = json.loads(path.read_text())["Layers"]
    names = [record if isinstance(record, str) else record["Name"] for record in records]
    return [
        Layer(name, [Kernel(f"sm80_kernel_{i % 97}", 5 + i % 13)]) for i, name in enumerate(names)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("engine", nargs="?", type=pathlib.Path, help="a folder, or a layer file")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--version", choices=VERSIONS, default="2025")
    parser.add_argument("--graph", choices=["", "nodes", "lost", "whole"], default="")
    parser.add_argument("--inferences", type=int, default=10)
    parser.add_argument("--layers", type=int, help="as many made-up layers instead of an engine's")
    parser.add_argument("--inline-text", action="store_true", help="names in the ranges themselves")
    options = parser.parse_args()
    if options.layers is not None:
        layers = list(synthetic(options.layers))
    elif options.engine.is_dir():
        layers = layers_of(options.engine)
    else:
        layers = names_of(options.engine)
    options.out.unlink(missing_ok=True)
    export = Export(options.out, options.version)
    write_run(
        export,
        layers,
        options.inferences,
        graph=options.graph,
        inline_text=options.inline_text,
    )
    export.close()


if __name__ == "__main__":
    main()
