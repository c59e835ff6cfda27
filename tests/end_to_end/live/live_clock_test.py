#!/usr/bin/env python3
"""A live presentation whose origin's clock, or whose Date header alone, is hours off, or that goes on behind a hole in its
timeline: it is followed all the same.

Usage: live_clock_test.py BIN_DIR SOURCE_DIR.
"""
import concurrent.futures
import datetime
import email.utils
import json
import pathlib
import subprocess
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BENCH = pathlib.Path(sys.argv[1]) / "tributary-bench"
SEGMENT_S, SEGMENTS, SEGMENT_BYTES = 0.5, 10, 2000
BEFORE_S = 2.2 * SEGMENT_S  # is published when the client comes
HOURS = 3600
BREAK, AWAY_S = 5, 3  # the source goes away after that segment

# By how much the two are off that an origin says of its time: the beginning of the stream, and the Date of each answer.
CLOCKS = {"right": (0, 0), "ahead": (5 * HOURS, 5 * HOURS), "behind": (-5 * HOURS, -5 * HOURS), "Date ahead": (0, 5 * HOURS),
          "Date behind": (0, -5 * HOURS), "no Date": (5 * HOURS, None)}


# The same behind the hole; before it, the clock is right.
CLOCKS_AFTER = {"right": (0, 0), "put back": (-HOURS, -HOURS), "put on": (0, HOURS)}


class LiveOrigin(ThreadingHTTPServer):
    """Publishes a segment every SEGMENT_S, the first ones before it is first asked for anything, and notes how long after that
    each was asked for. With a hole, it lists only what comes after it, as tributary-segment does."""

    daemon_threads = True

    def __init__(self, before, after=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.began, self.before, self.after = None, before, after
        self.late = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def hole(self, number):
        """Seconds, before that segment."""
        return AWAY_S if self.after and number > BREAK else 0

    def published(self):
        now = time.time() - self.began
        return max((n for n in range(1, SEGMENTS + 1) if now >= n * SEGMENT_S + self.hole(n)), default=0)

    def is_after(self):
        return self.after is not None and self.published() > BREAK

    def offsets(self):
        return self.after if self.is_after() else self.before

    def index(self):
        last = self.published()
        before = BREAK if self.is_after() else 0
        count = last - before
        start = datetime.datetime.fromtimestamp(self.began + self.offsets()[0], datetime.timezone.utc)
        rate = int(SEGMENT_BYTES * 8 / SEGMENT_S)
        return json.dumps({
            "format": "tributary-index", "version": 1, "type": "live", "complete": last == SEGMENTS, "generator": "",
            "segmentDuration": SEGMENT_S,
            "live": {"availabilityStartTime": start.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "first": before + 1, "last": last,
                     "windowSegments": SEGMENTS, "segmentsKept": 0, "interruptions": int(before > 0)},
            "tracks": [{"id": "low", "kind": "data", "group": "data", "timescale": 1000, "offset": 0,
                        "bitrate": {"target": rate, "max": rate, "average": rate, "peak": rate}, "uri": "{n:05}.bin", "first": before + 1,
                        "start": int(1000 * (before * SEGMENT_S + self.hole(last))), "durations": [[int(1000 * SEGMENT_S), count]], "bytes": [SEGMENT_BYTES] * count}]}).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        origin, name = self.server, self.path.lstrip("/")
        if origin.began is None:
            origin.began = time.time() - BEFORE_S
        if name == "index.json":
            body = origin.index()
        else:
            number = int(name.split(".")[0])
            origin.late.setdefault(number, time.time() - origin.began - number * SEGMENT_S - origin.hole(number))
            body = bytes(SEGMENT_BYTES)
        asked = self.headers["Range"]
        first, last = map(int, asked.split("=")[1].split("-")) if asked else (0, len(body) - 1)
        self.send_response_only(206 if asked else 200)
        date_off = origin.offsets()[1]
        if date_off is not None:
            self.send_header("Date", email.utils.formatdate(time.time() + date_off, usegmt=True))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(body)}")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(body[first:last + 1])

    def log_message(self, *_):
        pass


def follow(*clocks):
    origin = LiveOrigin(*clocks)
    url = f"http://127.0.0.1:{origin.server_port}/index.json"
    done = subprocess.run([BENCH, url, "--link", "lo", "-q", "--mode", "live-buffered", "--give-up", "5s"],
                          capture_output=True, text=True, timeout=60)
    origin.shutdown()
    origin.server_close()
    return done, origin.late


class LiveClockTest(unittest.TestCase):
    def test_segments_are_asked_for_when_they_are_there(self):
        """Side by side: most of the time they wait."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            runs = {clock: pool.submit(follow, offsets) for clock, offsets in CLOCKS.items()}
        for clock, run in runs.items():
            with self.subTest(clock):
                done, late = run.result()
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(max(late), SEGMENTS)
                # Of those that came into being while it looked, each but for the first few.
                lags = sorted(late[number] for number in range(5, SEGMENTS + 1))
                self.assertLess(lags[len(lags) // 2], 3 * SEGMENT_S)

    def test_it_goes_on_behind_a_hole(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            runs = {clock: pool.submit(follow, CLOCKS["right"], offsets) for clock, offsets in CLOCKS_AFTER.items()}
        for clock, run in runs.items():
            with self.subTest(clock):
                done, late = run.result()
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(sorted(number for number in late if number > BREAK), list(range(BREAK + 1, SEGMENTS + 1)))
                lags = sorted(late[number] for number in range(BREAK + 1, SEGMENTS + 1))
                self.assertLess(lags[len(lags) // 2], 3 * SEGMENT_S)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
