"""The layers of invented engines, in the shapes that networks have.

chain        convolutions of one size, an activation behind each
resnet       a chain with a skip connection around every second convolution
branchy      modules of four branches that write one tensor, as TensorRT leaves out a concatenation
hubs         a mask and a constant that every block reads, skips to the start of a long stretch, and
             layers with 48 inputs
transformer  attention and feed-forward blocks whose keys and values are read again at the end
unet         four levels down and up again, with a skip connection at each, over and over

A record has the keys of TensorRT 10's files. Records are yielded one by one, so that an engine of a
million layers takes no memory.
"""

import itertools
from collections.abc import Iterator

NHWC8 = "Channel major FP16 format where channel % 8 == 0"
LINEAR = "Row major linear FP16 format"
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


def chain(count: int) -> Iterator[dict]:
    return numbered(chain_links(), count)


def chain_links() -> Iterator[list[dict]]:
    last = tensor("input", [1, 64, 56, 56], "Row major linear FP32")
    for link in itertools.count():
        name = f"/link{link}"
        filtered, active = (
            tensor(f"{name}/{step}_output_0", [1, 64, 56, 56]) for step in ("conv", "act")
        )
        yield [
            convolution(link, f"{name}/conv", [last], filtered, 3),
            pointwise(f"{name}/act", [filtered], active, "GELU"),
        ]
        last = active


def resnet(count: int) -> Iterator[dict]:
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


def numbered(blocks: Iterator[list[dict]], count: int) -> Iterator[dict]:
    """As many records as were asked for; the last block may be cut."""
    return itertools.islice(itertools.chain.from_iterable(blocks), count)


def branchy(count: int) -> Iterator[dict]:
    return numbered(branchy_blocks(), count)


def branchy_blocks() -> Iterator[list[dict]]:
    last = tensor("input", [1, 256, 28, 28], "Row major linear FP32")
    first = tensor("Reformatted Input Tensor 0 to /stem", [1, 256, 28, 28])
    yield [reformat("/stem", last, first)]
    last = first
    for block in itertools.count():
        name = f"/mix{block}"
        joined = tensor(f"{name}/Concat_output_0", [1, 256, 28, 28])
        part = {**joined, "Dimensions": [1, 64, 28, 28]}
        records = [convolution(block, f"{name}/b0", [last], part, 1)]
        # The second branch is as deep as its module's number says.
        inner = last
        for step in range(block % 3 + 1):
            output = tensor(f"{name}/b1.{step}_output_0", [1, 64, 28, 28])
            records.append(convolution(block + step, f"{name}/b1.{step}", [inner], output, 3))
            inner = output
        records.append(convolution(block, f"{name}/b1.end", [inner], part, 3))
        reduced = tensor(f"{name}/b2.0_output_0", [1, 64, 28, 28])
        records.append(convolution(block, f"{name}/b2.0", [last], reduced, 1))
        records.append(reformat(f"{name}/b2.1", reduced, part))
        pooled = tensor(f"{name}/b3/MaxPool_output_0", [1, 256, 28, 28])
        records.append(pooling(f"{name}/b3", last, pooled))
        records.append(convolution(block, f"{name}/b3", [pooled], part, 1))
        yield records
        last = joined


def hubs(count: int) -> Iterator[dict]:
    return numbered(hub_blocks(), count)


def hub_blocks() -> Iterator[list[dict]]:
    source = tensor("input", [1, 64, 56, 56], "Row major linear FP32")
    mask = tensor("mask", [1, 1, 56, 56], LINEAR)
    scale = tensor("scale_const", [1, 64, 1, 1])
    last = tensor("Reformatted Input Tensor 0 to /stem", [1, 64, 56, 56])
    yield [constant("scale_const", scale), reformat("/stem", source, last)]
    start, ends = last, []
    for block in itertools.count():
        name = f"/hub{block}"

        def output(step: str, name: str = name) -> dict:
            return tensor(f"{name}/{step}_output_0", [1, 64, 56, 56])

        filtered, gated, scaled, added = (
            output(step) for step in ("conv", "gate", "scale", "skip")
        )
        records = [
            convolution(block, f"{name}/conv", [last], filtered, 3),
            pointwise(f"{name}/gate", [filtered, mask], gated, "PROD"),
            pointwise(f"{name}/scale", [gated, scale], scaled, "PROD"),
            pointwise(f"{name}/skip", [scaled, start], added, "SUM"),
        ]
        last = added
        ends.append(added)
        if len(ends) == 48:
            joined = tensor(f"{name}/Concat_output_0", [1, 64 * 48, 56, 56])
            last = output("squeeze")
            records.append(pointwise(f"{name}/join", ends, joined, "CONCAT"))
            records.append(convolution(block, f"{name}/squeeze", [joined], last, 1))
            start, ends = last, []
        yield records


def transformer(count: int) -> Iterator[dict]:
    return numbered(transformer_blocks(count), count)


