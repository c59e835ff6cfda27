#!/usr/bin/env python3
"""The demo, with a clip of a few seconds: it plays three times, tells what was gained, and leaves nothing running.

Usage: demo_test.py BIN_DIR SOURCE_DIR (lab.py). The video is made by ffmpeg.
"""
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, SOURCE, run  # noqa: E402

SECONDS = 6


class DemoTest(unittest.TestCase):
    def test_it_plays_over_each_link_and_over_both(self):
        with tempfile.TemporaryDirectory(prefix="tributary demo ") as folder:
            build = pathlib.Path(folder)
            build.chmod(0o755)
            (build / "bin").symlink_to(BIN)
            labs = build / "labs"
            labs.mkdir()
            done = run(SOURCE / "server-tools/demo/demo", build, SECONDS, env={**os.environ, "XDG_RUNTIME_DIR": str(labs)})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            links = {name: {link["name"]: link["bytes"] for link in self.summary(build, name)["links"]} for name in ("wifi", "lte", "both")}
            self.assertEqual({name: sorted(used) for name, used in links.items()},
                             {"wifi": ["wifi_alone"], "lte": ["lte_alone"], "both": ["lte", "wifi"]})
            for used in links.values():
                self.assertGreater(min(used.values()), 0)
            first = done.stdout.splitlines()[:11]
            self.assertTrue(any(line.startswith("Both links together: ") for line in first), done.stdout)
            for title in ("wifi alone", "lte alone", "both"):
                self.assertTrue(any(line.startswith(f"  {title} ") for line in first), done.stdout)
            self.assertEqual([path.name for path in labs.glob("*/*")], [])
            self.assertEqual([path.name for path in build.iterdir() if path.name.startswith("state")], [])

    def summary(self, build, name):
        summary = json.loads((build / "runs" / name / "summary.json").read_text())
        self.assertTrue(summary["complete"], summary["ended_because"])
        self.assertEqual(summary["segments_played"], SECONDS / 2)
        return summary


if __name__ == "__main__":
    lab.main()
