#!/usr/bin/env python3
"""tributary-origin --check against servers that speak HTTP wrongly or not at all: it ends in time, says what is wrong,
and prints no character of theirs that a terminal would obey.

Usage: origin_hostile_test.py DIRECTORY_OF_TRIBUTARY_ORIGIN
"""
import json
import pathlib
import random
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from presentation_files import write_presentation

TOOLS = pathlib.Path(sys.argv[1])
WITHIN_S = 1  # for servers that have no end
USAGE_ERROR, FINDINGS = 2, 5
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\xc2\x9b31m\x7f"


class Server:
    """Answers each request as `answer(connection, method, path)` does it."""

    def __init__(self, answer, context=None):
        self.answer, self.context = answer, context
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=[connection], daemon=True).start()

    def talk(self, connection):
        try:
            with self.context.wrap_socket(connection, server_side=True) if self.context else connection as stream:
                while b"\r\n\r\n" in (received := stream.recv(1 << 16)):
                    for request in received.split(b"\r\n\r\n")[:-1]:
                        if self.answer(stream, *request.decode("latin-1").split(" ")[:2]) == "end":
                            return
        except OSError:
            pass  # the client has gone


def sends(*parts, then="end"):
    """Sends these, the last of them without end if it is a function, and ends the connection."""
    def answer(connection, _method, _path):
        for part in parts:
            if callable(part):
                part(connection)
            else:
                connection.sendall(part)
        return then
    return answer


def without_end(bytes_each, pause_s=0.0):
    def write(connection):
        while True:
            connection.sendall(bytes_each)
            time.sleep(pause_s)
    return write


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def headed(headers, body=b"", status="200 OK"):
    return f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode("latin-1") + body