def transformer_blocks(count: int) -> Iterator[list[dict]]:
    """Keys and values of each block are packed into the cache by the engine's last layers."""
    width = 768
    layers_a_block, packed_at_once = 8, 8
    # So many blocks that they and the layers that pack their keys make `count`.
    blocks = max(1, (count - 1) * packed_at_once // (layers_a_block * packed_at_once + 1))

    def activation(name: str, columns: int = width) -> dict:
        return tensor(name, [1, 197, columns], LINEAR)

    source = tensor("input", [1, 197, width], "Row major linear FP32")
    last = activation("Reformatted Input Tensor 0 to /embed")
    yield [reformat("/embed", source, last)]
    cached: list[dict] = []
    for block in range(blocks):
        name = f"/layers.{block}"
        normed, query, attended, added, normed_again, wide, active, result = (
            activation(f"{name}/{step}_output_0", columns)
            for step, columns in (
                ("norm1/Add", width),
                ("attn/q/MatMul", width),
                ("attn/Softmax", width),
                ("Add", width),
                ("norm2/Add", width),
                ("mlp/fc1/MatMul", 4 * width),
                ("mlp/act/Mul", 4 * width),
                ("Add_1", width),
            )
        )
        keys = activation(f"{name}/attn/kv/MatMul_output_0", 2 * width)
        projection = product(f"{name}/attn/q", [normed], query)
        projection["Outputs"].append(keys)
        yield [
            pointwise(f"{name}/norm1", [last], normed, "NORM"),
            projection,
            pointwise(f"{name}/attn", [query, keys], attended, "ATTENTION"),
            product(f"{name}/attn/out", [attended, last], added),
            pointwise(f"{name}/norm2", [added], normed_again, "NORM"),
            product(f"{name}/mlp/fc1", [normed_again], wide),
            pointwise(f"{name}/mlp/act", [wide], active, "GELU"),
            product(f"{name}/mlp/fc2", [active, added], result),
        ]
        last = result
        cached.append(keys)
    for first in itertools.count(0, packed_at_once):
        name = f"/cache.{first // packed_at_once}"
        # Behind the last group there is nothing left to pack: the result is copied on.
        group = cached[first : first + packed_at_once] or [last]
        packed = activation(f"{name}/Concat_output_0", 2 * width * len(group))
        yield [pointwise(name, group, packed, "CONCAT")]
        if first >= len(cached):
            last = packed


def unet(count: int) -> Iterator[dict]:
    return numbered(unet_blocks(), count)


def unet_blocks() -> Iterator[list[dict]]:
    last = tensor("input", [1, 64, 128, 128], "Row major linear FP32")
    for unit in itertools.count():
        skips = []
        for level in range(4):
            name, channels, side = f"/unet{unit}/down{level}", 64 << level, 128 >> level
            first, second = (
                tensor(f"{name}/conv{step}_output_0", [1, channels, side, side]) for step in (0, 1)
            )
            reduced = tensor(f"{name}/MaxPool_output_0", [1, channels, side // 2, side // 2])
            yield [
                convolution(level, f"{name}/conv0", [last], first, 3),
                convolution(level + 1, f"{name}/conv1", [first], second, 3),
                pooling(name, second, reduced),
            ]
            skips.append(second)
            last = reduced
        for level in reversed(range(4)):
            name, channels, side = f"/unet{unit}/up{level}", 64 << level, 128 >> level
            wide = tensor(f"{name}/Resize_output_0", [1, last["Dimensions"][1], side, side])
            joined = tensor(
                f"{name}/Concat_output_0", [1, wide["Dimensions"][1] + channels, side, side]
            )
            first, second = (
                tensor(f"{name}/conv{step}_output_0", [1, channels, side, side]) for step in (0, 1)
            )
            yield [
                pointwise(f"{name}/resize", [last], wide, "RESIZE"),
                pointwise(f"{name}/join", [wide, skips[level]], joined, "CONCAT"),
                convolution(level, f"{name}/conv0", [joined], first, 3),
                convolution(level + 1, f"{name}/conv1", [first], second, 3),
            ]
            last = second


def pointwise(name: str, inputs: list[dict], output: dict, operation: str) -> dict:
    return {
        "Name": f"{name}/{operation.title()}",
        "LayerType": "ElementWise",
        "Inputs": inputs,
        "Outputs": [output],
        "ParameterType": "ElementWise",
        "ElementWiseType": operation,
        "TacticValue": "0x0000000000000001",
        "StreamId": 0,
        "Metadata": f"[ONNX Layer: {name}/{operation.title()}]",
    }


def product(name: str, inputs: list[dict], output: dict) -> dict:
    return {
        "Name": f"{name}/MatMul",
        "LayerType": "MatrixMultiply",
        "Inputs": inputs,
        "Outputs": [output],
        "ParameterType": "MatrixMultiply",
        "MatrixOpA": "NONE",
        "MatrixOpB": "NONE",
        "Alpha": 1,
        "Beta": len(inputs) - 1,
        "TacticName": "sm80_xmma_gemm_f16f16_f16f16_f16_tn_n_tilesize128x64x32_stage4",
        "TacticValue": "0x0000000000020318",
        "StreamId": 0,
        "Metadata": f"[ONNX Layer: {name}/MatMul]",
    }


def constant(name: str, output: dict) -> dict:
    return {
        "Name": name,
        "LayerType": "Constant",
        "Inputs": [],
        "Outputs": [output],
        "ParameterType": "Constant",
        "weights": {"Type": "Half", "Count": output["Dimensions"][1]},
        "dimensions": output["Dimensions"],
        "StreamId": 0,
        "Metadata": "",
    }


# What an engine of each shape reads.
INPUTS = {
    "chain": ("input",),
    "resnet": ("input",),
    "branchy": ("input",),
    "hubs": ("input", "mask"),
    "transformer": ("input",),
    "unet": ("input",),
}
SHAPES = {
    "chain": chain,
    "resnet": resnet,
    "branchy": branchy,
    "hubs": hubs,
    "transformer": transformer,
    "unet": unet,
}
