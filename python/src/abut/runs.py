"""Runs of scenes by the command ``abut``, and their recordings as arrays.

The command is a program of its own: it steps without Python's lock, writes recordings that appear whole or not at all, and keeps HDF5 out of the wheel.
Modules that only runs need are imported by them, so that importing abut stays fast.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Callable, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import ArgumentError, Error, Status
from .scenes import Scene

Floats = NDArray[np.float64]
PathLike = Union[str, "os.PathLike[str]"]
Progress = Union[bool, None, Callable[[float], Any]]


class CommandMissingError(Error, FileNotFoundError):
    """The command ``abut`` was not found."""

    def __str__(self) -> str:
        return str(self.args[0])


def find_command(command: PathLike | None = None) -> str:
    """The path of the command ``abut``: the argument, or else the environment variable ABUT_COMMAND, or else what PATH has."""
    import shutil

    wanted = os.fspath(command) if command is not None else os.environ.get("ABUT_COMMAND") or "abut"
    found = shutil.which(wanted)
    if found is None:
        raise CommandMissingError(Status.FILE, f"the command {wanted!r} was not found. abut.run needs it, and the Python package does not contain it: build "
                                  "and install abut (its README tells how), and have it on PATH, or name it by ABUT_COMMAND or 'command'")
    return str(Path(found).absolute())


def _fail(status: int, text: str) -> Error:
    """The exception of a failed command: 2 is a mistake in the scene."""
    message = text.strip() or f"the command ended with status {status}"
    return ArgumentError(Status.FORMAT, message) if status == 2 else Error(Status.FILE if status > 0 else Status.INTERRUPTED, message)


def check(scene: Scene, *, command: PathLike | None = None) -> str:
    """What ``abut check`` says about a scene."""
    import subprocess

    done = subprocess.run([find_command(command), "check", "-"], input=scene.to_json(), cwd=scene.folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise _fail(done.returncode, done.stderr)
    return done.stdout + done.stderr


class _Bar:
    """Relays the bar that the command draws: on the standard error, or as a fraction to a function. Other text is kept for messages."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._rest = ""
        self.text = ""

    def put(self, chunk: str) -> None:
        pieces = re.split(r"[\r\n]+", self._rest + chunk)
        self._rest = pieces.pop()
        for piece in pieces:
            self._line(piece)

    def end(self) -> None:
        self._line(self._rest)
        if self._progress is True:
            sys.stderr.write("\r" + 79 * " " + "\r")
            sys.stderr.flush()

    def _line(self, line: str) -> None:
        drawn = re.match(r"\[[#.]+\] +(\d+) %", line)
        if drawn is None:
            self.text += line.strip() + "\n" if line.strip() else ""
        elif callable(self._progress):
            self._progress(int(drawn[1]) / 100)
        else:
            sys.stderr.write(f"\r{line.rstrip():<79}")
            sys.stderr.flush()


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules


def _watch(arguments: list[str], scene: Scene, progress: Progress) -> tuple[int, str]:
    """Runs the command. With progress its standard error is a terminal of its own, on which it draws its bar."""
    import signal
    import subprocess
    import tempfile

    end, slave = -1, subprocess.PIPE
    if progress:
        try:
            import pty

            end, slave = pty.openpty()
        except (ImportError, OSError):  # no pseudo-terminals: no bar
            progress = False
    with tempfile.TemporaryFile() as text:
        text.write(scene.to_json().encode())
        text.seek(0)
        environment = {**os.environ, "TERM": "xterm"} if progress else None
        # A session of its own: Ctrl-C comes here first, and is passed on once, so that the recording of the steps so far is finished.
        child = subprocess.Popen(arguments, stdin=text, stdout=subprocess.DEVNULL, stderr=slave, cwd=scene.folder, env=environment, start_new_session=True)
    if progress:
        os.close(slave)
    stopped: KeyboardInterrupt | None = None
    bar = _Bar(progress)
    source = end if progress else child.stderr.fileno() if child.stderr else -1
    while True:
        try:
            chunk = os.read(source, 65536)
            if not chunk:
                break
            bar.put(chunk.decode("utf-8", "replace"))
        except KeyboardInterrupt as interrupt:
            stopped = interrupt
            child.send_signal(signal.SIGINT)
        except OSError:  # how a pseudo-terminal says that nobody writes to it any more
            break
        except BaseException:  # of the caller's function
            child.kill()
            child.wait()
            raise
    status = child.wait()
    bar.end()
    if progress:
        os.close(end)
    elif child.stderr:
        child.stderr.close()
    if stopped is not None:
        raise stopped
    return status, bar.text


