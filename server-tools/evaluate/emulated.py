"""Cells on emulated links: a lab, nginx and a session in real time for each."""
import itertools
import os
import pathlib
import shutil
import subprocess

from .runner import bench_options

ORIGIN = "198.51.100.1"
SERVE = pathlib.Path(__file__).parent.parent / "origin" / "serve"


class EmulatedWorld:
    """Each run has a lab of its own, so several run at once; what they share is the machine's processors."""

    name = "real"
    needs_media = True

    def __init__(self, folder, programs):
        self.folder = pathlib.Path(folder)
        self.programs = pathlib.Path(programs)
        self._labs = set()
        self._numbers = itertools.count(1)

    def run(self, plan, outputs):
        lab = f"evaluate-{os.getpid()}-{next(self._numbers)}"
        state = self.folder / "servers" / lab
        self._labs.add(lab)
        try:
            for step in self._preparation(plan, lab, state):
                done = subprocess.run(step, cwd=self.folder, capture_output=True, text=True)
                if done.returncode != 0:
                    return done
            session = self._in_lab(lab, "client", self.programs / "tributary-bench", f"http://{ORIGIN}/index.json",
                                   *bench_options(plan.cell), "-q", *outputs)
            return subprocess.run(session, cwd=self.folder, capture_output=True, text=True)
        finally:
            self._end(lab)

    def end_runs(self):
        """Ends the sessions that run, and their labs: they would take minutes."""
        for lab in list(self._labs):
            self._end(lab)

    def _preparation(self, plan, lab, state):
        content = self.folder / plan.presentation
        yield self._netlab("up", lab, plan.scenario)
        yield self._in_lab(lab, "server", SERVE, "nginx", content, "--port", "80", "--state", state)
        yield self._netlab("play", lab, plan.scenario, "--detach")

    def _end(self, lab):
        state = self.folder / "servers" / lab
        for step in ([SERVE, "stop", "--state", state], self._netlab("down", lab)):
            subprocess.run(step, capture_output=True)
        shutil.rmtree(state, ignore_errors=True)
        self._labs.discard(lab)

    def _netlab(self, *words):
        return [self.programs / "tributary-netlab", *words]

    def _in_lab(self, lab, side, *words):
        return self._netlab("exec", lab, side, "--", *words)
