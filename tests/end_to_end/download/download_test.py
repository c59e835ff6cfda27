#!/usr/bin/env python3
"""Runs small comparisons of programs (./run evaluate --real) with those that are there.

Usage: download_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, SKIPPED, SOURCE, main, only_if_long  # noqa: E402

PYTHON = "/usr/bin/python3"  # as ./run evaluate takes it
NEEDED = {"aria2c": ["aria2c"], "aria2c-8": ["aria2c"], "mptcp": ["mptcpize"]}

EXPERIMENT = """
kind = "download"
title = "Small"
about = "Two links."
seconds = %(seconds)s
seeds = 1
setup = [{ name = "two", links = "a 6Mbps 10ms; b 6Mbps 40ms" }]
cells = [{ tool = %(tools)s }]
figure = [{ kind = "tools", caption = "Goodput", where = { } }]
"""
DATAGRAMS = """
kind = "datagrams"
title = "Small"
about = "Two links."
seconds = %(seconds)s
seeds = 1
setup = [
  { name = "two", links = "a 4Mbps 10ms; b 4Mbps 20ms" },
  { name = "dynamics", links = "dynamics 6Mbps {seed}" },
]
cells = [{ tool = %(tools)s }]
figure = [{ kind = "tools", caption = "In order", value = "in_order", where = { } }]
"""
OTHER_BYTES = """#!/bin/sh
"%(program)s" "$@" || exit 1
[ "$1" = --version ] || printf x | dd of=got.bin bs=1 seek=100000 conv=notrunc status=none
"""


def available_tools():
    tools = ["dynamic", "static", "curl", "tcp-earliest-delivery", *NEEDED]
    missing = {tool for tool, programs in NEEDED.items() if not all(map(shutil.which, programs))}
    if not pathlib.Path("/proc/sys/net/mptcp").exists():
        missing.add("mptcp")
    print("not there:", ", ".join(sorted(missing)) or "none")
    return [tool for tool in tools if tool not in missing]


class DownloadTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="tributary download ")  # with a blank in its name
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        os.chmod(self.folder, 0o755)

    def evaluate(self, tools, *arguments, seconds=1.5, programs=BIN, text=EXPERIMENT, status=0):
        (self.folder / "experiments").mkdir()
        (self.folder / "experiments/small.toml").write_text(text % {"seconds": seconds, "tools": tools})
        done = subprocess.run([PYTHON, "-B", "-m", "evaluate", "--programs", programs, "--experiments",
                               self.folder / "experiments", "--output", self.folder / "out", *arguments],
                              env=dict(os.environ, PYTHONPATH=str(SOURCE / "server-tools")), capture_output=True, text=True,
                              timeout=100)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def rows(self):
        with open(self.folder / "out/results/small.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_every_program_brings_the_object_within_what_the_links_carry(self):
        tools = available_tools()
        self.evaluate(tools, "--real")
        rows = self.rows()
        self.assertEqual({row["tool"] for row in rows}, set(tools))
        for row in rows:
            with self.subTest(row["cell"]):
                self.assertGreater(float(row["ratio"]), 0)
                self.assertLess(float(row["ratio"]), 1.05)
        ratios = {row["cell"]: float(row["ratio"]) for row in rows}
        for one_link in ("two tool=curl a", "two tool=curl b"):
            self.assertGreater(ratios["two tool=dynamic"], ratios[one_link])
        for row in rows:
            if row["tool"] in ("dynamic", "mptcp", "tcp-earliest-delivery"):
                self.assertGreater(min(float(row[f"links_{number}_share"]) for number in (1, 2)), 0.1, row["cell"])
            if row["tool"] == "mptcp":
                self.assertEqual(row["joined_subflows"], "1")
        report = (self.folder / "out/report-real.html").read_text()
        self.assertTrue("curl -sSf -o got.bin --interface a" in report)
        self.assertFalse("thesis says" in report)

    @only_if_long
    def test_datagrams_are_counted_and_their_order_is(self):
        self.evaluate('["udp-earliest-delivery", "udp-prism", "udp"]', "--real", seconds=4, text=DATAGRAMS)
        rows = self.rows()
        self.assertEqual(len(rows), 2 * 4)  # one link alone is tried for each
        for row in rows:
            with self.subTest(row["cell"]):
                self.assertLess(float(row["ratio"]), 1.1)
                self.assertLessEqual(float(row["in_order"]), 1)
        ratios = {row["cell"]: float(row["ratio"]) for row in rows}
        self.assertGreater(ratios["two tool=udp-earliest-delivery"], ratios["two tool=udp a"])
        page = (self.folder / "out/report-real.html").read_text()
        self.assertIn("iperf3 through the tunnel, prism", page)
        self.assertIn("tributary-relay --key-file relay.key --scheduler prism", " ".join(row["command"] for row in rows))

    def test_other_bytes_are_no_result(self):
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "tributary-netlab").symlink_to((BIN / "tributary-netlab").resolve())
        (programs / "tributary-get").write_text(OTHER_BYTES % {"program": (BIN / "tributary-get").resolve()})
        (programs / "tributary-get").chmod(0o755)
        errors = self.evaluate(["dynamic"], "--real", seconds=0.3, programs=programs, status=1)
        self.assertIn("tributary-get ended well, but its file is not what the server has", errors)
        self.assertFalse((self.folder / "out/results/small.csv").exists())

    def test_links_that_change_are_refused(self):
        changing = EXPERIMENT.replace("b 6Mbps 40ms", "b 6Mbps 40ms, down 1s..2s")
        errors = self.evaluate(["dynamic"], "--real", text=changing, status=2)
        self.assertIn('small: "b 6Mbps 40ms, down 1s..2s": expected', errors)

    def test_without_real_it_says_what_it_needs(self):
        self.assertIn("small compares programs on emulated links: add --real", self.evaluate(["dynamic"], status=2))


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import matplotlib, numpy, tqdm"], capture_output=True).returncode != 0:
        print("skipped: python3-jinja2, python3-matplotlib, python3-numpy or python3-tqdm is missing")
        sys.exit(SKIPPED)
    main()
