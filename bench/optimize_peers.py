#!/usr/bin/env python3
"""`planex optimize` beside its peers: ten models, two engines, all candidates in the same turns.

    optimize_peers.py run --out DIR [--models ocr-cls,silero] [--engines openvino,onnxruntime]
    optimize_peers.py table DIR

Peers are the model as it is, ONNX Runtime's offline optimizer, its static quantization with its
preprocessing, NNCF, onnxslim, and Olive where it installs. A peer counts if its results are as
close to the float model's as planex was asked for, on samples that nobody calibrated with; so must
planex's own. Started again with the same DIR, it goes on. Writes DIR/record.json
(planex.bench-optimize/1) and DIR/table.md. docs/how-to/benchmark.md explains the figures.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

import optimize_turns
import optimize_verdicts
from optimize_turns import Refused, ended, last_line

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
MODELS = [
    *("ocr-det", "ocr-cls", "ocr-rec", "layout", "open-nsfw"),
    *("u2netp", "mobilenet", "minilm", "vit", "silero"),
]
PEERS = ["ort-basic", "ort-extended", "ort-static", "nncf", "onnxslim", "olive"]
# Each is a tool of one engine's makers.
OTHER_ENGINES = {"nncf": ["onnxruntime"]}
FLOAT = "as-it-is"


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def write_json(path: pathlib.Path, value: object) -> None:
    """Under another name until it is whole: what is there is done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps(value, indent=1) + "\n", "utf-8")
    os.replace(part, path)


def read_json(path: pathlib.Path) -> dict | list | None:
    return json.loads(path.read_text("utf-8")) if path.exists() else None


