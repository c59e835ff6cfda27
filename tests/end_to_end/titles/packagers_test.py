#!/usr/bin/env python3
"""What ffmpeg packages for DASH and HLS comes over two links as it is in its files, whatever its layout, an outage changes nothing,
and the player shows all of it.

Usage: packagers_test.py BIN_DIR SOURCE_DIR. The videos are made by ffmpeg.
"""
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from array import array

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import outage  # noqa: E402
from packaging import (BARE, FLASHING, FRAMES, JOINED, LAYOUTS, PACKED, SECONDS, SHORT, make, make_bare, make_dash_copies,  # noqa: E402
                       make_discontinuities, make_encrypted, make_hls_copies, make_packed, make_periods, of_playlist,
                       of_representation)

STRETCHES = {"dash-periods": make_periods, "hls-discontinuities": make_discontinuities}
COPIES = {"dash-copies": make_dash_copies, "hls-copies": make_hls_copies}
FLASHES = {"dash-flashes": lambda folder: make_periods(folder, FLASHING),
           "hls-flashes": lambda folder: make_discontinuities(folder, FLASHING),
           "hls-ts-flashes": lambda folder: make_discontinuities(folder, FLASHING, "hls-ts")}
HEARD = "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1 ! filesink sync=true location=\"{}\""
# With the times at which it is to be heard.
HEARD_AT = HEARD.replace("! filesink", "! matroskamux ! filesink")


