#!/usr/bin/env python3
"""A title of the internet leads no program to the user's machine or network, and the user is told at once. A title that is
at home there may lead anywhere.

Usage: guard_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import contextlib
import itertools
import os
import pathlib
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, ORIGIN, netlab  # noqa: E402
from told_program import Program  # noqa: E402

HERE = pathlib.Path(__file__).parent
OWN = "203.0.113.7"  # a public address of the client
NEIGHBOUR = "192.0.2.1"  # the server's, in a public network of the link
WHY = "is an address of this machine or its network, and a title of the internet may not lead there"
# Takes the playlist, and the first file whose name ends so; prints how long the answer took.
PLAYER = """
import re, sys, time, urllib.error, urllib.parse, urllib.request
playlist, name = sys.argv[1:]
text = urllib.request.urlopen(playlist).read().decode()
file = re.search(rf'[^"\\n]*{name}(?=["\\n])', text)[0]
begun = time.monotonic()
try:
    said = urllib.request.urlopen(urllib.parse.urljoin(playlist, file)).read()
except urllib.error.HTTPError as error:
    said = error
print(time.monotonic() - begun, said)
"""


class GuardTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="guard ")))
        cls.folder.chmod(0o755)
        cls.name = f"guard-{os.getpid()}"
        netlab("up", cls.name, "wifi 100Mbps 1ms")
        cls.addClassCleanup(netlab, "down", cls.name)
        lab.must(*cls.there("client", "ip", "address", "add", f"{OWN}/32", "dev", "lo"))
        lab.must(*cls.there("client", "ip", "address", "add", "192.0.2.7/24", "dev", "wifi"))
        lab.must(*cls.there("server", "ip", "address", "add", f"{NEIGHBOUR}/24", "dev", "wifi"))
        cls.ports = itertools.count(8000)

    @classmethod
    def there(cls, machine, *command):
        return [str(word) for word in [BIN / "tributary-netlab", "exec", cls.name, machine, "--", "env", "ASAN_OPTIONS=detect_leaks=0",
                                       f"XDG_STATE_HOME={cls.folder}", *command]]

    def origin(self, machine, address, elsewhere="http://none.invalid"):
        """Its address, and the file that gets the paths of requests."""
        port, log = next(self.ports), self.folder / f"requests {next(self.ports)}"
        log.touch()
        server = Program(self.there(machine, sys.executable, HERE / "luring_origin.py", address, port, elsewhere, log))
        self.addCleanup(server.end)
        server.wait_for("listening")
        return f"http://{address}:{port}", log

    def bench(self, url):
        return lab.run(*self.there("client", BIN / "tributary-bench", "-q", url, *(["--mode", "live-buffered"] if "live" in url else [])))

    def film(self, url):
        return lab.run(*self.there("client", BIN / "tributary-get", "-q", "--overwrite", "--remux", "-o", self.folder / "film.mp4", url))

    def file(self, url):
        return lab.run(*self.there("client", BIN / "tributary-get", "-q", "--overwrite", "-o", self.folder / "file", url))

    def expect_refused(self, program, url, refused):
        begun = time.monotonic()
        done = program(url)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"{refused} {WHY}", done.stdout + done.stderr)
        self.assertLess(time.monotonic() - begun, 20)  # a sanitized program on a busy machine; without an answer it is 30 s and more

    def test_titles_of_the_internet(self):
        near, log = self.origin("client", "127.0.0.1")
        far, _ = self.origin("server", ORIGIN, near)
        for program, ways in ((self.bench, ("addresses", "redirections", "manifest", "key", "live")), (self.film, ("addresses", "redirections"))):
            for way in ways:
                with self.subTest(program=program.__name__, way=way):
                    self.expect_refused(program, f"{far}/{way}/film.m3u8", "127.0.0.1")
        with self.subTest("file"):
            self.expect_refused(self.file, f"{far}/redirections/0.ts", "127.0.0.1")
        self.assertEqual(log.read_text(), "")

    def test_addresses_that_only_routes_tell(self):
        for machine, address in (("client", OWN), ("server", NEIGHBOUR)):
            near, log = self.origin(machine, address)
            far, _ = self.origin("server", ORIGIN, near)
            with self.subTest(address):
                self.expect_refused(self.bench, f"{far}/addresses/film.m3u8", address)
                self.assertEqual(log.read_text(), "")

    def test_channels_of_a_list(self):
        near, log = self.origin("client", "127.0.0.1")
        far, _ = self.origin("server", ORIGIN, near)
        proxy = lambda url: lab.run(*self.there("client", BIN / "tributary-proxy", url))
        for program in (self.bench, self.film, self.file, proxy):
            with self.subTest(program):
                self.expect_refused(program, f"{far}/list/film.m3u8#channel=elsewhere", "127.0.0.1")
        self.assertEqual(log.read_text(), "")
        for program, choice in ((self.bench, "#channel=1"), (self.file, "#channel=own")):
            with self.subTest(program=program, choice=choice):
                done = program(f"{far}/list/film.m3u8{choice}")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("#EXT-X-ENDLIST", (self.folder / "file").read_text())
        with self.subTest(choice="none"):  # of the proxy: proxy_test
            done = self.bench(f"{far}/list/film.m3u8")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"  1 Own: {far}/plain/film.m3u8\n  2 Elsewhere: {near}/plain/film.m3u8\n", done.stderr)
        home, _ = self.origin("client", "127.0.0.1", far)
        for channel in ("1", "Elsewhere"):
            with self.subTest(channel=channel, list="at home"):
                done = lab.run(*self.there("client", BIN / "tributary-bench", "-q", "--channel", channel, f"{home}/list/film.m3u8"))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_titles_that_are_at_home(self):
        for machine, address, ways in (("client", "127.0.0.1", ("addresses", "redirections", "manifest")),
                                       ("server", NEIGHBOUR, ("addresses",))):
            near, log = self.origin(machine, address)
            home, _ = self.origin(machine, address, near)
            for way in ways:
                with self.subTest(way=way, address=address):
                    done = self.bench(f"{home}/{way}/film.m3u8")
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("/plain/2.ts", log.read_text())

    def test_players_of_the_proxy(self):
        near, log = self.origin("client", "127.0.0.1")
        far, _ = self.origin("server", ORIGIN, near)
        ways = {"addresses": ".ts", "redirections": ".ts", "key": "key"}
        with contextlib.ExitStack() as stack:
            proxy = Program(self.there("client", BIN / "tributary-proxy", *(f"{far}/{way}/film.m3u8" for way in ways)))
            stack.callback(proxy.end)
            for way, name in ways.items():
                with self.subTest(way):
                    proxy.wait_for(f"/{way}/film.m3u8")
                    local = next(line for line in proxy.lines if line.endswith(f"/{way}/film.m3u8"))
                    played = lab.run(*self.there("client", sys.executable, "-c", PLAYER, local, name))
                    self.assertLess(float(played.stdout.split()[0]), 10, played.stdout)
                    proxy.wait_for(f"/{way}/film.m3u8: 127.0.0.1 {WHY}")
        with self.subTest("manifest"):
            self.expect_refused(lambda url: lab.run(*self.there("client", BIN / "tributary-proxy", url)), f"{far}/manifest/film.m3u8", "127.0.0.1")
        self.assertEqual(log.read_text(), "")


if __name__ == "__main__":
    lab.main()
