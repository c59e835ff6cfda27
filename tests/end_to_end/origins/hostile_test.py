#!/usr/bin/env python3
"""An origin that states large files, or sends without an end, gets little memory of any program, and the user is told.

Usage: hostile_test.py BIN_DIR SOURCE_DIR. Memory is the peak of a process (ru_maxrss), less that of the same program with
an origin that does all this right.
"""
import concurrent.futures
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

from hostile_origin import ATTACKS, HostileOrigin

BIN = pathlib.Path(sys.argv[1]).resolve()
ENDS_WITHIN = 5  # seconds; who still waits by then is told to end
MOST = 120_000_000


class Run:
    """A program up to its end, or for some seconds."""

    def __init__(self, *arguments, folder):
        self.text = tempfile.TemporaryFile("w+", dir=folder)
        self.process = subprocess.Popen([str(argument) for argument in arguments], stdout=self.text, stderr=self.text, cwd=folder,
                                        env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=1", "XDG_STATE_HOME": str(folder)})
        self.ender = threading.Timer(ENDS_WITHIN, self.end)
        self.ender.start()

    def end(self):
        """Popen.send_signal() would take the exit status, and with it what wait() tells."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGINT)

    def wait(self):
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.ender.cancel()
        self.text.seek(0)
        self.said = self.text.read()
        self.text.close()
        self.peak = usage.ru_maxrss * 1024
        return self


def bench(folder, origin, attack):
    return Run(BIN / "tributary-bench", "-q", "--link", "lo", origin.url(attack, "film.m3u8"), folder=folder).wait()


def film(folder, origin, attack):
    return Run(BIN / "tributary-get", "-q", "--link", "lo", "--overwrite", "--remux", "-o", folder / "film.mp4",
               origin.url(attack, "film.m3u8"), folder=folder).wait()


def file(folder, origin, attack):
    return Run(BIN / "tributary-get", "-q", "--link", "lo", "-o", "/dev/null", origin.url(attack, "file.bin"), folder=folder).wait()


def check(folder, origin, attack):
    return Run(BIN / "tributary-links", "--link", "lo", "--check", origin.url(attack, "file.bin"), folder=folder).wait()


def proxy(folder, origin, attack):
    """A player asks for segments, and for a part of one as if it were a film; then it takes nothing more."""
    run = Run(BIN / "tributary-proxy", "--link", "lo", origin.url(attack, "film.m3u8"), folder=folder)
    with contextlib.suppress(OSError, ValueError):
        local = address_in(run, origin)
        with urllib.request.urlopen(local) as playlist:
            playlist.read()
        with concurrent.futures.ThreadPoolExecutor() as players:
            players.map(lambda asked: take_some(local.rsplit("/", 1)[0], *asked),
                        [("0.ts", {}), ("1.ts", {}), ("5.ts", {"Range": "bytes=1000-150000"})])
    run.end()
    return run.wait()


def take_some(folder, name, fields):
    with contextlib.suppress(OSError):
        with urllib.request.urlopen(urllib.request.Request(f"{folder}/{name}", headers=fields), timeout=3) as answer:
            answer.read(100)
            time.sleep(2)  # in which an origin without bounds sends hundreds of megabytes


def address_in(run, origin):
    """Waits until the proxy says where the title is."""
    while os.waitid(os.P_PID, run.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        with open(f"/proc/self/fd/{run.text.fileno()}") as said:
            for word in said.read().split():
                if word.startswith("http://") and word.endswith("/film.m3u8") and not word.startswith(origin.url("", "")[:-2]):
                    return word
        time.sleep(.05)
    raise ValueError("the proxy has ended")


class HostileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="hostile ")))
        cls.origin = cls.enterClassContext(HostileOrigin())

    def check_all(self, program, attacks=tuple(ATTACKS)):
        """All at the same time: most of them wait."""
        def run_one(attack):
            folder = self.folder / f"{program.__name__} {attack}"
            folder.mkdir()
            return program(folder, self.origin, attack)
        with concurrent.futures.ThreadPoolExecutor(len(attacks) + 1) as together:
            usual, *runs = together.map(run_one, ("plain", *attacks))
        usual = usual.peak
        for attack, run in zip(attacks, runs):
            with self.subTest(program=program.__name__, attack=attack):
                print(f"{program.__name__:6} {attack:10} {run.peak // 1_000_000:4} MB, usually {usual // 1_000_000}: "
                      f"{run.said.strip()[-160:]!r}", file=sys.stderr)
                self.assertLess(run.peak - usual, MOST, run.said)

    def test_bench(self):
        self.check_all(bench)

    def test_film(self):
        self.check_all(film)

    def test_file(self):
        self.check_all(file)

    def test_check(self):
        self.check_all(check)

    def test_proxy(self):
        self.check_all(proxy)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
