#!/usr/bin/env python3
"""A server sends files with Content-Encoding though nobody asked for it: manifests, playlists and keys are decoded before they are
looked at, keys and texts before a player gets them, files are kept as they come, and segments are an error with its reason.

Usage: coded_test.py BIN_DIR SOURCE_DIR. The video is made by ffmpeg.
"""
import gzip
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request
import zlib

BIN = pathlib.Path(sys.argv[1])
SECONDS = 4
CODINGS = {"gzip": lambda data: gzip.compress(data, mtime=0), "deflate": zlib.compress, "rot13": lambda data: data}


class Coding(http.server.BaseHTTPRequestHandler):
    """/gzip/.m3u8,.key/FILE: files with these endings come coded by gzip."""
    protocol_version = "HTTP/1.1"
    folder = None

    def do_GET(self):
        _, coding, endings, name = self.path.split("/", 3)
        file = self.folder / name
        if not file.is_file():
            return self.send_error(404)
        data, coded = file.read_bytes(), name.endswith(tuple(endings.split(",")))
        if coded:
            data = CODINGS[coding](data)
        first, _, last = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        self.send_response(206 if first else 200)
        if first:
            begin, end = int(first), min(int(last or len(data)), len(data) - 1) + 1
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(data)}")
            data = data[begin:end]
        if coded:
            self.send_header("Content-Encoding", coding)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


class CodedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="coded ")))
        Coding.folder = folder / "content"
        Coding.folder.mkdir()
        cls.out = folder / "out"
        cls.out.mkdir()
        (Coding.folder / "film.key").write_bytes(b"0123456789abcdef\n")  # as an editor leaves it
        (folder / "key").write_bytes(b"0123456789abcdef")
        (folder / "key_info").write_text(f"film.key\n{folder / 'key'}\n")
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"testsrc=s=320x180:r=25:d={SECONDS}", "-g", "50", "-c:v",
                        "libx264", "-preset", "ultrafast", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod",
                        "-hls_key_info_file", folder / "key_info", Coding.folder / "list.m3u8"], check=True)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Coding)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.address = f"http://127.0.0.1:{server.server_address[1]}"

    def run_program(self, program, path, *arguments):
        return subprocess.run([BIN / program, f"{self.address}/{path}", "--link", "lo", *arguments], capture_output=True, text=True)

    def test_manifests_and_keys_are_decoded(self):
        for coding in ("gzip", "deflate"):
            with self.subTest(coding):
                film = self.out / f"{coding}.mp4"
                done = self.run_program("tributary-get", f"{coding}/.m3u8,.key/list.m3u8", "-o", film)
                self.assertEqual(done.returncode, 0, done.stderr)
                frames = subprocess.run(["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of",
                                         "csv=p=0", film], capture_output=True, text=True).stdout
                self.assertEqual(frames.strip(), str(25 * SECONDS))

    def test_a_player_gets_keys_and_texts_decoded_through_the_proxy(self):
        (Coding.folder / "texts.m3u8").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ntext.vtt\n#EXT-X-ENDLIST\n")
        (Coding.folder / "text.vtt").write_text("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
        for playlist, file in (("list.m3u8", "film.key"), ("texts.m3u8", "text.vtt")):
            command = [BIN / "tributary-proxy", "--json", "--link", "lo", f"{self.address}/gzip/.key,.vtt/{playlist}"]
            with self.subTest(file), subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:
                try:
                    local = json.loads(proxy.stdout.readline())["local"]
                    with urllib.request.urlopen(local) as answer:
                        name = next(name for name in answer.read().decode().replace('"', "\n").splitlines() if name.endswith(file))
                    with urllib.request.urlopen(urllib.parse.urljoin(local, name)) as answer:
                        self.assertEqual(answer.read(), (Coding.folder / file).read_bytes())
                        self.assertIsNone(answer.headers["Content-Encoding"])
                finally:
                    proxy.terminate()

    def test_an_unknown_coding_is_named(self):
        done = self.run_program("tributary-bench", "rot13/.m3u8/list.m3u8", "-q")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Content-Encoding rot13", done.stderr)

    def test_a_segment_that_comes_coded_is_an_error_with_its_reason(self):
        done = self.run_program("tributary-bench", "gzip/.ts/list.m3u8", "-q", "--give-up", "1s")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Content-Encoding gzip, though only identity was asked for", done.stderr)

    def test_a_file_is_kept_as_it_comes_and_the_user_is_told(self):
        file = self.out / "list.m3u8"
        done = self.run_program("tributary-get", "gzip/.m3u8/list.m3u8", "-o", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(gzip.decompress(file.read_bytes()), (Coding.folder / "list.m3u8").read_bytes())
        self.assertIn("with Content-Encoding: gzip; to unpack it: gzip -dc < FILE", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
