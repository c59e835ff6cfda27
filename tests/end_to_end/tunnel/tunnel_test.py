#!/usr/bin/env python3
"""A tunnel over two links to a relay carries what any program sends, while links die and come back, and leaves nothing behind."""
import json
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, ORIGIN  # noqa: E402
from told_program import Program  # noqa: E402
from tunnel_lab import BEHIND, LINKS, RELAY, SIZE, TunnelCase  # noqa: E402

# Servers: one that speaks first, and then counts what it hears; one that breaks off; a port where nobody listens.
SPEAKS_FIRST = """
import socket, struct, threading
def serve(port, act):
    listener = socket.create_server(("0.0.0.0", port))
    while True:
        act(listener.accept()[0])
def count(connection):
    connection.sendall(b"hello\\n")
    heard = 0
    while part := connection.recv(65536):
        heard += len(part)
    connection.sendall(b"%d bytes\\n" % heard)
    connection.close()
def break_off(connection):
    connection.recv(10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
threading.Thread(target=serve, args=(7001, count), daemon=True).start()
print("ready")
serve(7002, break_off)
"""
ASKS = """
import socket
def of(port, host="203.0.113.2"):
    return socket.create_connection((host, port), 10)
counted = of(7001)
print(counted.recv(100).decode().strip())
counted.sendall(bytes(1000000))
counted.shutdown(socket.SHUT_WR)
print(counted.recv(100).decode().strip())
def outcome(port, host="203.0.113.2"):
    try:
        connection = of(port, host)
        connection.sendall(b"x" * 10)
        return "ended" if connection.recv(10) == b"" else "answered"
    except ConnectionResetError:
        return "reset"
print("refused" if outcome(7003) == "reset" else "not refused")
print("broken off" if outcome(7002) == "reset" else "not broken off")
for host in ("10.117.0.3", "198.51.100.1", "169.254.169.254"):
    print(host, "is refused" if outcome(7001, host) == "reset" else "is reached")
"""
CROWD = """
import os, socket, time
crowd = []
for i in range(200):
    stranger = socket.create_connection(("198.51.100.1", 7117))
    stranger.sendall(os.urandom(i))
    crowd.append(stranger)
print("connected")
time.sleep(60)
"""


