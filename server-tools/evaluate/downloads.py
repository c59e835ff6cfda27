"""Downloads of one object by several programs over the same emulated links."""
import concurrent.futures
import contextlib
import csv
import pathlib
import threading
import time

from .cells import steady_links
from .compared import ComparedPlan
from .runner import CellFailed, make_folder, series_base
from .tools import GOT, MPTCPIZE

PAYLOAD = 1448 / 1514  # what TCP carries of a full frame
SAMPLES = 0.5  # s, between two of a series
PATIENCE = 20  # times what the object takes at the sum of the rates


class DownloadPlan(ComparedPlan):
    """A cell with its object on disk, and the row that it will be."""

    def __init__(self, cell, content, world, version):
        links = self._steady = steady_links(cell.scenario)
        self.bytes = int(self._possible(cell.seconds) * PAYLOAD / 8)
        # One link alone would take many times as long for all: it has the part that it has the same time for.
        self.part = int(links[cell.link].brings(cell.seconds) * PAYLOAD / 8) if cell.link else self.bytes
        self.content = content.object(self.bytes)
        self._server = world.server
        super().__init__(cell, world, version, tuple(links),
                         {"links": ",".join(links), "count": len(links), "last": self.part - 1})

    def steps(self):
        *before, program = super().steps()
        play = [["tributary-netlab", "play", "lab", self.cell.scenario, "--detach"]] if self._any_joins() else []
        return [*before, *play, program]

    def servers(self):
        return [[*self.tool.through, "serve", self._server, str(self.content), "--port", "80"]]

    def _any_joins(self):
        return any(link.joins for link in self._steady.values())

    def _possible(self, seconds):
        """Bits that all links can bring in this time."""
        return sum(link.brings(seconds) for link in self._steady.values())

    def row(self, world, folder):
        with self.lab(world, folder) as (lab, here):
            lab.serve(folder / self.content, self.tool.through)
            if self._any_joins():
                lab.play(self.cell.scenario)
            with self._series(lab, world, folder):
                begin = time.monotonic()
                self.run(lab, here, world.programs, 30 + PATIENCE * self.cell.seconds)
                seconds = time.monotonic() - begin
            self._compare(here / GOT, folder / self.content / "object.bin")
            goodput = 8 * self.part / seconds
            program = next(word for word in self.words if word not in MPTCPIZE)
            return self.columns(lab, program, world.programs) | {
                "bytes": str(self.part), "seconds": f"{seconds:.3f}", "goodput_kbit_s": f"{goodput / 1e3:.1f}",
                "ratio": f"{8 * self.part / (PAYLOAD * self._possible(seconds)):.4f}",
                "joined_subflows": self._joined_subflows(lab)}

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
            raise CellFailed(f"{self.words[0]} ended well, but its file is not what the server has")


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


def joined_subflows(lab):
    """How many the client's kernel added to the first, of all MPTCP connections of the lab."""
    counters = lab.must("client", "nstat", "-asz", "MPTcpExtMPJoinSynAckRx")
    return sum(int(line.split()[1]) for line in counters.splitlines() if line.startswith("MPTcpExt"))
