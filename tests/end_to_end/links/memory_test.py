#!/usr/bin/env python3
"""What is remembered of a link from one run to the next, as a user would see it.

Usage: memory_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, ORIGIN, Lab, main, must, run  # noqa: E402

SIZE = 3_000_000
QUALITIES = {"low": 250, "medium": 1000, "high": 2000}  # kbit/s


class MemoryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="tributary-memory-")
        cls.addClassCleanup(temporary.cleanup)
        folder = cls.folder = pathlib.Path(temporary.name)
        folder.chmod(0o755)
        (folder / "content").mkdir()
        (folder / "content" / "object.bin").write_bytes(bytes(SIZE))
        (folder / "sizes").write_text(json.dumps({
            "segment_duration_ms": 2000, "bitrates_kbps": list(QUALITIES.values()), "quality_names": list(QUALITIES),
            "segment_sizes_bits": [[2000 * rate for rate in QUALITIES.values()]] * 10}))
        must(BIN / "tributary-segment", "--synthetic", folder / "sizes", "--segments", "10", "-o", folder / "content" / "film", "-q")
        cls.lab = Lab("wifi 16Mbps 20ms", folder)
        cls.addClassCleanup(cls.lab.close)

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.file = self.out / "state" / "tributary" / "link-memory.json"

    def run_program(self, program, *arguments, expect=0):
        done = run(*self.lab.client_command("env", f"XDG_STATE_HOME={self.out}/state", BIN / program, *arguments))
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stdout, done.stderr

    def download(self):
        return self.run_program("tributary-get", f"http://{ORIGIN}/object.bin", "-o", self.out / "got", "--overwrite", "-q")

    def first_quality(self, *arguments):
        """Of a film that is streamed now; and what was said."""
        trace, table = self.out / "trace", self.out / "segments"
        _, errors = self.run_program("tributary-bench", f"http://{ORIGIN}/film/index.json", "-q", "--segments", "2",
                                     "--trace", trace, "--segments-csv", table, *arguments)
        self.run_program("tributary-bench", "--replay", trace, "-q")
        return table.read_text().splitlines()[1].split(",")[1], errors

    def test_the_next_run_begins_better_until_that_is_forgotten(self):
        self.assertEqual(self.first_quality("--start", "fast"), ("low", ""))
        self.assertFalse(self.file.exists(), "too little came to know")
        self.download()
        network, = json.loads(self.file.read_text())["networks"]
        self.assertTrue(network["network"].startswith("wifi"))
        self.assertAlmostEqual(network["throughput_bit_s"] / 16e6, 0.9, delta=0.3)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        self.assertNotEqual(self.first_quality("--start", "fast")[0], "low")
        self.assertEqual(self.first_quality()[0], "high")  # the thesis' start, whatever is known
        links = json.loads(self.run_program("tributary-links", "--link", "wifi", "--json")[0])["links"]
        self.assertEqual(links[0]["remembered"]["rate_bit_s"], network["throughput_bit_s"])
        quality, errors = self.first_quality("--start", "fast", "--forget")
        self.assertEqual(quality, "low")
        self.assertIn("what links of 1 network could do is forgotten", errors)

    def test_forgetting_needs_no_address(self):
        self.download()
        for program, count in (("tributary-bench", "1 network"), ("tributary-get", "0 networks"), ("tributary-links", "0 networks")):
            self.assertEqual(self.run_program(program, "--forget"), (f"what links of {count} could do is forgotten\n", ""))
        self.run_program("tributary-get", expect=2)

    def test_a_damaged_file_is_said_and_ends_nothing(self):
        self.file.parent.mkdir(parents=True)
        self.file.write_text('{"format": "tributary-link-memory", "version": 1, "networks": [{}]}')
        _, errors = self.download()
        self.assertIn(f"tributary-get: {self.file} is damaged (", errors)
        self.assertIn("networks[0]", errors)
        self.assertEqual(len(json.loads(self.file.read_text())["networks"]), 1)
        self.assertTrue(self.file.with_name(self.file.name + ".damaged-1").exists())

    def test_a_simulation_remembers_nothing(self):
        self.run_program("tributary-bench", self.folder / "content" / "film" / "index.json", "--simulate", "wifi 16Mbps 20ms", "-q")
        self.assertFalse(self.file.parent.exists())


if __name__ == "__main__":
    main()
