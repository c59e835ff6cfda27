#!/usr/bin/env python3
"""A live presentation from a real web server over emulated links: as a standard client sees it that never looks away, and as
tributary-bench streams it.

Usage: live_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, ORIGIN, SERVE, Lab, main, must, outage, run  # noqa: E402
from live_reader import LiveReader  # noqa: E402
from waiting import wait_until  # noqa: E402

SEGMENT = BIN / "tributary-segment"


class LiveTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="tributary live ")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        os.chmod(self.folder, 0o755)
        self.content = self.folder / "content"
        self.content.mkdir()
        self.out = self.folder / "out"
        self.out.mkdir()

    def publish(self, *arguments, name="channel"):
        process = subprocess.Popen([str(word) for word in [SEGMENT, *arguments, "-o", self.content / name, "-q"]],
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        return process

    def generated(self, seconds, *options, name="channel"):
        return self.live(f"lavfi:testsrc=s=320x180:r=25:d={seconds}[out0];sine=f=440:r=48000:d={seconds}[out1]", *options,
                         name=name)

    def live(self, source, *options, name="channel"):
        return self.publish("live", source, "--segment", "1s", "--preset", "ultrafast", "--ladder",
                            "low=150k@160x90,high=500k", *options, name=name)

    def index(self, name="channel"):
        return json.loads((self.content / name / "index.json").read_text())

    def wait_for_segments(self, count, name="channel"):
        path = self.content / name / "index.json"
        wait_until(lambda: path.exists() and self.index(name)["live"]["last"] >= count)

    def bench(self, lab, *arguments, name="channel", manifest="index.json"):
        done = run(*lab.bench_command(f"http://{ORIGIN}/{name}/{manifest}", "--quiet", "--save-raw", self.out / "saved",
                                      "--output", self.out / "summary.json", "--trace", self.out / "trace.txt",
                                      "--requests-csv", self.out / "requests.csv", *arguments))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.out / "summary.json").read_text())

    def streamed_numbers(self, summary):
        """The numbers of the segments that the session streamed."""
        trace = (self.out / "trace.txt").read_text().splitlines()
        first = json.loads(trace[1].removeprefix("index "))["live"]["first"]
        return range(first, first + summary["segments_played"])

    def expect_saved_bytes_equal_the_files(self, numbers, quality, name="channel"):
        for saved, track in (("saved/picture", quality), ("saved/sound", "audio")):
            folder = self.content / name / track
            files = [folder / "init.mp4", *(folder / f"{number:05}.m4s" for number in numbers)]
            self.assertEqual((self.out / saved).read_bytes(), b"".join(file.read_bytes() for file in files), track)

    def test_a_reader_that_never_looks_away_and_a_client_over_two_links(self):
        lab = Lab("wifi 6Mbps 10ms; lte 3Mbps 40ms", self.folder)
        self.addCleanup(lab.close)
        state = self.folder / "beside"  # the same files from a second server, which the reader has for itself
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        must(SERVE, "nginx", self.content, "--port", port, "--address", "127.0.0.1", "--state", state)
        self.addCleanup(lambda: run(SERVE, "stop", "--state", state))

        live = self.generated(14.5, "--window", 5, "--keep", 60)
        reader = LiveReader(f"http://127.0.0.1:{port}/channel/index.json")
        thread = threading.Thread(target=reader.read, args=(lambda: live.poll() is not None,))
        thread.start()
        self.wait_for_segments(3)
        with outage(lab, "wifi", 3, 2):
            summary = self.bench(lab, "--mode", "live-buffered", "--adaptation", "fixed:high")
        thread.join()
        self.assertEqual(live.wait(), 0, live.stderr.read())

        self.assertEqual(reader.wrong, [])
        self.assertTrue(reader.complete)
        self.assertEqual(sorted(reader.seen), list(range(1, 16)))

        numbers = self.streamed_numbers(summary)
        self.assertEqual(numbers[-1], 15)
        self.assertLessEqual(numbers[0], 4)
        self.assertTrue(summary["complete"])
        self.assertEqual(summary["segments_skipped"], 0)
        failed = (self.out / "requests.csv").read_text()
        for reason in ("not-found", "range-mismatch", "entity-changed", "protocol"):
            self.assertNotIn(reason, failed)
        self.expect_saved_bytes_equal_the_files(numbers, "high")
        replayed = run(BIN / "tributary-bench", "--replay", self.out / "trace.txt", "-q")
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        must(SEGMENT, "check", self.content / "channel")
        must("ffmpeg", "-v", "error", "-xerror", "-i", self.content / "channel/high/playlist.m3u8", "-f", "null", "-")

        refused = run(*lab.bench_command(f"http://{ORIGIN}/channel/index.json", "-q", "--mode", "ondemand", "--segments", 2))
        self.assertEqual(refused.returncode, 0, refused.stderr)  # it has ended: prepared content like any other

    def test_parts_come_over_two_links_while_one_goes_away(self):
        lab = Lab("wifi 6Mbps 10ms; lte 3Mbps 40ms", self.folder)
        self.addCleanup(lab.close)
        live = self.publish("live", "lavfi:testsrc=s=320x180:r=25:d=20[out0];sine=f=440:r=48000:d=20[out1]", "--segment", "1s",
                            "--preset", "ultrafast", "--ladder", "only=500k", "--low-latency=500ms", "--window", 60)
        self.wait_for_segments(4)
        with outage(lab, "wifi", 3, 2):
            summary = self.bench(lab, "--latency", "2s", manifest="master.m3u8")
        self.assertEqual(live.wait(), 0, live.stderr.read())
        self.assertTrue(summary["complete"], summary["ended_because"])
        published = 40
        self.assertGreater(summary["segments_played"], published / 2)
        # Playlists list no parts at the end: those that were not seen before are lost.
        self.assertLessEqual(summary["segments_skipped"], 3)
        trace = (self.out / "trace.txt").read_text()
        self.assertIn("it continues the segment before", trace)
        for saved, track in (("saved/picture", "only"), ("saved/sound", "audio")):
            folder = self.content / "channel" / track
            media, init = (self.out / saved).read_bytes(), (folder / "init.mp4").read_bytes()
            self.assertEqual(media[:len(init)], init)
            whole = b"".join((folder / f"{number:05}.m4s").read_bytes() for number in range(1, 21))
            self.assertIn(media[len(init):], whole, f"{track}: what was played is not what was published, in one piece")
        replayed = run(BIN / "tributary-bench", "--replay", self.out / "trace.txt", "-q")
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        must(SEGMENT, "check", self.content / "channel")

    def test_ctrl_c_completes_and_a_new_run_goes_on(self):
        # A file: libavdevice 59 loses a frame of its own when a generated source with sound ends early.
        clip = self.folder / "clip.mp4"
        must("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=320x180:r=25:d=2.4", "-f", "lavfi", "-i",
             "sine=f=440:r=48000:d=2.4", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", clip)
        live = self.live(clip, "--loop")
        self.wait_for_segments(3)
        live.send_signal(signal.SIGINT)
        self.assertEqual(live.wait(timeout=60), 0, live.stderr.read())
        ended = self.index()
        self.assertTrue(ended["complete"])
        self.assertIn("#EXT-X-ENDLIST", (self.content / "channel/low/playlist.m3u8").read_text())
        self.assertIn('type="static"', (self.content / "channel/manifest.mpd").read_text())
        must(SEGMENT, "check", self.content / "channel")

        live = self.live(clip)
        self.assertEqual(live.wait(timeout=60), 0, live.stderr.read())
        again = self.index()
        self.assertEqual(again["live"]["first"], ended["live"]["last"] + 1)
        self.assertEqual(again["live"]["availabilityStartTime"], ended["live"]["availabilityStartTime"])
        self.assertEqual(again["live"]["interruptions"], 1)
        must(SEGMENT, "check", self.content / "channel")
        other = run(SEGMENT, "live", "lavfi:testsrc=s=320x180:r=25:d=2", "-o", self.content / "channel", "-q")
        self.assertEqual(other.returncode, 2)
        self.assertIn("another directory", other.stderr)

    def test_a_client_that_is_too_slow_skips_what_is_gone_and_a_running_one_refuses_on_demand(self):
        sizes = {"segment_duration_ms": 500, "bitrates_kbps": [1600], "quality_names": ["low"],
                 "segment_sizes_bits": [[800_000]] * 4}
        (self.folder / "sizes.json").write_text(json.dumps(sizes))
        must(SEGMENT, "--synthetic", self.folder / "sizes.json", "-o", self.folder / "prepared", "-q")
        replay = self.publish("replay", self.folder / "prepared", "--loop", "--window", 3, "--keep", 2)
        self.wait_for_segments(3)
        lab = Lab("wifi 1Mbps 10ms", self.folder)
        self.addCleanup(lab.close)
        refused = run(*lab.bench_command(f"http://{ORIGIN}/channel/index.json", "-q"))
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is live: use --mode", refused.stderr)
        threading.Timer(7, lambda: replay.send_signal(signal.SIGINT)).start()
        summary = self.bench(lab, "--mode", "live-buffered", "--buffer", 2)
        self.assertEqual(replay.wait(timeout=60), 0, replay.stderr.read())
        self.assertGreater(summary["segments_skipped"], 0)
        self.assertGreater(summary["segments_played"], 0)
        skips = [line for line in (self.out / "trace.txt").read_text().splitlines() if "action skip-segment" in line]
        self.assertEqual(len(skips), summary["segments_skipped"])
        for line in skips:
            self.assertIn("left the origin's window", line)
        self.assertEqual(self.index()["live"]["windowSegments"], 3)


if __name__ == "__main__":
    main()
