#!/usr/bin/env python3
"""Writes an .npy of normally distributed samples: random_array.py FILE 1 3 224 224 --samples 4"""

import argparse
import pathlib

import numpy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("shape", type=int, nargs="+")
    parser.add_argument("--samples", type=int, default=4)
    arguments = parser.parse_args()
    draw = numpy.random.default_rng(1)
    shape = (arguments.samples, *arguments.shape)
    numpy.save(arguments.file, draw.normal(0, 1, shape).astype("float32"))


if __name__ == "__main__":
    main()
