#!/usr/bin/env python3
"""Streams over emulated links from real servers, as a user would, and holds what was saved against the files on disk.

Usage: stream_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, MAKE_CERTIFICATE, ORIGIN, Lab, all_if_long, link_used_after_outage, main, must, netlab, only_if_long, outage, run  # noqa: E402

SEGMENTS = 12


class StreamTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="tributary stream ")  # with a blank in its name
        cls.folder = pathlib.Path(cls.temporary.name)
        os.chmod(cls.folder, 0o755)
        sizes = [[1_600_000 + 100_000 * (i % 3), 6_000_000 + 400_000 * (i % 5)] for i in range(SEGMENTS)]
        description = {"segment_duration_ms": 2000, "bitrates_kbps": [850, 3400], "quality_names": ["low", "high"],
                       "segment_sizes_bits": sizes}
        (cls.folder / "sizes.json").write_text(json.dumps(description))
        must(BIN / "tributary-segment", "--synthetic", cls.folder / "sizes.json", "-o", cls.folder / "content", "-q")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def lab(self, links, **options):
        lab = Lab(links, self.folder, **options)
        self.addCleanup(lab.close)
        return lab

    def out(self, name):
        folder = self.folder / "out"
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)
        return folder / name

    def outputs(self):
        return ["--quiet", "--save-raw", self.out("saved"), "--output", self.out("summary.json"), "--segments-csv",
                self.out("segments.csv"), "--requests-csv", self.out("requests.csv"), "--links-csv",
                self.out("links.csv"), "--misses-csv", self.out("misses.csv"), "--trace", self.out("trace.txt")]

    def stream(self, lab, *arguments, url=f"http://{ORIGIN}/index.json", user=None):
        shutil.rmtree(self.out(""))  # it may belong to another user
        done = run(*lab.bench_command(url, *self.outputs(), *arguments, user=user))
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads(self.out("summary.json").read_text())
        with open(self.out("misses.csv"), newline="") as rows:
            explained = [row for row in csv.DictReader(rows) if row["skipped"] == "0"]
        self.assertEqual(len(explained), summary["misses"])
        return summary

    def expect_saved_bytes_equal_the_files(self):
        expected = b""
        with open(self.out("segments.csv"), newline="") as rows:
            for row in csv.DictReader(rows):
                if row["complete_s"]:
                    name = f"{int(row['index']) + 1:05}.bin"
                    expected += (self.folder / "content" / row["quality"] / name).read_bytes()
        self.assertGreater(len(expected), 0)
        self.assertEqual(self.out("saved/picture").read_bytes(), expected)

    def test_two_links_static_and_dynamic(self):
        lab = self.lab("wifi 6Mbps 10ms; lte 3Mbps 40ms")
        for approach in all_if_long(("dynamic", "static")):
            with self.subTest(approach):
                summary = self.stream(lab, "--subsegments", approach, "--buffer", SEGMENTS, "--depth", 3,
                                      "--adaptation", "fixed:high")
                self.expect_saved_bytes_equal_the_files()
                share = {link["name"]: link["share"] for link in summary["links"]}
                self.assertAlmostEqual(share["wifi"], 2 / 3, delta=0.1)
                self.assertAlmostEqual(share["lte"], 1 / 3, delta=0.1)
                self.assertEqual(summary["bytes_wasted"], 0)
                # Faster than the faster link could have been: 6 Mbit/s of frames are 5.74 of content.
                self.assertGreater(summary["throughput_kbit_s"], 6000)
                replayed = run(BIN / "tributary-bench", "--replay", self.out("trace.txt"), "--output",
                               self.out("replayed.json"), "-q")
                self.assertEqual(replayed.returncode, 0, replayed.stderr)
                again = json.loads(self.out("replayed.json").read_text())
                self.assertEqual(again["links"], summary["links"])

    def test_a_link_that_dies_and_returns(self):
        lab = self.lab("wifi 6Mbps 10ms; lte 6Mbps 40ms")
        with outage(lab, "lte", 2, 2):
            summary = self.stream(lab, "--buffer", 4)
        self.expect_saved_bytes_equal_the_files()
        self.assertEqual(summary["misses"], 0)
        self.assertTrue(link_used_after_outage(self.out("trace.txt").read_text().splitlines()))

    def test_as_nobody_with_a_server_that_closes_often(self):
        lab = self.lab("wifi 6Mbps 10ms; lte 3Mbps 40ms", options=("--keepalive-requests", 7))
        user = "nobody" if os.geteuid() == 0 else None
        summary = self.stream(lab, "--buffer", SEGMENTS, user=user)
        self.expect_saved_bytes_equal_the_files()
        self.assertEqual(summary["bytes_wasted"], 0)
        self.assertEqual(sum(link["failures"] for link in summary["links"]), 0)

    def test_apache_over_https_and_three_links(self):
        must(MAKE_CERTIFICATE, self.folder / "tls", ORIGIN, "2001:db8::1")
        os.chmod(self.folder / "tls", 0o755)
        lab = self.lab("a 4Mbps 10ms; b 4Mbps 20ms; c 4Mbps 60ms", server="apache",
                       options=("--tls", self.folder / "tls/server.pem", self.folder / "tls/server-key.pem"))
        for host in (ORIGIN, "[2001:db8::1]"):
            with self.subTest(host):
                url = f"https://{host}:80/index.json"
                summary = self.stream(lab, "--buffer", SEGMENTS, "--adaptation", "fixed:high", "--cacert",
                                      self.folder / "tls/ca.pem", url=url)
                self.expect_saved_bytes_equal_the_files()
                for link in summary["links"]:
                    self.assertAlmostEqual(link["share"], 1 / 3, delta=0.1, msg=link["name"])
        done = run(*lab.bench_command(f"https://{ORIGIN}:80/index.json", "-q"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("certificate", done.stderr)

    def film(self, name, *options):
        """Eight seconds of picture and sound, at /NAME/index.json."""
        clip = self.folder / "clip.mp4"
        if not clip.exists():
            must("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=8", "-f", "lavfi", "-i",
                 "sine=frequency=440:sample_rate=48000:duration=8", "-c:v", "libx264", "-preset", "ultrafast", "-c:a",
                 "aac", clip)
        film = self.folder / "content" / name
        must(BIN / "tributary-segment", clip, "-o", film, "--ladder", "low=200k,high=600k", "--preset", "ultrafast",
             "-q", *options)
        return film

    def test_encoded_video_with_sound(self):
        film = self.film("film")
        lab = self.lab("wifi 2Mbps 10ms; lte 1Mbps 40ms")
        self.stream(lab, "--adaptation", "fixed:high", url=f"http://{ORIGIN}/film/index.json")
        for saved, track in (("saved/picture", "high"), ("saved/sound", "audio")):
            files = [film / track / "init.mp4", *sorted((film / track).glob("0*.m4s"))]
            self.assertEqual(self.out(saved).read_bytes(), b"".join(file.read_bytes() for file in files), track)
            must("ffmpeg", "-v", "error", "-xerror", "-i", self.out(saved), "-f", "null", "-")

    @only_if_long
    def test_one_film_is_saved_though_the_quality_changes(self):
        self.film("changes")
        url = f"http://{ORIGIN}/changes/index.json"
        labs = [self.lab("wifi 1Mbps 10ms") for _ in range(2)]
        files = {self.out(f"saved.{suffix}"): self.out(f"{suffix}.csv") for suffix in ("mp4", "mkv")}
        # Each begins high, and cannot stay there.
        streams = [subprocess.Popen([str(word) for word in lab.bench_command(url, "-q", "--adaptation", "throughput", "--start", "thesis", "--buffer", "1",
                                                                             "--save", saved, "--segments-csv", table)]) for lab, (saved, table) in zip(labs, files.items())]
        self.assertEqual([stream.wait(60) for stream in streams], [0, 0])
        for saved, table in files.items():
            with self.subTest(saved.name):
                with table.open() as rows:
                    self.assertEqual({row["quality"] for row in csv.DictReader(rows)}, {"low", "high"})
                decoded = run("ffmpeg", "-v", "error", "-i", saved, "-f", "null", "-")
                self.assertEqual((decoded.returncode, decoded.stderr), (0, ""))
                shown = json.loads(must("ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", saved))
                self.assertAlmostEqual(float(shown["format"]["duration"]), 8, delta=0.1)
                frames = {stream["codec_type"]: int(stream["nb_read_frames"]) for stream in shown["streams"]}
                self.assertEqual(frames["video"], 200)
                self.assertIn("audio", frames)
        done = run(BIN / "tributary-bench", "-q", "--save", self.out("saved.avi"), url)
        self.assertEqual(done.returncode, 2)
        self.assertIn("saved.avi ends neither in .mp4 nor in .mkv", done.stderr)
        self.assertFalse(self.out("saved.avi").exists())
        # Interrupted, the film is as long as it has come.
        bench = subprocess.Popen([str(word) for word in labs[0].bench_command(url, "-q", "--buffer", "1", "--save", self.out("part.mp4"))])
        time.sleep(6)
        bench.send_signal(signal.SIGINT)
        self.assertEqual(bench.wait(20), 130)
        decoded = run("ffmpeg", "-v", "error", "-i", self.out("part.mp4"), "-f", "null", "-")
        self.assertEqual((decoded.returncode, decoded.stderr), (0, ""))

    def test_segments_that_are_ranges_of_one_file(self):
        film = self.film("single", "--single-file")
        lab = self.lab("wifi 2Mbps 10ms; lte 1Mbps 40ms")
        summary = self.stream(lab, "--adaptation", "fixed:high", "--subsegment-size", "20kB",
                              url=f"http://{ORIGIN}/single/index.json")
        self.assertTrue(all(link["share"] > 0.1 for link in summary["links"]), summary["links"])
        tracks = {track["id"]: track for track in json.loads((film / "index.json").read_text())["tracks"]}
        for saved, name in (("saved/picture", "high"), ("saved/sound", "audio")):
            content, track = (film / name / "media.mp4").read_bytes(), tracks[name]
            ranges = [(0, track["init"]["bytes"]), *zip(track["offsets"], track["bytes"])]
            self.assertEqual(self.out(saved).read_bytes(), b"".join(content[at:at + size] for at, size in ranges), name)

    def test_live_waits_for_publication_and_skips_when_it_must(self):
        lab = self.lab("wifi 6Mbps 10ms; lte 3Mbps 40ms")
        short = {"segment_duration_ms": 500, "bitrates_kbps": [800, 4000], "quality_names": ["low", "high"],
                 "segment_sizes_bits": [[400_000, 2_000_000]] * SEGMENTS}
        (self.folder / "short.json").write_text(json.dumps(short))
        must(BIN / "tributary-segment", "--synthetic", self.folder / "short.json", "-o", self.folder / "content/live", "-q")
        url = f"http://{ORIGIN}/live/index.json"
        buffered = self.stream(lab, "--mode", "live-buffered", "--buffer", 2, url=url)
        self.assertEqual(buffered["segments_played"], SEGMENTS)
        # Playout waits for the second segment to exist: half a second, and its transfer.
        self.assertGreater(buffered["startup_s"], 0.5)
        self.assertAlmostEqual(buffered["lag_end_s"], buffered["startup_s"] + buffered["miss_total_s"], delta=0.1)

        # 300 kbit/s for 2.5 s: one segment takes longer than the next needs to exist.
        lab = self.lab("wifi 6Mbps 10ms")
        thread = threading.Thread(target=lambda: (time.sleep(1.5), netlab("set", lab.name, "wifi", "rate=300kbps"),
                                                  time.sleep(2.5), netlab("set", lab.name, "wifi", "rate=6Mbps")))
        thread.start()
        unbuffered = self.stream(lab, "--mode", "live-unbuffered", url=url)
        thread.join()
        self.assertGreater(unbuffered["segments_skipped"], 0)
        self.assertEqual(unbuffered["segments_played"] + unbuffered["segments_skipped"], SEGMENTS)

    def test_a_segment_that_is_nowhere_is_skipped_by_its_name(self):
        holed = self.folder / "holed"
        shutil.copytree(self.folder / "content", holed)
        for quality in ("low", "high"):
            (holed / quality / "00004.bin").unlink()
        (holed / "high/00006.bin").unlink()
        lab = self.lab("wifi 16Mbps 10ms; lte 8Mbps 40ms", content=holed)
        done = run(*lab.bench_command(f"http://{ORIGIN}/index.json", "--adaptation", "fixed:high", "--output", self.out("holed.json")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"segment 3 skipped: the origin does not have it: .* \((low|high)/00004.bin\)")
        self.assertEqual(json.loads(self.out("holed.json").read_text())["segments_skipped"], 1)

    def test_only_the_links_that_were_asked_for(self):
        lab = self.lab("a 8Mbps 10ms; b 8Mbps 10ms")
        summary = self.stream(lab, "--link", "b", "--segments", 3, "--buffer", 3)
        self.assertEqual([link["name"] for link in summary["links"]], ["b"])
        index = f"http://{ORIGIN}/index.json"
        wrong = ("--link", "b", "--link", "nosuch0")
        for command in (lab.bench_command(index, "-q", *wrong), lab.client_command(BIN / "tributary-proxy", index, *wrong),
                        lab.client_command(BIN / "tributary-proxy", *wrong)):
            done = run(*command)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout, "")
            self.assertIn("nosuch0: there is no such link", done.stderr)
            self.assertNotIn("b:", done.stderr)
        summary = self.stream(lab, "--link", "b", "--link-optional", "nosuch0", "--segments", 1, "--buffer", 1)
        self.assertEqual([link["name"] for link in summary["links"]], ["b"])

    def test_a_film_that_is_no_title_is_refused_by_its_beginning(self):
        """It would take a minute over this link."""
        (self.folder / "content" / "film.mp4").write_bytes(b"\0\0\0\x20ftypisom" + bytes(8_000_000))
        self.addCleanup((self.folder / "content" / "film.mp4").unlink)
        lab = self.lab("a 1Mbps 10ms")

        def received():
            return json.loads(must(*lab.client_command("ip", "-json", "-stats", "link", "show", "a")))[0]["stats64"]["rx"]["bytes"]
        before = received()
        done = run(*lab.bench_command(f"http://{ORIGIN}/film.mp4", "-q"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("film.mp4: this is no manifest (index.json, MPD or m3u8): it is an MP4 file (video/mp4); tributary-get", done.stderr)
        self.assertLess(received() - before, 64_000)

    def test_ctrl_c_writes_what_there_is(self):
        lab = self.lab("wifi 6Mbps 10ms")
        bench = subprocess.Popen(lab.bench_command(f"http://{ORIGIN}/index.json", *self.outputs(), "--buffer", "2"),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(5)
        bench.send_signal(signal.SIGINT)
        _, errors = bench.communicate(timeout=10)
        self.assertEqual(bench.returncode, 130, errors)
        summary = json.loads(self.out("summary.json").read_text())
        self.assertFalse(summary["complete"])
        self.assertGreater(summary["segments_played"], 0)
        self.expect_saved_bytes_equal_the_files()

    def test_what_is_wrong_is_named(self):
        lab = self.lab("wifi 6Mbps 10ms")
        broken = json.loads((self.folder / "content/index.json").read_text())
        broken["tracks"][1]["bytes"][2] = -5
        (self.folder / "content/broken.json").write_text(json.dumps(broken))
        missing = json.loads((self.folder / "content/index.json").read_text())
        for track in missing["tracks"]:
            track["uri"] = "gone/{n}.bin"
        (self.folder / "content/missing.json").write_text(json.dumps(missing))
        for name, words in {"broken.json": "tracks[1].bytes[2]", "nothing.json": "404",
                            "missing.json": "not-found"}.items():
            done = run(*lab.bench_command(f"http://{ORIGIN}/{name}", "-q"))
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
        done = run(*lab.bench_command(f"http://{ORIGIN}/index.json", "-q", "--segments", 1, "--trace", "/dev/full"))
        self.assertEqual((done.returncode, done.stderr),
                         (1, "tributary-bench: /dev/full could not be written whole: No space left on device\n"))
        done = run(*lab.bench_command(f"http://{ORIGIN}/nothing/", "-q"))
        self.assertIn("as a folder, it has none of index.json, manifest.mpd, master.m3u8", done.stderr)
        done = run(*lab.bench_command(f"http://{ORIGIN}", "-q", "--segments", 1, "--adaptation", "fixed:low"))
        self.assertEqual((done.returncode, done.stderr), (0, ""), "the index in the folder")
        done = run(BIN / "tributary-bench", "http://x/", "--depth", "0")
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    main()
