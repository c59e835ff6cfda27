"""Downloads of one object by several programs over the same emulated links."""
import concurrent.futures
import contextlib
import csv
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import threading
import time

from .cells import steady_links
from .lab import SERVER_TOOLS
from .runner import CellFailed, make_folder, series_base
from .tools import GOT, MPTCPIZE, TOOLS

MULTIHOME = SERVER_TOOLS / "netlab" / "multihome"
PAYLOAD = 1448 / 1514  # what TCP carries of a full frame
SAMPLES = 0.5  # s, between two of a series
PATIENCE = 20  # times what the object takes at the sum of the rates


class DownloadPlan:
    """A cell with its object on disk, and the row that it will be."""

    def __init__(self, cell, content, world, version):
        self.cell = cell
        self.links = steady_links(cell.scenario)
        self.bytes = int(self._possible(cell.seconds) * PAYLOAD / 8)
        # One link alone would take many times as long for all: it has the part that it has the same time for.
        self.part = int(self.links[cell.link].brings(cell.seconds) * PAYLOAD / 8) if cell.link else self.bytes
        self.content = content.object(self.bytes)
        self.server = world.server
        self.tool = TOOLS[cell.tool]
        self.words = [word.format(link=cell.link, links=",".join(self.links), count=len(self.links), last=self.part - 1)
                      for word in self.tool.words]
        self.program = next(word for word in self.words if word not in MPTCPIZE)
        self.command = self._command()
        self.labels = {"experiment": cell.experiment, "cell": cell.name, "setup": cell.setup, "seed": str(cell.seed),
                       "world": world.name, "version": version, "command": self.command}

    def _any_joins(self):
        return any(link.joins for link in self.links.values())

    def _possible(self, seconds):
        """Bits that all links can bring in this time."""
        return sum(link.brings(seconds) for link in self.links.values())

    def _command(self):
        """The steps of row() below, as one would type them."""
        steps = [["tributary-netlab", "up", "lab", self.cell.scenario]]
        inside = [(side, ["multihome", side, *self.tool.network]) for side in ("server", "client")]
        inside += [("server", [*self.tool.through, "serve", self.server, str(self.content), "--port", "80"])]
        steps += [["tributary-netlab", "exec", "lab", side, "--", *words] for side, words in inside]
        steps += [["tributary-netlab", "play", "lab", self.cell.scenario, "--detach"]] if self._any_joins() else []
        steps += [["tributary-netlab", "exec", "lab", "client", "--", *self.words]]
        return " && ".join(map(shlex.join, steps))

    def row(self, world, folder):
        with world.lab() as lab, run_folder(folder, lab.name) as here:
            lab.up(self.cell.scenario)
            for side in ("server", "client"):
                lab.must(side, MULTIHOME, side, *self.tool.network)
            lab.serve(folder / self.content, self.tool.through)
            if self._any_joins():
                lab.play(self.cell.scenario)
            with self._series(lab, world, folder):
                seconds = self._download(lab, here, world.programs)
            self._compare(here / GOT, folder / self.content / "object.bin")
            goodput = 8 * self.part / seconds
            row = {"tool": self.cell.tool, "link": self.cell.link, "program": version_of(self.program, world.programs),
                   "kernel": os.uname().release, "tool_command": shlex.join(self.words), "bytes": str(self.part),
                   "seconds": f"{seconds:.3f}", "goodput_kbit_s": f"{goodput / 1e3:.1f}",
                   "ratio": f"{8 * self.part / (PAYLOAD * self._possible(seconds)):.4f}",
                   "joined_subflows": self._joined_subflows(lab)}
            return row | carried(lab) | self.labels

    def _download(self, lab, here, programs):
        """The seconds from the start of the program to its end."""
        begin = time.monotonic()
        try:
            done = subprocess.run(lab.command("client", *self.words), cwd=here, env=with_programs(programs) | forgetful(here),
                                  capture_output=True, text=True, timeout=30 + PATIENCE * self.cell.seconds)
        except subprocess.TimeoutExpired as error:
            raise CellFailed(f"{self.program} had not ended after {error.timeout:.0f} s") from error
        seconds = time.monotonic() - begin
        if done.returncode != 0:
            raise CellFailed(f"{self.program}: {done.stderr.strip() or f'ended with {done.returncode}'}")
        return seconds

    def _series(self, lab, world, folder):
        """The kept series of the cell, if it keeps one."""
        if not self.cell.keep_series:
            return contextlib.nullcontext()
        return sampled(lab, f"{series_base(folder, world.name, self.cell.experiment, self.cell.name)}-links.csv")

    def _joined_subflows(self, lab):
        """Those of MPTCP, if it was to be used: without them it was not tried on all links."""
        if "mptcp" not in self.tool.network:
            return ""
        joined = joined_subflows(lab)
        if joined < len(self.links) - 1:
            raise CellFailed(f"MPTCP added {joined} subflows to its first on {len(self.links)} links")
        return str(joined)

    def _compare(self, got, wanted):
        with open(wanted, "rb") as file:
            bytes_wanted = file.read(self.part)
        if not got.exists() or got.read_bytes() != bytes_wanted:
            raise CellFailed(f"{self.program} ended well, but its file is not what the server has")


@contextlib.contextmanager
def run_folder(folder, name):
    here = pathlib.Path(folder) / "runs" / name
    here.mkdir(parents=True)
    try:
        yield here
    finally:
        shutil.rmtree(here)


@contextlib.contextmanager
def sampled(lab, path):
    """Meanwhile, what each link brings to the client: a line for each of them and half second, with headers, in the columns
    of tributary-bench's links.csv that a figure needs."""
    make_folder(pathlib.Path(path).parent)
    ended = threading.Event()

    def sample(writer):
        begin, before = time.monotonic(), {}
        while not ended.wait(SAMPLES):
            now = time.monotonic() - begin
            for link in lab.links():
                name, count = link["name"], link["to_client"]["bytes"]
                since, had = before.get(name, (0.0, 0))
                writer.writerow([f"{now:.3f}", name, f"{(count - had) * 8 / 1e3 / (now - since):.1f}"])
                before[name] = now, count

    with open(path, "w", newline="") as file, concurrent.futures.ThreadPoolExecutor(1) as sampler:
        writer = csv.writer(file)
        writer.writerow(["time_s", "link", "goodput_kbit_s"])
        sampling = sampler.submit(sample, writer)
        try:
            yield
        finally:
            ended.set()
            sampling.result()


def forgetful(folder):
    """Programs remember what links could do: not from one run to the next."""
    return {"XDG_STATE_HOME": str(pathlib.Path(folder).resolve())}


def with_programs(programs):
    return dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}")


def joined_subflows(lab):
    """How many the client's kernel added to the first, of all MPTCP connections of the lab."""
    counters = lab.must("client", "nstat", "-asz", "MPTcpExtMPJoinSynAckRx")
    return sum(int(line.split()[1]) for line in counters.splitlines() if line.startswith("MPTcpExt"))


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
