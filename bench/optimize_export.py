#!/usr/bin/env python3
"""Exports a net that no package carries; runs in the exporters' environment.

    optimize_export.py mobilenet|u2netp|vit OUT.onnx PICTURES.npz

Weights are random. Where the net has BatchNormalization, its statistics are those of the pictures,
as training leaves them: else signals die away and nothing can be judged.
"""

import os
import pathlib
import sys

import numpy


def pictures_of(path: str, count: int) -> numpy.ndarray:
    with numpy.load(path) as stored:
        return stored[stored.files[0]][:count, 0]


def write_mobilenet(path: pathlib.Path, pictures: numpy.ndarray) -> None:
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import keras
    import tensorflow
    import tf2onnx.convert

    keras.utils.set_random_seed(1)
    net = keras.applications.MobileNetV2(weights=None, classifier_activation=None)
    for layer in net.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.momentum = 0.0
    net(pictures, training=True)
    function = tensorflow.function(lambda image: net(image, training=False))
    signature = [tensorflow.TensorSpec((None, 224, 224, 3), tensorflow.float32, name="image")]
    tf2onnx.convert.from_function(
        function, input_signature=signature, opset=17, output_path=str(path)
    )


def u2netp():
    """U²-Net p of Qin et al., 2020: nested U-shaped blocks, all with 16 channels inside."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Step(nn.Module):
        def __init__(self, inputs: int, outputs: int, dilation: int = 1) -> None:
            super().__init__()
            self.conv = nn.Conv2d(inputs, outputs, 3, padding=dilation, dilation=dilation)
            self.norm = nn.BatchNorm2d(outputs)

        def forward(self, x):
            return functional.relu(self.norm(self.conv(x)))

    def resized(x, like):
        return functional.interpolate(x, like.shape[2:], mode="bilinear", align_corners=False)

    class Block(nn.Module):
        """A small U-Net; `is_flat`: dilated instead of smaller."""

        def __init__(self, depth: int, inputs: int, *, is_flat: bool = False) -> None:
            super().__init__()
            dilations = [2**step if is_flat else 1 for step in range(depth)]
            self.is_flat = is_flat
            self.first = Step(inputs, 64)
            self.down = nn.ModuleList(
                Step(64 if step == 0 else 16, 16, dilations[step]) for step in range(depth - 1)
            )
            self.bottom = Step(16, 16, dilations[-1] if is_flat else 2)
            self.up = nn.ModuleList(
                Step(32, 64 if step == 0 else 16, dilations[step]) for step in range(depth - 1)
            )

        def forward(self, x):
            whole = self.first(x)
            found, now = [], whole
            for place, step in enumerate(self.down):
                now = step(now)
                found.append(now)
                if not self.is_flat and place < len(self.down) - 1:
                    now = functional.max_pool2d(now, 2, ceil_mode=True)
            now = self.bottom(now)
            for step, left in zip(reversed(self.up), reversed(found), strict=True):
                now = step(torch.cat([resized(now, left) if not self.is_flat else now, left], 1))
            return now + whole

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            depths = [(7, False), (6, False), (5, False), (4, False), (4, True), (4, True)]
            self.down = nn.ModuleList(
                Block(depth, 3 if place == 0 else 64, is_flat=flat)
                for place, (depth, flat) in enumerate(depths)
            )
            self.up = nn.ModuleList(Block(depth, 128, is_flat=flat) for depth, flat in depths[:5])
            self.side = nn.ModuleList(nn.Conv2d(64, 1, 3, padding=1) for _ in range(6))
            self.last = nn.Conv2d(6, 1, 1)

        def forward(self, image):
            found, now = [], image
            for place, block in enumerate(self.down):
                now = block(now)
                found.append(now)
                if place < 5:
                    now = functional.max_pool2d(now, 2, ceil_mode=True)
            levels = [now]
            for block, left in zip(reversed(self.up), reversed(found[:5]), strict=True):
                now = block(torch.cat([resized(now, left), left], 1))
                levels.append(now)
            levels.reverse()
            sides = [
                resized(side(level), image) for side, level in zip(self.side, levels, strict=True)
            ]
            joined = self.last(torch.cat(sides, 1))
            return tuple(torch.sigmoid(one) for one in [joined, *sides])

    return Net()


def write_torch(name: str, path: pathlib.Path, pictures: numpy.ndarray) -> None:
    import torch

    torch.manual_seed(1)
    torch.set_num_threads(1)
    if name == "vit":
        import timm

        net = timm.create_model("vit_tiny_patch16_224", pretrained=False)
    else:
        net = u2netp()
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.momentum = 1.0
    with torch.no_grad():
        net.train()
        net(torch.from_numpy(pictures))
        net.eval()
        torch.onnx.export(
            net,
            (torch.from_numpy(pictures[:1]),),
            str(path),
            input_names=["image"],
            opset_version=18,
            external_data=False,
        )


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    name, path, pictures = sys.argv[1], pathlib.Path(sys.argv[2]), pictures_of(sys.argv[3], 16)
    if name == "mobilenet":
        write_mobilenet(path, pictures)
    else:
        write_torch(name, path, pictures)


if __name__ == "__main__":
    main()
