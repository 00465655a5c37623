#!/usr/bin/env python3
"""Trains a small residual net that reads one character, then trains it further with quantizing in
the loop (QAT), and writes both.

    train_glyphs.py FOLDER [--epochs 6] [--seed 1]

    glyphs.onnx       the float net: x, Nx1x32x32 in -1 … 1, to logits of 36 characters
    glyphs.qat.onnx   the net as QAT leaves it: Q/DQ before every convolution, none on residual sums
    judge/0 … judge/Z pictures it never saw, in folders called like their characters

Scales of activations are trained (LSQ: Esser et al., 2020, "Learned Step Size Quantization"), those
of weights are each channel's maximum over 127. Needs PyTorch 1.13 or later, Pillow and the DejaVu
fonts: python3-torch, python3-pil and fonts-dejavu of Debian.
"""

import argparse
import pathlib
import random
import string

import numpy
import torch
from PIL import Image, ImageDraw, ImageFont
from torch import nn
from torch.nn import functional

CHARACTERS = string.digits + string.ascii_uppercase
SIZE = 32
FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
FACES = ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSansMono"]
LIMITS = (-128, 127)


def picture(character: str, draw: random.Random) -> Image.Image:
    ground, ink = draw.choice([(20, 220), (235, 30)])
    canvas = Image.new("L", (SIZE, SIZE), ground + draw.randrange(-15, 16))
    font = ImageFont.truetype(str(FONTS / f"{draw.choice(FACES)}.ttf"), draw.randrange(18, 27))
    place = (SIZE / 2 + draw.randrange(-3, 4), SIZE / 2 + draw.randrange(-3, 4))
    ImageDraw.Draw(canvas).text(place, character, ink, font, anchor="mm")
    turned = canvas.rotate(draw.uniform(-12, 12), Image.Resampling.BILINEAR, fillcolor=ground)
    noise = numpy.random.default_rng(draw.randrange(1 << 30)).normal(
        0, draw.uniform(2, 25), (SIZE, SIZE)
    )
    return Image.fromarray(numpy.clip(numpy.asarray(turned) + noise, 0, 255).astype("uint8"))


