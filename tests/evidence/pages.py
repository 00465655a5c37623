"""docs/reference/evidence.md and src/lint/evidence_table.inc, from the records."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import tomllib

HERE = pathlib.Path(__file__).parent
RECORDS = HERE / "records"
ENGINES = {
    "tensorrt": "TensorRT",
    "tensorrt-rtx": "TensorRT-RTX",
    "openvino": "OpenVINO",
    "onnxruntime": "ONNX Runtime",
}
# Engines that the rules of a pack are about.
PACKS = {
    "generic": list(ENGINES),
    "tensorrt": ["tensorrt", "tensorrt-rtx"],
    "tensorrt-rtx": ["tensorrt-rtx"],
    "openvino": ["openvino"],
    "onnxruntime": ["onnxruntime"],
}
MEASURED, RECORDED, NOT_PROVEN, SILENT = "measured", "recorded", "not-proven", "silent"


@dataclasses.dataclass(frozen=True)
class Row:
    rule: str
    engine: str
    proof: str
    version: str = ""
    promised: str = ""
    gained: str = ""
    results: str = ""
    said: str = ""  # from what it is known, or why it is not
    asked: str = "edit"  # what the finding asked for that was followed
    ratio: tuple[float, float] | None = None  # gained of promised, less and with the noise


def records() -> list[dict]:
    files = sorted(RECORDS.glob("*/*.json"))
    return [json.loads(file.read_text("utf-8")) for file in files]


def unbuilt() -> dict[tuple[str, str], dict]:
    """What no build here shows, by rule and engine; `state` says what is known instead."""
    with (HERE / "unbuilt.toml").open("rb") as file:
        table = tomllib.load(file)
    found: dict[tuple[str, str], dict] = {}
    for entry in table["rows"]:
        for rule in entry["rules"]:
            for engine in entry["engines"]:
                if (rule, engine) in found:
                    raise ValueError(f"unbuilt.toml has two rows of {rule} and {engine}")
                found[rule, engine] = entry
    return found


def digits(ms: float) -> str:
    return f"{ms:.3g}"


def gains(record: dict) -> bool:
    return record["gain_ms"] > record["noise_ms"]


def distance_text(distance: dict) -> str:
    if not distance["is_finite"]:
        return "not a number"
    return "equal" if distance["sqnr_db"] is None else f"{distance['sqnr_db']:.1f} dB"


def results_text(record: dict) -> str:
    said = []
    if results := record.get("results"):
        text = f"{results['sqnr_db'] or 0:.0f} dB apart, largest error {results['max_abs']:.2g}"
        said.append("equal" if results["is_equal"] else text)
    if distances := record.get("from_float"):
        sides = (f"{distance_text(value)} {side}" for side, value in distances.items())
        said.append(f"from the float model: {', '.join(sides)}")
    return "; ".join(said)


def time_text(record: dict) -> str:
    share = record["gain_ms"] / record["before_ms"]
    text = (
        f"{digits(record['before_ms'])} → {digits(record['after_ms'])} ms: "
        f"{digits(record['gain_ms'])} ± {digits(record['noise_ms'])} ms, {100 * share:.0f} %"
    ).replace("-", "−")
    if gains(record):
        return text
    return f"{'takes longer' if harms(record) else 'nothing beyond the noise'}: {text}"


def harms(record: dict) -> bool:
    return record["gain_ms"] < -record["noise_ms"]


def ratio_of(record: dict) -> tuple[float, float] | None:
    promised = record.get("promised_ms")
    if not promised:
        return None
    gain, noise = record["gain_ms"], record["noise_ms"]
    return (gain - noise) / promised, (gain + noise) / promised


def row_of_record(record: dict) -> Row:
    said = f"{record['model']}; {record['change']}"
    version = f"{ENGINES[record['engine']]} {record['version']}"
    where = {"rule": record["rule"], "engine": record["engine"], "version": version}
    where["asked"] = record.get("asked", "edit")
    if "refused" in record:
        gained = f"refused before: “{record['refused']}”; {digits(record['after_ms'])} ms after"
        results = results_text(record)
        return Row(**where, proof=MEASURED, gained=gained, results=results, said=said)
    if "gain_ms" not in record:
        text = f"compiled, not timed: the finding goes with its fix; {said}"
        return Row(**where, proof=NOT_PROVEN, said=text)
    # A rule about results was judged by them when it was run.
    is_about_results = "results" not in record
    promised = record.get("promised_ms")
    return Row(
        **where,
        proof=MEASURED if gains(record) or is_about_results else NOT_PROVEN,
        promised="" if promised is None else f"{digits(promised)} ms",
        gained=f"results; time: {time_text(record)}" if is_about_results else time_text(record),
        results=results_text(record),
        said=said,
        ratio=ratio_of(record),
    )


def row_of_pair(record: dict) -> Row:
    share = 1 - record["after_ms"] / record["before_ms"]
    promised = record["promised_ms"]
    return Row(
        rule=record["rule"],
        engine=record["engine"],
        proof=RECORDED,
        version=f"{ENGINES[record['engine']]} {record['version']}",
        promised="" if promised is None else f"{digits(promised)} ms",
        gained=(
            f"{digits(record['before_ms'])} → {digits(record['after_ms'])} ms: "
            f"{digits(record['before_ms'] - record['after_ms'])} ms, {100 * share:.0f} %"
        ),
        results="not recorded",
        said=f"{record['before']} and {record['after']}; {record['change']}",
        asked=record["asked"],
    )


def rows(names: list[tuple[str, str]], kind: str) -> list[Row]:
    """One for each rule and engine; ValueError where one is missing or too many."""
    known = {(r["rule"], r["engine"]): r for r in records() if r["kind"] == kind}
    without = unbuilt()
    found = []
    for rule, engine in names:
        record, entry = known.pop((rule, engine), None), without.get((rule, engine))
        if record and entry:
            raise ValueError(f"{rule} on {engine}: a record and a row of unbuilt.toml")
        if record:
            found.append(row_of_pair(record) if "before" in record else row_of_record(record))
        elif entry:
            found.append(Row(rule, engine, entry["state"], said=entry["reason"]))
        else:
            raise ValueError(f"{rule} on {engine}: neither a record nor a row of unbuilt.toml")
    if known:
        raise ValueError(f"records of what the program does not have: {sorted(known)}")
    return found


WORDS = {
    MEASURED: "measured",
    RECORDED: "recorded pair",
    NOT_PROVEN: "not proven",
    SILENT: "silent there",
}
HEAD = """# Evidence

