"""planex-ci: what the GitHub Action and the GitLab template run (docs/how-to/use-in-ci.md).

    planex-ci check --engine run/ --baseline good/ --fail-on warning --fail-on-regression 5%
    planex-ci comment
    planex-ci gate

`check` runs planex and writes a folder (planex-ci/): comment.md, report.html, sarif/, junit/,
result.json. `comment` posts comment.md on the pull or merge request of the job, replacing its
previous comment. `gate` exits with the result of `check`: 0 fine, 1 findings or a regression, else
the reason why it could not run. They are separate so that the folder is kept, and linked in the
comment, before the job fails.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import planex
from planex._errors import EXIT_CODES
from planex._program import program

# Maximum length of a comment, with room for what the forges add.
_GITHUB_LIMIT = 65_000
_GITLAB_LIMIT = 900_000
_PAGE = 100
_SECONDS = 30
_LEVELS = ("error", "warning", "info", "never")


class ForgeError(Exception):
    """The forge's API refused, or is not available."""


# --- Asking planex --------------------------------------------------------------------------------


# `planex compare --fail-on-regression` where there is nothing to judge.
UNJUDGED = 5


class _Said(NamedTuple):
    code: int
    error: str

    @property
    def could_run(self) -> bool:
        return self.code in (0, 1, UNJUDGED)


def _run(*words: str | os.PathLike[str]) -> _Said:
    try:
        done = subprocess.run(
            [program(), *words], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as error:
        return _Said(EXIT_CODES["external-tool"], f"error: planex can't be started: {error}")
    return _Said(done.returncode, done.stderr.decode(errors="replace"))


def _names(engines: Sequence[str], name: str) -> list[str]:
    if name and len(engines) == 1:
        return [name]
    names = [pathlib.Path(os.path.abspath(engine)).name for engine in engines]
    return names if len(set(names)) == len(names) else list(engines)


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name)


class _Part(NamedTuple):
    """What planex reported about one engine."""

    name: str
    code: int
    failures: list[str]
    text: str


def _failed(name: str, verb: str, said: _Said) -> _Part:
    fence = "`" * (3 + max((len(run) for run in re.findall("`+", said.error)), default=0))
    text = f"planex {verb} could not run:\n\n{fence}text\n{said.error.strip()}\n{fence}\n"
    return _Part(name, said.code, [f"{verb} could not run"], text)


def _check_engine(
    given: argparse.Namespace,
    name: str,
    engine: str,
    baselines: Sequence[str],
    out: pathlib.Path,
) -> _Part:
    file = _file_name(name)
    failures = []
    texts = []
    unjudged = False
    if baselines:
        words = ["compare", *(f"--base={path}" for path in baselines), engine]
        if given.fail_on_regression:
            words += ["--fail-on-regression", given.fail_on_regression]
        if given.fail_when_unclear:
            words.append("--fail-when-unclear")
        compared = _run(*words, "--format=markdown", "-o", out / f"{file}.compare.md")
        if not compared.could_run:
            return _failed(name, "compare", compared)
        _run(*words, "--format=junit", "-o", out / "junit" / f"{file}.xml")
        if compared.code == UNJUDGED:
            # The rest of the page says what was compared; this says what would decide it.
            unjudged = True
            texts.append(f"❓ {compared.error.strip()}\n")
        elif compared.code:
            failures.append("regression" + " or unclear" * given.fail_when_unclear)
        texts.append((out / f"{file}.compare.md").read_text(encoding="utf-8"))
    words = ["lint", engine]
    for option in ("waivers", "rules_file"):
        if getattr(given, option):
            words += [f"--{option.replace('_', '-')}", getattr(given, option)]
    if given.lint_baseline:
        words += ["--baseline", given.lint_baseline]
    linted = _run(
        *words, "--fail-on", given.fail_on, "--format=markdown", "-o", out / f"{file}.lint.md"
    )
    if not linted.could_run:
        return _failed(name, "lint", linted)
    _run(*words, "--format=sarif", "-o", out / "sarif" / f"{file}.sarif")
    if linted.code:
        failures.append(f"findings of level {given.fail_on} or above")
    head, _, rest = (out / f"{file}.lint.md").read_text(encoding="utf-8").partition("\n")
    # The title already contains the bold name of the engine.
    count = head.rpartition("**: ")[2]
    texts.append(f"<details><summary>Lint: {count}</summary>\n\n{rest.strip()}\n\n</details>\n")
    if unjudged:
        failures.append("not judged")
    code = UNJUDGED if failures == ["not judged"] else 1 if failures else 0
    return _Part(name, code, failures, "\n".join(texts))


def _quiet(text: str) -> str:
    """Prevents names of layers from mentioning users or linking to issues."""
    return re.sub(r"(?<!\w)([@#])(?=\w)", "\\1\u200b", text)


