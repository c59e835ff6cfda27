#!/usr/bin/env python3
"""What ffmpeg packages for DASH and HLS comes over two links as it is in its files, whatever its layout, an outage changes nothing,
and the player shows all of it.

Usage: packagers_test.py BIN_DIR SOURCE_DIR. The videos are made by ffmpeg.
"""
import concurrent.futures
import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as xml

import lab
from lab import outage
from packaging import (JOINED, LAYOUTS, SECONDS, make, make_discontinuities, make_periods, of_playlist,
                       of_representation)

STRETCHES = {"dash-periods": make_periods, "hls-discontinuities": make_discontinuities}


class ManifestsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="manifests of others ")))
        cls.folder.chmod(0o755)
        for name, (options, manifest) in LAYOUTS.items():
            make(cls.folder / "content" / name, options, manifest)
        for name, make_joined in STRETCHES.items():
            make_joined(cls.folder / "content" / name)
        cls.lab = lab.Lab("wifi 6Mbps 20ms; lte 4Mbps 60ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)

    def manifest_of(self, name):
        return "film.mpd" if name.startswith("dash") else "master.m3u8"

    def qualities_of(self, name):
        """The lowest quality as the bench calls it, and the bytes of its picture and of its sound."""
        folder = self.folder / "content" / name
        if name == "dash-periods":
            # Here the rest of sound begins before its period ends.
            return "0", *(b"".join(of_representation(folder / piece, track, seconds + rest) for piece, seconds in JOINED)
                          for track, rest in ((0, 0), (2, 2)))
        if name == "hls-discontinuities":
            return "180p", *(b"".join(of_playlist(folder / piece / f"list_{track}.m3u8") for piece, _ in JOINED) for track in (0, 2))
        if name.startswith("dash"):
            root = xml.parse(folder / "film.mpd").getroot()
            lowest = min(root.iterfind(".//{*}AdaptationSet[1]/{*}Representation"), key=lambda r: int(r.get("bandwidth")))
            return lowest.get("id"), of_representation(folder, lowest.get("id")), of_representation(folder, 2)
        return "180p", of_playlist(folder / "list_0.m3u8"), of_playlist(folder / "list_2.m3u8") if "ts" not in name else b""

    def stream(self, name):
        quality, picture, sound = self.qualities_of(name)
        saved, summary = self.folder / f"{name}.mp4", self.folder / f"{name}.json"
        done = lab.run(*self.lab.bench_command(f"http://{lab.ORIGIN}/{name}/{self.manifest_of(name)}", "--buffer", "4", "--save", saved,
                                               "--adaptation", f"fixed:{quality}", "--output", summary))
        self.assertEqual(done.returncode, 0, done.stderr)
        return name, picture, sound, saved, json.loads(summary.read_text())

    def test_every_layout_comes_over_both_links_as_it_is(self):
        names = [*LAYOUTS, *STRETCHES]
        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool, outage(self.lab, "wifi", after=6, seconds=3):
            for name, picture, sound, saved, summary in pool.map(self.stream, names):
                with self.subTest(name):
                    self.assertTrue(summary["complete"])
                    self.assertEqual(saved.read_bytes(), picture)
                    heard = saved.with_suffix(".audio.mp4")
                    self.assertEqual(heard.read_bytes() if heard.exists() else b"", sound)
                    self.assertTrue(all(link["bytes"] > 0 for link in summary["links"]), summary["links"])

    def play(self, name):
        """What the player counted, without a window."""
        url = f"http://{lab.ORIGIN}/{name}/{self.manifest_of(name)}"
        done = lab.run(*self.lab.client_command("env", "ASAN_OPTIONS=detect_leaks=0", lab.BIN / "play_and_count", url))
        self.assertEqual(done.returncode, 0, done.stderr)
        return name, done.stderr, json.loads(done.stdout.splitlines()[-1])

    @unittest.skipUnless((lab.BIN / "play_and_count").exists(), "the player is not built")
    def test_the_player_shows_every_picture(self):
        names = [name for name in [*LAYOUTS, *STRETCHES] if name != "hls-ts"]  # MPEG-TS is streamed, and not yet decoded
        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
            for name, said, counted in pool.map(self.play, names):
                with self.subTest(name):
                    there = 25 * SECONDS
                    self.assertLessEqual(counted["frames"], there)
                    # On a busy machine some are late, and the last of those that were left out are not told.
                    self.assertGreaterEqual(counted["frames"] + counted["dropped"], 0.95 * there)
                    self.assertNotIn("cannot be played", said)
                    self.assertAlmostEqual(counted["position_s"], SECONDS, delta=0.2)


lab.main()
