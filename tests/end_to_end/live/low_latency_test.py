#!/usr/bin/env python3
"""Origins of Low-Latency HLS, also such that lie: parts are followed, and what is played is what was published.

Usage: low_latency_test.py BIN_DIR SOURCE_DIR.
"""
import concurrent.futures
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import part_origin  # noqa: E402
from lab import BIN, SERVE, must, run  # noqa: E402

BENCH = BIN / "tributary-bench"
PARTS = 30  # of a quarter of a second


def published(stream, track):
    return b"".join(stream.bytes_of(track, number, part) for number in range(60) for part in range(stream.parts_per_segment))


def options_with(lies):
    return part_origin.options_from(["0", "--window", "12", "--part", "0.25", "--segment", "1", *(f"--{lie}" for lie in lies)])


class Session:
    """What became of one."""

    def __init__(self, url):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = subprocess.run(
                [BENCH, url, "--link", "lo", "--latency", "1.2s", "--segments", str(PARTS), "--adaptation", "fixed:360p",
                 "--quiet", "--save-raw", folder / "saved", "--output", folder / "summary.json"],
                capture_output=True, text=True, timeout=120)
            self.status, self.errors = done.returncode, done.stderr
            if done.returncode != 0:
                return
            self.summary = json.loads((folder / "summary.json").read_text())
            self.saved = {track: (folder / "saved" / file).read_bytes()
                          for track, file in (("high", "picture"), ("sound", "sound"))}


class Followed(Session):
    """A session with an origin that lies so."""

    def __init__(self, lies):
        self.origin = part_origin.Origin(0, options_with(lies))
        self.stream = self.origin.stream
        threading.Thread(target=self.origin.serve_forever, daemon=True).start()
        super().__init__(f"http://127.0.0.1:{self.origin.server_address[1]}/master.m3u8")
        self.origin.shutdown()

    def asked(self, track):
        return [path for path in self.origin.asked if path.startswith(f"/{track}/")]


class LowLatencyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cases = {"honest": [], **{lie: [lie] for lie in part_origin.LIES}}
        with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
            sessions = {name: pool.submit(Followed, lies) for name, lies in cases.items()}
        cls.sessions = {name: session.result() for name, session in sessions.items()}

    def expect_all_is_played(self, name, session=None, tracks=("high", "sound")):
        session = session or self.sessions[name]
        self.assertEqual(session.status, 0, session.errors)
        self.assertEqual(session.summary["segments_played"] + session.summary["segments_skipped"], PARTS, name)
        self.assertEqual(session.summary["segments_skipped"], 0, name)
        for track in tracks:
            media = session.saved[track]
            init = b"init of " + track.encode()
            self.assertEqual(media[:len(init)], init)
            in_one_piece = media.replace(init, b"") in published(session.stream, track)  # it may be repeated
            self.assertTrue(in_one_piece, f"{name}: {track} is not what was published, in one piece")
        return session

    def test_an_honest_origin_leaves_out_what_is_known(self):
        session = self.expect_all_is_played("honest")
        asked = session.asked("high")
        self.assertTrue(all("_HLS_skip=YES" in path for path in asked[1:]), asked)
        self.assertEqual(len(set(asked[1:])), len(asked) - 1, "each answer told something")

    def test_lies_cost_no_media(self):
        for lie in ("no-skip", "no-hold", "no-report", "skips-nothing", "cuts", "far-reports"):
            with self.subTest(lie):
                self.expect_all_is_played(lie)
        self.expect_all_is_played("late", tracks=["sound"])  # in the place of a picture that is not there, another quality plays

    def test_what_is_left_out_wrongly_is_asked_for_again(self):
        for lie in ("skips-too-much", "refuses-skip"):
            with self.subTest(lie):
                asked = self.expect_all_is_played(lie).asked("high")
                self.assertLessEqual(sum("_HLS_skip" in path for path in asked), 3, asked)
        with self.subTest("wrong-numbers"):
            self.expect_all_is_played("wrong-numbers")

    def test_an_origin_that_never_answers_is_asked_for_what_it_has(self):
        session = self.sessions["holds-for-ever"]
        self.assertEqual(session.status, 0, session.errors)
        self.assertGreater(session.summary["segments_played"], PARTS / 2)
        self.assertGreater(sum("?" not in path for path in session.asked("high")), 1)

    def test_parts_that_are_ranges_of_a_file_that_grows(self):
        self.expect_all_is_played("ranges")

    def test_ranges_of_files_that_grow_from_nginx(self):
        temporary = tempfile.TemporaryDirectory(prefix="tributary parts ")
        self.addCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name)
        os.chmod(folder, 0o755)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        files = part_origin.GrowingFiles(folder / "content", options_with(["ranges", "no-hold", "no-skip"]))
        self.addCleanup(files.stop)
        must(SERVE, "nginx", folder / "content", "--port", port, "--address", "127.0.0.1", "--state", folder / "state")
        self.addCleanup(lambda: run(SERVE, "stop", "--state", folder / "state"))
        session = Session(f"http://127.0.0.1:{port}/master.m3u8")
        session.stream = files.stream
        self.expect_all_is_played("nginx", session)

    def test_a_cache_that_never_forgets_is_no_trap(self):
        self.expect_all_is_played("cache")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
