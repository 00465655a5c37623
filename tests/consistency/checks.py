"""What must hold between the facts of one engine, whoever says them. A check yields sentences."""

from __future__ import annotations

import itertools
import math
import re

WORK = "work"
# Records that stand for all that is in them.
BODIES = ("If", "Loop", "Scan", "TensorIterator")
# Kinds that a family exists for, by the end of a type's name.
KNOWN_ENDINGS = ("convolution", "deconvolution", "pooling", "matmul", "permute", "attention")


def close(a, b, relative=1e-9):
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=relative, abs_tol=1e-12)


def total(values):
    """Of what is known; None where nothing is, since that is not 0."""
    known = [value for value in values if value is not None]
    return math.fsum(known) if known else None


def agree(what, said: dict, relative=1e-9):
    """All who speak of a figure say the same."""
    (first, value), *others = said.items()
    for name, other in others:
        if not close(value, other, relative):
            yield f"{what}: {first} says {value}, {name} says {other}"


class Engine:
    """Shorthands over the facts of `gather`."""

    def __init__(self, facts):
        self.facts = facts
        self.summary = facts["summary"]
        self.time = self.summary["time"]
        self.basis = self.time["share_basis"]
        profile = self.summary["engine"]["profile_index"]
        self.shown = [r for r in facts["layers"] if r["profile_index"] in (None, profile)]
        self.work = [r for r in self.shown if r["role"] == WORK]
        self.sigma = self.time[f"layers_{self.basis}_ms"] if self.basis else None

    def ms(self, row):
        return row[f"{self.basis}_ms"] if self.basis else None

    def per_inference(self, column):
        """Of the layers that do work; of a conditional its largest branch counts, as one runs."""
        kinds = {b["block_id"]: (b["kind"], b["parent_id"]) for b in self.facts["inside"]}
        times = {}

        def insides(block):
            return [b for b, (_, parent) in kinds.items() if parent == block]

        def ran(block):
            """False where times are there and all of them are 0."""
            if block not in times:
                own = [self.ms(r) for r in self.work if r["block_id"] == block]
                below = [ran(b) for b in insides(block)]
                known = [ms > 0 for ms in own if ms is not None] + [
                    b for b in below if b is not None
                ]
                times[block] = any(known) if known else None
            return times[block]

        def most(block):
            own = total(row[column] for row in self.work if row["block_id"] == block)
            inner = insides(block)
            branches = [b for b in inner if kinds[b][0] == "branch"]
            if kinds.get(block, ("", None))[0] != "conditional":
                branches = []
            which = [b for b in branches if ran(b)] or branches
            known = [v for v in map(most, which) if v is not None]
            others = [most(b) for b in inner if b not in branches]
            return total([own, max(known, default=None), *others])

        return most(None)

    def metric(self, name):
        """Of this engine in the comparison; a row that nobody has is left out."""
        for row in self.facts["compare"]["totals"]:
            if row["metric"] == name:
                return row["values"][0]
        return None


def check_sigma(engine):
    """Σ layers is one number."""
    facts = engine.facts
    said = {
        "summary": engine.sigma,
        "layers": total(engine.ms(row) for row in engine.shown),
        "query": facts["query"][f"{engine.basis}_ms"] if engine.basis else None,
        "compare": engine.metric("layers_time_ms"),
        **{topic: facts[topic]["layers_time_ms"] for topic in ("reformats", "precision")},
        "blocks": facts["blocks"]["total"]["layers_time_ms"],
    }
    # Times that are no measure have no limits, and no sum of such.
    if facts["speed"].get("no_measure") is None:
        said["speed"] = facts["speed"]["layers_time_ms"]
    sums = [step["to_ms"] for step in facts["timing"]["waterfall"] if step["kind"] == "layers"]
    said["timing"] = sums[0] if sums else None
    if "draw" in facts:
        said["draw"] = facts["draw"]["engine"]["layers_ms"]
    for name in ("report", "page"):
        if name in facts:
            time = facts[name]["engines"][0]["summary"]["time"]
            said[name] = time[f"layers_{engine.basis}_ms"] if engine.basis else None
    yield from agree("Σ layers", said)
    if "trace" in facts and engine.sigma is not None:
        events = facts["trace"]["traceEvents"]
        sum_us = math.fsum(e["dur"] for e in events if e["ph"] == "X" and e.get("cat") != "kernel")
        yield from agree("Σ layers", {"summary": engine.sigma, "trace": sum_us / 1000}, 1e-6)