def run(scene: Scene | PathLike, out: PathLike | None = None, *, steps: int | None = None, threads: int = 0, every: int = 1, progress: Progress = None,
        command: PathLike | None = None) -> Recording:
    """Run a scene by the command ``abut`` and return its recording.

    ``scene``: a scene or the path of one. ``out``: the recording's file, ``*.h5``; None keeps it in a temporary folder as long as the result lives. ``steps``:
    instead of the scene's own number. ``every``: poses and contacts of every n-th step only. ``progress``: True draws a bar, a function gets the fraction that
    is done, None draws on terminals and in notebooks. Ctrl-C finishes the file ``out`` with the steps made so far, and raises KeyboardInterrupt.
    Mistakes in the scene are an ``ArgumentError`` with their place; a missing command is a ``CommandMissingError``. Reading needs h5py (``abut[scene]``).
    """
    import shutil
    import tempfile
    import weakref

    found = find_command(command)
    given = scene if isinstance(scene, Scene) else Scene.load(scene)
    if (steps is not None and steps < 1) or every < 1 or threads < 0:
        raise ValueError("steps and every: at least 1 is expected; threads: at least 0")
    _h5py()
    if progress is None:
        progress = sys.stderr.isatty() or _in_notebook()
    kept = tempfile.mkdtemp(prefix="abut") if out is None else None
    path = Path(os.path.join(kept, "run.h5") if kept else os.fspath(out or "")).absolute()
    arguments = [found, "run", "-", "--output", str(path), "--every", str(every)]
    arguments += ["--steps", str(steps)] if steps is not None else []
    arguments += ["--threads", str(threads)] if threads else []
    try:
        status, text = _watch(arguments + ([] if progress else ["--quiet"]), given, progress)
        if status != 0:
            raise _fail(status, text)
        recording = Recording(path, command=found)
    except BaseException:
        if kept:
            shutil.rmtree(kept, ignore_errors=True)
        raise
    if kept:
        weakref.finalize(recording, shutil.rmtree, kept, True)
    return recording


def _h5py() -> Any:
    try:
        import h5py  # type: ignore[import-untyped, unused-ignore]
    except ImportError as missing:
        raise ImportError('recordings are HDF5 files, which h5py reads: pip install "abut[scene]"') from missing
    return h5py


