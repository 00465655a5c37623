"""What turns of measurements say of planex and its peers, and the table of it. Pure functions."""

import dataclasses
import math
import statistics

LEVEL = 0.95
SUBJECT = "planex"


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A median with its 95 % interval; null where there are too few values for one."""

    median: float
    low: float | None
    high: float | None

    def as_json(self) -> dict:
        return dataclasses.asdict(self)


def estimate(values: list[float], comparisons: int = 1) -> Estimate:
    """The interval of the sign test: between two of the sorted values, of whatever distribution.

    One disturbed turn can't move it, and it needs no more than six turns. `comparisons`: how many
    such intervals are looked at for one that shows something; each is so much wider.
    """
    ordered, count = sorted(values), len(values)
    # How likely it is that fewer than `rank` values are on one side of the true median.
    rank, outside = 0, 0.0
    for below in range(count // 2):
        outside += 2 * math.comb(count, below) / 2**count
        if outside > (1 - LEVEL) / comparisons:
            break
        rank = below + 1
    if rank == 0:
        return Estimate(statistics.median(ordered), None, None)
    return Estimate(statistics.median(ordered), ordered[rank - 1], ordered[count - rank])


# By which time candidates are compared: the median of the wall time of inferences, or, on a machine
# that does other work, the CPU time of one, which does not count the time that others had the core.
CLOCKS = {"wall": "median_ms", "cpu": "cpu_ms"}


def times_of(turns: list[dict], clock: str) -> list[dict[str, float]]:
    """By turn and candidate; without what was not measured."""
    key = CLOCKS[clock]
    return [{name: ms for name, ms in turn[key].items() if ms is not None} for turn in turns]


def ratios(times: list[dict[str, float]], peer: str) -> list[float]:
    """How often as fast planex's is as the peer's, in each turn that has both."""
    return [ms[peer] / ms[SUBJECT] for ms in times if peer in ms and SUBJECT in ms]


def meets(candidate: dict, goal_db: float) -> bool:
    """null is no difference at all."""
    if candidate["state"] != "made":
        return False
    return candidate["sqnr_db"] is None or candidate["sqnr_db"] >= goal_db


def verdict_of(times: list[dict[str, float]], allowed: list[str], subject: dict) -> str:
    """Faster: than each of them. Slower: than one, beyond what the best of so many is by luck."""
    each = [ratios(times, name) for name in allowed]
    if subject["state"] != "made" or subject["time_ms"] is None or not all(each):
        return "failed"
    if not subject["meets_goal"]:
        return "misses the goal"
    if not each:
        # Not even the model as it is runs, and planex's does.
        return "faster"
    lows = [estimate(values).low for values in each]
    if None in lows:
        return "too few turns"
    if all(low > 1 for low in lows):
        return "faster"
    highs = [estimate(values, len(each)).high for values in each]
    is_slower = any(high is not None and high < 1 for high in highs)
    return "slower" if is_slower else "within the noise"


def judge_pair(pair: dict, clock: str = "wall") -> dict:
    """`pair`: goal_db, candidates by name, turns. The same, judged."""
    goal_db, candidates = pair["goal_db"], pair["candidates"]
    times = times_of(pair["turns"], clock)
    for name, candidate in candidates.items():
        candidate["meets_goal"] = meets(candidate, goal_db)
        found = [ms[name] for ms in times if name in ms]
        candidate["time_ms"] = estimate(found).as_json() if found else None
    allowed = [
        name
        for name, candidate in candidates.items()
        if name != SUBJECT and candidate["meets_goal"] and candidate["time_ms"]
    ]
    best = min(allowed, key=lambda name: candidates[name]["time_ms"]["median"], default=None)
    gains = ratios(times, best) if best else []
    return pair | {
        "clock": clock,
        "best_peer": best,
        "gain_ratio": estimate(gains).as_json() if gains else None,
        "verdict": verdict_of(times, allowed, candidates[SUBJECT]),
    }


def summarize(pairs: list[dict]) -> dict:
    verdicts = [pair["verdict"] for pair in pairs]
    gains = [pair["gain_ratio"]["median"] for pair in pairs if pair["gain_ratio"]]
    return {
        "pairs": len(pairs),
        "wins": verdicts.count("faster"),
        "is_never_slower": all(verdict in ("faster", "within the noise") for verdict in verdicts),
        "verdicts": {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)},
        # null: no pair has a gain.
        "geometric_mean_gain_ratio": statistics.geometric_mean(gains) if gains else None,
    }


# --- Table ----------------------------------------------------------------------------------------


def digits(value: float) -> str:
    """Three, also of what takes microseconds."""
    decimals = 2 - math.floor(math.log10(value)) if value > 0 else 2
    return f"{value:.{max(1, decimals)}f}"


def with_interval(told: dict | None) -> str:
    if told is None:
        return "–"
    text = digits(told["median"])
    if told["low"] is None:
        return text
    return f"{text} ({digits(told['low'])} to {digits(told['high'])})"


def decibels(candidate: dict) -> str:
    if candidate["state"] != "made":
        return "–"
    return "equal" if candidate["sqnr_db"] is None else f"{candidate['sqnr_db']:.1f}"


def markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def markdown(document: dict) -> str:
    head = ["model", "engine", "goal, dB", "planex, ms", "best allowed peer", "its ms", "gain"]
    head += ["SQNR of both, dB", "verdict"]
    lines = [markdown_row(head), markdown_row(["---"] * len(head))]
    for pair in document["pairs"]:
        candidates, best = pair["candidates"], pair["best_peer"]
        subject, peer = candidates[SUBJECT], candidates.get(best)
        gain = f"{with_interval(pair['gain_ratio'])} ×" if pair["gain_ratio"] else "–"
        lines.append(
            markdown_row(
                [
                    *(pair["model"], pair["engine"], f"{pair['goal_db']:g}"),
                    with_interval(subject["time_ms"]),
                    best or "none",
                    with_interval(peer["time_ms"] if peer else None),
                    gain,
                    f"{decibels(subject)} and {decibels(peer) if peer else '–'}",
                    pair["verdict"],
                ]
            )
        )
    summary = document["summary"]
    mean = summary["geometric_mean_gain_ratio"]
    lines += [
        "",
        f"{summary['wins']} of {summary['pairs']} faster than the best peer; "
        f"{'never slower' if summary['is_never_slower'] else 'not always as fast'}; geometric mean "
        f"of the gain {f'{mean:.2f} ×' if mean else 'unknown'}. "
        f"{'CPU time' if document['clock'] == 'cpu' else 'Wall time'} of an inference, one thread.",
        "",
        *all_candidates(document["pairs"]),
        "",
        *subjects(document["models"]),
    ]
    return "\n".join(lines) + "\n"


def all_candidates(pairs: list[dict]) -> list[str]:
    lines = [markdown_row(["model", "engine", "candidate", "ms", "SQNR, dB", "counts"])]
    lines.append(markdown_row(["---"] * 6))
    for pair in pairs:
        for name, candidate in pair["candidates"].items():
            counts = "yes" if candidate["meets_goal"] else "misses the goal"
            if candidate["state"] != "made":
                counts = f"no: {candidate['reason']}"
            cells = [pair["model"], pair["engine"], name, with_interval(candidate["time_ms"])]
            lines.append(markdown_row([*cells, decibels(candidate), counts]))
    return lines


def subjects(models: list[dict]) -> list[str]:
    head = ["model", "what", "from", "samples", "calibrated with", "judged on"]
    lines = [markdown_row(head), markdown_row(["---"] * len(head))]
    for about in models:
        cells = [about[key] for key in ("name", "what", "origin", "data")]
        cells += [str(about["calibrated"]), str(about["judged"])]
        lines.append(markdown_row(cells))
    return lines
