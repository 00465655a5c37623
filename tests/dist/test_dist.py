"""What `make dist` makes: checksums, archive, Debian package, the list of what is in them."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

import jsonschema
import pytest
import referencing

import sbom
from unmet import unmet


def run(*command, **options) -> subprocess.CompletedProcess:
    options = {"check": True, "capture_output": True, "text": True} | options
    return subprocess.run([str(word) for word in command], **options)


def the_one(folder: pathlib.Path, pattern: str) -> pathlib.Path:
    (path,) = folder.glob(pattern)
    return path


def sums(folder: pathlib.Path) -> dict[str, str]:
    lines = (folder / "SHA256SUMS").read_text("utf-8").splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def test_checksums(dist):
    found = {
        path.relative_to(dist).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in dist.rglob("*")
        if path.is_file() and path.name != "SHA256SUMS"
    }
    assert found == sums(dist)
    assert len(found) >= 4


def test_one_version(dist, planex):
    version = sbom.planex_version()
    assert planex("--version").stdout == f"planex {version}\n"
    assert the_one(dist, "planex-*.tar.gz").name.startswith(f"planex-{version}-linux-")
    assert the_one(dist, "*.deb").name.startswith(f"planex_{version}_")
    assert the_one(dist, "*.cdx.json").name == f"planex-{version}.cdx.json"


def test_same_bytes_again(dist, bill, root, tmp_path):
    """At another time, in another place and with other settings."""
    if bill["serialNumber"] != sbom.document()["serialNumber"]:
        unmet(f"{dist} is of another commit")
    settings = {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "1"}
    run(
        "bash",
        "-c",
        'umask 077; exec "$0" "$1"',
        root / "tools/dist.sh",
        tmp_path,
        env=os.environ | settings,
    )
    again = sums(tmp_path)
    assert again == {name: sums(dist)[name] for name in again}


def test_archive(dist, static_bin, planex, tmp_path):
    path = the_one(dist, "planex-*.tar.gz")
    with tarfile.open(path) as archive:
        for member in archive:
            assert (member.uid, member.gid) == (0, 0)
            assert member.mode == (
                0o755 if member.isdir() or member.name.endswith("bin/planex") else 0o644
            )
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / path.name.removesuffix(".tar.gz")
    program = folder / "bin/planex"
    assert run(program, "--version").stdout == planex("--version").stdout
    assert "=>" not in run("ldd", program, check=False).stdout
    # "One static binary, size stated": docs/design/0034-portable-builds.md.
    assert program.stat().st_size < 23e6
    notices = {notice.stem for notice in (folder / "share/doc/planex/notices").iterdir()}
    assert notices == {library.package for library in sbom.LIBRARIES if not library.loaded}


def test_image(dist):
    """What the image is made of is there, and what it starts is in it."""
    text = (dist / "Containerfile").read_text("utf-8")
    (archive,) = re.findall(r"^ADD (\S+) /$", text, re.MULTILINE)
    (program,) = re.findall(r'^ENTRYPOINT \["/(.+)"\]$', text, re.MULTILINE)
    assert "\nFROM scratch\n" in text
    with tarfile.open(dist / archive) as content:
        assert content.getmember(program).mode == 0o755


# --- The Debian package ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def deb(dist) -> pathlib.Path:
    if shutil.which("dpkg") is None:
        unmet("there is no dpkg")
    return the_one(dist, "*.deb")


def test_deb_needs_little(deb, tmp_path):
    needed = run("dpkg-deb", "--field", deb, "Depends").stdout
    wanted = dict(re.findall(r"(\S+) \(>= ([0-9.]+)\)", needed))
    assert wanted.keys() == {"libc6", "libgcc-s1"}
    run("dpkg-deb", "--extract", deb, tmp_path)
    said = run("objdump", "-p", "-T", tmp_path / "usr/bin/planex").stdout
    libraries = set(re.findall(r"NEEDED +(lib[a-z_]+)", said))
    assert libraries <= {"libc", "libm", "libdl", "libpthread", "libgcc_s"}
    assert not re.search(r"RUNPATH|RPATH", said)
    for prefix, package in (("GLIBC", "libc6"), ("GCC", "libgcc-s1")):
        found = {text for text in re.findall(rf"\b{prefix}_([0-9.]+)", said)}
        newest = max(tuple(int(part) for part in text.split(".")) for text in found)
        assert newest[:2] <= tuple(int(part) for part in wanted[package].split(".")), package


def test_deb_is_installed_and_removed(deb, planex, tmp_path):
    """Into a root of its own, whose list of packages is empty."""
    if os.geteuid() != 0:
        unmet("only root installs packages")
    (tmp_path / "var/lib/dpkg/updates").mkdir(parents=True)
    (tmp_path / "var/lib/dpkg/info").mkdir()
    (tmp_path / "var/lib/dpkg/status").touch()
    dpkg = ["dpkg", f"--root={tmp_path}", "--force-depends", "--log=/dev/null"]
    path = os.environ | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    run(*dpkg, "--install", deb, env=path)
    assert run(*dpkg, "--verify", "planex", env=path).stdout == ""
    program = tmp_path / "usr/bin/planex"
    assert run(program, "--version").stdout == planex("--version").stdout
    assert (tmp_path / "usr/share/man/man1/planex-summary.1.gz").exists()
    run(*dpkg, "--purge", "planex", env=path)
    left = [file for file in tmp_path.rglob("*") if file.is_file() and "dpkg" not in file.parts]
    assert left == []


def test_deb_draws_png(deb, engines, tmp_path):
    run("dpkg-deb", "--extract", deb, tmp_path)
    picture = tmp_path / "drawing.png"
    run(tmp_path / "usr/bin/planex", "draw", engines / "resnet18-a100-qat", "-o", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_deb_is_well_formed(deb):
    if shutil.which("lintian") is None:
        unmet("there is no lintian")
    result = run("lintian", "--allow-root", "--fail-on", "error,warning", deb, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


# --- What is in them ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bill(dist) -> dict:
    return json.loads(the_one(dist, "*.cdx.json").read_text("utf-8"))


def test_bill_is_valid(bill):
    folder = importlib.resources.files("cyclonedx.schema") / "_res"
    schemas = {
        name: json.loads((folder / f"{name}.SNAPSHOT.schema.json").read_text("utf-8"))
        for name in ("bom-1.6", "spdx", "jsf-0.82")
    }
    registry = referencing.Registry().with_resources(
        (schema["$id"], referencing.Resource.from_contents(schema)) for schema in schemas.values()
    )
    jsonschema.Draft7Validator(schemas["bom-1.6"], registry=registry).validate(bill)
    known = set(schemas["spdx"]["enum"]) | {"WITH", "AND", "OR"}
    for component in bill["components"]:
        for license in component["licenses"]:
            words = set(re.findall(r"[\w.+-]+", license["expression"]))
            assert words <= known | {"LLVM-exception", "GCC-exception-3.1"}, component["name"]


def test_bill_lists_every_library(root, bill):
    """All that cmake/Dependencies.cmake finds, but for tests and the OpenVINO driver."""
    text = (root / "cmake/Dependencies.cmake").read_text("utf-8")
    found = set(re.findall(r"^find_package\((\w+)", text, re.MULTILINE))
    found |= set(re.findall(r"^pkg_check_modules\((\w+)", text, re.MULTILINE))
    found |= {
        path.split("/")[0] for path in re.findall(r"^find_path\(\w+ (\S+)", text, re.MULTILINE)
    }
    found -= {"PkgConfig", "Threads"}
    assert found == {library.cmake for library in sbom.LIBRARIES if library.cmake}
    named = {component["name"] for component in bill["components"]}
    assert {library.name for library in sbom.LIBRARIES} | {"d3-hierarchy", "xz-decompress"} <= named


def test_bill_has_a_version_of_each(bill):
    for component in bill["components"]:
        assert re.search(r"\d", component["version"]), component
        assert component["purl"].startswith("pkg:")
