"""Cells on modelled links, in virtual time."""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import threading


class VirtualWorld:
    """A process for each thread does one run after the other: its start would take longer than some runs."""

    name = "virtual"
    about = "modelled links, in virtual time"
    needs_media = False

    def __init__(self, folder, programs):
        self.folder = folder
        self.programs = pathlib.Path(programs)
        self._of_thread = threading.local()
        self._benches = []

    def run(self, plan, outputs):
        bench = getattr(self._of_thread, "bench", None)
        if bench is None or bench.ended:
            bench = self._of_thread.bench = Bench(self.programs / "tributary-bench", self.folder)
            self._benches.append(bench)
        return bench.run([*plan.words, "-q", *outputs])

    def end_runs(self):
        """What runs now comes to its end: that is a moment."""
        for bench in self._benches:
            bench.close()

    def speed(self):
        """How many seconds of virtual time went by in a second of processor time, once the runs have ended. Nothing if
        there were none."""
        virtual_s, cpu_s = (sum(getattr(bench, name) for bench in self._benches) for name in ("virtual_s", "cpu_s"))
        return virtual_s / cpu_s if cpu_s else None


class Bench:
    """tributary-bench --batch."""

    def __init__(self, program, folder):
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen([program, "--batch"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=self._errors, text=True)
        self._ending = threading.Lock()
        self.ended = False
        self.virtual_s = 0.0
        self.cpu_s = 0.0  # of the whole process, when it has ended

    def run(self, words):
        errors_before = os.fstat(self._errors.fileno()).st_size
        with contextlib.suppress(BrokenPipeError):  # it gives no answer then
            print(json.dumps(words), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if answer:
            end = json.loads(answer)
            self.virtual_s += end["length_s"]
            status = end["exit_status"]
        else:
            status = self.close() or 1
        errors = os.pread(self._errors.fileno(), 1 << 16, errors_before).decode(errors="replace")
        return subprocess.CompletedProcess(words, status, stderr=errors)

    def close(self):
        """Waits for the end. Returns the exit status."""
        with self._ending:
            if not self.ended:
                self.ended = True
                with contextlib.suppress(BrokenPipeError):
                    self._process.stdin.close()
                _, status, usage = os.wait4(self._process.pid, 0)
                self._process.returncode = os.waitstatus_to_exitcode(status)
                self.cpu_s = usage.ru_utime + usage.ru_stime
            return self._process.returncode
