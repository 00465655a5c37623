"""Inputs that people brought and planex once answered wrongly, each with what is right.

What is right stands in the README of each folder of the test data. Siblings that were made by hand
(another layer, version, order or language of the paste) are in the test that a row names.
"""

import dataclasses
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@dataclasses.dataclass(frozen=True)
class Answer:
    case: str  # the number of its folder
    words: str  # after "planex", in the folder
    says: tuple[str, ...]
    never: tuple[str, ...] = ()
    code: int = 0
    siblings: str = "tests/cli/test_questions.py"


PASTED = "src/ingest/tensorrt/log/pasted_logs_test.cc"
COUNTERS = "src/ingest/openvino/counter_table_test.cc"
MESSAGES = "src/ingest/tensorrt/log/known_messages_test.cc"
QUANTIZED = "tests/cli/test_quantized_cases.py"
RUNS = "tests/cli/test_run_units.py"

ANSWERS = (
    Answer("01", "profile-table.log", ("13 layers", "5.860  ms"), ("not a layer file",), 0, PASTED),
    Answer("01", "summary.log", ("539.882  ms", "1.65 inferences/s"), (), 0, PASTED),
    Answer(
        "02",
        "counters-2022.log",
        ("OpenVINO", "Convolution_89", "1.134", "3 layers"),
        ("trtexec",),
        0,
        COUNTERS,
    ),
    Answer("02", "mixed", ("bindings images, logits   4 layers",), ("48.9",), 0, COUNTERS),
    Answer("02", "mixed/bench.log", ("OpenVINO 2020.4.0", "18.480  ms"), (), 0, COUNTERS),
    Answer(
        "03",
        "fallback.log",
        ("2 DLA parts, 5 GPU layers, 12 fallbacks", "POW", "--useDLACore=0 --allowGPUFallback"),
        (),
        0,
        MESSAGES,
    ),
    Answer("03", "profile.log", ("waiting for the DLA", "DLA wait"), (), 0, MESSAGES),
    Answer(
        "04",
        "explain quantization signed.trace.json",
        ("8 of 16 layers that the model quantizes run in float", "equal types"),
        ("nothing is converted",),
        0,
        QUANTIZED,
    ),
    Answer(
        "05",
        ".",
        ("6 convolutions and matrix products", "0.360 ms", "--fp16"),
        (),
        0,
        "src/lint/actions_test.cc",
    ),
    Answer(
        "06",
        "int8.onnx",
        ("Scale 1.227", "wider than the whole range", "Sigmoid_out"),
        (),
        0,
        "tests/cli/test_coarse_scales.py",
    ),
    Answer(
        "06",
        "accuracy float.npz scores-all-zero.npz --fail-below 20",
        ("channels 4–11 keep 0.0 dB",),
        (),
        1,
        "tests/cli/test_accuracy.py",
    ),
    Answer("07", "compare ptq.log qat.log", ("11 layers as before",), ("different models",)),
    Answer(
        "07",
        "explain precision names-only.json",
        ("unknown",),
        ("no layer is quantized",),
        0,
        "tests/cli/test_text.py",
    ),
    Answer(
        "07",
        "explain quantization names-only.json",
        ("unknown",),
        ("nothing in this engine is quantized",),
        0,
        "tests/cli/test_text.py",
    ),
    Answer(
        "08",
        "trt11-fp16.log",
        ("--fp16 was removed in TensorRT 11", "planex cast --from-trtexec"),
        ("see trtexec --help",),
        0,
        MESSAGES,
    ),
    Answer(
        "08",
        "magic-tag.log",
        ("could not be loaded", "planex doctor"),
        ("The build failed",),
        0,
        MESSAGES,
    ),
    Answer(
        "08",
        "ultralytics.engine",
        ("version 10.3.0 that follows 312 bytes", "tail -c +313", "half true"),
        (),
        3,
        "src/ingest/discover/plan_file_test.cc",
    ),
    Answer(
        "08",
        "accuracy-warnings.log",
        ("results can suffer", "ReduceMean_13", "131 weights", "46 weights", "--keep"),
        (),
        0,
        MESSAGES,
    ),
    Answer("09", ".", ("3.97 inferences/s × batch 128", "247.000  ms"), ("329",), 0, RUNS),
    Answer("09", ". --run 1", ("319 inferences/s", "3.04"), ("batch 128",), 0, RUNS),
    Answer("09", "log-only", ("3.97 inferences/s × batch 128",), (), 0, RUNS),
    Answer(
        "10",
        "lint .",
        ("0 warnings",),
        ("merge them",),
        0,
        "tests/golden/lint/convolutions-share-input",
    ),
    Answer(
        "11",
        "lint best",
        ("0 warnings",),
        ("Build with --fp16",),
        0,
        "tests/golden/lint/no-reduced-precision",
    ),
    Answer(
        "11",
        "lint tf32 --all",
        ("1 of 1 on TF32 kernels",),
        ("0 of 1",),
        0,
        "tests/golden/lint/no-reduced-precision",
    ),
    Answer("12", "build.log", ("3.27 inferences/s × batch 4",), (), 0, RUNS),
    Answer("12", "doctor build.log", ("--loadEngine=model.plan --shapes=input:4x3x64x64",)),
    Answer(
        "13",
        "explain reformats googlenet.profile",
        ("2 layers only convert: 1.500 ms, 50.0 %",),
        ("whether 3 layers convert",),
        0,
        "src/ingest/tensorrt/name_kinds_test.cc",
    ),
    Answer(
        "14",
        "explain quantization qcnn_res_scale1.build.log",
        ("a scale that it reads is a list of one value", "--target tensorrt-rtx"),
        ("matrix products only",),
        0,
        QUANTIZED,
    ),
    Answer("15", ".", ("Relu",), ("no other operation between",), 0, QUANTIZED),
    Answer(
        "16",
        "explain quantization .",
        ("converts them to float in every inference, 0.550 ms, 89.7 %",),
        ("all 0 layers",),
        0,
        QUANTIZED,
    ),
    Answer(
        "17",
        "explain quantization fp4.build.log",
        ("converts them to float in every inference", "mm4_myl0_1"),
        ("nothing is converted",),
        0,
        QUANTIZED,
    ),
    Answer(
        "18",
        "explain quantization ort",
        ("rounds values to FP8, converts them back to float",),
        ("no Q/DQ",),
        0,
        QUANTIZED,
    ),
    Answer(
        "19", "lint . --all", (), ("NC/16HW16 (PrePostProcessor",), 0, "src/lint/actions_test.cc"
    ),
    Answer(
        "20",
        "lint .",
        ("dla-split-by-gpu-layer", "upsample"),
        (),
        0,
        "tests/golden/lint/dla-split-by-gpu-layer",
    ),
    Answer("21", "ifloop.failed.log", ("loop_c", "Node input was not registered"), (), 0, MESSAGES),
    Answer("22", "list .", ("1.096", "0.731"), (), 0, "src/ingest/discover/discover_test.cc"),
    Answer("23", "compare good run --fail-on-regression 3%", ("slower",), (), 5),
    Answer(
        "24",
        "model-trained.TuningCache.json",
        ("a search over 4 build routes", "0.0288, 0.0285, 0.0284, 0.0284 ms", "1.4 % ahead"),
        (),
        0,
        RUNS,
    ),
    Answer("24", "tuning.log", ("TensorRT 11.1.0",), (), 0, RUNS),
)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: f"{answer.case} {answer.words}")
def test_the_answer_is_right(planex, case, answer):
    words = answer.words.split()
    result = planex(*words, "--width", 0, code=answer.code, cwd=case(answer.case))
    text = result.stdout + result.stderr
    assert [words for words in answer.says if words not in text] == []
    assert [words for words in answer.never if words in text] == []
    assert (ROOT / answer.siblings).exists()


def test_every_case_has_an_answer(case):
    folders = {folder.name[:2] for folder in case("01").parent.iterdir() if folder.is_dir()}
    assert folders == {answer.case for answer in ANSWERS}
