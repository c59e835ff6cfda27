"""A lab for one run: links, and a web server at the other end of them."""
import json
import pathlib
import shutil
import subprocess

from .runner import CellFailed

ORIGIN = "198.51.100.1"
SERVER_TOOLS = pathlib.Path(__file__).resolve().parent.parent
SERVE = SERVER_TOOLS / "origin" / "serve"


class Lab:
    """Steps that fail raise CellFailed. close() ends everything, at any time, and also what never began."""

    def __init__(self, name, folder, programs, server="nginx"):
        self.name = name
        self.folder = folder
        self._programs = programs
        self._server = server
        self._state = folder / "servers" / name

    def up(self, scenario, *options):
        self._must(self._netlab("up", self.name, scenario, *options))

    def play(self, scenario):
        self._must(self._netlab("play", self.name, scenario, "--detach"))

    def serve(self, content, through=()):
        """The folder, by the server. through: a command that runs the command after it."""
        self.must("server", *through, SERVE, self._server, content, "--port", "80", "--state", self._state)

    def must(self, side, *words):
        return self._must(self.command(side, *words))

    def command(self, side, *words):
        return self._netlab("exec", self.name, side, "--", *words)

    def links(self):
        """What each link has carried, as tributary-netlab stats has it."""
        return json.loads(self._must(self._netlab("stats", self.name, "--json")))["links"]

    def close(self):
        for step in ([SERVE, "stop", "--state", self._state], self._netlab("down", self.name)):
            subprocess.run(step, capture_output=True)
        shutil.rmtree(self._state, ignore_errors=True)

    def _netlab(self, *words):
        return [self._programs / "tributary-netlab", *words]

    def _must(self, step):
        done = subprocess.run(step, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise CellFailed(done.stderr.strip() or f"{' '.join(map(str, step))}: ended with {done.returncode}")
        return done.stdout
