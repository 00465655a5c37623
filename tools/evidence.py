#!/usr/bin/env python3
"""What came of it where advice was followed: docs/reference/evidence.md and what it is made from.

    tools/evidence.sh run [RULE…]      build and measure in turns; write records, page and table
    tools/evidence.sh check [RULE…]    build once; fail where a rule no longer fires, still fires
                                       after its fix, or results differ
    tools/evidence.sh page [--check]   page and table from the records, without building anything

Cases are in tests/evidence/cases_*.py. Times decide nothing in `check`, as they depend on the
machine; build/test/evidence/ has them. PLANEX_BIN is the program, build/release/planex otherwise;
PLANEX_DRIVERS_PYTHON the interpreter that has the other engines (tools/drivers_env.sh);
PLANEX_TEST_DATA the recorded engines.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "tests/evidence"
PAGE = ROOT / "docs/reference/evidence.md"
TABLE = ROOT / "src/lint/evidence_table.inc"
FIGURES = ROOT / "build/test/evidence"
sys.path.insert(0, str(CASES))

import pages  # noqa: E402
import pairs  # noqa: E402
import running  # noqa: E402


def tools() -> running.Tools:
    planex = ROOT / os.environ.get("PLANEX_BIN", "build/release/planex")
    python = ROOT / os.environ.get("PLANEX_DRIVERS_PYTHON", "build/test/drivers/bin/python")
    driver = planex.parent / "planex-openvino"
    if not driver.is_file():
        raise running.EvidenceError(f"no planex-openvino beside {planex}")
    if not python.is_file():
        raise running.EvidenceError(f"no interpreter {python}; tools/drivers_env.sh makes it")
    folder = FIGURES / "work"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return running.Tools(str(planex), str(driver), str(python), folder)


def cases() -> list[running.Case]:
    found = []
    for file in sorted(CASES.glob("cases_*.py")):
        found += importlib.import_module(file.stem).CASES
    return found


def data_folder() -> pathlib.Path:
    return (ROOT / os.environ.get("PLANEX_TEST_DATA", "../shared/data") / "engines").resolve()


def file_of(record: dict, folder: pathlib.Path) -> pathlib.Path:
    kind = "" if record["kind"] == "lint" else f"{record['kind']}-"
    return folder / record["engine"] / f"{kind}{record['rule']}.json"


def write(record: dict, folder: pathlib.Path) -> None:
    file = file_of(record, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(running.rounded(record), indent=1, ensure_ascii=False)
    file.write_text(text + "\n", "utf-8")


def said(record: dict) -> str:
    name = f"{record['engine']}: {record['rule']}"
    if "before_ms" not in record:
        return f"{name}: built, not timed"
    noise = f", ± {record['noise_ms']:.2g}" if "noise_ms" in record else ", recorded"
    return f"{name}: {record['before_ms']:.4g} → {record['after_ms']:.4g} ms{noise}"


def build(rules: set[str], turns: int, records: pathlib.Path) -> list[str]:
    """Runs the cases and pairs; what does not hold."""
    problems = []
    chosen = tools()

    def attempt(name: str, work) -> None:
        try:
            record = work()
        except (running.EvidenceError, ValueError) as error:
            problems.append(f"{name}: {error}")
            print(f"FAILED {name}: {error}", flush=True)
            return
        write(record, records)
        print(said(record), flush=True)

    for case in cases():
        for engine in case.engines:
            if not rules or case.rule in rules:
                name = f"{case.rule} on {engine}"
                attempt(name, lambda c=case, e=engine: running.run(c, e, chosen, turns))
    data = data_folder()
    for pair in pairs.PAIRS:
        for rule in pair.rules:
            if rules and rule not in rules:
                continue
            if not (data / pair.before).is_dir():
                if os.environ.get("CI") == "true":
                    problems.append(f"{rule}: no {pair.before} in {data} (set PLANEX_TEST_DATA)")
                else:
                    print(f"skipped, no {pair.before} in {data}: {rule}")
                continue
            name = f"{rule} in {pair.before}"
            attempt(name, lambda p=pair, r=rule: pairs.run(p, r, chosen, data))
    return problems


def names() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The program's own rules, and the engines that each is about: of lint, of placement."""
    planex = str(ROOT / os.environ.get("PLANEX_BIN", "build/release/planex"))
    engine = ROOT / "examples/engines/resnet18-a100-qat"
    rules = json.loads(running.call([planex, "lint", engine, "--format", "json"]))["rules"]
    lint = [(rule["id"], name) for rule in rules for name in pages.PACKS[rule["pack"]]]
    words = [planex, "explain", "placement", "--format", "json"]
    placement = [
        (rule["rule"], name)
        for rule in json.loads(running.call(words))["rules"]
        for name in pages.ENGINES
        if rule.get(name.replace("-", "_"), "no") != "no"
    ]
    return lint, placement


def page(check: bool) -> int:
    lint, placement = names()
    rows = pages.rows(lint, "lint")
    fresh = {PAGE: pages.page_of(rows, pages.rows(placement, "placement"))}
    fresh[TABLE] = pages.table_of(rows)
    status = 0
    for file, text in fresh.items():
        if file.is_file() and file.read_text("utf-8") == text:
            continue
        name = file.relative_to(ROOT).as_posix()
        if check:
            print(f"{name}:1: is out of date; run tools/evidence.sh page", file=sys.stderr)
            status = 1
        else:
            file.write_text(text, "utf-8")
            print(f"evidence: wrote {name}")
    return status


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["run", "check", "page"])
    parser.add_argument("rules", nargs="*", metavar="RULE", help="only these")
    parser.add_argument("--check", action="store_true", help="page: compare instead of writing")
    parser.add_argument("--turns", type=int, default=running.TURNS, help="run: of each model")
    arguments = parser.parse_args(argv[1:])
    try:
        if arguments.command == "page":
            return page(arguments.check)
        measures = arguments.command == "run"
        turns, folder = arguments.turns, pages.RECORDS
        if not measures:
            turns, folder = 1, FIGURES / "records"
        problems = build(set(arguments.rules), turns, folder)
        for problem in problems:
            print(problem, file=sys.stderr)
        if problems:
            return 1
        return page(check=not measures)
    except (running.EvidenceError, ValueError) as error:
        print(f"evidence: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
