#!/usr/bin/env python3
"""Players of others get titles through tributary-proxy over two links: every picture, also when a link dies, and nothing that no
manifest names.

Usage: proxy_test.py BIN_DIR SOURCE_DIR (lab.py). The player is ffmpeg.
"""
import contextlib
import filecmp
import itertools
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, ORIGIN, outage  # noqa: E402
import packaging  # noqa: E402
from packaging import LAYOUTS, SECONDS, make, source_of  # noqa: E402

sys.path.insert(0, str(lab.SOURCE / "tests/proxy/page"))
import chromium  # noqa: E402

FRAMES = 25 * SECONDS
LOCAL_PORT = 8099
LARGE = 120_000_000
# Takes 1 MB a second, for 5 s. What its kernel takes ahead of it is bounded: curl's may be sent 32 MB.
SLOW_PLAYER = """
import socket, sys, time, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
player = socket.socket()
player.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 262_144)
player.connect((url.hostname, url.port))
player.sendall(f"GET {url.path} HTTP/1.1\\r\\nHost: {url.netloc}\\r\\n\\r\\n".encode())
for tenth in range(50):
    assert player.recv(100_000, socket.MSG_WAITALL)
    time.sleep(.1)
"""
SERVER = "import http.server, sys\nclass Handler(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n"
LOCAL_SERVER = SERVER + f"""\
        open(sys.argv[1], "a").write(self.path)
        self.send_response(200)
        self.end_headers()
http.server.ThreadingHTTPServer(("127.0.0.1", {LOCAL_PORT}), Handler).serve_forever()
"""
REDIRECTING = SERVER + f"""\
        self.send_response(302)
        self.send_header("Location", "http://127.0.0.1:{LOCAL_PORT}" + self.path)
        self.end_headers()
http.server.ThreadingHTTPServer(("{ORIGIN}", {LOCAL_PORT}), Handler).serve_forever()
"""


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
    def proxy(self, *arguments, links=None):
        """Its process, which prints line by line."""
        process = subprocess.Popen((links or self.lab).client_command("env", "ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1", BIN / "tributary-proxy", "--json", *arguments),
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

    def frames(self, address, links=None):
        done = lab.run(*(links or self.lab).client_command("ffmpeg", "-nostdin", "-v", "error", "-i", address, "-map", "0:v:0", "-f", "framemd5", "-"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return sum(not line.startswith("#") for line in done.stdout.splitlines())

    def test_a_player_gets_every_picture_over_both_links(self):
        for title in self.titles:
            with self.subTest(str(title)), self.proxy(f"http://{ORIGIN}/{title}") as process:
                local = json.loads(process.stdout.readline())["local"]
                self.assertEqual(self.frames(local), FRAMES)
                carried = self.end(process)
                self.assertGreater(min(carried["wifi"], carried["lte"]), 0)

    def test_keys_come_through_whatever_they_are_called(self):
        folder = self.content / "keys"
        packaging.make_encrypted(folder)
        film = (folder / "film.m3u8").read_text()
        key = next(line for line in film.splitlines() if line.startswith("#EXT-X-KEY"))
        names = itertools.cycle(["key", "/keys/key", f"http://{ORIGIN}/keys/key?token=secret"])
        lines = [line for line in film.splitlines() if line != key]
        (folder / "film.m3u8").write_text("\n".join(f'{key.replace("key", next(names))}\n{line}' if line.startswith("#EXTINF") else line
                                                    for line in lines))
        (folder / "master.m3u8").write_text(f'#EXTM3U\n#EXT-X-SESSION-KEY:METHOD=AES-128,URI="http://{ORIGIN}/keys/key"\n'
                                            "#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=320x180\nfilm.m3u8\n")
        with self.proxy(f"http://{ORIGIN}/keys/master.m3u8") as process:
            local = json.loads(process.stdout.readline())["local"]
            self.assertEqual(self.frames(local), packaging.FRAMES)
            text = "".join(lab.run(*self.lab.client_command("curl", "-s", local.replace("master", name))).stdout for name in ("master", "film"))
            self.assertNotIn(ORIGIN, text)
            self.assertNotIn("secret", text)
            of_session = local.split("/", 3)[:3] + [text.split('URI="/')[1].split('"')[0]]
            self.assertEqual(lab.run(*self.lab.client_command("curl", "-s", "/".join(of_session))).stdout, (folder / "key").read_text())
            self.end(process)

    def test_a_link_that_dies_costs_no_picture(self):
        with self.proxy("--allow-page", "https://player.example", f"http://{ORIGIN}/{self.titles[0]}") as process:
            local = json.loads(process.stdout.readline())["local"]
            with outage(self.lab, "wifi", after=1, seconds=3):
                self.assertEqual(self.frames(local), FRAMES)
            self.end(process)

    def test_a_link_that_costs_brings_only_what_would_be_late(self):
        make(self.content / "long", *LAYOUTS["hls-fmp4"], source_of(2 * SECONDS))  # ffmpeg opens each quality: the first segments are late
        costs = ["--link", "wifi=free", "--link", "lte=metered:100MB"]
        with self.proxy(*costs, f"http://{ORIGIN}/long/{self.titles[1].name}") as process:
            local = json.loads(process.stdout.readline())["local"]
            self.assertEqual(self.frames(local), 2 * FRAMES)
            carried = self.end(process)
            self.assertGreater(carried["wifi"], 0)
            self.assertLess(carried.get("lte", 0), 0.1 * carried["wifi"])
        with self.proxy(*costs, f"http://{ORIGIN}/{self.titles[1]}") as process:
            local = json.loads(process.stdout.readline())["local"]
            with outage(self.lab, "wifi", after=0, seconds=12):
                time.sleep(1)  # the free link is gone; it would bring all of the film in little more than that
                self.assertEqual(self.frames(local), FRAMES)
            self.assertGreater(self.end(process)["lte"], 0)

    def test_three_links_carry_a_title_together(self):
        links = lab.Lab("wifi 1Mbps 20ms; lte 1Mbps 60ms; eth 1Mbps 5ms", self.folder)
        self.addCleanup(links.close)
        with self.proxy(f"http://{ORIGIN}/{self.titles[1]}", links=links) as process:
            local = json.loads(process.stdout.readline())["local"]
            self.assertEqual(self.frames(local, links), FRAMES)
            carried = self.end(process)
            self.assertEqual(set(carried), {"wifi", "lte", "eth"})
            self.assertGreater(min(carried.values()), 0.1 * sum(carried.values()))

    @unittest.skipIf(chromium.find() is None, "chromium is not installed")
    def test_the_page_shows_what_plays_and_uses_links_as_chosen(self):
        with contextlib.ExitStack() as stack:
            process = stack.enter_context(self.proxy(f"http://{ORIGIN}/{self.titles[1]}"))
            local = json.loads(process.stdout.readline())["local"]
            page = stack.enter_context(chromium.page_of_chromium(chromium.find(), self.lab.client_command()))
            page.open("/".join(local.split("/")[:4]) + "/")
            text = lambda selector: page.evaluate(f"document.querySelector({selector!r})?.innerText ?? ''")
            page.wait_for("document.querySelector('#titles .play:not([hidden])') !== null")
            self.assertEqual(text("#titles .name"), "hls-fmp4/master.m3u8")
            self.assertEqual(text("#titles .kind"), "HLS")
            self.assertIn("No player has it open", text("#titles .facts"))  # it plays here all the same

            player = subprocess.Popen(self.lab.client_command("ffmpeg", "-nostdin", "-v", "error", "-re", "-i", local, "-map", "0", "-f", "null", "-"))
            stack.callback(player.wait)
            stack.callback(player.kill)
            page.wait_for("document.querySelector('#titles .facts').innerText.startsWith('1 player')")
            row = lambda link: f"[...document.querySelectorAll('#links > li')].find(row => row.innerText.includes({link!r}))"
            for link in ("wifi", "lte"):
                page.wait_for(f"{row(link)}?.querySelector('.rate').innerText.includes('bit/s')")
            for use, activity in (("do-not-use", "Not used, as you chose"), ("when-needed", "Standing by until it is needed"), ("use", "Carries|Ready")):
                page.evaluate(f"{row('lte')}.querySelector('input[value={use}]').click()")
                page.wait_for(f"/{activity}/.test({row('lte')}.querySelector('.activity').innerText)")
                self.assertTrue(page.evaluate(f"{row('lte')}.querySelector('input[value={use}]').checked"))

            page.evaluate("document.querySelector('#titles .play').click()")
            page.wait_for("document.getElementById('video').currentTime > 1")
            self.assertEqual(text("#player-error"), "")
            page.evaluate("document.querySelector('#titles .close').click()")
            page.evaluate("document.querySelector('#question [value=close]').click()")
            page.wait_for("document.getElementById('titles-empty').innerText.startsWith('No title is open.')")
            self.assertEqual(self.curl(local), "404")
            self.assertEqual(page.complaints, [])

    def test_a_title_of_the_internet_leads_to_no_address_of_this_machine(self):
        """Neither by its text nor by a redirection. The address of the lab's server is none of a local network."""
        hits = self.folder / "hits"
        redirecting = [BIN / "tributary-netlab", "exec", self.lab.name, "server", "--", "python3", "-c", REDIRECTING]
        for command in (self.lab.client_command("python3", "-c", LOCAL_SERVER, hits), map(str, redirecting)):
            server = subprocess.Popen(list(command), stderr=subprocess.DEVNULL)
            self.addCleanup(server.wait)
            self.addCleanup(server.kill)
        until_it_answers = self.lab.client_command("curl", "-s", "--retry", "20", "--retry-connrefused", "--retry-delay", "1", "-o",
                                                   "/dev/null", f"http://127.0.0.1:{LOCAL_PORT}/ready")
        self.assertEqual(lab.run(*until_it_answers).returncode, 0)
        hits.unlink()
        (self.content / "inside.m3u8").write_text(
            f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:{LOCAL_PORT}/1.ts\n#EXT-X-ENDLIST\n")
        with self.proxy(f"http://{ORIGIN}/inside.m3u8") as process:
            local = json.loads(process.stdout.readline())["local"]
            text = lab.run(*self.lab.client_command("curl", "-s", local)).stdout
            inside = next(line for line in text.splitlines() if line and not line.startswith("#"))
            self.assertIn(self.curl("/".join(local.split("/", 3)[:3]) + inside), ("502", "504"))
            self.end(process)
        channels = [f"#EXTINF:-1,{name}\nhttp://127.0.0.1:{LOCAL_PORT}/{name}.m3u8\n" for name in ("one", "two")]
        (self.content / "tv.m3u").write_text("#EXTM3U\n" + "".join(channels))
        with self.proxy(f"http://{ORIGIN}/tv.m3u") as process:
            local = json.loads(process.stdout.readline())["local"]
            self.assertEqual(self.curl(local.replace("channels.m3u", "channel/1")), "502")
            self.end(process)
        done = lab.run(*self.lab.client_command(BIN / "tributary-proxy", f"http://{ORIGIN}:{LOCAL_PORT}/film.m3u8"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertFalse(hits.exists(), "the local server was asked")

    def test_ctrl_c_ends_it_while_the_server_says_nothing(self):
        silent = subprocess.Popen(
            self.lab.client_command("python3", "-c", "import socket, time; s = socket.create_server(('127.0.0.1', 8098)); "
                                    "print('listens', flush=True); c = s.accept(); print('asked', flush=True); time.sleep(600)"),
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(silent.communicate)
        self.addCleanup(silent.kill)
        self.assertEqual(silent.stdout.readline(), "listens\n")
        with self.proxy("http://127.0.0.1:8098/film.m3u8") as process:
            self.assertEqual(silent.stdout.readline(), "asked\n")
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), 0)

    def test_a_film_that_is_one_file_is_not_held_in_memory(self):
        """Nor fetched faster than the player takes it."""
        with (self.content / "large.mp4").open("wb") as film:
            for second in range(LARGE // 1_000_000):
                film.write(second.to_bytes(8, "big") * 125_000)
        (self.content / "large.m3u8").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:600\n#EXTINF:600,\nlarge.mp4\n#EXT-X-ENDLIST\n")
        links = lab.Lab("wifi 300Mbps 5ms; lte 200Mbps 10ms", self.folder)
        self.addCleanup(links.close)
        got = self.folder / "got.mp4"
        with self.proxy(f"http://{ORIGIN}/large.m3u8", links=links) as process:
            local = json.loads(process.stdout.readline())["local"]
            lab.run(*links.client_command("curl", "-s", local))  # a player reads the playlist first
            film = local.replace(".m3u8", ".mp4")
            status = pathlib.Path(f"/proc/{process.pid}/status")
            memory = lambda name: int(next(line for line in status.read_text().splitlines() if line.startswith(name)).split()[1]) * 1024
            before = memory("VmRSS")
            lab.run(*links.client_command("curl", "-s", "-H", "Range: bytes=0-", "-o", got, film))
            self.assertTrue(filecmp.cmp(got, self.content / "large.mp4", shallow=False))
            self.assertLess(memory("VmHWM") - before, 60_000_000)
            done = lab.run(*links.client_command("curl", "-s", "-o", "/dev/null", "-r", f"{LARGE}-", "-D", "-", film))
            self.assertIn(f"content-range: bytes */{LARGE}", done.stdout.lower())
            lab.run(*links.client_command("python3", "-c", SLOW_PLAYER, film))
            self.assertLess(sum(self.end(process).values()) - LARGE, 20_000_000)

    def test_a_plain_file_comes_over_both_links(self):
        film = self.content / "film of a phone.mp4"
        film.write_bytes(b"\0\0\0\x18ftypmp42" + random.Random(1).randbytes(2_000_000))
        with self.proxy(f"http://{ORIGIN}/film%20of%20a%20phone.mp4") as process:
            local = json.loads(process.stdout.readline())["local"]
            got = self.folder / "got.mp4"
            lab.run(*self.lab.client_command("curl", "-s", "-o", got, local))
            self.assertEqual(got.read_bytes(), film.read_bytes())
            part = lab.run(*self.lab.client_command("curl", "-s", "-r", "4-11", local))
            self.assertEqual(part.stdout, "ftypmp42")
            carried = self.end(process)
            self.assertGreater(min(carried["wifi"], carried["lte"]), 0.2 * film.stat().st_size)

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
