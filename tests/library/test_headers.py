"""Every public header stands alone, as C++20 and C++23, with both compilers; and plain C as C."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import shutil
import subprocess

import pytest

from unmet import unmet

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = sorted((ROOT / "include/planex").glob("*.h"))
# Those in which comments are C's.
C_HEADERS = [path for path in HEADERS if path.read_text("utf-8").startswith("/*")]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
COMPILERS = {"gcc": ("g++", "gcc"), "clang": ("clang++-19", "clang-19")}


def compile_alone(compiler: str, standard: str, header: pathlib.Path) -> str:
    language = "c" if standard.startswith("c1") else "c++"
    words = [compiler, f"-std={standard}", *WARNINGS, f"-I{ROOT / 'include'}", "-fsyntax-only"]
    # Twice: the guard holds, and nothing is defined that two sources would both define.
    source = f'#include "planex/{header.name}"\n' * 2 + "extern int planex_alone;\n"
    done = subprocess.run(
        [*words, "-x", language, "-"], input=source, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else f"{header.name}: {done.stderr[:2000]}"


@pytest.mark.parametrize("standard", ["c++20", "c++23", "c11"])
@pytest.mark.parametrize("name", COMPILERS)
def test_headers_stand_alone(name, standard):
    compiler = COMPILERS[name][1 if standard == "c11" else 0]
    if shutil.which(compiler) is None:
        unmet(f"there is no {compiler}")
    headers = C_HEADERS if standard == "c11" else HEADERS
    assert len(headers) >= 2
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda header: compile_alone(compiler, standard, header), headers)
    assert [text for text in results if text] == []
