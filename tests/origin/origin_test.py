#!/usr/bin/env python3
"""Starts nginx and Apache with server-tools/origin/serve on loopback, and asks them what a client asks.

Usage: origin_test.py DIRECTORY_OF_SERVE. Ends with 77, which ctest counts as skipped, where neither is installed.
"""
import fcntl
import http.client
import itertools
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest

from served_origin import SERVERS, SKIPPED, ServedOrigin, free_port, serve

TOOLS = pathlib.Path(sys.argv[1])
SEGMENT = bytes(range(256)) * 400
IMMUTABLE = "public, max-age=31536000, immutable"


class Origin(ServedOrigin):
    """A server over a few files."""

    def __init__(self, server, *options):
        super().__init__("origin-test-")
        (self.content / "low").mkdir()
        (self.content / "low/00001.m4s").write_bytes(SEGMENT)
        for name in ("manifest.mpd", "master.m3u8", "index.json", "low/audio.m4a"):
            (self.content / name).write_text("text " * 1000, encoding="ascii")
        self.start(TOOLS, server, *options)

    def ask(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        response.body = response.read()
        connection.close()
        return response

    def pipelined_ranges(self, count):
        """Sends requests of ten bytes each, all at once over one connection; the (status, body) that came back."""
        requests = "".join(f"GET /low/00001.m4s HTTP/1.1\r\nHost: origin\r\nRange: bytes={10 * i}-{10 * i + 9}\r\n\r\n"
                           for i in range(count))
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            sender = threading.Thread(target=connection.sendall, args=[requests.encode()])
            sender.start()
            responses = connection.makefile("rb")
            answers = list(itertools.takewhile(bool, (read_response(responses) for _ in range(count))))
            sender.join()
            return answers


def read_response(stream):
    """The next (status, body), or nothing at the end."""
    status = stream.readline()
    if not status:
        return None
    length = 0
    for line in iter(stream.readline, b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return int(status.split()[1]), stream.read(length)


class OriginContract:
    """What every origin has to do; `server` names the one."""
    server = ""

    @classmethod
    def setUpClass(cls):
        cls.origin = Origin(cls.server)

    @classmethod
    def tearDownClass(cls):
        cls.origin.close()

    def test_types(self):
        for path, kind in (("low/00001.m4s", "video/mp4"), ("low/audio.m4a", "audio/mp4"),
                           ("manifest.mpd", "application/dash+xml"), ("index.json", "application/json"),
                           ("master.m3u8", "application/vnd.apple.mpegurl")):
            self.assertEqual(self.origin.ask(f"/{path}").getheader("Content-Type"), kind)

    def test_single_ranges(self):
        response = self.origin.ask("/low/00001.m4s", Range="bytes=1000-1999")
        self.assertEqual((response.status, response.body), (206, SEGMENT[1000:2000]))
        self.assertEqual(response.getheader("Content-Range"), f"bytes 1000-1999/{len(SEGMENT)}")
        response = self.origin.ask("/low/00001.m4s", Range=f"bytes={len(SEGMENT) - 5}-{len(SEGMENT) + 5}")
        self.assertEqual((response.status, response.body), (206, SEGMENT[-5:]))

    def test_a_range_behind_the_end(self):
        response = self.origin.ask("/low/00001.m4s", Range=f"bytes={len(SEGMENT)}-")
        self.assertEqual(response.status, 416)
        self.assertEqual(response.getheader("Access-Control-Allow-Origin"), "*")  # once: a browser refuses "*, *"

    def test_requests_without_end_on_one_connection(self):
        answers = self.origin.pipelined_ranges(1500)  # defaults: 1000 with nginx, 101 with Apache
        self.assertEqual(answers, [(206, SEGMENT[10 * i:10 * i + 10]) for i in range(1500)])

    def test_caching(self):
        self.assertEqual(self.origin.ask("/low/00001.m4s").getheader("Cache-Control"), IMMUTABLE)
        self.assertEqual(self.origin.ask("/manifest.mpd").getheader("Cache-Control"), "no-cache")
        self.assertNotEqual(self.origin.ask("/low/00002.m4s").getheader("Cache-Control"), IMMUTABLE)
        etag = self.origin.ask("/manifest.mpd").getheader("ETag")
        self.assertEqual(self.origin.ask("/manifest.mpd", If_None_Match=etag).status, 304)

    def test_media_is_not_compressed(self):
        response = self.origin.ask("/low/00001.m4s", Accept_Encoding="gzip")
        self.assertIsNone(response.getheader("Content-Encoding"))
        self.assertEqual(response.body, SEGMENT)

    def test_pages_of_other_origins_may_ask(self):
        for path in ("/low/00001.m4s", "/low/00002.m4s"):
            response = self.origin.ask(path, Origin="http://player.example")
            self.assertEqual(response.getheader("Access-Control-Allow-Origin"), "*")
            self.assertIn("Content-Range", response.getheader("Access-Control-Expose-Headers"))
        response = self.origin.ask("/low/00001.m4s", method="OPTIONS", Origin="http://player.example")
        self.assertEqual((response.status, response.getheader("Access-Control-Allow-Headers")), (204, "Range"))

    def test_a_second_server_in_the_same_place_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "runs from .* already"):
            serve(TOOLS, self.server, self.origin.content, "--state", self.origin.directory / "state")

    def test_a_limit_of_requests(self):
        origin = Origin(self.server, "--keepalive-requests", "5")
        self.addCleanup(origin.close)
        self.assertIn(len(origin.pipelined_ranges(20)), (5, 6))  # Apache does not count the first

    def test_https(self):
        with tempfile.TemporaryDirectory() as keys:
            subprocess.run([TOOLS / "make-certificate", keys, "origin.test", "127.0.0.1"], check=True)
            origin = Origin(self.server, "--tls", f"{keys}/server.pem", f"{keys}/server-key.pem")
            self.addCleanup(origin.close)
            trust = ssl.create_default_context(cafile=f"{keys}/ca.pem")
            connection = http.client.HTTPSConnection("127.0.0.1", origin.port, context=trust, timeout=10)
            connection.request("GET", "/low/00001.m4s")
            self.assertEqual(connection.getresponse().read(), SEGMENT)
            connection.close()


@unittest.skipUnless("nginx" in SERVERS, "nginx is not installed")
class NginxTest(OriginContract, unittest.TestCase):
    server = "nginx"


@unittest.skipUnless("apache" in SERVERS, "Apache is not installed")
class ApacheTest(OriginContract, unittest.TestCase):
    server = "apache"


@unittest.skipUnless(SERVERS, "there is no server")
class StateTest(unittest.TestCase):
    """Where a server's files are, and which server is ended."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="origin-state-test-"))  # private to this user
        self.addCleanup(shutil.rmtree, self.directory)
        self.content = pathlib.Path(tempfile.mkdtemp(prefix="origin-state-test-content-"))
        self.addCleanup(shutil.rmtree, self.content)
        self.content.chmod(0o755)
        (self.content / "name").write_text("first")
        self.port = free_port()
        self.states = self.directory / "tributary-origin"

    def serve(self, *arguments):
        return serve(TOOLS, *arguments, XDG_RUNTIME_DIR=str(self.directory))

    def start(self, *arguments):
        """The words that end it."""
        said = self.serve(SERVERS[0], self.content, "--port", self.port, "--address", "127.0.0.1", *arguments)
        stop = said.split("serve ")[-1].split()
        self.addCleanup(self.serve, *stop)
        return stop

    def answer(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/name")
        try:
            return connection.getresponse().read()
        finally:
            connection.close()

    def test_what_follows_a_failed_start_does_not_end_another_server(self):
        stop = self.start()
        first = set(self.states.iterdir())
        with self.assertRaisesRegex(RuntimeError, "did not start"):
            self.start()
        failed, = set(self.states.iterdir()) - first
        self.assertIn("no server runs", self.serve("stop", "--state", failed))
        self.assertEqual(self.answer(), b"first")
        with self.assertRaisesRegex(RuntimeError, f"--state {first.pop()}$"):
            self.serve("stop")
        self.serve(*stop)
        with self.assertRaises(ConnectionRefusedError):
            self.answer()

    def test_a_folder_names_the_server_that_this_user_started_on_it(self):
        self.start()
        other = pathlib.Path(tempfile.mkdtemp(prefix="origin-state-test-other-"))
        self.addCleanup(other.rmdir)
        self.assertIn("no server that you have started serves", self.serve("stop", other))
        self.assertEqual(self.answer(), b"first")
        elsewhere = {"XDG_RUNTIME_DIR": str(other)}  # as another user's
        other.chmod(0o700)
        self.addCleanup(lambda: (other / "tributary-origin").rmdir())
        self.assertIn("no server that you have started serves", serve(TOOLS, "stop", self.content, **elsewhere))
        first_port, self.port = self.port, free_port()
        second = self.start()
        with self.assertRaisesRegex(RuntimeError, "2 servers serve"):
            self.serve("stop", self.content)
        self.serve(*second)
        self.port = first_port
        self.serve("stop", self.content)
        with self.assertRaises(ConnectionRefusedError):
            self.answer()

    def test_what_servers_that_ended_have_left_is_removed_by_the_next_start(self):
        running = {self.start()[-1]}
        self.port = free_port()
        self.serve(*self.start())
        self.port = free_port()
        running.add(self.start()[-1])
        self.assertEqual({str(path) for path in self.states.iterdir()}, running)

    def test_a_process_that_is_not_the_server_of_the_state_is_not_ended(self):
        victim = pathlib.Path(self.start()[-1])
        for is_locked, said in ((False, "no server runs"), (True, "is not the server of")):
            with self.subTest(said):
                state = self.directory / said
                state.mkdir()
                shutil.copy(victim / "server.pid", state)
                with open(state / "lock", "w", encoding="utf-8") as lock:
                    if is_locked:
                        fcntl.flock(lock, fcntl.LOCK_EX)
                    try:
                        answer = self.serve("stop", "--state", state)
                    except RuntimeError as error:
                        answer = str(error)
                self.assertIn(said, answer)
                self.assertEqual(self.answer(), b"first")

    def test_a_state_can_be_used_again_when_its_server_has_ended(self):
        state = self.directory / "state"
        self.serve(*self.start("--state", state))
        self.assertIn("no server runs", self.serve("stop", "--state", state))
        self.start("--state", state)
        self.assertEqual(self.answer(), b"first")

    def test_the_key_of_a_certificate_is_not_written_where_others_can_write(self):
        keys = self.directory / "keys"
        for kind in self.prepared(keys):
            with self.subTest(kind):
                done = subprocess.run([TOOLS / "make-certificate", keys, "origin.test"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertIn("nobody else can write", done.stderr)

    def prepared(self, path):
        """Ways in which another user may have prepared a folder, with a link in it that leads to a file of this user."""
        mine = self.directory / "mine"
        elsewhere = self.directory / "elsewhere"
        for kind in ("link", "writable", *(["owned"] if os.geteuid() == 0 else [])):
            mine.write_text("mine")
            elsewhere.mkdir()
            folder = elsewhere if kind == "link" else path
            folder.mkdir(exist_ok=True)
            for name in ("site.conf", "nginx.conf", "apache.conf", "error.log", "server.pid", "lock",
                         "server-key.pem"):
                (folder / name).symlink_to(mine)
            if kind == "link":
                path.symlink_to(elsewhere)
            elif kind == "writable":
                path.chmod(0o777)
            else:
                os.chown(path, 12345, 12345)
            yield kind
            self.assertEqual(mine.read_text(), "mine")
            shutil.rmtree(elsewhere)
            path.unlink() if path.is_symlink() else shutil.rmtree(path)

    def test_a_folder_that_others_prepared_is_not_used(self):
        for kind in self.prepared(self.states):
            for words in ((SERVERS[0], self.content, "--port", self.port), ("stop",)):
                with self.subTest(kind, words=words), self.assertRaisesRegex(RuntimeError, "private to this user"):
                    self.serve(*words)
        state = self.directory / "state"
        for kind in self.prepared(state):
            for words in ((SERVERS[0], self.content, "--port", self.port), ("stop",)):
                for written in (state, f"{state}/"):
                    with self.subTest(kind, words=words), self.assertRaisesRegex(RuntimeError, "nobody else can write"):
                        self.serve(*words, "--state", written)

    def test_a_runtime_folder_that_others_can_write_to_is_not_used(self):
        self.directory.chmod(0o777)
        with self.assertRaisesRegex(RuntimeError, "needs --state"):
            self.serve("stop")
        self.assertEqual(list(self.directory.iterdir()), [])


if not SERVERS:
    print("skipped: neither nginx nor Apache is installed")
    sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1], verbosity=2)
