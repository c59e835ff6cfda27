"""One connection of TCP through tributary-splitter: in virtual time, or from a sender behind the server of a lab."""
import contextlib
import json
import os
import shlex
import subprocess

from .compared import forgetful, run_folder, with_programs
from .compared import version_of as program_version
from .lab import SERVER_TOOLS
from .runner import CellFailed
from .tunnel import running

OLD_SENDER = SERVER_TOOLS / "netlab" / "old-sender"
SENDER, RECEIVER = "203.0.113.2", "198.18.0.2"  # an address of the lab's origin, and one of the client's that every link leads to


def processor_options(cell):
    return ["--processor", cell.processor]


class SplitterPlan:
    """A cell, and the row that it will be. In a lab, acknowledgments come back over the first link, as in virtual time."""

    def __init__(self, cell, world, version):
        self.cell = cell
        if world.name == "virtual":
            self.simulation = ["tributary-splitter", "--simulate", cell.scenario, "--length", f"{cell.seconds:g}s", "--seed", str(cell.seed),
                               *processor_options(cell)]
            self.command = shlex.join(self.simulation)
        else:
            self.command = " && ".join(shlex.join(getattr(word, "name", word) for word in step) for step in self.steps())
        self.labels = {"experiment": cell.experiment, "cell": cell.name, "setup": cell.setup, "seed": str(cell.seed),
                       "world": world.name, "version": version, "command": self.command}

    def steps(self):
        """Those of emulated(), as one would type them."""
        inside = [*self.network(), *([("server", self.splitter())] if self.cell.splits else []), ("origin", ["iperf3", "--server"]),
                  ("client", self.transfer())]
        return [["tributary-netlab", "up", "lab", self.cell.scenario, "--origin"],
                *(["tributary-netlab", "exec", "lab", side, "--", *words] for side, words in inside)]

    def network(self):
        """(side, command): the receiver is reached over each link."""
        steps = [("server", ["sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward"]),
                 ("client", ["ip", "address", "add", f"{RECEIVER}/32", "dev", "lo"])]
        steps += [("server", ["ip", "route", "add", RECEIVER, "via", f"10.77.{number}.2", "dev", link, "metric", str(number)])
                  for number, link in enumerate(self.cell.round_trips, 1)]
        return steps + ([("origin", [OLD_SENDER, "old"])] if self.cell.sender == "old" else [])

    def splitter(self):
        links = [word for link, ms in self.cell.round_trips.items() for word in ("--link", f"{link}={ms:g}ms")]
        return ["tributary-splitter", f"{RECEIVER}/32", "--senders", "behind", *links, *processor_options(self.cell)]

    def transfer(self):
        return ["iperf3", "-J", "-R", "-c", SENDER, "-B", RECEIVER, "-t", f"{self.cell.seconds:g}"]

    def row(self, world, folder):
        virtual = world.name == "virtual"
        found = self.virtual(world) if virtual else self.emulated(world, folder)
        program = program_version("tributary-splitter", world.programs)
        words = self.simulation if virtual else self.splitter()
        return found | {"sender": self.cell.sender, "processor": self.cell.processor, "tool": self.cell.tool, "link": "", "program": program,
                        "kernel": os.uname().release, "tool_command": shlex.join(words)} | self.labels

    def virtual(self, world):
        done = subprocess.run(self.simulation, env=with_programs(world.programs), capture_output=True, text=True)
        if done.returncode != 0:
            raise CellFailed(done.stderr.strip())
        outcome = json.loads(done.stdout)
        return {"goodput_mbit_s": f"{outcome['goodput_kbit_s'] / 1e3:.4f}", "retransmissions": outcome["retransmissions"]}

    def emulated(self, world, folder):
        with world.lab() as lab, run_folder(folder, lab.name) as here:
            lab.up(self.cell.scenario, "--origin")
            for side, words in self.network():
                lab.must(side, *words)
            with running(lab.command("origin", "iperf3", "--server", "--forceflush"), here / "iperf3.log", ["Server listening"]), \
                    self.splitting(lab, world, here):
                done = subprocess.run(lab.command("client", *self.transfer()), env=forgetful(here) | dict(os.environ), capture_output=True,
                                      text=True, timeout=60 + self.cell.seconds)
        end = json.loads(done.stdout or "{}")
        if "end" not in end or "sum_received" not in end["end"]:
            raise CellFailed(f"iperf3: {end.get('error') or done.stderr.strip()}")
        return {"goodput_mbit_s": f"{end['end']['sum_received']['bits_per_second'] / 1e6:.4f}",
                "retransmissions": end["end"]["sum_sent"]["retransmits"]}

    def splitting(self, lab, world, here):
        if not self.cell.splits:
            return contextlib.nullcontext()
        program, *words = self.splitter()
        return running(lab.command("server", world.programs / program, *words), here / "splitter.log", ["splitting connections"])
