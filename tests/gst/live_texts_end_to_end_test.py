#!/usr/bin/env python3
"""Texts of live titles are shown at their times: of an MPD with two periods, and of encrypted HLS. One file comes late.

Usage: live_texts_end_to_end_test.py PLAY_AND_COUNT
"""
import concurrent.futures
import datetime
import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PLAYER = sys.argv.pop(1)
SECONDS = 14
BEFORE = 4  # seconds that are there when the player comes
BREAK = 6  # where the second period of the MPD begins
DELAY = 4  # of playout
EACH = 2  # seconds of a file of texts
LATE = 8  # the file that begins then is not there when it is asked for first
GONE = 1  # seconds of the media that no playlist of pictures lists any more
UNMAPPED = 10  # the file that begins then has no X-TIMESTAMP-MAP
KEY, VECTOR = "00112233445566778899aabbccddeeff", "0f" * 16


def file_of_texts(begin, zero, head=""):
    """A cue that is shown from 0.2 s to 1.4 s of the file. `zero`: where its clock begins, in seconds of the title."""
    def clock(seconds):
        return f"00:{seconds:06.3f}"
    return f"WEBVTT\n{head}\n{clock(begin - zero + 0.2)} --> {clock(begin - zero + 1.4)}\nfrom {begin}\n".encode()


def encrypted(data):
    return subprocess.run(["openssl", "enc", "-aes-128-cbc", "-K", KEY, "-iv", VECTOR], input=data, check=True, capture_output=True,
                          timeout=60).stdout


def set_of(name, attributes, template, media):
    return (f'<AdaptationSet {attributes}><SegmentTemplate timescale="1000" {template} media="{media}"/>'
            f'<Representation id="{name}" bandwidth="100000"/></AdaptationSet>')


