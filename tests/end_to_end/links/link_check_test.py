#!/usr/bin/env python3
"""What tributary-links finds on emulated links: those that work, and those that something is wrong with.

Usage: link_check_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import json
import os
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, ORIGIN, Lab, main, netlab, run  # noqa: E402

SIZE = 300_000
URL = f"http://{ORIGIN}/object.bin"


class LinksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="tributary-links-")
        cls.folder = pathlib.Path(cls.temporary.name)
        os.chmod(cls.folder, 0o755)
        content = cls.folder / "content"
        content.mkdir()
        (content / "object.bin").write_bytes(random.Random(1).randbytes(SIZE))
        cls.lab = Lab("wifi 16Mbps 10ms; lte 8Mbps 40ms", cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.lab.close()
        cls.temporary.cleanup()

    def client(self, *command):
        return run(*self.lab.client_command(*command))

    def sh(self, text):
        done = self.client("sh", "-c", text)
        self.assertEqual(done.returncode, 0, done.stderr)

    def check(self, *arguments, expect=0):
        done = self.client(BIN / "tributary-links", "--json", "--check", *(arguments or (URL,)))
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        found = json.loads(done.stdout)
        self.address_problem = found.get("address_problem")
        return {link["name"]: link for link in found["links"]}

    def expect_problem(self, link, text, command):
        self.assertIn(text, link["problem"]["text"])
        self.assertIn(command, link["problem"]["command"])

    def test_links_that_work(self):
        links = self.check()
        self.assertEqual(sorted(links), ["lte", "wifi"])
        for link in links.values():
            self.assertTrue(link["usable"], link)
            check = link["check"]
            self.assertTrue(check["ranges"] and check["pipelining"], check)
            self.assertEqual(check["size_bytes"], SIZE)
            self.assertGreaterEqual(check["requests_on_a_connection"], 128)
        rate = {name: link["check"]["rate_bit_s"] for name, link in links.items()}
        self.assertGreater(rate["wifi"], 1.3 * rate["lte"])
        self.assertGreater(links["lte"]["check"]["round_trip_s"], links["wifi"]["check"]["round_trip_s"])

    def make_manifests(self):
        """A playlist and an MPD, whose files are named by the sizes that their manifests let expect."""
        content = self.folder / "content"
        for name, size in (("low", 5_000), ("short", 20_000), ("long", SIZE)):
            (content / f"{name}.ts").write_bytes(random.Random(2).randbytes(size))
        head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
        (content / "high.m3u8").write_text(head + "#EXTINF:2,\nshort.ts\n#EXTINF:6,\nlong.ts\n#EXT-X-ENDLIST\n")
        (content / "low.m3u8").write_text(head + "#EXTINF:2,\nlow.ts\n#EXTINF:6,\nlow.ts\n#EXT-X-ENDLIST\n")
        (content / "film.m3u8").write_text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=400000\nhigh.m3u8\n"
                                           "#EXT-X-STREAM-INF:BANDWIDTH=100000\nlow.m3u8\n")
        (content / "film.mpd").write_text(
            '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT8S"><Period>'
            '<AdaptationSet mimeType="video/mp2t">' + "".join(
                f'<Representation id="{name}" bandwidth="{rate}" codecs="avc1.42c00d"><SegmentList timescale="1"><SegmentTimeline>'
                f'<S t="0" d="2"/><S d="6"/></SegmentTimeline><SegmentURL media="{first}.ts"/><SegmentURL media="{second}.ts"/>'
                "</SegmentList></Representation>"
                for name, rate, first, second in (("low", 100000, "low", "low"), ("high", 400000, "short", "long")))
            + "</AdaptationSet></Period></MPD>")

    def test_the_largest_segment_of_a_manifest_is_measured(self):
        self.make_manifests()
        for name in ("film.m3u8", "film.mpd"):
            with self.subTest(name):
                links = self.check(f"http://{ORIGIN}/{name}")
                self.assertEqual(sorted(links), ["lte", "wifi"])
                for link in links.values():
                    self.assertEqual(link["check"]["answered_by"], f"http://{ORIGIN}/long.ts")
                    self.assertEqual(link["check"]["sampled_bytes"], SIZE)
        (self.folder / "content" / "long.ts").unlink()
        for link in self.check(f"http://{ORIGIN}/film.m3u8", expect=4).values():
            self.assertTrue(link["usable"], link)
        self.assertIn("long.ts over ", self.address_problem)
        self.assertIn("status 404: the origin answers, but refuses the address", self.address_problem)

    def test_a_small_file_gives_no_rate(self):
        (self.folder / "content" / "small.json").write_bytes(bytes(3000))
        for link in self.check(f"http://{ORIGIN}/small.json").values():
            self.assertTrue(link["usable"], link)
            self.assertIsNone(link["check"]["rate_bit_s"])
        done = self.client(BIN / "tributary-links", "--check", f"http://{ORIGIN}/small.json")
        self.assertIn("no rate: 3.00 kB are too few to measure it", done.stdout)

    def test_a_named_link_that_is_not_there(self):
        done = self.client(BIN / "tributary-links", "--check", URL, "--link", "wifi", "--link", "nosuch0")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nosuch0: there is no such link", done.stderr)
        self.assertEqual(list(self.check(URL, "--link", "wifi", "--link-optional", "nosuch0")), ["wifi"])

    def test_the_table_names_them(self):
        done = self.client(BIN / "tributary-links")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^wifi +\S+ +\S+ +10\.77\.\S+")

    def test_a_link_without_carrier(self):
        netlab("set", self.lab.name, "lte", "down")
        try:
            self.expect_problem(self.check()["lte"], "carrier", "")
            self.check(URL, "--link", "lte", expect=3)
            self.check(URL, "--link-optional", "lte", "--link", "wifi")
        finally:
            netlab("set", self.lab.name, "lte", "up")

    def test_a_link_that_passes_nothing(self):
        netlab("set", self.lab.name, "lte", "blackhole")
        try:
            links = self.check(expect=1)
            self.assertTrue(links["wifi"]["usable"])
            self.expect_problem(links["lte"], "the origin answers over other links", "ping -c 3 -I lte 10.77.")
        finally:
            netlab("set", self.lab.name, "lte", "up")

    def test_a_slow_link_is_no_dead_one(self):
        lab = Lab("a 8Mbps 10ms; b 100kbps 40ms", self.folder)
        self.addCleanup(lab.close)
        done = run(*lab.client_command(BIN / "tributary-links", "--json", "--check", URL))
        self.assertEqual(done.returncode, 0, done.stdout)
        slow = next(link for link in json.loads(done.stdout)["links"] if link["name"] == "b")
        self.assertTrue(60_000 < slow["check"]["rate_bit_s"] < 100_000, slow)

    def test_a_strict_reverse_path_filter(self):
        lab = Lab("a 8Mbps 10ms; b 8Mbps 10ms", self.folder)
        self.addCleanup(lab.close)
        strict = "echo 1 > /proc/sys/net/ipv4/conf/{0}/rp_filter"
        done = run(*lab.client_command("sh", "-c", strict.format("all") + "; " + strict.format("b")))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(*lab.client_command(BIN / "tributary-links", "--json", "--check", URL))
        links = {link["name"]: link for link in json.loads(done.stdout)["links"]}
        self.expect_problem(links["b"], "rp_filter", "sysctl -w net.ipv4.conf.b.rp_filter=2")
        done = run(*lab.client_command("sh", "-c", "echo 2 > /proc/sys/net/ipv4/conf/b/rp_filter"))  # as it says
        done = run(*lab.client_command(BIN / "tributary-links", "--json", "--check", URL))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_link_without_an_address_or_a_route(self):
        lab = Lab("a 8Mbps 10ms; b 8Mbps 10ms; c 8Mbps 10ms", self.folder)
        self.addCleanup(lab.close)
        run(*lab.client_command("ip", "address", "flush", "dev", "b"))
        run(*lab.client_command("sh", "-c", "ip -4 route flush dev c; ip -6 route flush dev c; "
                                "ip -4 route flush table 1003; ip rule"))
        done = run(*lab.client_command(BIN / "tributary-links", "--json", "--check", URL))
        links = {link["name"]: link for link in json.loads(done.stdout)["links"]}
        self.assertTrue(links["a"]["usable"])
        self.expect_problem(links["b"], "no IPv4 address", "b")
        self.expect_problem(links["c"], "no route to the origin", "dev c")

    def test_an_origin_that_is_not_there(self):
        links = self.check(f"http://{ORIGIN}:81/object.bin", expect=1)
        self.expect_problem(links["wifi"], "no server listens there", "curl --interface wifi")
        self.check(f"http://{ORIGIN}/nothing", expect=4)
        self.assertIn("404", self.address_problem)


if __name__ == "__main__":
    main()
