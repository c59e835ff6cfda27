#!/usr/bin/env python3
"""Players of others get titles through tributary-proxy over two links: every picture, also when a link dies, and nothing that no
manifest names.

Usage: proxy_test.py BIN_DIR SOURCE_DIR (lab.py). The player is ffmpeg.
"""
import contextlib
import json
import pathlib
import signal
import subprocess
import tempfile
import unittest

import lab
from lab import BIN, ORIGIN, outage
from packaging import LAYOUTS, SECONDS, make

FRAMES = 25 * SECONDS


class ProxyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="proxy ")))
        cls.folder.chmod(0o755)
        cls.content = cls.folder / "content"
        for name in ("dash-timeline", "hls-fmp4", "hls-ts"):
            make(cls.content / name, *LAYOUTS[name])
        cls.titles = [pathlib.Path(title) for title in ("dash-timeline/film.mpd", "hls-fmp4/master.m3u8", "hls-ts/master.m3u8")]
        cls.lab = lab.Lab("wifi 3Mbps 20ms; lte 2Mbps 60ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)

    @contextlib.contextmanager
    def proxy(self, *arguments):
        """(its process, what it prints line by line)."""
        process = subprocess.Popen(self.lab.client_command("env", "ASAN_OPTIONS=detect_leaks=0", BIN / "tributary-proxy", "--json", *arguments),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    def end(self, process):
        """What each link carried."""
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        return {link["name"]: link["bytes"] for link in json.loads(out.splitlines()[-1])["links"]}

    def curl(self, *arguments):
        return lab.run(*self.lab.client_command("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", *arguments)).stdout

    def frames(self, address):
        done = lab.run(*self.lab.client_command("ffmpeg", "-nostdin", "-v", "error", "-i", address, "-map", "0:v:0", "-f", "framemd5", "-"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return sum(not line.startswith("#") for line in done.stdout.splitlines())

    def test_a_player_gets_every_picture_over_both_links(self):
        for title in self.titles:
            with self.subTest(str(title)), self.proxy(f"http://{ORIGIN}/{title}") as process:
                local = json.loads(process.stdout.readline())["local"]
                self.assertEqual(self.frames(local), FRAMES)
                carried = self.end(process)
                self.assertGreater(min(carried["wifi"], carried["lte"]), 0)

    def test_a_link_that_dies_costs_no_picture(self):
        with self.proxy(f"http://{ORIGIN}/{self.titles[0]}") as process:
            local = json.loads(process.stdout.readline())["local"]
            with outage(self.lab, "wifi", after=1, seconds=3):
                self.assertEqual(self.frames(local), FRAMES)
            self.end(process)

    def test_only_what_a_manifest_names_is_fetched_and_only_for_those_who_know_the_address(self):
        (self.content / "secret.txt").write_text("secret")
        with self.proxy(f"http://{ORIGIN}/{self.titles[0]}") as process:
            local = json.loads(process.stdout.readline())["local"]
            base = local.rsplit("/", 2)[0]
            self.assertEqual(self.curl(local), "200")
            self.assertEqual(self.curl(f"{base}/secret.txt"), "404")
            token = local.split("/")[3]
            self.assertEqual(self.curl(local.replace(token, "0" * len(token))), "404")
            self.assertIn(self.curl("-H", "Host: evil.example", local), ("421", "403"))
            self.assertEqual(self.curl("--path-as-is", local.replace("/1/0/", "/1/0/../../")), "400")
            self.end(process)

    def test_a_missing_file_is_the_players_404(self):
        hls = self.titles[1]
        text = (self.content / hls).read_text()
        name = next(line for line in text.splitlines() if line and not line.startswith("#"))
        (self.content / hls.parent / "gone.m3u8").write_text(text.replace(name, "gone-" + name))
        with self.proxy(f"http://{ORIGIN}/{hls.parent}/gone.m3u8") as process:
            local = json.loads(process.stdout.readline())["local"]
            self.assertEqual(self.curl(local), "200")
            self.assertEqual(self.curl(local.rsplit("/", 1)[0] + "/gone-" + name), "404")
            self.end(process)

    def test_what_is_no_manifest_is_told(self):
        for path, words in (("secret.txt", ""), ("nothing.m3u8", "404")):
            (self.content / "secret.txt").write_text("secret")
            done = lab.run(*self.lab.client_command(BIN / "tributary-proxy", f"http://{ORIGIN}/{path}"))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("tributary-proxy: ", done.stderr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    lab.main()