class TunnelTest(TunnelCase):
    def test_one_connection_goes_over_both_links_and_nothing_is_left_behind(self):
        links = self.lab()
        before = [self.state_of(links, where) for where in ("client", "server")]
        relay = self.relay(links)
        tunnel = self.tunnel(links, "--json")
        tunnel.wait_for("wifi: the relay answers")
        tunnel.wait_for("lte: the relay answers")
        self.download(links)
        self.assertEqual(tunnel.end(), 0)
        shares = {link["name"]: link["share"] for link in json.loads(tunnel.lines[-1])["links"]}
        self.assertGreater(shares["lte"], 0.15)
        self.assertGreater(shares["wifi"], 0.4)
        self.assertEqual(relay.end(), 0)
        after = [self.state_of(links, where) for where in ("client", "server")]
        self.assertEqual(before, after)

    def test_a_connection_survives_a_link_that_dies_and_one_that_is_cut_off(self):
        links = self.lab("wifi 6Mbps 10ms; lte 6Mbps 30ms")
        self.relay(links)
        tunnel = self.tunnel(links)
        tunnel.wait_for("lte: the relay answers")
        with lab.outage(links, "wifi", 1, 2):
            self.download(links)
        tunnel.wait_for("wifi: the relay answers")
        # Packets vanish, and nobody is told.
        self.in_lab(links, "client", "nft", "add table inet cut; add chain inet cut in { type filter hook input priority 0; }; "
                    "add rule inet cut in iifname lte drop")
        self.download(links)

    def test_a_client_of_another_relay_gets_no_tunnel(self):
        links = self.lab()
        relay = self.relay(links)
        tunnel = self.start(links, "client", "tributary-tunnel", ORIGIN, key=self.add_client("other", "other_relay.key"))
        tunnel.wait_for("is this client in its list")
        self.assertNotIn("tributary0", self.in_lab(links, "client", "ip", "route"))
        self.assertEqual(tunnel.end(), 0)
        self.assertFalse(any("client" in line for line in relay.lines), relay.lines)

    def test_a_relay_lets_in_who_is_added_and_cuts_off_who_is_removed(self):
        links = self.lab()
        relay = self.relay(links)
        tunnel = self.tunnel(links)
        relay.wait_for("1 client")
        phone = self.start(links, "client", "tributary-tunnel", "--device", "phone0", "--network", "203.0.113.0/24", ORIGIN,
                           key=self.add_client("phone"))
        phone.wait_for("10.117.0.")
        relay.wait_for("2 clients")
        self.assertEqual([line.split()[0] for line in self.relay_keys("--key-file", "relay.key", "--clients").splitlines()],
                         ["laptop", "phone"])
        self.relay_keys("--key-file", "relay.key", "--remove-client", "phone")
        relay.wait_for("the list has changed: 1 in it")
        phone.wait_for("wifi: the relay does not answer")
        self.download(links)
        with open(self.folder / "relay.clients", "a") as clients:
            clients.write("nonsense\n")
        relay.wait_for("relay.clients:4: expected two words: the list before goes on")
        self.download(links)
        self.assertEqual(phone.end(), 0)
        self.assertEqual(tunnel.end(), 0)

    def test_a_relay_that_begins_anew_is_found_again_and_a_killed_one_leaves_no_rules(self):
        links = self.lab()
        relay = self.relay(links)
        self.tunnel(links)
        self.download(links)
        relay.end(signal.SIGKILL)
        relay = self.relay(links)
        relay.wait_for("1 client", 40)
        self.download(links)
        relay.end()
        self.assertNotIn("tributary", self.in_lab(links, "server", "nft", "list", "tables"))
        self.assertEqual(self.in_lab(links, "server", "cat", "/proc/sys/net/ipv4/ip_forward").strip(), "0")

    def test_two_relays_of_one_machine_leave_forwarding_to_the_last(self):
        links = self.lab()
        first = self.relay(links, "--network", "10.118.0.0/16", "--listen", "7118", "--device", "first", "--no-ipv6")
        second = self.relay(links)
        self.assertEqual(first.end(), 0)
        forwards = lambda: self.in_lab(links, "server", "cat", "/proc/sys/net/ipv4/ip_forward").strip()
        self.assertEqual(forwards(), "1")
        self.tunnel(links)
        self.download(links)
        self.assertEqual(second.end(), 0)
        self.assertEqual(forwards(), "0")

    def test_the_net_behind_the_relay_is_reached_under_its_address(self):
        links = self.lab(LINKS, "--origin")
        behind = self.serve_behind(links)
        self.relay(links)
        self.tunnel(links, "--network", "203.0.113.0/24")
        self.download(links, BEHIND)
        behind.wait_for("203.0.113.1 - -")  # the address of the relay

    @lab.only_if_long
    def test_a_nat_that_has_forgotten_is_passed_anew(self):
        links = self.lab(LINKS, "--nat", "wifi", "--nat", "lte")
        for timeout in ("udp_timeout", "udp_timeout_stream"):
            self.in_lab(links, "server", "sh", "-c", f"echo 2 >/proc/sys/net/netfilter/nf_conntrack_{timeout}")
        self.relay(links)
        tunnel = self.tunnel(links)
        tunnel.wait_for("lte: the relay answers")
        self.download(links)
        time.sleep(8)  # nothing is sent for longer than both NATs remember
        before = time.monotonic()
        lab.must(*links.client_command("ping", "-c", "1", "-W", "5", RELAY))
        self.assertLess(time.monotonic() - before, 1)
        self.download(links)
        counters = self.in_lab(links, "client", "nstat", "-asz", "UdpInCsumErrors")
        self.assertRegex(counters, r"UdpInCsumErrors +0 ")

    def test_split_connections_go_over_both_links_and_nothing_is_left_behind(self):
        links = self.lab("wifi 6Mbps 10ms; lte 4Mbps 100ms", "--origin")
        self.serve_behind(links)
        rules = self.in_lab(links, "client", "nft", "list", "ruleset")
        relay = self.relay(links, "--split")
        tunnel = self.tunnel(links, "--split", "--json")
        tunnel.wait_for("connections of TCP are split")
        before = time.monotonic()
        self.download(links, BEHIND)
        rate = 8 * SIZE / (time.monotonic() - before)
        self.assertGreater(rate, 7.5e6)  # more than wifi alone, which brings 5.7
        self.assertEqual(tunnel.end(), 0)
        shares = {link["name"]: link["share"] for link in json.loads(tunnel.lines[-1])["links"]}
        self.assertGreater(min(shares.values()), 0.25, shares)
        self.assertEqual(self.in_lab(links, "client", "nft", "list", "ruleset"), rules)
        self.assertEqual(relay.end(), 0)

    def test_a_split_connection_survives_links_that_die_one_after_the_other(self):
        links = self.lab("wifi 6Mbps 10ms; lte 6Mbps 30ms", "--origin")
        self.serve_behind(links)
        self.relay(links, "--split")
        tunnel = self.tunnel(links, "--split")
        tunnel.wait_for("connections of TCP are split")
        with lab.outage(links, "wifi", 1, 3):
            self.download(links, BEHIND)
        tunnel.wait_for("wifi: the relay answers")
        time.sleep(1)  # its connection is made anew
        lab.netlab("set", links.name, "lte", "blackhole")
        self.download(links, BEHIND)

    def test_a_split_connection_ends_as_the_server_ends_it(self):
        links = self.lab(LINKS, "--origin")
        self.relay(links, "--split")
        self.tunnel(links, "--split").wait_for("connections of TCP are split")
        server = self.folder / "server.py"
        server.write_text(SPEAKS_FIRST)
        speaker = self.program_in(links, "origin", "python3", "-u", server)
        speaker.wait_for("ready")
        client = self.folder / "client.py"
        client.write_text(ASKS)
        said = lab.must(*links.client_command("python3", client))
        self.assertEqual(said.splitlines(), ["hello", "1000000 bytes", "refused", "broken off", "10.117.0.3 is refused",
                                             "198.51.100.1 is refused", "169.254.169.254 is refused"])

    @lab.only_if_long
    def test_a_relay_that_does_not_split_is_named_and_begins_to(self):
        links = self.lab(LINKS, "--origin")
        self.serve_behind(links)
        relay = self.relay(links)
        tunnel = self.tunnel(links, "--split")
        tunnel.wait_for("the relay takes no connection of TCP: does it run with --split?")
        self.download(links, BEHIND)  # as packets
        relay.end(signal.SIGKILL)
        self.relay(links, "--split")
        tunnel.wait_for("connections of TCP are split", 60)
        self.download(links, BEHIND)

    def test_strangers_keep_nobody_from_splitting(self):
        links = self.lab(LINKS, "--origin")
        self.serve_behind(links)
        self.relay(links, "--split")
        crowd = Program([str(word) for word in links.client_command("python3", "-u", "-c", CROWD)])
        self.addCleanup(crowd.end)
        crowd.wait_for("connected")
        self.tunnel(links, "--split").wait_for("connections of TCP are split")
        self.download(links, BEHIND)

    def test_a_link_that_costs_carries_only_while_no_free_one_answers(self):
        links = self.lab()
        self.relay(links)
        tunnel = self.tunnel(links, "--link", "lte=metered:1GB")
        tunnel.wait_for("wifi: the relay answers")
        self.download(links)
        self.assertFalse(any(line.startswith("tributary-tunnel: lte") for line in tunnel.lines), tunnel.lines)
        self.in_lab(links, "client", "nft", "add table inet cut; add chain inet cut in { type filter hook input priority 0; }; "
                    "add rule inet cut in iifname wifi drop")
        cut = time.monotonic()
        self.download(links)
        tunnel.wait_for("lte: used although it costs something")
        self.assertLess(time.monotonic() - cut, 40)
        self.in_lab(links, "client", "nft", "delete table inet cut")
        tunnel.wait_for("lte: not used any more", 60)

    def test_the_tunnel_is_no_link_of_other_programs(self):
        links = self.lab()
        self.relay(links)
        self.tunnel(links)
        listed = json.loads(lab.must(*links.client_command(BIN / "tributary-links", "--json")))["links"]
        self.assertEqual({link["name"]: link["kind"] for link in listed}["tributary0"], "tunnel")
        report = json.loads(lab.must(*links.client_command(BIN / "tributary-get", "--json", "-o", self.folder / "got.bin",
                                                           f"http://{ORIGIN}/file.bin")))
        self.assertEqual({link["name"] for link in report["links"]}, {"wifi", "lte"})

    def test_a_tunnel_without_links_says_so_and_takes_the_first_that_comes(self):
        links = self.lab()
        for link in ("wifi", "lte"):
            lab.netlab("set", links.name, link, "down")
        self.relay(links)
        tunnel = self.start(links, "client", "tributary-tunnel", ORIGIN)
        tunnel.wait_for("no link leads to the relay")
        lab.netlab("set", links.name, "lte", "up")
        tunnel.wait_for("10.117.0.")
        self.download(links)

    def test_what_is_missing_is_named(self):
        def complaint(program, *arguments, status=1):
            done = lab.run(BIN / program, *arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            return done.stderr

        key, relay_key = self.keys["tributary-tunnel"], self.keys["tributary-relay"]
        readable = self.folder / "readable"
        readable.write_text(relay_key.read_text())
        readable.chmod(0o644)
        self.assertIn("chmod 600", complaint("tributary-relay", "--key-file", readable))
        empty = self.folder / "empty"
        empty.touch(0o600)
        self.assertIn("this is no key", complaint("tributary-tunnel", "--key-file", empty, "192.0.2.1"))
        old = self.folder / "old"
        old.touch(0o600)
        old.write_text("A" * 43 + "\n")
        self.assertIn("old:1: this key is of the kind that all clients of a relay shared",
                      complaint("tributary-tunnel", "--key-file", old, "192.0.2.1"))
        self.assertIn("this is the key of a relay, not the key of a client",
                      complaint("tributary-tunnel", "--key-file", relay_key, "192.0.2.1"))
        self.assertIn("File exists", complaint("tributary-relay", "--new-key", relay_key))
        self.assertIn("there is a client of this name", complaint("tributary-relay", "--key-file", relay_key, "--add-client", "laptop"))
        self.assertIn("there is no such client", complaint("tributary-relay", "--key-file", relay_key, "--remove-client", "phone"))
        self.assertIn("--key-file is required", complaint("tributary-relay", "--clients", status=2))
        self.assertIn("expected a port", complaint("tributary-tunnel", "--key-file", key, "host:70000", status=2))
        self.assertIn("expected a network", complaint("tributary-tunnel", "--key-file", key, "--network", "nowhere", "host", status=2))
        self.assertIn("expected the name of a device", complaint("tributary-relay", "--key-file", relay_key, "--device=-x", status=2))
        self.assertIn("there is no such link", complaint("tributary-tunnel", "--key-file", key, "--link", "nosuch", "192.0.2.1", status=3))


if __name__ == "__main__":
    lab.main()
