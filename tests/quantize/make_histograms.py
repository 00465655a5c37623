#!/usr/bin/env python3
"""Stores histograms of real tensors: activations of three OCR networks that read drawn text.

    make_histograms.py FOLDER_OF_MODELS histograms.json

FOLDER_OF_MODELS has the three .onnx files of the Python package rapidocr-onnxruntime 1.4.4 (PP-OCR,
Apache-2.0). Needs onnx, onnxruntime, NumPy and Pillow, and the DejaVu fonts. The text, its colors
and the noise come from a fixed seed. thresholds_reference.py then adds the answers.
"""

from __future__ import annotations

import pathlib
import random
import sys

import numpy
import onnx
import onnxruntime
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from thresholds_reference import dump

FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
BINS = 2048
IMAGES = 6
# Per model: its file, the size of its input (height, width), and how many tensors of an operation
# are stored, the first and the last and those evenly between.
MODELS = {
    "rec": (
        "ch_PP-OCRv4_rec_infer.onnx",
        (48, 320),
        {"Relu": 1, "HardSwish": 3, "Softmax": 1, "Add": 2, "MatMul": 1, "input": 1},
    ),
    "cls": (
        "ch_ppocr_mobile_v2.0_cls_infer.onnx",
        (48, 192),
        {"Relu": 2, "HardSwish": 2, "HardSigmoid": 1, "Add": 1},
    ),
    "det": (
        "ch_PP-OCRv4_det_infer.onnx",
        (320, 320),
        {"Relu": 1, "HardSwish": 1, "Concat": 1, "Resize": 1, "Sigmoid": 1},
    ),
}


def drawn(height: int, width: int, rng: random.Random) -> numpy.ndarray:
    """A line of text as PP-OCR takes it: BGR in -1...1, channels first."""
    colors = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(2)]
    image = Image.new("RGB", (width, height), colors[0])
    fonts = sorted(FONTS.glob("DejaVuS*.ttf"))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    for top in range(0, height - 40, 48):
        font = ImageFont.truetype(str(rng.choice(fonts)), rng.randrange(22, 34))
        text = "".join(rng.choice(letters) for _ in range(rng.randrange(8, 16)))
        ImageDraw.Draw(image).text((4, top + rng.randrange(8)), text, colors[1], font=font)
    image = image.filter(ImageFilter.GaussianBlur(rng.random()))
    values = numpy.asarray(image, dtype=numpy.float32)[:, :, ::-1]
    noise = numpy.random.default_rng(rng.randrange(1 << 30)).normal(0, 4, values.shape)
    return ((values + noise) / 127.5 - 1).astype(numpy.float32).transpose(2, 0, 1)[None]


def tensors(model: onnx.ModelProto, wanted: dict[str, int]) -> list[tuple[str, str]]:
    """Names of tensors with the operation that makes each. x * HardSigmoid(x) is a hard-swish."""
    maker = {output: node for node in model.graph.node for output in node.output}
    constant = {i.name for i in model.graph.initializer}
    found: dict[str, list[str]] = {op: [] for op in wanted}
    if "input" in wanted:
        found["input"].append(model.graph.input[0].name)
    for node in model.graph.node:
        op = node.op_type
        makers = [maker[i].op_type for i in node.input if i in maker]
        if op == "Mul" and "HardSigmoid" in makers:
            op = "HardSwish"
        if op == "Div" and any(maker[i].op_type == "Mul" for i in node.input if i in maker):
            op = "HardSwish"  # x * clip(x + 3, 0, 6) / 6
        both = [
            i
            for i in node.input
            if i not in constant and i in maker and maker[i].op_type != "Constant"
        ]
        if op == "Add" and len(both) < 2:
            continue  # of a bias
        if op in found:
            found[op].append(node.output[0])
    chosen = []
    for op, count in wanted.items():
        names = found[op]
        steps = [round(i * (len(names) - 1) / max(count - 1, 1)) for i in range(count)]
        chosen += [(names[step], op) for step in dict.fromkeys(steps) if names]
    return chosen


def compressed(counts: numpy.ndarray) -> list[int]:
    runs: list[int] = []
    for count in counts.tolist():
        if count == 0 and runs and runs[-1] < 0:
            runs[-1] -= 1
        else:
            runs.append(count if count else -1)
    return runs


def histograms(short: str, folder: pathlib.Path) -> list[dict]:
    file, (height, width), wanted = MODELS[short]
    model = onnx.load(folder / file)
    chosen = tensors(model, wanted)
    made = {output for node in model.graph.node for output in node.output}
    outputs = {output.name for output in model.graph.output}
    for name, _ in chosen:
        if name in made and name not in outputs:
            model.graph.output.append(onnx.ValueInfoProto(name=name))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    rng = random.Random(short)  # noqa: S311
    values: dict[str, list[numpy.ndarray]] = {name: [] for name, _ in chosen}
    for _ in range(IMAGES):
        image = drawn(height, width, rng)
        names = [name for name, _ in chosen if name in made]
        results = dict(
            zip(names, session.run(names, {model.graph.input[0].name: image}), strict=True)
        )
        for name, _ in chosen:
            values[name].append(numpy.abs(results.get(name, image)).ravel())
    cases = []
    for name, op in chosen:
        every = numpy.concatenate(values[name]).astype(float)
        counts, _ = numpy.histogram(every, bins=BINS, range=(0, every.max()))
        cases.append(
            {
                "name": f"{short}: {op} {name}",
                "range": float(every.max()),
                "counts": compressed(counts),
            }
        )
    return cases


def main() -> None:
    folder, path = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    cases = [case for short in MODELS for case in histograms(short, folder)]
    document = {
        "about": "Histograms of |x| of activations, 2048 bins; a negative number stands for so "
        "many empty bins. Made by make_histograms.py, answers by thresholds_reference.py.",
        "licence": "That of this project; the networks are PP-OCR, Apache-2.0, the text is random.",
        "histograms": cases,
    }
    path.write_text(dump(document))
    print(len(cases), "histograms")


if __name__ == "__main__":
    main()
