#!/usr/bin/env python3
"""tributary-origin --check against real nginx and Apache: nothing to find with the sites that tributary-origin writes,
and each setting that is spoilt is named.

Usage: origin_check_test.py DIRECTORY_OF_TRIBUTARY_ORIGIN. Ends with 77, which ctest counts as skipped, where neither
server is installed.
"""
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

from presentation_files import write_presentation
from served_origin import SERVERS, SKIPPED, ServedOrigin

TOOLS = pathlib.Path(sys.argv[1])

class Origin(ServedOrigin):
    """A presentation served with a site whose template has been changed: (old text, new text), each found once."""

    def __init__(self, server, changes=(), options=()):
        super().__init__("origin-check-test-")
        write_presentation(self.content)
        tools = self.directory / "tools"
        shutil.copytree(TOOLS, tools)
        template = tools / f"{server}-site.conf.in"
        text = template.read_text(encoding="utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise AssertionError(f"{template.name}: {text.count(old)} times {old}")
            text = text.replace(old, new)
        template.write_text(text, encoding="utf-8")
        self.start(tools, server, *options)


def check(url, *options):
    """The exit status and the results by name."""
    done = subprocess.run([TOOLS / "tributary-origin", "--check", url, "--json", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, check=False)
    if not done.stdout:
        raise AssertionError(done.stderr.decode())
    return done.returncode, {result["name"]: result for result in json.loads(done.stdout)["checks"]}


def problems(results):
    return {name: result["problems"] for name, result in results.items() if result["problems"]}


def wrong(results):
    return {name for name, result in results.items() if result["verdict"] == "wrong"}


NO_CORS = {"CORS", "CORS preflight"}
NGINX_ROOT = '  root "@CONTENT@";\n'
APACHE_ROOT = '  DocumentRoot "@CONTENT@"\n'
SPOILT = {
    "nginx": {
        "ranges off": ([(NGINX_ROOT, NGINX_ROOT + "max_ranges 0;\n")], {"ranges"}),
        "no CORS": ([("  add_header Access-Control-Allow-Origin $origin_allowed_origin always;\n", "")], NO_CORS),
        "no CORS on errors": ([("$origin_allowed_origin always;", "$origin_allowed_origin;")], {"CORS"}),
        "no preflight": ([("return 204;", "return 405;")], {"CORS preflight"}),
        "compressed media": ([("gzip_types ", "gzip_types video/mp4 ")], {"no compression of media"}),
        "wrong type": ([("mp4 m4s m4v", "mp4 m4v")], {"types"}),
        "manifests kept": ([("default no-cache;", 'default "public, max-age=60";')], {"caching of manifests"}),
        "media not kept": ([('"public, max-age=31536000, immutable"', "no-cache")], {"caching of media"}),
        "errors kept": ([("$origin_cache_control;  #", "$origin_cache_control always;  #")], {"caching of errors"}),
        "no validators": ([(NGINX_ROOT, NGINX_ROOT + "etag off;\n")], {"ETag and 304 of media", "304 of manifests"}),
        "wrong time": ([('"$time_iso8601\\n"', '"2020-01-01T00:00:00Z"')], {"/time"}),
    },
    "apache": {
        "ranges off": ([(APACHE_ROOT, APACHE_ROOT + "MaxRanges none\n")], {"ranges"}),
        "no CORS": ([("  Header always set Access-Control-Allow-Origin *\n", "")], NO_CORS),
        "no CORS on errors": ([("Header always set Access-Control-Allow-Origin",
                                "Header set Access-Control-Allow-Origin")], NO_CORS),
        "no preflight": ([("RewriteRule ^ - [R=204,L]", "RewriteRule ^ - [R=405,L]")], {"CORS preflight"}),
        "compressed media": ([("@LISTEN@\n", '@LISTEN@\nLoadModule deflate_module "${MODULES}/mod_deflate.so"\n'),
                              ("SetEnv no-gzip 1", "SetOutputFilter DEFLATE")],
                             {"no compression of media", "304 of manifests"}),
        "wrong type": ([(".mp4 .m4s .m4v", ".mp4 .m4v")], {"types"}),
        "manifests kept": ([("Header set Cache-Control no-cache", 'Header set Cache-Control "max-age=60"')],
                           {"caching of manifests"}),
        "media not kept": ([('"public, max-age=31536000, immutable"', "no-cache")], {"caching of media"}),
        "errors kept": ([("Header set Cache-Control no-cache env=!live", "Header set Cache-Control no-cache\n"
                          "  Header always set Cache-Control max-age=60 expr=%{REQUEST_STATUS}==404")],
                        {"caching of errors"}),
        "no validators": ([(APACHE_ROOT, APACHE_ROOT + "FileETag None\n")],
                          {"ETag and 304 of media", "304 of manifests"}),
        "short patience": ([("KeepAliveTimeout 75", "KeepAliveTimeout 5")], {"idle timeout"}),
        "wrong time": ([("%{TIME_YEAR}", "2020")], {"/time"}),
    },
}


class CheckContract:
    server = ""

    def origin(self, *arguments):
        origin = Origin(self.server, *arguments)
        self.addCleanup(origin.close)
        return origin

    def test_our_site_has_nothing_to_find(self):
        origin = self.origin()
        for url in (f"http://127.0.0.1:{origin.port}", f"http://127.0.0.1:{origin.port}/index.json"):
            status, results = check(url)
            self.assertEqual((status, wrong(results)), (0, set()), problems(results))
            self.assertEqual(results["requests per connection"]["note"], "1500 taken")
            self.assertEqual(results["/time"]["verdict"], "right")

    def test_our_site_with_tls(self):
        with tempfile.TemporaryDirectory() as keys:
            subprocess.run([TOOLS / "make-certificate", keys, "127.0.0.1"], check=True)
            origin = self.origin((), ("--tls", f"{keys}/server.pem", f"{keys}/server-key.pem"))
            url = f"https://127.0.0.1:{origin.port}/"
            status, results = check(url, "--cacert", f"{keys}/ca.pem")
            self.assertEqual((status, wrong(results)), (0, set()), problems(results))
            self.assertEqual((results["HTTP/2"]["verdict"], results["certificate"]["verdict"]), ("right", "right"))
            status, results = check(url)
            self.assertEqual((status, wrong(results)), (5, {"certificate"}), problems(results))

    def test_whatever_is_spoilt_is_named(self):
        for name, (changes, expected) in SPOILT[self.server].items():
            with self.subTest(name):
                modules = next((p for p in ("/usr/lib/apache2/modules", "/usr/lib64/httpd/modules",
                                            "/usr/lib/httpd/modules") if pathlib.Path(p).is_dir()), "")
                origin = self.origin([(old, new.replace("${MODULES}", modules)) for old, new in changes])
                status, results = check(f"http://127.0.0.1:{origin.port}/", "--requests", "50")
                self.assertEqual((status, wrong(results)), (5, expected), problems(results))
                for found in expected:
                    self.assertTrue(results[found]["nginx"] and results[found]["apache"])

    def test_a_limit_of_requests_is_named(self):
        origin = self.origin((), ("--keepalive-requests", "5"))
        status, results = check(f"http://127.0.0.1:{origin.port}/")
        self.assertEqual((status, wrong(results)), (5, {"requests per connection"}), problems(results))
        self.assertRegex(results["requests per connection"]["problems"][0], "ends after [56] of 1500 requests")


@unittest.skipUnless("nginx" in SERVERS, "nginx is not installed")
class NginxTest(CheckContract, unittest.TestCase):
    server = "nginx"


@unittest.skipUnless("apache" in SERVERS, "Apache is not installed")
class ApacheTest(CheckContract, unittest.TestCase):
    server = "apache"


class ForgetfulServer:
    """Speaks HTTP, but answers only the first of the requests that it finds waiting, and ends the connection then."""

    def __init__(self, directory):
        self.directory = directory
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=[connection], daemon=True).start()

    def talk(self, connection):
        with connection:
            while (received := connection.recv(1 << 20)).endswith(b"\r\n\r\n"):
                connection.sendall(self.answer(received.split(b"\r\n")))
                if received.count(b"\r\n\r\n") > 1:
                    return

    def answer(self, lines):
        method, path, _ = lines[0].decode().split()
        file = self.directory / path.lstrip("/")
        if not file.is_file():
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        body = file.read_bytes() if method == "GET" else b""
        asked = next((line.split(b"=")[1].split(b"-") for line in lines if line.startswith(b"Range: bytes=")), None)
        if not asked or not all(asked):
            return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        first, last = map(int, asked)
        part = body[first:last + 1]
        return b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes %d-%d/%d\r\nContent-Length: %d\r\n\r\n%s" % (
            first, first + len(part) - 1, len(body), len(part), part)


