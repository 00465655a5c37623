"""What `cmake --install` puts down beside the program."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from unmet import unmet


@pytest.fixture(scope="module")
def prefix(planex_bin, root, tmp_path_factory):
    """A fresh one, with the component of the program."""
    build = planex_bin.parent
    if not (build / "cmake_install.cmake").exists():
        build = root / "build/release"
    if not (build / "texts").exists():
        unmet(f"no build to install from in {build}")
    path = tmp_path_factory.mktemp("prefix")
    command = ["cmake", "--install", build, "--component", "program", "--prefix", path]
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.fixture(scope="module")
def verbs(planex):
    known = re.findall(r"__fish_use_subcommand -a ([a-z]+)", planex("completion", "fish").stdout)
    assert len(known) > 15
    return known


def test_every_verb_has_a_manual_page(planex, prefix, verbs):
    pages = {path.name: path.read_text("utf-8") for path in (prefix / "share/man/man1").iterdir()}
    assert pages.keys() == {"planex.1", *(f"planex-{verb}.1" for verb in verbs)}
    assert pages["planex.1"] == planex("man").stdout
    for verb in verbs:
        page = pages[f"planex-{verb}.1"]
        assert page == planex("man", verb).stdout
        # As in its --help.
        for flag in re.findall(r"(?m)^  (?:-., )?(--[a-z-]+)", planex(verb, "--help").stdout):
            assert flag.replace("-", r"\-") in page, flag


def test_manual_pages_are_well_formed(prefix):
    if shutil.which("man") is None:
        unmet("there is no man")
    for page in (prefix / "share/man/man1").iterdir():
        result = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stderr == ""


def test_unknown_verb_has_no_manual_page(planex):
    result = planex("man", "nothing", code=2)
    assert 'planex has no verb "nothing"' in result.stderr


def test_completions(planex, prefix):
    files = {
        "bash": "bash-completion/completions/planex",
        "zsh": "zsh/site-functions/_planex",
        "fish": "fish/vendor_completions.d/planex.fish",
    }
    for shell, name in files.items():
        found = (prefix / "share" / name).read_text("utf-8")
        assert found == planex("completion", shell).stdout


def test_licence(prefix, root):
    for name in ("LICENSE", "THIRD_PARTY.md"):
        found = (prefix / "share/doc/planex" / name).read_bytes()
        assert found == (root / name).read_bytes()


def test_installed_program_runs(prefix, planex):
    result = subprocess.run(
        [prefix / "bin/planex", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout == planex("--version").stdout
