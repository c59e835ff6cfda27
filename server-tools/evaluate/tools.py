"""The programs that are compared over the same links."""
import dataclasses

from .lab import ORIGIN
from .tunnel import BEHIND, RELAY

URL = f"http://{ORIGIN}/object.bin"
GOT = "got.bin"
DATAGRAM = 1200  # bytes that one carries: fits into the tunnel, with headers of 28 bytes and a largest packet of 1280
MPTCPIZE = ("mptcpize", "run")


@dataclasses.dataclass(frozen=True)
class Tool:
    label: str
    words: tuple[str, ...]  # {link}, {links}, {count} and {last} are the lab's; {last} ends the range of one link
    through: tuple[str, ...] = ()  # what its server is run by
    network: tuple[str, ...] = ()  # what it needs besides the routes (netlab/multihome)
    scheduler: str = ""  # of the tunnel that it goes through
    split: bool = False  # the tunnel splits connections of TCP
    unordered: bool = False  # the tunnel hands packets out as they come


def tributary_get(approach):
    return Tool(f"tributary-get, {approach}", ("tributary-get", "-q", "--overwrite", "--subsegments", approach, "-o", GOT, URL))


def aria2c(label, connections):
    """Its blocks have 1 MB at least: it takes no less. Without --no-conf, it would depend on the user's files."""
    return Tool(f"aria2c, {label}", (
        "aria2c", "--no-conf", "-q", "--multiple-interface={links}", f"-x{connections}", f"-s{connections}", "-k1M",
        "--file-allocation=none", "-o", GOT, URL))


def tunnelled(program, scheduler, *words):
    return Tool(f"{program} through the tunnel, {scheduler}", words, scheduler=scheduler)


def as_in_mc2(program, scheduler, *words):
    return Tool(f"{program} through the tunnel, {scheduler}, unordered", words, scheduler=scheduler, unordered=True)


CURL = ("curl", "-sSf", "-o", GOT)
IPERF = ("iperf3", "-J", "-u", "-R", "-l", str(DATAGRAM), "-b", "{rate}", "-t", "{seconds}", "-c")
SCHEDULERS = ("earliest-delivery", "prism", "free-window", "send-vector", "wrr", "round-robin", "one-path")
MC2 = ("round-robin", "random")  # what its testbed has
DOWNLOADERS = {
    "balanced": tributary_get("balanced"),
    "dynamic": tributary_get("dynamic"),
    "static": tributary_get("static"),
    "curl": Tool("curl over the best link", (*CURL, "--interface", "{link}", "--range", "0-{last}", URL)),
    "aria2c": aria2c("a connection a link", "{count}"),
    "aria2c-8": aria2c("8 connections", "8"),
    "mptcp": Tool("curl over MPTCP", (*MPTCPIZE, *CURL, URL), through=MPTCPIZE, network=("mptcp",)),
}
# Through the tunnel, each by one connection of TCP.
CONNECTIONS = {f"tcp-{scheduler}": tunnelled("curl", scheduler, *CURL, f"http://{RELAY}/object.bin") for scheduler in SCHEDULERS}
CONNECTIONS |= {f"split-{scheduler}": Tool(f"curl through the tunnel, split, {rule}", (*CURL, f"http://{BEHIND}/object.bin"), scheduler=scheduler,
                                           split=True)
                for scheduler, rule in (("earliest-delivery", "first with room"), ("send-vector", "send-vector"))}
CONNECTIONS |= {f"mc2-tcp-{scheduler}": as_in_mc2("curl", scheduler, *CURL, f"http://{RELAY}/object.bin") for scheduler in MC2}
DATAGRAMS = {"udp": Tool("iperf3 over the best link", (*IPERF, ORIGIN, "--bind-dev", "{link}"))}
DATAGRAMS |= {f"udp-{scheduler}": tunnelled("iperf3", scheduler, *IPERF, RELAY) for scheduler in SCHEDULERS}
DATAGRAMS |= {f"mc2-udp-{scheduler}": as_in_mc2("iperf3", scheduler, *IPERF, RELAY) for scheduler in MC2}
# Of tributary-splitter: processor and sender.
SPLITTERS = {"round-robin, old": Tool("links in turn, a sender of 2011", ()), "dupack-filter, old": Tool("with the filter, a sender of 2011", ()),
             "round-robin, today": Tool("links in turn, Linux today", ()), "dupack-filter, today": Tool("with the filter, Linux today", ())}
TOOLS = DOWNLOADERS | CONNECTIONS | DATAGRAMS | SPLITTERS


def uses_one_link(tool):
    return any("{link}" in word for word in TOOLS[tool].words)


def is_ours(tool):
    return "tributary-get" in TOOLS[tool].words
