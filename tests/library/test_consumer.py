"""A program of somebody else's, built against the installed tree: examples/cpp, with both compilers
and as C++20. What the programs print is held against what the command line says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess

import pytest

from unmet import unmet

EXAMPLES = "examples/engines"
BEFORE, AFTER = "resnet18-a100-qat", "resnet18-a100-qat-residual"
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang-19", "clang++-19")}


def run(*words, **options) -> str:
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(planex_bin, root, tmp_path_factory):
    build = planex_bin.parent if (planex_bin.parent / "libplanex.so").exists() else None
    build = build or root / "build/release"
    if not (build / "libplanex.so").exists():
        unmet(f"there is no libplanex.so in {build}")
    path = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", build, "--component", "development", "--prefix", path)
    return path


@pytest.fixture(scope="module", params=COMPILERS)
def programs(request, prefix, root, tmp_path_factory):
    compilers = COMPILERS[request.param]
    if shutil.which(compilers[1]) is None:
        unmet(f"there is no {compilers[1]}")
    build = tmp_path_factory.mktemp(request.param)
    run(
        *["cmake", "-S", root / "examples/cpp", "-B", build, "-G", "Ninja"],
        *[f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_STANDARD=20"],
        *[f"-DCMAKE_C_COMPILER={compilers[0]}", f"-DCMAKE_CXX_COMPILER={compilers[1]}"],
        "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror",
        "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wconversion -Werror",
    )
    run("cmake", "--build", build)
    return build


def test_the_prefix_can_be_moved(prefix, tmp_path):
    moved = shutil.copytree(prefix, tmp_path / "elsewhere", symlinks=True)
    texts = [path.read_text("utf-8") for path in moved.rglob("*.cmake")]
    texts += [path.read_text("utf-8") for path in moved.rglob("*.pc")]
    assert len(texts) >= 4
    assert not any(str(prefix) in text for text in texts)


def test_pkg_config(prefix, root, tmp_path):
    if shutil.which("pkg-config") is None:
        unmet("there is no pkg-config")
    (pc,) = prefix.rglob("planex.pc")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(pc.parent)}
    words = run("pkg-config", "--cflags", "--libs", "planex", env=environment).split()
    program = tmp_path / "program"
    source = root / "examples/cpp/arrow_stream.c"
    run("gcc", source, "-o", program, *words, f"-Wl,-rpath,{pc.parent.parent}")
    assert "rows" in run(program, root / EXAMPLES / BEFORE)


def test_the_library_shows_its_interface_only(prefix):
    if shutil.which("nm") is None:
        unmet("there is no nm")
    (library,) = (path for path in prefix.rglob("libplanex.so") if path.exists())
    names = [
        line.split()[-1].split("@")[0]
        for line in run("nm", "-D", "--defined-only", "-C", library).splitlines()
        if " A " not in line
    ]
    symbols = run("nm", "-D", "--defined-only", library)
    assert "planex_open" in symbols
    public = re.compile(r"planex_|_ZNK?6planex(\d|L)")
    assert [line for line in symbols.splitlines() if not public.match(line.split()[-1])] == []
    # Nothing of the folders behind it.
    inner = ("analyze", "ingest", "model", "render", "base", "lint", "query", "graph", "drive")
    assert [name for name in names if re.match(rf"planex::({'|'.join(inner)})::", name)] == []


def test_slowest_layers(programs, planex, root):
    engine = root / EXAMPLES / BEFORE
    lines = run(programs / "slowest_layers", engine, 5).splitlines()
    sql = (
        "SELECT layer_id, median_ms, footprint_bytes, name FROM layers "
        "WHERE median_ms IS NOT NULL ORDER BY median_ms DESC, layer_id LIMIT 5"
    )
    said = json.loads(planex("query", engine, sql, "--format", "json").stdout)
    expected = [
        f"{layer} {median:.4f} ms {'' if moved is None else f'{moved} bytes '}{name}"
        for layer, median, moved, name in said["rows"]
    ]
    assert lines == expected


def test_findings(programs, planex, root):
    engine = root / EXAMPLES / BEFORE
    lines = run(programs / "findings", engine).splitlines()
    said = json.loads(planex("lint", engine, "--format", "json").stdout)
    expected = []
    for finding in said["findings"]:
        if finding.get("folded_into") is not None or finding.get("suppressed"):
            continue
        layer = finding["layer_id"]
        saved = finding["estimated_ms"]
        expected.append(
            f"{finding['severity']} {finding['rule']}"
            + ("" if layer is None else f" layer {layer}")
            + ("" if saved is None else f" saves {saved:.4f} ms")
            + f": {finding['message']}"
        )
    assert len(expected) > 5
    assert lines == expected


def test_compare_ledger(programs, planex, root):
    engines = [root / EXAMPLES / name for name in (BEFORE, AFTER)]
    lines = run(programs / "compare_ledger", *engines).splitlines()
    said = json.loads(planex("compare", *engines, "--format", "json").stdout)
    assert lines[0] == f"verdict: {said['differences'][0]['verdict']['judgement']}"

    def line(times, name):
        return " ".join("-" if time is None else str(time) for time in times) + f" {name}"

    ledger = said["ledger"]
    assert lines[1:-1] == [
        line(row["time_fs"], row["name"] or row["kind"]) for row in ledger["rows"]
    ]
    assert lines[-1] == line(ledger["total_fs"], "total")
    # As the example says: to the last digit.
    rows = [[int(word) for word in text.split()[:2] if word != "-"] for text in lines[1:-1]]
    assert all(rows)
    for side in (0, 1):
        parts = [row["time_fs"][side] or 0 for row in ledger["rows"]]
        assert sum(parts) == ledger["total_fs"][side]


def test_arrow_stream(programs, planex, root):
    engine = root / EXAMPLES / BEFORE
    *columns, total = run(programs / "arrow_stream", engine, "ports").splitlines()
    sql = "SELECT count(*) FROM ports"
    count = json.loads(planex("query", engine, sql, "--format", "json").stdout)["rows"][0][0]
    assert total == f"{count} rows"
    schema = json.loads(planex("schema", "--format", "json").stdout)
    (ports,) = (table for table in schema["tables"] if table["name"] == "ports")
    formats = {"int64": "l", "double": "g", "text": "U", "list": "+L"}
    found = [tuple(line.split()[:2]) for line in columns]
    assert found == [(column["name"], formats[column["type"]]) for column in ports["columns"]]


def test_a_missing_engine_is_an_error(programs, tmp_path):
    done = subprocess.run(
        [programs / "slowest_layers", tmp_path / "none"], capture_output=True, text=True
    )
    assert done.returncode == 3
    assert "none" in done.stderr


def test_the_page_shows_the_examples(root):
    """Code on the page is that of the examples, so that it compiles."""
    page = (root / "docs/how-to/use-from-cpp.md").read_text("utf-8")
    folder = root / "examples/cpp"
    sources = [path.read_text("utf-8") for path in sorted(folder.iterdir()) if path.is_file()]
    blocks = re.findall(r"^```(?:cpp|c|cmake)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 4
    for block in blocks:
        for part in block.strip("\n").split("\n\n"):
            assert any(part.strip() in source for source in sources), part
