"""A tunnel over all links of a lab, between its two sides."""
import contextlib
import subprocess
import time

from .lab import ORIGIN
from .runner import CellFailed

RELAY = "10.117.0.1"  # the server's address in the tunnel
CLIENTS = "10.117.0.0/16"  # theirs; as for the links of a lab, connections to them are controlled by CUBIC on any machine
OVERHEAD = 67  # bytes that an inner packet gets longer: the tunnel's, UDP's and those of IPv4
PATIENCE = 20  # s


@contextlib.contextmanager
def tunnel(lab, programs, here, tool, links):
    """Meanwhile all links are in use. Both ends divide packets by the tool's scheduler."""
    key = here / "key"
    subprocess.run([programs / "tributary-relay", "--new-key", key], check=True, capture_output=True)
    options = ["--key-file", key, *options_of(tool)]
    with running(lab.command("server", programs / "tributary-relay", *options), here / "relay.log", ["listening at UDP port"]):
        lab.must("server", "ip", "route", "replace", CLIENTS, "dev", "tributary-relay", "src", RELAY, "congctl", "lock", "cubic")
        answers = [f"{link}: the relay answers" for link in links] + ["connections of TCP are split"] * tool.split
        with running(lab.command("client", programs / "tributary-tunnel", *options, ORIGIN), here / "tunnel.log", answers):
            yield


def options_of(tool):
    return ["--scheduler", tool.scheduler] + ["--split"] * tool.split


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
