#!/usr/bin/env python3
"""Brings labs up with tributary-netlab and looks at them from inside.

Usage: lab_test.py NETLAB_EXECUTABLE. Ends with 77, which ctest counts as skipped, where labs are not possible.
"""
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import unittest

SKIPPED = 77
ORIGIN = "198.51.100.1"
PORT = 7000
TOLERANCE_MS = 8
NETLAB = sys.argv[1]


def netlab(*arguments):
    done = subprocess.run([NETLAB, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


# ---- what runs inside a lab -------------------------------------------------------------------------------------


def serve():
    """Answers "who" with the sender's address, any other datagram with itself, and each connection with bytes without end."""
    echo = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    echo.bind((ORIGIN, PORT))
    source = socket.create_server((ORIGIN, PORT))
    if os.fork() == 0:
        while True:
            text, sender = echo.recvfrom(100)
            echo.sendto(sender[0].encode() if text == b"who" else text, sender)
    print("ready", flush=True)
    while True:
        connection = source.accept()[0]
        if os.fork() == 0:
            with contextlib.suppress(OSError):  # the receiver has had enough
                while True:
                    connection.sendall(bytes(65536))
            os._exit(0)


def bound_socket(kind, link):
    result = socket.socket(socket.AF_INET, kind)
    result.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, link.encode())
    result.settimeout(1)
    return result


def print_rtt_ms(link, expected_ms):
    """The smallest that was met: a busy machine can only add to it, and so it is measured until it is what is expected, for
    as long as a minute. A link that loses all of it answers nothing at all."""
    def one():
        begin = time.monotonic()
        try:
            echo = bound_socket(socket.SOCK_DGRAM, link)
            echo.sendto(b"x", (ORIGIN, PORT))
            echo.recv(100)
        except OSError:
            return float("inf")
        return 1e3 * (time.monotonic() - begin)
    end = time.monotonic() + 60
    smallest_ms = min(one() for _ in range(2))
    while float(expected_ms) + TOLERANCE_MS <= smallest_ms and float(expected_ms) < float("inf") and time.monotonic() < end:
        smallest_ms = min(smallest_ms, one())
    print(smallest_ms)


def print_bytes_received(link, seconds):
    connection = bound_socket(socket.SOCK_STREAM, link)
    connection.connect((ORIGIN, PORT))
    end = time.monotonic() + float(seconds)
    total = 0
    while time.monotonic() < end:
        total += len(connection.recv(65536))
    print(total)


def print_own_address(link):
    """As the server sees it."""
    asks = bound_socket(socket.SOCK_DGRAM, link)
    asks.sendto(b"who", (ORIGIN, PORT))
    print(asks.recv(100).decode())


def print_congestion_control(link):
    """Of a connection that is being opened towards the client, and asks for another."""
    connection = bound_socket(socket.SOCK_STREAM, link)
    connection.setblocking(False)
    connection.connect_ex(("10.77.1.2", PORT))
    with contextlib.suppress(PermissionError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"reno")
    print(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16).partition(b"\0")[0].decode())


# ---- what is expected -------------------------------------------------------------------------------------------


class Lab:
    """A lab with a server in it, and a name that no other run uses."""

    def __init__(self, suffix, scenario, *options):
        self.name = f"test-{os.getpid()}-{suffix}"
        netlab("up", self.name, scenario, *options)
        self.server = self.start("server", "serve")
        self.server.stdout.readline()

    def start(self, side, *arguments):
        return subprocess.Popen([NETLAB, "exec", self.name, side, "--", sys.executable, __file__, NETLAB, *arguments],
                                stdout=subprocess.PIPE, text=True)

    def result(self, *arguments):
        return float(self.start("client", *arguments).communicate()[0])

    def rtt_ms(self, link, expected_ms=float("inf")):
        return self.result("rtt", link, str(expected_ms))

    def set(self, *arguments):
        netlab("set", self.name, *arguments)

    def carrier(self, link):
        shown = netlab("exec", self.name, "client", "--", "ip", "-json", "link", "show", "dev", link)
        return "NO-CARRIER" not in json.loads(shown)[0]["flags"]

    def stats(self):
        return json.loads(netlab("stats", self.name, "--json"))

    def down(self):
        netlab("down", self.name)
        self.server.communicate()


