#!/usr/bin/env python3
"""Writes a log of any size out of a real one, so that reading it can be measured.

    make_log.py build --from LOG --bytes N --output FILE     a verbose log of trtexec
    make_log.py records --from LOG --bytes N --output FILE   nothing but records of layers

build    The real log as it is, but the lines in which the builder times tactics come again and
         again before they go on, with other numbers each time. So are the logs of large models.
records  The block of layer records of a TensorRT-RTX log, again and again, with the layers and
         tensors of each round numbered on.

The same arguments give the same bytes.
"""

import argparse
import pathlib
import re

# Where the builder begins and ends to time tactics.
TIMING_BEGINS = b"=============== Computing costs for "
TIMING_ENDS = b"Engine generation completed in "
RECORD = b"Name: "
RECORDS_END = b"\n\n"


def varied(block: bytes, number: int) -> bytes:
    """The block with other times and other tactics."""
    block = re.sub(rb"(?<=Time: )\d\.\d+", lambda time: varied_digits(time[0], number), block)
    return re.sub(
        rb"0x[0-9a-f]{16}", lambda tactic: b"0x%016x" % (int(tactic[0], 16) ^ number), block
    )


def varied_digits(digits: bytes, number: int) -> bytes:
    return digits[:-3] + b"%03d" % ((int(digits[-3:].strip(b".") or b"0") + number) % 1000)


def numbered(records: bytes, number: int) -> bytes:
    """The records with other names: the model's own are "mm0", "w0" and "relu0"."""
    return re.sub(rb"\b(mm|w|relu)(?=\d)", rb"\g<1>%d_" % number, records)


def build_log(real: bytes, size: int) -> list[bytes]:
    begin = real.rfind(b"\n", 0, real.index(TIMING_BEGINS)) + 1
    end = real.rfind(b"\n", 0, real.index(TIMING_ENDS, begin)) + 1
    block = real[begin:end]
    parts, length, number = [real[:begin]], len(real), 0
    while length < size:
        parts.append(varied(block, number))
        length += len(parts[-1])
        number += 1
    return [*parts, real[end:]]


def record_log(real: bytes, size: int) -> list[bytes]:
    begin = real.rfind(b"\n", 0, real.index(b"Layers:")) + 1
    first = real.index(RECORD, begin)
    end = real.index(RECORDS_END, first) + 1
    head, records = real[begin:first], real[first:end]
    parts, length, number = [head], len(head), 0
    while length < size:
        parts.append(numbered(records, number) if number else records)
        length += len(parts[-1])
        number += 1
    return [*parts, real[end:]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=("build", "records"))
    parser.add_argument("--from", dest="real", type=pathlib.Path, required=True, metavar="LOG")
    parser.add_argument("--bytes", type=int, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FILE")
    arguments = parser.parse_args()
    make = build_log if arguments.kind == "build" else record_log
    parts = make(arguments.real.read_bytes(), arguments.bytes)
    with open(arguments.output, "wb") as file:
        file.writelines(parts)


if __name__ == "__main__":
    main()