def check_sigma_in_text(engine):
    """What screens print of Σ layers is that number, rounded."""
    for name, text in itertools.chain(
        engine.facts["text"].items(), engine.facts["markdown"].items()
    ):
        for match in re.finditer(r"Σ layers[ |(]+([\d.]+) *(?:\| *)?ms", text):
            shown = match[1]
            half = 0.5 * 10 ** -len(shown.partition(".")[2])
            if engine.sigma is None or abs(float(shown) - engine.sigma) > half * 1.001:
                yield f"explain or summary, {name}: Σ layers {shown} ms, not {engine.sigma}"


def check_groups(engine):
    """Groups by a word, with the records that are in none, make Σ layers."""
    others = engine.time["other_records"]
    timed_others = [r for r in engine.shown if r["role"] != WORK and engine.ms(r) is not None]
    yield from agree("other records", {"summary": others["count"], "layers": len(timed_others)})
    for key in ("by_type", "by_precision", "by_output_precision"):
        groups = engine.summary[key]
        count = sum(group["count"] for group in groups)
        yield from agree(f"{key}: layers", {"summary": len(engine.work), "groups": count})
        if not engine.basis:
            continue
        ms = [group[f"{engine.basis}_ms"] for group in [*groups, others]]
        yield from agree(f"{key}: ms", {"Σ layers": engine.sigma, "groups": total(ms)})
        if engine.sigma:
            shares = [group["share"] for group in [*groups, others]]
            yield from agree(f"{key}: shares", {"all": 1.0, "groups": total(shares)})


def check_group_tables(engine):
    """The rows that the screen shows add up to what it shows of all."""
    lines = engine.facts["text"]["summary"].splitlines()
    for title in ("by type", "by precision"):
        heads = [i for i, line in enumerate(lines) if line.strip().startswith(title + "  ")]
        if not heads or not engine.sigma:
            continue
        if lines[heads[0]].count("layers") > 1:
            continue  # side by side
        ms, shares, counts, rows = [], [], [], 0
        for line in itertools.takewhile(str.strip, lines[heads[0] + 1 :]):
            number = r"[\d.\u2009]+"
            row = rf"  +(?:({number})  +)?({number}|–)  +(<?[\d.]+ %|–)(?:  .*)?$"
            cells = re.search(row, line)
            if cells is None:
                yield f"{title}: a row that is none: {line!r}"
                continue
            rows += 1
            counts.append(int((cells[1] or "0").replace("\u2009", "")))
            ms.append(0 if cells[2] == "–" else float(cells[2].replace("\u2009", "")))
            # "<0.1 %" is rounded to nothing.
            shares.append(0 if cells[3][0] in "–<" else float(cells[3].split()[0]))
        if sum(counts) != len(engine.work):
            yield f"{title}: rows have {sum(counts)} layers, there are {len(engine.work)}"
        if abs(sum(ms) - engine.sigma) > 0.0006 * rows:
            yield f"{title}: rows have {sum(ms)} ms, Σ layers is {engine.sigma}"
        if abs(sum(shares) - 100) > 0.06 * rows:
            yield f"{title}: rows have {sum(shares)} %"


def check_layers(engine):
    """Each share is the layer's time over Σ layers, in every table that has one."""
    for row in engine.shown:
        ms = engine.ms(row)
        wanted = ms / engine.sigma if ms is not None and engine.sigma else None
        if not close(row["share"], wanted):
            yield f"layer {row['layer_id']}: share {row['share']}, its time is {wanted} of Σ"
    corrected = total(row["corrected_share"] for row in engine.shown)
    if corrected is not None:
        yield from agree("corrected shares", {"all": 1.0, "layers": corrected})
    by_id = {row["layer_id"]: row for row in engine.facts["layers"]}
    listed = engine.facts["listed"]
    yield from agree("layers", {"csv": len(listed), "summary": engine.summary["layer_count"]})
    for cells in listed:
        row = by_id[int(cells["layer_id"])]
        for name in ("median_ms", "mean_ms", "share", "io_bytes"):
            shown = float(cells[name]) if cells[name] else None
            if not close(shown, row[name]):
                yield f"layer {cells['layer_id']}: {name} is {shown} in CSV, {row[name]} in JSON"
    for top in engine.summary["top_layers"]:
        row = by_id[top["layer_id"]]
        for name in ("median_ms", "mean_ms", "share"):
            yield from agree(f"slowest, {name}", {"summary": top[name], "layers": row[name]})


