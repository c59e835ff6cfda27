#!/usr/bin/env python3
"""With --exclusive, what a tunnel leads leaves by nothing else: not while it runs, nor after it was killed, until it is ended."""
import pathlib
import re
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, ORIGIN  # noqa: E402
from tunnel_lab import BEHIND, LINKS, RELAY, TunnelCase  # noqa: E402

BEHIND6 = "2001:db8:1::2"
ROUTER = "10.77.1.1"
# At the other end of the links: what comes over them, but for the tunnel itself.
WATCH = f"""
table inet watch {{
  counter ipv4 {{ }}
  counter ipv6 {{ }}
  counter names {{ }}
  counter dhcp {{ }}
  chain arrivals {{
    type filter hook prerouting priority -300;
    iifname {{ "wifi", "lte" }} ip daddr {BEHIND} counter name ipv4
    iifname {{ "wifi", "lte" }} ip6 daddr {BEHIND6} counter name ipv6
    iifname {{ "wifi", "lte" }} udp dport 53 counter name names
    iifname {{ "wifi", "lte" }} udp dport 67 counter name dhcp
  }}
}}
"""
SENDS = """
import socket, sys
host, port, own = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.bind(("", own))
try:
    sender.sendto(b"?", (host, port))
except OSError:
    pass
"""