CHUNKED = headed("Transfer-Encoding: chunked")
BEHAVIOURS = {
    "drip": sends(without_end(b"H", 0.05)),
    "drip of headers": sends(b"HTTP/1.1 200 OK\r\n", without_end(b"A: b\r\n", 0.05)),
    "drip of a body": sends(headed("Content-Length: 10000000"), without_end(b".", 0.05)),
    "silence": sends(without_end(b"", 0.05)),
    "endless head": sends(b"HTTP/1.1 200 OK\r\n", without_end(b"A: b\r\n" * 1000)),
    "endless line": sends(b"HTTP/1.1 200 OK\r\nA: ", without_end(b"b" * 10000)),
    "endless status line": sends(without_end(b"HTTP" * 10000)),
    "a head of 10 MB": sends(headed("A: " + "b" * 10_000_000)),
    "100 headers": sends(headed("\r\n".join(f"A{i}: b" for i in range(101)))),
    "garbage": sends(random.Random(16).randbytes(100_000)),
    "nothing": sends(),
    "reset": sends(reset),
    "end within the status line": sends(b"HTTP/1."),
    "end within the head": sends(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "end within the body": sends(headed("Content-Length: 100", b"0123456789")),
    "huge length": sends(headed(f"Content-Length: {10**30}", b"x")),
    "length of 5000 digits": sends(headed("Content-Length: " + "9" * 5000, b"x")),
    "negative length": sends(headed("Content-Length: -5", b"x")),
    "length in words": sends(headed("Content-Length: ten", b"x")),
    "endless body": sends(headed("Connection: close"), without_end(b"[" * 10000)),
    "endless chunks": sends(CHUNKED, without_end(b"5\r\nabcde\r\n" * 1000)),
    "one chunk without end": sends(CHUNKED, b"7fffffffffffffff\r\n", without_end(b"." * 10000)),
    "negative chunk": sends(CHUNKED, b"-5\r\n", without_end(b"." * 10000)),
    "chunk in words": sends(CHUNKED, b"five\r\nabcde"),
    "endless trailers": sends(CHUNKED, b"0\r\n", without_end(b"A: b\r\n" * 1000)),
    "endless 100": sends(without_end(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)),
    "status of 20 digits": sends(headed("Content-Length: 0", status="9" * 20)),
    "no status": sends(b"HTTP/1.1\r\n\r\n"),
    "another version": sends(b"HTTP/9.9 200 OK\r\n\r\n"),
    "a loop of redirects": sends(headed("Location: /index.json\r\nContent-Length: 0", status="302 Found"), then=""),
    "redirect with secrets": sends(headed("Location: http://user:secret@host/?t=secret" + ESCAPES, status="302 Found")),
    "escapes in the reason": sends(headed("Content-Length: 0", status="500 " + ESCAPES)),
}
HEADERS = {
    "escapes": "Server: {0}\r\nETag: \"{0}\"\r\nDate: {0}\r\nCache-Control: {0}\r\nContent-Type: {0}\r\n"
               "Last-Modified: {0}\r\nAccess-Control-Allow-Origin: {0}\r\nKeep-Alive: {0}".format(ESCAPES),
    "huge numbers": "Keep-Alive: timeout={0}\r\nCache-Control: max-age={0}\r\n"
                    "Content-Range: bytes 0-0/{0}".format("9" * 5000),
    "a total of nothing": "Content-Range: bytes 0-0/0",
    "wrong dates": "Date: Mon, 99 Foo 9999 99:99:99 GMT\r\nLast-Modified: yesterday",
    "dates at the edge": "Date: Fri, 31 Dec 9999 23:59:59 -2359\r\nLast-Modified: Mon, 01 Jan 0001 00:00:00 +2359",
}


def index_with(**fields):
    track = {"kind": "video", "uri": "low/{n:05}.m4s", "first": 1, "bytes": [1], **fields}
    return json.dumps({"tracks": [track]}).encode()


INDEXES = {
    "5 MB of [": b"[" * 5_000_000, "a number of 5000 digits": b"9" * 5000, "nothing": b"", "no JSON": b"{",
    "escapes in a name": index_with(uri=f"{ESCAPES}\u202e{{n}}"),
    "half a character in a name": index_with(uri="\ud800{n}"),
    "a name elsewhere": index_with(uri="http://elsewhere/{n}"),
    "a name on another host": index_with(uri="//elsewhere/{n}"),
    "a request in a name": index_with(uri="x HTTP/1.1\r\nA: {n}"),
    "a number that is none": index_with(first="1"), "a huge number": index_with(first=10**4200),
    "endless": index_with(first=1e999),
    "a list": b"[]", "tracks": b'{"tracks": 1}', "names": b'{"tracks": [], "manifests": {"hls": 1}}',
}


def check(url, *options):
    command = [TOOLS / "tributary-origin", "--check", url, "--requests", "20", *options]
    return subprocess.run(command, capture_output=True, text=True, errors="surrogateescape", check=False)


class HostileTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="origin-hostile-test-")
        self.addCleanup(temporary.cleanup)
        self.files = pathlib.Path(temporary.name)
        write_presentation(self.files)

    def server(self, answer, context=None):
        server = Server(answer, context)
        self.addCleanup(server.listener.close)
        return server

    def expect(self, done, statuses):
        self.assertIn(done.returncode, statuses, done)
        self.assertNotIn("Traceback", done.stderr)
        said = done.stdout + done.stderr
        self.assertEqual(re.findall("[\0-\x09\x0b-\x1f\x7f-\x9f\u202e\udc80-\udcff]", said), [])
        self.assertNotIn("secret", said)
        return said

    def answer_well(self, connection, method, path, headers=""):
        file = self.files / path.lstrip("/")
        body = file.read_bytes() if file.is_file() else b""
        head = f"Content-Length: {len(body)}\r\n{headers}".strip()
        connection.sendall(headed(head, body if method == "GET" else b""))

    def test_a_server_that_does_not_speak_http_is_named(self):
        for name, answer in BEHAVIOURS.items():
            with self.subTest(name):
                done = check(f"http://127.0.0.1:{self.server(answer).port}/", "--json", "--within", str(WITHIN_S))
                self.expect(done, (USAGE_ERROR, FINDINGS))
                if done.returncode == FINDINGS:
                    self.assertGreater(json.loads(done.stdout)["findings"], 0)

    def test_a_server_that_speaks_wrongly_of_media_alone_is_named(self):
        for name, wrongly in BEHAVIOURS.items():
            def answer(connection, method, path, wrongly=wrongly):
                return (self.answer_well if path == "/index.json" else wrongly)(connection, method, path)
            with self.subTest(name):
                url = f"http://127.0.0.1:{self.server(answer).port}/"
                self.expect(check(url, "--within", str(WITHIN_S)), (FINDINGS,))

    def test_headers_are_findings_and_not_obeyed(self):
        for name, headers in HEADERS.items():
            for status in ("200 OK", "206 Partial Content"):
                def answer(connection, method, path, headers=headers, status=status):
                    if path == "/index.json":
                        self.answer_well(connection, method, path, headers)
                    else:
                        connection.sendall(headed(f"Content-Length: 1\r\n{headers}", b"x", status))
                with self.subTest(name, status=status):
                    self.expect(check(f"http://127.0.0.1:{self.server(answer).port}/"), (FINDINGS,))

    def test_what_is_no_index_is_refused(self):
        for name, body in INDEXES.items():
            url = f"http://127.0.0.1:{self.server(sends(headed(f'Content-Length: {len(body)}', body))).port}/"
            with self.subTest(name):
                self.expect(check(url), (USAGE_ERROR,))

    def test_a_server_that_does_not_speak_tls_is_not_blamed_for_its_certificate(self):
        keys = self.files / "keys"
        subprocess.run([TOOLS / "make-certificate", keys, "127.0.0.1"], check=True)
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        old.load_cert_chain(keys / "server.pem", keys / "server-key.pem")
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1
        url = f"https://127.0.0.1:{self.server(sends(), old).port}/"
        self.assertIn("before 1.2", self.expect(check(url, "--cacert", keys / "ca.pem"), (FINDINGS,)))
        for name, expected in (("no status", "is not TLS"), ("garbage", ""), ("drip", ""), ("silence", ""),
                               ("nothing", ""), ("reset", "")):
            answer = BEHAVIOURS[name]
            listener = socket.create_server(("127.0.0.1", 0))
            self.addCleanup(listener.close)

            def talk(listener=listener, answer=answer):
                try:
                    while True:
                        connection, _ = listener.accept()
                        with connection:
                            answer(connection, "", "")
                except OSError:
                    pass
            threading.Thread(target=talk, daemon=True).start()
            with self.subTest(name):
                url = f"https://127.0.0.1:{listener.getsockname()[1]}/"
                said = self.expect(check(url, "--within", str(WITHIN_S)), (USAGE_ERROR, FINDINGS))
                self.assertNotIn("trusted", said)
                self.assertIn(expected, said)

    def test_what_is_secret_in_the_address_is_not_shown(self):
        port = self.server(self.answer_well).port
        there = f"http://user:secret@127.0.0.1:{port}"
        for url in (f"{there}/index.json?t=secret", f"{there}/no?t=secret", "http://user:secret@127.0.0.1:1/?secret",
                    "ftp://user:secret@host/?t=secret", "user:secret@host/?t=secret", "http://user:secret@[/",
                    "http://user:secret@host:x/"):
            for options in ((), ("--json",)):
                with self.subTest(url, options=options):
                    self.expect(check(url, *options), (USAGE_ERROR, FINDINGS))


unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
