"""The programs that are compared at downloading one object."""
import dataclasses

from .lab import ORIGIN

URL = f"http://{ORIGIN}/object.bin"
GOT = "got.bin"
MPTCPIZE = ("mptcpize", "run")


@dataclasses.dataclass(frozen=True)
class Tool:
    label: str
    words: tuple[str, ...]  # {link}, {links}, {count} and {last} are the lab's; {last} ends the range of one link
    through: tuple[str, ...] = ()  # what its server is run by
    network: tuple[str, ...] = ()  # what it needs besides the routes (netlab/multihome)


def tributary_get(approach):
    return Tool(f"tributary-get, {approach}", ("tributary-get", "-q", "--overwrite", "--subsegments", approach, "-o", GOT, URL))


def aria2c(label, connections):
    """Its blocks have 1 MB at least: it takes no less. Without --no-conf, it would depend on the user's files."""
    return Tool(f"aria2c, {label}", (
        "aria2c", "--no-conf", "-q", "--multiple-interface={links}", f"-x{connections}", f"-s{connections}", "-k1M",
        "--file-allocation=none", "-o", GOT, URL))


CURL = ("curl", "-sSf", "-o", GOT)
TOOLS = {
    "balanced": tributary_get("balanced"),
    "dynamic": tributary_get("dynamic"),
    "static": tributary_get("static"),
    "curl": Tool("curl over the best link", (*CURL, "--interface", "{link}", "--range", "0-{last}", URL)),
    "aria2c": aria2c("a connection a link", "{count}"),
    "aria2c-8": aria2c("8 connections", "8"),
    "mptcp": Tool("curl over MPTCP", (*MPTCPIZE, *CURL, URL), through=MPTCPIZE, network=("mptcp",)),
}


def uses_one_link(tool):
    return "{link}" in TOOLS[tool].words


def is_ours(tool):
    return "tributary-get" in TOOLS[tool].words