class ExclusiveTest(TunnelCase):
    def watched_lab(self):
        links = self.lab(LINKS, "--origin")
        rules = self.folder / "watch"
        rules.write_text(WATCH)
        self.in_lab(links, "server", "nft", "-f", rules)
        return links

    def arrived(self, links):
        """Of each kind, since the last call."""
        text = self.in_lab(links, "server", "nft", "reset", "counters", "table", "inet", "watch")
        return {name: int(packets) for name, packets in re.findall(r"counter (\w+) {\s+packets (\d+)", text)}

    def reaches(self, links, *arguments):
        return lab.run(*links.client_command("ping", "-c", "1", "-W", "1", *arguments)).returncode == 0

    def try_to_leave(self, links):
        """What came of it at the other end: by each family, by a link that a program chooses, and by TCP."""
        self.arrived(links)
        for arguments in ([BEHIND], [BEHIND6], ["-I", "lte", BEHIND]):
            self.reaches(links, *arguments)
        lab.run(*links.client_command("curl", "-s", "-m", "1", f"http://{BEHIND}/"))
        arrived = self.arrived(links)
        return arrived["ipv4"], arrived["ipv6"]

    def send(self, links, host, port, own=0):
        lab.run(*links.client_command("python3", "-c", SENDS, host, port, own))

    def rules(self, links):
        return self.in_lab(links, "client", "nft", "list", "ruleset")

    def test_nothing_leaves_beside_the_tunnel_until_it_is_ended(self):
        links = self.watched_lab()
        self.relay(links)
        before = self.rules(links)
        ipv4, ipv6 = self.try_to_leave(links)
        self.assertTrue(ipv4 and ipv6)
        tunnel = self.tunnel(links, "--exclusive")
        self.download(links)
        self.assertTrue(self.reaches(links, BEHIND))
        self.assertEqual(self.try_to_leave(links), (0, 0))
        tunnel.end(signal.SIGKILL)
        self.assertEqual(self.try_to_leave(links), (0, 0))
        tunnel = self.tunnel(links, "--exclusive")
        self.download(links)
        self.assertEqual(self.try_to_leave(links), (0, 0))
        self.assertEqual(tunnel.end(), 0)
        self.assertEqual(self.rules(links), before)
        ipv4, ipv6 = self.try_to_leave(links)
        self.assertTrue(ipv4 and ipv6)

    def test_private_networks_are_reached_if_they_may_be_but_for_their_name_servers(self):
        links = self.watched_lab()
        self.relay(links)
        self.tunnel(links, "--exclusive", "--local").end(signal.SIGKILL)
        self.assertTrue(self.reaches(links, ROUTER))
        self.arrived(links)
        self.send(links, ROUTER, 53)
        self.send(links, ROUTER, 67, 68)
        self.assertEqual(self.arrived(links), {"ipv4": 0, "ipv6": 0, "names": 0, "dhcp": 1})
        tunnel = self.tunnel(links, "--exclusive")
        self.assertFalse(self.reaches(links, ROUTER))
        self.send(links, ROUTER, 67, 68)
        self.assertEqual(self.arrived(links)["dhcp"], 1)
        self.download(links)
        self.assertEqual(tunnel.end(), 0)

    def test_what_is_not_led_through_the_tunnel_leaves_as_before(self):
        links = self.watched_lab()
        self.relay(links)
        self.tunnel(links, "--exclusive", "--network", "203.0.113.0/24").end(signal.SIGKILL)
        self.assertTrue(self.reaches(links, ORIGIN))
        ipv4, ipv6 = self.try_to_leave(links)
        self.assertEqual(ipv4, 0)
        self.assertTrue(ipv6)

    def test_what_is_led_through_this_machine_is_kept_in_too(self):
        links = self.watched_lab()
        self.relay(links)
        container = self.program_in(links, "client", "unshare", "--net", "sh", "-c", "echo ready; exec sleep 100")
        container.wait_for("ready")
        inside = ("nsenter", "--net", "-t", container.process.pid)
        self.in_lab(links, "client", "sh", "-euc", f"""ip link add inside type veth peer name uplink netns {container.process.pid}
            ip address add 10.5.0.1/24 dev inside; ip link set inside up; echo 1 >/proc/sys/net/ipv4/ip_forward""")
        lab.must(*inside, "sh", "-euc", "ip address add 10.5.0.2/24 dev uplink; ip link set uplink up; ip route add default via 10.5.0.1")
        leave = lambda: (lab.run(*inside, "ping", "-c", "1", "-W", "1", BEHIND), self.arrived(links)["ipv4"])[1]
        self.assertEqual(leave(), 1)
        self.tunnel(links, "--exclusive").end(signal.SIGKILL)
        self.assertEqual(leave(), 0)

    def test_a_relay_is_found_by_its_name_where_no_name_can_be_looked_up_and_release_lifts_all(self):
        links = self.watched_lab()
        self.relay(links)
        before = self.rules(links)
        hosts = self.folder / "hosts"
        hosts.write_text(f"{ORIGIN} relay.test\n")
        with_hosts = ("unshare", "--mount", "sh", "-euc", f'mount --bind {hosts} /etc/hosts; exec "$@"', "sh")
        tunnel = self.start(links, "client", "tributary-tunnel", "--exclusive", "relay.test", within=with_hosts)
        tunnel.wait_for("10.117.0.")
        tunnel.end(signal.SIGKILL)
        hosts.write_text("")
        tunnel = self.start(links, "client", "tributary-tunnel", "--exclusive", "relay.test", within=with_hosts)
        tunnel.wait_for("10.117.0.")
        tunnel.end(signal.SIGKILL)
        self.assertNotEqual(self.rules(links), before)
        self.in_lab(links, "client", BIN / "tributary-tunnel", "--release")
        self.assertEqual(self.rules(links), before)
        tunnel = self.start(links, "client", "tributary-tunnel", "--exclusive", "relay.test", within=with_hosts)
        tunnel.wait_for("relay.test: ")  # is looked up again

    def test_a_tunnel_that_ends_by_a_fault_keeps_everything_in_and_says_so(self):
        links = self.watched_lab()
        self.relay(links)
        tunnel = self.tunnel(links, "--exclusive")
        second = self.start(links, "client", "tributary-tunnel", "--exclusive", ORIGIN)
        second.wait_for("tributary0: another tunnel has this device")
        self.in_lab(links, "client", "ip", "link", "delete", "tributary0")
        tunnel.wait_for("--release lifts that")
        self.assertEqual(self.try_to_leave(links), (0, 0))
        self.assertFalse(self.reaches(links, RELAY))


if __name__ == "__main__":
    lab.main()
