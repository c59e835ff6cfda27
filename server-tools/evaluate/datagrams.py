"""Streams of datagrams over the same emulated links: how many come, and how many in order."""
import json

from .compared import ComparedPlan
from .runner import CellFailed
from .tools import DATAGRAM
from .tunnel import OVERHEAD, running

HEADERS = 28 + 14  # of IPv4, UDP and Ethernet
CAPACITY = DATAGRAM / (DATAGRAM + HEADERS + OVERHEAD)  # of a link's bytes, those of datagrams in the tunnel


class DatagramPlan(ComparedPlan):
    def __init__(self, cell, world, version):
        super().__init__(cell, world, version, cell.links, {"rate": f"{cell.rate:.0f}", "seconds": f"{cell.seconds:g}"})

    def steps(self):
        *before, program = super().steps()
        return [*before, ["tributary-netlab", "play", "lab", self.cell.scenario, "--detach"], program]

    def servers(self):
        return [["iperf3", "--server", "--bind", self.words[self.words.index("-c") + 1]]]  # or it answers from another address

    def row(self, world, folder):
        with self.lab(world, folder) as (lab, here), \
                running(lab.command("server", *self.servers()[0], "--forceflush"), here / "iperf3.log", ["Server listening"]):
            lab.play(self.cell.scenario)
            printed = self.run(lab, here, world.programs, 60 + self.cell.seconds)
            end = json.loads(printed)
            if "error" in end:
                raise CellFailed(f"iperf3: {end['error']}")
            stream = end["end"]["streams"][0]["udp"]
            came = stream["packets"] - stream["lost_packets"]
            rate = 8 * DATAGRAM * came / stream["seconds"]
            in_order = (came - stream["out_of_order"]) / came
            return self.columns(lab, "iperf3", world.programs) | {
                "goodput_kbit_s": f"{rate / 1e3:.1f}", "ratio": f"{rate / (CAPACITY * self.cell.rate):.4f}",
                "lost_percent": f"{100 * stream['lost_packets'] / stream['packets']:.3f}", "jitter_ms": f"{stream['jitter_ms']:.2f}",
                "in_order": f"{in_order:.4f}", "in_order_kbit_s": f"{rate * in_order / 1e3:.1f}"}