def _comment(parts: Sequence[_Part]) -> str:
    lines = []
    for part in parts:
        sign = "❓" if part.code == UNJUDGED else "❌"
        verdict = f"{sign} {', '.join(part.failures)}" if part.failures else "✅"
        lines += [f"### planex: {_quiet(part.name)} {verdict}", "", _quiet(part.text)]
    return "\n".join(lines)


def check(given: argparse.Namespace) -> int:
    """Runs planex and writes the folder. Returns 0 even if the gate will fail."""
    baselines: list[str] = given.baseline
    if baselines and len(given.engine) > 1 and len(baselines) != len(given.engine):
        print("error: expected one --baseline per --engine, or none", file=sys.stderr)
        return EXIT_CODES["usage"]
    out = pathlib.Path(given.output)
    for folder in (out, out / "sarif", out / "junit"):
        folder.mkdir(parents=True, exist_ok=True)
    parts = []
    names = _names(given.engine, given.name)
    for index, (name, engine) in enumerate(zip(names, given.engine, strict=True)):
        of_it = baselines if len(names) == 1 else baselines[index : index + 1]
        parts.append(_check_engine(given, name, engine, of_it, out))
    engines = [*dict.fromkeys([*baselines, *given.engine])]
    reported = _run("report", *engines, "--no-paths", "-o", out / "report.html")
    if not reported.could_run:
        # If one of the engines can't be read, the comment says why.
        print(reported.error, file=sys.stderr)
    comment = _comment(parts)
    (out / "comment.md").write_text(comment, encoding="utf-8")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as file:
            file.write(comment)
    result = {
        "schema": "planex.ci/1",
        "exit_code": max(part.code for part in parts),
        "engines": [
            {"name": part.name, "exit_code": part.code, "failures": part.failures} for part in parts
        ],
    }
    (out / "result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(comment)
    return 0


def gate(given: argparse.Namespace) -> int:
    """The result of `check` as an exit code."""
    path = pathlib.Path(given.output) / "result.json"
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"error: planex-ci check did not finish: {error}", file=sys.stderr)
        return EXIT_CODES["internal"]
    for engine in result["engines"]:
        print(f"planex: {engine['name']}: {', '.join(engine['failures']) or 'passed'}")
    code: int = result["exit_code"]
    return code


# --- Comments -------------------------------------------------------------------------------------


def body_of(comment: str, marker: str, link: str, limit: int) -> str:
    """A comment in the forge's format: marked, with a link, cut between lines if it is too long."""
    report = f"[Report and files]({link}) · " if link else ""
    foot = f"\n\n{report}planex {planex.__version__}\n"
    whole = f"{marker}\n{comment.strip()}{foot}"
    if len(whole) <= limit:
        return whole
    said = "\n\n*Cut here: longer than a comment can be"
    said += f"; the job's files contain [the whole report]({link}).*" if link else ".*"
    room = limit - len(marker) - len(said) - len(foot) - 200
    kept: list[str] = []
    for line in comment.strip().splitlines(keepends=True):
        room -= len(line)
        if room < 0:
            break
        kept.append(line)
    text = "".join(kept).rstrip()
    fences = re.findall("^`{3,}", text, re.MULTILINE)
    if len(fences) % 2:
        text += f"\n{fences[-1]}"
    text += "\n\n</details>" * max(0, text.count("<details>") - text.count("</details>"))
    return f"{marker}\n{text}{said}{foot}"


class _Api:
    """Requests to a forge; its answers are JSON."""

    def __init__(self, base: str, headers: Mapping[str, str]) -> None:
        if urllib.parse.urlsplit(base).scheme not in ("http", "https"):
            raise ForgeError(f"{base} is not the address of an API")
        self._base = base.rstrip("/")
        self._headers = {"Content-Type": "application/json", "User-Agent": "planex-ci", **headers}

    def ask(self, method: str, path: str, document: object = None) -> Any:
        data = None if document is None else json.dumps(document).encode()
        request = urllib.request.Request(  # noqa: S310
            self._base + path, data=data, headers=self._headers, method=method
        )
        for is_last in (False, True):
            try:
                with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                # Creating it twice would leave two comments.
                if is_last or error.code < 500 or method == "POST":
                    raise ForgeError(f"{method} {path}: {error.code} {error.reason}") from None
            except (urllib.error.URLError, TimeoutError, ValueError) as error:
                if is_last or method == "POST":
                    raise ForgeError(f"{method} {path}: {error}") from None
            time.sleep(1)
        raise AssertionError

    def all(self, path: str) -> Iterator[dict[str, Any]]:
        for page in range(1, 1000):
            rows = self.ask("GET", f"{path}?per_page={_PAGE}&page={page}")
            yield from rows
            if len(rows) < _PAGE:
                return


class _Place(NamedTuple):
    """Location of the comments of a pull or merge request."""

    api: _Api
    comments: str
    one: str
    update: str
    limit: int


