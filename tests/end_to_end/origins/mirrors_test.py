#!/usr/bin/env python3
"""Two links that lead to two servers behind one name: bytes of two versions of a file are never put together.

Usage: mirrors_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, ORIGIN, Lab, main, run  # noqa: E402
from mirrored_origin import SEGMENT_BYTES, SEGMENTS, content, version_of  # noqa: E402

PORT = 8000
NAMES = [f"low/{n:05}.bin" for n in range(1, SEGMENTS + 1)]


class MirrorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tributary-mirrors-")))
        os.chmod(cls.folder, 0o755)
        (cls.folder / "content").mkdir()
        cls.lab = Lab("wifi 4Mbps 10ms; lte 4Mbps 20ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)

    def setUp(self):
        """Each test has an origin of its own: who asks it first is the first."""
        command = [BIN / "tributary-netlab", "exec", self.lab.name, "server", "--", sys.executable,
                   pathlib.Path(__file__).parent / "mirrored_origin.py", PORT]
        origin = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (origin.terminate(), origin.wait(), origin.stdout.close()))
        self.assertEqual(origin.stdout.readline(), "ready\n")
        self.trace = self.folder / f"{self.id()}.trace"
        self.saved = self.folder / f"{self.id()}.saved"

    def play(self, kind):
        done = run(*self.lab.bench_command(f"http://{ORIGIN}:{PORT}/{kind}/index.json", "-q", "--save-raw", f"{self.saved}.raw", "--trace",
                                           self.trace, "--subsegment-size", "3kB", "--buffer", "2"))
        self.assertEqual(done.returncode, 0, done.stderr)
        played = pathlib.Path(f"{self.saved}.raw/picture").read_bytes()
        self.assertEqual(len(played), SEGMENTS * SEGMENT_BYTES)
        return [played[i * SEGMENT_BYTES:(i + 1) * SEGMENT_BYTES] for i in range(SEGMENTS)], self.trace.read_text()

    def play_of_one_version_each(self, kind):
        segments, trace = self.play(kind)
        for name, segment in zip(NAMES, segments):
            self.assertTrue(segment in (content(name, 0), content(name, 1)), f"{name} has bytes of both")
        self.assertIn("reason=versions-differ", trace)
        return trace

    def test_weak_tags_and_times_tell_versions_apart(self):
        for kind, words in (("weak", "another ETag"), ("times", "another Last-Modified")):
            with self.subTest(kind):
                self.assertIn(words, self.play_of_one_version_each(kind))

    def test_a_segment_is_of_one_version(self):
        trace = self.play_of_one_version_each("bytes")
        differ = next(line for line in trace.splitlines() if "reason=versions-differ" in line)
        for words in ("mirror-0", "mirror-1", "over wifi" if "over wifi" in differ else "over lte"):
            self.assertIn(words, differ)
        self.assertIn("afresh=true", trace)
        self.assertIn(" link=0 ", trace)
        self.assertIn(" link=1 ", trace)
        replayed = run(BIN / "tributary-bench", "--replay", self.trace, "-q")
        self.assertEqual(replayed.returncode, 0, replayed.stderr)

    def test_copies_with_other_tags_share_segments(self):
        segments, trace = self.play("copies")
        self.assertTrue(segments == [content(name, 0) for name in NAMES], "wrong bytes")
        self.assertNotIn("versions-differ", trace)
        self.assertNotIn("afresh", trace)

    def test_another_length_is_not_used(self):
        segments, trace = self.play("lengths")
        self.assertTrue(segments == [content(name, 0) for name in NAMES], "wrong bytes")
        self.assertIn(f"the file has {SEGMENT_BYTES + 1} bytes, expected were {SEGMENT_BYTES}", trace)

    def test_a_download_is_of_one_version(self):
        for kind in ("bytes", "lengths", "weak", "times"):
            with self.subTest(kind):
                links = self.download(kind)
                self.assertGreater(sum(link["failures"] for link in links), 0)
                self.assertIn("reason=entity-changed", self.trace.read_text())

    def test_copies_with_other_tags_share_a_download(self):
        links = self.download("copies")
        self.assertEqual([link["failures"] for link in links], [0, 0])
        self.assertGreater(min(link["share"] for link in links), 0.2)

    def download(self, kind):
        """Of the version of the mirror that answered first."""
        done = run(*self.lab.client_command(BIN / "tributary-get", f"http://{ORIGIN}:{PORT}/{kind}/object.bin", "--overwrite", "-o", self.saved,
                                            "-q", "--json", "--trace", self.trace))
        self.assertEqual(done.returncode, 0, done.stderr)
        other = content("object.bin", version_of(kind, 1)) + (b"+" if kind == "lengths" else b"")
        self.assertTrue(self.saved.read_bytes() in (content("object.bin", 0), other), "wrong bytes")
        return json.loads(done.stdout)["links"]


if __name__ == "__main__":
    main()
