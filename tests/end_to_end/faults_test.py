#!/usr/bin/env python3
"""Whatever a server does wrong: the stream has the right bytes, or ends with an error that says what came. It never hangs.

Usage: faults_test.py BIN_DIR SOURCE_DIR.
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile
import unittest

from faulty_origin import CONTENT, FAULTS, SEGMENT_BYTES, FaultyOrigin

BENCH = pathlib.Path(sys.argv[1]) / "tributary-bench"
RIGHT = b"".join(CONTENT[name] for name in sorted(CONTENT))
LONGEST = 90  # seconds, on a busy machine; each takes two to twenty

# What is wrong, always, and what may still come of it: the stream as it is, or an error with these words.
PLAYS = {"none", "no-ranges", "short", "close-announced", "close", "garbage-behind", "other-tag"}
ERRORS = {
    "shifted": "the answer has bytes", "wrong-content-range": "the answer has bytes", "no-content-range": "206 with Content-Range",
    "byte-by-byte": "the answer ended at byte 1 of", "404-escaped": "404 No \\x9b2J", "index-escaped": 'tracks[0].kind: "\\x1b[2J"',
    "truncated": "", "multipart": "multipart/byteranges", "gzip": "gzip", "redirect": "/elsewhere",
    "redirect-to-a-login": "http://login.example/", "401": "401", "403": "403", "404": "404", "408": "408", "416": "416",
    "429": "429", "500": "500", "503": "503", "reset": "", "reset-unanswered": "", "trickle": "came for 5 s", "silence": "",
    "endless-head": "", "garbage": "not HTTP/1.1", "other-length": f"expected were {SEGMENT_BYTES}", "login-page": f"expected were {SEGMENT_BYTES}",
}
# At first only: it need not end well where that takes too long, or where each byte is the first of a range, or the index is wrong.
MAY_FAIL_ONCE = {"trickle", "silence", "byte-by-byte", "index-escaped"}
CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"


def stream(url, folder):
    name = url.split("/")[-3] + "-" + url.split("/")[-2]
    saved = folder / name
    done = subprocess.run([BENCH, url, "--link", "lo", "--save", saved, "-q", "--give-up", "5s", "--subsegment-size", "5kB",
                           "--buffer", "2"], capture_output=True, text=True, timeout=LONGEST)
    return done, saved.read_bytes() if saved.exists() else b""


# What waits for time-outs begins first, so that all the rest runs meanwhile.
SLOW = ("silence", "trickle", "endless-head", "reset-unanswered", "503", "429", "500", "408", "truncated", "reset")


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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
