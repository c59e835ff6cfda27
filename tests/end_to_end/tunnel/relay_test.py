#!/usr/bin/env python3
"""A relay leads its clients to the net behind it, and nobody else; and clients not everywhere."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from tunnel_lab import BEHIND, LINKS, RELAY, TunnelCase  # noqa: E402

METADATA = "169.254.169.254"  # where clouds tell a machine its secrets
PRIVATE = "10.9.9.9"


class RelayTest(TunnelCase):
    def lab_with_origin(self):
        """The relay has ways to an address of its link and to a private one."""
        links = self.lab(LINKS, "--origin")
        for address in (METADATA, PRIVATE):
            self.in_lab(links, "origin", "ip", "address", "add", address + "/32", "dev", "origin")
            self.in_lab(links, "server", "ip", "route", "add", address, "via", BEHIND)
        return links

    def reaches(self, links, address):
        return lab.run(*links.client_command("ping", "-c", "1", "-W", "2", address)).returncode == 0

    def forward(self, links, on):
        self.in_lab(links, "server", "sh", "-c", f"echo {on} >/proc/sys/net/ipv4/ip_forward")

    def test_a_neighbour_is_led_nowhere_unless_it_was_before(self):
        links = self.lab(LINKS, "--origin")
        self.forward(links, 1)
        self.assertTrue(self.reaches(links, BEHIND))
        relay = self.relay(links)
        second = self.relay(links, "--network", "10.118.0.0/16", "--listen", "7118", "--device", "second", "--no-ipv6")
        self.assertTrue(self.reaches(links, BEHIND))  # a router goes on
        second.end()
        relay.end()
        self.forward(links, 0)
        self.relay(links, "--network", "10.118.0.0/16", "--listen", "7118", "--device", "second", "--no-ipv6")
        self.relay(links)
        self.assertFalse(self.reaches(links, BEHIND))
        self.tunnel(links)
        self.assertTrue(self.reaches(links, BEHIND))

    def test_clients_do_not_get_to_the_link_of_the_relay_nor_to_private_networks_where_they_shall_not(self):
        links = self.lab_with_origin()
        relay = self.relay(links)
        self.tunnel(links)
        self.assertTrue(self.reaches(links, PRIVATE))
        self.assertFalse(self.reaches(links, METADATA))
        relay.end()
        self.relay(links, "--public-only").wait_for("1 client", 40)
        self.assertTrue(self.reaches(links, BEHIND))
        self.assertFalse(self.reaches(links, PRIVATE))

    def test_split_connections_get_where_packets_do(self):
        links = self.lab_with_origin()
        # Rules for packets that are forwarded have their like for connections that the relay makes.
        self.in_lab(links, "server", "nft", "add table inet own; add chain inet own out { type filter hook output priority 0; }; "
                    "add rule inet own out meta mark 29298 tcp dport 81 reject with tcp reset")
        self.serve_behind(links)
        self.program_in(links, "origin", "python3", "-u", "-m", "http.server", "81").wait_for("Serving HTTP")
        self.program_in(links, "server", "python3", "-u", "-m", "http.server", "82").wait_for("Serving HTTP")
        # At its firewall, clients are those that come through the device.
        self.in_lab(links, "server", "nft", "add chain inet own in { type filter hook input priority 0; }; "
                    "add rule inet own in iifname tributary-relay tcp dport 82 reject with tcp reset")
        self.relay(links, "--split", "--public-only")
        self.tunnel(links, "--split").wait_for("connections of TCP are split")
        connects = lambda host, port: lab.run(*links.client_command(
            "curl", "-sSf", "-m", "10", "-o", self.folder / "got", f"http://{host}:{port}/")).returncode == 0
        self.assertTrue(connects(BEHIND, 80))
        for host, port in ((BEHIND, 81), (PRIVATE, 80), (METADATA, 80), ("203.0.113.1", 82), (RELAY, 82)):
            self.assertFalse(connects(host, port), (host, port))


if __name__ == "__main__":
    lab.main()
