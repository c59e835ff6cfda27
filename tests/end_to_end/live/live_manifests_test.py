#!/usr/bin/env python3
"""What ffmpeg's muxers publish live as DASH and HLS comes over two links without a stop, and without a hole; so does a title
with a break for an advertisement, and sound alone. What tributary-segment publishes live comes to the players of others
through tributary-proxy, whether they choose the quality or it leads.

Usage: live_manifests_test.py BIN_DIR SOURCE_DIR [SECONDS]. The videos are made by ffmpeg.
"""
import concurrent.futures
import datetime
import hashlib
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
import lab  # noqa: E402
from packaging import PICTURE, SOUND  # noqa: E402
from waiting import wait_until  # noqa: E402

LIVE_PLAYER = pathlib.Path(__file__).with_name("live_player.py")
SECONDS = int(sys.argv[3]) if len(sys.argv) > 3 else 14
BEFORE = 4  # segments of 1 s that are there when the client comes
RATE = 25
DASH = ["-f", "dash", "-seg_duration", "1", "-window_size", "6", "-extra_window_size", "6", "-streaming", "0",
        "-adaptation_sets", "id=0,streams=v id=1,streams=a"]
HLS = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "6", "-hls_delete_threshold", "6", "-master_pl_name", "master.m3u8"]
HLS += ["-bsf:v", "h264_mp4toannexb"]  # whose output has a profile, which the playlist names
SPLIT = ["-var_stream_map", "v:0,agroup:a v:1,agroup:a a:0,agroup:a", "-hls_segment_type", "fmp4"]
MIXED = ["-map", "0:a", "-var_stream_map", "v:0,a:0 v:1,a:1"]
LAYOUTS = {  # options, and the manifest
    "dash-timeline": ([*DASH, "-use_timeline", "1"], "film.mpd"),
    "dash-template": ([*DASH, "-use_timeline", "0"], "film.mpd"),
    "hls-dated": ([*HLS, *SPLIT, "-hls_flags", "delete_segments+program_date_time"], "list_%v.m3u8"),
    "hls-fmp4": ([*HLS, *SPLIT, "-hls_flags", "delete_segments"], "list_%v.m3u8"),
    "hls-ts": ([*HLS, *MIXED, "-hls_flags", "delete_segments"], "list_%v.m3u8"),
    "hls-keys": ([*HLS, *MIXED, "-hls_flags", "delete_segments+periodic_rekey", "-hls_key_info_file", "key.info"], "list_%v.m3u8"),
}
REKEYED = 3.0  # seconds with one key
AD = 3  # segments of 1 s, in the middle of a title that has as many of them as this:
PLANNED = [("film", 1 + i) for i in range(7)] + [("ad", 1 + i) for i in range(AD)] + [("film", 8 + i) for i in range(3)]
BREAKS = [i for i in range(1, len(PLANNED)) if PLANNED[i][0] != PLANNED[i - 1][0]]


def replace(path, text):
    """As a whole, for whoever fetches it now."""
    path.with_suffix(".new").write_text(text)
    os.replace(path.with_suffix(".new"), path)


def set_of(kind, codec, folder, ids, offset):
    """An AdaptationSet of what ffmpeg has packaged."""
    representations = "".join(f'<Representation id="{i}" bandwidth="{200_000 * (1 + i)}"/>' for i in ids)
    return (f'<AdaptationSet mimeType="{kind}/mp4" codecs="{codec}"><SegmentTemplate timescale="1000" duration="1000" '
            f'startNumber="{1 + offset}" presentationTimeOffset="{1000 * offset}" initialization="{folder}/init-stream$RepresentationID$.m4s" '
            f'media="{folder}/chunk-stream$RepresentationID$-$Number%05d$.m4s"/>{representations}</AdaptationSet>')


