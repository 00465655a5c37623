"""What is asked most often, asked as a new user does: `planex FILE`. The first screen answers it,
with the command, option or edit that acts on it."""

import pathlib

import pytest

HERE = pathlib.Path(__file__).parent.parent / "data/questions"
# Lines of a small terminal.
SCREEN = 24

# Each: the question, the file, what answers it, what acts on it.
TEXTS = [
    (
        "my engine is wrong in FP16",
        "fp16-wrong.log",
        ["The builder warns that results can suffer.", "overflow", "/encoder/layer.0/norm/Sqrt"],
        "planex cast MODEL.onnx --to fp16 --keep NODE",
    ),
    (
        "the build fails",
        "build-fails.log",
        ["The build failed.", "does not support the operator GridSample"],
        "export the model without it",
    ),
    (
        "what runs on the DLA, and what fell back",
        "dla.log",
        ["2 DLA parts, 2 GPU layers, 2 fallbacks.", "SOFTMAX", "Resize_5"],
        "trtexec --onnx=seg.onnx --int8 --useDLACore=1 --allowGPUFallback",
    ),
    (
        "which provider runs what",
        "placement.log",
        ["3 nodes on CUDAExecutionProvider, 1 node on CPUExecutionProvider."],
        "s.enable_profiling=True",
    ),
    (
        "my program is slower than trtexec says",
        "transfers.log",
        ["The device computes 2.500 ms of an inference of 6.400 ms.", "2.060 ms to the device"],
        "trtexec --loadEngine=",
    ),
    (
        "my engine does not load",
        "magic.log",
        ["The engine could not be loaded.", "made by another TensorRT version"],
        "--versionCompatible",
    ),
    (
        "building takes for ever",
        "slow-build.log",
        ["The build took 2405 s."],
        "--timingCacheFile=FILE",
    ),
]

# The same of real files.
REAL = [
    (
        "INT8 is not faster",
        "cases/05-int8-backbone-fp32-head/q.graph.json",
        ["Half of the layer time is spent in FP32, in an otherwise quantized engine."],
        "Build with --fp16 in addition to --int8",
    ),
    (
        "the quantized model is slower in ONNX Runtime",
        "cases/04-ort-quantized/signed.trace.json",
        [
            "8 of 16 convolutions",
            "compute in float",
            "each reads INT8 and its quantizer writes UINT8",
        ],
        "activation_type=QuantType.QUInt8",
    ),
    (
        "the same, with an activation between",
        "cases/15-ort-relu-before-quantizer",
        ["All 8 convolutions", "an activation is between it and its quantizer"],
        "planex quantize --target onnxruntime",
    ),
    (
        "the INT8 detector finds nothing",
        "cases/06-joined-outputs/int8.onnx",
        ["A scale of this model loses values.", "wider than the whole range of"],
        "Remove the pair of",
    ),
    (
        "QAT is slower than PTQ, and I have names alone",
        "cases/07-names-only/qat.log",
        ["A fifth of the layer time goes into conversions of type or layout.", "5 of 16 layers"],
        "planex explain reformats",
    ),
    (
        "what is in this engine",
        "engines/rtx1.7-resnet18-fp16",
        ["20 of 24 layers are of type correlation, and all read FP16."],
        "planex lint",
    ),
]


def first_screen(planex, file) -> str:
    text = planex(file, "--width", 120).stdout
    return " ".join(" ".join(text.splitlines()[:SCREEN]).split())


@pytest.mark.parametrize(("question", "file", "answer", "act"), TEXTS, ids=[t[1] for t in TEXTS])
def test_of_a_pasted_log(planex, question, file, answer, act):
    screen = first_screen(planex, HERE / file)
    for words in [*answer, act]:
        assert words in screen, question


@pytest.mark.parametrize(("question", "file", "answer", "act"), REAL, ids=[t[1] for t in REAL])
def test_of_real_files(planex, data, question, file, answer, act):
    screen = first_screen(planex, data / file)
    for words in [*answer, act]:
        assert words in screen, question


def test_of_a_file_that_is_no_engine(planex, data):
    # "What is in this .engine?"
    result = planex(data / "cases/08-known-messages/ultralytics.engine", code=None)
    screen = " ".join(" ".join(result.stderr.splitlines()[:SCREEN]).split())
    for words in ["TensorRT engine of version 10.3.0", "imgsz 640x640", "tail -c +313"]:
        assert words in screen


def test_a_short_build_has_no_advice(planex, tmp_path):
    log = (HERE / "slow-build.log").read_text()
    (tmp_path / "short.log").write_text(log.replace("2405.4", "12.4").replace("2371.2", "11.2"))
    text = planex(tmp_path / "short.log").stdout
    assert "build     12.4 s" in text and "timingCacheFile" not in text
    # Who has the option is not told of it.
    (tmp_path / "cache.log").write_text(log.replace("--fp16", "--fp16 --timingCacheFile=t.cache"))
    text = planex(tmp_path / "cache.log").stdout
    assert "--timingCacheFile=FILE" not in text and "--builderOptimizationLevel=2" in text
