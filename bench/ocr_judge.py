#!/usr/bin/env python3
"""Judges quantized PP-OCR nets without planex: what OpenVINO makes of the file, and what it reads.

    ocr_judge.py rec REFERENCE SUBJECT... --data FOLDER [--count 96] [--engine]

Prints JSON: of each subject the SQNR in dB of what goes into the last Softmax or Sigmoid, and the
end metric. rec: lines read without a fault, spaces aside. cls: pictures whose direction is the
float model's (short words are read on their heads by it, too).
det: intersection over union with the float model's mask at 0.3. Without --engine the file's own
arithmetic: OpenVINO without its low-precision passes.
"""

import argparse
import json
import pathlib

import numpy
import onnx
import openvino
from PIL import Image

MASK_AT = 0.3


def logits_of(model: onnx.ModelProto) -> str:
    """What the last Softmax or Sigmoid reads; what only changes shapes may follow it."""
    makers = {output: node for node in model.graph.node for output in node.output}
    output = model.graph.output[0].name
    tensor = output
    while tensor in makers:
        node = makers[tensor]
        tensor = node.input[0]
        if node.op_type in ("Softmax", "Sigmoid"):
            return tensor
        if node.op_type not in ("Reshape", "Flatten", "Squeeze", "Transpose"):
            break
    return output


def compiled(path: pathlib.Path, logits: str, *, engine: bool):
    model = onnx.load(path)
    if logits not in [output.name for output in model.graph.output]:
        model.graph.output.append(
            onnx.helper.make_tensor_value_info(logits, onnx.TensorProto.FLOAT, None)
        )
    core = openvino.Core()
    config = {
        "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": 1,
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0,
    }
    if not engine:
        config["LP_TRANSFORMS_MODE"] = "NO"
    return core.compile_model(core.read_model(model.SerializeToString()), "CPU", config)


class OnnxRuntime:
    """The same without optimizations, with what compiled models answer to."""

    def __init__(self, path: pathlib.Path, logits: str) -> None:
        import onnxruntime

        model = onnx.load(path)
        if logits not in [output.name for output in model.graph.output]:
            model.graph.output.append(
                onnx.helper.make_tensor_value_info(logits, onnx.TensorProto.FLOAT, None)
            )
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        self.names = [output.name for output in self.session.get_outputs()]

    def __call__(self, inputs: list[numpy.ndarray]) -> dict:
        values = self.session.run(None, {self.session.get_inputs()[0].name: inputs[0]})
        return {**dict(zip(self.names, values, strict=True)), 0: values[0]}


def sample(path: pathlib.Path) -> numpy.ndarray:
    """Blue first, from -1 to 1."""
    picture = numpy.asarray(Image.open(path).convert("RGB"), numpy.float32)[:, :, ::-1]
    return ((picture - 127.5) / 127.5).transpose(2, 0, 1)[None]


class Lines:
    def __init__(self, folder: pathlib.Path, models: pathlib.Path) -> None:
        rows = (folder / "labels.tsv").read_text("utf-8").splitlines()
        self.texts = dict(row.split("\t", 1) for row in rows)
        self.characters = (models / "characters.txt").read_text("utf-8").split("\n")[:-1]

    def score(self, path: pathlib.Path, output: numpy.ndarray, reference: numpy.ndarray) -> float:
        best = output.reshape(-1, output.shape[-1]).argmax(axis=1)
        # CTC: repeats are one, class 0 is none, the last a space.
        kept = [c for place, c in enumerate(best) if c and (place == 0 or c != best[place - 1])]
        text = "".join(self.characters[c - 1] if c <= len(self.characters) else " " for c in kept)
        return float(text.replace(" ", "") == self.texts[path.name].replace(" ", ""))


class Turned:
    def score(self, path: pathlib.Path, output: numpy.ndarray, reference: numpy.ndarray) -> float:
        return float(output.reshape(-1).argmax() == reference.reshape(-1).argmax())


class Pages:
    def score(self, path: pathlib.Path, output: numpy.ndarray, reference: numpy.ndarray) -> float:
        one, two = output > MASK_AT, reference > MASK_AT
        either = numpy.count_nonzero(one | two)
        return numpy.count_nonzero(one & two) / either if either else 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", choices=["rec", "cls", "det"])
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument("subjects", type=pathlib.Path, nargs="+")
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=96)
    parser.add_argument("--engine", action="store_true")
    parser.add_argument(
        "--onnxruntime", action="store_true", help="it runs the models, not OpenVINO"
    )
    arguments = parser.parse_args()
    logits = logits_of(onnx.load(arguments.reference))
    scorer = {
        "rec": lambda: Lines(arguments.data, arguments.reference.parent),
        "cls": Turned,
        "det": Pages,
    }[arguments.net]()
    if arguments.onnxruntime:
        reference = OnnxRuntime(arguments.reference, logits)
        subjects = [OnnxRuntime(path, logits) for path in arguments.subjects]
    else:
        reference = compiled(arguments.reference, logits, engine=False)
        subjects = [compiled(path, logits, engine=arguments.engine) for path in arguments.subjects]
    pictures = sorted(arguments.data.rglob("*.png"))
    pictures = [path for path in pictures if path.parent.name != "masks"][: arguments.count]
    signal, noise = 0.0, [0.0] * len(subjects)
    scores = [0.0] * (len(subjects) + 1)
    for path in pictures:
        data = sample(path)
        first = reference([data])
        want = first[logits].astype(numpy.float64).reshape(-1)
        signal += float((want**2).sum())
        scores[0] += scorer.score(path, first[0], first[0])
        for place, subject in enumerate(subjects):
            second = subject([data])
            got = second[logits].astype(numpy.float64).reshape(-1)
            noise[place] += float(((got - want) ** 2).sum())
            scores[place + 1] += scorer.score(path, second[0], first[0])
    count = len(pictures)
    found = {
        "count": count,
        "reference": {"metric": scores[0] / count},
        "subjects": [
            {
                "file": str(path),
                "sqnr_db": 10 * float(numpy.log10(signal / noise[place]))
                if noise[place] > 0
                else None,
                "metric": scores[place + 1] / count,
            }
            for place, path in enumerate(arguments.subjects)
        ],
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
