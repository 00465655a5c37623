"""`planex process --launcher`: another root, and another machine behind a real sshd."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest
from other_root import Sshd, make_root

from unmet import unmet


@pytest.fixture(scope="session")
def other_root(tmp_path_factory):
    if os.geteuid() != 0:
        unmet("another root needs the rights of root")
    return make_root(tmp_path_factory.mktemp("root"))


@pytest.fixture(scope="session")
def sshd(root, other_root, tmp_path_factory):
    if shutil.which("ssh") is None:
        unmet("no ssh")
    found = subprocess.run(
        [root / "tools/sshd.sh", root / "build/test/sshd"], capture_output=True, text=True
    )
    if found.returncode != 0:
        unmet(f"no sshd: {found.stderr}")
    server = Sshd(other_root, found.stdout.strip(), tmp_path_factory.mktemp("keys"))
    yield server
    server.stop()


@pytest.fixture(params=["chroot", "ssh"])
def launcher(request, other_root):
    if request.param == "chroot":
        return f"env -i PATH=/bin /usr/sbin/chroot {other_root}"
    return request.getfixturevalue("sshd").launcher


@pytest.fixture
def model(tmp_path):
    folder = tmp_path / "with space"
    folder.mkdir()
    path = folder / "it's a net.onnx"
    path.write_bytes(bytes(range(256)) * 4000)
    return path


def left_there(other_root):
    """Files in its /tmp, and programs in it that are no sshd."""
    programs = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            is_there = entry.name.isdigit() and os.readlink(entry / "root") == str(other_root)
            words = (entry / "cmdline").read_bytes() if is_there else b""
        except OSError:
            continue
        if words and b"sshd" not in words:
            programs.append(words)
    return sorted(path.name for path in (other_root / "tmp").iterdir()), programs


def nothing_left(other_root):
    deadline = time.monotonic() + 20
    while left_there(other_root) != ([], []):
        assert time.monotonic() < deadline, left_there(other_root)
        time.sleep(0.05)


def command(launcher, model, folder, *words):
    return ["process", model, "-o", folder, "--engine", "trtexec", "--launcher", launcher, *words]


def test_files_go_there_and_back(planex, launcher, model, other_root, tmp_path):
    folder = tmp_path / "run"
    planex(*command(launcher, model, folder, "fp16"))
    names = {path.name for path in folder.iterdir()}
    assert {"it's a net.graph.json", "it's a net.engine", "it's a net.build.log"} <= names
    assert (folder / "it's a net.engine").read_bytes() == bytes(3_000_000)
    log = (folder / "it's a net.build.log").read_text("utf-8")
    assert f"\n{model.stat().st_size}\n" in log, "the model was read there, whole"
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["commands"][0][1] == f"--onnx={model}"
    assert manifest["commands"][0][2] == f"--saveEngine={folder}/it's a net.engine"
    nothing_left(other_root)


def test_data_of_the_model_goes_with_it(planex, launcher, other_root, tmp_path):
    from onnx import TensorProto, helper

    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[4, 4])
    weight.data_location = TensorProto.EXTERNAL
    entry = weight.external_data.add()
    entry.key, entry.value = "location", "weights/w.bin"
    node = helper.make_node("MatMul", ["x", "w"], ["y"], name="mm")
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in "xy"]
    graph = helper.make_graph([node], "g", values[:1], values[1:], [weight])
    model = tmp_path / "net.onnx"
    model.write_bytes(helper.make_model(graph).SerializeToString())
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights/w.bin").write_bytes(b"the weights, sixty-four bytes long")
    planex(*command(launcher, model, tmp_path / "run"))
    assert "the weights, sixty-four" in (tmp_path / "run/net.build.log").read_text("utf-8")
    nothing_left(other_root)


def test_a_model_that_is_only_there(planex, launcher, other_root, tmp_path):
    (other_root / "there.onnx").write_bytes(b"twelve bytes")
    planex(*command(launcher, "/there.onnx", tmp_path / "run"))
    assert "\n12\n" in (tmp_path / "run/there.build.log").read_text("utf-8")
    manifest = json.loads((tmp_path / "run/manifest.json").read_text("utf-8"))
    assert manifest["model"]["sha256"] is None
    nothing_left(other_root)


def test_failures_are_carried(planex, launcher, model, other_root, tmp_path):
    folder = tmp_path / "run"
    for words, said, left in [
        (["--program", "nothing"], 'there is no "nothing"', []),
        (["end=3"], '"asked to fail"', ["it's a net.failed.log"]),
        (["signal=SEGV"], "SIGSEGV", ["it's a net.failed.log"]),
        (["--timeout", "0.5", "hang=1"], "took too long", ["it's a net.failed.log"]),
    ]:
        result = planex(*command(launcher, model, folder, *words), code=None)
        assert result.returncode in (3, 4) and said in result.stderr, result.stderr
        assert [path.name for path in folder.glob("*")] == left
        nothing_left(other_root)


LATE = """#!/usr/bin/env python3
import os, subprocess, sys, time
child = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE)
for line in child.stderr:
    time.sleep(0.2)
    os.write(2, line)
