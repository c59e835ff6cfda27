#!/usr/bin/env python3
"""Players that stay with one quality get the one that two links can bring (tributary-proxy --lead): every picture, smaller ones while
the links are slow, and larger ones before. Where it is not possible, the program says why.

Usage: lead_test.py BIN_DIR SOURCE_DIR (lab.py). The player is ffmpeg.
"""
import contextlib
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, ORIGIN, must, netlab  # noqa: E402
from packaging import DASH, HLS, PICTURE, SOUND  # noqa: E402

SECONDS = 48
FRAMES = 25 * SECONDS
WIDTHS = (160, 320, 640)
SCALED = "[0:v]split=3[a][b][c];[a]scale=160:90[low];[b]scale=320:180[middle];[c]noise=alls=20:allf=t,scale=640:360[high]"
LADDER = ["-filter_complex", SCALED, "-map", "[low]", "-map", "[middle]", "-map", "[high]", "-map", "1:a"]
RATES = [word for i, rate in enumerate((150, 500, 2000))
         for word in (f"-b:v:{i}", f"{rate}k", f"-maxrate:v:{i}", f"{rate}k", f"-bufsize:v:{i}", f"{rate}k")]
MIXED = ["-map", "1:a", "-map", "1:a", "-var_stream_map", "v:0,a:0 v:1,a:1 v:2,a:2"]
APART = ["-var_stream_map", "v:0,agroup:a v:1,agroup:a v:2,agroup:a a:0,agroup:a"]
FMP4 = [*HLS, *APART, "-hls_segment_type", "fmp4"]
IN_BAND = ["-tag:v", "avc3", "-bsf:v", "dump_extra=freq=keyframe"]
LAYOUTS = {  # options, and the manifest
    "ts": ([*HLS, *MIXED], "list_%v.m3u8"),
    "avc3": ([*IN_BAND, *FMP4], "list_%v.m3u8"),
    "dash": ([*IN_BAND, *DASH, "-use_timeline", "1"], "film.mpd"),
    "avc1": (FMP4, "list_%v.m3u8"),
}
LEADS = ("ts/master.m3u8", "avc3/master.m3u8", "dash/film.mpd")


SOURCE = ["-f", "lavfi", "-i", f"testsrc2=s=640x360:r=25:d={SECONDS}", "-f", "lavfi", "-i", f"sine=440:r=48000:d={SECONDS}"]
SOURCE_AT_ITS_PACE = ["-re", *SOURCE]


def make(folder, options, manifest):
    folder.mkdir(parents=True)
    must("ffmpeg", "-nostdin", "-v", "error", *SOURCE, *LADDER, *PICTURE, *RATES, *SOUND, *options, folder / manifest)


class LeadTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="lead ")))
        cls.folder.chmod(0o755)
        for name, layout in LAYOUTS.items():
            make(cls.folder / "content" / name, *layout)
        cls.lab = lab.Lab("wifi 2Mbps 20ms; lte 1500kbps 60ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)

    @contextlib.contextmanager
    def proxy(self, title, *arguments):
        """What it tells of the title first."""
        process = subprocess.Popen(self.lab.client_command("env", "ASAN_OPTIONS=detect_leaks=0", BIN / "tributary-proxy", "--json", "--lead",
                                                           *arguments, f"http://{ORIGIN}/{title}"),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            yield json.loads(process.stdout.readline())
            process.send_signal(signal.SIGINT)
            self.told = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, self.told)
        finally:
            process.kill()
            process.communicate()

    def set_rates(self, wifi, lte):
        netlab("set", self.lab.name, "wifi", f"rate={wifi}")
        netlab("set", self.lab.name, "lte", f"rate={lte}")

    def widths(self, address, *arguments):
        """Of the pictures that a player shows, which plays at its pace, by the second."""
        done = lab.run(*self.lab.client_command("ffmpeg", "-nostdin", "-v", "level+info", *arguments, "-i", address, "-map", "0:v:0", "-map", "0:a:0",
                                                "-vf", "showinfo=checksum=0", "-f", "null", "-"))
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertEqual([line for line in done.stderr.splitlines() if re.search(r"\[(error|fatal)\]", line)], [])
        return [int(width) for width in re.findall(r" s:(\d+)x\d+ ", done.stderr)]

    def curl(self, *arguments):
        return lab.run(*self.lab.client_command("curl", "-s", *arguments)).stdout

    def test_the_quality_follows_what_both_links_bring(self):
        for title in lab.all_if_long(LEADS):
            with self.subTest(title), self.proxy(title) as told:
                self.assertNotIn("not_led", told)
                self.set_rates("2Mbps", "1500kbps")
                slower = threading.Timer(20, self.set_rates, ("250kbps", "150kbps"))
                slower.start()
                self.addCleanup(slower.cancel)
                widths = self.widths(told["local"], "-re")
                slower.join()
                self.assertEqual(len(widths), FRAMES)
                self.assertIn(widths[0], WIDTHS)
                # Neither link alone carries the highest quality.
                before, after = widths[25 * 8:25 * 18], widths[25 * 30:]
                self.assertGreater(before.count(640), 0.6 * len(before), before[::25])
                self.assertGreater(after.count(160), 0.5 * len(after), after[::25])
                self.assertEqual(after.count(640), 0, after[::25])

    def test_what_was_given_once_is_given_again(self):
        self.set_rates("4Mbps", "4Mbps")
        with self.proxy("ts/master.m3u8", "--forget") as told:
            segments = self.segments(told)
            given = [self.bytes_of(name) for name in segments[:6]]
            widths = [self.width_of(name, content) for name, content in zip(segments, given)]
            self.assertEqual(widths[0], 0)  # nothing is known of the links
            self.assertGreater(max(widths), 0)
            for name, content in zip(segments, given):
                self.assertEqual(self.bytes_of(name, "-r", "1000-"), content[1000:])
                head = self.curl("-I", name)
                self.assertIn(re.findall(r"Content-Length: (\d+)", head), ([], [str(len(content))]))
        self.assertIn("could do is forgotten", self.told[1])
        with self.proxy("ts/master.m3u8") as told:
            first = self.segments(told)[0]
            self.assertGreater(self.width_of(first, self.bytes_of(first)), 0)  # 1 Mbit in 0.25 s, half of what is remembered

    def segments(self, told):
        """Their addresses."""
        folder = told["local"].rsplit("/", 1)[0]
        playlists = names_in(self.curl(told["local"]))
        self.assertEqual(len(playlists), 1, playlists)
        return [f"{folder}/{name}" for name in names_in(self.curl(f"{folder}/{playlists[0]}"))]

    def bytes_of(self, url, *arguments):
        file = self.folder / "answer"
        self.curl("-o", file, *arguments, url)
        return file.read_bytes()

    def width_of(self, segment, content):
        """Which quality of the segment these bytes are."""
        names = [re.sub(r"list_\d", f"list_{i}", segment.rsplit("/", 1)[1]) for i in range(3)]
        return next(i for i, name in enumerate(names) if (self.folder / "content/ts" / name).read_bytes() == content)

    def test_a_title_that_does_not_allow_it_is_followed_with_a_word(self):
        self.set_rates("4Mbps", "4Mbps")
        with self.proxy("avc1/master.m3u8") as told:
            self.assertEqual(told["not_led"], "the parameter sets of avc1 are in the init segments, which differ")
            self.assertEqual(self.curl(told["local"]).count("RESOLUTION"), 3)
            self.assertEqual(len(self.widths(told["local"])), FRAMES)
        self.assertIn("the player chooses the quality: the parameter sets of avc1", self.told[1])

    @lab.only_if_long
    def test_a_live_title_is_led_from_playlist_to_playlist(self):
        self.set_rates("2Mbps", "1500kbps")
        folder = self.folder / "content/live"
        folder.mkdir()
        live = ["-f", "hls", "-hls_time", "2", "-hls_list_size", "6", "-hls_flags", "delete_segments", "-master_pl_name", "master.m3u8", *MIXED]
        publisher = subprocess.Popen(list(map(str, ["ffmpeg", "-nostdin", "-v", "error", *SOURCE_AT_ITS_PACE, *LADDER, *PICTURE, *RATES,
                                                    *SOUND, *live, folder / "list_%v.m3u8"])))
        self.addCleanup(publisher.wait)
        self.addCleanup(publisher.kill)
        until(lambda: all((folder / f"list_{i}.m3u8").exists() and (folder / f"list_{i}.m3u8").read_text().count("EXTINF") >= 4 for i in range(3)))
        with self.proxy("live/master.m3u8") as told:
            self.assertNotIn("not_led", told)
            widths = self.widths(told["local"], "-t", "20")
            self.assertGreater(len(widths), 25 * 15)
            self.assertIn(640, widths)


def names_in(playlist):
    return [line for line in playlist.splitlines() if line and not line.startswith("#")]


def until(condition):
    while not condition():
        time.sleep(0.2)


if __name__ == "__main__":
    lab.main()
