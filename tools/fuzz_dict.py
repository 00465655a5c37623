#!/usr/bin/env python3
"""Prints a libFuzzer dictionary for a target: tools/fuzz_dict.py NAME

The words are the texts in the source of its reader: keys, marks of lines, names of types. So a
dictionary knows what the reader knows, and nobody has to keep it up.
"""

import re
import sys
from pathlib import Path

INGEST = Path(__file__).resolve().parent.parent / "src/ingest"

# Targets whose words are not in the folder of their family.
FOLDERS = {
    "archive": ["trex"],
    "capsule": ["."],
    "decode": [],
    "discover": [".", "tensorrt", "openvino", "planex"],
    "onnx": ["onnx", "../onnx"],
    "tensorrt-log": ["tensorrt/log"],
    "trex-metadata": ["tensorrt"],
}
# What the words of a format stand between, and what ends or begins its parts.
MARKS = {
    "archive": [b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"],
    "decode": [b"\x1f\x8b\x08", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\\u001e", b"\x1e"],
    "discover": [b"\n%%\n", b"|"],
    "openvino-exec-graph": [
        b"<layer ",
        b"<data ",
        b"<edge ",
        b"<port ",
        b"<dim>",
        b"</",
        b"/>",
        b"&lt;",
    ],
    "openvino-counters-log": [b"layerType: ", b"realTime: ", b"EXECUTED ", b"...", b"\n"],
    "openvino-log": [b"[ INFO ] ", b"[Step 1/11] ", b"\n"],
    "tensorrt-log": [
        b"[I] ",
        b"[V] ",
        b"[W] ",
        b"[E] ",
        b"[TRT] ",
        b"[03/01/2024-00:00:00] ",
        b"\n",
        b"\r",
    ],
}
JSON_MARKS = [
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"[[",
    b"]]",
    b'{"',
    b'":',
    b"1e999",
    b"-1",
    b"1e-5",
    b"\\u0000",
]

LITERAL = re.compile(r'(?<!include )"((?:[^"\\\n]|\\.)+)"')


def literals(folder: Path) -> set[str]:
    words = set()
    for path in folder.glob("*.cc"):
        if path.name.endswith("_test.cc"):
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.lstrip().startswith(("#", "//")):
                words.update(LITERAL.findall(line))
    # Messages for people are long, or have places to fill in.
    return {word for word in words if len(word) <= 40 and "{}" not in word and "\\x" not in word}


ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}


def unescaped(word: str) -> str:
    """The text that C++ makes of a literal."""
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), word)


def quoted(text: bytes) -> str:
    plain = set(range(0x20, 0x7F)) - set(b'"\\')
    return "".join(chr(byte) if byte in plain else f"\\x{byte:02X}" for byte in text)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = sys.argv[1]
    folders = FOLDERS.get(target, [target.split("-")[0]])
    words = set().union(*(literals(INGEST / folder) for folder in folders))
    marks = MARKS.get(target, [] if target == "onnx" else JSON_MARKS)
    entries = {unescaped(word).encode() for word in words}.union(marks)
    for entry in sorted(entries - {b""}):
        print(f'"{quoted(entry)}"')


if __name__ == "__main__":
    main()
