"""The abut command that the measuring scripts run, and how they fail."""

import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Failure(Exception):
    """One line that describes the failure."""


def find_command(given):
    """The command named by --abut, else that of build/release, else the one in PATH."""
    built = ROOT / "build" / "release" / "abut"
    command = given or (str(built) if built.exists() else shutil.which("abut"))
    if not command or not shutil.which(command):
        raise Failure("no abut command: run `make run` once, or name it with --abut")
    return command