def check_counts(engine):
    """Layers and records are counted alike."""
    facts = engine.facts
    said = {
        "summary": engine.summary["layer_count"],
        "layers": len(engine.work),
        "query": facts["query"]["layers"] or 0,
        "speed": len(facts["speed"]["layers"]),
        "blocks": facts["blocks"]["total"]["layer_count"],
        "precision": facts["precision"]["totals"]["all"]["count"],
        "compare": int(engine.metric("layer_count")),
        "report": facts["report"]["engines"][0]["summary"]["layer_count"],
        "exported and read again": facts["plan"]["layer_count"],
    }
    if "draw" in facts:
        said["draw"] = facts["draw"]["engine"]["layer_count"]
    yield from agree("layers", said)
    yield from agree(
        "records",
        {
            "summary": engine.summary["record_count"],
            "layers": len(facts["layers"]),
            "exported and read again": facts["plan"]["record_count"],
        },
    )


def check_reformats(engine):
    """One count of reformats, one time, one share; unknown everywhere where it is unknown."""
    facts = engine.facts
    explained, reformats = facts["reformats"], engine.summary["reformats"]
    known = [row for row in engine.work if row["is_reformat"] is not None]
    rows = [row for row in known if row["is_reformat"] == 1]
    count = len(rows) if known else None
    said = {
        "layers": count,
        "summary": reformats and reformats["count"],
        "compare": engine.metric("reformat_count"),
        "query": facts["query"]["reformats"] if known else None,
        "exported and read again": facts["plan"]["reformats"]
        and facts["plan"]["reformats"]["count"],
    }
    yield from agree("reformats", said)
    yield from agree(
        "reformats",
        {
            "layers": len(rows),
            "explain": explained["totals"]["all"]["count"],
            "rows of explain": len(explained["reformats"]),
        },
    )
    missing = len(engine.work) - len(known)
    yield from agree("unknown", {"layers": missing, "explain": explained["unknown_count"]})
    ms = total(engine.ms(row) for row in rows)
    explained_ms = explained["totals"]["all"]["time_ms"]
    yield from agree("reformats, ms", {"layers": ms, "explain": explained_ms})
    if reformats and engine.sigma:
        yield from agree("reformats, ms", {"layers": ms or 0, "summary": reformats["time_ms"] or 0})
        share = (ms or 0) / engine.sigma
        yield from agree(
            "reformats, share",
            {
                "layers": share,
                "summary": reformats["share"] or 0,
                "compare": engine.metric("reformat_share_ratio") or 0,
            },
        )
    parts = explained["totals"]
    for whole, names in {
        "all": ("avoidable", "needed", "unclear"),
        "avoidable": ("avoidable_in_model", "avoidable_by_caller"),
    }.items():
        for key in ("count", "time_ms", "io_bytes"):
            yield from agree(
                f"reformats {whole}, {key}",
                {whole: parts[whole][key] or 0, "parts": total(parts[n][key] for n in names) or 0},
            )


