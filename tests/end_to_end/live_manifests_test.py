#!/usr/bin/env python3
"""What ffmpeg's muxers publish live as DASH and HLS comes over two links without a stop, and without a hole.

Usage: live_manifests_test.py BIN_DIR SOURCE_DIR [SECONDS]. The videos are made by ffmpeg.
"""
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import lab
from packaging import PICTURE, SOUND
from waiting import wait_until

SECONDS = int(sys.argv[3]) if len(sys.argv) > 3 else 14
BEFORE = 4  # segments of 1 s that are there when the client comes
RATE = 25
DASH = ["-f", "dash", "-seg_duration", "1", "-window_size", "6", "-extra_window_size", "6", "-streaming", "0",
        "-adaptation_sets", "id=0,streams=v id=1,streams=a"]
HLS = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "6", "-hls_delete_threshold", "6", "-master_pl_name", "master.m3u8"]
HLS += ["-bsf:v", "h264_mp4toannexb"]  # whose output has a profile, which the playlist names
SPLIT = ["-var_stream_map", "v:0,agroup:a v:1,agroup:a a:0,agroup:a", "-hls_segment_type", "fmp4"]
MIXED = ["-map", "0:a", "-var_stream_map", "v:0,a:0 v:1,a:1"]
LAYOUTS = {  # options, and the manifest
    "dash-timeline": ([*DASH, "-use_timeline", "1"], "film.mpd"),
    "dash-template": ([*DASH, "-use_timeline", "0"], "film.mpd"),
    "hls-dated": ([*HLS, *SPLIT, "-hls_flags", "delete_segments+program_date_time"], "list_%v.m3u8"),
    "hls-fmp4": ([*HLS, *SPLIT, "-hls_flags", "delete_segments"], "list_%v.m3u8"),
    "hls-ts": ([*HLS, *MIXED, "-hls_flags", "delete_segments"], "list_%v.m3u8"),
}


class LiveManifestsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="live manifests ")))
        cls.folder.chmod(0o755)
        (cls.folder / "content").mkdir()
        cls.source = cls.folder / "source.mp4"
        lab.must("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=320x180:r={RATE}:d={SECONDS}", "-f", "lavfi",
                 "-i", f"sine=440:r=48000:d={SECONDS}", "-map", "0:v", "-map", "0:v", "-map", "1:a", *PICTURE, "-g", RATE,
                 "-keyint_min", RATE, "-b:v:0", "200k", "-b:v:1", "400k", *SOUND, cls.source)
        cls.lab = lab.Lab("wifi 6Mbps 20ms; lte 4Mbps 60ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)

    def publish(self, name):
        """At the pace of playout. Nothing is encoded."""
        options, manifest = LAYOUTS[name]
        folder = self.folder / "content" / name
        folder.mkdir()
        command = ["ffmpeg", "-nostdin", "-v", "error", "-re", "-i", self.source, "-map", "0:v", "-map", "0:a", "-c", "copy",
                   *options, folder / manifest]
        process = subprocess.Popen([str(word) for word in command], stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        wait_until(lambda: process.poll() is not None or len([*folder.glob("*.m4s"), *folder.glob("*.ts")]) >= 3 * (BEFORE + 1))
        return "film.mpd" if name.startswith("dash") else "master.m3u8"

    def stream(self, name):
        saved, summary = self.folder / f"{name}.media", self.folder / f"{name}.json"
        done = lab.run(*self.lab.bench_command(f"http://{lab.ORIGIN}/{name}/{self.publish(name)}", "--mode", "live-buffered",
                                               "--save", saved, "--adaptation", f"fixed:{'1' if name.startswith('dash') else '180p-2'}",
                                               "--output", summary, "--trace", self.folder / f"{name}.trace"))
        return name, done, saved, json.loads(summary.read_text()) if summary.exists() else None

    def frames(self, media):
        """When the pictures are shown, in order."""
        told = lab.must("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", media)
        return sorted(float(line.strip(",")) for line in told.split())

    def test_every_layout_comes_over_both_links_until_its_end(self):
        with concurrent.futures.ThreadPoolExecutor(len(LAYOUTS)) as pool:
            for name, done, saved, summary in pool.map(self.stream, LAYOUTS):
                with self.subTest(name):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertTrue(summary["complete"])
                    self.assertTrue(all(link["bytes"] > 0 for link in summary["links"]), summary["links"])
                    shown = self.frames(saved)
                    self.assertGreaterEqual(len(shown), RATE * (SECONDS - BEFORE - 2))
                    steps = [after - before for before, after in zip(shown, shown[1:])]
                    self.assertLess(max(steps), 1.5 / RATE, "there is a hole")
                    # A template names one more than there is, until the client has seen that the title is over.
                    self.assertLessEqual(summary["segments_skipped"], 1 if name == "dash-template" else 0)


sys.argv[3:] = []
lab.main()
