"""Samples of `quantize`: pictures are the same as arrays, and what is judged on lies apart."""

from __future__ import annotations

import json
import struct
import zlib

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save_model

pytestmark = pytest.mark.usefixtures("driver")

SIDE = 24
COUNT = 48
MEAN = np.array([123.675, 116.28, 103.53])
DEVIATION = np.array([58.395, 57.12, 57.375])


def png(pixels):
    def chunk(kind, data):
        crc = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + crc

    height, width, _ = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    draw = np.random.default_rng(17)
    weights = [draw.normal(0, 0.2, (8, 3, 3, 3)), draw.normal(0, 0.1, (12, 8, 3, 3))]
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["c0"], "first", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c0"], ["r0"], "relu"),
        helper.make_node("Conv", ["r0", "w1"], ["y"], "second", pads=[1, 1, 1, 1]),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 12, SIDE, SIDE])],
        [numpy_helper.from_array(w.astype("float32"), f"w{i}") for i, w in enumerate(weights)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    save_model(model, folder / "model.onnx")
    (folder / "pictures").mkdir()
    # Each is brighter than the one before, as in a video at dawn.
    pixels = draw.integers(0, 256, (COUNT, SIDE, SIDE, 3))
    pixels = (pixels * np.linspace(0.3, 1, COUNT)[:, None, None, None]).astype("uint8")
    for number, picture in enumerate(pixels):
        (folder / f"pictures/{number:03}.png").write_bytes(png(picture))
    values = ((pixels - MEAN) * (1 / DEVIATION)).astype("float32").transpose(0, 3, 1, 2)
    np.save(folder / "samples.npy", np.ascontiguousarray(values))
    return folder


def quantize(planex, files, output, *words):
    done = planex("quantize", files / "model.onnx", "-o", output, *words)
    record = json.loads(output.with_name(output.name + ".quantize.json").read_text("utf-8"))
    return record, done.stdout, output.read_bytes()


def test_pictures_and_arrays_of_the_same_pixels_are_the_same(planex, files, tmp_path):
    pictures, _, by_pictures = quantize(
        planex, files, tmp_path / "p.onnx", "--data", files / "pictures", "--prep", "imagenet"
    )
    arrays, _, by_arrays = quantize(
        planex, files, tmp_path / "a.onnx", "--data", files / "samples.npy"
    )
    assert by_pictures == by_arrays
    own = ("output", "preparation")
    assert pictures.pop("preparation") != arrays.pop("preparation")
    assert {k: v for k, v in pictures.items() if k not in own} == {
        k: v for k, v in arrays.items() if k not in own
    }


def test_who_says_nothing_of_values_is_told(planex, files, tmp_path):
    words = ["--data", files / "pictures", "--prep"]
    record, text, _ = quantize(planex, files, tmp_path / "q.onnx", *words, "color=bgr")
    assert any("0 to 255 became 0 to 1" in note for note in record["notes"])
    assert "imagenet, signed, raw" in text
    for says in ("unit", "scale=1/255", "color=bgr,imagenet"):
        record, _, _ = quantize(planex, files, tmp_path / "q.onnx", *words, says)
        assert not any("0 to 255 became" in note for note in record["notes"]), says


def test_what_is_judged_on_lies_apart(planex, files, tmp_path):
    """Twelve of 48 are held back: the ends of three blocks of sixteen."""
    words = ["--data", files / "samples.npy"]
    record, _, held = quantize(planex, files, tmp_path / "q.onnx", *words)
    assert (record["calibration_count"], record["judge_count"]) == (36, 12)
    assert any("the ends of 3 blocks of the data" in note for note in record["notes"])
    values = np.load(files / "samples.npy")
    apart = np.concatenate([np.arange(end - 4, end) for end in (16, 32, 48)])
    rest = np.setdiff1d(np.arange(COUNT), apart)
    np.save(tmp_path / "rest.npy", values[rest])
    np.save(tmp_path / "apart.npy", values[apart])
    # The same, named one by one.
    words = ["--data", tmp_path / "rest.npy", "--judge", tmp_path / "apart.npy"]
    named, _, by_name = quantize(planex, files, tmp_path / "n.onnx", *words)
    assert (named["calibration_count"], named["judge_count"]) == (36, 12)
    assert by_name == held
    for one, other in zip(record["scores"], named["scores"], strict=True):
        assert one["method"] == other["method"]
        ours, theirs = one["simulated"][0]["sqnr_db"], other["simulated"][0]["sqnr_db"]
        assert ours == pytest.approx(theirs, abs=1e-6)
