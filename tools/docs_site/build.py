#!/usr/bin/env python3
"""Builds the documentation site: build/site/html. tools/site.sh calls it with what it needs.

    build.py PACKAGES      the folder of Python packages that has planex and what it works with

Any warning of a tool is an error: a link that leads nowhere, a page that no index names, a comment
that Doxygen doesn't understand.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

import check_site
import docs_update
import notebook_page
import reference
import stage

SITE = pathlib.Path(__file__).resolve().parent
OUT = stage.ROOT / "build/site"


def sphinx(source: pathlib.Path, html: pathlib.Path, packages: str) -> int:
    version = docs_update.planex_output(["version"]).split()[1]
    # The packages come last: what Sphinx needs is its own.
    start = "import sys; sys.path.append(sys.argv.pop(1)); from sphinx.cmd.build import main; "
    command = [sys.executable, "-c", start + "sys.exit(main(sys.argv[1:]))", packages]
    options = ["--fail-on-warning", "--keep-going", "--quiet", "-j", "2", "-E"]
    return subprocess.run(
        [*command, *options, "-D", f"release={version}", str(source), str(html)],
        cwd=stage.ROOT,
        check=False,
    ).returncode


def main(argv: list[str]) -> int:
    packages = argv[1]
    sys.path.append(packages)
    source, html = OUT / "source", OUT / "html"
    for folder in (source, html):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        stage.stage(source)
        reference.doxygen(SITE / "Doxyfile", OUT / "doxygen")
        python = pathlib.Path(packages).parents[2] / "bin/python"
        reference.generate(source, str(python))
    except (stage.StageError, docs_update.DocsError) as error:
        print(f"site: {error}", file=sys.stderr)
        return 1
    shutil.copyfile(SITE / "conf.py", source / "conf.py")
    (source / "_static").mkdir(exist_ok=True)
    for name in ("site.css", "search_order.js"):
        shutil.copyfile(SITE / name, source / "_static" / name)
    if any(source.glob("notebooks/*.md")):
        import plotly.offline

        script = source / notebook_page.PLOTLY_SCRIPT
        script.write_text(plotly.offline.get_plotlyjs(), "utf-8")
    if code := sphinx(source, html, packages):
        return code
    return check_site.main(["check_site", str(html)])


if __name__ == "__main__":
    sys.exit(main(sys.argv))
