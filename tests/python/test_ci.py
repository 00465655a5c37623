"""planex-ci: the real planex, against a stand-in of the forges' interfaces."""

from __future__ import annotations

import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse

import pytest

from planex import ci

ENGINES = pathlib.Path("examples/engines").resolve()
QAT, RESIDUAL = ENGINES / "resnet18-a100-qat", ENGINES / "resnet18-a100-qat-residual"
NAIVE, SHARED = (ENGINES / "resnet18-openvino" / name for name in ("qdq-naive", "qdq-shared"))
FP32 = ENGINES / "resnet18-openvino/fp32"
REGRESSION = ["--baseline", SHARED, "--fail-on-regression", "5%"]
PROGRAM = pathlib.Path(sys.executable).parent / "planex-ci"
KINDS = ["github", "gitlab"]


class Forge:
    """Comments of one pull request, and what was asked for."""

    def __init__(self, kind: str):
        self.kind = kind
        self.comments: list[dict[str, object]] = []
        self.requests: list[tuple[str, str]] = []
        self.refuse: dict[str, int] = {}
        forge = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self) -> None:
                path = urllib.parse.urlsplit(self.path)
                forge.requests.append((self.command, path.path))
                length = int(self.headers.get("Content-Length") or 0)
                sent = json.loads(self.rfile.read(length)) if length else None
                code, document = forge.answer(self.command, path, sent, self.headers)
                text = json.dumps(document).encode()
                self.send_response(code)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PATCH = do_PUT = answer

            def log_message(self, *words: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.issue = (
            "/repos/o/r/issues/7/comments"
            if kind == "github"
            else "/projects/5/merge_requests/7/notes"
        )
        self.one = "/repos/o/r/issues/comments" if kind == "github" else self.issue

    def answer(self, method, path, sent, headers):
        if method in self.refuse:
            return self.refuse[method], {"message": "no"}
        token = headers["Authorization"] if self.kind == "github" else headers["PRIVATE-TOKEN"]
        if token not in ("Bearer secret", "secret"):
            return 401, {}
        if method == "GET" and path.path == self.issue:
            query = dict(urllib.parse.parse_qsl(path.query))
            first = (int(query["page"]) - 1) * int(query["per_page"])
            return 200, self.comments[first : first + int(query["per_page"])]
        if method == "POST" and path.path == self.issue:
            self.comments.append({"id": 1000 + len(self.comments), "body": sent["body"]})
            return 201, self.comments[-1]
        if method == ("PATCH" if self.kind == "github" else "PUT"):
            for comment in self.comments:
                if path.path == f"{self.one}/{comment['id']}":
                    comment["body"] = sent["body"]
                    return 200, comment
        return 404, {}


@pytest.fixture(params=KINDS)
def forge(request):
    stand_in = Forge(request.param)
    yield stand_in
    stand_in.server.shutdown()
    stand_in.server.server_close()


class Job:
    """A job of CI, in a folder of its own."""

    def __init__(self, folder: pathlib.Path, forge: Forge | None):
        self.folder = folder
        self.environment = {"PATH": "/usr/bin:/bin"}
        if forge is None:
            return
        if forge.kind == "gitlab":
            self.environment |= {
                "CI_MERGE_REQUEST_IID": "7",
                "CI_PROJECT_ID": "5",
                "CI_API_V4_URL": forge.url,
                "CI_JOB_NAME": "engine",
                "PLANEX_GITLAB_TOKEN": "secret",
            }
            return
        event = folder / "event.json"
        event.write_text(json.dumps({"pull_request": {"number": 7}}))
        self.environment |= {
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_API_URL": forge.url,
            "GITHUB_JOB": "engine",
            "GITHUB_TOKEN": "secret",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        }

    def run(self, *words: object, code: int = 0, **environment: object) -> str:
        done = subprocess.run(
            [PROGRAM, *map(str, words)],
            cwd=self.folder,
            env=self.environment | {key: str(value) for key, value in environment.items()},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout[-2000:] + done.stderr
        return done.stdout + done.stderr

    def read(self, name: str) -> str:
        return (self.folder / "planex-ci" / name).read_text(encoding="utf-8")


@pytest.fixture
def job(tmp_path, forge):
    return Job(tmp_path, forge)


@pytest.fixture
def alone(tmp_path):
    return Job(tmp_path, None)


# --- What is checked ------------------------------------------------------------------------------


def test_check_writes_comment_report_and_findings(alone):
    alone.run("check", "--engine", RESIDUAL, "--baseline", QAT)
    comment = alone.read("comment.md")
    assert comment.startswith("### planex: resnet18-a100-qat-residual ✅\n")
    assert "qat-residual is 1.6 × as fast as qat" in comment
    assert "<details><summary>Lint: 1 warning, 2 notes</summary>" in comment
    assert comment.count("<details>") == comment.count("</details>") == 4
    sarif = json.loads(alone.read("sarif/resnet18-a100-qat-residual.sarif"))
    assert sarif["version"] == "2.1.0"
    assert len(sarif["runs"][0]["results"]) >= 3
    assert alone.read("junit/resnet18-a100-qat-residual.xml").startswith("<?xml")
    assert len(alone.read("report.html")) > 200_000
    assert alone.run("gate") == "planex: resnet18-a100-qat-residual: passed\n"


@pytest.mark.parametrize(
    ("words", "code", "failures"),
    [
        (["--engine", RESIDUAL, "--fail-on", "warning"], 1, ["findings of level warning or above"]),
        (["--engine", RESIDUAL, "--fail-on", "error"], 0, []),
        (["--engine", FP32, *REGRESSION], 1, ["regression"]),
        # One of them has no samples: that is no pass.
        (
            ["--engine", QAT, "--baseline", RESIDUAL, "--fail-on-regression", "5%"],
            5,
            ["not judged"],
        ),
        (
            ["--engine", QAT, *REGRESSION[:1], RESIDUAL, *REGRESSION[2:], "--fail-when-unclear"],
            1,
            ["regression or unclear"],
        ),
        (["--engine", SHARED, "--baseline", NAIVE, "--fail-on-regression", "15%"], 0, []),
        (["--engine", "no-such"], 3, ["lint could not run"]),
        (["--engine", QAT, "--baseline", "no-such"], 3, ["compare could not run"]),
        (["--engine", QAT, "--rules-file", "no-such"], 3, ["lint could not run"]),
    ],
)
def test_the_gate_is_that_of_planex(alone, words, code, failures):
    alone.run("check", *words)
    result = json.loads(alone.read("result.json"))
    assert result["exit_code"] == code
    assert result["engines"][0]["failures"] == failures
    alone.run("gate", code=code)
    assert ("❌" in alone.read("comment.md")) == (code not in (0, 5))
    assert ("❓" in alone.read("comment.md")) == (code == 5)


def test_several_engines_with_a_baseline_each(alone):
    words = ["--engine", RESIDUAL, "--engine", SHARED, "--baseline", QAT, "--baseline", NAIVE]
    alone.run("check", *words)
    comment = alone.read("comment.md")
    assert comment.index("resnet18-a100-qat-residual") < comment.index("### planex: qdq-shared")
    assert len(list((alone.folder / "planex-ci/sarif").iterdir())) == 2
    alone.run("check", *words[:-2], code=2)


def test_options_can_be_in_the_environment(alone):
    variables = {
        "PLANEX_ENGINE": RESIDUAL,
        "PLANEX_BASELINE": f"{QAT}\n{QAT}\n",
        "PLANEX_FAIL_ON": "warning",
        "PLANEX_OUTPUT": "out",
        "PLANEX_NAME": "a b/c",
    }
    alone.run("check", **variables)
    assert (alone.folder / "out/sarif/a_b_c.sarif").exists()
    alone.run("gate", code=1, **variables)
    alone.run("check", code=2)
    alone.run("check", code=2, PLANEX_ENGINE=QAT, PLANEX_FAIL_ON="x")
    alone.run("gate", code=70)


def test_names_of_layers_call_nobody(alone):
    folder = alone.folder / "engine"
    shutil.copytree(RESIDUAL, folder)
    graph = next(folder.glob("*.graph.json"))
    graph.write_text(graph.read_text().replace("Quantize", "@everyone #12 Quantize"))
    for profile in folder.glob("*.profile.json"):
        profile.unlink()
    alone.run("check", "--engine", folder)
    comment = alone.read("comment.md")
    assert "everyone" in comment
    assert not re.search(r"@everyone|#12", comment)


# --- Comments -------------------------------------------------------------------------------------


def test_one_comment_is_kept_up_to_date(job, forge):
    others = [{"id": number, "body": f"comment {number}"} for number in range(250)]
    forge.comments = list(others)
    job.run("check", "--engine", RESIDUAL, "--baseline", QAT)
    assert "comment written" in job.run("comment", "--link", "https://forge/results")
    assert len(forge.comments) == 251
    body = str(forge.comments[-1]["body"])
    assert body.startswith("<!-- planex-ci: engine -->\n### planex: resnet18-a100-qat-residual ✅")
    assert "[Report and files](https://forge/results)" in body
    job.run("check", "--engine", RESIDUAL, "--fail-on", "warning")
    assert "comment updated" in job.run("comment")
    assert len(forge.comments) == 251
    assert "❌ findings of level warning" in str(forge.comments[-1]["body"])
    # Another engine has a comment of its own; nobody else's was touched.
    job.run("comment", "--name", "other")
    assert len(forge.comments) == 252
    assert forge.comments[:250] == others


def test_what_the_forge_refuses_is_a_warning(job, forge):
    """The token of a fork's pull request may only read."""
    job.run("check", "--engine", RESIDUAL)
    forge.refuse = {"POST": 403}
    assert "warning" in job.run("comment")
    assert [method for method, _ in forge.requests] == ["GET", "POST"]
    forge.refuse = {"GET": 502}
    assert "502" in job.run("comment")
    assert forge.comments == []
    forge.refuse = {}
    for token, said in (("x", "401"), ("", "is not set")):
        tokens = dict.fromkeys(("GITHUB_TOKEN", "PLANEX_GITLAB_TOKEN"), token)
        assert said in job.run("comment", **tokens)
    for url in ("http://127.0.0.1:9", "file:///etc/passwd"):
        said = job.run("comment", GITHUB_API_URL=url, CI_API_V4_URL=url)
        assert "warning" in said and "root:" not in said


def test_a_job_of_no_pull_request_comments_nothing(job, forge):
    (job.folder / "event.json").write_text(json.dumps({"ref": "refs/heads/main"}))
    job.run("check", "--engine", RESIDUAL)
    assert "no comment" in job.run("comment", CI_MERGE_REQUEST_IID="")
    assert forge.requests == []
    if forge.kind == "github":
        assert (job.folder / "summary.md").read_text(encoding="utf-8") == job.read("comment.md")


def test_a_long_comment_is_cut_between_lines(job, forge):
    job.run("check", "--engine", QAT)
    comment = job.folder / "planex-ci/comment.md"
    row = "| layer | ünïcode |\n"
    comment.write_text("### planex\n\n<details><summary>x</summary>\n\n" + row * 100_000)
    job.run("comment", "--link", "https://forge/results")
    body = str(forge.comments[0]["body"])
    assert len(body) <= (65_536 if forge.kind == "github" else 1_000_000)
    assert len(body) > (64_000 if forge.kind == "github" else 890_000)
    assert body.count("<details>") == body.count("</details>") == 1
    assert "Cut here" in body and "[the whole report](https://forge/results)" in body
    assert all(line in (row.strip(), "") for line in body.splitlines()[4:-8])


def test_a_cut_closes_what_is_open():
    body = ci.body_of("````text\n" + "x\n" * 1000, "<!-- m -->", "", 800)
    assert len(body) <= 800
    assert body.count("````") == 2


# --- Action and template --------------------------------------------------------------------------


def test_the_action_and_the_template_say_what_planex_ci_takes():
    root = pathlib.Path(__file__).resolve().parents[2]
    source = pathlib.Path(ci.__file__).read_text(encoding="utf-8")
    options = set(re.findall(r'_given\("([a-z_]+)"\)', source))
    options |= {"waivers", "lint_baseline", "rules_file"}
    action = (root / "ci/github/action.yml").read_text(encoding="utf-8")
    template = (root / "ci/gitlab/planex.yml").read_text(encoding="utf-8")
    variables = set(re.findall(r"^ {8}PLANEX_([A-Z_]+): \$\{\{", action, re.MULTILINE))
    assert {name.lower() for name in variables} == options
    inputs = set(re.findall(r"^  ([a-z-]+):$", action.split("\nruns:")[0], re.MULTILINE))
    assert {name.replace("_", "-") for name in options} - {"link"} <= inputs
    # No input is part of a script, where it would be code.
    assert not re.search(r"run:.*\$\{\{", action)
    said = set(re.findall(r"^ {4}PLANEX_([A-Z_]+): ", template, re.MULTILINE))
    assert {name.lower() for name in said} - {"package"} == options - {"link", "name"}
    assert os.environ.get("PLANEX_ENGINE") is None