def mpd(zero, pictures, known):
    """Its first periods; the last of them goes on, unless they are all."""
    begins = [0, *BREAKS][:known]
    periods = ""
    for number, begin in enumerate(begins):
        folder, first = PLANNED[begin]
        sets = set_of("video", "avc1.4d400d", folder, [0, 1], first - 1) if pictures else ""
        periods += f'<Period id="p{number}" start="PT{begin}S">{sets}{set_of("audio", "mp4a.40.2", folder, [2], first - 1)}</Period>'
    length = f'mediaPresentationDuration="PT{len(PLANNED)}S"' if known > len(BREAKS) else ""
    start = datetime.datetime.fromtimestamp(zero, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return (f'<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="{start}" minBufferTime="PT1S" '
            f'minimumUpdatePeriod="PT1S" {length} profiles="urn:mpeg:dash:profile:isoff-live:2011">{periods}</MPD>')


def playlist(stream, there):
    """The last six of the segments that are there, and what is before them."""
    first = max(0, there - 6)
    text = f"#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:{first}\n"
    text += f"#EXT-X-DISCONTINUITY-SEQUENCE:{sum(b < first for b in BREAKS)}\n"
    for i in range(first, there):
        folder, number = PLANNED[i]
        text += "#EXT-X-DISCONTINUITY\n" if i in BREAKS else ""
        text += f'#EXT-X-MAP:URI="{folder}/init-stream{stream}.m4s"\n' if i in BREAKS or i == first else ""
        text += f"#EXTINF:1,\n{folder}/chunk-stream{stream}-{number:05}.m4s\n"
    return text + ("#EXT-X-ENDLIST\n" if there == len(PLANNED) else "")


MASTER = """#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="sound",DEFAULT=YES,URI="2.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=320x180,CODECS="avc1.4d400d,mp4a.40.2",AUDIO="a"
0.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=600000,RESOLUTION=320x180,CODECS="avc1.4d400d,mp4a.40.2",AUDIO="a"
1.m3u8
"""
PLANNED_LAYOUTS = {"break-dash": "1", "break-hls": "180p-2", "radio-dash": "2"}  # and a quality


class LiveManifestsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="live manifests ")))
        cls.folder.chmod(0o755)
        (cls.folder / "content").mkdir()
        cls.source = cls.folder / "source.mp4"
        cls.make(cls.source, f"testsrc2=s=320x180:r={RATE}:d={SECONDS}", SECONDS)
        ad = cls.folder / "ad.mp4"
        cls.make(ad, f"testsrc=s=160x90:r={RATE}:d={AD}", AD)
        for name in PLANNED_LAYOUTS:
            (cls.folder / "content" / name).mkdir()
        for name, media in (("film", cls.source), ("ad", ad)):
            folder = cls.folder / name
            folder.mkdir()
            lab.must("ffmpeg", "-nostdin", "-v", "error", "-i", media, "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "dash",
                     "-seg_duration", "1", "-use_timeline", "0", folder / "all.mpd")
            for layout in PLANNED_LAYOUTS:
                shutil.copytree(folder, cls.folder / "content" / layout / name)
        cls.package()
        cls.lab = lab.Lab("wifi 8Mbps 20ms; lte 5Mbps 60ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)

    @staticmethod
    def make(media, picture, seconds):
        lab.must("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i",
                 f"sine=440:r=48000:d={seconds}", "-map", "0:v", "-map", "0:v", "-map", "1:a", *PICTURE, "-g", RATE,
                 "-keyint_min", RATE, "-level", "3", "-b:v:0", "200k", "-b:v:1", "400k", *SOUND, media)

    @classmethod
    def package(cls):
        """Two qualities with one setup of the decoder, so that the proxy may lead."""
        for name, streams in (("low", ["0:0"]), ("high", ["0:1", "0:2"])):
            lab.must("ffmpeg", "-nostdin", "-v", "error", "-i", cls.source, *(word for stream in streams for word in ("-map", stream)),
                     "-c", "copy", cls.folder / f"{name}.mp4")
        lab.must(lab.BIN / "tributary-segment", "package", f"low={cls.folder / 'low.mp4'}", f"high={cls.folder / 'high.mp4'}",
                 "--segment", "1s", "-o", cls.folder / "packaged", "-q")

    def start(self, *command):
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        return process

    def play_through_proxy(self, *options):
        """A title that is being published, by a player of HLS and one of MPEG-DASH, until its end. What each of them got."""
        urls = [f"http://{lab.ORIGIN}/own/{manifest}" for manifest in ("master.m3u8", "manifest.mpd")]
        proxy = self.start(*self.lab.client_command("env", "ASAN_OPTIONS=detect_leaks=0", lab.BIN / "tributary-proxy", "--json", *options,
                                                    *urls))
        told = [json.loads(proxy.stdout.readline()) for _ in urls]
        self.assertFalse(any("not_led" in title for title in told), told)
        players = [self.start(*self.lab.client_command("python3", "-B", LIVE_PLAYER, title["local"])) for title in told]
        played = [(*player.communicate(timeout=100), player.returncode) for player in players]
        proxy.send_signal(signal.SIGINT)
        out, err = proxy.communicate(timeout=60)
        self.assertEqual(proxy.returncode, 0, err)
        self.assertTrue(all(link["bytes"] > 0 for link in json.loads(out)["links"]), out)
        return played

    def publish_own(self):
        """What is played of it by players that choose the quality, and by those that are led."""
        folder = self.folder / "content/own"
        replay = self.start(lab.BIN / "tributary-segment", "replay", self.folder / "packaged", "-o", folder, "-q", "--keep", 2 * SECONDS)
        wait_until(lambda: replay.poll() is not None or len([*folder.glob("high/*.m4s")]) >= BEFORE)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            played = list(pool.map(lambda options: self.play_through_proxy(*options), ((), ("--lead",))))
        self.assertEqual(replay.wait(timeout=60), 0, replay.stderr.read())
        return played

    def check_played(self, played, qualities):
        """Every file to the end, in order, and each as a quality has it."""
        out, err, status = played
        self.assertEqual(status, 0, err)
        files = list(map(json.loads, out.splitlines()))
        for track, folders in enumerate((qualities, ["audio"])):
            of_track = [file for file in files if file["track"] == track]
            numbers = [int(file["name"].removesuffix(".m4s")) for file in of_track[1:]]
            self.assertEqual(of_track[0]["name"], "init.mp4")
            self.assertEqual(numbers, list(range(numbers[0], SECONDS + 1)))
            self.assertGreater(len(numbers), 4)  # of which three were there when it began
            for file in of_track:
                known = [(self.folder / "content/own" / folder / file["name"]).read_bytes() for folder in folders]
                self.assertIn(file["hash"], [hashlib.sha256(content).hexdigest() for content in known], file)

    def change_keys(self, folder, over):
        """ffmpeg reads the file anew for each segment."""
        for number in range(1000):
            (folder / f"{number}.key").write_bytes(os.urandom(16))
            replace(folder / "key.info", f"{number}.key\n{folder / f'{number}.key'}\n")
            if over.wait(REKEYED):
                return

    def publish_plan(self, name):
        """The manifest of a title with breaks, until its end. All of its files are there from the beginning."""
        folder = self.folder / "content" / name
        zero = time.time() - BEFORE

        def go_on():
            for there in range(BEFORE, len(PLANNED) + 1):
                for stream in (0, 1, 2) if name == "break-hls" else ():
                    replace(folder / f"{stream}.m3u8", playlist(stream, there))
                if name != "break-hls":
                    # A break is known a second before it is there.
                    replace(folder / "film.mpd", mpd(zero, name == "break-dash", sum(b <= there + 1 for b in [0, *BREAKS])))
                begun.set()
                time.sleep(max(0, zero + there + 1 - time.time()))

        begun = threading.Event()
        thread = threading.Thread(target=go_on)
        thread.start()
        self.addCleanup(thread.join)
        begun.wait()
        if name != "break-hls":
            return "film.mpd"
        (folder / "master.m3u8").write_text(MASTER)
        return "master.m3u8"

    def publish(self, name):
        """At the pace of playout. Nothing is encoded."""
        if name in PLANNED_LAYOUTS:
            return self.publish_plan(name)
        options, manifest = LAYOUTS[name]
        folder = self.folder / "content" / name
        folder.mkdir()
        if name == "hls-keys":
            over = threading.Event()
            thread = threading.Thread(target=self.change_keys, args=(folder, over))
            thread.start()
            self.addCleanup(lambda: (over.set(), thread.join()))
            wait_until((folder / "key.info").exists)
            options = [folder / word if word == "key.info" else word for word in options]
        command = ["ffmpeg", "-nostdin", "-v", "error", "-re", "-i", self.source, "-map", "0:v", "-map", "0:a", "-c", "copy",
                   *options, folder / manifest]
        process = subprocess.Popen([str(word) for word in command], stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        wait_until(lambda: process.poll() is not None or len([*folder.glob("*.m4s"), *folder.glob("*.ts")]) >= 3 * (BEFORE + 1))
        return "film.mpd" if name.startswith("dash") else "master.m3u8"

    def stream(self, name):
        saved, summary = self.folder / f"{name}.media", self.folder / f"{name}.json"
        quality = PLANNED_LAYOUTS.get(name) or ("1" if name.startswith("dash") else "180p-2")
        done = lab.run(*self.lab.bench_command(f"http://{lab.ORIGIN}/{name}/{self.publish(name)}", "--mode", "live-buffered",
                                               "--save-raw", saved, "--adaptation", f"fixed:{quality}",
                                               "--output", summary, "--trace", self.folder / f"{name}.trace"))
        return name, done, saved / "picture", json.loads(summary.read_text()) if summary.exists() else None

    def check_plan(self, name, saved, summary):
        """Every byte from the first break on, with the init segments of what goes on otherwise; and each break in the trace."""
        folder = self.folder / "content" / name
        stream = 2 if name == "radio-dash" else 1
        expected = b""
        for i in range(BREAKS[0], len(PLANNED)):
            part, number = PLANNED[i]
            if i in BREAKS:
                expected += (folder / part / f"init-stream{stream}.m4s").read_bytes()
            expected += (folder / part / f"chunk-stream{stream}-{number:05}.m4s").read_bytes()
        self.assertTrue(saved.read_bytes().endswith(expected))
        self.assertEqual(summary["segments_skipped"], 0)
        trace = self.folder / f"{name}.trace"
        self.assertEqual(lab.run(pathlib.Path(sys.argv[1]) / "tributary-bench", "--replay", trace).returncode, 0)
        lines = trace.read_text().splitlines()
        added = [line for line in lines if "segment-added" in line]
        later = [b for b in BREAKS if b >= len(PLANNED) - len(added)]  # those before were in the first manifest
        self.assertEqual(len([line for line in added if "!" in line]), len(later))

    def frames(self, media):
        """When the pictures are shown, in order."""
        told = lab.must("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", media)
        return sorted(float(line.strip(",")) for line in told.split())

    def test_every_layout_comes_over_both_links_until_its_end(self):
        layouts = [*LAYOUTS, *PLANNED_LAYOUTS]
        with concurrent.futures.ThreadPoolExecutor(1 + len(layouts)) as pool:
            own = pool.submit(self.publish_own)
            for name, done, saved, summary in pool.map(self.stream, layouts):
                with self.subTest(name):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertTrue(summary["complete"])
                    self.assertTrue(all(link["bytes"] > 0 for link in summary["links"]), summary["links"])
                    if name in PLANNED_LAYOUTS:
                        self.check_plan(name, saved, summary)
                        continue
                    if name == "hls-keys":
                        self.assertGreater(len([*(self.folder / "content" / name).glob("*.key")]), 3)
                    shown = self.frames(saved)
                    self.assertGreaterEqual(len(shown), RATE * (SECONDS - BEFORE) / 2)  # a busy machine begins late
                    steps = [after - before for before, after in zip(shown, shown[1:])]
                    self.assertLess(max(steps), 1.5 / RATE, "there is a hole")
                    # A template names one more than there is, until the client has seen that the title is over; ffmpeg is late
                    # itself where the machine is busy.
                    self.assertLessEqual(summary["segments_skipped"], 3 if name == "dash-template" else 0)
            chosen, led = own.result()
            for played, qualities in ((chosen, ["high"]), (led, ["low", "high"])):
                for player, manifest in zip(played, ("HLS", "MPEG-DASH")):
                    with self.subTest(manifest, qualities=qualities):
                        self.check_played(player, qualities)


sys.argv[3:] = []
lab.main()
