"""What the wheel is linked with so that it runs on older systems (tools/old_glibc.py)."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from unmet import unmet


@pytest.fixture(scope="module")
def program(root, tmp_path_factory):
    stubs = root / "build/portable/glibc-2.17"
    if not (stubs / ".made").exists():
        unmet("nothing to link with (tools/portable.sh old)")
    if shutil.which("cc") is None or shutil.which("objdump") is None:
        unmet("there is no C compiler")
    path = tmp_path_factory.mktemp("old") / "check"
    source = root / "tests/dist/old_glibc_check.c"
    command = ["cc", "-O1", "-o", path, source, f"-L{stubs}", "-Wl,--allow-shlib-undefined"]
    subprocess.run(command, check=True)
    return path


def test_functions_that_came_later_do_what_they_should(program):
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    # Constructors and destructors run once, by whichever C library it is.
    assert done.stderr == "at exit\ndestructed\n"


def test_it_asks_for_nothing_newer(program):
    said = subprocess.run(["objdump", "-T", program], capture_output=True, text=True, check=True)
    versions = {
        tuple(int(part) for part in text.split("."))
        for text in re.findall(r"GLIBC_([0-9.]+)", said.stdout)
    }
    assert versions and max(versions) <= (2, 17)