def _github(environment: Mapping[str, str]) -> _Place | None:
    try:
        event = json.loads(
            pathlib.Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8")
        )
        number = int(event["pull_request"]["number"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    token = environment.get("GITHUB_TOKEN")
    if not token:
        raise ForgeError("GITHUB_TOKEN is not set")
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
    base = environment.get("GITHUB_API_URL", "https://api.github.com")
    repository = f"/repos/{environment['GITHUB_REPOSITORY']}/issues"
    return _Place(
        _Api(base, headers),
        f"{repository}/{number}/comments",
        f"{repository}/comments",
        "PATCH",
        _GITHUB_LIMIT,
    )


def _gitlab(environment: Mapping[str, str]) -> _Place | None:
    number = environment.get("CI_MERGE_REQUEST_IID")
    if not number:
        return None
    token = environment.get("PLANEX_GITLAB_TOKEN")
    if not token:
        raise ForgeError(
            "PLANEX_GITLAB_TOKEN is not set; it needs a project access token with the scope api"
        )
    notes = f"/projects/{environment['CI_PROJECT_ID']}/merge_requests/{int(number)}/notes"
    api = _Api(environment["CI_API_V4_URL"], {"PRIVATE-TOKEN": token})
    return _Place(api, notes, notes, "PUT", _GITLAB_LIMIT)


def comment(given: argparse.Namespace) -> int:
    """Posts the comment, or replaces the existing one. A refusal by the forge is only a warning:
    the token of a fork's pull request can be read-only."""
    environment = os.environ
    is_github = environment.get("GITHUB_ACTIONS") == "true"
    job = environment.get("GITHUB_JOB" if is_github else "CI_JOB_NAME", "")
    marker = f"<!-- planex-ci: {_file_name(given.name or job)} -->"
    try:
        text = (pathlib.Path(given.output) / "comment.md").read_text(encoding="utf-8")
        place = _github(environment) if is_github else _gitlab(environment)
        if place is None:
            print("planex-ci: this job does not belong to a pull request: no comment")
            return 0
        body = {"body": body_of(text, marker, given.link, place.limit)}
        for row in place.api.all(place.comments):
            if str(row.get("body", "")).startswith(marker):
                place.api.ask(place.update, f"{place.one}/{int(row['id'])}", body)
                print("planex-ci: comment updated")
                return 0
        place.api.ask("POST", place.comments, body)
        print("planex-ci: comment written")
    except (ForgeError, OSError, KeyError, ValueError) as error:
        said = str(error).replace("\n", " ")
        print(f"::warning::no comment: {said}" if is_github else f"warning: no comment: {said}")
    return 0


# --- Command line ---------------------------------------------------------------------------------


def _given(option: str) -> str:
    """An option's default: an Action's input, a variable of a template."""
    return os.environ.get(f"PLANEX_{option.upper()}", "").strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="planex-ci",
        description="Check engines in CI. Options can also be set in the environment: "
        "--fail-on as PLANEX_FAIL_ON; several values one per line.",
    )
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    def add(name: str, run: Any, about: str) -> argparse.ArgumentParser:
        verb = verbs.add_parser(name, help=about, description=about)
        verb.set_defaults(run=run)
        verb.add_argument(
            "--output",
            default=_given("output") or "planex-ci",
            help="folder for the results [planex-ci]",
        )
        verb.add_argument(
            "--name",
            default=_given("name"),
            help="name of the engine; there is one comment per name",
        )
        return verb

    checked = add("check", check, "Run planex, and write comment, report and findings")
    checked.add_argument("--engine", action="append", metavar="PLAN")
    checked.add_argument(
        "--baseline",
        action="append",
        metavar="PLAN",
        help="for one engine: the runs to compare with; for several engines: one per engine",
    )
    checked.add_argument("--fail-on", default=_given("fail_on") or "never", choices=_LEVELS)
    checked.add_argument(
        "--fail-on-regression", default=_given("fail_on_regression"), metavar="PERCENT"
    )
    checked.add_argument(
        "--fail-when-unclear",
        action="store_true",
        default=_given("fail_when_unclear").lower() == "true",
    )
    for option, about in (
        ("waivers", "accepted findings"),
        ("lint-baseline", "known findings"),
        ("rules-file", "your own rules"),
    ):
        value = _given(option.replace("-", "_"))
        checked.add_argument(f"--{option}", default=value, metavar="FILE", help=about)
    commented = add("comment", comment, "Post the comment on the pull or merge request")
    commented.add_argument(
        "--link", default=_given("link"), help="address where the folder is kept"
    )
    add("gate", gate, "Exit with the result of check")
    given = parser.parse_args(arguments)
    if given.run is check:
        given.engine = given.engine or _given("engine").splitlines()
        given.baseline = given.baseline or _given("baseline").splitlines()
        if not given.engine:
            checked.error("no engine given: use --engine run/")
    # argparse only checks values that were given on the command line.
    if given.run is check and given.fail_on not in _LEVELS:
        checked.error(f"--fail-on must be one of {', '.join(_LEVELS)}")
    code: int = given.run(given)
    return code


if __name__ == "__main__":
    sys.exit(main())