def samples(count: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    draw = random.Random(seed)  # noqa: S311
    labels = [draw.randrange(len(CHARACTERS)) for _ in range(count)]
    pictures = [numpy.asarray(picture(CHARACTERS[label], draw)) for label in labels]
    values = torch.tensor(numpy.stack(pictures)[:, None], dtype=torch.float32) / 127.5 - 1
    return values, torch.tensor(labels)


class TrainedScale(torch.autograd.Function):
    """LSQ: the scale's gradient is that of the rounded value, the input's passes where in range."""

    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return torch.fake_quantize_per_tensor_affine(x, scale, ZERO, *LIMITS)

    @staticmethod
    def backward(ctx, gradient):
        x, scale = ctx.saved_tensors
        ratio = x / scale
        low, high = ratio < LIMITS[0], ratio > LIMITS[1]
        inside = ~(low | high)
        of_scale = torch.where(inside, ratio.round() - ratio, ratio.clamp(*LIMITS))
        weight = 1 / (x.numel() * LIMITS[1]) ** 0.5
        return gradient * inside, (gradient * of_scale).sum() * weight


ZERO = torch.tensor(0, dtype=torch.int32)


class Convolution(nn.Module):
    """With BatchNorm, which is folded before quantizing begins."""

    def __init__(self, inputs: int, outputs: int, size: int, stride: int = 1) -> None:
        super().__init__()
        self.stride, self.padding = stride, size // 2
        self.convolution = nn.Conv2d(inputs, outputs, size, stride, self.padding, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.scale: nn.Parameter | None = None

    def forward(self, x):
        if self.scale is None:
            return self.norm(self.convolution(x))
        weight = self.weight
        scales = weight.detach().abs().amax((1, 2, 3)) / LIMITS[1]
        if torch.onnx.is_in_onnx_export():
            scales = torch.tensor(scales.tolist())  # Not how they were computed.
        weight = torch.fake_quantize_per_channel_affine(
            weight, scales, torch.zeros_like(scales, dtype=torch.int32), 0, *LIMITS
        )
        if torch.onnx.is_in_onnx_export():
            x = torch.fake_quantize_per_tensor_affine(x, float(self.scale), 0, *LIMITS)
        else:
            x = TrainedScale.apply(x, self.scale)
        return functional.conv2d(x, weight, self.bias, self.stride, self.padding)

    def quantize(self, largest: float) -> None:
        """Folds the norm; the scale begins at the largest input that was seen."""
        factor = self.norm.weight / (self.norm.running_var + self.norm.eps).sqrt()
        self.weight = nn.Parameter(self.convolution.weight.detach() * factor[:, None, None, None])
        self.bias = nn.Parameter((self.norm.bias - self.norm.running_mean * factor).detach())
        self.scale = nn.Parameter(torch.tensor(largest / LIMITS[1]))
        del self.convolution, self.norm


class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.first = Convolution(inputs, outputs, 3, stride)
        self.second = Convolution(outputs, outputs, 3)
        self.skip = Convolution(inputs, outputs, 1, stride) if stride > 1 else nn.Identity()

    def forward(self, x):
        return functional.relu(self.second(functional.relu(self.first(x))) + self.skip(x))


class Glyphs(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = Convolution(1, 16, 3, 2)
        self.blocks = nn.Sequential(
            Block(16, 16, 1), Block(16, 24, 2), Block(24, 24, 1), Block(24, 32, 2)
        )
        self.head = nn.Linear(32, len(CHARACTERS))

    def forward(self, x):
        x = self.blocks(functional.relu(self.stem(x)))
        return self.head(x.mean((2, 3)))

    def quantize(self, values: torch.Tensor) -> None:
        seen: dict[Convolution, float] = {}
        layers = [layer for layer in self.modules() if isinstance(layer, Convolution)]
        hooks = [
            layer.register_forward_pre_hook(
                lambda layer, inputs: seen.update({layer: float(inputs[0].abs().max())})
            )
            for layer in layers
        ]
        with torch.no_grad():
            self.eval()(values)
        for hook in hooks:
            hook.remove()
        for layer in layers:
            layer.quantize(seen[layer])


def train(net: nn.Module, data, epochs: int, rate: float) -> None:
    values, labels = data
    steps = -(-len(values) // 64) * epochs
    optimizer = torch.optim.Adam(net.parameters(), rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    net.train()
    for _ in range(epochs):
        for chosen in torch.randperm(len(values)).split(64):
            optimizer.zero_grad()
            loss = functional.cross_entropy(net(values[chosen]), labels[chosen])
            loss.backward()
            optimizer.step()
            schedule.step()


def share_right(net: nn.Module, data) -> float:
    with torch.no_grad():
        return float((net.eval()(data[0]).argmax(1) == data[1]).float().mean())


def write(net: nn.Module, path: pathlib.Path) -> None:
    names = {"input_names": ["x"], "output_names": ["logits"]}
    example = torch.zeros(1, 1, SIZE, SIZE)
    torch.onnx.export(net.eval(), example, str(path), opset_version=13, **names)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    options.folder.mkdir(parents=True, exist_ok=True)

    learned, held_back = samples(6000, options.seed), samples(1000, options.seed + 1)
    net = Glyphs()
    train(net, learned, options.epochs, 3e-3)
    print(f"float: {share_right(net, held_back):.1%} of 1000 characters right")
    write(net, options.folder / "glyphs.onnx")
    net.quantize(learned[0][:512])
    print(f"quantized, not trained: {share_right(net, held_back):.1%}")
    train(net, learned, max(1, options.epochs // 3), 3e-4)
    print(f"QAT: {share_right(net, held_back):.1%}")
    write(net, options.folder / "glyphs.qat.onnx")

    draw = random.Random(options.seed + 2)  # noqa: S311
    for character in CHARACTERS:
        folder = options.folder / "judge" / character
        folder.mkdir(parents=True, exist_ok=True)
        for index in range(2):
            picture(character, draw).save(folder / f"{index}.png")


if __name__ == "__main__":
    main()
