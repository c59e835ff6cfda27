"""A tunnel over all links of a lab, between its two sides."""
import contextlib
import subprocess
import time

from .lab import ORIGIN
from .runner import CellFailed

RELAY = "10.117.0.1"  # the server's address in the tunnel
CLIENTS = "10.117.0.0/16"  # theirs; as for the links of a lab, connections to them are controlled by CUBIC on any machine
BEHIND = "192.0.2.80"  # leads to the server's programs, as if they were behind it: only packets go to the relay's own addresses
OVERHEAD = 67  # bytes that an inner packet gets longer: the tunnel's, UDP's and those of IPv4
PATIENCE = 20  # s


@contextlib.contextmanager
def tunnel(lab, programs, here, tool, links):
    """Meanwhile all links are in use. Both ends divide packets by the tool's scheduler."""
    relay = programs.resolve() / "tributary-relay"
    for arguments in (["--new-key", "relay.key"], ["--key-file", "relay.key", "--add-client", "client"]):
        subprocess.run([relay, *arguments], cwd=here, check=True, capture_output=True)
    options = options_of(tool)
    of_relay = lab.command("server", relay, "--key-file", here / "relay.key", *options)
    with running(of_relay, here / "relay.log", ["listening at UDP port"]):
        lab.must("server", "ip", "route", "replace", CLIENTS, "dev", "tributary-relay", "src", RELAY, "congctl", "lock", "cubic")
        lab.must("server", "ip", "route", "replace", BEHIND, "dev", "tributary-relay")
        lab.must("server", "nft", f"add table ip behind; add chain ip behind out {{ type nat hook output priority -100; }}; "
                                  f"add rule ip behind out ip daddr {BEHIND} redirect")
        answers = [f"{link}: the relay answers" for link in links] + ["connections of TCP are split"] * tool.split
        of_client = lab.command("client", programs / "tributary-tunnel", "--key-file", here / "client.key", *options, ORIGIN)
        with running(of_client, here / "tunnel.log", answers):
            yield


def options_of(tool):
    """PRISM has the resequencer of the thesis beside it."""
    order = "none" if tool.unordered else "thesis" if tool.scheduler == "prism" else None
    return ["--scheduler", tool.scheduler, *(["--resequencer", order] if order else []), *["--split"] * tool.split]


@contextlib.contextmanager
def running(command, log, ready):
    """Meanwhile the program runs, and has said all of these words."""
    with open(log, "w") as out:
        program = subprocess.Popen(command, stdout=out, stderr=out)
    try:
        end = time.monotonic() + PATIENCE
        while not all(words in log.read_text() for words in ready):
            if program.poll() is not None or time.monotonic() > end:
                raise CellFailed(f"{log.stem} is not there: {log.read_text().strip()}")
            time.sleep(0.02)
        yield
    finally:
        program.terminate()
        program.wait()
