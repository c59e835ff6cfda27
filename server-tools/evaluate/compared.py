"""What runs of programs beside each other have in common: a lab for each, and who carried what."""
import contextlib
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from .lab import ORIGIN, SERVER_TOOLS
from .runner import CellFailed
from .tools import TOOLS
from .tunnel import options_of, tunnel

MULTIHOME = SERVER_TOOLS / "netlab" / "multihome"


class ComparedPlan:
    """A cell, and the row that it will be. values: of the places in the tool's words."""

    def __init__(self, cell, world, version, links, values):
        self.cell = cell
        self.links = links
        self.tool = TOOLS[cell.tool]
        self.words = [word.format(link=cell.link, **values) for word in self.tool.words]
        self.command = " && ".join(map(shlex.join, self.steps()))
        self.labels = {"experiment": cell.experiment, "cell": cell.name, "setup": cell.setup, "seed": str(cell.seed),
                       "world": world.name, "version": version, "command": self.command}

    def steps(self):
        """Those of lab() and run(), as one would type them."""
        inside = [(side, ["multihome", side, *self.tool.network]) for side in ("server", "client")]
        inside += [("server", words) for words in self.servers()]
        if self.tool.scheduler:
            inside += [("server", ["tributary-relay", "--key-file", "relay.key", *options_of(self.tool)]),
                       ("client", ["tributary-tunnel", "--key-file", "client.key", *options_of(self.tool), ORIGIN])]
        inside += [("client", self.words)]
        return [["tributary-netlab", "up", "lab", self.cell.scenario, *self.lab_options()],
                *(["tributary-netlab", "exec", "lab", side, "--", *words] for side, words in inside)]

    def lab_options(self):
        return ["--members"] * self.cell.members

    def servers(self):
        """The commands of the programs that the tool asks."""
        return []

    @contextlib.contextmanager
    def lab(self, world, folder):
        """(lab, folder of the run): links, and the tunnel if the tool goes through one."""
        with world.lab() as lab, run_folder(folder, lab.name) as here:
            lab.up(self.cell.scenario, *self.lab_options())
            for side in ("server", "client"):
                lab.must(side, MULTIHOME, side, *self.tool.network)
            through = tunnel(lab, world.programs, here, self.tool, self.links) if self.tool.scheduler else contextlib.nullcontext()
            with through:
                yield lab, here

    def run(self, lab, here, programs, seconds):
        """What the program prints. It may take so many seconds."""
        try:
            done = subprocess.run(lab.command("client", *self.words), cwd=here, env=with_programs(programs) | forgetful(here),
                                  capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise CellFailed(f"{self.words[0]} had not ended after {error.timeout:.0f} s") from error
        if done.returncode != 0:
            raise CellFailed(f"{self.words[0]}: {done.stderr.strip() or f'ended with {done.returncode}'}")
        return done.stdout

    def columns(self, lab, program, programs):
        """Those of any row."""
        return {"tool": self.cell.tool, "link": self.cell.link, "program": version_of(program, programs),
                "kernel": os.uname().release, "tool_command": shlex.join(self.words)} | carried(lab) | self.labels


@contextlib.contextmanager
def run_folder(folder, name):
    here = pathlib.Path(folder) / "runs" / name
    here.mkdir(parents=True)
    try:
        yield here
    finally:
        shutil.rmtree(here)


def forgetful(folder):
    """Programs remember what links could do: not from one run to the next."""
    return {"XDG_STATE_HOME": str(pathlib.Path(folder).resolve())}


def with_programs(programs):
    return dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}")


def carried(lab):
    """Each link's part of all bytes that came to the client, those of headers too."""
    by_link = {link["name"]: link["to_client"]["bytes"] for link in lab.links()}
    row = {}
    for number, (name, count) in enumerate(by_link.items(), 1):
        row |= {f"links_{number}_name": name, f"links_{number}_share": f"{count / sum(by_link.values()):.4f}"}
    return row


@functools.cache
def version_of(program, programs):
    done = subprocess.run([program, "--version"], env=with_programs(programs), capture_output=True, text=True)
    return f"{program} {re.search(r'[0-9]+[.][0-9.]+', done.stdout).group()}"
