#!/usr/bin/env python3
"""Writes the PP-OCR nets of rapidocr-onnxruntime so that every tool of the benchmark reads them.

    ocr_models.py FOLDER    rec.onnx, cls.onnx, det.onnx, and characters.txt of the recognizer

Input shapes are fixed, the opset is 17, and ONNX Runtime's basic optimizations have folded
constants and BatchNormalization. The arithmetic is as it was.
"""

import importlib.util
import pathlib
import sys

import onnx
import onnxruntime
from onnx import version_converter

# File, and what one sample is.
NETS = {
    "rec": ("ch_PP-OCRv4_rec_infer.onnx", (1, 3, 48, 320)),
    "cls": ("ch_ppocr_mobile_v2.0_cls_infer.onnx", (1, 3, 48, 192)),
    "det": ("ch_PP-OCRv4_det_infer.onnx", (1, 3, 320, 320)),
}
OPSET = 17


def folder_of_models() -> pathlib.Path:
    # Not imported: that would need all that the package needs to run them.
    package = importlib.util.find_spec("rapidocr_onnxruntime")
    if package is None or package.origin is None:
        sys.exit("ocr_models: rapidocr-onnxruntime is not installed: tools/quantize_env.sh")
    return pathlib.Path(package.origin).parent / "models"


def write_net(name: str, folder: pathlib.Path) -> None:
    file, shape = NETS[name]
    model = onnx.load(folder_of_models() / file)
    for dim, value in zip(model.graph.input[0].type.tensor_type.shape.dim, shape, strict=True):
        dim.Clear()
        dim.dim_value = value
    for prop in model.metadata_props:
        if prop.key == "character":
            (folder / "characters.txt").write_text(prop.value + "\n", "utf-8")
    model = version_converter.convert_version(model, OPSET)
    # Shapes that were inferred for other inputs.
    del model.graph.value_info[:]
    for output in model.graph.output:
        for dim in output.type.tensor_type.shape.dim:
            dim.Clear()
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    path = folder / f"{name}.onnx"
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    model = onnx.load(path)
    kept = [one for one in model.opset_import if one.domain in ("", "ai.onnx")]
    del model.opset_import[:]
    model.opset_import.extend(kept)
    onnx.save(model, path)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    onnxruntime.set_default_logger_severity(3)
    for name in NETS:
        write_net(name, folder)


if __name__ == "__main__":
    main()