def check_bytes(engine):
    """Bytes are sums of what layers move, unknown where nothing is known."""
    facts, summary = engine.facts, engine.summary
    io = engine.per_inference("io_bytes")
    moved = total([io, engine.per_inference("weight_bytes")])
    every = total(row["io_bytes"] for row in engine.work)
    yield from agree("bytes of all layers", {"layers": every, "query": facts["query"]["io_bytes"]})
    yield from agree(
        "activation traffic",
        {
            "layers": io,
            "summary": summary["activation_bytes"],
            "memory": summary["memory"]["traffic_bytes"],
            "compare": engine.metric("activation_bytes"),
            "report": facts["report"]["engines"][0]["summary"]["activation_bytes"],
            "exported and read again": facts["plan"]["activation_bytes"],
        },
    )
    yield from agree(
        "bytes moved",
        {
            "layers": moved,
            "summary": summary["footprint_bytes"],
            "compare": engine.metric("footprint_bytes"),
            "report": facts["report"]["engines"][0]["summary"]["footprint_bytes"],
            "exported and read again": facts["plan"]["footprint_bytes"],
        },
    )
    for row in engine.work:
        parts = [row["io_bytes"], row["weight_bytes"]]
        whole = None if None in parts else sum(parts)
        if row["footprint_bytes"] != whole:
            yield f"layer {row['layer_id']}: {row['footprint_bytes']} bytes moved, parts {parts}"
    for key, column in {
        "layers_without_bytes": "io_bytes",
        "layers_without_footprint": "footprint_bytes",
    }.items():
        unknown = sum(row[column] is None for row in engine.work)
        yield from agree(key, {"layers": unknown, "summary": summary[key]})
    weights = {
        "summary": summary["weight_bytes"],
        "memory": summary["memory"]["weight_bytes"],
        "compare": engine.metric("weight_bytes"),
        "exported and read again": facts["plan"]["weight_bytes"],
    }
    yield from agree("weights", weights)
    yield from agree(
        "peak activations",
        {
            "summary": summary["memory"]["peak"]["bytes"],
            "compare": engine.metric("peak_activation_bytes"),
        },
    )


def check_work(engine):
    """Operations are sums of those of layers."""
    facts, summary = engine.facts, engine.summary
    for key in ("flops", "macs"):
        known = engine.per_inference(key)
        # A sum that lacks what a body hides is said to be unknown where the body is nearly all.
        bodies = [row for row in engine.work if row["type"] in BODIES and row[key] is None]
        said = {
            "layers": None if bodies and summary[key] is None else known,
            "summary": summary[key],
            "exported and read again": facts["plan"][key],
        }
        if key == "flops":
            said |= {"compare": engine.metric(key)}
            every = total(row[key] for row in engine.work)
            yield from agree("flops", {"all layers": every, "query": facts["query"][key]})
        yield from agree(key, said)


def check_findings(engine):
    """Findings are counted alike, and are worth no more than there is."""
    facts, lint = engine.facts, engine.facts["lint"]
    report = facts["report"]["engines"][0]
    # Symptoms are listed with their causes, and counted nowhere.
    causes = [f for f in lint["findings"] if f["folded_into"] is None]
    shown = [f for f in report["findings"] if f["folded_into"] is None]
    folded = len(lint["findings"]) - len(causes)
    yield from agree("folded findings", {"lint": lint["folded_count"], "its list": folded})
    for severity in ("error", "warning", "info"):
        found = [f for f in causes if f["severity"] == severity and not f["suppressed"]]
        yield from agree(
            f"findings, {severity}",
            {
                "lint": lint["counts"][severity],
                "its list": len(found),
                "summary": engine.summary["findings"][severity],
                "report": report["summary"]["findings"][severity],
                "the report's list": sum(f["severity"] == severity for f in shown),
            },
        )
    asks = engine.summary["findings"]["warning"] + engine.summary["findings"]["error"]
    compared = engine.metric("finding_warning_count")
    # Null where no rule could look.
    if compared is not None or asks > 0:
        yield from agree("warnings", {"summary": asks, "compare": compared})
    yield from agree(
        "findings", {"rules": sum(r["count"] for r in lint["rules"]), "list": len(causes)}
    )
    times = {row["layer_id"]: engine.ms(row) for row in engine.shown}
    for finding in lint["findings"]:
        if finding["layer_id"] is not None and finding["layer_id"] not in times:
            yield f"{finding['rule']}: layer {finding['layer_id']} is not shown"
        for saving in finding["savings"]:
            most = times.get(saving["layer_id"])
            if saving["ms"] is not None and (most is None or saving["ms"] > most * (1 + 1e-9)):
                yield f"{finding['rule']}: saves {saving['ms']} of a layer of {most} ms"
    worth = lint["estimated_ms"]
    if worth is not None and (not engine.sigma or worth > engine.sigma * (1 + 1e-9)):
        yield f"all findings are worth {worth} ms of {engine.sigma}"


