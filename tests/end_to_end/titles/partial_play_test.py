#!/usr/bin/env python3
"""Late segments play while they come: what is saved is made of the origin's frames, in order, and it can be decoded; the player
shows it.

Usage: partial_play_test.py BIN_DIR SOURCE_DIR (lab.py). The video is made by ffmpeg.
"""
import concurrent.futures
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, ORIGIN, must, run  # noqa: E402

SECONDS = 12
FRAMES = 25 * SECONDS
# A segment comes in a little more than its duration, so that each one is late with a buffer of one segment.
LINKS = "wifi 700kbps 20ms; lte 400kbps 60ms"


def boxes(data):
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        assert 8 <= size <= len(data) - at, f"a box of {size} bytes at {at} of {len(data)}"
        yield data[at + 4:at + 8], data[at + 8:at + size]
        at += size


def media(data):
    """The bytes of all frames, without the boxes around them."""
    return [body for kind, body in boxes(data) if kind == b"mdat"]


class PartialPlayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="partial ")))
        cls.folder.chmod(0o755)
        source, cls.content = cls.folder / "source.mp4", cls.folder / "content"
        must("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=480x270:r=25:d={SECONDS}", "-f", "lavfi", "-i",
             f"sine=440:r=48000:d={SECONDS}", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", source)
        must(BIN / "tributary-segment", source, "-o", cls.content, "--ladder", "one=1000k@480x270", "--audio", "64k",
             "--no-thumbnails", "-q")
        cls.segments = [path.read_bytes() for path in sorted((cls.content / "one").glob("*.m4s"))]

    def links(self):
        links = lab.Lab(LINKS, self.folder)
        self.addCleanup(links.close)
        return links

    def stream(self, links, partial):
        out = self.folder / partial
        out.mkdir()
        out.chmod(0o777)
        done = run(*links.bench_command(f"http://{ORIGIN}/index.json", "-q", "--buffer", "1", "--partial", partial,
                                           "--save-raw", out / "saved", "--output", out / "summary.json", "--trace", out / "trace"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return out, json.loads((out / "summary.json").read_text())

    def test_what_plays_is_of_the_origin_and_stands_still_less(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            (_, waits), (out, plays) = pool.map(self.stream, [self.links(), self.links()], ["wait", "play"])
        self.assertGreater(waits["misses"], 2)  # or it would show nothing
        self.assertLess(2 * plays["miss_total_s"], waits["miss_total_s"])
        self.assertGreaterEqual(plays["frames_shown"], 0.9)
        self.assertIn("action deliver-frames", (out / "trace").read_text())
        pieces = media((out / "saved/picture").read_bytes())
        self.assertGreater(len(pieces), len(self.segments))
        for number, segment in enumerate(self.segments):
            whole, = media(segment)
            came = pieces.pop(0)
            while pieces and whole.startswith(came + pieces[0]):
                came += pieces.pop(0)
            self.assertTrue(whole.startswith(came), f"segment {number}")
        self.assertEqual(pieces, [])
        decoded = run("ffmpeg", "-nostdin", "-v", "error", "-i", out / "saved/picture", "-f", "framemd5", "-")
        self.assertEqual((decoded.returncode, decoded.stderr), (0, ""))
        frames = [line for line in decoded.stdout.splitlines() if not line.startswith("#")]
        self.assertGreaterEqual(len(frames), 0.9 * FRAMES)

    @unittest.skipUnless((BIN / "play_and_count").exists(), "the player is not built")
    def test_the_player_shows_it(self):
        done = run(*self.links().client_command("env", "ASAN_OPTIONS=detect_leaks=0", BIN / "play_and_count",
                                            f"http://{ORIGIN}/index.json", "--late-frames", "--buffer", "1", "--in-part"))
        self.assertEqual(done.returncode, 0, done.stderr)
        counted = json.loads(done.stdout.splitlines()[-1])
        self.assertGreaterEqual(counted["frames"], 0.9 * FRAMES, counted)
        self.assertAlmostEqual(counted["position_s"], SECONDS, delta=0.3)


if __name__ == "__main__":
    lab.main()
