#!/usr/bin/env python3
"""Whatever a server does wrong: stream and download have the right bytes, or end with an error that says what came. They never
hang.

Usage: faults_test.py BIN_DIR SOURCE_DIR.
"""
import concurrent.futures
import gzip
import pathlib
import subprocess
import sys
import tempfile
import unittest

from faulty_origin import (CHANGES, CONTENT, FAULTS, OBJECT, RIGHT_TLS, RIGHT_WHOLE, SEGMENT_BYTES, TLS_FAULTS, WHOLE_AFTER_RANGE,
                           WHOLE_FAULTS, FaultyOrigin, changed)

BENCH = pathlib.Path(sys.argv[1]) / "tributary-bench"
GET = pathlib.Path(sys.argv[1]) / "tributary-get"
MAKE_CERTIFICATE = pathlib.Path(sys.argv[2]) / "server-tools/origin/make-certificate"
RIGHT = b"".join(CONTENT[name] for name in sorted(CONTENT))
LONGEST = 90  # seconds, on a busy machine; each takes two to twenty

# What is wrong, always, and what may still come of it: the stream as it is, or an error with these words.
PLAYS = {"none", "no-ranges", "ranges-of-the-beginning", "short", "close-announced", "close", "garbage-behind", "other-tag", "gzip",
         "chunked", "chunk-extensions", "no-last-chunk", "unknown-total", "length-and-chunks", "bare-newlines",
         "blank-before-colons", "another-version", "no-reason", "odd-fields", "long-head", "bare-newlines-of-chunks", "newline-behind",
         "200-with-a-range", "rotating-tags", "rotating-times", "moved", "moved-to-another-host"}
ERRORS = {
    "shifted": "the answer has bytes", "wrong-content-range": "the answer has bytes", "no-content-range": "206 with Content-Range",
    "byte-by-byte": "the answer ended at byte 1 of", "404-escaped": "404 No \\x9b2J", "index-escaped": 'tracks[0].kind: "\\x1b[2J"',
    "truncated": "", "multipart": "multipart/byteranges", "redirect": "/elsewhere",
    "moved-in-a-circle": "redirected more than 50 times", "moved-to-the-wrong": f"expected were {SEGMENT_BYTES}",
    "redirect-to-a-login": "http://login.example/", "401": "401", "403": "403", "404": "404", "408": "408", "416": "416",
    "429": "429", "500": "500", "503": "503", "reset": "", "reset-unanswered": "", "trickle": "came for 5 s", "silence": "",
    "endless-head": "", "garbage": "not HTTP/1.1", "other-length": f"expected were {SEGMENT_BYTES}", "two-totals": f"expected were {SEGMENT_BYTES}",
    "login-page": f"expected were {SEGMENT_BYTES}",
    "gzipped-ranges": "Content-Encoding gzip without", "transfer-gzip": "Transfer-Encoding gzip, chunked",
    "transfer-gzip-to-the-end": "Transfer-Encoding gzip", "bad-chunk": "not HTTP/1.1", "total-of-4-EB": f"expected were {SEGMENT_BYTES}",
    "two-lengths": "not HTTP/1.1", "two-content-ranges": "206 with Content-Range", "longer-than-its-range": "Content-Length is",
    "overflowing-total": "206 with Content-Range", "no-length": "206 without Content-Length", "head-cut-off": "", "400": "400",
    "204": "204", "205": "205", "304": "304", "416-without-range": "416", "416-says-empty": "416", "interim-without-end": "",
}
# At first only: it need not end well where that takes too long, or where each byte is the first of a range, or the index is wrong.
MAY_FAIL_ONCE = {"trickle", "silence", "interim-without-end", "byte-by-byte", "index-escaped"}
CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"
# Where a download cannot have the object: ranges that bring next to nothing; a page that nothing tells from the object; a
# name that does not resolve. Everything else is right without a range.
NOT_DOWNLOADED = {"byte-by-byte", "login-page", "redirect-to-a-login"}
# All of it, without a range, is less than its ranges say.
LESS_THAN_TOLD = {"other-length", "moved-to-the-wrong"}
# What is wrong only after a beginning is asked for whole, too. That takes long where nothing comes, and who is busy is waited for.
WRONG_LATER = FAULTS.keys() - {"trickle", "silence", "interim-without-end", "408", "429", "500", "503"}


def stream(url, folder):
    name = url.split("/")[-3] + "-" + url.split("/")[-2]
    saved = folder / name
    picture = saved / "picture"
    done = subprocess.run([BENCH, url, "--link", "lo", "--save-raw", saved, "-q", "--give-up", "5s", "--subsegment-size", "5kB",
                           "--buffer", "2"], capture_output=True, text=True, timeout=LONGEST)
    return done, picture.read_bytes() if picture.exists() else b""


def get(url, folder, *options):
    """What is in the file afterwards, in which something was before."""
    file = folder / ("-".join(url.split("/")[-3:-1]) + ".got")
    file.write_bytes(b"before")
    done = subprocess.run([GET, url, "--link", "lo", "--overwrite", "-o", file, "-q", *options], capture_output=True, text=True, timeout=LONGEST)
    return done, file.read_bytes()


# What waits for time-outs begins first, so that all the rest runs meanwhile.
SLOW = ("interim-without-end", "silence", "trickle", "endless-head", "reset-unanswered", "503", "429", "500", "408", "truncated", "reset")


class FaultsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """All of them side by side: most of the time they wait."""
        cls.origin = cls.enterClassContext(FaultyOrigin())
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tributary-faults-")))
        pool = cls.enterClassContext(concurrent.futures.ThreadPoolExecutor(24))
        slow_first = sorted(FAULTS, key=lambda fault: SLOW.index(fault) if fault in SLOW else len(SLOW))
        cls.runs = {(fault, when): pool.submit(stream, cls.origin.url(fault, when), folder)
                    for fault in slow_first for when in ("always", "once")}

    def check_all(self, when, check):
        for fault in FAULTS:
            with self.subTest(fault=fault, when=when):
                done, saved = self.runs[fault, when].result()
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertNotRegex(done.stdout + done.stderr, CONTROL)
                if done.returncode == 0:
                    self.assertTrue(saved == RIGHT, "wrong bytes")
                else:
                    self.assertTrue(RIGHT.startswith(saved), "wrong bytes")
                    self.assertIn(self.origin.url(fault, when), done.stderr)
                check(fault, done)

    def test_wrong_at_first(self):
        def check(fault, done):
            if fault not in MAY_FAIL_ONCE:
                self.assertEqual(done.returncode, 0, done.stderr)
        self.check_all("once", check)

    def test_wrong_for_ever(self):
        def check(fault, done):
            if fault in PLAYS:
                self.assertEqual(done.returncode, 0, done.stderr)
            elif done.returncode != 0:
                self.assertIn(ERRORS[fault], done.stderr)
            else:
                self.assertIn(fault, ("truncated", "reset"))  # something comes each time
        self.check_all("always", check)

    def test_who_is_busy_is_asked_when_it_wants_to_be(self):
        for fault in ("503", "429"):
            self.assertEqual(self.runs[fault, "once"].result()[0].returncode, 0)
            times = self.origin.asked[fault, "once", "low/00001.bin", 0]
            self.assertGreaterEqual(times[1] - times[0], 2)


class DownloadsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.origin = cls.enterClassContext(FaultyOrigin())
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tributary-faults-")))
        pool = cls.enterClassContext(concurrent.futures.ThreadPoolExecutor(16))
        slow_first = sorted([*FAULTS, *WHOLE_FAULTS, *WHOLE_AFTER_RANGE], key=lambda fault: fault not in SLOW)
        cls.got = {(fault, when): pool.submit(get, cls.origin.url(fault, when, "object.bin"), folder)
                   for fault in slow_first for when in ("always", "later")
                   if fault not in NOT_DOWNLOADED and (when == "always" or fault in WRONG_LATER)}
        cls.changes = {(change, calm): (pool.submit(stream, cls.origin.url(change, calm), folder),
                                        pool.submit(get, cls.origin.url(change, calm, "object.bin"), folder))
                       for change in CHANGES for calm in (1, 3)}

    def test_what_comes_right_without_a_range_is_downloaded(self):
        for (fault, when), run in self.got.items():
            if fault not in FAULTS or fault in LESS_THAN_TOLD:
                continue
            with self.subTest(fault=fault, when=when):
                done, got = run.result()
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(got == OBJECT, "wrong bytes")

    def test_an_object_in_one_piece_is_the_origins_or_none(self):
        for fault in [*WHOLE_FAULTS, *WHOLE_AFTER_RANGE, *LESS_THAN_TOLD]:
            with self.subTest(fault=fault):
                done, got = self.got[fault, "always"].result()
                if fault in RIGHT_WHOLE:
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertTrue(got == OBJECT, "wrong bytes")
                elif fault == "whole-coded":
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertTrue(got == gzip.compress(OBJECT, mtime=0), "not as it came")
                else:
                    self.assertNotEqual(done.returncode, 0)
                    self.assertEqual(got, b"before")

    def test_streams_of_bodies_that_end_with_the_connection_are_right(self):
        """As HTTP/1.0 has them: each file comes whole, over one link, and is right if it has the size that the index states."""
        with tempfile.TemporaryDirectory(prefix="tributary-faults-") as folder:
            done, saved = stream(self.origin.url("whole-to-the-end", "always"), pathlib.Path(folder))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(saved == RIGHT, "wrong bytes")
            done, saved = stream(self.origin.url("whole-reset", "always"), pathlib.Path(folder))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertTrue(RIGHT.startswith(saved), "wrong bytes")

    def test_a_body_that_ends_with_the_connection_is_whole_only_if_tls_says_so(self):
        with tempfile.TemporaryDirectory(prefix="tributary-faults-") as folder:
            folder = pathlib.Path(folder)
            subprocess.run([MAKE_CERTIFICATE, folder / "tls", "localhost"], check=True, capture_output=True)
            with FaultyOrigin(folder / "tls/server.pem", folder / "tls/server-key.pem") as origin:
                for fault in TLS_FAULTS:
                    with self.subTest(fault=fault):
                        done, got = get(origin.url(fault, "always", "object.bin"), folder, "--cacert", folder / "tls/ca.pem")
                        if fault in RIGHT_TLS:
                            self.assertEqual(done.returncode, 0, done.stderr)
                            self.assertTrue(got == OBJECT, "wrong bytes")
                        else:
                            self.assertEqual(done.returncode, 18, done.stderr)
                            self.assertIn("close_notify", done.stderr)
                            self.assertEqual(got, b"before")

    def test_bytes_of_two_versions_are_never_put_together(self):
        segments = [CONTENT[name] for name in sorted(CONTENT)]
        for (change, calm), (streamed, downloaded) in self.changes.items():
            with self.subTest(change=change, calm=calm):
                done, saved = streamed.result()
                self.assertIn(done.returncode, (0, 1), done.stderr)
                for i, at in enumerate(range(0, len(saved), SEGMENT_BYTES)):
                    self.assertIn(saved[at:at + SEGMENT_BYTES], (segments[i], changed(segments[i])), f"segment {i}")
                done, got = downloaded.result()
                self.assertIn(done.returncode, (0, 33), done.stderr)
                self.assertTrue(got in (OBJECT, changed(OBJECT)) if done.returncode == 0 else got == b"before", "of two versions")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
