"""Build routes of TensorRT: what its own tuner would report, and what `planex optimize` proves, on
one stand-in whose truth is known (tests/support/tuned_trtexec.py).

  python bench/build_routes.py run --out FILE [--seeds 20]   runs the installed planex
  python bench/build_routes.py table FILE                    the table of docs/design/0078

The tuner's rule is that of its `fast` search: the default route, then one change at a time, each
measured once. A knob is helpful if its mean time is below that of the default route; the best of
all routes is reported with the gain of that one measurement.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUPPORT = ROOT / "tests/support"
sys.path[:0] = [str(SUPPORT), str(ROOT / "examples/resnet18")]

import tuned_trtexec  # noqa: E402

CASES = {
    "two of twelve matter": {},
    "none matters": {"factors": {}},
    "none matters, and the clock rises": {"factors": {}, "drift": -0.0005},
}


def tuner_rule(tuning: tuned_trtexec.Tuning) -> dict:
    """What the tuner would say: every route once, one after the other."""
    standard = tuning.level("")
    levels = {
        f"{knob}={value}": tuning.level(f"{knob}={value}")
        for knob, values in tuning.knobs.items()
        for value in values[1:]
    }
    winner = min(levels, key=levels.__getitem__)
    helpful = [route for route, level in levels.items() if level < standard]
    return {
        "helpful": helpful,
        "false_helpful": [route for route in helpful if tuning.truth(route) == 1],
        "winner": winner if levels[winner] < standard else None,
        "claimed_ratio": levels[winner] / standard - 1,
        "true_ratio": tuning.truth(winner) - 1,
        # Its search `mixed` goes on with all helpful knobs together.
        "true_helpful_ratio": tuning.truth(" ".join(helpful)) - 1,
        "builds": len(levels) + 1,
    }


def planex_says(program: str, model: pathlib.Path, folder: pathlib.Path, data: str) -> dict:
    trtexec = folder / "trtexec"
    trtexec.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -S {SUPPORT / "replay_trtexec.py"} "$@"\n'
    )
    trtexec.chmod(0o755)
    environment = {
        **os.environ,
        "PLANEX_TEST_DATA": data,
        "REPLAY_VERSION": "11.1",
        "REPLAY_TUNING": str(folder),
    }
    words = [program, "optimize", str(model), "--engine", "trtexec", "--program", str(trtexec)]
    words += ["--try", "options", "--budget", "4h", "-o", str(folder / "best")]
    subprocess.run(words, env=environment, check=True, capture_output=True)
    told = json.loads((folder / "best/optimize.json").read_text("utf-8"))
    tuning = tuned_trtexec.Tuning(folder)
    kept = told["kept"]
    return {
        "kept": kept,
        "false_kept": [step for step in kept if tuning.truth(step) == 1],
        "claimed_ratio": told["change_ratio"],
        "low_ratio": told["low_ratio"],
        "high_ratio": told["high_ratio"],
        "true_ratio": tuning.truth(" ".join(kept)) - 1,
        "builds": int((folder / "builds.txt").read_text()),
    }


def run(arguments: argparse.Namespace) -> None:
    import make_resnet18

    results = json.loads(arguments.out.read_text("utf-8")) if arguments.out.exists() else []
    done = {(row["case"], row["seed"]) for row in results}
    with tempfile.TemporaryDirectory() as scratch:
        place = pathlib.Path(scratch)
        make_resnet18.main(["--variant", "tiny-fp32", "-o", scratch])
        (model,) = place.glob("*.onnx")
        for case, settings in CASES.items():
            for seed in range(1, arguments.seeds + 1):
                if (case, seed) in done:
                    continue
                folder = place / f"{len(results)}"
                folder.mkdir()
                (folder / "settings.json").write_text(json.dumps({**settings, "seed": seed}))
                told = planex_says(arguments.program, model, folder, arguments.data)
                (folder / "builds.txt").unlink()
                rule = tuner_rule(tuned_trtexec.Tuning(folder))
                results.append({"case": case, "seed": seed, "tuner": rule, "planex": told})
                arguments.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
                print(case, seed, rule["winner"], told["kept"], flush=True)


def mean(values: list) -> float:
    return sum(values) / len(values)


def percent(ratio: float) -> str:
    return f"{ratio * 100:+.1f} %"


def table(arguments: argparse.Namespace) -> None:
    results = json.loads(arguments.results.read_text("utf-8"))
    print("| | knobs found | useless knobs called helpful, kept | gain claimed | true | builds |")
    print("|---|---|---|---|---|---|")
    for case in CASES:
        rows = [row for row in results if row["case"] == case]
        if not rows:
            continue
        two = set(tuned_trtexec.FACTORS) if case.startswith("two") else set()
        for who, kept_key, false_key in (
            ("tuner", "helpful", "false_helpful"),
            ("planex", "kept", "false_kept"),
        ):
            said = [row[who] for row in rows]
            found = sum(two <= set(one[kept_key]) for one in said)
            claims = [one for one in said if one["claimed_ratio"] is not None]
            if who == "tuner":
                claims = [one for one in said if one["winner"]]
            wrong = sum(len(one[false_key]) for one in said)
            cells = [
                f"{case}: {'its own rule' if who == 'tuner' else 'planex optimize'}",
                f"both in {found} of {len(rows)}" if two else "–",
                f"{wrong / len(rows):.2g} a search",
                f"{percent(mean([one['claimed_ratio'] for one in claims]))} in {len(claims)} of "
                f"{len(rows)}" if claims else f"none in {len(rows)}",
                percent(mean([one["true_ratio"] for one in claims])) if claims else "–",
                f"{mean([one['builds'] for one in said]):.0f}",
            ]  # fmt: skip
            print("| " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(required=True)
    part = parts.add_parser("run")
    part.add_argument("--out", type=pathlib.Path, required=True)
    part.add_argument("--seeds", type=int, default=20)
    part.add_argument(
        "--program",
        default=os.environ.get("PLANEX_BIN", str(ROOT / "build/test/prefix/bin/planex")),
    )
    part.add_argument(
        "--data", default=os.environ.get("PLANEX_TEST_DATA", str(ROOT.parent / "shared/data"))
    )
    part.set_defaults(do=run)
    part = parts.add_parser("table")
    part.add_argument("results", type=pathlib.Path)
    part.set_defaults(do=table)
    arguments = parser.parse_args()
    arguments.do(arguments)


if __name__ == "__main__":
    main()
