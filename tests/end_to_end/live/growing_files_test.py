#!/usr/bin/env python3
"""Low latency of MPEG-DASH: segments that grow while they come, also from origins that are late or give up in the middle.

Usage: growing_files_test.py BIN_DIR SOURCE_DIR.
"""
import concurrent.futures
import datetime
import http.server
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN  # noqa: E402

BENCH = BIN / "tributary-bench"
SEGMENT, TIMESCALE = 1.0, 12800
PIECES = 24
RATES = {"low": 300_000, "high": 1_200_000, "sound": 100_000}

MPD = """<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="{start}" minBufferTime="PT1S"
 profiles="urn:mpeg:dash:profile:isoff-live:2011"><ServiceDescription><Latency target="1200"/></ServiceDescription><Period id="0" start="PT0S">
 <AdaptationSet mimeType="video/mp4" codecs="avc1.42c01e">{template}<Representation id="high" bandwidth="1200000" width="640" height="360"/>
  <Representation id="low" bandwidth="300000" width="320" height="180"/></AdaptationSet>
 <AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2" lang="en">{template}<Representation id="sound" bandwidth="100000"/></AdaptationSet>
 </Period></MPD>"""
TEMPLATE = """<SegmentTemplate timescale="1000000" duration="1000000" startNumber="0" availabilityTimeOffset="{offset:.3f}"
 availabilityTimeComplete="false" initialization="$RepresentationID$/init.mp4" media="$RepresentationID$/$Number$.m4s"/>"""


def box(kind, *content):
    body = b"".join(content)
    return struct.pack(">I", len(body) + 8) + kind.encode() + body


def init():
    """Of a track of pictures; nothing decodes them."""
    config = box("avcC", bytes([1, 0x42, 0xC0, 0x1E, 0xFF, 0xE0, 0]))
    entry = box("avc1", bytes(24), struct.pack(">HH", 640, 360), bytes(50), config)
    table = box("stbl", box("stsd", struct.pack(">II", 0, 1), entry))
    media = box("mdia", box("mdhd", struct.pack(">IIIIIHH", 0, 0, 0, TIMESCALE, 0, 0x55C4, 0)), box("minf", table))
    return box("ftyp", b"cmfc") + box("moov", box("trak", media), box("mvex", box("trex", struct.pack(">IIIIII", 0, 1, 1, 512, 0, 0))))


def chunk(track, number, index, seconds):
    """A CMAF chunk of one frame each 40 ms, or of one frame."""
    frames = max(1, round(seconds / 0.04))
    ticks = round(seconds * TIMESCALE / frames)
    content = random.Random(f"{track} {number} {index}")
    sizes = [max(16, int(RATES[track] / 8 * seconds / frames * content.uniform(.6, 1.4))) for _ in range(frames)]
    begin = round((number * SEGMENT + index * seconds) * TIMESCALE)
    run = struct.pack(">IIi", 0x301, frames, 8 + 8 + 16 + 20 + 20 + 8 * frames + 8)
    run += b"".join(struct.pack(">II", ticks, size) for size in sizes)
    fragment = box("traf", box("tfhd", struct.pack(">II", 0x20000, 1)), box("tfdt", struct.pack(">IQ", 0x1000000, begin)), box("trun", run))
    return box("styp", b"cmfl") + box("moof", fragment) + box("mdat", content.randbytes(sum(sizes)))


