"""What planex says of the models of a case: findings, advice, decisions of a placement."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
from collections.abc import Mapping

from models import Case, Quantized


class EvidenceError(Exception):
    """A rule whose advice does not hold, or a case that can't be run."""


@dataclasses.dataclass(frozen=True)
class Tools:
    planex: str
    driver: str  # planex-openvino
    python: str  # with the engines' packages
    folder: pathlib.Path


def call(words: list, environment: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=os.environ | (environment or {}),
    )
    if done.returncode != 0:
        raise EvidenceError(f"exit code {done.returncode} of {words}\n{done.stderr[-2000:]}")
    return done.stdout


def findings_of(folder: pathlib.Path, rule: str, tools: Tools) -> tuple[list[dict], dict]:
    # Alone, so that nothing folds into a finding of another rule.
    words = ["--rule", rule, "--format", "json"]
    document = json.loads(call([tools.planex, "lint", folder, *words]))
    found = [entry for entry in document["findings"] if entry["rule"] == rule]
    (status,) = [entry for entry in document["rules"] if entry["id"] == rule] or [None]
    return found, status


def asked(folder: pathlib.Path, rule: str, tools: Tools) -> str:
    """What kind of thing the rule asks for first: "edit", "option", "caller"."""
    words = ["--rule", rule, "--format", "json"]
    document = json.loads(call([tools.planex, "lint", folder, *words]))
    return document["actions"][0]["kind"]


def advice_of(model: pathlib.Path, target: str, tools: Tools) -> set[str]:
    """The placement rules that the model's Q/DQ break."""
    words = [tools.planex, "advise", model, "--target", target, "--format", "json"]
    return {entry["rule"] for entry in json.loads(call(words))["advice"]}


def decided(model: pathlib.Path, rule: str) -> bool | None:
    """Whether the quantizer that wrote the model applied the rule; None: it had no place for it."""
    record = json.loads(pathlib.Path(f"{model}.quantize.json").read_text("utf-8"))
    found = [entry["is_applied"] for entry in record["decisions"] if entry["rule"] == rule]
    return any(found) if found else None


def judge_placement(case: Case, engine: str, paths: dict, tools: Tools) -> None:
    """EvidenceError where the model before does not break the rule, or the one after does."""
    if case.known_by == "hand":
        return
    if case.known_by == "quantize":
        after = decided(paths["after"], case.rule)
        if isinstance(case.before, Quantized):
            # Both were quantized, and an option makes the difference.
            if decided(paths["before"], case.rule) == after:
                raise EvidenceError("planex quantize decides the same of both")
        elif not after:
            raise EvidenceError("planex quantize does not apply it")
        return
    for side, is_there in (("before", True), ("after", False)):
        if (case.rule in advice_of(paths[side], engine, tools)) != is_there:
            raise EvidenceError(f"{'no' if is_there else 'still'} advice of it {side}")
