"""Tools that run models: below the served folders, one at a time, with progress, and stopped when
the client cancels them."""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import anyio

import planex
from planex import _run
from planex._errors import CancelledError, PlanexError, UsageError
from planex.mcp import _pages
from planex.mcp._arguments import Json, Verb
from planex.mcp._folders import Folders

#: Verbs that run models, as tools.
VERBS = ("optimize", "quantize", "accuracy", "advise", "clean")

#: How long a run of a model can take where the server was not told.
MAX_BUDGET = "10m"
# Of optimize: an assistant waits for the answer.
_BUDGET = "2m"
# optimize ends what it has begun, compares the best with the first, and writes a report.
_FINISH_SECONDS = 60.0

# How many answers are kept for their further pages.
_KEPT = 8
# How often a waiting call looks, and how often it tells the client at most.
_LOOK_SECONDS = 0.05
_TELL_SECONDS = 0.5

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}

#: Tells a client: seconds so far, how many there will be if that is known, and what goes on.
Tell = Callable[[float, float | None, str], Any]
#: What is about an engine in an answer.
About = Callable[[str, planex.Engine], Json]


def seconds_of(text: str, what: str) -> float:
    """``90s``, ``10m`` or ``2h`` in seconds.

    Raises
    ------
    UsageError
        It is not a time.
    """
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([smh]?)", text.strip())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if seconds <= 0:
        raise UsageError(f"{what} {json.dumps(text)} is not a time", hint="90s, 10m or 2h")
    return seconds


class Work:
    """A verb that runs in a thread of its own, and can be stopped."""

    def __init__(self, verb: str, options: tuple[tuple[str, object], ...], seconds: float) -> None:
        self.document: Json | None = None
        self.error: BaseException | None = None
        #: The last progress: what goes on, and the finished part of it.
        self.phase = ""
        self._verb, self._options, self._seconds = verb, options, seconds
        self._stop = threading.Event()
        self._end = 0.0
        # The process can end while it runs.
        self._thread = threading.Thread(target=self._work, name=f"planex {verb}", daemon=True)

    def start(self) -> None:
        self._end = time.monotonic() + self._seconds
        self._thread.start()

    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        """It ends at its next progress, with what it starts."""
        self._stop.set()

    def _progress(self, engine: str, phase: str, done: float) -> None:
        if self._stop.is_set():
            raise CancelledError("the client cancelled it")
        if time.monotonic() > self._end:
            raise CancelledError(
                f"it took longer than {self._seconds:g} s, and was stopped",
                hint="ask for less, or start the server with a longer --max-budget",
            )
        self.phase = f"{phase}: {done:.0%}" if done > 0 else phase

    def _work(self) -> None:
        try:
            told = _run.document(self._verb, self._options, self._progress)
            self.document = told.to_dict()
        except BaseException as error:
            self.error = error


class Runs:
    """What clients run, one after the other: two at once would disturb each other's times."""

    def __init__(self, folders: Folders, max_budget: str) -> None:
        self._folders = folders
        self._max_budget = max_budget
        self._max_seconds = seconds_of(max_budget, "--max-budget")
        self._turn = anyio.Lock()
        self._kept: OrderedDict[str, tuple[Json, Json]] = OrderedDict()
        is_short = self._max_seconds < seconds_of(_BUDGET, "budget")
        budget = {"budget": max_budget if is_short else _BUDGET}
        self.verbs = {name: Verb(name, **(budget if name == "optimize" else {})) for name in VERBS}

    def _seconds(self, given: Mapping[str, Any]) -> float:
        """How long it can take. Errors: a budget that is longer than the server's."""
        if "budget" not in given:
            return self._max_seconds
        seconds = seconds_of(str(given["budget"]), "budget")
        if seconds > self._max_seconds:
            raise UsageError(
                f"budget {given['budget']} is longer than {self._max_budget}, which this server "
                "allows",
                hint="the same call again goes on from what the output folder contains",
            )
        return 2 * seconds + _FINISH_SECONDS

    def _in_folders(self, verb: Verb, given: Json) -> tuple[Json, dict[str, str]]:
        """The arguments with whole paths, and those among them that are written."""
        roles = verb.files(given)
        placed, inputs, outputs = dict(given), [], {}
        for name, role in roles.items():
            if role == "reads-words":
                placed[name] = [self._word(word) for word in given[name]]
                inputs += [word[1:] for word in placed[name] if word.startswith("@")]
            elif role.startswith("reads"):
                placed[name] = self._folders.input(given[name])
                inputs.append(placed[name])
        for name, role in roles.items():
            if not role.startswith("reads"):
                also = verb.arguments[name]["also"]
                placed[name] = self._folders.output(given[name], inputs, also)
                outputs[name] = self._folders.shown(placed[name])
        return placed, outputs

    def _word(self, word: str) -> str:
        """A word, or a file of words."""
        return "@" + self._folders.input(word[1:]) if word.startswith("@") else word

    async def run(self, verb: Verb, given: Json, tell: Tell, about: About) -> Json:
        """The answer of a verb.

        Raises
        ------
        PlanexError
            Those of the verb, and of paths and times that a client can't choose.
        """
        where = given.pop("cursor", None)
        given = {name: value for name, value in given.items() if value is not None}
        asked = _pages.question(verb.name, sorted(given.items()))
        if where is not None:
            return self._page(asked, where)
        seconds = self._seconds(given)
        placed, outputs = self._in_folders(verb, given)
        async with self._turn:
            document = await self._document(Work(verb.name, verb.options(placed), seconds), tell)
        document = _pages.plain(document)
        page, more = _pages.fitted(document, asked)
        head = {
            "schema": "planex.mcp/1",
            "engines": self._engines(verb, placed, about),
            "written": outputs,
            "document_schema": document.get("schema"),
        }
        self._keep(asked, head, document)
        return head | {"units": _pages.units(page, {}), "document": page, "more": more}

    async def _document(self, work: Work, tell: Tell) -> Json:
        begin = told_at = time.monotonic()
        told = ""
        work.start()
        try:
            while work.is_running():
                await anyio.sleep(_LOOK_SECONDS)
                now = time.monotonic()
                if work.phase != told and now - told_at >= _TELL_SECONDS:
                    told, told_at = work.phase, now
                    await tell(now - begin, None, told)
        finally:
            # Also when the client cancels the call, or is gone: nothing of it runs on.
            work.stop()
            with anyio.CancelScope(shield=True):
                while work.is_running():
                    await anyio.sleep(_LOOK_SECONDS)
        if work.error is not None:
            raise work.error
        assert work.document is not None
        return work.document

    def _engines(self, verb: Verb, placed: Json, about: About) -> list[Json]:
        """The engine that other tools can be asked about next."""
        if verb.name != "optimize":
            return []
        for folder in ("best", "first"):
            place = pathlib.Path(placed["output"], folder)
            with contextlib.suppress(PlanexError):
                name, engine, _ = self._folders.open(self._folders.shown(place))
                return [about(name, engine)]
        return []

    def _keep(self, asked: str, head: Json, document: Json) -> None:
        self._kept[asked] = (head, document)
        self._kept.move_to_end(asked)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def _page(self, asked: str, where: str) -> Json:
        """A page of what was answered before: nothing runs again."""
        if asked not in self._kept:
            raise UsageError(
                "no answer of this call is kept", hint="ask again without a cursor to run it"
            )
        head, document = self._kept[asked]
        page, more = _pages.page_of(document, asked, where)
        return head | {"units": _pages.units(page, {}), "page": page, "more": more}
