"""Progress in a notebook, or on a terminal; nothing elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

from planex._html import escape

# Faster changes can't be read, and a notebook keeps every message.
_SECONDS = 0.2


class Line:
    """One line that is rewritten repeatedly."""

    def __init__(self) -> None:
        self._phase: str | None = None
        self._next = 0.0
        self._start = time.monotonic()
        self._display = None
        # IPython in a terminal has no kernel.
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if getattr(shell, "kernel", None) is not None:
            from IPython.display import display

            self._display = display({"text/plain": "…"}, raw=True, display_id=True)

    def show(self, phase: str, done: float, detail: str = "") -> None:
        """`done` is from 0 to 1. A new phase is shown at once; within a phase, some steps are
        skipped."""
        now = time.monotonic()
        if phase == self._phase and now < self._next:
            return
        self._phase, self._next = phase, now + _SECONDS
        words = f"{phase} {detail}".rstrip()
        plain = f"{words} {done:.0%}" if done > 0 else words
        if self._display is not None:
            bar = f' <progress max="1" value="{done:.2f}"></progress>' if done > 0 else ""
            self._display.update({"text/plain": plain, "text/html": escape(words) + bar}, raw=True)
        elif sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{plain}")
            sys.stderr.flush()

    def end(self, text: str) -> None:
        """The final message; a terminal gets its line back."""
        if self._display is not None:
            plain = f"{text}, {time.monotonic() - self._start:.1f} s"
            self._display.update({"text/plain": plain, "text/html": escape(plain)}, raw=True)
        elif self._phase is not None and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")


@contextlib.contextmanager
def line(about: str) -> Iterator[Line]:
    """A line about something that takes time, and its outcome."""
    shown = Line()
    try:
        yield shown
    except BaseException:
        shown.end(f"{about}: stopped")
        raise
    shown.end(f"{about}: done")
