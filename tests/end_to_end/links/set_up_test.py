#!/usr/bin/env python3
"""Links that only have a cable get addresses, routes and rules, whatever happens to them, and everything is put back."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN  # noqa: E402
from told_program import Program  # noqa: E402

INTERNET = "198.51.100.1"  # behind the routers
LINKS = {"wan1": "10.81.1", "wan2": "10.81.2"}  # their networks
INTERNET_6 = "2001:db8:ffff::1"
LINKS_6 = {"wan1": "2001:db8:1:", "wan2": "2001:db8:2:"}
RULES = "7117"


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen")
        time.sleep(0.1)


class SetUpTest(unittest.TestCase):
    """A namespace with two cables to routers with DHCP, and one link that was there before."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-set-up-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        lab.keep_records_in(self, self.folder / "run")
        self.here, self.net = (f"tributary-{side}-{os.getpid()}" for side in ("client", "net"))
        for space in (self.here, self.net):
            lab.must("ip", "netns", "add", space)
            self.addCleanup(lab.run, "ip", "netns", "del", space)
            self.within(space, "ip", "link", "set", "lo", "up")
        self.within(self.net, "ip", "address", "add", f"{INTERNET}/32", "dev", "lo")
        for number, (link, network) in enumerate(LINKS.items(), 1):
            self.cable(link, f"r{number}", network)
        self.cable("old", "r3", "10.81.3")
        for words in ("link set old up", "address add 10.81.3.2/24 dev old", "route add default via 10.81.3.1 dev old"):
            self.within(self.here, "ip", *words.split())
        # Debian's kernel accepts answers only over the link that it would itself take, where it is told to.
        self.within(self.here, "sysctl", "-q", "-w", "net.ipv4.conf.wan1.rp_filter=1", "net.ipv4.conf.wan2.rp_filter=1")
        (self.folder / "content").mkdir()
        (self.folder / "content/file").write_bytes(b"from the net")
        server = self.program(self.net, "python3", "-u", "-m", "http.server", "--directory", self.folder / "content", "--bind", INTERNET, "80")
        server.wait_for("Serving")
        self.dhcp = self.program(self.net, "dnsmasq", "--keep-in-foreground", "--port=0", "--conf-file=/dev/null", "--bind-interfaces",
                                 "--interface=r1,r2", "--user=root", f"--dhcp-leasefile={self.folder}/leases", "--pid-file",
                                 "--log-facility=-", "--dhcp-authoritative", "--no-ping",
                                 *(f"--dhcp-range={network}.100,{network}.150,2m" for network in LINKS.values()))
        self.dhcp.wait_for("DHCP")
        self.before = self.state()

    def within(self, space, *command):
        return lab.must("ip", "netns", "exec", space, *command)

    def program(self, space, *command):
        started = Program(["ip", "netns", "exec", space, *map(str, command)])
        self.addCleanup(started.end)
        return started

    def cable(self, link, router, network):
        lab.must("ip", "link", "add", link, "netns", self.here, "type", "veth", "peer", "name", router, "netns", self.net)
        self.within(self.net, "ip", "address", "add", f"{network}.1/24", "dev", router)
        self.within(self.net, "ip", "link", "set", router, "up")

    def state(self):
        """All that the program may change."""
        shown = [self.within(self.here, "ip", *words.split()) for words in
                 ("-4 -o address show", "rule show", "-6 rule show", "-4 route show table all", "-o link show up")]
        shown += [lab.run("ip", "netns", "exec", self.here, "sysctl", f"net.ipv4.conf.{link}.rp_filter").stdout for link in LINKS]
        return [" ".join(word for word in text.split() if not word.endswith("sec")) for text in shown]

    def rules(self, link=None):
        """Those of ours."""
        found = [rule for rule in json.loads(self.within(self.here, "ip", "-j", "rule")) if str(rule["priority"]) == RULES]
        return [rule for rule in found if link is None or rule.get("oif") == link or rule.get("iif") == link]

    def set_up(self, *options, links=tuple(LINKS)):
        return self.program(self.here, BIN / "tributary-links", "--set-up", "--apply",
                            *(word for link in links for word in ("--link-optional", link)), *options)

    def ready(self, program, links=tuple(LINKS)):
        for link in links:
            program.wait_for(f"{link}: ready")

    def carries(self, link):
        """By the device, and by its address."""
        address = json.loads(self.within(self.here, "ip", "-j", "-4", "address", "show", link))[0]["addr_info"][0]["local"]
        for bound in (link, address):
            self.assertEqual(self.within(self.here, "curl", "-sS", "-m", "10", "--interface", bound, f"http://{INTERNET}/file"), "from the net")
        return address

    def put_back(self):
        until(lambda: self.state() == self.before)

    def test_links_without_anything_carry_and_all_is_put_back(self):
        program = self.set_up()
        self.ready(program)
        for link, network in LINKS.items():
            self.assertTrue(self.carries(link).startswith(network))
        # What others send goes where it went.
        self.assertIn("dev old", self.within(self.here, "ip", "route", "get", INTERNET))
        self.assertEqual(program.end(), 0)
        self.put_back()

    def test_without_apply_it_only_tells_the_commands(self):
        named = [word for link in LINKS for word in ("--link", link)]
        script = self.within(self.here, BIN / "tributary-links", "--set-up", *named)
        for words in ("ip link set wan1 up", "udhcpc -i wan2", "ip rule add from ADDRESS", "rp_filter=2", "ip link set wan1 down"):
            self.assertIn(words, script)
        told = json.loads(self.within(self.here, BIN / "tributary-links", "--set-up", "--json", *named))
        self.assertEqual([link["name"] for link in told["links"]], list(LINKS))
        self.assertEqual(self.state(), self.before)

    def test_a_cable_that_is_pulled_and_a_device_that_comes_late(self):
        self.within(self.here, "ip", "link", "del", "wan2")
        self.before = self.state()
        program = self.set_up()
        program.wait_for("wan2: is not there")
        self.ready(program, ["wan1"])
        before = self.carries("wan1")
        self.within(self.net, "ip", "link", "set", "r1", "down")
        program.wait_for("wan1: no carrier")
        until(lambda: not self.rules())
        self.within(self.net, "ip", "link", "set", "r1", "up")
        until(lambda: self.rules("wan1"))
        program.wait_for(f"-r {before}")
        self.assertEqual(self.carries("wan1"), before)
        self.cable("wan2", "r2", LINKS["wan2"])
        self.ready(program, ["wan2"])
        self.carries("wan2")
        self.within(self.here, "ip", "link", "del", "wan2")
        until(lambda: not self.rules("wan2"))
        self.assertTrue(self.rules("wan1"))
        self.assertEqual(program.end(), 0)
        self.put_back()

    def test_the_next_one_puts_back_what_a_killed_one_left(self):
        program = self.set_up()
        self.ready(program)
        program.end(signal.SIGKILL)
        self.assertTrue(self.rules())
        second = self.set_up()
        second.wait_for("after one that was killed")
        self.ready(second)
        self.carries("wan1")
        third = self.set_up()
        third.wait_for("another tributary-links")
        self.assertEqual(third.process.wait(timeout=10), 1)
        self.carries("wan2")
        self.assertEqual(second.end(), 0)
        until(lambda: not self.rules())
        self.assertEqual(self.within(self.here, "ip", "-4", "-o", "address", "show", "wan1"), "")

    def test_addresses_can_be_given(self):
        file = self.folder / "addresses.json"
        file.write_text(json.dumps({"wan1": {"addresses": ["10.81.1.7/24"], "routers": ["10.81.1.1"]}}))
        program = self.set_up("--addresses", file, links=["wan1"])
        self.ready(program, ["wan1"])
        self.assertEqual(self.carries("wan1"), "10.81.1.7")
        self.assertEqual(program.end(), 0)
        self.put_back()

    def test_ipv6_leaves_by_the_link_of_its_address(self):
        self.within(self.net, "ip", "address", "add", f"{INTERNET_6}/128", "dev", "lo")
        given = {}
        for number, (link, network) in enumerate(LINKS_6.items(), 1):
            self.within(self.net, "ip", "address", "add", f"{network}:1/64", "dev", f"r{number}", "nodad")
            given[link] = {"addresses": [f"{network}:7/64", f"{network}:8/64"], "routers": [f"{network}:1"]}
        file = self.folder / "addresses.json"
        file.write_text(json.dumps(given))
        program = self.set_up("--addresses", file)
        self.ready(program)
        # An address has its rule once nobody else was found to have it.
        addresses = {f"{network}:{host}": link for link, network in LINKS_6.items() for host in (7, 8)}
        until(lambda: addresses.keys() <= {rule.get("src") for rule in json.loads(self.within(self.here, "ip", "-j", "-6", "rule"))})
        def route(*words):
            return json.loads(self.within(self.here, "ip", "-j", "-6", "route", "get", *words))[0]
        for address, link in addresses.items():
            self.assertEqual(route(INTERNET_6, "from", address)["dev"], link)
        for link, network in LINKS_6.items():
            self.assertEqual((route(INTERNET_6, "oif", link)["dev"], route(INTERNET_6, "oif", link)["gateway"]), (link, f"{network}:1"))
            self.assertNotIn("gateway", route("fe80::1", "oif", link))  # a neighbour
            self.within(self.here, "ping", "-6", "-c", "1", "-w", "10", "-I", f"{network}:8", INTERNET_6)
        self.assertEqual(program.end(), 0)
        self.put_back()

    def test_what_is_wrong_is_named(self):
        def complaint(status, *options, user=()):
            done = lab.run(*user, BIN / "tributary-links", "--set-up", *options)
            self.assertEqual(done.returncode, status, done.stderr)
            return done.stderr
        file = self.folder / "addresses.json"
        for text, words in (('{"wan1": {"addresses": ["10.81.1.7"]}}', "wan1.addresses[0]"), ('{"wan1": {}}', "addresses"),
                            ('{"wan1": {"addresses": [], "routers": ["x"]}}', "wan1.routers[0]"), ("[", "line 1"), ("[]", "no object")):
            file.write_text(text)
            said = complaint(1, "--addresses", file)
            self.assertIn(words, said)
            self.assertIn("addresses.json", said)
        self.assertIn("No such file", complaint(1, "--addresses", self.folder / "none"))
        self.assertIn("nosuch", complaint(3, "--link", "nosuch"))
        self.assertIn("run it as root", complaint(1, "--apply", user=("setpriv", "--reuid", "65534", "--clear-groups")))
        self.assertIn("--set-up", lab.run(BIN / "tributary-links", "--apply").stderr)


if __name__ == "__main__":
    lab.main()