class OtherServersTest(unittest.TestCase):
    def test_a_server_that_loses_pipelined_requests_is_named(self):
        with tempfile.TemporaryDirectory() as directory:
            write_presentation(pathlib.Path(directory))
            server = ForgetfulServer(pathlib.Path(directory))
            self.addCleanup(server.listener.close)
            _, results = check(server.url)
            self.assertIn("pipelining", wrong(results))
            self.assertEqual(results["requests per connection"]["verdict"], "skipped")
            self.assertIn("clock", wrong(results))  # it has no Date

    def test_what_is_no_presentation_is_refused(self):
        with tempfile.TemporaryDirectory() as directory:
            (pathlib.Path(directory) / "index.json").write_text("[]")
            server = ForgetfulServer(pathlib.Path(directory))
            self.addCleanup(server.listener.close)
            for url, why in ((server.url, "is not the index of a presentation"), ("ftp://host/", "begins with http"),
                             ("http://127.0.0.1:1/", "cannot connect to 127.0.0.1 port 1"), ("http://host:x/", "Port")):
                with self.subTest(url):
                    done = subprocess.run([TOOLS / "tributary-origin", "--check", url], stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, timeout=20, check=False)
                    self.assertEqual((done.returncode, done.stdout), (2, b""))
                    self.assertIn(why, done.stderr.decode())


if not SERVERS:
    print("skipped: neither nginx nor Apache is installed")
    sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1], verbosity=2)
