#!/usr/bin/env python3
"""A title comes over two links as one film that has the packets of its source, whatever packaged it, and a failure leaves no film.

Usage: title_test.py BIN_DIR SOURCE_DIR (lab.py). The videos are made by ffmpeg.
"""
import concurrent.futures
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, ORIGIN, link_used_after_outage, must, outage, run  # noqa: E402
from packaging import LAYOUTS, PICTURE, SECONDS, SOUND, make, of_playlist, of_representation, source_of  # noqa: E402
from waiting import wait_until  # noqa: E402

FRAMES = 25 * SECONDS
LANGUAGES = [*source_of(SECONDS), "-f", "lavfi", "-i", f"sine=880:r=48000:d={SECONDS}", "-map", "0:v", "-map", "1:a", "-map", "2:a",
             "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", *PICTURE, *SOUND]


def ffprobe(file, *entries):
    return json.loads(must("ffprobe", "-v", "error", "-of", "json", *entries, file))


def streams_of(file):
    """By kind, as ffprobe counts their packets."""
    return {stream["codec_type"]: stream for stream in ffprobe(file, "-count_packets", "-show_streams")["streams"]}


def hashes(file, kind, *codec):
    """Of each frame, decoded, or of each packet, with -c copy."""
    lines = must("ffmpeg", "-nostdin", "-v", "error", "-i", file, "-map", f"0:{kind}", *codec, "-f", "framemd5", "-").splitlines()
    return [line.split(",")[5].strip() for line in lines if not line.startswith("#")]


def packets(file, kind):
    return hashes(file, kind, "-c", "copy")


class TitleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="titles ")))
        cls.folder.chmod(0o755)
        cls.content = cls.folder / "content"
        for name, (options, manifest) in LAYOUTS.items():
            make(cls.content / name, options, manifest)
        cls.make_others()
        cls.lab = lab.Lab("wifi 6Mbps 20ms; lte 4Mbps 60ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)

    @classmethod
    def make_others(cls):
        languages = cls.content / "languages"
        languages.mkdir()
        must("ffmpeg", "-nostdin", "-v", "error", *LANGUAGES, "-f", "dash", "-seg_duration", "2", "-adaptation_sets",
             "id=0,streams=0 id=1,streams=1 id=2,streams=2", languages / "film.mpd")
        source = cls.folder / "source.mkv"
        must("ffmpeg", "-nostdin", "-v", "error", *source_of(SECONDS), *PICTURE, "-bf", "2", *SOUND, source)
        must(BIN / "tributary-segment", source, "-o", cls.content / "own", "-q", "--ladder", "low=300k")
        damaged = cls.content / "damaged"
        must("cp", "-r", cls.content / "dash-list", damaged)
        (damaged / "chunk-stream1-00004.m4s").write_text("<html>There is something else here now.</html>\n" * 1000)
        must("ffmpeg", "-nostdin", "-v", "error", *source_of(SECONDS), *PICTURE, *SOUND, "-t", "4", cls.content / "plain.mp4")

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))

    def manifest_of(self, name):
        return "film.mpd" if name.startswith("dash") else "master.m3u8"

    def command(self, target, *arguments):
        return self.lab.client_command(BIN / "tributary-get", f"http://{ORIGIN}/{target}", *arguments)

    def get(self, target, film, *arguments, expect=0):
        done = run(*self.command(target, "-o", film, "--json", "--overwrite", *arguments))
        self.assertEqual(done.returncode, expect, done.stderr)
        self.errors = done.stderr
        return json.loads(done.stdout) if done.stdout else None

    def source_of(self, name):
        """Files with the picture and the sound of the best quality, as they were packaged."""
        folder = self.content / name
        if name.startswith("dash"):
            parts = [of_representation(folder, number) for number in (1, 2)]
        else:
            parts = [of_playlist(folder / f"list_{number}.m3u8") for number in ((1, 1) if name == "hls-ts" else (1, 2))]
        files = [self.folder / f"{name}.{kind}.source" for kind in ("picture", "sound")]
        for file, part in zip(files, parts):
            file.write_bytes(part)
        return files

    def expect_the_source(self, name, film):
        picture, sound = self.source_of(name)
        streams = streams_of(film)
        self.assertEqual(set(streams), {"video", "audio"})
        self.assertEqual((streams["video"]["codec_name"], streams["audio"]["codec_name"]), ("h264", "aac"))
        self.assertEqual(int(streams["video"]["nb_read_packets"]), FRAMES)
        self.assertAlmostEqual(float(ffprobe(film, "-show_format")["format"]["duration"]), SECONDS, delta=0.1)
        self.assertEqual(len(hashes(film, "v")), FRAMES)
        self.assertEqual(hashes(film, "v"), hashes(picture, "v"))
        self.assertEqual(packets(film, "a"), packets(sound, "a") if name != "hls-ts" else self.without_adts(sound))
        if name != "hls-ts":  # whose pictures begin with start codes in place of lengths
            self.assertEqual(packets(film, "v"), packets(picture, "v"))
        starts = [float(streams[kind]["start_time"]) for kind in ("video", "audio")]
        self.assertEqual(starts[0], 0)
        self.assertAlmostEqual(starts[1], self.start_of_sound(name, picture, sound), delta=0.002)

    def without_adts(self, sound):
        bare = self.folder / "bare.mka"
        must("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", sound, "-map", "0:a", "-c", "copy", bare)
        return packets(bare, "a")

    def start_of_sound(self, name, picture, sound):
        """Beside the picture's; sound that is decoded before it is heard is not counted."""
        start = {kind: float(streams_of(file)[kind]["start_time"]) for kind, file in (("video", picture), ("audio", sound))}
        return max(start["audio"] - start["video"], 0)

    def fetch_and_hold(self, name):
        film, trace = self.out / f"{name}.mp4", self.folder / f"{name}.trace"
        done = run(*self.command(f"{name}/{self.manifest_of(name)}", "-o", film, "-q", "--json", "--trace", trace))
        return name, film, trace, done

    def test_every_layout_becomes_a_film_over_both_links_with_an_outage(self):
        with concurrent.futures.ThreadPoolExecutor(len(LAYOUTS)) as pool, outage(self.lab, "wifi", after=2, seconds=2):
            fetched = list(pool.map(self.fetch_and_hold, LAYOUTS))
        for name, film, trace, done in fetched:
            with self.subTest(name):
                self.assertEqual(done.returncode, 0, done.stderr)
                figures = json.loads(done.stdout)
                self.assertTrue(figures["complete"])
                self.assertTrue(all(link["bytes"] > 0 for link in figures["links"]), figures["links"])
                self.assertEqual(len(figures["links"]), 2)
                self.expect_the_source(name, film)
        traces = [trace.read_text().splitlines() for _, _, trace, _ in fetched]
        cut = [trace for trace in traces if any("event link-down" in line for line in trace)]
        self.assertTrue(cut, "no layout was under way when the link went down")
        for trace in cut:
            self.assertTrue(link_used_after_outage(trace))
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), sorted(f"{name}.mp4" for name in LAYOUTS))

    def test_our_own_content(self):
        """Whose sound states that it is decoded long before it is heard, as its pictures are."""
        folder = self.content / "own"
        index = json.loads((folder / "index.json").read_text())
        parts = {}
        for track in index["tracks"]:
            parts[track["kind"]] = self.folder / f"own.{track['kind']}.source"
            files = [folder / track["id"] / "init.mp4", *sorted((folder / track["id"]).glob("0*.m4s"))]
            parts[track["kind"]].write_bytes(b"".join(file.read_bytes() for file in files))
        for manifest in ("index.json", "manifest.mpd", "master.m3u8"):
            with self.subTest(manifest):
                film = self.out / f"{manifest}.mp4"
                self.get(f"own/{manifest}", film)
                for kind in ("video", "audio"):
                    self.assertEqual(hashes(film, kind[0]), hashes(parts[kind], kind[0]))
                    self.assertEqual(float(streams_of(film)[kind]["start_time"]), 0)

    def test_a_film_can_be_played_while_it_is_read(self):
        film = self.out / "film.mp4"
        self.get("dash-template/film.mpd", film)
        begin = film.read_bytes()[:4096]
        self.assertIn(b"moov", begin)

    def test_matroska(self):
        for name in ("dash-template", "hls-ts"):
            with self.subTest(name):
                film = self.out / f"{name}.mkv"
                self.get(f"{name}/{self.manifest_of(name)}", film)
                self.assertEqual(ffprobe(film, "-show_format")["format"]["format_name"], "matroska,webm")
                self.assertEqual(hashes(film, "v"), hashes(self.source_of(name)[0], "v"))
                self.assertEqual(set(streams_of(film)), {"video", "audio"})

    def test_a_container_that_cannot_hold_it_is_named(self):
        self.get("dash-template/film.mpd", self.out / "film.webm", expect=1)
        self.assertIn(".webm file cannot hold h264 and aac", self.errors)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_quality_and_sound_are_chosen(self):
        film = self.out / "film.mp4"
        self.assertEqual(self.get("dash-list/film.mpd", film, "--quality", "lowest")["quality"], "0")
        self.assertEqual(packets(film, "v"), packets(self.first_quality("dash-list"), "v"))
        self.assertEqual(self.get("languages/film.mpd", film, "--audio", "de-AT")["complete"], True)
        self.assertEqual(streams_of(film)["audio"]["tags"]["language"], "deu")
        self.get("languages/film.mpd", film)
        self.assertEqual(streams_of(film)["audio"]["tags"]["language"], "eng")
        self.get("languages/film.mpd", self.out / "none.mp4", "--audio", "fr", expect=2)
        self.assertIn('no sound "fr", only: eng (1), deu (2)', self.errors)
        self.get("languages/film.mpd", self.out / "none.mp4", "--quality", "8K", expect=2)
        self.assertIn('no quality "8K", only: ', self.errors)
        self.assertFalse((self.out / "none.mp4").exists())

    def test_the_benchmark_streams_the_sound_that_is_chosen(self):
        folder, trace = self.content / "languages", self.out / "session.txt"
        url = f"http://{ORIGIN}/languages/film.mpd"
        for wanted, number in (((), 1), (("--audio", "de"), 2), (("--audio", "en-GB"), 1)):
            with self.subTest(wanted):
                done = run(*self.lab.bench_command(url, "-q", "--save-raw", self.out / "raw", "--trace", trace, *wanted))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual((self.out / "raw/sound").read_bytes(), of_representation(folder, number))
                self.assertEqual("\nsound 2\n" in trace.read_text(), number == 2)
                done = run(BIN / "tributary-bench", "-q", "--replay", trace)
                self.assertEqual(done.returncode, 0, done.stderr)
        done = run(*self.lab.bench_command(url, "-q", "--audio", "fr"))
        self.assertEqual(done.returncode, 1)
        self.assertIn('languages/film.mpd: there is no sound "fr", only: eng (1), deu (2)', done.stderr)

    def first_quality(self, name):
        file = self.folder / "first.source"
        file.write_bytes(of_representation(self.content / name, 0))
        return file

    def test_without_a_film_in_its_name_the_manifest_itself_is_saved(self):
        for name in ("dash-list/film.mpd", "hls-fmp4/master.m3u8"):
            with self.subTest(name):
                file = self.out / pathlib.Path(name).name
                self.get(name, file)
                self.assertEqual(file.read_bytes(), (self.content / name).read_bytes())
                self.assertIn(f"to fetch its title: tributary-get --remux http://{ORIGIN}/{name}", self.errors)

    def test_remux_names_the_film_like_the_manifest(self):
        done = run(*self.command("hls-fmp4/master.m3u8", "--remux", "-q"), cwd=self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_the_source("hls-fmp4", self.out / "master.mp4")

    def test_a_film_that_is_there_as_a_file_is_downloaded_as_it_is(self):
        film = self.out / "got.mp4"
        self.get("plain.mp4", film)
        self.assertEqual(film.read_bytes(), (self.content / "plain.mp4").read_bytes())
        self.get("plain.mp4", film, "--remux", expect=1)
        self.assertIn("this is no manifest", self.errors)
        self.assertIn("an MP4 file", self.errors)

    def test_a_damaged_segment_leaves_no_film(self):
        self.get("damaged/film.mpd", self.out / "film.mp4", expect=1)
        self.assertRegex(self.errors, "segment 4 of 1 is damaged")
        self.assertIn("film.mp4 is not whole, and nothing of it is kept", self.errors)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_a_full_disk_leaves_no_film(self):
        """No file may have more than 200 kB."""
        command = self.command("dash-list/film.mpd", "-o", self.out / "film.mp4", "-q")
        done = run("bash", "-c", 'trap "" XFSZ; ulimit -f 200; exec "$@"', "-", *command)
        self.assertEqual(done.returncode, 23, done.stderr)
        self.assertIn("film.mp4.part: File too large", done.stderr)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_ctrl_c_leaves_no_film_and_a_killed_download_can_begin_anew(self):
        film = self.out / "film.mp4"
        for number, status in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(number.name):
                get = subprocess.Popen(self.command("dash-list/film.mpd", "-o", film, "-q", "--link", "lte"),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                wait_until(lambda: get.poll() is not None or (self.out / "film.mp4.part").exists())
                get.send_signal(number)
                _, errors = get.communicate(timeout=60)
                self.assertEqual(get.returncode, status, errors)
                self.assertFalse(film.exists())
                if number == signal.SIGINT:
                    self.assertIn("nothing of it is kept", errors)
                    self.assertEqual(list(self.out.iterdir()), [])
        self.get("dash-list/film.mpd", film, "-C")
        self.expect_the_source("dash-list", film)
        self.assertEqual([path.name for path in self.out.iterdir()], ["film.mp4"])


lab.main()