SHARE_WORDS = {"Half": (0.45, 0.55), "A third": (0.3, 0.37), "A quarter": (0.23, 0.27)}
SHARE_WORDS |= {"A fifth": (0.18, 0.22), "More than 99 %": (0.995, 1)}


def claims(words, share):
    low, high = SHARE_WORDS.get(words, (None, None))
    if low is None:
        percent = float(words.removesuffix(" %"))
        low, high = (percent - 0.5) / 100, (percent + 0.5) / 100
    return share is not None and low - 1e-9 <= share <= high + 1e-9


def check_headline(engine):
    """The first sentence is true, and nothing that it could say explains more time."""
    conclusion = engine.summary["conclusion"]
    if conclusion is None or not engine.sigma:
        return
    headline, text = conclusion["headline"], conclusion["text"]
    if headline != headline.strip() or "of type :" in text:
        yield f"“{headline} {text}” names nothing"
    reformats = (engine.summary["reformats"] or {}).get("share") or 0
    layer = max((row["share"] or 0 for row in engine.shown), default=0)
    timed = sum(engine.ms(row) is not None for row in engine.work)
    match = re.match(
        r"(.+?) of the layer time (goes into conversions|is one layer|is \d+ equal)", headline
    )
    if match is None:
        of_type = re.match(r"(.+) takes (\d+ %) of the layer time", headline)
        if of_type is None or timed < 2:
            return
        # Without conversions, which may be of such a type too.
        share = float(re.search(r": ([\d.]+) % of Σ layers", text)[1]) / 100
        if not claims(of_type[2], share):
            yield f"“{headline}”: it is {share}"
        if share < max(reformats, layer if layer >= 0.25 else 0) - 1e-3:
            yield f"“{headline}” with reformats {reformats} and a layer of {layer}"
        return
    words, what = match[1], match[2]
    if what == "goes into conversions":
        share = reformats
        said = int(re.match(r"(\d+) of", text)[1])
        count = engine.summary["reformats"]["count"]
        yield from agree("reformats", {"headline": said, "summary": count})
    elif what == "is one layer":
        share = layer
        if timed < 2:
            yield f"“{headline}” of an engine of one layer"
    else:
        share = float(re.search(r"take ([\d.]+) ms", text)[1]) / engine.sigma
        if not claims(words, share) and abs(share * engine.sigma) > 0.01:
            yield f"“{headline}”: {share}"
        share = max(share, 0.15)
    if not claims(words, share) and not what.endswith("equal"):
        yield f"“{headline}”: it is {share}"
    best = max(reformats if reformats >= 0.05 else 0, layer if layer >= 0.25 else 0)
    if share < best * 0.98 - 1e-3:
        yield f"“{headline}”, and something else explains {best}"
    warned = re.search(r"(\d+) warnings? (?:is|are) about", text)
    if warned and what == "goes into conversions":
        ids = {row["layer_id"] for row in engine.work if row["is_reformat"] == 1}
        about = [
            f
            for f in engine.facts["lint"]["findings"]
            if f["layer_id"] in ids
            and f["severity"] != "info"
            and not f["suppressed"]
            and f["folded_into"] is None
        ]
        yield from agree("warnings", {"headline": int(warned[1]), "lint": len(about)})


def check_speed(engine):
    """Sums of bounds close; what is beyond its limit is counted and said."""
    speed = engine.facts["speed"]
    whole = speed["total"]
    if speed.get("no_measure") is not None:
        if whole["time_ms"] is not None or whole["bound_ms"] is not None:
            yield "times that are no measure, and a limit of them"
        return
    yield from agree(
        "speed, ms",
        {
            "layers": total(engine.ms(row) for row in engine.work),
            "total": whole["time_ms"],
            "types": total(group["time_ms"] for group in speed["by_type"]),
        },
    )
    if whole["bound_ms"] is not None:
        parts = [whole["bound_ms"], whole["headroom_ms"], whole["unknown_bound_ms"]]
        yield from agree("speed, ms", {"total": whole["time_ms"], "parts": total(parts)})
    beyond = [row for row in speed["layers"] if (row["headroom_ms"] or 0) < 0]
    yield from agree(
        "beyond the limit", {"rows": len(beyond), "count": speed["faster_than_bound"]["count"]}
    )
    reached = [row for row in speed["layers"] if (row["reached"] or 0) > 1]
    if len(reached) > len(beyond):
        yield f"{len(reached)} layers above 100 %, {len(beyond)} of them told"
    if beyond and "faster than" not in engine.facts["text"]["speed"]:
        yield "layers above 100 %, and the screen does not say why"
    others = speed["others_ms"] or 0
    yield from agree(
        "speed, Σ", {"Σ layers": engine.sigma or 0, "rows": (whole["time_ms"] or 0) + others}
    )


