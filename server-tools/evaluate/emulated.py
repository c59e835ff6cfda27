"""Cells on emulated links: a lab, a web server and a session in real time for each."""
import contextlib
import itertools
import os
import pathlib
import subprocess
import tempfile

from .lab import ORIGIN, Lab
from .runner import bench_options


class EmulatedWorld:
    """Each run has a lab of its own, so several run at once; what they share is the machine's processors."""

    needs_media = True

    def __init__(self, folder, programs, server):
        self.name = "real" if server == "nginx" else f"real-{server}"
        self.about = f"emulated links and {server}, in real time"
        self.server = server
        self.folder = pathlib.Path(folder)
        self.programs = pathlib.Path(programs)
        self._labs = set()
        self._numbers = itertools.count(1)

    def run(self, plan, outputs):
        with self.lab() as lab:
            lab.up(plan.scenario)
            lab.serve(self.folder / plan.presentation)
            lab.play(plan.scenario)
            session = lab.command("client", self.programs / "tributary-bench", f"http://{ORIGIN}/index.json",
                                  *bench_options(plan.cell), "-q", *outputs)
            with tempfile.TemporaryDirectory() as state:  # nothing is remembered of the links
                return subprocess.run(session, cwd=self.folder, capture_output=True, text=True, env=os.environ | {"XDG_STATE_HOME": state})

    @contextlib.contextmanager
    def lab(self):
        lab = Lab(f"evaluate-{os.getpid()}-{next(self._numbers)}", self.folder, self.programs, self.server)
        self._labs.add(lab)
        try:
            yield lab
        finally:
            lab.close()
            self._labs.discard(lab)

    def speed(self):
        """It is real time."""
        return None

    def end_runs(self):
        """Ends what runs, and its labs: it would take minutes."""
        for lab in list(self._labs):
            lab.close()
