"""All that the program says of an engine agrees with itself, for every engine at hand.

Folders are enumerated: an engine that is put into examples/engines or into generated.py is tested
without new code, and one of `engines*` of the test data with PLANEX_TEST_ENGINES=all or a line in
tests/chosen_engines.txt.

PLANEX_BIN may be any build; one without the report page leaves the page's own data out."""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import fnmatch
import os
import subprocess

import pytest

import checks
import chosen
import gather
import generated
import sets

# Contradictions that are known: which sets, which check, why. An entry that holds no more is an
# error, so that what was mended stays mended.
KNOWN: list[tuple[str, str, str]] = []

LEAST_REAL, LEAST_GENERATED = 60 if chosen.takes_all() else 20, 12
# Sent to every comparison as the other side.
OTHER = "examples/engines/resnet18-a100-qat"


@dataclasses.dataclass
class Outcome:
    set_id: str
    # None: no engine, with the program's words.
    found: dict[str, list[str]] | None
    words: str = ""


def look_at(job) -> Outcome:
    """One engine, in a process of its own."""
    binary, set_id, path, other, has_page = job
    program = gather.Program(binary)
    try:
        program.json("summary", path)
    except gather.Failed as error:
        return Outcome(set_id, None, str(error))
    try:
        facts = gather.gather(program, path, other, has_page)
        return Outcome(set_id, checks.contradictions(facts))
    except (gather.Failed, subprocess.TimeoutExpired) as error:
        return Outcome(set_id, {"runs": [str(error)]})
    except (KeyError, IndexError, TypeError, ValueError) as error:
        return Outcome(set_id, {"runs": [f"a document is not as described: {error!r}"]})


def has_page(binary, plan) -> bool:
    """The program was built with the report page."""
    try:
        return gather.PAGE_DATA in gather.Program(binary).run("report", plan, "-o", "-")
    except gather.Failed:
        return False


@pytest.fixture(scope="session")
def outcomes(planex_bin, data, root, tmp_path_factory) -> dict[str, Outcome]:
    made = generated.write_all(tmp_path_factory.mktemp("generated"))
    engines = {f"generated/{folder.name}": folder for folder in made}
    roots = {folder.name: folder for folder in sorted(data.glob("engines*"))}
    roots |= {"examples": root / "examples/engines", "tests": root / "tests/data"}
    engines |= {
        set_id: path
        for set_id, path in sets.real(roots).items()
        if not set_id.startswith("engines") or chosen.is_chosen(set_id.split("/")[1])
    }
    page = has_page(planex_bin, root / OTHER)
    jobs = [(planex_bin, *item, root / OTHER, page) for item in engines.items()]
    # The large ones first, so that none is left at the end.
    jobs.sort(key=lambda job: -size_of(job[2]))
    with concurrent.futures.ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        return {outcome.set_id: outcome for outcome in pool.map(look_at, jobs)}


def size_of(path) -> int:
    return sum(p.stat().st_size for p in ([path] if path.is_file() else path.rglob("*")))


def known_reason(set_id, check):
    for pattern, name, reason in KNOWN:
        if name == check and fnmatch.fnmatch(set_id, pattern):
            return reason
    return None


def test_there_are_enough_engines(outcomes):
    opened = [outcome.set_id for outcome in outcomes.values() if outcome.found is not None]
    made = [set_id for set_id in opened if set_id.startswith("generated/")]
    assert len(made) >= LEAST_GENERATED
    assert len(opened) - len(made) >= LEAST_REAL


def test_what_does_not_open_is_no_engine(outcomes):
    """Exit 2: a folder of several engines, each of which is a set of its own; 3: no engine."""
    for outcome in outcomes.values():
        if outcome.found is None:
            assert outcome.words[:2] in ("2:", "3:"), outcome
            assert not outcome.set_id.startswith("generated/"), outcome


@pytest.mark.parametrize("check", ["runs", *checks.CHECKS])
def test_no_contradiction(outcomes, check):
    said = [
        f"{outcome.set_id}: {sentence}"
        for outcome in outcomes.values()
        for sentence in (outcome.found or {}).get(check, [])[:3]
        if known_reason(outcome.set_id, check) is None
    ]
    assert not said, "\n".join(["", *said[:60]])


def test_known_contradictions_are_still_there(outcomes):
    hits = collections.Counter()
    for outcome in outcomes.values():
        for check in outcome.found or {}:
            for entry in KNOWN:
                if entry[1] == check and fnmatch.fnmatch(outcome.set_id, entry[0]):
                    hits[entry] += 1
    gone = [entry for entry in KNOWN if not hits[entry]]
    assert not gone, "remove what does not fail any more"