def check_blocks(engine):
    """Repeated blocks and the rest make the whole."""
    blocks = engine.facts["blocks"]
    whole = blocks["total"]
    if engine.sigma is not None:
        parts = [whole["in_blocks_ms"], whole["rest_ms"], whole["others_ms"]]
        yield from agree("blocks, ms", {"Σ layers": engine.sigma, "parts": total(parts)})
    yield from agree(
        "blocks, layers",
        {"all": whole["layer_count"], "parts": whole["layers_in_blocks"] + whole["rest_count"]},
    )
    outer = [block for block in blocks["repeated"] if not block["is_nested"]]
    yield from agree(
        "blocks, ms",
        {"in blocks": whole["in_blocks_ms"], "repeated": total(b["time_ms"] for b in outer)},
    )
    for kind in ("repeated", "attention", "opaque"):
        for block in blocks[kind]:
            share = block["time_ms"] and engine.sigma and block["time_ms"] / engine.sigma
            if not close(block["share"] or 0, share or 0):
                yield f"{kind} block: share {block['share']}, time {block['time_ms']}"


def check_precision(engine):
    """Cells of the matrix make all layers."""
    precision = engine.facts["precision"]
    whole = precision["totals"]["all"]
    for key in ("count", "time_ms", "io_bytes"):
        cells = total(cell["all"][key] for cell in precision["transitions"])
        yield from agree(f"precision, {key}", {"all": whole[key] or 0, "cells": cells or 0})
        for cell in precision["transitions"]:
            parts = total(cell[part][key] for part in ("conversions", "matrix", "others"))
            whole_cell = cell["all"][key] or 0
            yield from agree(f"precision, {key}", {"cell": whole_cell, "parts": parts or 0})


def check_waterfall(engine):
    """Steps lead from sum to sum."""
    at = 0.0
    for step in engine.facts["timing"]["waterfall"]:
        start = 0.0 if step["is_sum"] else at
        if not close(step["from_ms"], start, 1e-6):
            yield f"{step['kind']}: from {step['from_ms']}, the step before ends at {at}"
        if step["is_sum"] and at and not close(step["to_ms"], at, 1e-6):
            yield f"{step['kind']}: {step['to_ms']}, the steps before it make {at}"
        at = step["to_ms"]


def check_comparison(engine):
    """Pairs, by cause and one by one, make the difference of the two sums."""
    compared = engine.facts["compare"]
    if not compared.get("differences"):
        return
    difference = compared["differences"][0]
    yield from agree("compared, ms", {"Σ layers": engine.sigma, "pairs": difference["a_ms"]}, 1e-9)
    if difference["delta_ms"] is not None:
        causes = total(cause["delta_ms"] for cause in difference["causes"])
        delta = difference["delta_ms"]
        yield from agree("causes, ms", {"difference": delta, "causes": causes}, 1e-6)
    paired = {layer for pair in compared["pairs"] or [] for layer in pair["a_layers"]}
    yield from agree("paired", {"layers": len(engine.work), "pairs": len(paired)})


def check_report(engine):
    """The page gets what the terminal says, and its table has the same rows."""
    from gather import report_rows

    for name in ("report", "page"):
        if name not in engine.facts:
            continue
        sent = engine.facts[name]["engines"][0]
        for key, value in engine.summary.items():
            # Of the report's own look at the files: what is missing, odd, and how it is called.
            if key in ("schema", "engine", "missing", "diagnostics"):
                continue
            if sent["summary"].get(key) != value:
                yield f"{name}: {key} is not that of the summary"
        rows = report_rows(sent)
        yield from agree("rows", {name: len(rows), "layers": len(engine.facts["layers"])})
        for row, own in zip(rows, engine.facts["layers"], strict=False):
            for key in ("median_ms", "share", "io_bytes", "footprint_bytes", "is_reformat"):
                if row.get(key) != own[key]:
                    yield f"{name}: layer {own['layer_id']}: {key} {row.get(key)}, not {own[key]}"


