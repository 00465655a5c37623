"""Samples for the nets of optimize_models.py: to calibrate with, and others to judge on.

A file is an .npz with an array for each input, which has an axis more than the input: the samples.
"""

import ast
import dataclasses
import io
import pathlib
import random
import sys
import sysconfig
import zipfile

import numpy
import ocr_data
from PIL import Image, ImageDraw


@dataclasses.dataclass(frozen=True)
class Counts:
    calibrate: int = 64
    judge: int = 32

    def shortened(self) -> "Counts":
        return Counts(max(4, self.calibrate // 8), max(4, self.judge // 8))


USES = ("calibrate", "judge")


def count_of(counts: Counts, use: str) -> int:
    return counts.calibrate if use == "calibrate" else counts.judge


def save(folder: pathlib.Path, use: str, net, arrays: dict[str, list]) -> None:
    stacked = {
        name: numpy.stack([value.reshape(net.shapes[name]) for value in values])
        for name, values in arrays.items()
    }
    numpy.savez(folder / f"{use}.npz", **stacked)


def as_input(picture: Image.Image, shape: tuple[int, ...]) -> numpy.ndarray:
    """Values from -1 to 1, in the order of the shape: channels first or last."""
    values = numpy.asarray(picture.convert("RGB"), numpy.float32) / 127.5 - 1
    if shape[1] == 3:
        values = values.transpose(2, 0, 1)
    return numpy.ascontiguousarray(values)


def size_of(shape: tuple[int, ...]) -> tuple[int, int]:
    """Width and height."""
    height, width = shape[2:] if shape[1] == 3 else shape[1:3]
    return width, height


def only_input(net) -> tuple[str, tuple[int, ...]]:
    ((name, shape),) = net.shapes.items()
    return name, shape


# --- Drawn text -----------------------------------------------------------------------------------


def write_drawn(kind: str):
    def write(folder: pathlib.Path, net, counts: Counts) -> None:
        name, shape = only_input(net)
        for seed, use in enumerate(USES, 1):
            pictures = folder / f"{use}-pictures"
            pictures.mkdir(exist_ok=True)
            draw = random.Random(seed)  # noqa: S311
            ocr_data.KINDS[kind](pictures, count_of(counts, use), draw)
            files = [path for path in sorted(pictures.rglob("*.png")) if "masks" not in path.parts]
            arrays = [as_input(Image.open(path), shape) for path in files]
            save(folder, use, net, {name: arrays})

    return write


def document(draw: random.Random, size: tuple[int, int], photographs: list) -> Image.Image:
    """A page with a title, columns, a table and a photograph."""
    width, height = size
    page = Image.new("RGB", size, (draw.randrange(235, 256),) * 3)
    pen = ImageDraw.Draw(page)
    pen.text((60, 30), ocr_data.text_of(draw, 24).title(), (0, 0, 0), ocr_data.font(draw, 30))
    columns = draw.choice([1, 2])
    column_width = (width - 80) // columns
    for column in range(columns):
        left, top = 40 + column * column_width, 90
        while top < height - 60:
            kind = draw.random()
            if kind < 0.2 and top < height - 260:
                box = (column_width - 20, draw.randrange(120, 220))
                page.paste(crop(draw, photographs, box), (left, top))
                top += box[1] + 20
            elif kind < 0.35 and top < height - 160:
                for row in range(5):
                    line = (left, top + row * 24, left + column_width - 20, top + row * 24 + 24)
                    pen.rectangle(line, outline=(60, 60, 60))
                    pen.text((left + 6, line[1] + 4), str(draw.randrange(10**6)), (0, 0, 0))
                    pen.text((left + 120, line[1] + 4), ocr_data.text_of(draw, 12), (0, 0, 0))
                top += 140
            else:
                face = ocr_data.font(draw, 13)
                for _ in range(draw.randrange(3, 9)):
                    text = ocr_data.text_of(draw, column_width // 8)
                    pen.text((left, top), text, (20, 20, 20), face)
                    top += 18
                top += 16
    return ocr_data.spoiled(page, draw)


def write_documents(folder: pathlib.Path, net, counts: Counts) -> None:
    name, shape = only_input(net)
    for seed, use in enumerate(USES, 1):
        draw, found = random.Random(seed), photographs(use)  # noqa: S311
        pages = [document(draw, size_of(shape), found) for _ in range(count_of(counts, use))]
        save(folder, use, net, {name: [as_input(page, shape) for page in pages]})


# --- Photographs ----------------------------------------------------------------------------------

# What calibrates shows other things than what judges.
PHOTOGRAPHS = {
    "calibrate": [
        *("skimage/data/astronaut.png", "skimage/data/coffee.png", "skimage/data/rocket.jpg"),
        *("skimage/data/ihc.png", "sklearn/datasets/images/china.jpg"),
    ],
    "judge": [
        *("skimage/data/chelsea.png", "skimage/data/motorcycle_left.png"),
        *("skimage/data/hubble_deep_field.jpg", "sklearn/datasets/images/flower.jpg"),
    ],
}


def photographs(use: str) -> list[Image.Image]:
    folder = pathlib.Path(sysconfig.get_path("purelib"))
    return [Image.open(folder / file).convert("RGB") for file in PHOTOGRAPHS[use]]


def crop(draw: random.Random, pictures: list[Image.Image], size: tuple[int, int]) -> Image.Image:
    """A part of one of them, now and then mirrored or darker, resized."""
    picture = draw.choice(pictures)
    share = draw.uniform(0.4, 1)
    width, height = int(picture.width * share), int(picture.height * share)
    left, top = draw.randint(0, picture.width - width), draw.randint(0, picture.height - height)
    part = picture.crop((left, top, left + width, top + height)).resize(size)
    if draw.random() < 0.5:
        part = part.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    light = draw.uniform(0.6, 1.1)
    return part.point(lambda value: min(255, int(value * light)))


def write_pictures(folder: pathlib.Path, net, counts: Counts) -> None:
    name, shape = only_input(net)
    for seed, use in enumerate(USES, 1):
        draw, found = random.Random(seed), photographs(use)  # noqa: S311
        crops = [crop(draw, found, size_of(shape)) for _ in range(count_of(counts, use))]
        save(folder, use, net, {name: [as_input(one, shape) for one in crops]})


def write_caffe_pictures(folder: pathlib.Path, net, counts: Counts) -> None:
    """As open_nsfw takes them: BGR, 0 to 255, less the means of its training data."""
    name, shape = only_input(net)
    means = numpy.array([104, 117, 123], numpy.float32)
    for seed, use in enumerate(USES, 1):
        draw, found = random.Random(seed), photographs(use)  # noqa: S311
        arrays = []
        for _ in range(count_of(counts, use)):
            values = numpy.asarray(crop(draw, found, size_of(shape)), numpy.float32)
            arrays.append(numpy.ascontiguousarray(values[:, :, ::-1] - means))
        save(folder, use, net, {name: arrays})


# --- Text -----------------------------------------------------------------------------------------

MODULES = {
    "calibrate": ["argparse", "asyncio/events", "collections/__init__", "email/message", "pathlib"],
    "judge": ["logging/__init__", "subprocess", "unittest/case", "zipfile", "decimal"],
}


def sentences(use: str) -> list[str]:
    found: list[str] = []
    library = pathlib.Path(sysconfig.get_path("stdlib"))
    for module in MODULES[use]:
        file = library / f"{module}.py"
        if not file.exists():
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and (
                text := ast.get_docstring(node)
            ):
                found.append(" ".join(text.split()))
    return sorted({text for text in found if len(text) > 60})


def write_texts(folder: pathlib.Path, net, counts: Counts) -> None:
    from tokenizers import Tokenizer

    length = net.shapes["input_ids"][1]
    for path in map(pathlib.Path, sys.path):
        # Its vocabulary is that of all MiniLM nets.
        if (archive := path / "all_minilm_l6_v2/model.zip").is_file():
            break
    with zipfile.ZipFile(archive) as stored:
        tokenizer = Tokenizer.from_str(io.TextIOWrapper(stored.open("tokenizer.json")).read())
    tokenizer.enable_truncation(length)
    tokenizer.enable_padding(length=length)
    for seed, use in enumerate(USES, 1):
        texts = sentences(use)
        random.Random(seed).shuffle(texts)  # noqa: S311
        coded = tokenizer.encode_batch(texts[: count_of(counts, use)])
        ids = [numpy.array(one.ids, numpy.int64) for one in coded]
        masks = [numpy.array(one.attention_mask, numpy.int64) for one in coded]
        save(folder, use, net, {"input_ids": ids, "attention_mask": masks})


# --- Speech ---------------------------------------------------------------------------------------


def speech(draw: numpy.random.Generator, seconds: float, rate: int) -> numpy.ndarray:
    """Vowels and hisses with pauses between, over a little noise."""
    time = numpy.arange(int(seconds * rate)) / rate
    wave = draw.normal(0, 10 ** draw.uniform(-3.5, -2), time.size)
    start = 0
    while start < time.size:
        length = int(draw.uniform(0.05, 0.4) * rate)
        part = slice(start, min(start + length, time.size))
        now = time[part]
        envelope = numpy.hanning(max(now.size, 2))[: now.size] * draw.uniform(0.1, 0.6)
        kind = draw.random()
        if kind < 0.55:
            pitch = draw.uniform(90, 250) * (1 + 0.05 * numpy.sin(2 * numpy.pi * 5 * now))
            formants = draw.uniform([300, 900, 2200], [900, 2000, 3200])
            for harmonic in range(1, int(rate / 2 / 260)):
                pitch_hz = harmonic * float(pitch.mean()) if pitch.size else 0
                weight = numpy.exp(-(((pitch_hz - formants) / 250) ** 2)).sum() / harmonic**0.5
                wave[part] += (
                    envelope * weight * 0.3 * numpy.sin(2 * numpy.pi * harmonic * pitch * now)
                )
        elif kind < 0.75:
            wave[part] += envelope * draw.normal(0, 0.2, now.size)
        start += length + int(draw.exponential(0.08) * rate)
    return numpy.clip(wave, -1, 1).astype(numpy.float32)


def write_speech(folder: pathlib.Path, net, counts: Counts) -> None:
    """Pieces with the state that the model had before them."""
    import onnxruntime

    rate, size = 8000, net.shapes["input"][1]
    # A piece begins with the end of the one before.
    context = 32
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
    for seed, use in enumerate(USES, 1):
        draw = numpy.random.default_rng(seed)
        arrays: dict[str, list] = {"input": [], "state": [], "sr": []}
        wanted = count_of(counts, use)
        wave = speech(draw, 4 * wanted * size / rate, rate)
        state = numpy.zeros(net.shapes["state"], numpy.float32)
        step = size - context
        chosen = set(draw.choice(wave.size // step - 2, wanted, replace=False).tolist())
        for piece in range(wave.size // step - 2):
            values = wave[piece * step : piece * step + size][None]
            feeds = {"input": values, "state": state, "sr": numpy.array(rate)}
            if piece in chosen:
                arrays["input"].append(values[0])
                arrays["state"].append(state)
                arrays["sr"].append(numpy.array(rate))
            state = session.run(None, feeds)[1]
        save(folder, use, net, arrays)
