#!/usr/bin/env python3
"""Makes pairs of engines, one with 60 changes to the other, and the truth about them.

    make_truth.py DATA OUTPUT

DATA is the folder of real engines (PLANEX_TEST_DATA where that is set); make_plan.py, which writes
engines of any size and the truth about a changed one, is beside it. Without it nothing is made, and
the tests that need it are skipped.
"""

import os
import pathlib
import subprocess
import sys

SHAPES = ("resnet", "branchy", "hubs", "transformer")
SCHEMAS = (8, 10)
SEEDS = (1, 2)
LAYERS, CHANGES = 1_000, 60


def main() -> None:
    data, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    data = pathlib.Path(os.environ.get("PLANEX_TEST_DATA", data))
    tool = data.parent / "tools/make_plan.py"
    if not tool.exists():
        print(f"no {tool}: nothing to make")
        return
    for shape in SHAPES:
        for schema in SCHEMAS:
            for seed in SEEDS:
                name = f"{shape}-s{schema}-{seed}"
                if (output / f"{name}.truth.json").exists():
                    continue
                command = [sys.executable, str(tool), "--layers", str(LAYERS), "--shape", shape]
                command += ["--schema", str(schema), "--seed", str(seed), "--name", name]
                command += ["--profile", "--variant", str(CHANGES), "--out", str(output)]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
