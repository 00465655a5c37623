"""Quantizing from Python, with the driver of the wheel and OpenVINO's own package."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator

import numpy as np
import pytest

import planex

SITE = os.environ.get("PLANEX_OPENVINO_SITE")
MODEL = os.environ.get("PLANEX_TINY_MODEL", "")

pytestmark = pytest.mark.skipif(SITE is None, reason="OpenVINO is not here")


def samples(count: int = 12) -> Iterator[np.ndarray]:
    draw = np.random.default_rng(1)
    for _ in range(count):
        yield draw.normal(0, 1, (1, 3, 8, 8)).astype("float32")


@pytest.mark.usefixtures("openvino")
def test_a_generator_quantizes(tmp_path):
    output = tmp_path / "int8.onnx"
    told = planex.quantize(MODEL, output, samples(), method="mse", samples=8)
    assert told["schema"] == "planex.quantize/1"
    assert told.method == "mse"
    assert (told.calibration_count, told.judge_count) == (8, 4)
    assert output.stat().st_size > 0
    assert {tensor.tensor for tensor in told.tensors} >= {"input"}

    by_name = planex.quantize(
        MODEL,
        tmp_path / "again.onnx",
        ({"input": sample} for sample in samples()),
        method="mse",
        samples=8,
    )
    assert by_name.tensors.to_pylist() == told.tensors.to_pylist()
    assert (tmp_path / "again.onnx").read_bytes() == output.read_bytes()

    lost = planex.accuracy(MODEL, output, samples(), samples=4, alone=0)
    assert lost["schema"] == "planex.layer-accuracy/1"
    assert lost["sample_count"] == 4
    assert lost["fault"] in ("none", "model", "engine", "both")
    assert all(layer["alone_engine_db"] is None for layer in lost["layers"])
    assert lost["simulated"][0]["sqnr_db"] > 10


def test_weights_alone_need_no_data(tmp_path):
    output = tmp_path / "int4.onnx"
    told = planex.quantize(MODEL, output, to="int4", block_size="channel")
    assert (told.type, told.weight_bits, told.block_size) == ("int4", 4, None)
    assert told.judge_count == 0 and len(told.layers) == 1
    assert output.stat().st_size > 0
    with pytest.raises(planex.UsageError, match="scale per channel"):
        planex.quantize(MODEL, output, to="int4", target="tensorrt", block_size="channel")
    with pytest.raises(planex.UsageError, match="--data"):
        planex.quantize(MODEL, output, to="fp8", target="tensorrt")


@pytest.mark.usefixtures("openvino")
def test_fp8_of_a_generator(tmp_path):
    output = tmp_path / "fp8.onnx"
    told = planex.quantize(MODEL, output, samples(), to="fp8", target="tensorrt-rtx", samples=8)
    assert told.type == "fp8"
    assert {tensor.dtype for tensor in told.tensors} == {"FP8"}
    assert told.scores[0].simulated[0].sqnr_db > 10


@pytest.mark.usefixtures("openvino")
def test_layers_in_float_are_found(tmp_path):
    output = tmp_path / "int8.onnx"
    told = planex.search(
        MODEL, output, samples(), goal="300dB", method="mse", nodes=tmp_path / "nodes.txt"
    )
    assert told["schema"] == "planex.search/1"
    assert not told.is_reached, "that is no error: the closest one was written"
    assert told.front[-1].is_chosen
    assert told.kept == (tmp_path / "nodes.txt").read_text("utf-8").split()
    again = tmp_path / "again.onnx"
    planex.quantize(MODEL, again, samples(), method="mse", keep=told.kept)
    assert again.read_bytes() == output.read_bytes()
    with pytest.raises(planex.UsageError, match="a goal, or a limit"):
        planex.search(MODEL, output, samples())


@pytest.mark.usefixtures("openvino")
def test_a_generator_casts(tmp_path):
    output = tmp_path / "half.onnx"
    told = planex.cast(MODEL, output, "fp16", data=samples(4), keep=["#0"], keep_below=20)
    assert told["schema"] == "planex.cast/1"
    assert (told.type, told.sample_count) == ("fp16", 4)
    assert [one.rule for one in told.kept][:1] == ["asked"]
    assert told.simulated[0].sqnr_db > 20
    assert output.stat().st_size > 0


def test_casts_without_data(tmp_path):
    output = tmp_path / "half.onnx"
    told = planex.cast(MODEL, output, "bf16", io="small", keep_ops=["Gemm", "MatMul"])
    assert told["small_io"] and told.opset >= 22
    told = planex.cast(output=output, from_trtexec=f"trtexec --onnx={MODEL} --fp16 --workspace=64")
    assert told.new_command == f"trtexec --onnx={output} --memPoolSize=workspace:64"
    assert {one.option: one.change for one in told.options}["--fp16"] == "removed"
    with pytest.raises(planex.UsageError, match="--to"):
        planex.cast(MODEL, output)


@pytest.mark.usefixtures("openvino")
def test_advice_is_applied(tmp_path):
    for_tensorrt, for_openvino = tmp_path / "tensorrt.onnx", tmp_path / "openvino.onnx"
    planex.quantize(MODEL, for_tensorrt, samples(), target="tensorrt", method="minmax")
    told = planex.advise(for_tensorrt, target="openvino")
    assert told["schema"] == "planex.advise/1"
    assert {one.action for one in told.advice} == {"add", "move"}
    assert all(one.gain_high_ms is None for one in told.advice)
    applied = planex.advise(for_tensorrt, for_openvino, samples(), method="minmax")
    assert applied.applied_count == len(told.advice)
    assert len(planex.advise(for_openvino).advice) == 0
    with pytest.raises(planex.UnsupportedError, match="Q/DQ"):
        planex.advise(MODEL, tmp_path / "no.onnx")
    assert not (tmp_path / "no.onnx").exists()


def test_saved_tensors(tmp_path):
    values = np.linspace(-1, 1, 100, dtype="float32")
    np.savez(tmp_path / "a.npz", y=values)
    np.savez(tmp_path / "b.npz", y=values + np.float32(0.01))
    told = planex.accuracy(tmp_path / "a.npz", tmp_path / "b.npz")
    assert told["schema"] == "planex.accuracy/1"
    assert told["tensors"][0]["max_abs"] == pytest.approx(0.01, rel=1e-3)


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(planex.UsageError, match="no samples"):
        planex.quantize(MODEL, tmp_path / "q.onnx", iter(()))
    with pytest.raises(planex.UsageError, match="expected numbers"):
        planex.quantize(MODEL, tmp_path / "q.onnx", [np.array(["a"])])
    with pytest.raises(planex.PlanexError, match=r"no such|not found|can't"):
        planex.quantize(pathlib.Path("/nowhere.onnx"), tmp_path / "q.onnx", samples(1))
    assert not list(tmp_path.iterdir())
