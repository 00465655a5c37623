"""Stands in for the program and alters what it says: one contradiction, planted by name.

Run as `planting.py PROGRAM PLANT WORDS…`. Only for test_planted.py."""

from __future__ import annotations

import json
import re
import subprocess
import sys


def in_json(change):
    def alter(text):
        document = json.loads(text)
        change(document)
        return json.dumps(document)

    return alter


def a_reformat_more(document):
    document["reformats"]["count"] += 1


def wrong_share(document):
    column = [c["name"] for c in document["columns"]].index("share")
    document["rows"][0][column] *= 1.01


def zero_traffic(document):
    for total in document["totals"]:
        if total["metric"] == "activation_bytes":
            total["values"][0] = 0


def a_warning_more(document):
    document["counts"]["warning"] += 1


def other_sigma(text):
    return re.sub(r"Σ layers (\d)", lambda m: f"Σ layers {(int(m[1]) + 1) % 10}", text)


def other_drawing(document):
    document["engine"]["layers_ms"] *= 0.993


def above_the_limit(document):
    row = document["layers"][0]
    row["reached"], row["headroom_ms"] = 1.2, -0.001


# By name: which words it answers to, what it does to the output, the check that must find it.
PLANTS = {
    "a reformat too many": (["summary", "json"], in_json(a_reformat_more), "reformats"),
    "a share that is off": (["layers", "json"], in_json(wrong_share), "layers"),
    "0 bytes for some": (["compare"], in_json(zero_traffic), "bytes"),
    "a warning too many": (["lint", "json"], in_json(a_warning_more), "findings"),
    "another sum on a screen": (["explain", "blocks"], other_sigma, "sigma_in_text"),
    "another sum in a drawing": (["draw"], in_json(other_drawing), "sigma"),
    "above 100 % without a reason": (["speed", "json"], in_json(above_the_limit), "speed"),
}


def main() -> int:
    program, plant, *words = sys.argv[1:]
    result = subprocess.run([program, *words], capture_output=True, encoding="utf-8", check=False)
    text = result.stdout
    needed, change, _ = PLANTS[plant]
    is_asked = all(word in words for word in needed) and "--timing" not in words
    is_screen = not {"json", "csv", "markdown"} & set(words)
    if result.returncode == 0 and is_asked and is_screen == plant.endswith("on a screen"):
        text = change(text)
    sys.stdout.write(text)
    sys.stderr.write(result.stderr)
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
