#!/usr/bin/env python3
"""Draws the pictures of this folder, and keeps what Pillow makes of them in expected.npz.

    python tests/data/pictures/make.py

Run by hand, with Pillow 13 and NumPy, which the tests don't need.
"""

from __future__ import annotations

import pathlib
import struct
import zlib

import numpy as np
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).resolve().parent
# Height, width, fit, color; the fill of padding is 17.
PREPARATIONS = [
    (8, 12, "stretch", "rgb"),
    (40, 20, "stretch", "bgr"),
    (16, 16, "pad", "rgb"),
    (16, 16, "crop", "gray"),
]


def png_of_16_bits(values: np.ndarray) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    height, width = values.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    header = struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    return start + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def draw() -> None:
    random = np.random.default_rng(7)
    blocks = np.kron(random.integers(0, 256, (3, 4, 3)), np.ones((7, 8, 1))).astype(np.uint8)
    picture = Image.fromarray(blocks)
    transparent = picture.copy()
    transparent.putalpha(Image.fromarray(blocks[:, :, 0]))
    picture.save(HERE / "rgb.png")
    transparent.save(HERE / "alpha.png")
    picture.quantize(9).save(HERE / "palette.png")
    picture.convert("1").save(HERE / "one-bit.png")
    deep = blocks.astype(int) * 257 - 7 * (blocks > 0)
    (HERE / "sixteen-bits.png").write_bytes(png_of_16_bits(deep))
    picture.save(HERE / "rgb.jpg", quality=85)
    picture.save(HERE / "progressive.jpg", quality=60, progressive=True)
    picture.convert("L").save(HERE / "gray.jpg")
    picture.convert("CMYK").save(HERE / "cmyk.jpg")
    for orientation in range(2, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        picture.save(HERE / f"orientation-{orientation}.jpg", exif=exif)
    picture.save(HERE / "lossy.webp", quality=80)
    transparent.save(HERE / "alpha.webp", lossless=True)


def prepared(path: pathlib.Path, height: int, width: int, fit: str, color: str) -> np.ndarray:
    picture = ImageOps.exif_transpose(Image.open(path)).convert("L" if color == "gray" else "RGB")
    size = (width, height)
    if fit != "stretch":
        ratios = (width / picture.width, height / picture.height)
        scale = min(ratios) if fit == "pad" else max(ratios)
        size = (int(picture.width * scale + 0.5), int(picture.height * scale + 0.5))
    values = np.asarray(picture.resize(size, Image.Resampling.BILINEAR))
    values = values.reshape(size[1], size[0], -1)
    if fit == "pad":
        padded = np.full((height, width, values.shape[2]), 17, np.uint8)
        padded[: size[1], : size[0]] = values
        values = padded
    elif fit == "crop":
        top, left = (size[1] - height) // 2, (size[0] - width) // 2
        values = values[top : top + height, left : left + width]
    return values[:, :, ::-1] if color == "bgr" else values


if __name__ == "__main__":
    draw()
    expected = {}
    for file in sorted(HERE.iterdir()):
        if file.suffix not in (".png", ".jpg", ".webp"):
            continue
        for preparation in PREPARATIONS:
            key = "-".join(map(str, (file.name, *preparation)))
            expected[key] = prepared(file, *preparation)
    np.savez_compressed(HERE / "expected.npz", **expected)
