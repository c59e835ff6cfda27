#!/usr/bin/env python3
"""Texts of HLS and MPEG-DASH titles are shown at their times. A broken file of texts does not stop the picture.

Usage: shown_texts_end_to_end_test.py PLAY_AND_COUNT
"""
import functools
import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

import caption_film

PLAYER = sys.argv.pop(1)
SECONDS = 6
SEGMENTS = ["X-TIMESTAMP-MAP=MPEGTS:{zero},LOCAL:00:01:00.000\n\n01:01.000 --> 01:02.500\none <b>&amp;</b>\n",
            "\n00:01.000 --> 00:02.500\n",  # WEBVTT is missing in front of this one
            "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:{zero}\n\n00:04.200 --> 00:05.200\n<v Ann><i>three</i>\n"]


# Captions within the pictures: from when which text.
ENGLISH = [(1.5, "Hello there"), (3, None), (4, "Good & bye"), (5.2, None)]
GERMAN = [(2, "Hallo dort"), (4.4, None)]


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class QuietServer(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):  # the player has closed a connection
        pass


class ShownTexts(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="tributary-texts-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        handler = functools.partial(QuietHandler, directory=self.folder)
        server = QuietServer(("127.0.0.1", 0), handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"

    def make_title(self):
        picture = self.folder / "v.m3u8"
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"testsrc2=s=160x90:r=25:d={SECONDS}", "-c:v", "libx264",
                        "-preset", "ultrafast", "-threads", "1", "-g", "50", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", picture],
                       check=True, timeout=60)
        start = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=start_pts", "-of", "csv=p=0", self.folder / "v0.ts"],
                               check=True, timeout=60, capture_output=True, text=True).stdout
        zero = int(re.search(r"\d+", start)[0])  # of the clock of MPEG-TS, where the title begins
        lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:2"]
        for number, text in enumerate(SEGMENTS):
            text = text.format(zero=zero)
            (self.folder / f"t{number}.vtt").write_text(text if number == 1 else "WEBVTT\n" + text)
            lines += ["#EXTINF:2,", f"t{number}.vtt"]
        (self.folder / "t.m3u8").write_text("\n".join(lines + ["#EXT-X-ENDLIST", ""]))
        (self.folder / "film.m3u8").write_text(
            '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="t.m3u8"\n'
            '#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=160x90,CODECS="avc1.42c00b",SUBTITLES="s"\nv.m3u8\n')

    def test_cues_come_and_go(self):
        self.make_title()
        errors = self.check_shown("film.m3u8", "en", [(1.0, "one <b>&amp;</b>"), (2.5, ""), (4.2, "<i>three</i>"), (5.2, "")])
        self.assertEqual(errors.count("do not begin with WEBVTT"), 1, errors)

    def check_shown(self, manifest, language, expected):
        """expected: from when which text. Returns what the player said of errors."""
        played = subprocess.run([PLAYER, f"{self.url}/{manifest}", "--subtitles", language, "--speed", "2", "--link", "lo"],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual(played.returncode, 0, played.stderr)
        *shown, figures = [line for line in played.stdout.splitlines() if not line.startswith("0.0 s")]
        # A loaded machine drops frames, and tells so.
        self.assertEqual(json.loads(figures)["frames"] + json.loads(figures)["dropped"], SECONDS * 25)
        shown = [line.split(" s: ") for line in shown]
        self.assertEqual([text.strip() for _, text in shown], [text for _, text in expected])
        # Looked at ten times a second, at twice the speed; a loaded machine looks later.
        for (position, _), (begin, _) in zip(shown, expected):
            self.assertGreaterEqual(float(position), begin - 0.06)
            self.assertLess(float(position), begin + 0.9)
        return played.stderr

    def make_captions(self):
        """By HLS in MPEG-TS and in fragmented MP4, and by MPEG-DASH."""
        film = self.folder / "film.h264"
        caption_film.make_film(film, SECONDS, ENGLISH, GERMAN)
        read = ["ffmpeg", "-v", "error", "-nostdin", "-r", str(caption_film.FRAMES_PER_SECOND), "-f", "h264", "-i", film, "-c", "copy"]
        hls = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"]
        for name, options in (("ts", []), ("mp4", ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"])):
            subprocess.run([*read, *hls, *options, self.folder / f"{name}.m3u8"], check=True, timeout=60, cwd=self.folder)
            captions = "".join(f'#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="{language}",LANGUAGE="{language}",'
                               f'INSTREAM-ID="{channel}"\n' for language, channel in (("en", "CC1"), ("de", "CC3"), ("fr", "SERVICE1")))
            (self.folder / f"captions-{name}.m3u8").write_text(
                f'#EXTM3U\n{captions}#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=160x90,CODECS="avc1.42c00b",CLOSED-CAPTIONS="c"\n'
                f"{name}.m3u8\n")
        subprocess.run([*read, "-f", "dash", "-seg_duration", "2", "captions.mpd"], check=True, timeout=60, cwd=self.folder)
        mpd = (self.folder / "captions.mpd").read_text()
        accessibility = '<Accessibility schemeIdUri="urn:scte:dash:cc:cea-608:2015" value="CC1=eng;CC3=deu"/>'
        (self.folder / "captions.mpd").write_text(re.sub(r"(<AdaptationSet[^>]*>)", rf"\1{accessibility}", mpd))

    def test_captions_within_pictures(self):
        self.make_captions()
        english = [(at, (text or "").replace("&", "&amp;")) for at, text in ENGLISH]
        german = [(at, text or "") for at, text in GERMAN]
        self.check_shown("captions-ts.m3u8", "en", english)
        self.check_shown("captions-mp4.m3u8", "de", german)
        self.check_shown("captions.mpd", "en", english)
        self.check_shown("captions-ts.m3u8", "off", [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
