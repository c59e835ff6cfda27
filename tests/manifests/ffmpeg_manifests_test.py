#!/usr/bin/env python3
"""Manifests as ffmpeg's muxers write them: each address that our readers list is a file, and each picture is there.

Usage: ffmpeg_manifests_test.py PROGRAMS [TEST...]. PROGRAMS is the folder with list_mpd, list_playlist and list_index.
"""
import datetime
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checking  # noqa: E402
import listing  # noqa: E402

PROGRAMS = pathlib.Path(sys.argv.pop(1))
PICTURE_AND_SOUND = ["-map", "0:v:0", "-map", "0:a"]
ALL = ["-map", "0:v:0", "-map", "0:v:1", "-map", "0:a"]

DASH = {
    "timeline": [],
    "duration": ["-use_timeline", "0"],
    "list": ["-use_template", "0"],
    "one file": ["-single_file", "1"],
    "one file with a template": ["-single_file", "1", "-use_template", "1"],
    "one file with an index": ["-single_file", "1", "-global_sidx", "1"],
    "named with blanks": ["-media_seg_name", "a b$RepresentationID$ $Number%05d$.$ext$", "-init_seg_name",
                          "i&$RepresentationID$.$ext$"],
    "two sets of pictures": ["-adaptation_sets", "id=0,streams=0 id=1,streams=1 id=2,streams=2"],
    "fragments": ["-frag_type", "every_frame"],
    "low latency": ["-ldash", "1", "-streaming", "1", "-use_timeline", "0", "-target_latency", "1", "-utc_timing_url",
                    "http://time.example/"],
    "for HLS as well": ["-hls_playlist", "1"],
}

HLS = {
    "ts": [],
    "fmp4": ["-hls_segment_type", "fmp4"],
    "ts in one file": ["-hls_flags", "single_file"],
    "fmp4 in one file": ["-hls_segment_type", "fmp4", "-hls_flags", "single_file"],
    "all flags": ["-hls_flags", "independent_segments+program_date_time+round_durations+discont_start+temp_file"],
    "cut by time": ["-hls_flags", "split_by_time+independent_segments", "-hls_time", "1.7"],
    "numbered by the clock": ["-hls_start_number_source", "epoch"],
    "named with blanks": ["-hls_segment_filename", "FOLDER/a b %03d.ts"],
    "cut by size": ["-hls_segment_size", "60000"],
}


def muxed(clip, *options):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", clip, *options], check=True, timeout=120)


