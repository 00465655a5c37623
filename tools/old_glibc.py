#!/usr/bin/env python3
"""Makes what programs and libraries are linked with, to run on systems older than this one.

    tools/old_glibc.py VERSION FOLDER       such as 2.28 build/portable/glibc-2.28

GNU's C library keeps every version of a function that it ever had, and what is linked takes the
newest. The folder gets libraries that have nothing but the names of this system's, each with its
newest version that is not newer than VERSION; `-L FOLDER` puts them before the system's. What came
later, and objects of this system's compiler ask for all the same, is in cmake/portable/old_glibc.c,
which becomes a part of what is linked. So objects of the ordinary build serve, and nothing has to
be compiled again (docs/design/0034-portable-builds.md).
"""

from __future__ import annotations

import pathlib
import platform
import re
import subprocess
import sys
from typing import NamedTuple

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerDefSection, GNUVerSymSection
from elftools.elf.sections import SymbolTableSection

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHIM = ROOT / "cmake/portable/old_glibc.c"
# Until 2.34 these functions had libraries of their own.
MOVED = {
    "libpthread.so.0": re.compile(r"_?_?(pthread|sem)_"),
    "libdl.so.2": re.compile(r"dl(open|sym|vsym|close|error|addr|info|mopen)$"),
}
# The shim stands before it, for programs.
START = "__libc_start_main"

Version = tuple[int, ...]


class Symbol(NamedTuple):
    name: str
    version: str
    is_function: bool
    size: int


def number(version: str) -> Version:
    """GLIBC_2.2.5 as numbers; of GLIBC_PRIVATE none."""
    return tuple(int(part) for part in re.findall(r"\d+", version.removeprefix("GLIBC_")))


def library_file(name: str) -> pathlib.Path:
    """Where the compiler finds a library."""
    said = subprocess.run(
        ["cc", f"-print-file-name={name}"], check=True, capture_output=True, text=True
    )
    path = pathlib.Path(said.stdout.strip())
    if not path.is_absolute():
        sys.exit(f"old_glibc: there is no {name} here")
    return path.resolve()


def versions_of(path: pathlib.Path) -> dict[str, list[Symbol]]:
    """What a library gives, each name with all its versions."""
    found: dict[str, list[Symbol]] = {}
    with path.open("rb") as file:
        elf = ELFFile(file)
        names: dict[int, str] = {}
        for section in elf.iter_sections():
            if isinstance(section, GNUVerDefSection):
                for definition, auxiliaries in section.iter_versions():
                    names[definition["vd_ndx"]] = next(auxiliaries).name
        symbols = elf.get_section_by_name(".dynsym")
        numbers = elf.get_section_by_name(".gnu.version")
        assert isinstance(symbols, SymbolTableSection) and isinstance(numbers, GNUVerSymSection)
        for index, symbol in enumerate(symbols.iter_symbols()):
            # The names of versions themselves are absolute.
            if symbol["st_shndx"] in ("SHN_UNDEF", "SHN_ABS"):
                continue
            at = numbers.get_symbol(index)["ndx"]
            version = names.get(at & 0x7FFF, "") if isinstance(at, int) else ""
            kind = symbol["st_info"]["type"]
            if not number(version) or kind not in ("STT_FUNC", "STT_LOOS", "STT_OBJECT"):
                continue
            is_function = kind != "STT_OBJECT"
            entry = Symbol(symbol.name, version, is_function, symbol["st_size"])
            found.setdefault(symbol.name, []).append(entry)
    return found


def chosen(found: dict[str, list[Symbol]], limit: Version) -> dict[str, list[Symbol]]:
    """The version of each name that is linked, by the library that has it in old systems."""
    parts: dict[str, list[Symbol]] = {"": []}
    for name, symbols in found.items():
        old = [symbol for symbol in symbols if number(symbol.version) <= limit]
        if not old:
            continue
        best = max(old, key=lambda symbol: number(symbol.version))
        newest = max(number(symbol.version) for symbol in symbols)
        place = ""
        if newest > limit:
            place = next((lib for lib, moved in MOVED.items() if moved.match(name)), "")
        parts.setdefault(place, []).append(best)
    return parts


def make_library(folder: pathlib.Path, soname: str, symbols: list[Symbol]) -> None:
    """A library of names, without code."""
    lines = [".text"]
    nodes: dict[str, list[str]] = {}
    for symbol in sorted(symbols):
        name = symbol.name
        names = nodes.setdefault(symbol.version, [])
        if name == START:
            # Not the default: found by who names the version.
            lines.append(f".symver old_{name}, {name}@{symbol.version}")
            name = f"old_{name}"
        else:
            names.append(name)
        lines.append(f".globl {name}")
        if symbol.is_function:
            lines += [f".type {name}, %function", f"{name}: .byte 0"]
            continue
        lines += [f".type {name}, %object", f".size {name}, {symbol.size}"]
        lines += [".data", ".balign 32", f"{name}: .zero {max(1, symbol.size)}", ".text"]
    script = "".join(
        f"{version} {{ global: {' '.join(name + ';' for name in names)} }};\n"
        if names
        else f"{version} {{ }};\n"
        for version, names in sorted(nodes.items(), key=lambda item: number(item[0]))
    )
    source, versions = folder / f"{soname}.s", folder / f"{soname}.map"
    source.write_text("\n".join([*lines, '.section .note.GNU-stack,"",%progbits', ""]))
    versions.write_text(script)
    subprocess.run(
        [
            "cc",
            *["-shared", "-nostdlib", f"-Wl,-soname,{soname}", f"-Wl,--version-script={versions}"],
            *["-o", str(folder / soname), str(source)],
        ],
        check=True,
    )
    source.unlink()
    versions.unlink()


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    limit = number(sys.argv[1])
    folder = pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    loader = {"x86_64": "ld-linux-x86-64.so.2", "aarch64": "ld-linux-aarch64.so.1"}
    loader_name = loader[platform.machine()]
    sonames = ["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", loader_name]
    parts: dict[str, list[Symbol]] = {soname: [] for soname in sonames}
    for soname in sonames:
        for place, symbols in chosen(versions_of(library_file(soname)), limit).items():
            # Where they are libraries of their own, they have their own list.
            known = {symbol.name for symbol in parts[place or soname]}
            parts[place or soname] += [symbol for symbol in symbols if symbol.name not in known]
    for soname, symbols in parts.items():
        make_library(folder, soname, symbols)
    shim = folder / "old_glibc.o"
    major, minor = limit[:2]
    subprocess.run(
        [
            *["cc", "-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra"],
            *["-ffunction-sections", "-fdata-sections", f"-DOLD_GLIBC={major * 100 + minor}"],
            *["-c", str(SHIM), "-o", str(shim)],
        ],
        check=True,
    )
    archive = folder / "libold_glibc.a"
    archive.unlink(missing_ok=True)
    subprocess.run(["ar", "rcsD", str(archive), str(shim)], check=True)
    later = " ".join(str(folder / name) for name in sonames[2:])
    for name, inputs in {
        "libc.so": f"{folder}/libc.so.6 {archive} AS_NEEDED ( {later} )",
        "libm.so": f"{folder}/libm.so.6 {archive}",
        "libpthread.so": f"{folder}/libpthread.so.0",
        "libdl.so": f"{folder}/libdl.so.2",
        "librt.so": f"{folder}/librt.so.1",
    }.items():
        (folder / name).write_text(f"GROUP ( {inputs} )\n")


if __name__ == "__main__":
    main()