class Origin(http.server.ThreadingHTTPServer):
    """Gives each chunk out when it is made. `late`: seconds after that. `cuts`: each third file ends in its middle once."""
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, chunk_seconds, stated=None, late=0.0, cuts=False):
        super().__init__(("127.0.0.1", 0), Answer)
        self.chunk, self.stated, self.late, self.cuts = chunk_seconds, stated or chunk_seconds, late, cuts
        self.start = time.time() - 20
        self.cut, self.asked = set(), []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def mpd(self):
        start = datetime.datetime.fromtimestamp(self.start, datetime.timezone.utc).isoformat(timespec="milliseconds")
        return MPD.format(start=start, template=TEMPLATE.format(offset=SEGMENT - self.stated)).encode()

    def chunks(self, track, number):
        return [chunk(track, number, i, self.chunk) for i in range(round(SEGMENT / self.chunk))]


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def whole(self, body, status=200):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):  # pylint: disable=invalid-name
        origin = self.server
        origin.asked.append(self.path)
        if self.path.endswith(".mpd"):
            return self.whole(origin.mpd())
        track, name = self.path.strip("/").split("/")
        if name == "init.mp4":
            return self.whole(init())
        number = int(name.split(".")[0])
        begin = origin.start + origin.late + number * SEGMENT
        if time.time() < begin:
            return self.whole(b"", 404)
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        chunks = origin.chunks(track, number)
        for index, one in enumerate(chunks):
            time.sleep(max(0.0, begin + (index + 1) * origin.chunk - time.time()))
            if origin.cuts and number % 3 == 0 and index == len(chunks) // 2 and self.path not in origin.cut:
                origin.cut.add(self.path)
                self.wfile.write(b"%x\r\n" % len(one) + one[:len(one) // 2])
                self.close_connection = True
                return None
            if not self.gives(b"%x\r\n" % len(one) + one + b"\r\n"):
                return None
        self.gives(b"0\r\n\r\n")
        return None

    def gives(self, content):
        try:
            self.wfile.write(content)
        except OSError:  # nobody reads on
            self.close_connection = True
        return not self.close_connection


class Played:
    """What became of a session with the origin."""

    def __init__(self, origin, pieces=PIECES):
        self.origin = origin
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = subprocess.run(
                [BENCH, f"http://127.0.0.1:{origin.server_address[1]}/live.mpd", "--link", "lo", "--latency", "1.5s", "--segments",
                 str(pieces), "--adaptation", "fixed:high", "--quiet", "--save-raw", folder / "saved", "--output", folder / "summary.json"],
                capture_output=True, text=True, timeout=120)
            self.status, self.errors = done.returncode, done.stderr
            if done.returncode == 0:
                self.summary = json.loads((folder / "summary.json").read_text())
                self.saved = {track: (folder / "saved" / file).read_bytes()
                              for track, file in (("high", "picture"), ("sound", "sound"))}
        origin.shutdown()


class GrowingFilesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        origins = {
            "chunks of a quarter": Origin(.25),
            "chunks of a frame": Origin(.04),
            "late": Origin(.25, late=.4),
            "in the middle": Origin(.25, cuts=True),
            "longer than stated": Origin(.5, stated=.25),
        }
        with concurrent.futures.ThreadPoolExecutor(len(origins)) as pool:
            sessions = {name: pool.submit(Played, origin) for name, origin in origins.items()}
        cls.sessions = {name: session.result() for name, session in sessions.items()}

    def expect_all_is_played(self, name):
        session = self.sessions[name]
        self.assertEqual(session.status, 0, session.errors)
        self.assertEqual(session.summary["segments_played"], PIECES)
        self.assertEqual(session.summary["segments_skipped"], 0)
        for track in ("high", "sound"):
            numbers = range(60)
            published = b"".join(b"".join(session.origin.chunks(track, number)) for number in numbers)
            media = session.saved[track].replace(init(), b"")
            self.assertGreater(len(media), RATES[track] / 8 * 2)
            self.assertIn(media, published, f"{name}: {track} is not what was published, in one piece")
        return session

    def files_asked_for(self, session, track):
        return [path for path in session.origin.asked if path.startswith(f"/{track}/") and path.endswith(".m4s")]

    def test_each_file_is_asked_for_once(self):
        session = self.expect_all_is_played("chunks of a quarter")
        asked = self.files_asked_for(session, "high")
        self.assertLessEqual(len(asked) - len(set(asked)), 2, asked)  # what was whole at the beginning may come in ranges

    def test_chunks_of_single_frames_are_joined(self):
        self.expect_all_is_played("chunks of a frame")

    def test_an_origin_that_is_late_is_waited_for(self):
        self.expect_all_is_played("late")

    def test_an_answer_that_ends_in_the_middle_is_asked_for_again(self):
        session = self.expect_all_is_played("in the middle")
        self.assertTrue(session.origin.cut)

    def test_a_chunk_may_be_longer_than_a_piece(self):
        self.expect_all_is_played("longer than stated")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