class LabTest(unittest.TestCase):
    def lab(self, suffix, scenario, *options):
        lab = Lab(suffix, scenario, *options)
        self.addCleanup(lab.down)
        return lab

    def assert_rtt(self, lab, link, rtt_ms):
        # Serialisation of the datagrams is less than 0.3 ms; the rest is for a busy machine.
        measured_ms = lab.rtt_ms(link, rtt_ms)
        self.assertGreaterEqual(measured_ms, rtt_ms)
        self.assertLess(measured_ms, rtt_ms + TOLERANCE_MS)

    def test_each_link_has_its_own_rtt(self):
        lab = self.lab("rtt", "near 8Mbps 10ms; far 8Mbps 60ms")
        self.assert_rtt(lab, "near", 10)
        self.assert_rtt(lab, "far", 60)
        lab.set("near", "rtt=40ms")
        self.assert_rtt(lab, "near", 40)

    def test_each_link_has_its_own_rate(self):
        lab = self.lab("rate", "wide 12Mbps 10ms; narrow 6Mbps 10ms")
        transfers = [lab.start("client", "receive", link, "3") for link in ("wide", "narrow")]
        wide, narrow = (float(transfer.communicate()[0]) for transfer in transfers)
        self.assertAlmostEqual(wide / narrow, 2, delta=0.3)

    def test_tcp_is_cubic_whoever_asks_for_something_else(self):
        lab = self.lab("cubic", "a 8Mbps 10ms")
        self.assertEqual(lab.start("server", "congestion", "a").communicate()[0].strip(), "cubic")

    def test_a_link_that_is_down_has_no_carrier_and_returns(self):
        lab = self.lab("down", "a 8Mbps 10ms; b 8Mbps 10ms; late 8Mbps 10ms, joins 1h")
        self.assertEqual([lab.carrier(link) for link in ("a", "b", "late")], [True, True, False])
        lab.set("a", "down")
        self.assertFalse(lab.carrier("a"))
        self.assertEqual(lab.rtt_ms("a"), float("inf"))
        self.assert_rtt(lab, "b", 10)
        lab.set("a", "up")
        self.assertTrue(lab.carrier("a"))
        self.assert_rtt(lab, "a", 10)

    def test_a_device_that_is_deleted_leaves_the_others(self):
        lab = self.lab("delete", "a 8Mbps 10ms; b 8Mbps 10ms")
        netlab("exec", lab.name, "client", "--", "ip", "link", "delete", "dev", "a")
        lab.set("a", "down")
        self.assert_rtt(lab, "b", 10)

    def test_a_blackhole_looks_up(self):
        lab = self.lab("hole", "a 8Mbps 10ms")
        lab.set("a", "blackhole")
        self.assertTrue(lab.carrier("a"))
        self.assertEqual(lab.rtt_ms("a"), float("inf"))
        self.assertGreater(lab.stats()["links"][0]["to_server"]["dropped_down"], 0)
        lab.set("a", "up")
        self.assert_rtt(lab, "a", 10)

    def test_a_scenario_plays_from_when_it_is_asked_for(self):
        lab = self.lab("play", "a 8Mbps 10ms, at 1ms rtt 90ms")
        self.assert_rtt(lab, "a", 10)
        begin = time.monotonic()
        netlab("play", lab.name, "a 8Mbps 20ms, at 500ms rtt 50ms")
        self.assertGreaterEqual(time.monotonic() - begin, 0.5)
        self.assert_rtt(lab, "a", 50)

    def test_a_nat_hides_the_client_of_its_link(self):
        lab = self.lab("nat", "a 8Mbps 10ms; b 8Mbps 10ms", "--nat", "b")
        self.assertEqual([lab.start("client", "address", link).communicate()[0].strip() for link in ("a", "b")],
                         ["10.77.1.2", "10.77.2.200"])
        self.assert_rtt(lab, "b", 10)

    def test_members_forward_and_their_links_fail_unannounced(self):
        lab = self.lab("members", "a 8Mbps 10ms; b 8Mbps 60ms", "--members")
        self.assertEqual([lab.start("client", "address", link).communicate()[0].strip() for link in ("a", "b")],
                         ["10.77.129.2", "10.77.130.2"])
        self.assert_rtt(lab, "a", 10)
        self.assert_rtt(lab, "b", 60)
        with self.assertRaises(RuntimeError):  # a member is a hop
            netlab("exec", lab.name, "client", "--", "ping", "-c", "1", "-W", "1", "-q", "-t", "1", ORIGIN)
        lab.set("a", "down")
        self.assertTrue(lab.carrier("a"))
        self.assertEqual(lab.rtt_ms("a"), float("inf"))
        self.assert_rtt(lab, "b", 60)

    def test_an_origin_is_reached_through_the_server(self):
        lab = self.lab("origin", "a 8Mbps 20ms", "--origin")
        ping = ("ping", "-c", "1", "-W", "1", "-q")
        netlab("exec", lab.name, "origin", "--", *ping, "203.0.113.1")
        netlab("exec", lab.name, "server", "--", *ping, "2001:db8:1::2")
        with self.assertRaises(RuntimeError):
            netlab("exec", lab.name, "client", "--", *ping, "203.0.113.2")
        netlab("exec", lab.name, "server", "--", "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward")
        netlab("exec", lab.name, "client", "--", *ping, "203.0.113.2")
        other = self.lab("none", "a 8Mbps 20ms")
        with self.assertRaisesRegex(RuntimeError, "no origin"):
            netlab("exec", other.name, "origin", "--", "true")

    def test_labs_do_not_collide(self):
        labs = [self.lab("one", "a 8Mbps 10ms"), self.lab("two", "a 8Mbps 50ms")]
        self.assert_rtt(labs[0], "a", 10)
        self.assert_rtt(labs[1], "a", 50)
        with self.assertRaisesRegex(RuntimeError, "is up already"):
            netlab("up", labs[0].name, "a 8Mbps 10ms")
        self.assert_rtt(labs[0], "a", 10)

    def test_down_leaves_nothing(self):
        lab = Lab("end", "a 8Mbps 10ms")
        daemon = lab.stats()["pid"]
        self.assertIn(lab.name, netlab("list"))
        lab.down()
        self.assertIsNotNone(lab.server.poll())
        self.assertFalse(is_running(daemon))
        self.assertNotIn(lab.name, netlab("list"))
        self.assertIn("nothing to end", netlab("down", lab.name))

    def test_exec_passes_the_exit_status(self):
        lab = self.lab("exec", "a 8Mbps 10ms")
        done = subprocess.run([NETLAB, "exec", lab.name, "client", "--", "sh", "-c", "exit $1", "sh", "7"], check=False)
        self.assertEqual(done.returncode, 7)

    def test_members_have_a_lan_of_their_own(self):
        with self.assertRaisesRegex(RuntimeError, "\"lan\": expected another name"):
            netlab("up", f"test-{os.getpid()}-lan", "lan 8Mbps 10ms", "--members")

    def test_errors_quote_the_offending_words(self):
        lab = self.lab("errors", "a 8Mbps 10ms")
        for arguments, words in ((("set", lab.name, "a", "rate=8Mbsp"), '"8Mbsp"'),
                                 (("set", lab.name, "a", "sideways"), '"sideways"'),
                                 (("set", lab.name, "b", "up"), '"b"'),
                                 (("play", lab.name, "b 8Mbps 10ms"), '"b"'),
                                 (("up", "no/name", "a 8Mbps 10ms"), '"no/name"'),
                                 (("up", "other", "a 8Mbps 10ms", "--nat", "b"), "--nat b"),
                                 (("up", "other", "behind 8Mbps 10ms"), '"behind"'),
                                 (("stats", lab.name + "x"), "there is no lab")):
            with self.assertRaisesRegex(RuntimeError, words):
                netlab(*arguments)


def is_running(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def skip_where_labs_are_not_possible():
    try:
        lab = f"test-{os.getpid()}"
        netlab("up", lab, "a 1Mbps 1ms")
        netlab("down", lab)
    except RuntimeError as error:
        if "namespace" in str(error) or "/dev/net/tun" in str(error):
            print(f"skipped, labs are not possible here: {error}")
            sys.exit(SKIPPED)
        raise


INSIDE = {"serve": serve, "rtt": print_rtt_ms, "receive": print_bytes_received, "address": print_own_address,
          "congestion": print_congestion_control}

if len(sys.argv) > 2:
    INSIDE[sys.argv[2]](*sys.argv[3:])
else:
    skip_where_labs_are_not_possible()
    unittest.main(argv=sys.argv[:1], verbosity=2)
