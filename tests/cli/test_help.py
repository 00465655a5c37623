"""--help: every flag is there, and every example runs."""

from __future__ import annotations

import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import zlib

import numpy as np
import pytest
from polygraphy_files import inputs_text, outputs_text
from processor import HAS_VNNI

VERBS = [
    *[
        "summary",
        "list",
        "layers",
        "query",
        "lint",
        "explain",
        "compare",
        "accuracy",
        "quantize",
        "search",
        "optimize",
        "cast",
        "clean",
        "advise",
        "report",
        "draw",
        "export",
    ],
    *["archive", "verify", "serve", "mcp", "process", "sweep", "probe", "doctor", "schema"],
    *["completion", "man", "version"],
]
# Real engines under the names that examples use.
FOLDERS = {
    "run": "resnet18-a100-qat",
    "fp32": "resnet18-a100-fp32",
    "int8": "resnet18-a100-qat",
    "a": "resnet18-a100-fp32",
    "b": "resnet18-a100-fp16",
    "c": "resnet18-a100-qat",
    # Two runs of one engine, and a slower one.
    "run1": "resnet18-a100-qat",
    "run2": "resnet18-a100-qat",
    "new": "resnet18-a100-fp32",
    "runs/one": "resnet18-a100-fp32",
    "runs/two": "resnet18-a100-qat",
    "nightly": "resnet18-a100-qat",
}
# What somebody copied from an issue.
PASTED = """[07/31/2021-01:02:03] [I] === Performance summary ===
[07/31/2021-01:02:03] [I] Throughput: 123.4 qps
[07/31/2021-01:02:03] [I] GPU Compute Time: min = 7.9 ms, max = 8.4 ms, mean = 8 ms, median = 8 ms
"""
# In the folder of the examples, though not all of one engine: copied under the example's name.
FILES = {
    "layers.json": ("resnet18-a100-qat", "graph"),
    "layer_times.json": ("resnet18-a100-qat", "profile"),
}


def help_of(planex, verb):
    return planex(verb, "--help").stdout


def examples_of(text):
    return [line.strip() for line in text.split("Examples:\n")[1].split("\n\n")[0].splitlines()]


def without_examples(text):
    return "\n".join(line for line in text.splitlines() if line.strip() not in examples_of(text))