class FfmpegManifests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.clip_folder = tempfile.TemporaryDirectory(prefix="tributary-clip-")
        cls.addClassCleanup(cls.clip_folder.cleanup)
        cls.clip = pathlib.Path(cls.clip_folder.name) / "clip.mp4"
        cls.pictures = checking.make_clip(cls.clip)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="tributary manifests ")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def new_folder(self, name):
        folder = self.folder / name
        folder.mkdir()
        return folder

    def test_mpds(self):
        for name, options in DASH.items():
            with self.subTest(name):
                path = self.new_folder(name) / "film.mpd"
                muxed(self.clip, *ALL, "-c", "copy", "-f", "dash", "-seg_duration", "2", *options, path)
                tracks, segments = checking.check_mpd(PROGRAMS, path, pictures=self.pictures)
                self.assertEqual(tracks, 3)
                self.assertGreaterEqual(segments, 3 * 4)
                if name == "for HLS as well":
                    playlists, _ = checking.check_playlist(PROGRAMS, path.with_name("master.m3u8"), pictures=self.pictures)
                    self.assertEqual(playlists, 3)

    def test_media_playlists(self):
        for name, options in HLS.items():
            with self.subTest(name):
                folder = self.new_folder(name)
                options = [option.replace("FOLDER", str(folder)) for option in options]
                muxed(self.clip, *PICTURE_AND_SOUND, "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0",
                      *options, folder / "film.m3u8")
                seconds = None if name == "all flags" else checking.CLIP_SECONDS  # rounded durations add up to others
                _, segments = checking.check_playlist(PROGRAMS, folder / "film.m3u8", seconds=seconds,
                                                      pictures=self.pictures)
                self.assertGreaterEqual(segments, 4)

    def test_encrypted_playlists(self):
        for name, options in {"vector of the number": [], "stated vector": ["0123456789abcdef0123456789abcdef"]}.items():
            with self.subTest(name):
                folder = self.new_folder(name)
                (folder / "film.key").write_bytes(bytes(range(16)))
                (folder / "key").write_text("\n".join(["film.key", str(folder / "film.key"), *options]) + "\n")
                muxed(self.clip, *PICTURE_AND_SOUND, "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0",
                      "-start_number", "3", "-hls_key_info_file", folder / "key", folder / "film.m3u8")
                playlist = listing.read_playlist(PROGRAMS, folder / "film.m3u8")
                self.assertEqual({each["key"]["method"] for each in playlist["segments"]}, {"AES-128"})
                for part in checking.parts_of_playlist(playlist, folder / "film.m3u8"):
                    self.assertEqual(checking.bytes_of(part)[0], 0x47)  # with another vector, the first block is another
                checking.check_playlist(PROGRAMS, folder / "film.m3u8", pictures=self.pictures)

    def test_multivariant_playlists(self):
        maps = {"sound apart": "v:0,agroup:s v:1,agroup:s a:0,agroup:s,language:en,default:yes",
                "each with sound": "v:0,a:0,name:high v:1,a:1,name:low"}
        for name, streams in maps.items():
            for kind in ("mpegts", "fmp4"):
                with self.subTest(f"{name}, {kind}"):
                    folder = self.new_folder(f"{name} {kind}")
                    sounds = ["-map", "0:a"] * (2 if "a:1" in streams else 1)
                    muxed(self.clip, "-map", "0:v:0", "-map", "0:v:1", *sounds, "-c", "copy", "-b:v:0", "400k", "-b:v:1",
                          "100k", "-b:a", "64k", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0", "-hls_segment_type",
                          kind, "-master_pl_name", "master.m3u8", "-var_stream_map", streams, folder / "%v/film.m3u8")
                    playlists, _ = checking.check_playlist(PROGRAMS, folder / "master.m3u8", pictures=self.pictures)
                    self.assertEqual(playlists, 3 if name == "sound apart" else 2)

    def test_subtitles(self):
        text = self.folder / "text.srt"
        text.write_text("1\n00:00:01,000 --> 00:00:03,000\nHello\n\n2\n00:00:05,000 --> 00:00:07,000\nWorld\n")
        muxed(self.clip, "-i", text, "-map", "0:v:0", "-map", "0:a", "-map", "1:s", "-c", "copy", "-c:s", "webvtt", "-b:v",
              "400k", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0", "-master_pl_name", "master.m3u8",
              "-var_stream_map", "v:0,a:0,s:0,sgroup:text", self.folder / "%v.m3u8")
        playlists, _ = checking.check_playlist(PROGRAMS, self.folder / "master.m3u8", pictures=self.pictures)
        self.assertEqual(playlists, 2)

    def test_segment_muxer(self):
        muxed(self.clip, *PICTURE_AND_SOUND, "-c", "copy", "-f", "segment", "-segment_time", "2", "-segment_list",
              self.folder / "film.m3u8", self.folder / "film%d.ts")
        checking.check_playlist(PROGRAMS, self.folder / "film.m3u8", pictures=self.pictures)

    def live(self, *options, until):
        """A live presentation as it is after `until` says so: the muxer is killed, so that it ends nothing."""
        muxer = subprocess.Popen(["ffmpeg", "-v", "error", "-nostdin", "-y", "-re", "-stream_loop", "-1", "-i", self.clip,
                                  *PICTURE_AND_SOUND, "-c", "copy", *options])
        try:
            deadline = time.monotonic() + 60
            while not until():
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
        finally:
            muxer.kill()
            muxer.wait()

    def test_live_mpd(self):
        for name, options in {"timeline": [], "duration": ["-use_timeline", "0"]}.items():
            with self.subTest(name):
                path = self.new_folder(name) / "live.mpd"
                third = path.with_name("chunk-stream0-00004.m4s")
                self.live("-f", "dash", "-seg_duration", "1", "-window_size", "3", "-extra_window_size", "9", *options, path,
                          until=third.exists)
                mpd = listing.read_mpd(PROGRAMS, path, f"{datetime.datetime.utcnow():%Y-%m-%dT%H:%M:%SZ}")
                self.assertTrue(mpd["dynamic"])
                for _, _, one, parts in listing.tracks_of_mpd(mpd, checking.address_of(path)):
                    self.assertTrue(one["segments"], one)
                    for part in parts:
                        self.assertTrue(checking.bytes_of(part))

    def test_live_playlist(self):
        path = self.folder / "live.m3u8"
        self.live("-f", "hls", "-hls_time", "1", "-hls_list_size", "3", path, until=(self.folder / "live4.ts").exists)
        playlist = listing.read_playlist(PROGRAMS, path)
        self.assertFalse(playlist["ended"])
        self.assertEqual(checking.check_playlist(PROGRAMS, path, seconds=None), (1, 3))


unittest.main()
