"""Signals that end the command: no temporary file is left, earlier results stay, the exit status is 128 + signal."""

import os
import pathlib
import pty
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import demo
from demo import abut_well, fresh_folder

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heed_signals():
    """For a child process: the signals end it, even if this process was started with them ignored."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def hidden(folder):
    return [path for path in folder.iterdir() if path.name.startswith(".")]


def has_open(process, name):
    """Whether the process has opened a file of that name."""
    for descriptor in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            if os.readlink(descriptor).endswith(name):
                return True
        except OSError:  # closed in the meantime
            pass
    return False


def start(folder, *arguments, **options):
    return subprocess.Popen([demo.COMMAND, *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=heed_signals, **options)


class Interruption(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = fresh_folder("interruption")
        demo.write_scene(cls.folder / "long.json", {**demo.SCENE, "duration": 150, "stepper": {"kind": "fixed", "sleeping": False}})
        abut_well("run", cls.folder / "long.json", "-o", cls.folder / "long.h5", "-q")
        corners = "0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n"
        (cls.folder / "pairs.csv").write_text(30000 * corners)
        (cls.folder / "template.html").write_text("<!--abut:runs-->\n")

    def interrupt(self, number, arguments, output):
        """Sends the signal while a temporary file exists. Returns stderr, or None if the command was faster."""
        target = self.folder / output
        target.write_text("old")
        before = sorted(os.listdir(self.folder))
        process = start(self.folder, *arguments)
        while process.poll() is None and not hidden(self.folder):
            pass
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        if process.returncode == 0:
            return None
        self.assertEqual(process.returncode, 128 + number, errors)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual(target.read_text(), "old")
        return errors

    def check(self, arguments, output, signals=SIGNALS):
        for number in signals:
            with self.subTest(number):
                for _ in range(10):
                    errors = self.interrupt(number, arguments, output)
                    if errors is not None:
                        break
                self.assertEqual(errors, f"abut {arguments[0]}: interrupted; '{output}' was not written\n")

    def test_export_of_data_sets(self):
        self.check(["export", "long.h5", "old.vtkhdf"], "old.vtkhdf")

    def test_export_of_a_table(self):
        self.check(["export", "long.h5", "old.csv", "--table", "bodies"], "old.csv")

    def test_depth_of_pairs(self):
        self.check(["depth", "--pairs", "pairs.csv", "-o", "depths.csv"], "depths.csv", [signal.SIGINT])

    def test_view(self):
        """The page is written in one short operation at the end; before that there is nothing to remove."""
        (self.folder / "page.html").write_text("old")
        before = sorted(os.listdir(self.folder))
        for number in SIGNALS:
            process = start(self.folder, "view", "long.h5", "-o", "page.html", "--template", "template.html")
            while process.poll() is None and not has_open(process, "long.h5"):
                pass
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number)
            self.assertRegex(errors, r"\Aabut view: interrupted(; 'page.html' was not written)?\n\Z")
            self.assertEqual(sorted(os.listdir(self.folder)), before)
            self.assertEqual((self.folder / "page.html").read_text(), "old")

    def test_a_second_signal_ends_a_run_at_once(self):
        """The first signal takes effect between two steps. A checkpoint or a long step may take longer than the user wants to wait."""
        folder = fresh_folder("second")
        demo.write_scene(folder / "endless.json", {**demo.SCENE, "duration": 1e7, "stepper": {"kind": "fixed", "sleeping": False}})
        (folder / "endless.h5").write_text("old")
        process = start(folder, "run", "endless.json", "-q")
        while not any(path.stat().st_size > 50000 for path in hidden(folder)):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
            process.send_signal(number)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (128 + signal.SIGINT, 128 + signal.SIGTERM))
        self.assertEqual(hidden(folder), [])
        self.assertEqual((folder / "endless.h5").read_text(), "old")

    def test_ignored_signals_stay_ignored(self):
        process = subprocess.Popen([demo.COMMAND, "export", "long.h5", "kept.vtkhdf"], cwd=self.folder,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while process.poll() is None and not hidden(self.folder):
            pass
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(60), 0)
        for path in self.folder.glob("kept*"):
            path.unlink()


class Terminal(unittest.TestCase):
    """The output on a terminal: a bar without escape codes, and nothing on a dumb terminal."""

    def drawn(self, **variables):
        folder = fresh_folder("terminal")
        demo.write_scene(folder / "long.json", {**demo.SCENE, "duration": 1e7, "stepper": {"kind": "fixed", "sleeping": False}})
        try:
            leader, follower = pty.openpty()
        except OSError as error:  # a container without /dev/pts
            self.skipTest(f"no terminal to be had: {error}")
        environment = {**{name: value for name, value in os.environ.items() if name not in ("TERM", "NO_COLOR")}, **variables}
        process = subprocess.Popen([demo.COMMAND, "run", "long.json"], cwd=folder, stdout=subprocess.DEVNULL, stderr=follower,
                                   preexec_fn=heed_signals, env=environment)
        os.close(follower)
        while not any(path.stat().st_size > 50000 for path in hidden(folder)):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        time.sleep(0.5)  # several redraws
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        shown = b""
        try:
            while part := os.read(leader, 4096):
                shown += part
        except OSError:  # the other end is closed
            pass
        os.close(leader)
        return shown

    def test_no_escape_codes(self):
        for variables in ({"TERM": "xterm-256color"}, {"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "xterm", "NO_COLOR": ""}, {}):
            with self.subTest(variables):
                shown = self.drawn(**variables)
                self.assertRegex(shown, rb"\r\[[#.]+\] +\d+ %")
                self.assertNotIn(b"\x1b", shown)
                self.assertLessEqual(max(map(len, shown.split(b"\r"))), 80 + len(b"abut run: interrupted after"))

    def test_a_dumb_terminal_gets_lines_only(self):
        shown = self.drawn(TERM="dumb")
        self.assertNotIn(b"\x1b", shown)
        self.assertRegex(shown, rb"\Aabut run: interrupted after \d+ of \d+ steps; .*\r\n\Z")


if __name__ == "__main__":
    unittest.main(verbosity=2)
