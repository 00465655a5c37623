#!/usr/bin/env python3
"""Writes what is in the programs that are passed on, as CycloneDX 1.6.

    tools/sbom.py [--version | --packages]

--version writes the version of planex instead, --packages the Debian packages of what is linked in.

Versions are those of the machine that builds: of the source packages in build/portable/sources,
else of the installed Debian packages; of web/package-lock.json for the page. The same commit on the
same packages gives the same bytes.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "build/portable/sources"


@dataclasses.dataclass(frozen=True)
class Library:
    """A library as Debian packages it."""

    name: str
    package: str  # its binary package for developers
    license: str  # SPDX expression
    cmake: str = ""  # as cmake/Dependencies.cmake finds it
    loaded: bool = False  # when it is needed, from the machine that runs


LIBRARIES = (
    Library("simdjson", "libsimdjson-dev", "Apache-2.0 OR MIT", "simdjson"),
    Library("fmt", "libfmt-dev", "MIT", "fmt"),
    Library("SQLite", "libsqlite3-dev", "blessing", "SQLite3"),
    Library("zlib", "zlib1g-dev", "Zlib", "ZLIB"),
    Library("pugixml", "libpugixml-dev", "MIT", "pugixml"),
    Library("RE2", "libre2-dev", "BSD-3-Clause", "re2"),
    Library("utf8proc", "libutf8proc-dev", "MIT AND Unicode-DFS-2015", "utf8proc"),
    Library("libsodium", "libsodium-dev", "ISC", "sodium"),
    Library("libzip", "libzip-dev", "BSD-3-Clause", "libzip"),
    Library(
        "libxlsxwriter",
        "libxlsxwriter-dev",
        "BSD-2-Clause AND Zlib AND MIT AND BSD-3-Clause AND MPL-2.0",
        "xlsxwriter",
    ),
    Library("CLI11", "libcli11-dev", "BSD-3-Clause", "CLI"),
    Library("RapidJSON", "rapidjson-dev", "MIT", "rapidjson"),
    Library("protozero", "libprotozero-dev", "BSD-2-Clause", "protozero"),
    Library("Boost", "libboost-dev", "BSL-1.0", "Boost"),
    # In planex-openvino.
    Library("libjpeg-turbo", "libjpeg62-turbo-dev", "IJG AND BSD-3-Clause AND Zlib"),
    Library("libpng", "libpng-dev", "libpng-2.0"),
    Library("libwebp", "libwebp-dev", "BSD-3-Clause"),
    Library("GNU C Library", "libc6-dev", "LGPL-2.1-or-later"),
    Library("GNU C++ library", "libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    # In the page, as WebAssembly.
    Library("libc++", "libc++-19-dev-wasm32", "Apache-2.0 WITH LLVM-exception"),
    Library("wasi-libc", "wasi-libc", "Apache-2.0 WITH LLVM-exception AND MIT"),
    Library("librsvg", "librsvg2-dev", "LGPL-2.1-or-later", "librsvg", loaded=True),
)


def command(*words: str) -> str:
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def planex_version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text("utf-8")
    found = re.search(r"project\(planex VERSION ([0-9.]+)", text)
    assert found, "CMakeLists.txt has no version"
    return found[1]


def commit() -> tuple[str, datetime.datetime]:
    """Of what is built, with its time."""
    name, seconds = command("git", "log", "-1", "--format=%H %ct").split()
    return name, datetime.datetime.fromtimestamp(int(seconds), datetime.UTC)


def distribution() -> str:
    """As package URLs name it: debian, ubuntu."""
    text = pathlib.Path("/etc/os-release").read_text("utf-8")
    found = re.search(r'^ID="?([a-z]+)"?$', text, re.MULTILINE)
    return found[1] if found else "debian"


def of_debian(library: Library) -> dict:
    source, version = command(
        "dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", library.package
    ).split()
    built = SOURCES / f"{source}.version"
    if built.exists():
        version = built.read_text("utf-8").strip()
    purl = f"pkg:deb/{distribution()}/{source}@{version.replace('+', '%2B').replace(':', '%3A')}"
    return {
        "type": "library",
        "bom-ref": library.package,
        "name": library.name,
        "version": version,
        "scope": "optional" if library.loaded else "required",
        "licenses": [{"expression": library.license}],
        "purl": f"{purl}?arch=source",
    }


def of_page() -> list[dict]:
    """What the page is bundled with: all that is no tool of its developers."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))
    return [
        {
            "type": "library",
            "bom-ref": path,
            "name": path.removeprefix("node_modules/"),
            "version": package["version"],
            "scope": "required",
            "licenses": [{"expression": package["license"]}],
            "purl": f"pkg:npm/{path.removeprefix('node_modules/')}@{package['version']}",
        }
        for path, package in sorted(lock["packages"].items())
        if path and not package.get("dev") and not package.get("optional")
    ]


def document() -> dict:
    name, time = commit()
    version = planex_version()
    components = [of_debian(library) for library in LIBRARIES] + of_page()
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, f"planex {version} {name}").urn,
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": "planex",
                "name": "planex",
                "version": version,
                "licenses": [{"expression": "Apache-2.0"}],
            },
        },
        "components": components,
        "dependencies": [
            {"ref": "planex", "dependsOn": [component["bom-ref"] for component in components]}
        ],
    }


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--version", action="store_true")
    one.add_argument("--packages", action="store_true")
    arguments = parser.parse_args(argv[1:])
    if arguments.version:
        print(planex_version())
    elif arguments.packages:
        print("\n".join(library.package for library in LIBRARIES if not library.loaded))
    else:
        print(json.dumps(document(), indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
