#!/usr/bin/python3
"""What the player serves of a folder of this computer, to itself and to nobody else. Usage: local_server_test.py BIN_DIR SOURCE_DIR"""
import os
import pathlib
import re
import socket
import tempfile
import unittest

import desktop

desktop.start_anew_on_a_bus()

from desktop import Player, run, until  # noqa: E402

BIG = 300_000_000  # bytes of a file that takes no room on the disk
CURL = ["curl", "-s", "--path-as-is", "--http1.1", "-w", "%{http_code}"]


class LocalServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(desktop.screen())

    def setUp(self):
        self.above = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="films of ")))
        self.folder = self.above / "a film"
        (self.folder / "low").mkdir(parents=True)
        (self.folder / "index.json").write_text("{}")
        (self.folder / "low" / "1 2.m4s").write_bytes(bytes(range(256)) * 40)
        (self.above / "secret").write_text("not yours")
        with open(self.folder / "big", "wb") as big:
            big.truncate(BIG)
        # What the sanitizer keeps of what was given back does not count.
        self.player = Player("", self.folder, environment={"ASAN_OPTIONS": "quarantine_size_mb=1:" + os.environ.get("ASAN_OPTIONS", "")})
        self.addCleanup(self.player.close)
        self.url = self.player.expect("open (http://127.0.0.1:.*)/index.json 0.000")[1]
        self.port, self.path = int(re.match("http://127.0.0.1:(\\d+)", self.url)[1]), re.sub("^http://[^/]*", "", self.url)

    def tearDown(self):
        self.assertEqual(self.status("/index.json"), "200")  # whatever was asked before
        self.assertEqual(self.player.complaints, [])

    def status(self, path, *options):
        return run(*CURL, *(() if "-o" in options else ("-o", "/dev/null")), *options, self.url + path)

    def memory(self):
        """What the player has ever had of it, in bytes."""
        text = pathlib.Path(f"/proc/{self.player.process.pid}/status").read_text()
        return 1024 * int(re.search("VmHWM:\\s*(\\d+)", text)[1])

    def ask(self, *lines):
        """A connection of its own, on which this was asked."""
        connection = self.enterContext(socket.create_connection(("127.0.0.1", self.port), timeout=desktop.WAIT))
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return connection

    def test_files_and_ranges(self):
        self.assertEqual(run(*CURL, self.url + "/index.json"), "{}200")
        film = "/low/1%202.m4s"
        # What is no single range of bytes is as if there were none (RFC 9110 section 14.2).
        for asked, begin, end in (("0-0", 0, 1), ("65-67", 65, 68), ("10000-", 10000, 10240), ("10000-99999999999999999999", 10000, 10240),
                                  ("-40", 10200, 10240), ("-99999999999999999999", 0, 10240)):
            with self.subTest(asked):
                self.assertEqual(self.status(film, "-r", asked, "-o", self.above / "part", "-D", self.above / "head"), "206")
                self.assertEqual((self.above / "part").read_bytes(), (bytes(range(256)) * 40)[begin:end])
                self.assertIn(f"bytes {begin}-{end - 1}/10240", (self.above / "head").read_text())
        for asked in ("10240-", "99999999999999999999-", "-0"):
            self.assertEqual(self.status(film, "-r", asked, "-D", self.above / "head"), "416", asked)
            self.assertIn("bytes */10240", (self.above / "head").read_text())
        for header in ("bytes=5-2", "bytes=", "bytes=-", "bytes=a-b", "bytes=0-1,5-6", "bytes=--5", "bytes=+0-1", "pieces=0-1", "bytes=0x0-0x1"):
            with self.subTest(header):
                self.assertEqual(self.status(film, "-H", f"Range: {header}", "-o", self.above / "whole"), "200")
                self.assertEqual((self.above / "whole").stat().st_size, 10240)
        self.assertEqual(self.status(film, "-r", "65-67", "-H", 'If-Range: "old"'), "200")
        self.assertEqual(self.status(film, "--head", "-r", "65-67", "-o", self.above / "head"), "200")
        self.assertIn("Content-Length: 10240", (self.above / "head").read_text())
        (self.folder / "empty").touch()
        self.assertEqual(run(*CURL, self.url + "/empty"), "200")

    def test_thousands_of_ranges_cost_no_more_than_one(self):
        before = self.memory()
        for ranges in (",".join(f"{i}-" for i in range(3000)), ",".join(f"{2 * i}-{2 * i}" for i in range(3000)), "0-" + ",0-" * 9000):
            self.assertIn(self.status("/big", "-H", f"Range: bytes={ranges}", "-w", "%{http_code} %{size_download}"),
                          (f"200 {BIG}", "400 0", "431 0"))
        self.assertLess(self.memory() - before, BIG)

    def test_nothing_outside_of_the_folder(self):
        (self.folder / "out").symlink_to("../secret")
        (self.folder / "root").symlink_to("/")
        (self.folder / "in").symlink_to("low/1 2.m4s")
        os.mkfifo(self.folder / "pipe")
        outside = self.folder.name.replace(" ", "%20")
        self.assertEqual(self.status("/in"), "200")
        for wrong in ("/none", "/low", "/", "/pipe", "/out", "/root/etc/hostname", "/../secret", "/%2e%2e/secret", "/..%2fsecret", "/%2fetc%2fhostname",
                      "//etc/hostname", "/low/../../secret", f"/../{outside}/index.json", f"/low/%2e%2e/../../{outside}/index.json", "/index.json%00",
                      "/../../../../../../etc/hostname", "/" + "x" * 5000):
            with self.subTest(wrong):
                self.assertIn(self.status(wrong), ("400", "404"))
        self.assertEqual(run(*CURL, "-o", "/dev/null", self.url.rsplit("/", 1)[0] + "/index.json"), "404")  # without the secret

    def test_only_its_own_name(self):
        for host, answer in ((f"127.0.0.1:{self.port}", "200"), (f"localhost:{self.port}", "200"), ("evil.example", "421"),
                             (f"evil.example:{self.port}", "421"), ("127.0.0.1", "421"), (f"127.0.0.1:{self.port ^ 1}", "421"),
                             (f"127.0.0.1.evil.example:{self.port}", "421"), (f"evil.example@127.0.0.1:{self.port}", "4.."), ("", "4..")):
            with self.subTest(host):
                connection = self.ask(f"GET {self.path}/index.json HTTP/1.1", f"Host: {host}")
                self.assertRegex(connection.recv(100).decode(), f"^HTTP/1.1 {answer} ")
        with self.subTest("absolute"):
            connection = self.ask(f"GET http://evil.example{self.path}/index.json HTTP/1.1", f"Host: 127.0.0.1:{self.port}")
            self.assertRegex(connection.recv(100).decode(), "^HTTP/1.1 4")

    def test_only_to_be_read(self):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"):
            self.assertEqual(self.status("/index.json", "-X", method, "-D", self.above / "head"), "405", method)
            self.assertIn("Allow: GET, HEAD", (self.above / "head").read_text())
        before = self.memory()
        for method in ("GET", "POST"):
            self.status("/index.json", "-X", method, "-H", "Expect:", "--data-binary", f"@{self.folder}/big")
        self.assertLess(self.memory() - before, BIG)
        self.assertEqual((self.folder / "index.json").read_text(), "{}")

    def test_many_who_read_nothing(self):
        before = self.memory()
        for _ in range(300):
            self.ask(f"GET {self.path}/big HTTP/1.1", f"Host: 127.0.0.1:{self.port}")
        for _ in range(300):
            self.ask("GET")  # and no more
        self.assertEqual(self.status("/big", "-r", "0-9999999"), "206")
        self.assertLess(self.memory() - before, BIG)
        self.assertLess(len(os.listdir(f"/proc/{self.player.process.pid}/fd")), 200)

    def test_a_file_that_changes_on_its_way_is_cut_off(self):
        for change in (lambda: os.truncate(self.folder / "big", 1000), lambda: (self.folder / "big").write_bytes(b"\1" * 1000)):
            with open(self.folder / "big", "wb") as big:
                big.truncate(BIG)
            connection = self.ask(f"GET {self.path}/big HTTP/1.1", f"Host: 127.0.0.1:{self.port}")
            head = connection.recv(1000)
            self.assertIn(f"Content-Length: {BIG}".encode(), head)
            change()
            size = 0
            try:
                while piece := connection.recv(1 << 20):
                    self.assertNotIn(b"\1", piece)
                    size += len(piece)
            except ConnectionResetError:
                pass
            self.assertLess(size, BIG)
        until(lambda: self.status("/big") == "200")

    def test_an_index_may_lie_elsewhere(self):
        link = self.above / "index.json"
        link.symlink_to("a film/index.json")
        player = Player("", link)
        self.addCleanup(player.close)
        url = player.expect("open (http://127.0.0.1:.*)/index.json 0.000")[1]
        self.assertEqual(run(*CURL, "-o", "/dev/null", url + "/low/1%202.m4s"), "200")


unittest.main(argv=["local_server_test"] + desktop.sys.argv[3:], verbosity=2)
