#!/usr/bin/env python3
"""Live sources that go away and come back, as a client sees it that never looks away.

Usage: live_source_test.py TRIBUTARY_SEGMENT SOURCE_DIR [TEST...]. Senders are ffmpeg, over loopback.
"""
import functools
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree

SEGMENT, SOURCE = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
sys.path[:0] = [str(SOURCE / "tests" / folder) for folder in ("end_to_end/live", "end_to_end", "segmenter/support")]
from live_reader import LiveReader  # noqa: E402
from rtsp_camera import Camera, PASSWORD, USER  # noqa: E402
from waiting import wait_until  # noqa: E402

DASH = "{urn:mpeg:dash:schema:mpd:2011}"
SOUND = ["-f", "lavfi", "-i", "sine=f=440:r=48000"]


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, name):
        return f"http://127.0.0.1:{self.server_port}/{name}"


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


class LiveSourceTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="tributary source ")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.out = self.folder / "out"
        self.processes = []
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    def start(self, *words):
        process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.processes.append(process)

        def end():
            if process.poll() is None:
                process.kill()
            process.communicate()
        self.addCleanup(end)
        return process

    def live(self, source, *options):
        return self.start(SEGMENT, "live", source, "-o", self.out, "--segment", "1s", "--preset", "ultrafast", "--ladder",
                          "low=150k@160x90", "--json", *options)

    def send(self, target, form, size="320x180", sound=tuple(SOUND), seconds=60):
        return self.start("ffmpeg", "-v", "error", "-re", "-f", "lavfi", "-i", f"testsrc=s={size}:r=25", *sound, "-t", seconds,
                          "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac", "-max_interleave_delta", "100000",
                          "-f", form, target)

    def index(self):
        return json.loads((self.out / "index.json").read_text())

    def wait_until_it_listens(self, kind):
        """A socket of that kind, "tcp" or "udp"."""
        state = {"tcp": "0A", "udp": "07"}[kind]

        def listens(line):
            local, _, its_state = line.split()[1:4]
            return local.endswith(f":{self.port:04X}") and its_state == state
        wait_until(lambda: any(map(listens, pathlib.Path("/proc/net", kind).read_text().splitlines()[1:])))

    def wait_for_segments(self, count):
        try:
            wait_until(lambda: (self.out / "index.json").exists() and self.index()["live"]["last"] >= count)
        except TimeoutError:
            # Who is to blame: each program, whether it runs, and what it complained of.
            for process in self.processes:
                runs = process.poll() is None
                process.kill()
                print(process.args, "runs" if runs else f"ended with {process.returncode}", process.stderr.read(), sep="\n")
            raise

    def end(self, live):
        """Exit code, complaints, and events but those of every second and segment."""
        said, error = live.communicate(timeout=60)
        events = [json.loads(line) for line in said.splitlines()]
        return live.returncode, error, [event for event in events if event["event"] not in ("progress", "segment")]

    def must(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stderr

    def loudness(self, segment):
        """Of a segment of sound, in dB; -91 is silence."""
        sound = self.folder / "sound.mp4"
        sound.write_bytes((self.out / "audio/init.mp4").read_bytes() + (self.out / f"audio/{segment:05}.m4s").read_bytes())
        said = self.must("ffmpeg", "-i", sound, "-af", "volumedetect", "-f", "null", "-")
        return float(re.search(r"mean_volume: (\S+) dB", said).group(1))

    def mpd(self):
        return xml.etree.ElementTree.parse(self.out / "manifest.mpd").getroot()

    def periods(self):
        """Of the MPD: id and start in seconds."""
        return [(period.get("id"), float(period.get("start")[2:-1])) for period in self.mpd().iterfind(DASH + "Period")]

    def expect_a_hole_in_the_manifests(self, before):
        """After segments were published again, with this index before."""
        self.wait_for_segments(self.index()["live"]["last"] + 1)  # there is time until the next one
        index = self.index()
        start = index["live"]["stretchStart"] / 1000
        self.assertEqual(self.periods(), [("0", 0), ("1", start)])
        for track in index["tracks"]:
            self.assertAlmostEqual(track["start"] / track["timescale"], start, delta=0.001)
        earlier, later = self.mpd().iterfind(DASH + "Period")
        for period, first in ((earlier, 1), (later, before["live"]["last"] + 1)):
            for segments in period.iter(DASH + "SegmentTemplate"):
                self.assertEqual(int(segments.get("startNumber")), first)
                offset = next(track["offset"] for track in index["tracks"] if str(track["timescale"]) == segments.get("timescale"))
                # The period begins with its first segment, to the tick.
                first_time = int(segments.find(f"{DASH}SegmentTimeline/{DASH}S").get("t"))
                self.assertLess(first_time - int(segments.get("presentationTimeOffset")), 0.001 * int(segments.get("timescale")) + 1)
                self.assertGreaterEqual(first_time, offset)
        depth = float(self.mpd().get("timeShiftBufferDepth")[2:-1])
        self.assertLess(depth, 30)  # the window, which the hole has not left
        playlist = (self.out / "low/playlist.m3u8").read_text()
        self.assertIn("#EXT-X-DISCONTINUITY-SEQUENCE:1\n", playlist)
        self.assertNotIn("#EXT-X-DISCONTINUITY\n", playlist)

    def watch(self):
        server = Server(functools.partial(Quiet, directory=self.folder))
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        reader = LiveReader(server.url("out/index.json"), pause=0.1)
        stop = threading.Event()
        thread = threading.Thread(target=reader.read, args=(stop.is_set,))
        thread.start()

        def seen():
            stop.set()
            thread.join()
            return reader
        return seen

    def goes_away_and_comes_back(self, source, target, form, kind="udp"):
        live = self.live(source, "--reconnect", "20s")
        seen = self.watch()
        self.wait_until_it_listens(kind)
        first = self.send(target, form)
        self.wait_for_segments(3)
        first.kill()
        first.communicate()
        wait_until(lambda: self.says(live, "lost"))
        before = self.index()
        self.assertFalse(before["complete"])
        self.assertEqual(self.periods(), [("0", 0)])
        # Another size, and no sound.
        second = self.send(target, form, "640x360", sound=())
        wait_until(lambda: self.says(live, "back"))
        self.wait_for_segments(before["live"]["last"] + 3)
        self.assertIsNone(second.poll())
        self.expect_a_hole_in_the_manifests(before)
        live.send_signal(signal.SIGINT)
        code, error, events = self.end(live)
        self.assertEqual(code, 0, error)
        self.assertEqual([event["event"] for event in events], ["waiting", "plan", "lost", "back", "result"])
        self.assertEqual(events[-1]["interruptions"], 1)

        reader = seen()
        self.assertEqual(reader.wrong, [])
        self.assertTrue(reader.complete)
        after = self.index()
        self.assertEqual(sorted(reader.seen), list(range(1, after["live"]["last"] + 1)))
        self.assertEqual(after["live"]["first"], before["live"]["last"] + 1)
        self.assertEqual(after["live"]["interruptions"], 1)
        self.assertEqual(after["live"]["availabilityStartTime"], before["live"]["availabilityStartTime"])
        self.assertEqual([track["id"] for track in after["tracks"]], ["low", "audio"])
        # As long as nobody sent.
        end = reader.ends[before["live"]["last"]] / before["tracks"][0]["timescale"]
        self.assertGreater(after["tracks"][0]["start"] / after["tracks"][0]["timescale"], end)
        self.assertGreater(self.loudness(2), -40)
        self.assertLess(self.loudness(after["live"]["first"] + 1), -90)
        self.must(SEGMENT, "check", self.out)
        self.must("ffmpeg", "-v", "error", "-xerror", "-i", self.out / "low/playlist.m3u8", "-f", "null", "-")

    def says(self, live, event, times=1):
        """Whether it has said so, that often, until now."""
        if not hasattr(self, "said"):
            self.said = []
            out, live.stdout = live.stdout, open(os.devnull)

            def read():
                self.said.extend(out)
            thread = threading.Thread(target=read)
            thread.start()

            def communicate(timeout=None):
                live.wait(timeout)
                thread.join()
                return "".join(self.said), live.stderr.read()
            live.communicate = communicate
        return sum(json.loads(line)["event"] == event for line in list(self.said)) >= times

    def test_udp(self):
        self.goes_away_and_comes_back(f"udp://127.0.0.1:{self.port}", f"udp://127.0.0.1:{self.port}?pkt_size=1316", "mpegts")

    def test_srt(self):
        self.goes_away_and_comes_back(f"srt://127.0.0.1:{self.port}?mode=listener", f"srt://127.0.0.1:{self.port}", "mpegts")

    def test_rtmp(self):
        self.goes_away_and_comes_back(f"rtmp://127.0.0.1:{self.port}/a/b", f"rtmp://127.0.0.1:{self.port}/a/b", "flv", "tcp")

    def test_rtsp_that_listens(self):
        self.goes_away_and_comes_back(f"rtsp://127.0.0.1:{self.port}/a?listen", f"rtsp://127.0.0.1:{self.port}/a", "rtsp", "tcp")

    def camera(self, port=0):
        camera = Camera(["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25"], port)
        self.addCleanup(camera.close)
        return camera

    def test_a_camera_that_restarts(self):
        camera = self.camera()
        live = self.live(f"rtsp://{USER}:{PASSWORD.replace('/', '%2F')}@127.0.0.1:{camera.port}/stream", "--low-latency", "--reconnect", "60s")
        self.wait_for_segments(3)
        self.assertGreater(camera.refused, 0)  # the password was asked for
        camera.close()
        wait_until(lambda: self.says(live, "lost"))
        before = self.index()["live"]["last"]
        self.camera(camera.port)
        wait_until(lambda: self.says(live, "back"))
        self.wait_for_segments(before + 3)
        live.send_signal(signal.SIGINT)
        code, error, events = self.end(live)
        self.assertEqual(code, 0, error)
        self.assertNotIn("geheim", json.dumps(events) + error)
        self.assertNotIn("geheim", "".join(file.read_text(errors="ignore") for file in self.out.glob("*.*")))
        self.must(SEGMENT, "check", self.out)

    def test_a_wrong_password_is_an_error_that_does_not_tell_it(self):
        camera = self.camera()
        for password in ("falsch", "fal/sch", "fal#sch"):
            with self.subTest(password):
                code, error, events = self.end(self.live(f"rtsp://{USER}:{password}@127.0.0.1:{camera.port}/stream"))
                self.assertEqual(code, 1)
                self.assertNotIn("fal", error + json.dumps(events))

    def test_a_port_scan_is_no_sender(self):
        live = self.live(f"rtmp://127.0.0.1:{self.port}/a/b", "--reconnect", "0s")
        self.wait_until_it_listens("tcp")
        socket.create_connection(("127.0.0.1", self.port)).close()
        wait_until(lambda: self.says(live, "waiting", 2))
        self.wait_until_it_listens("tcp")
        self.send(f"rtmp://127.0.0.1:{self.port}/a/b", "flv", seconds=3)
        code, error, events = self.end(live)
        self.assertEqual(code, 1, error)  # it did not come back
        self.assertEqual([event["event"] for event in events], ["waiting", "waiting", "plan", "lost", "error"])
        self.assertIn("cannot open rtmp://", events[1]["message"])
        self.must(SEGMENT, "check", self.out)

    def who_connects_and_says_nothing_is_no_sender(self, source, target, form):
        live = self.live(source, "--reconnect", "0s")
        self.wait_until_it_listens("tcp")
        with socket.create_connection(("127.0.0.1", self.port)):
            wait_until(lambda: self.says(live, "waiting", 2))
            self.wait_until_it_listens("tcp")
            self.send(target, form, seconds=3)
            _, error, events = self.end(live)
        self.assertEqual([event["event"] for event in events], ["waiting", "waiting", "plan", "lost", "error"], error)
        self.assertRegex(events[1]["message"], "sends nothing|handshake")

    def test_a_mute_sender_of_rtsp(self):
        self.who_connects_and_says_nothing_is_no_sender(f"rtsp://127.0.0.1:{self.port}/a?listen", f"rtsp://127.0.0.1:{self.port}/a", "rtsp")

    def test_a_mute_sender_of_rtmp(self):
        self.who_connects_and_says_nothing_is_no_sender(f"rtmp://127.0.0.1:{self.port}/a/b", f"rtmp://127.0.0.1:{self.port}/a/b", "flv")

    def test_a_port_in_use_is_an_error_at_once(self):
        with socket.create_server(("127.0.0.1", self.port)):
            code, error, _ = self.end(self.live(f"rtmp://127.0.0.1:{self.port}/a/b"))
        self.assertEqual(code, 1)
        self.assertIn("Address already in use", error)

    def test_one_that_does_not_come_back_completes_the_presentation(self):
        live = self.live(f"srt://127.0.0.1:{self.port}?mode=listener", "--reconnect", "1s")
        self.wait_until_it_listens("udp")
        self.send(f"srt://127.0.0.1:{self.port}", "mpegts", seconds=3)
        code, error, events = self.end(live)
        self.assertEqual(code, 1)
        self.assertIn(f"srt://127.0.0.1:{self.port}", error)
        self.assertEqual([event["event"] for event in events], ["waiting", "plan", "lost", "error"])
        self.assertTrue(self.index()["complete"])
        self.must(SEGMENT, "check", self.out)

    def test_sound_that_stops_becomes_silence(self):
        live = self.live(f"srt://127.0.0.1:{self.port}?mode=listener")
        self.wait_until_it_listens("udp")
        sender = self.send(f"srt://127.0.0.1:{self.port}", "mpegts", sound=("-f", "lavfi", "-i", "sine=f=440:r=48000:d=2"))
        self.wait_for_segments(5)
        self.assertIsNone(sender.poll())
        live.send_signal(signal.SIGINT)
        self.assertEqual(self.end(live)[0], 0)
        self.assertGreater(self.loudness(1), -40)
        self.assertLess(self.loudness(5), -90)
        self.must(SEGMENT, "check", self.out)

    def test_a_file_goes_on_where_reading_failed(self):
        clip = self.folder / "clip.mp4"
        self.must("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=6", "-f", "lavfi", "-i",
                  "sine=f=440:r=48000:d=6", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac", "-movflags",
                  "+faststart", clip)
        content = clip.read_bytes()
        state = {"failures": 0}

        class Failing(Quiet):
            """Breaks off once in the middle, and answers nothing then for a second."""

            def do_GET(self):
                if state["failures"] == 1 and time.monotonic() < state["until"]:
                    return self.send_error(503)
                begin = int(re.match(r"bytes=(\d+)", self.headers.get("Range", "bytes=0")).group(1))
                self.send_response(206 if "Range" in self.headers else 200)
                self.send_header("Content-Length", str(len(content) - begin))
                self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
                self.send_header("Accept-Ranges", "bytes")
                self.end_headers()
                end = len(content) if state["failures"] else len(content) // 2
                self.wfile.write(content[begin:end])
                if end < len(content):
                    state.update(failures=1, until=time.monotonic() + 4)
                    self.close_connection = True

        server = Server(Failing)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        live = self.live(server.url("clip.mp4"))
        code, error, events = self.end(live)
        self.assertEqual(code, 0, error)
        self.assertEqual([event["event"] for event in events], ["plan", "lost", "back", "result"])
        self.assertEqual(events[-1]["pictures"], 150)
        self.must(SEGMENT, "check", self.out)


if __name__ == "__main__":
    unittest.main(verbosity=2)
