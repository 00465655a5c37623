"""What went wrong, and where."""

from __future__ import annotations

__all__ = [
    "BadInputError",
    "CancelledError",
    "ExternalToolError",
    "InternalError",
    "IoError",
    "NotFoundError",
    "PlanexError",
    "UnsupportedError",
    "UsageError",
]


class PlanexError(Exception):
    """Base of all errors of planex.

    Attributes
    ----------
    code : str
        The kind, as the command line's documents have it: ``"not-found"``.
    message : str
        One line: what was found, and what was expected.
    file : str or None
        The file it is about.
    json_pointer : str or None
        RFC 6901 pointer into ``file``, where that is JSON.
    byte_offset : int or None
        Offset from the start of ``file``, in bytes.
    context : str or None
        More lines: the affected layer, a tool's own words.
    hint : str or None
        What to do about it.
    """

    code = "internal"

    def __init__(
        self,
        message: str,
        file: str | None = None,
        json_pointer: str | None = None,
        byte_offset: int | None = None,
        context: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, file, json_pointer, byte_offset, context, hint)
        self.message = message
        self.file = file
        self.json_pointer = json_pointer
        self.byte_offset = byte_offset
        self.context = context
        self.hint = hint

    def __str__(self) -> str:
        place = ""
        if self.file:
            place = self.file
            if self.json_pointer:
                place += f" at {self.json_pointer}"
            elif self.byte_offset is not None:
                place += f" at byte {self.byte_offset}"
            place += ": "
        return "\n".join([place + self.message, *filter(None, [self.context, self.hint])])


class UsageError(PlanexError, ValueError):
    """Something that does not exist was requested."""

    code = "usage"


class NotFoundError(PlanexError):
    """A file or folder is missing or can't be opened."""

    code = "not-found"


class BadInputError(PlanexError):
    """A file was read, but its contents are not what was expected."""

    code = "bad-input"


class UnsupportedError(PlanexError):
    """A file is well-formed, but of a kind or version that planex does not read."""

    code = "unsupported"


class ExternalToolError(PlanexError):
    """A program that planex started failed."""

    code = "external-tool"


class IoError(PlanexError):
    """Reading or writing failed halfway."""

    code = "io"


class CancelledError(PlanexError):
    """The user stopped it."""

    code = "cancelled"


class InternalError(PlanexError):
    """A bug in planex, or not enough memory."""

    code = "internal"


# In the order of planex_error_code in planex.h.
_CLASSES: tuple[type[PlanexError], ...] = (
    UsageError,
    NotFoundError,
    BadInputError,
    UnsupportedError,
    ExternalToolError,
    IoError,
    CancelledError,
    InternalError,
)


#: Exit codes of the command line, by the codes of errors (docs/reference/formats.md).
EXIT_CODES = {
    "usage": 2,
    "not-found": 3,
    "bad-input": 3,
    "unsupported": 3,
    "io": 3,
    "external-tool": 4,
    "cancelled": 130,
    "internal": 70,
}


def from_core(
    code: int,
    message: str,
    file: str,
    json_pointer: str,
    byte_offset: int,
    context: str,
    hint: str,
) -> PlanexError:
    """The exception for an error of the core, which alone calls this."""
    return _CLASSES[code](
        message,
        file or None,
        json_pointer or None,
        byte_offset if byte_offset >= 0 else None,
        context or None,
        hint or None,
    )
