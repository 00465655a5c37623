"""What goes wrong around a run: files that change or can't be read, signals, odd outputs."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import time
import zipfile

import pytest

QAT = "resnet18-a100-qat"


def graph_of(layer_count: int) -> str:
    """A layer file of about 220 bytes a layer."""
    tensor = {"Name": "t", "Dimensions": [1, 8, 16, 16], "Format/Datatype": "Row major linear FP16"}
    layers = [
        {"Name": f"layer.{i}", "LayerType": "Convolution", "Inputs": [tensor], "Outputs": [tensor]}
        for i in range(layer_count)
    ]
    return json.dumps({"Layers": layers, "Bindings": []})


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "large.graph.json"
    path.write_text(graph_of(60_000))
    assert path.stat().st_size > 12_000_000, "large enough to be mapped"
    return path


def start(planex_bin, *words):
    return subprocess.Popen(
        [planex_bin, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def wait_until(process, reached):
    """Whether `reached` came true while the process ran."""
    while process.poll() is None:
        if reached():
            return True
        time.sleep(0.001)
    return False


@pytest.mark.parametrize("size", [0, 100_000])
def test_file_shortened_while_it_is_read(planex_bin, large, tmp_path, size):
    shortened = 0
    for _ in range(10):
        path = tmp_path / "x.graph.json"
        shutil.copy(large, path)
        process = start(planex_bin, "summary", path)
        maps = pathlib.Path(f"/proc/{process.pid}/maps")

        def is_mapped(maps=maps, path=path):
            return str(path) in maps.read_text()

        if wait_until(process, is_mapped):
            os.truncate(path, size)
        out, err = process.communicate(timeout=120)
        if process.returncode == 0:
            continue  # It was read before.
        shortened += 1
        assert process.returncode == 3, (process.returncode, err)
        assert "changed while it was being read" in err and str(path) in err
        assert out == ""
        if shortened >= 3:
            return
    assert shortened > 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("output", ["one.plan.json", "tables/"])
def test_signal_while_writing(planex_bin, large, tmp_path, number, output):
    words = ["--format", "csv"] if output.endswith("/") else []
    process = start(planex_bin, "export", large, *words, "-o", f"{tmp_path}/{output}")

    def has_begun():
        return any(path.stat().st_size > 0 for path in tmp_path.rglob(".planex-*.tmp"))

    assert wait_until(process, has_begun)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == -number
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_output_follows_links(planex, engines, tmp_path):
    (tmp_path / "deep").mkdir()
    target = tmp_path / "deep/real.json"
    link = tmp_path / "link.json"
    link.symlink_to("deep/real.json")
    for _ in range(2):  # a link to nothing, and to a file
        planex("summary", engines / QAT, "--format", "json", "-o", link)
        assert link.is_symlink()
        assert json.loads(target.read_text("utf-8"))["layer_count"] == 35


def test_output_keeps_permissions(planex, engines, tmp_path):
    path = tmp_path / "private.json"
    path.write_text("old")
    for mode in (0o600, 0o640, 0o444):
        path.chmod(mode)
        planex("summary", engines / QAT, "--format", "json", "-o", path)
        assert stat.S_IMODE(path.stat().st_mode) == mode
        assert "layer_count" in path.read_text("utf-8")


def test_output_is_no_input(planex, engines, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(engines / QAT, run)
    graph = next(run.glob("*.graph.json"))
    before = graph.read_bytes()
    link = tmp_path / "link.json"
    link.symlink_to(graph)
    for output in (graph, link):
        for words in (
            ["summary", run, "--format", "json"],
            ["layers", graph, "--format", "csv"],
            ["lint", run],
            ["explain", "memory", run],
            ["export", run, "--format", "plan"],
            ["report", run],
            ["compare", run, run],
            ["query", run, "select 1"],
            ["draw", run, "--format", "svg"],
        ):
            result = planex(*words, "-o", output, code=2)
            assert "would overwrite an input file" in result.stderr, words
        assert graph.read_bytes() == before
    archive = tmp_path / "run.zip"
    with zipfile.ZipFile(archive, "w") as written:
        written.write(graph, "x.graph.json")
    before = archive.read_bytes()
    planex("summary", archive, "-o", archive, code=2)
    assert archive.read_bytes() == before


def test_devices_are_refused(planex):
    for device in ("/dev/zero", "/dev/urandom"):
        result = planex("summary", device, code=3, timeout=20)
        assert "is a device" in result.stderr


def test_damaged_member_of_an_archive(planex, engines, tmp_path):
    archive = tmp_path / "run.zip"
    with zipfile.ZipFile(archive, "w") as written:
        for path in sorted((engines / QAT).iterdir()):
            written.write(path, path.name)
    planex("summary", archive)
    content = bytearray(archive.read_bytes())
    profile = next((engines / QAT).glob("*.profile.json")).read_bytes()
    content[content.index(profile[:200]) + 150] ^= 1
    archive.write_bytes(content)
    for words in (["summary", archive], ["compare", engines / QAT, archive]):
        result = planex(*words, code=3)
        assert "profile.json" in result.stderr and "damaged" in result.stderr


MEGABYTE = 1 << 20
# What the program takes before it has read anything, and what reading takes for each byte of text:
# the text, and where its parts begin.
EMPTY_BYTES = 80 * MEGABYTE
PER_BYTE = 6
# A million layers are the most that are read.
PER_LAYER = 1000

# What is repeated, up to how many bytes, what is said of it, and how much memory that may take.
BOMBS = {
    # 128 times as many bytes as are packed are unpacked at most, and the file is less than 1 MB.
    "hundreds of megabytes": (
        '{"Name":"a"},',
        384 * MEGABYTE,
        "too large when unpacked",
        128 * MEGABYTE + EMPTY_BYTES,
    ),
    "no layers": (
        "[[[[[[[[]]]]]]]],",
        60 * MEGABYTE,
        "not a layer file",
        PER_BYTE * 60 * MEGABYTE + EMPTY_BYTES,
    ),
    "too many layers": (
        '{"Name":"a"},',
        16 * MEGABYTE,
        "more than 1000000 layers",
        PER_BYTE * 16 * MEGABYTE + PER_LAYER * 1_000_000 + EMPTY_BYTES,
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_packed_bomb_takes_memory_within_limits(planex_bin, tmp_path, bomb):
    unit, size, said, most_bytes = BOMBS[bomb]
    path = tmp_path / "x.graph.json.gz"
    chunk = unit.encode() * 20_000
    with gzip.open(path, "wb", 6) as packed:
        packed.write(b'{"Layers":[')
        for _ in range(size // len(chunk)):
            packed.write(chunk)
        packed.write(b'{"Name":"z"}]}')
    assert path.stat().st_size < MEGABYTE
    # Started by a small program: a child counts the memory of who starts it, too.
    measure = (
        "import resource, subprocess, sys\n"
        "run = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
        "sys.exit(run.returncode)"
    )
    run = subprocess.run(
        [sys.executable, "-c", measure, planex_bin, "summary", path],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 3 and said in run.stderr
    peak_bytes = int(run.stdout) * 1024
    assert peak_bytes < most_bytes, f"{peak_bytes / 1e6:.0f} MB"


def test_unreadable_sibling(planex, engines, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(engines / QAT, run)
    profile = next(run.glob("*.profile.json"))
    profile.chmod(0)
    if os.access(profile, os.R_OK):
        pytest.skip("root reads everything")
    result = planex("summary", run, code=3)
    assert profile.name in result.stderr
