"""`planex-openvino infer` and `prepare`: job in, result out (docs/reference/inference-jobs.md)."""

from __future__ import annotations

import itertools
import json
import pathlib
import subprocess

import numpy as np
import pytest
from processor import HAS_BF16

PICTURES = pathlib.Path(__file__).resolve().parents[1] / "data" / "pictures"
PREPARATIONS = [
    (8, 12, "stretch", "rgb"),
    (40, 20, "stretch", "bgr"),
    (16, 16, "pad", "rgb"),
    (16, 16, "crop", "gray"),
]


@pytest.fixture
def run(driver, tmp_path):
    """Runs a job; the result, or the error as the driver says it."""
    numbers = itertools.count()

    def run(mode: str, job: dict) -> dict:
        file = tmp_path / f"job{next(numbers)}.json"
        file.write_text(json.dumps(job), "utf-8")
        done = subprocess.run([driver, mode, file], capture_output=True, text=True, timeout=300)
        result = file.with_suffix(".result.json")
        if done.returncode != 0:
            assert done.returncode == 4, done.stderr
            assert not result.exists()
            return json.loads(done.stderr.splitlines()[-1])
        return json.loads(result.read_text("utf-8"))

    return run


# --- Models on samples


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    import make_resnet18

    folder = tmp_path_factory.mktemp("models")
    for name in ("tiny-fp32", "tiny-qdq"):
        assert make_resnet18.main(["--variant", name, "-o", str(folder)]) == 0
    return folder


def inputs_of(model: pathlib.Path):
    import onnx

    graph = onnx.load(model).graph
    shape = [dim.dim_value for dim in graph.input[0].type.tensor_type.shape.dim]
    return graph, graph.input[0].name, shape


def write_samples(folder: pathlib.Path, name: str, values: np.ndarray) -> pathlib.Path:
    """`values`: float32, samples along the first axis."""
    folder.mkdir()
    (folder / "0.bin").write_bytes(values.astype("<f4").tobytes())
    index = {
        "schema": "planex.samples/1",
        "inputs": [{"name": name, "type": "float32", "shape": list(values.shape[1:])}],
        "preparation": [],
        "samples": [{"name": str(i), "label": ""} for i in range(len(values))],
    }
    (folder / "samples.json").write_text(json.dumps(index), "utf-8")
    return folder


@pytest.fixture
def resnet(models, tmp_path):
    graph, name, shape = inputs_of(models / "tiny-fp32.onnx")
    values = np.random.default_rng(1).normal(size=(5, *shape)).astype(np.float32)
    convolutions = [node.input[0] for node in graph.node if node.op_type == "Conv"]
    return {
        "samples": str(write_samples(tmp_path / "samples", name, values)),
        "taps": list(dict.fromkeys(convolutions)),
        "output": graph.output[0].name,
    }


def float_model(models) -> dict:
    return {"id": "f", "path": str(models / "tiny-fp32.onnx")}


def test_histograms_are_those_of_the_tensors(run, models, resnet, tmp_path):
    tensors = [{"model": "f", "tensor": name} for name in resnet["taps"]]
    bins = 64
    result = run(
        "infer",
        {
            "schema": "planex.inference-job/1",
            "samples": resnet["samples"],
            "output_dir": str(tmp_path),
            "passes": [
                {
                    "models": [float_model(models)],
                    "observed": tensors,
                    "histogram_bins": bins,
                    "stored": tensors,
                }
            ],
        },
    )["passes"][0]
    assert result["models"][0]["missing_taps"] == []
    assert len(result["observed"]) == len(result["stored"]) == len(tensors) >= 3
    for seen, stored in zip(result["observed"], result["stored"], strict=True):
        values = np.load(stored["path"])
        assert list(values.shape) == [5, *seen["shape"]]
        assert values.size == seen["count"]
        assert (values.min(), values.max()) == (np.float32(seen["min"]), np.float32(seen["max"]))
        assert np.count_nonzero(values == 0) == seen["zero_count"]
        magnitudes = np.abs(values.astype(np.float64))
        places = np.minimum(magnitudes * (bins / magnitudes.max()), bins - 1).astype(int)
        assert np.bincount(places.reshape(-1), minlength=bins).tolist() == seen["histogram"]
        below = np.bincount(places[values < 0], minlength=bins).tolist()
        assert (below if values.min() < 0 else []) == seen["negative_histogram"]
        per_sample = magnitudes.reshape(5, -1).max(axis=1)
        np.testing.assert_array_equal(np.float32(seen["sample_max_abs"]), np.float32(per_sample))