class Title:
    """What is published of a title at a moment."""

    def __init__(self, folder):
        self.folder, self.zero = folder, time.time() - BEFORE
        self.asked = []

    def there(self):
        return min(time.time() - self.zero, SECONDS)

    def mpd(self):
        start = datetime.datetime.fromtimestamp(self.zero, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        periods = ""
        for begin, end in ((0, BREAK), (BREAK, SECONDS)):
            picture = set_of("picture", 'mimeType="video/mp4" codecs="avc1.42c00b"',
                             f'duration="1000" startNumber="{1 + begin}" presentationTimeOffset="{1000 * begin}" initialization="init-stream0.m4s"',
                             "chunk-stream0-$Number%05d$.m4s")
            text = set_of("text", 'mimeType="text/vtt" lang="en"', f'duration="{1000 * EACH}" startNumber="0"', f"text-{begin}-$Number$.vtt")
            periods += f'<Period id="{begin}" start="PT{begin}S" duration="PT{end - begin}S">{picture}{text}</Period>'
        return (f'<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="{start}" minBufferTime="PT1S" '
                f'minimumUpdatePeriod="PT1S" suggestedPresentationDelay="PT{DELAY}S" mediaPresentationDuration="PT{SECONDS}S" '
                f'profiles="urn:mpeg:dash:profile:isoff-live:2011">{periods}</MPD>').encode()

    def playlist(self, seconds, first, head, name):
        """All files of so many seconds that are complete, from the first one on."""
        there = int(self.there() / seconds)
        lines = ["#EXTM3U", f"#EXT-X-TARGETDURATION:{seconds}", f"#EXT-X-MEDIA-SEQUENCE:{first}", *head]
        for number in range(first, there):
            lines += [f"#EXTINF:{seconds},", name(number)]
        return "\n".join(lines + ["#EXT-X-ENDLIST"] * (there == SECONDS // seconds) + [""]).encode()

    def answer(self, name):
        """Nothing: there is no such file yet."""
        self.asked.append(name)
        if name == "film.mpd":
            return self.mpd()
        if name == "film.m3u8":
            return (b'#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="t.m3u8"\n'
                    b'#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=160x90,CODECS="avc1.42c00b",SUBTITLES="s"\nv.m3u8\n')
        if name == "v.m3u8":
            head = ['#EXT-X-MAP:URI="init-stream0.m4s"', f"#EXT-X-SERVER-CONTROL:HOLD-BACK={DELAY}"]
            return self.playlist(1, GONE, head, lambda number: f"chunk-stream0-{1 + number:05}.m4s")
        if name == "t.m3u8":
            return self.playlist(EACH, 0, [f'#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x{VECTOR}'], lambda number: f"crypt-0-{number}.vtt")
        if name == "key":
            return bytes.fromhex(KEY)
        if text := re.fullmatch(r"(text|crypt)-(\d+)-(\d+)\.vtt", name):
            zero, number = int(text[2]), int(text[3])
            begin = zero + EACH * number
            if begin + EACH > self.there() or (begin == LATE and self.asked.count(name) == 1):
                return None
            if text[1] == "crypt" and begin == UNMAPPED:
                return encrypted(file_of_texts(begin, 0))
            if text[1] == "crypt":  # 8 s of the file are the beginning of the media
                return encrypted(file_of_texts(begin, -8, "X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:08.000\n"))
            return file_of_texts(begin, zero)
        path = self.folder / name
        return path.read_bytes() if path.is_file() else None


class LiveTexts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tributary-live-texts-")))
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"testsrc2=s=160x90:r=25:d={SECONDS}", "-c:v", "libx264",
                        "-preset", "ultrafast", "-threads", "1", "-g", "25", "-f", "dash", "-seg_duration", "1", "-use_timeline", "0",
                        cls.folder / "all.mpd"], check=True, timeout=60)

    def serve(self):
        title = Title(self.folder)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                data = title.answer(self.path.lstrip("/"))
                whole = data or b""
                wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
                if data and wanted and int(wanted[1]) < len(data):
                    first, last = int(wanted[1]), min(int(wanted[2] or len(data)), len(data) - 1)
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
                    whole = data[first:last + 1]
                else:
                    self.send_response(404 if data is None else 200)
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("Content-Length", str(len(whole)))
                self.end_headers()
                self.wfile.write(whole)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):  # the player has closed a connection
                pass

        server = Server(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return title, f"http://127.0.0.1:{server.server_port}"

    def play(self, manifest, *options):
        title, url = self.serve()
        played = subprocess.run([PLAYER, f"{url}/{manifest}", *options, "--link", "lo"], capture_output=True, text=True, timeout=120)
        self.assertEqual(played.returncode, 0, played.stderr)
        return title, played

    def check_shown(self, played, gone):
        """Positions of the player count from the first segment that was listed."""
        *shown, figures = played.stdout.splitlines()
        self.assertNotIn("subtitles", played.stderr)
        shown = [line.split(" s: ") for line in shown]
        shown = [(float(position) + gone, text.strip()) for position, text in shown]
        begins = [(position, int(text.split()[1])) for position, text in shown if text]
        # Playout begins some seconds behind the end; from there on each file has been shown.
        first = begins[0][1]
        self.assertLessEqual(first, 4)
        self.assertEqual([begin for _, begin in begins], list(range(first, SECONDS, EACH)))
        # Looked at ten times a second; a loaded machine looks later. The first may have begun before playout did.
        for position, begin in begins[1:]:
            self.assertGreaterEqual(position, begin + 0.2 - 0.06)
            self.assertLess(position, begin + 0.2 + 0.9)
        for (_, text), (position, after) in zip(shown, shown[1:]):
            if text:
                self.assertEqual(after, "")
                self.assertGreaterEqual(position, int(text.split()[1]) + 1.4 - 0.06)
        self.assertEqual(json.loads(figures)["stalls"], 0)

    def test_cues_come_and_go_while_the_title_grows(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            mpd = pool.submit(self.play, "film.mpd", "--subtitles", "en")
            hls = pool.submit(self.play, "film.m3u8", "--subtitles", "en")
            plain = pool.submit(self.play, "film.m3u8")
        for name, running in (("mpd", mpd), ("hls", hls)):
            with self.subTest(name):
                title, played = running.result()
                self.check_shown(played, GONE if name == "hls" else 0)
                texts = [asked for asked in title.asked if asked.endswith(".vtt")]
                late = texts.count(f"text-{BREAK}-{(LATE - BREAK) // EACH}.vtt" if name == "mpd" else f"crypt-0-{LATE // EACH}.vtt")
                self.assertEqual(late, 2, texts)  # asked for again
                self.assertEqual(len(set(texts)), len(texts) - late + 1, texts)  # and no other twice
        self.assertFalse([asked for asked in plain.result()[0].asked if asked.endswith(".vtt") or asked in ("t.m3u8", "key")])


if __name__ == "__main__":
    unittest.main(verbosity=2)