def tones_in(file):
    """When they begin, in seconds."""
    packets = lab.run("ffprobe", "-v", "error", "-show_entries", "packet=pts_time,size", "-of", "csv=p=0", file).stdout.split()
    samples = array("h", subprocess.run(["ffmpeg", "-v", "error", "-i", file, "-c", "copy", "-f", "s16le", "-"],
                                        capture_output=True, check=True).stdout)
    tones, silent, first = [], 48000, 0
    for packet in packets:
        at, size = packet.split(",")[:2]
        for i in range(first, first + int(size) // 2):
            loud = abs(samples[i]) > 3000
            if loud and silent > 4800:
                tones.append(float(at) + (i - first) / 48000)
            silent = 0 if loud else silent + 1
        first += int(size) // 2
    return tones


class ManifestsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="manifests of others ")))
        cls.folder.chmod(0o755)
        for name, (options, manifest) in LAYOUTS.items():
            make(cls.folder / "content" / name, options, manifest)
        for name, make_several in (STRETCHES | COPIES | FLASHES).items():
            make_several(cls.folder / "content" / name)
        for name, (options, _) in BARE.items():
            make_bare(cls.folder / "content" / name, options)
        make_encrypted(cls.folder / "content/encrypted")
        for suffix, encoder in PACKED.items():
            make_packed(cls.folder / "content" / f"packed-{suffix}", suffix, encoder)
        make_packed(cls.folder / "content/packed-without-times", "aac", "aac", tagged=False)
        cls.lab = lab.Lab("wifi 6Mbps 20ms; lte 4Mbps 60ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)

    def manifest_of(self, name):
        return "film.mpd" if name.startswith("dash") else "master.m3u8"

    def qualities_of(self, name):
        """The lowest quality as the bench calls it, and the bytes of its picture and of its sound."""
        folder = self.folder / "content" / name / ("second" if name in COPIES else "")
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
        saved, summary = self.folder / f"{name}.raw", self.folder / f"{name}.json"
        done = lab.run(*self.lab.bench_command(f"http://{lab.ORIGIN}/{name}/{self.manifest_of(name)}", "--buffer", "4", "--save-raw", saved,
                                               "--adaptation", f"fixed:{quality}", "--output", summary))
        self.assertEqual(done.returncode, 0, done.stderr)
        return name, picture, sound, saved, json.loads(summary.read_text())

    def test_every_layout_comes_over_both_links_as_it_is(self):
        names = [*LAYOUTS, *STRETCHES]
        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool, outage(self.lab, "wifi", after=6, seconds=3):
            for name, picture, sound, saved, summary in pool.map(self.stream, names):
                with self.subTest(name):
                    self.assertTrue(summary["complete"])
                    self.assertEqual((saved / "picture").read_bytes(), picture)
                    heard = saved / "sound"
                    self.assertEqual(heard.read_bytes() if heard.exists() else b"", sound)
                    self.assertTrue(all(link["bytes"] > 0 for link in summary["links"]), summary["links"])

    def test_other_addresses_are_asked_when_some_fail(self):
        """Two have nothing from the beginning, and one from 5 s on."""
        with concurrent.futures.ThreadPoolExecutor(len(COPIES)) as pool:
            streams = pool.map(self.stream, COPIES)
            time.sleep(5)
            for name in COPIES:
                (self.folder / "content" / name / "first").rename(self.folder / "content" / name / "away")
            for name, picture, sound, saved, summary in streams:
                with self.subTest(name):
                    self.assertTrue(summary["complete"])
                    self.assertEqual((saved / "picture").read_bytes(), picture)
                    self.assertEqual((saved / "sound").read_bytes(), sound)
                    self.assertTrue(all(link["bytes"] > 0 for link in summary["links"]), summary["links"])

    def play(self, title, *arguments, sink=HEARD):
        """What the player counted, without a window, and the file with the sound that came."""
        sound = self.folder / f"{title.replace('/', ' ')}{''.join(arguments)}.raw"
        done = lab.run(*self.lab.client_command("env", "ASAN_OPTIONS=detect_leaks=0", lab.BIN / "play_and_count",
                                                f"http://{lab.ORIGIN}/{title}", "--late-frames", "--audio-sink", sink.format(sound),
                                                *arguments))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("cannot be played", done.stderr)
        return json.loads(done.stdout.splitlines()[-1]), sound

    @unittest.skipUnless((lab.BIN / "play_and_count").exists(), "the player is not built")
    def test_picture_and_sound_stay_together_where_they_go_on_otherwise(self):
        names = [f"{name}/{self.manifest_of(name)}" for name in FLASHES]
        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
            played = pool.map(lambda name: self.play(name, "--flashes", sink=HEARD_AT), names)
            for name, (counted, sound) in zip(names, played):
                with self.subTest(name):
                    tones = tones_in(sound)
                    self.assertEqual(len(counted["flashes"]), SECONDS, counted)
                    self.assertEqual(len(tones), SECONDS, tones)
                    apart = [tone - flash for tone, flash in zip(tones, counted["flashes"])]
                    self.assertLess(max(map(abs, apart)), 0.040, apart)

    def expect_played(self, counted, sound, frames, begin, end):
        heard = array("h", sound.read_bytes())
        self.assertEqual(counted["frames"], frames)
        self.assertAlmostEqual(counted["position_s"], end, delta=0.2)
        self.assertAlmostEqual(len(heard) / 48000, end - begin, delta=0.2)
        self.assertGreater(sum(abs(sample) > 200 for sample in heard) / len(heard), 0.9)

    @unittest.skipUnless((lab.BIN / "play_and_count").exists(), "the player is not built")
    def test_the_player_shows_every_picture(self):
        names = [*LAYOUTS, *STRETCHES]
        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
            played = pool.map(lambda name: self.play(f"{name}/{self.manifest_of(name)}"), names)
            for name, (counted, sound) in zip(names, played):
                with self.subTest(name):
                    self.expect_played(counted, sound, 25 * SECONDS, 0, SECONDS)

    @unittest.skipUnless((lab.BIN / "play_and_count").exists(), "the player is not built")
    @lab.only_if_long
    def test_the_player_finds_out_what_segments_hold(self):
        titles = [(f"{name}/film.m3u8", frames) for name, (_, frames) in BARE.items()]
        titles.append(("encrypted/film.m3u8", FRAMES))
        titles += [(f"packed-{suffix}/film.m3u8", FRAMES) for suffix in [*PACKED, "without-times"]]
        titles += [(f"packed-{suffix}/sound.m3u8", 0) for suffix in PACKED]
        # From the beginning; some also from within a segment, behind the wrap.
        asked = [(title, frames, 0) for title, frames in titles]
        asked += [(title, frames, 5.02) for title, frames in titles
                  if title in ("ts-wraps/film.m3u8", "encrypted/film.m3u8", "packed-aac/film.m3u8", "packed-mp3/sound.m3u8")]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            played = pool.map(lambda of: self.play(of[0], "--start", str(of[2])), asked)
            for (title, frames, begin), (counted, sound) in zip(asked, played):
                with self.subTest(f"{title} from {begin} s"):
                    self.expect_played(counted, sound, frames and round((SHORT - begin) * 25 + 0.5), begin, SHORT)


lab.main()
