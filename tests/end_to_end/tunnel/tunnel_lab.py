"""Labs with a tunnel in them, for tests."""
import hashlib
import os
import pathlib
import tempfile
import unittest

import lab
from lab import BIN, ORIGIN
from told_program import Program

LINKS = "wifi 16Mbps 10ms; lte 8Mbps 30ms"
RELAY = "10.117.0.1"  # in the tunnel
SIZE = 6_000_000
BEHIND = "203.0.113.2"  # an origin that only the relay reaches


class TunnelCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-tunnel-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        lab.keep_records_in(self, self.folder / "run")
        (self.folder / "content").mkdir()
        self.file = os.urandom(SIZE)
        (self.folder / "content/file.bin").write_bytes(self.file)
        self.keys = {"tributary-relay": self.folder / "relay.key", "tributary-tunnel": self.add_client("laptop")}

    def relay_keys(self, *arguments):
        """What an administrator does, in the folder of the keys."""
        return lab.must("env", "-C", self.folder, BIN / "tributary-relay", *arguments)

    def add_client(self, name, relay="relay.key"):
        if not (self.folder / relay).exists():
            self.relay_keys("--new-key", relay)
        self.relay_keys("--key-file", relay, "--add-client", name)
        return self.folder / f"{name}.key"

    def lab(self, links=LINKS, *options):
        made = lab.Lab(links, self.folder, lab_options=options)
        self.addCleanup(made.close)
        return made

    def start(self, links, where, program, *arguments, key=None, within=()):
        """`within`: a command that runs it."""
        command = [BIN / "tributary-netlab", "exec", links.name, where, "--", "env", f"XDG_STATE_HOME={links.home}", *within,
                   BIN / program, "--key-file", key or self.keys[program], *arguments]
        started = Program([str(word) for word in command])
        self.addCleanup(started.end)
        return started

    def relay(self, links, *arguments):
        relay = self.start(links, "server", "tributary-relay", *arguments)
        relay.wait_for("listening at UDP port")
        return relay

    def tunnel(self, links, *arguments, relay=ORIGIN):
        tunnel = self.start(links, "client", "tributary-tunnel", *arguments, relay)
        tunnel.wait_for("10.117.0.")
        return tunnel

    def in_lab(self, links, where, *command):
        return lab.must(BIN / "tributary-netlab", "exec", links.name, where, "--", *command)

    def state_of(self, links, where):
        """Of the network: what a program is to leave as it was."""
        return self.in_lab(links, where, "sh", "-c", "ip -br link; ip route; nft list ruleset; cat /proc/sys/net/ipv4/ip_forward "
                           "/proc/sys/net/ipv6/conf/*/accept_ra /proc/sys/net/ipv6/conf/all/forwarding")

    def download(self, links, address=RELAY):
        """One TCP connection through the tunnel, to the end."""
        got = self.folder / "got.bin"
        lab.must(*links.client_command("curl", "-sSf", "-m", "60", "-o", got, f"http://{address}/file.bin"))
        self.assertEqual(hashlib.sha256(got.read_bytes()).digest(), hashlib.sha256(self.file).digest())

    def serve_behind(self, links):
        """An origin that the relay reaches, and that knows no way back to the clients."""
        for version in ("-4", "-6"):
            self.in_lab(links, "origin", "ip", version, "route", "delete", "default")
        behind = self.program_in(links, "origin", "python3", "-u", "-m", "http.server", "--directory", self.folder / "content", "80")
        behind.wait_for("Serving HTTP")
        return behind

    def program_in(self, links, where, *command):
        started = Program([str(word) for word in [BIN / "tributary-netlab", "exec", links.name, where, "--", *command]])
        self.addCleanup(started.end)
        return started
