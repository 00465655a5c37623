#!/usr/bin/env python3
"""Thresholds of histograms in NumPy, each method written as it is defined: slowly.

    thresholds_reference.py HISTOGRAMS.json    answers anew, in place

src/quantize/thresholds.cc has to agree within one bin; thresholds_test.cc holds it to the answers
that are stored beside the histograms (make_histograms.py makes those).

A histogram is of |x|: bin i is [i, i + 1) * range / n, its center is (i + 0.5) * range / n.
"""

from __future__ import annotations

import json
import pathlib
import sys

import ml_dtypes
import numpy

LEVELS = 128
# Divergences and errors that are nearer than this, relative to the scale of each, are one: sums in
# another order must not decide which of two equal candidates is the last.
TIE = 1e-10


def minmax(range_: float, counts: numpy.ndarray) -> float:
    return range_ if counts.sum() > 0 else 0.0


def percentile(range_: float, counts: numpy.ndarray, percent: float) -> float:
    """Upper edge of the first bin up to whose end `percent` of the values lie."""
    below = numpy.cumsum(counts)
    if below[-1] == 0:
        return 0.0
    index = int(numpy.argmax(below * 100.0 >= percent * below[-1]))
    return (index + 1) * range_ / len(counts)


def divergence(counts: numpy.ndarray, kept: int) -> float:
    """KL(P || Q) where `kept` bins are left of the threshold."""
    head = counts[:kept].astype(float)
    # Bins are merged to 128 levels of equal width; each is spread over its bins that have values.
    levels = numpy.arange(kept) * LEVELS // kept
    spread = numpy.zeros(kept)
    for level in range(LEVELS):
        filled = (levels == level) & (head > 0)
        if filled.any():
            spread[filled] = head[filled].sum() / filled.sum()
    reference = head.copy()
    reference[-1] += counts[kept:].sum()
    if spread.sum() == 0 or (spread[reference > 0] == 0).any():
        return numpy.inf
    reference /= reference.sum()
    spread /= spread.sum()
    used = reference > 0
    return float((reference[used] * numpy.log(reference[used] / spread[used])).sum())


def kl(range_: float, counts: numpy.ndarray) -> float:
    """Last of the least divergences, as NVIDIA's pytorch-quantization: bin 0 counts as bin 1."""
    bins = counts.astype(float)
    if len(bins) <= LEVELS or bins[1:].sum() == 0:
        return minmax(range_, counts)
    bins[0] = bins[1]
    candidates = numpy.arange(LEVELS, len(bins) + 1)
    found = numpy.array([divergence(bins, int(kept)) for kept in candidates])
    if not numpy.isfinite(found).any():
        return range_
    last = numpy.flatnonzero(found <= found.min() + TIE)[-1]
    return float(candidates[last]) * range_ / len(bins)


def in_int8(centers: numpy.ndarray, threshold: float) -> numpy.ndarray:
    scale = threshold / 127
    return numpy.minimum(numpy.round(centers / scale), 127) * scale


def in_float8(centers: numpy.ndarray, threshold: float) -> numpy.ndarray:
    """E4M3, whose largest value is 448."""
    scale = threshold / 448
    steps = numpy.minimum(centers / scale, 448).astype(numpy.float32)
    return steps.astype(ml_dtypes.float8_e4m3fn).astype(float) * scale


def squared_error(range_: float, counts: numpy.ndarray, threshold: float, encode=in_int8) -> float:
    centers = (numpy.arange(len(counts)) + 0.5) * range_ / len(counts)
    return float((counts * (centers - encode(centers, threshold)) ** 2).sum())


def mse(range_: float, counts: numpy.ndarray, encode=in_int8) -> float:
    """Least squared error of the centers among hundredths of the range; the last of equal ones."""
    if counts.sum() == 0 or range_ == 0:
        return 0.0
    thresholds = [range_ * step / 100 for step in range(1, 101)]
    errors = numpy.array([squared_error(range_, counts, each, encode) for each in thresholds])
    return thresholds[int(numpy.flatnonzero(errors <= errors.min() * (1 + TIE))[-1])]


def judge(
    range_: float, counts: numpy.ndarray, threshold: float, encode=in_int8
) -> dict[str, float]:
    centers = (numpy.arange(len(counts)) + 0.5) * range_ / len(counts)
    signal = float((counts * centers**2).sum())
    return {
        "clipped_ratio": float(counts[centers > threshold].sum() / counts.sum()),
        "sqnr_db": float(
            10 * numpy.log10(signal / squared_error(range_, counts, threshold, encode))
        ),
    }


def answers(range_: float, counts: numpy.ndarray) -> dict[str, object]:
    thresholds = {
        "minmax": minmax(range_, counts),
        "percentile:99.9": percentile(range_, counts, 99.9),
        "percentile:99.99": percentile(range_, counts, 99.99),
        "percentile:99.999": percentile(range_, counts, 99.999),
        "kl": kl(range_, counts),
        "mse": mse(range_, counts),
    }
    judged = {name: judge(range_, counts, each) for name, each in thresholds.items()}
    float8 = mse(range_, counts, in_float8)
    return {
        "thresholds": thresholds,
        "judged": judged,
        "float8": {"mse": float8, **judge(range_, counts, float8, in_float8)},
    }


def expand(runs: list[int]) -> numpy.ndarray:
    """Counts of a stored histogram: a negative number stands for so many empty bins."""
    counts: list[int] = []
    for run in runs:
        counts.extend([0] * -run if run < 0 else [run])
    return numpy.array(counts, dtype=numpy.int64)


def main() -> None:
    path = pathlib.Path(sys.argv[1])
    document = json.loads(path.read_text())
    for case in document["histograms"]:
        case["answers"] = answers(case["range"], expand(case["counts"]))
        print(case["name"], case["answers"]["thresholds"])
    path.write_text(dump(document))


def dump(document: dict) -> str:
    """One histogram a line: small, and a change of one is a change of one line."""
    head = {key: value for key, value in document.items() if key != "histograms"}
    lines = [json.dumps(case, separators=(",", ":")) for case in document["histograms"]]
    return json.dumps(head, indent=1)[:-2] + ',\n "histograms": [\n' + ",\n".join(lines) + "\n]}\n"


if __name__ == "__main__":
    main()