def check_accuracy(engine):
    """What quantizing lost is the same in tables, SQL, the comparison, the report and on screen."""
    sent = engine.facts["report"]["engines"][0]["explain"]["accuracy"]
    rows = {row["layer_id"]: row for row in engine.facts["layers"]}
    # The last tensor of a layer is what it hands on.
    last = {row["layer_id"]: row for row in engine.facts["losses"]}
    for layer, loss in last.items():
        said = {"layers": rows[layer]["simulated_db"], "SQL": loss["simulated_db"]}
        if sent is not None:
            tensors = [one for one in sent["tensors"] if one["layer_id"] == layer]
            said["report"] = tensors[-1]["simulated_db"]
        yield from agree(f"layer {layer}, simulated dB", said)
        if loss["of_layer"] is not None:
            said = {"layers": rows[layer]["engine_db"], "SQL": loss["engine_db"]}
            yield from agree(f"layer {layer}, engine dB", said)
    known = [row["engine_db"] for row in engine.shown if row["engine_db"] is not None]
    if (sent is None or not sent["tensors"]) and known:
        yield "layers have figures in dB, and the report has no record of them"
    if sent is None:
        return
    for side in ("simulated", "engine"):
        end = sent[f"end_{side}_db"]
        if "compare" in engine.facts:
            said = {"report": end, "compare": engine.metric(f"outputs_{side}_db")}
            yield from agree(f"outputs, {side} dB", said)
        if end is not None and not any(f"{end:.1f} dB" in line for line in sent["sentences"]):
            yield f"no sentence has the {end:.1f} dB of the outputs, {side}"
    for db in known:
        if f"{abs(db):.1f}" not in engine.facts["text"]["layers"]:
            yield f"planex layers does not show {db:.1f} dB"


def check_read_again(engine):
    """What was exported and read again has the same figures."""
    plan = engine.facts["plan"]
    yield from agree(
        "Σ layers",
        {
            "summary": engine.sigma,
            "exported and read again": plan["time"][f"layers_{engine.basis}_ms"]
            if engine.basis
            else None,
        },
    )
    for key in ("by_type", "by_precision", "top_layers", "reformats", "findings"):
        if plan[key] != engine.summary[key]:
            yield f"{key} is another one after export"


def check_unknown(engine):
    """Nothing that is not known is shown as 0."""
    for name, text in engine.facts["text"].items():
        for match in re.finditer(r"≥ 0(?:\.0+)? ?(?:k?B|ms|FLOP|%)|(?:^| )0 inferences/s", text):
            yield f"{name}: “{match[0]}”"
    if not engine.sigma:
        for match in re.finditer(r"(?<![\d.])0(?:\.0+)? (?:ms|%)", engine.facts["text"]["summary"]):
            if engine.sigma is None:
                yield f"summary: “{match[0]}” without times"
    for key, column in {
        "activation_bytes": "io_bytes",
        "flops": "flops",
        "macs": "macs",
    }.items():
        if engine.summary[key] == 0 and all(row[column] is None for row in engine.work):
            yield f"{key} is 0, and no layer's is known"
    if not engine.facts["layers"]:
        for metric in ("reformat_count", "float_output_count", "activation_bytes", "flops"):
            if engine.metric(metric) == 0:
                yield f"compare: {metric} is 0 of an engine whose layers are not known"


def check_families(engine):
    """No layer is `other` whose type ends in a word that has a family."""
    for row in engine.work:
        kind = (row["type"] or "").lower().replace("_", "")
        if row["family"] == "other" and kind.endswith(KNOWN_ENDINGS):
            yield f"{row['type']} is of family other"


CHECKS = {
    name.removeprefix("check_"): function
    for name, function in list(globals().items())
    if name.startswith("check_")
}


def contradictions(facts, only=None) -> dict[str, list[str]]:
    """By check, what does not hold."""
    engine = Engine(facts)
    found = {}
    for name, function in CHECKS.items():
        if only is not None and name not in only:
            continue
        sentences = list(function(engine))
        if sentences:
            found[name] = sentences
    return found
