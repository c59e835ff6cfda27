#!/usr/bin/env python3
"""tributary-origin live, alone and behind nginx and Apache: requests are held until what they ask for is there, and
answered then, or refused.

Usage: live_test.py DIRECTORY_OF_TRIBUTARY_ORIGIN. Ends with 77, which ctest counts as skipped, without aiohttp.
"""
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

from live_stream import LiveStream
from served_origin import SERVERS, SKIPPED, ServedOrigin

TOOLS = pathlib.Path(sys.argv[1])
TYPE = "application/vnd.apple.mpegurl"
IMMUTABLE = "public, max-age=31536000, immutable"
os.environ["PATH"] = "/usr/bin:" + os.environ["PATH"]  # Debian's interpreter, which has Debian's libraries


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode()

    def all_of(self, name):
        return [value for own, value in self.headers if own == name.lower()]

    def header(self, name):
        return ", ".join(self.all_of(name))


class Request:
    """Sent when this has been made; the answer is waited for later."""

    def __init__(self, port, path, method="GET", **headers):
        self.method = method
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=30)
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

    def answer(self):
        with self.connection, self.connection.makefile("rb") as stream:
            status = int(stream.readline().split()[1])
            headers = []
            for line in iter(stream.readline, b"\r\n"):
                name, _, value = line.decode().partition(":")
                headers.append((name.lower(), value.strip()))
            return Response(status, headers, stream.read())


