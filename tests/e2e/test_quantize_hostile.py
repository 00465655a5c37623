"""`planex quantize` on data that is broken, out to harm or too much for the disk, and when stopped.

Each ends in one sentence that names the file, and leaves neither a model nor a temporary file.
"""

from __future__ import annotations

import os
import pathlib
import resource
import signal
import struct
import subprocess
import time
import zipfile
import zlib

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

pytestmark = pytest.mark.usefixtures("driver")

SHAPE = (1, 3, 16, 16)
PICTURES = pathlib.Path(__file__).parent.parent / "data/pictures"

# A sentence, not pages of a stack. Hints stand below the sentence.
MOST_LINES = 4


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    draw = np.random.default_rng(3)
    # More bytes than the samples have.
    weights = draw.normal(0, 0.2, (2048, 3, 3, 3)).astype("float32")
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["x", "w"], ["c"], "conv", pads=[1, 1, 1, 1]),
            helper.make_node("GlobalAveragePool", ["c"], ["y"], "pool"),
        ],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 2048, 1, 1))],
        [numpy_helper.from_array(weights, "w")],
    )
    path = tmp_path_factory.mktemp("model") / "model.onnx"
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path
    )
    return path


@pytest.fixture
def run(planex_bin, model, tmp_path):
    """Quantizes on this data, in an own folder for temporary files."""

    def quantize(data, *words, output="out.onnx", **options):
        scratch = tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        # fmt: off
        return subprocess.run(
            [planex_bin, "quantize", model, "--data", data, "-o", tmp_path / output,
             "--cache", tmp_path / "out.cache", *words],
            capture_output=True, text=True, check=False,
            env={**os.environ, "TMPDIR": str(scratch)}, **options,
        )
        # fmt: on

    return quantize


def assert_refused(done, tmp_path, said):
    assert done.returncode in (2, 3), done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("openvino: ")]
    assert lines[0].startswith("error: ")
    assert len(lines) <= MOST_LINES, done.stderr
    assert said.lower() in done.stderr.lower()
    assert_nothing_left(tmp_path)


def assert_nothing_left(tmp_path):
    assert not list(tmp_path.glob("*out*")), "half-written"
    assert not list((tmp_path / "scratch").iterdir()), "left in TMPDIR"


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, pixels: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(pixels))
        + chunk(b"IEND", b"")
    )


def sound_png() -> bytes:
    return png(16, 16, b"".join(b"\0" + bytes(range(48)) for _ in range(16)))


def half_of(path: pathlib.Path) -> bytes:
    data = path.read_bytes()
    return data[: len(data) // 2]


BROKEN_PICTURES = {
    "cut.png": (sound_png()[:60], "cut short"),
    "cut.jpg": (half_of(PICTURES / "gray.jpg"), "cut short"),
    "cut.webp": (half_of(PICTURES / "lossy.webp"), "cut"),
    "text.png": (b"no picture", ""),
    "empty.jpg": (b"", "empty"),
    "none.png": (png(0, 0, b""), ""),
    "checksum.png": (sound_png()[:-2] + b"xx", "CRC"),
    # 16 GB of pixels in some kilobytes.
    "bomb.png": (png(2**31 - 1, 2**31 - 1, bytes(10_000)), "pixels"),
    "large.png": (png(30_000, 30_000, bytes(90_001)), "pixels"),
}


@pytest.mark.parametrize("name", BROKEN_PICTURES)
def test_a_broken_picture_is_named(run, tmp_path, name):
    """Alone it is an error; among others it is left out and said."""
    data, said = BROKEN_PICTURES[name]
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / name).write_bytes(data)
    alone = run(pictures, "--prep", "imagenet")
    assert_refused(alone, tmp_path, said)
    assert name in alone.stderr

    for number in range(8):
        (pictures / f"sound-{number}.png").write_bytes(sound_png())
    among = run(pictures, "--prep", "imagenet")
    assert among.returncode == 0, among.stderr
    (left_out,) = (line for line in among.stdout.splitlines() if "left out" in line)
    assert "1 file left out" in left_out
    assert name in left_out


def save(array, **options):
    return lambda path: np.save(path, array, **options)


def npy(shape: str, data: bytes) -> bytes:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def pickle_in_archive(path):
    np.savez(path.open("wb"), x=np.array([{}], object))