<!-- Written by tools/evidence.sh from tests/evidence/records and tests/evidence/unbuilt.toml. -->

What came of it where advice was followed. For each rule and each engine that it is about: a
small model on which the rule fires, the fix applied as the finding words it, both built and
measured in turns on one processor, and their results compared. `tools/evidence.sh run` makes
the records and this page; `make test-all` builds all of it again, and fails where a rule no
longer fires, still fires after its fix, or results differ.

- *measured*: gained here, by more than the noise: the median of the turns, ± twice its standard
  error. It is the gain of the model named, a small one: yours gains by how much of it is like
  it.
- *recorded pair*: two engines that were recorded elsewhere, of which the second has the fix.
- *not proven*: nothing here shows a gain; why is said. Of gains of one size such advice
  stands last, and has no place in the order where the files show no layer that goes.
- *silent there*: the rule does not fire on this engine, and why.

Of placement rules some are about *results*: then the model that follows the rule is nearer to the
float model's results, in dB, whatever time it takes; and some are there because an engine *refuses*
the other model, by the words that are quoted.

*Promised* is what the finding said that its fix would save; where it is empty, the finding says
that this is not known. *Results* compares the outputs of both models on the same inputs.
"""
COLUMNS = ["engine", "known", "promised", "gained", "results", "from"]


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |\n"


def page_of(lint: list[Row], placement: list[Row]) -> str:
    parts = [HEAD]
    for title, found, link in (
        ("Lint rules", lint, "rules.md"),
        ("Placement rules", placement, "placement.md"),
    ):
        if not found:
            continue
        counts = ", ".join(
            f"{sum(row.proof == proof for row in found)} {word}" for proof, word in WORDS.items()
        )
        parts.append(f"\n## {title}\n\n{len(found)} rows: {counts}.\n")
        for rule in dict.fromkeys(row.rule for row in found):
            parts.append(
                f"\n### {rule}\n\n[The rule]({link}#{rule})\n\n"
                f"{line(COLUMNS)}{'|---' * len(COLUMNS)}|\n"
            )
            for row in found:
                if row.rule != rule:
                    continue
                engine = row.version or ENGINES[row.engine]
                cells = [engine, WORDS[row.proof], row.promised, row.gained, row.results, row.said]
                parts.append(line(cells))
    return "".join(parts)


def literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def table_of(lint: list[Row]) -> str:
    """What the program knows of it: rows that are measured or recorded, and why others are not."""
    lines = ["// Written by tools/evidence.sh from tests/evidence; sorted by rule, then engine.\n"]
    names = {MEASURED: "kMeasured", RECORDED: "kRecorded", NOT_PROVEN: "kNotProven"}
    kinds = {"edit": "kEdit", "option": "kOption", "caller": "kCaller"}
    for row in sorted(lint, key=lambda row: (row.rule, row.engine)):
        if row.proof not in names:
            continue
        # What was gained, or why nothing is known of it.
        results = f"results {row.results}" if row.results else ""
        said = "; ".join(part for part in (row.gained, results, row.said) if part)
        words = [row.rule, row.engine, row.version or ENGINES[row.engine]]
        known = [f"Proof::{names[row.proof]}", f"ActionKind::{kinds[row.asked]}"]
        inside = ", ".join([*map(literal, words), *known, literal(said)])
        if row.ratio:
            inside += f", GainedRatio{{{row.ratio[0]:.4g}, {row.ratio[1]:.4g}}}"
        lines.append(f"{{{inside}}},\n")
    return "".join(lines)
