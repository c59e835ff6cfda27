#!/usr/bin/env python3
"""A sender that knows cumulative acknowledgments only uses two links through a splitter, and neither end has changed."""
import hashlib
import os
import pathlib
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, SOURCE  # noqa: E402
from told_program import Program  # noqa: E402

SENDER = "203.0.113.2"
RECEIVER = "198.18.0.2"
# Acknowledgments come back over the first link. The queues hold all that is sent: no packet is lost.
LINKS = "a 8Mbps 20ms, queue 1500; b 8Mbps 180ms, queue 1500"
ROUND_TRIPS = ("--link", "a=20ms", "--link", "b=100ms")
SIZE = 500_000


class SplitterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-splitter-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        (self.folder / "content").mkdir()
        self.file = os.urandom(SIZE)
        (self.folder / "content/file.bin").write_bytes(self.file)
        self.lab = lab.Lab(LINKS, self.folder, lab_options=["--origin"])
        self.addCleanup(self.lab.close)
        self.inside("server", "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward")
        for number, link in enumerate(("a", "b"), 1):
            self.inside("server", "ip", "route", "add", RECEIVER, "via", f"10.77.{number}.2", "dev", link, "metric", str(number))
        self.inside("client", "ip", "address", "add", f"{RECEIVER}/32", "dev", "lo")
        self.inside("origin", SOURCE / "server-tools/netlab/old-sender", "old")
        self.program("origin", "python3", "-u", "-m", "http.server", "--directory", self.folder / "content", "80").wait_for("Serving HTTP")

    def inside(self, side, *command):
        return lab.must(BIN / "tributary-netlab", "exec", self.lab.name, side, "--", *command)

    def program(self, side, *command):
        started = Program([str(word) for word in [BIN / "tributary-netlab", "exec", self.lab.name, side, "--", *command]])
        self.addCleanup(started.end)
        return started

    def splitter(self, *options):
        started = self.program("server", BIN / "tributary-splitter", f"{RECEIVER}/32", "--senders", "behind", *ROUND_TRIPS, *options)
        started.wait_for("splitting connections")
        return started

    def state(self):
        return self.inside("server", "sh", "-c", "ip rule; ip -br link; ip -4 route show table all")

    def download(self):
        """Bytes that came over each link meanwhile, and how often the sender has sent a segment again."""
        before = [lab.carried(self.lab, link) for link in ("a", "b")], self.sent_again()
        got = self.folder / "got.bin"
        lab.must(*self.lab.client_command("curl", "-sSf", "-m", "90", "--interface", RECEIVER, "-o", got, f"http://{SENDER}/file.bin"))
        self.assertEqual(hashlib.sha256(got.read_bytes()).digest(), hashlib.sha256(self.file).digest())
        return [lab.carried(self.lab, link) - count for link, count in zip(("a", "b"), before[0])], self.sent_again() - before[1]

    def sent_again(self):
        names, values = [line.split()[1:] for line in self.inside("origin", "cat", "/proc/net/snmp").splitlines() if line.startswith("Tcp:")]
        return int(dict(zip(names, values))["RetransSegs"])

    def test_the_links_share_a_connection_and_the_sender_takes_nothing_for_lost(self):
        over, again = self.download()
        self.assertLess(over[1], SIZE / 100, "nobody splits yet")
        state = self.state()
        filtering = self.splitter()
        over, with_filter = self.download()
        self.assertGreater(min(over), SIZE / 3)
        self.assertEqual(filtering.end(signal.SIGINT), 0)
        self.assertEqual(self.state(), state)
        in_turn = self.splitter("--processor", "round-robin")
        over, without = self.download()
        self.assertGreater(min(over), SIZE / 3)
        self.assertEqual(in_turn.end(), 0)
        self.assertGreater(without, 20)
        self.assertLess(with_filter, without / 4)
        self.assertEqual(again, 0)

    def test_what_is_not_split_passes_and_a_link_that_goes_is_not_used(self):
        splitter = self.splitter("--port", "81")
        over, _ = self.download()
        self.assertLess(over[1], SIZE / 100, "another port")
        self.inside("client", "ping", "-c", "1", "-W", "5", "-I", RECEIVER, SENDER)
        splitter.end(signal.SIGKILL)
        splitter = self.splitter()  # its rules are those that the killed one has left
        self.inside("server", "ip", "link", "set", "dev", "b", "down")
        splitter.wait_for("b: not used")
        over, _ = self.download()
        self.assertLess(over[1], SIZE / 100)
        self.assertEqual(splitter.end(), 0)
        self.assertNotIn("29299", self.inside("server", "ip", "rule"))

    def test_what_cannot_be_set_up_is_said(self):
        def fails(*arguments, status=1, user=()):
            done = lab.run(BIN / "tributary-netlab", "exec", *user, self.lab.name, "server", "--", BIN / "tributary-splitter", *arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            return done.stderr
        ways = (f"{RECEIVER}/32", "--senders", "behind")
        self.assertIn("send over c: No such device", fails(*ways, "--link", "c=1ms"))
        self.assertIn("expected a link and its round trip", fails(*ways, "--link", "a", status=2))
        self.assertIn("--senders is required", fails(ways[0], *ROUND_TRIPS, status=2))
        self.assertIn("the device is one of the links", fails(ways[0], "--senders", "a", *ROUND_TRIPS, status=2))
        self.assertIn("needs the capability CAP_NET_RAW", fails(*ways, *ROUND_TRIPS, user=("--user", "nobody")))
        self.inside("server", "sh", "-c", "echo 0 >/proc/sys/net/ipv4/ip_forward")
        self.assertIn("this machine forwards no packets", fails(*ways, *ROUND_TRIPS))
        self.assertNotIn("tributary-split", self.state())


if __name__ == "__main__":
    lab.main()
