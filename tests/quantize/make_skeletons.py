#!/usr/bin/env python3
"""Stores models without their weights, for tests of where Q/DQ go.

    make_skeletons.py FOLDER_OF_MODELS models/

ResNet-18 comes from examples/resnet18, in float and with each placement of Q/DQ. FOLDER_OF_MODELS
has the three .onnx files of the Python package rapidocr-onnxruntime 1.4.4 (PP-OCR, Apache-2.0;
changed: without weights, documents and types of values between). Weights become references to a
file that is not there; names, types and dimensions stay.
"""

from __future__ import annotations

import pathlib
import sys

import onnx

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples" / "resnet18"))

import make_resnet18  # noqa: E402

OCR = {
    "ppocr-rec": "ch_PP-OCRv4_rec_infer.onnx",
    "ppocr-cls": "ch_ppocr_mobile_v2.0_cls_infer.onnx",
    "ppocr-det": "ch_PP-OCRv4_det_infer.onnx",
}
RESNET = {
    "resnet18-fp32": "fp32",
    "resnet18-naive": "qdq-naive",
    "resnet18-residual": "qdq-residual",
    "resnet18-residual-gap": "qdq-residual-gap",
    "resnet18-shared": "qdq-shared",
}
SMALL_BYTES = 64  # shapes, axes and scales of a tensor stay


def strip(tensor: onnx.TensorProto) -> None:
    if tensor.ByteSize() <= SMALL_BYTES + len(tensor.name):
        return
    for field in ("raw_data", "float_data", "int32_data", "int64_data", "double_data"):
        tensor.ClearField(field)
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="none")


def skeleton(model: onnx.ModelProto) -> bytes:
    for tensor in model.graph.initializer:
        strip(tensor)
    for node in model.graph.node:
        node.ClearField("doc_string")
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.TENSOR:
                strip(attribute.t)
    model.graph.ClearField("value_info")
    model.graph.ClearField("doc_string")
    return model.SerializeToString(deterministic=True)


def main() -> None:
    source, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for name, variant in RESNET.items():
        (target / f"{name}.onnx").write_bytes(skeleton(make_resnet18.make_model(variant)))
    for name, file in OCR.items():
        (target / f"{name}.onnx").write_bytes(skeleton(onnx.load(source / file)))


if __name__ == "__main__":
    main()