@pytest.mark.parametrize("kind", ["FLOAT16", "BFLOAT16"])
def test_small_floats_are_rounded_to_the_bit(run, tmp_path, kind):
    """Halves of every size: ties, subnormals, what is beyond, infinities and NaN."""
    import onnx
    from onnx import TensorProto, helper

    small = getattr(TensorProto, kind)
    shape = [1, 1 << 16]
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["x"], ["s"], to=small),
            helper.make_node("Cast", ["s"], ["y"], to=TensorProto.FLOAT),
        ],
        "round",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
    )
    opsets = [helper.make_opsetid("", 13)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "m.onnx")
    # All halves; then what lies in the middle between two and around it, over all exponents.
    bits = np.arange(1 << 16, dtype=np.uint32)
    near = (bits << 16) + np.resize(
        np.uint32([0, 1, 0x0FFF, 0x1000, 0x1001, 0x8000, 0x8001]), 1 << 16
    )
    halves = bits.astype(np.uint16).view(np.float16).astype(np.float32)
    values = np.stack([halves, near.view(np.float32)])[:, None]
    model = {"id": "m", "path": str(tmp_path / "m.onnx"), "arithmetic": "simulated"}
    job = {
        "schema": "planex.inference-job/1",
        "samples": str(write_samples(tmp_path / "samples", "x", values)),
        "output_dir": str(tmp_path),
        "passes": [
            {"models": [model], "stored": [{"model": "m", "tensor": "y"}]},
        ],
    }
    (rounded,) = (np.load(one["path"]) for one in run("infer", job)["passes"][0]["stored"])
    values = values.reshape(rounded.shape)
    if kind == "FLOAT16":
        with np.errstate(over="ignore"):
            expected = values.astype(np.float16).astype(np.float32)
    else:
        raw = values.view(np.uint32)
        expected = ((raw + 0x7FFF + ((raw >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
        expected = np.where(np.isnan(values), values, expected.view(np.float32))
        if HAS_BF16:
            is_small = np.abs(expected) < np.finfo(np.float32).tiny
            expected = np.where(is_small & (rounded == 0), rounded, expected)
    np.testing.assert_array_equal(rounded, expected)


def test_simulated_arithmetic_is_that_of_the_file(run, models, resnet, tmp_path):
    """Q/DQ in float32: the first pair, worked out by NumPy."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(models / "tiny-qdq.onnx").graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    maker = {output: node for node in graph.node for output in node.output}
    pair = next(
        node
        for node in graph.node
        if node.op_type == "DequantizeLinear" and node.input[0] not in constants
    )
    before = maker[pair.input[0]].input[0]
    job = {
        "schema": "planex.inference-job/1",
        "samples": resnet["samples"],
        "output_dir": str(tmp_path),
        "passes": [
            {
                "models": [
                    {
                        "id": "s",
                        "path": str(models / "tiny-qdq.onnx"),
                        "arithmetic": "simulated",
                    },
                    float_model(models),
                ],
                "stored": [{"model": "s", "tensor": name} for name in (before, pair.output[0])],
                "compared": [
                    {
                        "reference": {"model": "f", "tensor": resnet["output"]},
                        "subject": {"model": "s", "tensor": resnet["output"]},
                    }
                ],
                "has_classes": True,
            }
        ],
    }
    result = run("infer", job)["passes"][0]
    values, quantized = (np.load(stored["path"]) for stored in result["stored"])
    scale = constants[pair.input[1]]
    expected = np.clip(np.round(values / scale), -128, 127) * scale
    np.testing.assert_allclose(quantized, expected, rtol=1e-5, atol=float(scale) * 1e-3)
    compared = result["compared"][0]
    assert 10 < compared["difference"]["sqnr_db"] < 80
    assert compared["agreement"]["rows"] == 5 * np.load(result["stored"][0]["path"]).shape[1]
    # The engine's arithmetic is another, and so is the result.
    job["passes"][0]["models"][0]["arithmetic"] = "engine"
    job["passes"][0]["stored"] = []
    engine = run("infer", job)["passes"][0]
    assert engine["models"][0]["output_digest"] != result["models"][0]["output_digest"]
    assert engine["models"][1]["output_digest"] == result["models"][1]["output_digest"]


def test_a_full_disk_is_said(run, models, resnet):
    if not pathlib.Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    job = {
        "schema": "planex.inference-job/1",
        "samples": resnet["samples"],
        "output_dir": "/dev/full",
        "passes": [
            {
                "models": [float_model(models)],
                "stored": [{"model": "f", "tensor": resnet["output"]}],
            }
        ],
    }
    error = run("infer", job)
    assert error["kind"] == "io"
    assert error["file"].startswith("/dev/full")


# --- Pictures as samples


def pictures() -> list[str]:
    return sorted(
        file.name for file in PICTURES.iterdir() if file.suffix in (".png", ".jpg", ".webp")
    )


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize("preparation", PREPARATIONS)
def test_pictures_become_what_pillow_makes_of_them(run, preparation, layout, tmp_path):
    height, width, fit, color = preparation
    channels = 1 if color == "gray" else 3
    mean, scale = [1.5, 20, 100][:channels], [1 / 255, 0.5, -2][:channels]
    result = run(
        "prepare",
        {
            "schema": "planex.picture-job/1",
            "pictures": [str(PICTURES / name) for name in pictures()],
            "labels": pictures(),
            "preparation": {
                "height": height,
                "width": width,
                "fit": fit,
                "color": color,
                "layout": layout,
                "fill": 17,
                "mean": mean,
                "scale": scale,
            },
            "input_name": "x",
            "output_dir": str(tmp_path / "samples"),
        },
    )
    assert result["refused"] == []
    assert result["sample_count"] == len(pictures())
    index = json.loads((tmp_path / "samples" / "samples.json").read_text("utf-8"))
    assert [sample["label"] for sample in index["samples"]] == pictures()
    assert f"fit={fit}" in index["preparation"]
    shape = [channels, height, width] if layout == "nchw" else [height, width, channels]
    assert index["inputs"][0]["shape"] == [1, *shape]
    values = np.fromfile(tmp_path / "samples" / "0.bin", "<f4").reshape(-1, *shape)
    if layout == "nchw":
        values = values.transpose(0, 2, 3, 1)
    bytes_ = values / np.array(scale) + np.array(mean)
    with np.load(PICTURES / "expected.npz") as expected:
        for name, found in zip(pictures(), bytes_, strict=True):
            key = "-".join(map(str, (name, *preparation)))
            assert np.abs(found - expected[key].astype(float)).max() < 1.01, name


def picture_job(folder: pathlib.Path, files: list[pathlib.Path], **more) -> dict:
    return {
        "schema": "planex.picture-job/1",
        "pictures": [str(file) for file in files],
        "preparation": {"height": 8, "width": 8, **more.pop("preparation", {})},
        "input_name": "x",
        "output_dir": str(folder / "samples"),
        **more,
    }


def test_broken_pictures_are_left_out_and_said(run, tmp_path):
    def broken(name: str, content: bytes) -> pathlib.Path:
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    png = (PICTURES / "rgb.png").read_bytes()
    jpeg = (PICTURES / "rgb.jpg").read_bytes()
    webp = (PICTURES / "lossy.webp").read_bytes()
    size = (200_000).to_bytes(4, "big")
    bad = {
        broken("cut.png", png[: len(png) // 2]): "is cut short",
        broken("cut.jpg", jpeg[: len(jpeg) // 2]): "is cut short or damaged",
        broken("cut.webp", webp[: len(webp) // 2]): "is cut short or damaged",
        broken("start.png", png[:8]): "is cut short",
        broken("start.jpg", jpeg[:20]): "is cut short or damaged",
        broken("start.webp", webp[:12]): "is cut short",
        broken("bomb.png", png[:16] + size * 2 + png[24:]): "has 200000 x 200000 pixels, more than",
        broken("text.jpg", b"hello"): "is not a JPEG, PNG or WebP",
        broken("empty.png", b""): "is empty",
        tmp_path / "gone.png": "No such file",
        tmp_path: "folder",
    }
    result = run("prepare", picture_job(tmp_path, [PICTURES / "rgb.png", *bad]))
    assert result["sample_count"] == 1
    assert [refused["path"] for refused in result["refused"]] == [str(file) for file in bad]
    for refused, why in zip(result["refused"], bad.values(), strict=True):
        assert why in refused["why"]
    # Every cut of a file is refused, or read as what it is by then; none ends the program.
    cuts = [
        broken(f"{i}.{kind}", whole[: i * len(whole) // 40])
        for kind, whole in (("png", png), ("jpg", jpeg), ("webp", webp))
        for i in range(40)
    ]
    result = run("prepare", picture_job(tmp_path, [PICTURES / "rgb.png", *cuts]))
    assert len(result["refused"]) + result["sample_count"] == 121
    assert result["sample_count"] <= 5


def test_no_picture_at_all_is_an_error(run, tmp_path):
    (tmp_path / "a.png").write_text("no picture")
    error = run("prepare", picture_job(tmp_path, [tmp_path / "a.png"]))
    assert error["kind"] == "bad-input"
    assert (
        error["message"] == "none of 1 picture could be read: the first is not a JPEG, PNG or WebP"
    )
    assert error["file"] == str(tmp_path / "a.png")
    assert not (tmp_path / "samples" / "samples.json").exists()


@pytest.mark.parametrize(
    ("preparation", "message"),
    [
        ({"height": 0}, "8 x 0 is not a valid picture size for a model"),
        ({"height": 60_000, "width": 60_000}, "60000 x 60000 is not a valid picture size"),
        ({"mean": [1, 2]}, "2 values of mean and 1 of scale"),
        ({"scale": [0]}, "a scale is 0"),
        ({"fill": 256}, "fill is 256, expected 0 to 255"),
        ({"fit": "squeeze"}, '"squeeze" is invalid; expected one of stretch, pad and crop'),
    ],
)
def test_jobs_that_make_no_sense_are_refused(run, tmp_path, preparation, message):
    job = picture_job(tmp_path, [PICTURES / "rgb.png"], preparation=preparation)
    assert message in run("prepare", job)["message"]


def test_previews_show_what_the_model_sees(run, tmp_path):
    """A preview is prepared again without a change: the same bytes."""
    files = [PICTURES / "rgb.jpg", PICTURES / "rgb.png"]
    how = {"color": "bgr", "mean": [103.5, 116, 123], "scale": [0.017, 0.0175, 0.0174]}
    preview = tmp_path / "seen"
    job = picture_job(tmp_path, files, preparation=how, preview_dir=str(preview), preview_count=9)
    assert run("prepare", job)["sample_count"] == 2
    first = (tmp_path / "samples" / "0.bin").read_bytes()
    previews = [preview / "0.png", preview / "1.png"]
    assert sorted(preview.iterdir()) == previews
    assert run("prepare", picture_job(tmp_path, previews, preparation=how))["sample_count"] == 2
    assert (tmp_path / "samples" / "0.bin").read_bytes() == first