def test_main_help(planex):
    text = planex("--help").stdout
    assert planex().stdout == text
    assert planex("-h").stdout == text
    assert planex("help").stdout == text
    assert planex("-V").stdout == planex("--version").stdout
    for verb in VERBS:
        assert re.search(rf"^  {verb} +\S", text, re.MULTILINE), verb
    assert text.count("\n  ") >= len(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_help_is_whole(planex, verb):
    text = help_of(planex, verb)
    assert planex(verb, "-h").stdout == text
    assert planex("help", verb).stdout == text
    assert text.index("Examples:") < text.index("\nOptions:"), "examples come first"
    assert f"Usage: planex {verb}" in text
    flags = set(re.findall(r"--([a-z][a-z-]+)", without_examples(text)))
    completion = planex("completion", "fish").stdout
    known = set(re.findall(rf"__fish_seen_subcommand_from {verb}' -l ([a-z-]+)", completion))
    assert known <= flags, f"flags that the help does not name: {known - flags}"
    assert max(map(len, text.splitlines())) <= 120
    assert all(line == line.rstrip() for line in text.splitlines())


def test_help_describes_each_topic(planex):
    from_fish = planex("completion", "fish").stdout
    topics = re.search(r"seen_subcommand_from explain' -a '([a-z ]+)'", from_fish)
    assert topics, [line for line in from_fish.splitlines() if "explain" in line][:5]
    text = " ".join(help_of(planex, "explain").split())
    for topic in topics[1].split():
        assert f"{topic} (" in text, topic


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_no_words_of_the_parser(planex, verb):
    """Types and checks as a user names them: not "TEXT:{a,b}", "N:INT in [1 - 9]", "REQUIRED"."""
    words = without_examples(help_of(planex, verb))
    assert not re.search(r"TEXT|REQUIRED|Needs:|Excludes:|:\{|:INT|:FLOAT|:POSITIVE", words)
    assert "\n\n\n" not in words


def test_manual(planex, tmp_path):
    page = planex("man").stdout
    for verb in VERBS:
        assert f".SS planex {verb}\n" in page
    assert "\\-\\-format" in page and page.startswith(".TH PLANEX 1")
    assert all(line == line.rstrip() for line in page.splitlines())


def test_completion_knows_values(planex):
    for shell in ("bash", "zsh", "fish"):
        text = planex("completion", shell).stdout
        for word in ("reformats", "median_ms", "reformat-changes-type", "junit"):
            assert word in text, (shell, word)


def test_bash_completion_completes(planex, tmp_path):
    script = tmp_path / "planex.bash"
    script.write_text(planex("completion", "bash").stdout)

    def completed(*words):
        quoted = " ".join(f'"{word}"' for word in words)
        command = (
            f'source "{script}"; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _planex; '
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        result = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return result.stdout.split()

    assert completed("planex", "summary", "--format", "j") == ["json"]
    assert completed("planex", "explain", "re") == ["reformats"]
    assert "median_ms" in completed("planex", "layers", "--sort", "m")
    assert completed("planex", "layers", "--fil") == ["--filter"]


@pytest.fixture(scope="session")
def example_folder(tmp_path_factory, engines, root, planex):
    """A folder where the words of the examples exist."""
    folder = tmp_path_factory.mktemp("examples")
    for name, engine in FOLDERS.items():
        shutil.copytree(engines / engine, folder / name)
    for name, (engine, kind) in FILES.items():
        source = next((engines / engine).glob(f"*.{kind}.json"))
        shutil.copy(source, folder / name)
    for path in [*(root / "examples/lint").glob("*.json"), root / "data/devices.json"]:
        shutil.copy(path, folder / path.name)
    shutil.make_archive(str(folder / "baseline"), "zip", engines / "resnet18-a100-fp32")
    (folder / "pasted.txt").write_text(PASTED, "ascii")
    # What --open asks for; a browser is nothing for a test.
    (folder / "bin").mkdir()
    (folder / "bin/xdg-open").write_text("#!/bin/sh\n")
    (folder / "bin/xdg-open").chmod(0o755)
    # Programs of the Python package (tests/python has them themselves).
    for name in ("planex-mcp", "planex-export"):
        (folder / f"bin/{name}").write_text('#!/bin/sh\n[ "$3" != --folder ] || mkdir -p "$4"\n')
        (folder / f"bin/{name}").chmod(0o755)
    # A recorded trtexec, on a machine that is this one.
    replay = root / "tests/support/replay_trtexec.py"
    trtexec = f'#!/bin/sh\nPLANEX_TEST_DATA={engines.parent} exec python3 {replay} "$@"\n'
    for name, text in [("trtexec", trtexec), ("ssh", '#!/bin/sh\nshift\nexec "$@"\n')]:
        (folder / f"bin/{name}").write_text(text)
        (folder / f"bin/{name}").chmod(0o755)
    shutil.copytree(root / "tests/data/sweep", folder / "sweep")
    shutil.copytree(root / "tests/data/optimize", folder / "best")
    # Saved tensors, of planex accuracy.
    arrays = root / "tests/data/arrays"
    for name in ("float.npz", "int8.npz"):
        shutil.copy(arrays / "stored.npz", folder / name)
    shutil.copy(arrays / "polygraphy-outputs.json", folder / "outputs.json")
    shutil.copy(arrays / "trtexec-output.json", folder)
    for name in ("debug-fp32", "debug-int8"):
        shutil.copytree(arrays / "debug-tensors", folder / name)
    planex("lint", "run/", "--write-baseline", "baseline.json", cwd=folder)
    for path in list((folder / "run").iterdir()):
        path.rename(path.with_name(path.name.replace("resnet-qat.onnx.engine", "resnet18")))
    planex("archive", "run/", "-o", "run.planex", cwd=folder)
    return folder


def make_samples(folder):
    """samples.npz and pictures/ for the tiny model."""
    draw = np.random.default_rng(1)
    np.savez(folder / "samples.npz", input=draw.normal(0, 1, (12, 3, 8, 8)).astype("float32"))
    (folder / "pictures").mkdir()
    for number in range(12):
        pixels = draw.integers(0, 256, (8, 8, 3), "uint8")
        (folder / f"pictures/{number}.png").write_bytes(png(pixels))
    names = "".join(f"{number}.png,{number % 10}\n" for number in range(12))
    (folder / "labels.csv").write_text(names, "ascii")
    (folder / "iou.py").write_text("#!/usr/bin/env python3\nprint(0.9)\n", "ascii")
    (folder / "iou.py").chmod(0o755)


def make_saved_outputs(folder):
    """Inputs and outputs of the tiny model, as an engine elsewhere may have saved them."""
    draw = np.random.default_rng(2)
    given = draw.normal(0, 1, (4, 1, 3, 8, 8)).astype("float32")
    results = draw.normal(0, 1, (4, 1, 10)).astype("float32")
    inputs = [{"input": one} for one in given]
    outputs = [{"output": one} for one in results]
    (folder / "inputs.json").write_text(inputs_text(inputs), "ascii")
    (folder / "outputs.json").write_text(outputs_text(outputs), "ascii")
    np.savez(folder / "outputs.npz", output=np.concatenate([results] * 3))


def png(pixels):
    """A PNG of RGB pixels; see its specification."""
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def example_words():
    """(verb, example) read off the sources, so that collecting needs no program."""
    found = []
    sources = pathlib.Path(__file__).parents[2] / "src"
    returned = (
        r"(?:examples\(\) const override \{\s*return|\.examples =)\s*((?:\"[^;]*?\"\s*)+)[;,]"
    )
    for path in [*sorted((sources / "cli").glob("*_command.cc")), sources / "jobs/verbs/verbs.cc"]:
        text = path.read_text("utf-8")
        for block in re.findall(returned, text):
            whole = "".join(
                bytes(part, "utf-8").decode("unicode_escape")
                for part in re.findall(r'"((?:[^"\\]|\\.)*)"', block)
            )
            found += whole.splitlines()
    return found


EXAMPLES = example_words()


def test_examples_are_found(planex):
    from_help = [line for verb in VERBS for line in examples_of(help_of(planex, verb))]
    assert sorted(from_help) == sorted(EXAMPLES)
    assert len(EXAMPLES) >= 2 * len(VERBS)


def prepared_advice(example, folder, planex_bin):
    """The tiny model with Q/DQ, and a short run of it."""
    if not (planex_bin.parent / "planex-openvino").exists():
        pytest.skip("no planex-openvino beside planex")
    import make_resnet18

    assert make_resnet18.main(["--variant", "tiny-qdq", "-o", str(folder)]) == 0
    (folder / "tiny-qdq.onnx").rename(folder / "model.int8.onnx")
    if "--data" in example:
        make_samples(folder)
    if "--timed" in example:
        shutil.rmtree(folder / "run")
        words = ["process", "model.int8.onnx", "-o", "run", "--"]
        words += ["--duration-ms", "50", "--profile-ms", "100", "--rounds", "3"]
        subprocess.run([planex_bin, *words], cwd=folder, check=True, capture_output=True)
    example = example.replace("head/Conv_3", "conv1").replace("head/Relu_4", "relu")
    example = example.replace("--prep imagenet", "--prep imagenet,resize=8x8")
    return example.replace("--measure", "--measure --runs 1")


def find_onnxruntime(root, folder):
    """The Python that has it, as the first of the path."""
    python = root / "build/test/drivers/bin/python"
    if not python.exists():
        pytest.skip("no Python with ONNX Runtime (tools/drivers_env.sh)")
    (folder / "bin/python3").write_text(f'#!/bin/sh\nexec {python} "$@"\n')
    (folder / "bin/python3").chmod(0o755)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(planex_bin, example_folder, root, tmp_path, example):
    import make_resnet18

    folder = tmp_path / "work"
    shutil.copytree(example_folder, folder)
    if "model.onnx" in example:
        if not (planex_bin.parent / "planex-openvino").exists():
            pytest.skip("no planex-openvino beside planex")
        assert make_resnet18.main(["--variant", "tiny-fp32", "-o", str(folder)]) == 0
        (folder / "tiny-fp32.onnx").rename(folder / "model.onnx")
        shutil.rmtree(folder / "sweep")
        shutil.rmtree(folder / "best")
    if "--data" in example and not example.startswith("planex advise"):
        assert make_resnet18.main(["--variant", "tiny-qdq", "-o", str(folder)]) == 0
        (folder / "tiny-qdq.onnx").rename(folder / "model.int8.onnx")
        make_samples(folder)
        make_saved_outputs(folder)
        example = example.replace("resize=48x320", "resize=8x8").replace("head/Conv_3", "conv1")
    if "--engine onnxruntime" in example:
        find_onnxruntime(root, folder)
    # The tiny model's one product is less than a block deep.
    example = example.replace("--block-size 64", "--block-size channel")
    if example.startswith("planex advise"):
        example = prepared_advice(example, folder, planex_bin)
    if "planex process" in example or "model.onnx -o sweep/" in example:
        # Examples show real shapes; the tiny model is measured shortly.
        for shape, small in [
            ("8x3x224x224", "2x3x32x32"),
            ("3x224x224", "3x32x32"),
            ("320x320", "40x40"),
        ]:
            example = example.replace(shape, small)
        is_measured = "--print-only" not in example and "--help" not in example
        if is_measured and "trtexec" not in example:
            example += "" if " -- " in example else " --"
            example += " --duration-ms 50 --profile-ms 100 --rounds 3"
    if "planex optimize" in example:
        # The tiny model is measured shortly.
        example += " --flag=--duration-ms --flag=50 --budget 3s"
        example = re.sub(r"--budget \d+[ms](.*--budget)", r"\1", example)
    command = example.replace("~/.config/fish/completions", str(folder))
    if example.startswith("planex serve"):
        # It serves until Ctrl-C.
        command = f"timeout --foreground --preserve-status --signal INT 1 {command}"
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={
            "PATH": f"{folder}/bin:{planex_bin.parent}:/usr/bin:/bin",
            "HOME": str(folder),
            "TMPDIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    # The baseline of lint leaves nothing to fail on; that of compare is faster.
    fails = "--fail-on-regression" in example or (
        "--fail-on" in example and "--baseline" not in example
    )
    expected = 1 if fails else 0
    # With VNNI the engine has no fault, and that is said.
    if HAS_VNNI and "--cured" in example and "no cured model to write" in result.stderr:
        expected = 3
    assert result.returncode == expected, result.stderr
    words = shlex.split(example.split(" -- ")[0])
    if "-o" in words and not {"--print-only", "--print-plan"} & set(words):
        assert (folder / words[words.index("-o") + 1]).exists()
