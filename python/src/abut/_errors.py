"""Exceptions: one for each way in which a call of the library can fail."""

from __future__ import annotations

import enum

from . import _core

class Status(enum.IntEnum):
    """The outcomes of a call of the library."""

    OK = 0
    """Success."""
    INVALID_ARGUMENT = 1
    """An argument is outside its documented range."""
    NOT_FINITE = 2
    """A number is infinite or not a number."""
    OUT_OF_MEMORY = 3
    """The allocator returned no memory."""
    CAPACITY = 4
    """The buffer is too small; the needed size was reported."""
    UNSUPPORTED_PAIR = 5
    """No contact generator exists for this pair of shapes."""
    UNSUPPORTED = 6
    """This build of the library lacks the requested part."""
    DEGENERATE = 7
    """The points span no volume."""
    NOT_CLOSED = 8
    """The surface is not closed: an edge does not have two faces, or adjacent faces have opposite windings."""
    NOT_CONVEX = 9
    """The surface is not convex."""
    NOT_OUTWARD = 10
    """The faces are wound so that their normals point inward."""
    UNBOUNDED = 11
    """The shape is unbounded and has no such quantity."""
    ITERATION_LIMIT = 12
    """The iteration limit was reached before the tolerance."""
    STALE_ID = 13
    """The id names something that was removed or never existed."""
    FILE = 14
    """The file cannot be read or written."""
    FORMAT = 15
    """The contents of the file are malformed."""
    INTERRUPTED = 16
    """Interrupted by the caller."""
    INTERNAL = 17
    """An internal invariant was violated; please report this."""
    INFEASIBLE = 18
    """The conditions contradict each other: there is no solution."""
    INDEFINITE = 19
    """The matrix is not positive semidefinite."""
    DERIVATIVE = 20
    """A function and its derivatives do not agree."""
    NOT_EXTREMAL = 21
    """The search ended where the surfaces do not face each other."""
    FOREIGN = 22
    """The saved state belongs to a world with another definition."""


class Error(Exception):
    """A call of the library failed. ``status`` says how, the text says what was wrong with which argument."""

    status: Status

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = Status(status)

    def __reduce__(self) -> tuple[type[Error], tuple[int, str]]:
        return type(self), (int(self.status), str(self))


class ArgumentError(Error, ValueError):
    """An argument was refused: out of its range, not finite, a surface that is not closed or not convex, a pair without contacts ..."""


class StaleError(Error, KeyError):
    """The id names something that was removed or never existed."""

    def __str__(self) -> str:
        return str(self.args[0])


class OutOfMemoryError(Error, MemoryError):
    """There was no memory."""


_ARGUMENT = {
    "INVALID_ARGUMENT", "NOT_FINITE", "DEGENERATE", "NOT_CLOSED", "NOT_CONVEX", "NOT_OUTWARD", "UNBOUNDED", "UNSUPPORTED_PAIR",
    "INDEFINITE", "DERIVATIVE", "FORMAT", "FOREIGN",
}  # fmt: skip


def make(status: int, message: str) -> Error:
    """The exception of a status; the extension module calls this."""
    name = Status(status).name
    if name in _ARGUMENT:
        return ArgumentError(status, message)
    if name == "STALE_ID":
        return StaleError(status, message)
    if name == "OUT_OF_MEMORY":
        return OutOfMemoryError(status, message)
    return Error(status, message)


_core.set_error(make)