class Answerer:
    """The process alone."""

    def __init__(self, content, *options, port=0):
        self.process = subprocess.Popen([TOOLS / "tributary-origin", "live", content, "--listen", f"127.0.0.1:{port}",
                                         *options], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.port = int(re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", self.process.stdout.readline())[1])

    def close(self, number=signal.SIGTERM):
        """Its exit status."""
        self.process.send_signal(number)
        self.process.stdout.close()
        return self.process.wait(timeout=20)


class WithStreams(unittest.TestCase):
    """low/ and high/ with 2 whole segments and the first part of the third: the last part is (3, 0)."""
    options = ()

    def setUp(self):
        self.content = pathlib.Path(tempfile.mkdtemp(prefix="origin-live-test-"))
        self.addCleanup(shutil.rmtree, self.content)
        self.prepare()
        self.answerer = Answerer(self.content, *self.options)
        self.addCleanup(lambda: self.answerer.close())  # pylint: disable=unnecessary-lambda
        self.port = self.answerer.port

    def prepare(self):
        self.low, self.high = (LiveStream(self.content / name).add_parts(5) for name in ("low", "high"))
        (self.content / "low/init.mp4").write_bytes(b"init")
        (self.content / "master.m3u8").write_text("#EXTM3U\n" + "".join(
            f"#EXT-X-STREAM-INF:BANDWIDTH=1\n{name}/playlist.m3u8\n" for name in ("low", "high")))

    def send(self, path, **options):
        return Request(self.port, path, **options)

    def ask(self, path, **options):
        return self.send(path, **options).answer()

    def let_wait(self):
        """What was sent before is being handled by now."""
        self.ask("/high/playlist.m3u8")

    def wanted(self, query, name="low"):
        return self.send(f"/{name}/playlist.m3u8?{query}")


class Contract:
    """What holds also with a web server in front."""

    def test_playlists_state_what_the_answerer_does(self):
        answer = self.ask("/low/playlist.m3u8")
        self.assertEqual((answer.status, answer.header("Content-Type")), (200, TYPE))
        for stated in ("CAN-BLOCK-RELOAD=YES", "CAN-SKIP-UNTIL=6", "PART-HOLD-BACK=1.5",
                       '\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="00003.1.m4s"\n',
                       '\n#EXT-X-RENDITION-REPORT:URI="../high/playlist.m3u8",LAST-MSN=3,LAST-PART=0\n'):
            self.assertIn(stated, answer.text)
        self.assertNotIn("CAN-BLOCK-RELOAD", (self.content / "low/playlist.m3u8").read_text())
        self.assertEqual(self.ask("/master.m3u8").text, (self.content / "master.m3u8").read_text())

    def test_a_request_is_held_until_the_part_is_there(self):
        part, segment, both = (self.wanted(query) for query in ("_HLS_msn=3&_HLS_part=1", "_HLS_msn=3",
                                                                "_HLS_skip=YES&_HLS_msn=3&_HLS_part=1"))
        beyond = self.wanted("_HLS_msn=2&_HLS_part=2").answer()  # which is (3, 0)
        self.assertNotIn('DURATION=0.5,URI="00003.1.m4s"', beyond.text)
        self.let_wait()
        self.low.add_part()
        for request in (part, segment, both):
            answer = request.answer()
            self.assertEqual(answer.status, 200)
            self.assertIn('#EXT-X-PART:DURATION=0.5,URI="00003.1.m4s"\n#EXTINF:1.0,\n00003.m4s\n', answer.text)
            self.assertIn('HINT:TYPE=PART,URI="00004.0.m4s"', answer.text)
            self.assertEqual(answer.header("Cache-Control"), "public, max-age=6")

    def test_a_hinted_part_is_held_until_it_is_there(self):
        whole, piece = self.send("/low/00003.1.m4s"), self.send("/low/00003.1.m4s", Range="bytes=2-9")
        self.let_wait()
        self.low.add_part()
        answer = whole.answer()
        self.assertEqual((answer.status, answer.body), (200, self.low.media(3, 1)))
        self.assertEqual((answer.header("Cache-Control"), answer.header("Content-Type")), (IMMUTABLE, "video/mp4"))
        self.assertEqual(piece.answer().body, self.low.media(3, 1)[2:10])

    def test_a_hint_that_turns_out_wrong(self):
        waits = self.send("/low/00003.1.m4s")
        self.let_wait()
        self.low.segment, self.low.parts = 4, 0  # the segment was shorter
        self.low.publish(self.low.text().replace('#EXT-X-PART:DURATION=0.5,URI="00003.1.m4s"\n', ""))
        answer = waits.answer()
        self.assertEqual((answer.status, answer.header("Cache-Control")), (404, "no-store"))

    def test_what_nobody_hints_at_is_missing_at_once(self):
        for name in ("00003.2.m4s", "00009.m4s", "nothing.mp4"):
            self.assertEqual(self.ask(f"/low/{name}").status, 404)

    def test_when_the_stream_ends_those_who_wait_are_answered(self):
        playlist, part = self.wanted("_HLS_msn=3&_HLS_part=1"), self.send("/low/00003.1.m4s")
        self.let_wait()
        self.low.end()
        answer = playlist.answer()
        self.assertEqual((answer.status, answer.header("Cache-Control")), (200, "no-cache"))
        self.assertEqual(answer.text, self.low.text())  # nothing is promised any more
        self.assertEqual(part.answer().status, 404)
        self.assertEqual(self.wanted("_HLS_msn=900&_HLS_part=1&_HLS_skip=YES").answer().text, self.low.text())

    def test_what_is_known_already_is_not_sent_again(self):
        etag = self.ask("/low/playlist.m3u8").header("ETag")
        for known in (etag, f'"x", W/{etag}', "*"):
            answer = self.ask("/low/playlist.m3u8", If_None_Match=known)
            self.assertEqual((answer.status, answer.body), (304, b""), known)
        waits = self.send("/low/playlist.m3u8?_HLS_msn=3&_HLS_part=1", If_None_Match=etag)
        self.let_wait()
        self.low.add_part()
        self.assertEqual(waits.answer().status, 200)
        head = self.ask("/low/playlist.m3u8", method="HEAD")
        self.assertEqual((head.status, head.body), (200, b""))
        self.assertNotEqual(head.header("ETag"), etag)

    def test_pages_of_other_origins_may_read_every_answer(self):
        for path in ("/low/playlist.m3u8", "/low/playlist.m3u8?_HLS_part=1", "/low/init.mp4", "/low/nothing.m4s"):
            answer = self.ask(path, Origin="http://player.example")
            self.assertEqual(answer.all_of("Access-Control-Allow-Origin"), ["*"], path)
            self.assertEqual(len(answer.all_of("Access-Control-Expose-Headers")), 1, path)
            self.assertEqual(len(answer.all_of("Cache-Control")), 0 if answer.status == 404 and not answer.all_of(
                "Cache-Control") else 1, path)

    def test_hostile_queries(self):
        for query in ("_HLS_msn=4000", "_HLS_msn=3&_HLS_part=9999", "_HLS_part=1", "_HLS_msn=-1", "_HLS_msn=3.0", "_HLS_msn=",
                      "_HLS_msn=0x3", "_HLS_msn=%D9%A3", "_HLS_msn=1&_HLS_msn=2", "_HLS_msn=" + "9" * 5000, "_HLS_msn=%00",
                      "_HLS_msn=3&_HLS_part=1e9"):
            answer = self.wanted(query).answer()
            self.assertEqual((answer.status, answer.header("Cache-Control")), (400, "no-store"), query[:50])
        for query in ("_HLS_skip=%FF%FE", "_HLS_skip=NO", "&&&==&=", "a=" + "b" * 4000, "_hls_msn=5"):
            self.assertEqual(self.wanted(query).answer().status, 200, query[:50])


class Encoder(threading.Thread):
    """Goes on with a stream, also while others ask. One that is not honest states what its server does not do."""

    def __init__(self, stream, is_honest):
        super().__init__(daemon=True)
        self.stream, self.is_ended = stream, threading.Event()
        if not is_honest:
            honest = stream.text
            stream.text = lambda: honest().replace("HOLD-BACK=3,", "CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=6,") + (
                f'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="{stream.uri(stream.segment, stream.parts)}"\n')

    def run(self):
        while not self.is_ended.wait(0.5):
            self.stream.add_part()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_ended.set()
        self.join()


def write_index(content):
    track = {"kind": "video", "uri": "low/{n:05}.0.m4s", "first": 1, "bytes": [1, 1]}
    (content / "index.json").write_text(json.dumps({"manifests": {"hls": "master.m3u8"}, "tracks": [track]}))


class AloneTest(Contract, WithStreams):
    def test_updates_leave_out_what_is_old(self):
        self.low.add_parts(40)
        answer = self.wanted("_HLS_skip=YES&_HLS_msn=23&_HLS_part=0").answer()
        self.assertIn("#EXT-X-SKIP:SKIPPED-SEGMENTS=16\n", answer.text)
        self.assertNotIn("00016.m4s", answer.text)
        self.assertIn("\n00017.m4s\n", answer.text)

    def test_a_stream_that_stands_still(self):
        for waits in [self.wanted("_HLS_msn=3&_HLS_part=1"), self.send("/low/00003.1.m4s")]:
            answer = waits.answer()
            self.assertEqual((answer.status, answer.header("Cache-Control"), answer.header("Retry-After")),
                             (503, "no-store", "1"))

    def test_a_playlist_that_is_removed(self):
        waits = self.wanted("_HLS_msn=3&_HLS_part=1")
        self.let_wait()
        (self.content / "low/playlist.m3u8").unlink()
        self.assertEqual(waits.answer().status, 404)

    def test_a_playlist_that_is_written_in_its_place(self):
        text = self.low.text()
        with open(self.content / "low/playlist.m3u8", "w", encoding="ascii") as file:
            waits = [self.send(path) for path in ("/low/playlist.m3u8", "/low/playlist.m3u8?_HLS_msn=2")]
            file.write(text)
        self.assertEqual([request.answer().status for request in waits], [200, 200])
        waits = [self.wanted("_HLS_msn=3&_HLS_part=1"), self.send("/low/00003.1.m4s")]
        self.let_wait()
        (self.content / "low/playlist.m3u8").write_text("#EXTM3U\n")  # no more of it is there yet
        self.ask("/low/init.mp4")
        self.low.add_part()
        answers = [request.answer() for request in waits]
        self.assertEqual([answer.status for answer in answers], [200, 200])
        self.assertIn("\n00003.m4s\n", answers[0].text)

    def test_renditions_are_found_by_the_playlist_above(self):
        (self.content / "master.m3u8").write_text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow/playlist.m3u8\n")
        self.assertNotIn("RENDITION-REPORT", self.ask("/high/playlist.m3u8").text)

    def test_a_restart_loses_nothing(self):
        waits = self.wanted("_HLS_msn=3&_HLS_part=1")
        self.assertEqual(self.answerer.close(signal.SIGKILL), -signal.SIGKILL)
        self.assertRaises((OSError, IndexError), waits.answer)
        self.answerer = Answerer(self.content, port=self.port)
        part, playlist = self.send("/low/00003.1.m4s"), self.wanted("_HLS_msn=3&_HLS_part=1")
        self.let_wait()
        self.low.add_part()
        self.assertEqual((part.answer().status, playlist.answer().status), (200, 200))

    def test_sigterm_ends_it_while_requests_wait(self):
        waits = self.wanted("_HLS_msn=3&_HLS_part=1")
        self.let_wait()
        self.assertEqual(self.answerer.close(), 0)
        waits.connection.close()
        self.answerer = Answerer(self.content)

    def test_many_who_wait_are_answered_from_one_reading(self):
        waiting = [self.wanted("_HLS_msn=3&_HLS_part=1") for _ in range(500)]
        self.let_wait()
        self.low.add_part()
        answers = [request.answer() for request in waiting]
        self.assertEqual({(answer.status, answer.header("ETag")) for answer in answers},
                         {(200, answers[0].header("ETag"))})

    def test_nothing_outside_of_the_folder(self):
        secret = pathlib.Path(tempfile.mkdtemp(prefix="origin-live-test-secret-"))
        self.addCleanup(shutil.rmtree, secret)
        for name in ("a.m3u8", "a.m4s"):
            (secret / name).write_text(self.low.text())
            (self.content / f"low/link-{name}").symlink_to(secret / name)
        (self.content / "out").symlink_to(secret)
        os.mkfifo(self.content / "low/pipe.m4s")
        os.mkfifo(self.content / "low/pipe.m3u8")
        up = os.path.relpath(secret, self.content)
        for path in ("/low/link-a.m3u8", "/low/link-a.m4s", "/out/a.m3u8", "/out/a.m4s", f"/{up}/a.m4s", f"//{secret}/a.m4s",
                     f"/{up}/a.m3u8".replace("..", "%2e%2e"), f"/low/..%2f{up}/a.m3u8", "/low/pipe.m4s", "/low/pipe.m3u8",
                     "/low", "/", "/low/", "/low/a%00.m3u8", "/%FF.m3u8", "/.m3u8", "/low/x/../init.mp4%20",
                     "/" + "a" * 4000 + ".m3u8", "/" + "a/" * 2000 + "b.m4s"):
            answer = self.ask(path)
            self.assertIn(answer.status, (400, 404), path[:60])
            self.assertNotIn(str(self.content), answer.text)
        (self.content / "low/inside.m3u8").symlink_to("playlist.m3u8")
        waits = self.send("/low/inside.m3u8?_HLS_msn=3&_HLS_part=1")
        self.let_wait()
        self.low.add_part()
        self.assertEqual(waits.answer().status, 200)

    def test_methods(self):
        for method, status in (("POST", 405), ("DELETE", 405), ("OPTIONS", 204)):
            self.assertEqual(self.ask("/low/playlist.m3u8", method=method).status, status)

    def test_ranges_of_files(self):
        size = len(self.low.media(1, 0))
        for asked, status, part in (("bytes=0-0", 206, slice(0, 1)), ("bytes=5-", 206, slice(5, None)),
                                    ("bytes=-7", 206, slice(-7, None)), (f"bytes={size}-", 416, None),
                                    ("bytes=9-3", 200, slice(0, None)), ("lines=1-2", 200, slice(0, None)),
                                    (f"bytes=3-{'9' * 18}", 206, slice(3, None))):
            answer = self.ask("/low/00001.0.m4s", Range=asked)
            self.assertEqual(answer.status, status, asked)
            if part:
                self.assertEqual(answer.body, self.low.media(1, 0)[part], asked)
        etag = self.ask("/low/00001.0.m4s").header("ETag")
        for tag, status in ((etag, 206), ('"other"', 200)):
            self.assertEqual(self.ask("/low/00001.0.m4s", Range="bytes=0-0", If_Range=tag).status, status)

    def test_requests_behind_one_that_waits_are_bounded(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            request = b"GET /low/playlist.m3u8?_HLS_msn=3&_HLS_part=1 HTTP/1.1\r\nHost: a\r\n\r\n"
            with self.assertRaises(OSError):
                for _ in range(100_000):
                    connection.sendall(request)
        self.assertEqual(self.ask("/low/playlist.m3u8").status, 200)

    def test_garbage(self):
        generator = random.Random(3)
        for _ in range(50):
            with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
                connection.sendall(generator.randbytes(generator.randrange(1, 2000)))
        self.assertEqual(self.ask("/low/playlist.m3u8").status, 200)


class PollingTest(Contract, WithStreams):
    options = ("--poll",)


class FewConnectionsTest(WithStreams):
    options = ("--connections", "5")

    def test_one_too_many_is_refused_and_the_others_are_answered(self):
        waiting = [self.wanted("_HLS_msn=3&_HLS_part=1") for _ in range(5)]
        answer = self.wanted("_HLS_msn=3&_HLS_part=1").answer()
        self.assertEqual((answer.status, answer.header("Retry-After")), (503, "1"))
        self.low.add_part()
        self.assertEqual([request.answer().status for request in waiting], [200] * 5)
        self.assertEqual(self.ask("/low/playlist.m3u8").status, 200)

    def test_those_who_leave_make_room(self):
        for _ in range(20):
            request = self.wanted("_HLS_msn=3&_HLS_part=1")
            while self.ask("/low/init.mp4").status != 200:
                pass
            request.connection.close()


class CommandLineTest(unittest.TestCase):
    def test_what_cannot_be_served_is_refused(self):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            for words, status, why in ((["/nowhere", "--listen", "127.0.0.1:0"], 2, "is no directory"),
                                       ([folder], 2, "--listen"), ([folder, "--listen", "8089"], 2, "no ADDRESS:PORT"),
                                       ([folder, "--listen", "a:70000"], 2, "no ADDRESS:PORT"),
                                       ([folder, "--listen", "127.0.0.1:0", "--connections", "0"], 2, "no number"),
                                       ([folder, "--listen", f"127.0.0.1:{port}"], 1, "cannot listen")):
                done = subprocess.run([TOOLS / "tributary-origin", "live", *words], capture_output=True, text=True,
                                      timeout=20, check=False)
                self.assertEqual((done.returncode, done.stdout), (status, ""), words)
                self.assertIn(why, done.stderr)


class InFront(Contract, WithStreams):
    """The same behind a web server, with the site that tributary-origin writes."""
    server = ""

    def setUp(self):
        self.origin = ServedOrigin("origin-live-test-")
        self.addCleanup(self.origin.close)
        self.content, self.port = self.origin.content, self.origin.port
        self.prepare()
        self.origin.start(TOOLS, self.server, "--live")

    def test_media_that_is_there_comes_from_the_server(self):
        self.end_answerer()
        self.assertEqual(self.ask("/low/00001.0.m4s").body, self.low.media(1, 0))

    def test_what_is_stated_and_not_done_is_found(self):
        """The check, while an encoder goes on."""
        for answers, verdict in ((True, "right"), (False, "wrong")):
            with self.subTest(verdict), Encoder(self.low, is_honest=answers) as encoder:
                self.low.add_parts(40)
                if not answers:
                    self.origin.start_again(TOOLS, self.server)
                write_index(self.content)
                encoder.start()
                done = subprocess.run([TOOLS / "tributary-origin", "--check", f"http://127.0.0.1:{self.port}/", "--json",
                                       "--requests", "5"], capture_output=True, timeout=60, check=False)
                found = {check["name"]: check for check in json.loads(done.stdout)["checks"]}["blocking playlists"]
                self.assertEqual(found["verdict"], verdict, found)
                self.assertEqual(len(found["problems"]), 0 if answers else 3, found)

    def end_answerer(self):
        os.kill(int((self.origin.directory / "state/live.pid").read_text()), signal.SIGKILL)


@unittest.skipUnless("nginx" in SERVERS, "nginx is not installed")
class NginxTest(InFront):
    server = "nginx"

    def test_without_the_answerer_playlists_are_files(self):
        waits = self.wanted("_HLS_msn=3&_HLS_part=1")
        self.let_wait()
        self.end_answerer()
        for answer in (waits.answer(), self.ask("/low/playlist.m3u8")):
            self.assertEqual((answer.status, answer.text), (200, self.low.text()))
            self.assertEqual(answer.all_of("Access-Control-Allow-Origin"), ["*"])
        self.assertEqual(self.ask("/low/00003.1.m4s").status, 404)


@unittest.skipUnless("apache" in SERVERS, "Apache is not installed")
class ApacheTest(InFront):
    server = "apache"


del InFront, WithStreams
if importlib.util.find_spec("aiohttp") is None:
    print("skipped: aiohttp is not installed")
    sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1], verbosity=2)
