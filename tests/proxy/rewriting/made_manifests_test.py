#!/usr/bin/env python3
"""Manifests as ffmpeg's muxers write them are the same presentations after they are rewritten.

Usage: made_manifests_test.py PROGRAMS [--npm]. PROGRAMS is the folder with check_rewriting. With --npm, also those of the
packages m3u8-parser and mpd-parser, which needs a network.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(sys.argv.pop(1))
WITH_NPM = "--npm" in sys.argv
if WITH_NPM:
    sys.argv.remove("--npm")

DASH = {
    "timeline": [],
    "duration": ["-use_timeline", "0"],
    "list": ["-use_template", "0"],
    "one file": ["-single_file", "1"],
}
HLS = {
    "ts": [],
    "one file": ["-hls_segment_type", "fmp4", "-hls_flags", "single_file+program_date_time"],
    "elsewhere": ["-hls_base_url", "https://cdn.example/a b/"],
}


class MadeManifests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="tributary-rewriting-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, manifests, refused=0):
        done = subprocess.run([PROGRAMS / "check_rewriting", *manifests], capture_output=True, text=True, errors="replace",
                              timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        words = [line.partition(" ")[0] for line in done.stdout.splitlines()]
        self.assertEqual(len(words), len(manifests))
        self.assertLessEqual(words.count("refused"), refused, done.stdout)
        return sum(map(int, re.findall(r"\((\d+) addresses\)", done.stdout)))

    def make(self, name, *options):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=8", "-f", "lavfi", "-i",
                        "sine=d=8", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-c:a", "aac", *options, path],
                       check=True, timeout=120, cwd=path.parent)
        return path

    def test_mpds(self):
        for name, options in DASH.items():
            with self.subTest(name):
                path = self.make(f"{name}/film.mpd", "-f", "dash", "-seg_duration", "2", *options)
                self.assertGreaterEqual(self.check([path]), 2)
                self.assertGreaterEqual(self.check([self.elsewhere(path)]), 2)

    @staticmethod
    def elsewhere(path):
        """The same MPD with files at other origins, and with queries."""
        text = re.sub(r'(media|initialization)="', r'\1="https://cdn.example/x/y z/', path.read_text())
        text = re.sub(r'(media="[^"]*)"', r'\1?sig=a&amp;b"', text)
        path.write_text(text.replace("<Period", "<BaseURL>https://a.example/</BaseURL><BaseURL>b/</BaseURL><Period", 1))
        return path

    def test_playlists(self):
        for name, options in HLS.items():
            with self.subTest(name):
                path = self.make(f"hls {name}/film.m3u8", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0", *options)
                self.assertGreaterEqual(self.check([path]), 4)

    def test_multivariant(self):
        path = self.make("several/%v.m3u8", "-map", "0:v", "-map", "1:a", "-f", "hls", "-hls_time", "2", "-master_pl_name",
                         "master.m3u8", "-var_stream_map", "v:0,agroup:s a:0,agroup:s")
        self.assertEqual(self.check([path.with_name("master.m3u8")]), 3)

    @unittest.skipUnless(WITH_NPM, "needs a network")
    def test_npm(self):
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefix", self.folder,
                        "m3u8-parser@7.2.0", "mpd-parser@1.4.0"], check=True, stdout=subprocess.DEVNULL)
        playlists, mpds = sorted(self.folder.rglob("*.m3u8")), sorted(self.folder.rglob("*.mpd"))
        self.assertGreaterEqual(len(playlists), 60)
        self.assertGreaterEqual(len(mpds), 17)
        print(self.check(playlists, refused=10), self.check(mpds, refused=3), "addresses")


unittest.main()