sys.exit(child.wait())
"""


NEVER = '#!/bin/sh\nexec "$@" 2>/dev/null\n'


@pytest.mark.parametrize(
    ("script", "said"),
    [(LATE, '"asked to fail"'), (NEVER, "ended with exit code 3")],
    ids=["late", "never"],
)
def test_stderr_that_comes_late_or_never(planex, model, other_root, tmp_path, script, said):
    """stdout and stderr of an ssh are two streams, with no order between them."""
    around = tmp_path / "around"
    around.write_text(script)
    around.chmod(0o755)
    launcher = f"{around} env -i PATH=/bin /usr/sbin/chroot {other_root}"
    result = planex(*command(launcher, model, tmp_path / "run", "end=3"), code=4)
    assert said in result.stderr
    nothing_left(other_root)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_stopped(planex_bin, launcher, model, other_root, tmp_path, stop):
    process = subprocess.Popen(
        [planex_bin, *command(launcher, model, tmp_path / "run", "hang=1")],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while not any(b"hang" in words for words in left_there(other_root)[1]):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(stop)
    _, said = process.communicate(timeout=60)
    assert process.returncode == (-stop if stop == signal.SIGKILL else 128 + stop), said
    nothing_left(other_root)
    if stop != signal.SIGKILL:
        assert not (tmp_path / "run").exists()


def test_a_launcher_that_sees_the_same_files(planex, data, tmp_path):
    """As `nice` or `srun` with a shared disk: nothing is copied."""
    model = tmp_path / "net.onnx"
    model.write_bytes(b"model")
    trtexec = tmp_path / "trtexec"
    replay = pathlib.Path(__file__).parent.parent / "support/replay_trtexec.py"
    trtexec.write_text(f'#!/bin/sh\nexec python3 {replay} "$@"\n')
    trtexec.chmod(0o755)
    words = ["--program", trtexec]
    env = {"PLANEX_TEST_DATA": str(data)}
    planex(*command("env A=1 nice", model, tmp_path / "run", *words), env=env)
    assert str(tmp_path) in (tmp_path / "run/net.build.log").read_text("utf-8").split("\n")[0]
    planex("summary", tmp_path / "run")


@pytest.mark.parametrize(
    ("words", "said"),
    [("true", "started no shell"), ("/nowhere/ssh box", "can't start"), ("false", "-i")],
)
def test_a_launcher_that_leads_nowhere(planex, model, tmp_path, words, said):
    result = planex(*command(words, model, tmp_path / "run"), code=None)
    assert result.returncode in (3, 4) and said in result.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("words", ["cat", "exec sleep 1000"], ids=["echoes", "waits"])
@pytest.mark.parametrize("verb", ["process", "sweep"])
def test_a_silent_launcher(planex, model, tmp_path, words, verb):
    """It may pass on what it gets, or wait for a machine or a password: it gives no shell."""
    script = tmp_path / "launcher"
    script.write_text(f"#!/bin/sh\n{words}\n")
    script.chmod(0o755)
    options = ["-o", tmp_path / "run", "--engine", "trtexec", "--launcher", script]
    vary = ["--vary", "threads=1"] if verb == "sweep" else []
    result = planex(verb, model, *options, "--launcher-timeout", "0.3", *vary, code=4)
    # A long path is cut.
    assert f'the launcher "{script}'[:60] in result.stderr
    assert '" was silent for 0.3 s' in result.stderr
    if verb == "process":
        assert "must run `sh`" in result.stderr
        assert "--launcher-timeout SECONDS" in result.stderr
        assert not (tmp_path / "run").exists()


def test_a_program_may_be_silent(planex, data, tmp_path):
    """The limit is for answers of the launcher, not for the engine."""
    model = tmp_path / "net.onnx"
    model.write_bytes(b"model")
    trtexec = tmp_path / "trtexec"
    replay = pathlib.Path(__file__).parent.parent / "support/replay_trtexec.py"
    trtexec.write_text(f'#!/bin/sh\nsleep 1.5\nexec python3 {replay} "$@"\n')
    trtexec.chmod(0o755)
    words = ["--program", trtexec, "--launcher-timeout", "1"]
    env = {"PLANEX_TEST_DATA": str(data)}
    planex(*command("nice", model, tmp_path / "run", *words), env=env)


def test_the_limit_is_about_a_launcher(planex, model, tmp_path):
    words = ["--engine", "trtexec", "--launcher-timeout", "3"]
    result = planex("process", model, "-o", tmp_path / "run", *words, code=2)
    assert "--launcher-timeout needs --launcher" in result.stderr
