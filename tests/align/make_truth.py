#!/usr/bin/env python3
"""Makes pairs of engines, one a changed copy of the other, and the truth about them.

    make_truth.py OUTPUT

OUTPUT/SHAPE-CHANGED-SEED.graph.json, the same with -variant, and .truth.json, for every shape of
bench/engine_shapes.py. CHANGED is the share of layers that were changed, in percent.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

import make_engine
from engine_shapes import SHAPES

LAYERS = 1_000
CHANGED_PERCENT = (0, 6, 40, 90)
SEEDS = (1,)


def main() -> None:
    output = pathlib.Path(sys.argv[1])
    for shape, layers in SHAPES.items():
        for percent in CHANGED_PERCENT:
            for seed in SEEDS:
                prefix = str(output / f"{shape}-{percent}-{seed}")
                make_engine.write(layers(LAYERS), LAYERS, prefix, shape)
                make_engine.write_variant(LAYERS, prefix, shape, percent / 100, seed)


if __name__ == "__main__":
    main()