class Bench:
    """One run: where its programs and files are."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.out = arguments.out.resolve()
        self.planex = arguments.planex
        self.pythons = {
            "peers": arguments.python,
            "olive": arguments.exporters_python,
            "openvino": arguments.openvino_python or arguments.python,
            "onnxruntime": arguments.python,
        }
        self.exporters = arguments.exporters_python
        self.models = arguments.models.split(",") if arguments.models else MODELS
        self.engines = arguments.engines.split(",")
        self.peers = arguments.peers.split(",") if arguments.peers else []
        self.is_short = arguments.short
        self.clock = arguments.clock
        self.settings = {
            "budget": arguments.budget,
            "turns": arguments.turns,
            "duration_ms": arguments.duration_ms,
            "is_short": arguments.short,
        }

    def script(self, python: str, name: str, *words: object) -> subprocess.CompletedProcess:
        return optimize_turns.run([python, HERE / name, *words])

    # --- Models -----------------------------------------------------------------------------------

    def about(self, model: str) -> dict:
        folder = self.out / "models" / model
        if (told := read_json(folder / "about.json")) is None:
            say(f"{model}: writing the model and its samples")
            words = [model, folder, "--exporters", self.exporters]
            words += ["--short"] if self.is_short else []
            done = self.script(self.pythons["peers"], "optimize_models.py", *words)
            if done.returncode != 0:
                raise Refused(f"the model can't be made: {last_line(done.stderr)}")
            told = read_json(folder / "about.json")
        reference = folder / "reference.npz"
        if not reference.exists():
            words = ["reference", folder / "model.onnx", folder / "judge.npz", reference]
            done = self.script(self.pythons["onnxruntime"], "optimize_accuracy.py", *words)
            if done.returncode != 0:
                raise Refused(f"ONNX Runtime can't run the float model: {last_line(done.stderr)}")
        return told

    # --- Candidates -------------------------------------------------------------------------------

    def made_by_peer(self, model: str, peer: str) -> dict:
        """The same for all engines, so it is made once."""
        folder = self.out / "models" / model
        record = folder / "peers" / f"{peer}.json"
        if told := read_json(record):
            return told
        say(f"{model}: {peer}")
        out = folder / "peers" / peer / "model.onnx"
        out.parent.mkdir(parents=True, exist_ok=True)
        python = self.pythons["olive" if peer == "olive" else "peers"]
        start = time.monotonic()
        words = [peer, folder / "model.onnx", folder / "calibrate.npz", out]
        try:
            done = self.script(python, "optimize_candidates.py", *words)
            code, said = done.returncode, last_line(done.stderr)
        except OSError as error:
            code, said = 1, str(error)
        told = {"state": "made", "reason": None, "model": str(out.relative_to(self.out))}
        told |= {"words": [], "version": None}
        if code != 0:
            told |= {"state": "failed", "reason": f"{ended(code)}: {said}", "model": None}
        else:
            told |= json.loads(done.stdout.strip().splitlines()[-1])
        told["seconds"] = time.monotonic() - start
        write_json(record, told)
        return told

    def made_by_planex(self, model: str, engine: str, goal: str) -> dict:
        folder = self.out / "models" / model
        best = self.out / "pairs" / f"{model}-{engine}" / "best"
        record = best.with_name("planex.json")
        if told := read_json(record):
            return told
        say(f"{model}, {engine}: planex optimize")
        words = [self.planex, "optimize", folder / "model.onnx", "--engine", engine]
        # What candidates return is judged.
        words += ["--data", folder / "calibrate.npz", "--goal", f"outputs={goal}"]
        words += ["--budget", self.settings["budget"], "-o", best]
        words += ["--python", self.pythons[engine]] if engine == "onnxruntime" else []
        start = time.monotonic()
        done = optimize_turns.run(words)
        told = {"state": "made", "reason": None, "model": None, "words": []}
        told |= {"seconds": time.monotonic() - start, "command": shlex.join(map(str, words))}
        found = read_json(best / "optimize.json")
        if done.returncode != 0 or found is None:
            why = f"{ended(done.returncode)}: {optimize_turns.first_error(done.stderr)}"
            # What was proven before it ended is not its answer.
            told |= {"state": "failed", "reason": f"planex optimize: {why}"}
        else:
            chosen = pathlib.Path(found["best_model"] or folder / "model.onnx")
            # The engine's words follow "--" in the command that repeats the best run; null: the
            # model as it is stays the best.
            _, _, engine_words = (found["command"] or "").partition(" -- ")
            told |= {"model": str(chosen.resolve().relative_to(self.out))}
            told |= {"words": shlex.split(engine_words), "kept": found["kept"]}
            told |= {"claimed_change_ratio": found["change_ratio"]}
        write_json(record, told)
        return told

    def judged(self, model: str, engine: str, name: str, made: dict) -> dict:
        """With its SQNR in the engine, on the samples kept apart."""
        record = self.out / "pairs" / f"{model}-{engine}" / "candidates" / f"{name}.json"
        if told := read_json(record):
            return told
        told = {"name": name, "sqnr_db": None, **made}
        if told["state"] == "made":
            folder = self.out / "models" / model
            words = ["compare", engine, self.out / told["model"], folder / "judge.npz"]
            words += [folder / "reference.npz", *told["words"]]
            done = self.script(self.pythons[engine], "optimize_accuracy.py", *words)
            if done.returncode != 0:
                why = f"{ended(done.returncode)}: {last_line(done.stderr)}"
                told |= {"state": "failed", "reason": f"{engine} does not run it: {why}"}
            else:
                told |= json.loads(done.stdout.strip().splitlines()[-1])
        write_json(record, told)
        return told

    # --- Pairs ------------------------------------------------------------------------------------

    def pair(self, model: str, engine: str) -> dict:
        about = self.about(model)
        folder = self.out / "pairs" / f"{model}-{engine}"
        as_it_is = {"state": "made", "reason": None, "words": [], "seconds": 0.0}
        as_it_is["model"] = f"models/{model}/model.onnx"
        made = {FLOAT: as_it_is}
        for peer in self.peers:
            if engine not in OTHER_ENGINES.get(peer, []):
                made[peer] = self.made_by_peer(model, peer)
        made[optimize_verdicts.SUBJECT] = self.made_by_planex(model, engine, about["goal"])
        candidates = {name: self.judged(model, engine, name, told) for name, told in made.items()}
        turns = self.take_turns(folder, engine, candidates)
        pair = {
            "model": model,
            "engine": engine,
            "goal_db": float(about["goal"].removesuffix("dB")),
            "candidates": candidates,
            "turns": turns,
        }
        return optimize_verdicts.judge_pair(pair, self.clock)

    def take_turns(self, folder: pathlib.Path, engine: str, candidates: dict) -> list[dict]:
        file, count = folder / "turns.json", self.settings["turns"]
        turns = read_json(file) or []
        names = [name for name, told in candidates.items() if told["state"] == "made"]
        if turns:
            # Those alone that all turns have.
            names = [name for name in names if name in turns[0]["median_ms"]]
        if len(turns) < count:
            say(f"{folder.name}: turns {len(turns) + 1} to {count} of {len(names)} candidates")
        measuring = optimize_turns.Measuring(
            self.planex, engine, self.pythons[engine], self.settings["duration_ms"]
        )

        def measure(name: str) -> dict:
            told = candidates[name]
            return measuring.time(self.out / told["model"], told["words"], folder / "run")

        def refuse(name: str, why: str) -> None:
            say(f"{folder.name}: {name}: {why}")
            candidates[name] |= {"state": "failed", "reason": why}
            write_json(folder / "candidates" / f"{name}.json", candidates[name])

        def keep(found: list[dict]) -> None:
            write_json(file, found)

        optimize_turns.take_turns(names, turns, count, measure, keep, refuse)
        return turns

    def run(self) -> int:
        stored = self.out / "settings.json"
        if (before := read_json(stored)) not in (None, self.settings):
            print(
                f"optimize_peers: {self.out} holds a run with other settings: {before}, not "
                f"{self.settings}; name another folder with --out",
                file=sys.stderr,
            )
            return 2
        write_json(stored, self.settings)
        said = optimize_turns.run([self.planex, "--version"]).stdout.strip()
        write_json(self.out / "planex.json", {"version": said})
        for model in self.models:
            for engine in self.engines:
                file = self.out / "pairs" / f"{model}-{engine}" / "pair.json"
                if file.exists():
                    continue
                try:
                    told = self.pair(model, engine)
                except Refused as why:
                    say(f"{model}, {engine}: left out: {why}")
                    continue
                write_json(file, told)
                say(f"{model}, {engine}: {told['verdict']}, {told['gain_ratio']}")
                self.write()
        self.write()
        return 0

    def write(self) -> None:
        write_record(self.out, self.clock)


def host_facts() -> dict:
    names = [
        line.partition(":")[2].strip()
        for line in pathlib.Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        if line.startswith("model name")
    ]
    return {
        "cpu": names[0] if names else None,
        "cores": len(os.sched_getaffinity(0)),
        "load_average": os.getloadavg()[0],
    }


def write_record(out: pathlib.Path, clock: str) -> dict:
    files = sorted(out.glob("pairs/*/pair.json"))
    # Judged again: what decides may have changed since they were measured.
    stored = [json.loads(file.read_text("utf-8")) for file in files]
    pairs = [optimize_verdicts.judge_pair(pair, clock) for pair in stored]
    names = dict.fromkeys(pair["model"] for pair in pairs)
    models = [
        json.loads((out / "models" / name / "about.json").read_text("utf-8")) for name in names
    ]
    document = {
        "schema": "planex.bench-optimize/1",
        "host": host_facts(),
        "planex": read_json(out / "planex.json"),
        "settings": read_json(out / "settings.json"),
        "clock": clock,
        "models": models,
        "pairs": pairs,
        "summary": optimize_verdicts.summarize(pairs),
    }
    write_json(out / "record.json", document)
    (out / "table.md").write_text(optimize_verdicts.markdown(document), "utf-8")
    return document


def environment(kind: str) -> str:
    """The interpreter of an environment of the bench; it is made at the first call."""
    done = subprocess.run(
        [str(ROOT / "tools/optimize_env.sh"), kind], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        # What needs it is left out, and the table says so.
        return f"no-environment/{kind}"
    return done.stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    table = verbs.add_parser("table", help="the table of what is there")
    table.add_argument("out", type=pathlib.Path)
    run = verbs.add_parser("run", help="measure what is not measured yet")
    add = run.add_argument
    add("--out", type=pathlib.Path, required=True)
    add("--models", help=f"by comma; a folder DIR/models/NAME that is there is used: {MODELS}")
    add("--engines", default="openvino,onnxruntime")
    add("--peers", default=",".join(PEERS))
    add("--budget", help="of planex optimize [10m; short: 20s]")
    add("--turns", type=int, help="six at least for an interval [9; short: 6]")
    add("--duration-ms", type=int, help="of a measurement [1000; short: 50]")
    add("--short", action="store_true", help="few samples, brief measurements")
    add("--planex", default=os.environ.get("PLANEX_BIN", str(ROOT / "build/release/planex")))
    add("--python", help="with the peers and engines [tools/optimize_env.sh peers]")
    add("--openvino-python", help="with OpenVINO, if it is another one")
    add("--exporters-python", help="with PyTorch, TensorFlow, Olive [… exporters]")
    for verb in (table, run):
        verb.add_argument(
            "--clock",
            choices=optimize_verdicts.CLOCKS,
            default="wall",
            help="compare wall times; or CPU times, on a machine that does other work",
        )
    arguments = parser.parse_args()
    if arguments.verb == "table":
        document = write_record(arguments.out.resolve(), arguments.clock)
        print(optimize_verdicts.markdown(document), end="")
        return 0
    brief = {"budget": "20s", "turns": 6, "duration_ms": 50}
    whole = {"budget": "10m", "turns": 9, "duration_ms": 1000}
    for name, value in (brief if arguments.short else whole).items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    for kind, name in {"peers": "python", "exporters": "exporters_python"}.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, environment(kind))
    return Bench(arguments).run()


if __name__ == "__main__":
    sys.exit(main())
