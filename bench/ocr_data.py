#!/usr/bin/env python3
"""Draws labelled pictures of text: data to calibrate and judge OCR models with.

    ocr_data.py lines FOLDER --count 64 [--seed 1]    48x320, for recognizers: labels.tsv has texts
    ocr_data.py turned FOLDER --count 64              48x192, in folders 0 and 180 (degrees)
    ocr_data.py pages FOLDER --count 16               320x320, with a mask of the text beside each

Colors, fonts, sizes, noise, blur and a slight turn are random, and the same for the same seed.
Needs Pillow, NumPy and the DejaVu fonts.
"""

import argparse
import pathlib
import random

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
FACES = ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSansMono"]
WORDS = [
    *["time", "layer", "tensor", "kernel", "engine", "build", "model"],
    *["batch", "stream", "memory", "weight", "input", "output", "shape"],
    *["precision", "half", "float", "integer", "scale", "range", "tactic"],
    *["reformat", "network", "compiler", "profile", "device", "median", "latency"],
    *["traffic", "graph", "fusion", "pointwise", "matrix", "product", "attention"],
    *["window", "picture", "street", "market", "garden", "river", "mountain"],
    *["coffee", "letter", "number", "station", "ticket", "museum", "bridge"],
    *["summer", "winter"],
]


def text_of(draw: random.Random, longest: int) -> str:
    words = []
    while True:
        word = draw.choice(WORDS)
        kind = draw.random()
        if kind < 0.2:
            word = str(draw.randrange(10, 99999))
        elif kind < 0.5:
            word = word.capitalize()
        elif kind < 0.6:
            word = word.upper()
        if len(" ".join([*words, word])) > longest:
            return " ".join(words) or word[:longest]
        words.append(word)


def colors(draw: random.Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Ground and ink that can be told apart."""
    while True:
        ground = tuple(draw.randrange(256) for _ in range(3))
        ink = tuple(draw.randrange(256) for _ in range(3))
        if abs(sum(ground) - sum(ink)) > 300:
            return ground, ink


def font(draw: random.Random, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / f"{draw.choice(FACES)}.ttf"), size)


def spoiled(picture: Image.Image, draw: random.Random) -> Image.Image:
    if draw.random() < 0.5:
        picture = picture.filter(ImageFilter.GaussianBlur(draw.uniform(0, 0.8)))
    noise = numpy.random.default_rng(draw.randrange(1 << 30)).normal(
        0, draw.uniform(0, 8), (picture.height, picture.width, 3)
    )
    return Image.fromarray(numpy.clip(numpy.asarray(picture) + noise, 0, 255).astype("uint8"))


def line(draw: random.Random, height: int, width: int) -> tuple[Image.Image, str]:
    """One line of text, as high as the picture; the right end is gray as after padding."""
    ground, ink = colors(draw)
    face = font(draw, draw.randrange(24, 34))
    text = text_of(draw, draw.randrange(4, 18))
    while face.getlength(text) > width - 16:
        text = text[:-1].strip()
    used = min(width, int(face.getlength(text)) + 16)
    picture = Image.new("RGB", (used, height), ground)
    pen = ImageDraw.Draw(picture)
    pen.text((8, height / 2), text, ink, face, anchor="lm")
    picture = picture.rotate(draw.uniform(-1.5, 1.5), Image.Resampling.BILINEAR, fillcolor=ground)
    whole = Image.new("RGB", (width, height), (127, 127, 127))
    whole.paste(spoiled(picture, draw))
    return whole, text


def write_lines(folder: pathlib.Path, count: int, draw: random.Random) -> None:
    rows = []
    for number in range(count):
        picture, text = line(draw, 48, 320)
        picture.save(folder / f"{number:05}.png")
        rows.append(f"{number:05}.png\t{text}\n")
    (folder / "labels.tsv").write_text("".join(rows), "utf-8")


def write_turned(folder: pathlib.Path, count: int, draw: random.Random) -> None:
    for number in range(count):
        picture, _ = line(draw, 48, 192)
        turn = draw.choice(["0", "180"])
        (folder / turn).mkdir(exist_ok=True)
        if turn == "180":
            picture = picture.transpose(Image.Transpose.ROTATE_180)
        picture.save(folder / turn / f"{number:05}.png")


def write_pages(folder: pathlib.Path, count: int, draw: random.Random) -> None:
    (folder / "masks").mkdir(exist_ok=True)
    for number in range(count):
        ground, _ = colors(draw)
        picture = Image.new("RGB", (320, 320), ground)
        mask = Image.new("L", (320, 320), 0)
        pen, mask_pen = ImageDraw.Draw(picture), ImageDraw.Draw(mask)
        top = draw.randrange(8, 40)
        while top < 280:
            face = font(draw, draw.randrange(14, 30))
            ink = tuple(0 if sum(ground) > 384 else 255 for _ in range(3))
            place = (draw.randrange(4, 80), top)
            text = text_of(draw, draw.randrange(4, 14))
            pen.text(place, text, ink, face)
            mask_pen.rectangle(pen.textbbox(place, text, face), 255)
            top += face.size + draw.randrange(8, 40)
        spoiled(picture, draw).save(folder / f"{number:05}.png")
        mask.save(folder / "masks" / f"{number:05}.png")


KINDS = {"lines": write_lines, "turned": write_turned, "pages": write_pages}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    KINDS[arguments.kind](arguments.folder, arguments.count, random.Random(arguments.seed))  # noqa: S311


if __name__ == "__main__":
    main()