def bomb(path):
    """128 MB of zeros: a thousand times the file."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("x.npy", "w", force_zip64=True) as member,
    ):
        count = 2**27 // (4 * int(np.prod(SHAPE)))
        member.write(npy(f"({count}, 3, 16, 16)", b""))
        for _ in range(count // 1024 + 1):
            member.write(bytes(1024 * 4 * int(np.prod(SHAPE))))


def one_nan(path):
    array = np.ones((8, *SHAPE[1:]), "float32")
    array[5, 1, 2, 3] = np.nan
    np.save(path, array)


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        ("d.npy", save(np.zeros((4, 3, 8, 8), "f4")), "4x3x8x8"),
        ("d.npy", save(np.zeros((0, 3, 16, 16), "f4")), "empty"),
        ("d.npy", save(np.full((4, 3, 16, 16), np.nan, "f4")), "NaN"),
        ("d.npy", one_nan, "NaN"),
        ("d.npy", save(np.array([{}], object), allow_pickle=True), "pickle"),
        ("d.npz", pickle_in_archive, "pickle"),
        ("d.npz", bomb, "unpack"),
        ("d.npz", lambda path: path.write_bytes(b"PK\x03\x04 no archive"), ""),
        ("d.npy", lambda path: path.write_bytes(npy("(1099511627776, 3, 16, 16)", b"0")), "bytes"),
        ("d.npy", lambda path: path.write_bytes(npy("(-4, 3, 16, 16)", b"0")), "-4"),
        ("d.npy", save(np.array(["a", "b"])), "<U1"),
        ("d.npy", lambda path: path.write_bytes(b"\x93NUMPY\x01\x00"), ""),
        ("d.npy", lambda path: path.write_bytes(b""), ""),
        ("d.npy", lambda path: None, "no such file"),
    ],
    ids=[
        "shape",
        "no samples",
        "all NaN",
        "one NaN",
        "pickle",
        "pickle in an archive",
        "bomb",
        "no archive",
        "more than there is",
        "negative",
        "words",
        "cut",
        "empty",
        "missing",
    ],
)
def test_bad_arrays(run, tmp_path, name, make, said):
    data = tmp_path / name
    make(data)
    done = run(data)
    assert_refused(done, tmp_path, said)


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    path = tmp_path_factory.mktemp("samples") / "samples.npz"
    draw = np.random.default_rng(5)
    np.savez(path, x=draw.normal(0, 1, (12, *SHAPE[1:])).astype("float32"))
    return path


def test_a_full_disk_is_said(run, tmp_path, samples):
    """No file may have more than so many bytes: each step that writes one fails in its turn."""

    def limited(most_bytes):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        return limit

    failed_at = set()
    most_bytes = 0
    while True:
        done = run(samples, preexec_fn=limited(most_bytes))
        if done.returncode == 0:
            break
        assert_refused(done, tmp_path, "too large")
        failed_at.add(pathlib.Path(done.stderr.split(":")[1].strip()).name)
        most_bytes = most_bytes * 3 // 2 + 400
    assert len(failed_at) >= 2, failed_at
    assert (tmp_path / "out.onnx").exists()


def test_a_folder_that_is_not_there_is_named(run, tmp_path, samples):
    assert_refused(run(samples, output="no/such/out.onnx"), tmp_path, "no/such/out.onnx")


def test_a_preview_is_of_pictures(run, tmp_path, samples):
    done = run(samples, "--preview", tmp_path / "preview")
    assert_refused(done, tmp_path, "--preview applies to pictures")
    assert not (tmp_path / "preview").exists()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_leaves_nothing(planex_bin, model, samples, tmp_path, how):
    """In the middle: no model, no temporary folder, no process."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with subprocess.Popen(
        [planex_bin, "quantize", model, "--data", samples, "-o", tmp_path / "out.onnx"],
        env={**os.environ, "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
    ) as run:
        deadline = time.monotonic() + 60
        while not list(scratch.rglob("samples.json")) and time.monotonic() < deadline:
            time.sleep(0.005)
        run.send_signal(how)
        run.communicate(timeout=60)
    assert run.returncode != 0
    assert_nothing_left(tmp_path)


def test_a_kill_leaves_no_model(planex_bin, model, samples, tmp_path):
    """SIGKILL lets nothing be tidied, but what has the name of a result is whole or not there."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    output = tmp_path / "out.onnx"
    for delay_s in (0.05, 0.2, 0.4, 0.6):
        with subprocess.Popen(
            [planex_bin, "quantize", model, "--data", samples, "-o", output],
            env={**os.environ, "TMPDIR": str(scratch)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as run:
            time.sleep(delay_s)
            run.kill()
        if output.exists():
            onnx.checker.check_model(onnx.load(output), full_check=True)
            output.unlink()
