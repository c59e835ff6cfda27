#!/usr/bin/env python3
"""Downloads, and files for players, over emulated links from servers that have their own ways with names and ranges (odd_origin.py).

Usage: odd_servers_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, ORIGIN, Lab, main, run  # noqa: E402
from waiting import wait_until  # noqa: E402

PORT = 8003
SIZE = 4_000_000


class OddServersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tributary-odd-")))
        os.chmod(cls.folder, 0o755)
        (cls.folder / "content").mkdir()
        cls.whole = b"\0\0\0\x18ftypmp42" + random.Random(1).randbytes(SIZE)
        (cls.folder / "content/object.bin").write_bytes(cls.whole)
        cls.lab = Lab("wifi 16Mbps 10ms; lte 16Mbps 20ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)
        command = [BIN / "tributary-netlab", "exec", cls.lab.name, "server", "--", sys.executable,
                   pathlib.Path(__file__).parent / "odd_origin.py", PORT, cls.folder / "content/object.bin"]
        origin = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(lambda: (origin.terminate(), origin.wait(), origin.stdout.close()))
        assert origin.stdout.readline() == "ready\n"

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))

    def command(self, path, *arguments):
        return self.lab.client_command(BIN / "tributary-get", f"http://{ORIGIN}:{PORT}/{path}", "--json", *arguments)

    def get(self, path, *arguments, expect=0):
        done = run(*self.command(path, *arguments), cwd=self.out)
        self.assertEqual(done.returncode, expect, done.stderr)
        self.errors = done.stderr
        return json.loads(done.stdout) if done.stdout else None

    def expect_the_file(self, name):
        self.assertTrue((self.out / name).read_bytes() == self.whole, "other bytes")

    def test_the_server_names_the_file(self):
        name = "a film.iso"
        path = f"named/{name}".replace(" ", "%20")
        get = subprocess.Popen(self.command(path, "--limit-rate", "500kB/s"), cwd=self.out, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        part = self.out / f"{name}.part"
        wait_until(lambda: get.poll() is not None or part.exists() and part.stat().st_blocks * 512 > 200_000)
        get.send_signal(signal.SIGINT)
        self.assertEqual(get.communicate(timeout=60) and get.returncode, 130)
        continued = self.get(path, "-C")
        self.expect_the_file(name)
        self.assertGreater(continued["resumed_bytes"], 100_000)
        self.assertLess(continued["bytes"], SIZE - 100_000)
        self.assertEqual(self.get(path, "-C")["bytes"], 0)
        self.get(path)
        self.expect_the_file("a film.1.iso")
        self.get(path, "-o", "mine")
        self.expect_the_file("mine")
        (self.out / "folder").mkdir()
        self.get(path, "-o", "folder")
        self.expect_the_file(f"folder/{name}")
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), ["a film.1.iso", name, "folder", "mine"])

    def test_a_name_is_no_path(self):
        self.get("named/..%2Fup.iso")
        self.assertEqual([path.name for path in self.out.iterdir()], ["up.iso"])

    def expect_over_both_links(self, path):
        figures = self.get(path, "-o", "got", "--overwrite")
        self.expect_the_file("got")
        self.assertTrue(figures["ranges"])
        self.assertGreater(min(link["share"] for link in figures["links"]), 0.25)
        self.assertEqual(len(figures["links"]), 2)

    def test_the_end_of_an_object_is_found_where_the_server_does_not_say_it(self):
        for most in (100_000, SIZE):
            with self.subTest(most):
                self.expect_over_both_links(f"unknown/{most}")

    def test_a_range_that_is_refused_is_not_the_end_of_the_object(self):
        for status in (400, 413):
            with self.subTest(status):
                self.get(f"coy/{status}/100000", "-o", "got", "--overwrite")
                self.expect_the_file("got")

    def test_a_server_that_refuses_large_ranges_gets_small_ones(self):
        for status in (403, 413, 416, 500):
            with self.subTest(status):
                self.expect_over_both_links(f"small/{status}/100000")
        self.get("small/404/0", "-o", "none", expect=22)

    def test_a_player_gets_such_files_through_the_proxy(self):
        for path in ("unknown/100000", f"unknown/{SIZE}", "small/413/100000", "small/503/100000"):
            with self.subTest(path), self.proxy(path) as (proxy, local):
                fetch = self.lab.client_command("curl", "-sS", "-D", "head", "-o", "film.mp4", local)
                self.assertEqual(run(*fetch, cwd=self.out).stderr, "")
                self.expect_the_file("film.mp4")
                self.assertIn(f"content-length: {len(self.whole)}", (self.out / "head").read_text().lower())
                part = self.lab.client_command("curl", "-sS", "-r", "3000000-3000999", "-o", "part", local)
                self.assertEqual(run(*part, cwd=self.out).stderr, "")
                self.assertEqual((self.out / "part").read_bytes(), self.whole[3_000_000:3_001_000])
                proxy.send_signal(signal.SIGINT)
                links = json.loads(proxy.communicate(timeout=60)[0])["links"]
                self.assertGreater(min(link["bytes"] for link in links), 0.2 * SIZE)

    @contextlib.contextmanager
    def proxy(self, path):
        """Its process, and the file's address for players."""
        command = self.lab.client_command(BIN / "tributary-proxy", "--json", f"http://{ORIGIN}:{PORT}/{path}")
        proxy = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            yield proxy, json.loads(proxy.stdout.readline() or self.fail(proxy.stderr.read()))["local"]
        finally:
            proxy.kill()
            proxy.communicate()


if __name__ == "__main__":
    main()
