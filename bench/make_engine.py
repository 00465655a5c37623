#!/usr/bin/env python3
"""Writes a TensorRT engine of any size as trtexec would export it: a layer file and a profile.

    make_engine.py --layers N --output PREFIX      writes PREFIX.graph.json and PREFIX.profile.json

The layers are those of a residual network, over and over: convolutions with their weights and
kernels, fused additions, pooling, reformats. Keys, types and the bytes per layer (1.35 KB) follow
the files of TensorRT 10. The numbers are invented; the same arguments give the same bytes.
"""

import argparse
import json
import pathlib
from collections.abc import Iterator

NHWC8 = "Channel major FP16 format where channel % 8 == 0"
KERNEL = (
    "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize{0}x64x32_stage3_"
    "warpsize2x2x1_g1_tensor16x8x16"
)
CHANNELS = (64, 128, 256, 512)


def tensor(name: str, dims: list[int], layout: str = NHWC8) -> dict:
    return {"Name": name, "Location": "Device", "Dimensions": dims, "Format/Datatype": layout}


def convolution(index: int, name: str, inputs: list[dict], output: dict, kernel: int) -> dict:
    channels, pad = output["Dimensions"][1], kernel // 2
    fused = len(inputs) > 1
    operations = ["Conv", "Add", "Relu"] if fused else ["Conv", "Relu"]
    weights = channels * inputs[0]["Dimensions"][1] * kernel * kernel
    return {
        "Name": " + ".join(f"{name}/{operation}" for operation in operations),
        "LayerType": "CaskConvolution",
        "Inputs": inputs,
        "Outputs": [output],
        "ParameterType": "Convolution",
        "Kernel": [kernel, kernel],
        "PaddingMode": "kEXPLICIT_ROUND_DOWN",
        "PrePadding": [pad, pad],
        "PostPadding": [pad, pad],
        "Stride": [1, 1],
        "Dilation": [1, 1],
        "OutMaps": channels,
        "Groups": 1,
        "Weights": {"Type": "Half", "Count": weights},
        "Bias": {"Type": "Half", "Count": channels},
        "HasBias": 1,
        "HasReLU": 1,
        "HasSparseWeights": 0,
        "HasDynamicFilter": 0,
        "HasDynamicBias": 0,
        "HasResidual": int(fused),
        "ConvXAsActInputIdx": -1,
        "BiasAsActInputIdx": -1,
        "ResAsActInputIdx": 1 if fused else -1,
        "Activation": "RELU",
        "TacticName": KERNEL.format(64 << index % 3),
        "TacticValue": f"0x{index * 0x9E3779B97F4A7C15 % 2**64:016x}",
        "StreamId": 0,
        "Metadata": "\x1e".join(f"[ONNX Layer: {name}/{operation}]" for operation in operations),
    }


def pooling(name: str, source: dict, output: dict) -> dict:
    return {
        "Name": f"{name}/MaxPool",
        "LayerType": "CaskPooling",
        "Inputs": [source],
        "Outputs": [output],
        "ParameterType": "Pooling",
        "PoolingType": "MAX",
        "WindowSize": [3, 3],
        "PaddingMode": "kEXPLICIT_ROUND_DOWN",
        "PrePadding": [1, 1],
        "PostPadding": [1, 1],
        "Stride": [1, 1],
        "BlendFactor": 0,
        "AverageCountExcludesPadding": 1,
        "TacticName": "sm50_xmma_pooling_tiled_FP16NHWC_kMAX",
        "TacticValue": "0x46475b53fc723ff0",
        "StreamId": 0,
        "Metadata": f"[ONNX Layer: {name}/MaxPool]",
    }


def reformat(name: str, source: dict, output: dict) -> dict:
    return {
        "Name": f"Reformatting CopyNode for Input Tensor 0 to {name}/Conv + {name}/Relu",
        "LayerType": "Reformat",
        "Inputs": [source],
        "Outputs": [output],
        "ParameterType": "Reformat",
        "Origin": "REFORMAT",
        "TacticValue": "0x00000000000003e8",
        "StreamId": 0,
        "Metadata": "",
    }


def layers(count: int) -> Iterator[dict]:
    """A chain with a skip connection around every second convolution."""
    skip = last = tensor("input", [1, 64, 56, 56], "Row major linear FP32")
    for index in range(count):
        name = f"/layer{index // 20}.{index % 20}/conv"
        channels = CHANNELS[index // 20 % len(CHANNELS)]
        side = 56 * 64 // channels
        output = tensor(f"{name}_output_0", [1, channels, side, side])
        kind = index % 20
        if kind == 0:
            output = tensor(f"Reformatted Input Tensor 0 to {name}", last["Dimensions"])
            yield reformat(name, last, output)
        elif kind == 10:
            output = tensor(f"{name}/MaxPool_output_0", last["Dimensions"])
            yield pooling(name, last, output)
        elif kind % 3 == 0 and skip["Dimensions"] == output["Dimensions"]:
            yield convolution(index, name, [last, skip], output, 3)
            skip = output
        else:
            yield convolution(index, name, [last], output, 1 if kind == 5 else 3)
            if kind in (1, 11):
                skip = output
        last = output


def record_text(record: dict) -> str:
    """One layer in trtexec's manner: a key a line, values without blanks."""
    lines = []
    for key, value in record.items():
        if key in ("Inputs", "Outputs"):
            text = (
                "[\n  {\n"
                + "\n  },\n  {\n".join(
                    ",\n".join(
                        f"    {json.dumps(name)}: {json.dumps(item, separators=(',', ':'))}"
                        for name, item in port.items()
                    )
                    for port in value
                )
                + "\n  }]"
            )
        elif isinstance(value, list):
            text = json.dumps(value, separators=(",", ":"))
        else:
            text = json.dumps(value)
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"


def write(count: int, prefix: str) -> None:
    pathlib.Path(prefix).parent.mkdir(parents=True, exist_ok=True)
    last = "input"
    with (
        open(f"{prefix}.graph.json", "w", encoding="utf-8") as graph,
        open(f"{prefix}.profile.json", "w", encoding="utf-8") as profile,
    ):
        graph.write('{"Layers": [')
        profile.write('[\n  { "count" : 100 }\n')
        for index, record in enumerate(layers(count)):
            graph.write(("," if index else "") + record_text(record))
            mean_ms = 0.002 + index * 7919 % 1000 * 1e-5
            profile.write(
                f', {{ "name" : {json.dumps(record["Name"])}, "timeMs" : {mean_ms * 100:.6g}, '
                f'"averageMs" : {mean_ms:.6g}, "medianMs" : {mean_ms * 0.997:.6g}, '
                f'"percentage" : {100 / count:.6g} }}\n'
            )
            last = record["Outputs"][0]["Name"]
        graph.write(f'],\n"Bindings": ["input", {json.dumps(last)}]}}\n')
        profile.write("]\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--layers", type=int, required=True)
    parser.add_argument("--output", metavar="PREFIX", required=True)
    arguments = parser.parse_args()
    write(arguments.layers, arguments.output)


if __name__ == "__main__":
    main()