class RecordedContacts:
    """The contacts of one frame: arrays with a row for each contact, world frame."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns
        self.a: NDArray[np.int32] = columns["a"]
        self.b: NDArray[np.int32] = columns["b"]
        self.on_a: Floats = columns["on_a"]
        self.on_b: Floats = columns["on_b"]
        self.normal: Floats = columns["normal"]
        self.gap: Floats = columns["gap"]
        self.normal_force: Floats = columns["normal_force"]
        self.friction_force: Floats = columns["friction_force"]

    def __len__(self) -> int:
        return len(self.gap)

    def __getitem__(self, name: str) -> NDArray[Any]:
        column: NDArray[Any] = self._columns[name]
        return column


class Recording:
    """What happened in a run, as arrays. A frame is a recorded step; a row of ``steps`` is any step.

    ``docs/formats/recording.md`` explains every number. Arrays are read when they are asked for, and kept.
    """

    def __init__(self, path: PathLike, *, command: PathLike | None = None) -> None:
        self.path = Path(path).absolute()
        self._command = command
        self._read: dict[str, Any] = {}
        with _h5py().File(self.path, "r") as file:
            if file.attrs.get("format") not in ("abut recording", b"abut recording"):
                raise ArgumentError(Status.FORMAT, f"{self.path} is no recording of abut")
            if int(file.attrs["format_version"]) != 1:
                raise ArgumentError(Status.FORMAT, f"{self.path} has format version {file.attrs['format_version']}; this reader knows 1")
            self.complete = bool(file.attrs["complete"])
            """False: the run was interrupted."""
            self.dt = float(file.attrs["dt"])
            """Length of a step."""
            text = file["scene"][()]
            self._scene = text.decode() if isinstance(text, bytes) else str(text)

    def _array(self, name: str) -> Any:
        if name not in self._read:
            with _h5py().File(self.path, "r") as file:
                if name not in file:
                    raise KeyError(f"{self.path} has no {name!r}")
                self._read[name] = file[name][()]
        return self._read[name]

    def _has(self, group: str) -> bool:
        with _h5py().File(self.path, "r") as file:
            return group in file

    def __len__(self) -> int:
        return len(self._array("frames/step"))

    @property
    def scene(self) -> Scene:
        """The scene that was run. Mesh files are searched in the current folder."""
        import json

        return Scene.from_dict(json.loads(self._scene))

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies, in the order of all arrays of bodies."""
        return [name.decode() for name in self._array("bodies/name")]

    def body(self, name: str) -> int:
        """The column of a body by its name."""
        return self.bodies.index(name)

    @property
    def masses(self) -> Floats:
        """Masses (bodies,); 0 for static and kinematic bodies."""
        return self._array("bodies/mass")  # type: ignore[no-any-return]

    @property
    def times(self) -> Floats:
        """Times of the frames (frames,)."""
        return self._array("frames/time")  # type: ignore[no-any-return]

    @property
    def frame_steps(self) -> NDArray[np.int64]:
        """The row of ``steps`` of each frame (frames,)."""
        return self._array("frames/step")  # type: ignore[no-any-return]

    @property
    def poses(self) -> Floats:
        """Poses of the shapes' frames (frames, bodies, 7); NaN once a body is removed."""
        return self._array("frames/pose")  # type: ignore[no-any-return]

    @property
    def velocities(self) -> Floats:
        """Velocity of the centre of mass, then angular velocity (frames, bodies, 6)."""
        return self._array("frames/velocity")  # type: ignore[no-any-return]

    @property
    def steps(self) -> dict[str, NDArray[Any]]:
        """The figures of every step by their names: time, contacts, max_penetration, kinetic_energy, potential_energy, seconds_total ..."""
        with _h5py().File(self.path, "r") as file:
            names = list(file["steps"])
        return {name: self._array(f"steps/{name}") for name in names}

    @property
    def energies(self) -> dict[str, Floats]:
        """Kinetic, potential, spring and total energy after every step. The total is without what contacts and joints hold."""
        parts = {name: self._array(f"steps/{name}_energy") for name in ("kinetic", "potential", "spring")}
        return {**parts, "total": sum(parts.values())}

    @property
    def series(self) -> dict[str, Floats]:
        """The time series of inlets, outlets, servos and measures by their names (steps,), such as ``series["hopper.mass"]``; empty for a scene without any."""
        if not self._has("series"):
            return {}
        return {name.decode(): column for name, column in zip(self._array("series/name"), self._array("series/value").T)}

    def contacts(self, frame: int) -> RecordedContacts:
        """The contacts of the step that led to a frame, with their forces; ``a`` and ``b`` are columns of bodies. -1 is the last frame."""
        first, count = int(self._array("frames/contact_first")[frame]), int(self._array("frames/contact_count")[frame])
        with _h5py().File(self.path, "r") as file:
            return RecordedContacts({name: data[first : first + count] for name, data in file["contacts"].items()})

    def vertices(self, body: str | int, frame: int = -1) -> Floats:
        """Vertices (n, 3) of a body that deforms, such as an elastic cell, in a frame: in the frame of its shape, which ``poses`` places. A KeyError tells that
        the body does not deform, or has not yet."""
        column = self.body(body) if isinstance(body, str) else range(len(self.bodies))[body]
        last = range(len(self))[frame]
        if self._has("deformed"):
            rows = np.flatnonzero((self._array("deformed/body") == column) & (self._array("deformed/frame") <= last))
            if len(rows) > 0:
                first = self._array("deformed/vertex_first")
                end = first[rows[-1] + 1] if rows[-1] + 1 < len(first) else len(self._array("deformed/vertices"))
                return self._array("deformed/vertices")[first[rows[-1]] : end]  # type: ignore[no-any-return]
        raise KeyError(f"{self.path}: body {body!r} has not deformed until frame {last}")

    @property
    def joints(self) -> dict[str, NDArray[Any]]:
        """The joints: ``kind``, ``a``, ``b``, limits and motors (joints,), and by frame their ``state``, ``coordinate``, ``error`` and ``load``. Empty for a
        scene without joints."""
        if not self._has("joints"):
            return {}
        with _h5py().File(self.path, "r") as file:
            names = list(file["joints"])
        moving = {name: self._array(f"frames/joint_{name}") for name in ("state", "coordinate", "error", "load")}
        return {**{name: self._array(f"joints/{name}") for name in names}, **moving}

    @property
    def events(self) -> dict[str, NDArray[Any]]:
        """The events of all steps: step, kind, a, b, joint, point, normal, gap, impulse, speed."""
        with _h5py().File(self.path, "r") as file:
            names = list(file["events"]) if "events" in file else []
        return {name: self._array(f"events/{name}") for name in names}

    def page(self, out: PathLike, *, every: int = 1, contacts: bool = True) -> Path:
        """Write the page that replays the recording in a web browser: one HTML file."""
        import subprocess

        arguments = [find_command(self._command), "view", str(self.path), "--output", str(Path(out).absolute()), "--every", str(every)]
        done = subprocess.run(arguments + ([] if contacts else ["--no-contacts"]), capture_output=True, text=True)
        if done.returncode != 0:
            raise _fail(done.returncode, done.stderr)
        return Path(out).absolute()

    def show(self, *, height: int = 600, every: int = 1) -> Page:
        """The replay page, for a notebook: the last expression of a cell shows it."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="abut") as folder:
            return Page(self.page(Path(folder, "page.html"), every=every).read_text(encoding="utf-8"), height)

    def __repr__(self) -> str:
        return f"<abut.Recording {self.path.name}: {len(self)} frames, {len(self.bodies)} bodies, {self.times[-1]:g} s>"


class Page:
    """A replay page in a notebook. It holds the whole page, so that the notebook needs no other file."""

    def __init__(self, html: str, height: int = 600) -> None:
        self.html = html
        self.height = int(height)

    def _repr_html_(self) -> str:
        import html

        return f'<iframe srcdoc="{html.escape(self.html, quote=True)}" width="100%" height="{self.height}" frameborder="0" allowfullscreen></iframe>'


def show(what: Recording | Scene | PathLike, *, height: int = 600, every: int = 1) -> Page:
    """Show a recording in a notebook; a scene is run first; a path is that of a recording."""
    if isinstance(what, Scene):
        what = run(what)
    return (what if isinstance(what, Recording) else Recording(what)).show(height=height, every=every)


__all__ = ["CommandMissingError", "Page", "RecordedContacts", "Recording", "find_command", "run", "show"]
