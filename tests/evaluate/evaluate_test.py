#!/usr/bin/python3
"""Runs a small experiment from end to end, with programs that count how often they are started.

Usage: evaluate_test.py BIN_DIR SOURCE_DIR. Ends with 77, which ctest counts as skipped, without the packages needed.
"""
import csv
import html
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

SKIPPED = 77
BIN = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
RUNS = 8  # two seeds, two setups, two schedulers

EXPERIMENT = """
title = "Small"
about = "A link, and two <links>."
presentation = "thesis:{seed}"
segments = 10
seeds = 2
quick = { seeds = 1, keep = { setup = ["two"] } }
series = true
setup = [
  { name = "one", links = "a 3Mbps 20ms" },
  { name = "two", links = "a 3Mbps 20ms; b 2Mbps 60ms", alone = ["one"] },
]
cells = [{ mode = ["live-buffered"], scheduler = ["static", "dynamic"], buffer = [2] }]
"""
SPLITTER = """
kind = "splitter"
title = "Small splitter"
about = "Two links for one connection."
seconds = 5
seeds = 1
setup = [
  { name = "1 link", links = "a 4Mbps 20ms" },
  { name = "2 links, 40 ms", links = "a 4Mbps 20ms; b 4Mbps 100ms" },
]
cells = [{ processor = ["round-robin", "dupack-filter"], sender = ["old", "today"] }]

[[figure]]
kind = "tools"
caption = "One connection"
value = "goodput_mbit_s"
unit = "Mbit/s"
top = 8
where = { }
"""
COMMUNITY = """
kind = "community"
title = "Small"
about = "Two links."
seeds = 1
setup = [{ name = "two, static", x = 2, link = "20kbps 20ms", losses = [1, 5], traffic = "stream 15kbps, stream 15kbps, stream 15kbps, packet 250B, for 500s" }]
cells = [{ scheduler = ["layer-priority-whole"], told = ["2s"] }]
figure = [{ kind = "curve", caption = "Loss", where = {}, values = { streams_1_loss_percent = "base", streams_2_loss_percent = "layer" }, axis = "links", unit = "%" }]
"""
FIGURES = ["quality", "bars", "shares", "goodput", "throughput", "links", "differences"]
FIGURE = """
[[figure]]
kind = "%s"
caption = "The %s"
where = { seed = 1 }
value = "lag_max_s"
unit = "seconds"
ideal_kbit_s = 5000
column = "setup"
reference = "one"
reference_name = "one link"
"""
COUNTING = """#!/bin/sh
[ "$1" = --batch ] || exec "%(program)s" "$@"
while read -r run; do
  echo "$run" >> "%(calls)s"
  sleep %(delay)s
  case "$run" in *'%(deadly)s'*) echo "out of luck" >&2; exit;; esac
  printf '%%s\\n' "$run"
done | "%(program)s" --batch
"""


class EvaluateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = tempfile.TemporaryDirectory(prefix="tributary content ")  # made once for all tests
        cls.addClassCleanup(cls.content.cleanup)

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="tributary evaluate ")  # with a blank in its name
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.out = self.folder / "out"
        self.out.mkdir()
        (self.out / "content").symlink_to(self.content.name)
        self.calls = self.folder / "calls"
        (self.folder / "bin").mkdir()
        for program in ("tributary-segment", "tributary-sequential", "tributary-splitter"):
            (self.folder / "bin" / program).symlink_to(BIN / program)
        self.write_bench(delay=0)
        self.write_experiment("small", EXPERIMENT)

    def write_bench(self, delay, deadly="never"):
        """delay: before each run; deadly: what is in the command line of a run at which the program ends."""
        bench = self.folder / "bin/tributary-bench"
        bench.write_text(COUNTING % {"calls": self.calls, "delay": delay, "deadly": deadly,
                                     "program": BIN / "tributary-bench"})
        bench.chmod(0o755)

    def write_experiment(self, name, text):
        folder = self.folder / "experiments"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.toml").write_text(text)

    def start(self, *arguments):
        environment = dict(os.environ, PYTHONPATH=str(SOURCE / "server-tools"))
        return subprocess.Popen(["/usr/bin/python3", "-B", "-m", "evaluate", "--programs", self.folder / "bin", "--experiments",
                                 self.folder / "experiments", "--output", self.out, *arguments], env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def evaluate(self, *arguments, status=0):
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, errors)
        return output, errors

    def sessions(self):
        """How many the bench was started for since the last question."""
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.write_text("")
        return sum("--simulate" in call for call in calls)

    def rows(self, name="small"):
        with open(self.out / "results" / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def report(self):
        return (self.out / "report.html").read_text()

    def test_rows_are_what_the_bench_says(self):
        self.evaluate("small")
        self.assertEqual(self.sessions(), RUNS)
        rows = self.rows()
        self.assertEqual({(row["setup"], row["scheduler"], row["seed"]) for row in rows},
                         {(setup, scheduler, seed) for setup in ("one", "two") for scheduler in ("static", "dynamic")
                          for seed in ("1", "2")})
        for row in rows[:2]:
            words = shlex.split(row["command"])
            summary = self.folder / "summary.json"
            subprocess.run([BIN / words[0], *words[1:], "-q", "--output", summary], cwd=self.out, check=True)
            again = json.loads(summary.read_text())
            for column in ("throughput_kbit_s", "mean_level", "share_q3", "lag_max_s", "bytes_total", "mode"):
                self.assertEqual(row[column], str(again[column]), column)
            self.assertEqual(row["links_1_bytes"], str(again["links"][0]["bytes"]))

    def test_a_community_is_modelled_and_stands_beside_the_paper(self):
        self.write_experiment("community", COMMUNITY)
        self.evaluate("community")
        (row,) = self.rows("community")
        self.assertAlmostEqual(float(row["streams_1_loss_percent"]), 1, delta=0.5)
        self.assertAlmostEqual(float(row["streams_2_loss_percent"]), 5, delta=1)
        self.assertGreater(float(row["streams_3_loss_percent"]), 99.9)  # until rates are known, a packet may go
        self.assertEqual((row["scheduler"], row["told_s"]), ("layer-priority-whole", "2"))
        self.assertIn("Table VII: Three layers", self.report())
        self.assertIn("<span class=thesis>5.15</span>", self.report())
        self.assertIn("<svg", self.report())
        _, errors = self.evaluate("community", "--real", status=2)
        self.assertIn("community is modelled in virtual time: leave out --real", errors)

    def test_a_second_run_runs_nothing_and_an_interrupted_one_goes_on(self):
        self.evaluate("small")
        rows = self.rows()
        self.sessions()
        self.evaluate("small")
        self.assertEqual(self.sessions(), 0)
        self.assertEqual(self.rows(), rows)

        results = self.out / "results/small.csv"
        lines = results.read_text().splitlines(keepends=True)
        results.write_text("".join(lines[:-2]) + lines[-2][:20])  # it ended while it wrote the last but one
        self.evaluate("small")
        self.assertEqual(self.sessions(), 2)
        self.assertCountEqual([row["command"] for row in self.rows()], [row["command"] for row in rows])

    def test_the_longest_misses_are_explained(self):
        patient = EXPERIMENT.replace("buffer = [2]", 'buffer = [1], without = ["rescue"]')
        outage = patient.replace('b 2Mbps 60ms"', 'b 2Mbps 60ms, at 6s 0Mbps"')
        self.write_experiment("outage", outage)
        self.evaluate("outage")
        rows = [row for row in self.rows("outage") if row["misses"] != "0"]
        self.assertTrue(rows)
        for row in rows:
            self.assertIn(f"{float(row['miss_max_s']):.3f} s late", row["worst_miss"])
        worst = max((row for row in rows if row["setup"] == "two"), key=lambda row: float(row["miss_max_s"]))
        self.assertIn("(stalled)", worst["worst_miss"])
        self.assertIn(f"{len(rows)} of {RUNS} runs missed a deadline", self.report())
        self.assertIn(html.escape(worst["worst_miss"]), self.report())

    def test_ctrl_c(self):
        self.write_bench(delay=0.4)
        process = self.start("small")
        give_up = time.monotonic() + 30
        while not (self.out / "results/small.csv").exists() and time.monotonic() < give_up:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, errors)
        done = len(self.rows())
        self.assertIn(done, range(1, RUNS))
        self.sessions()
        self.evaluate("small")
        self.assertEqual(self.sessions(), RUNS - done)
        self.assertEqual(len(self.rows()), RUNS)

    def test_the_report_has_every_figure_and_needs_nothing_else(self):
        self.write_experiment("small", EXPERIMENT + "".join(FIGURE % (kind, kind) for kind in FIGURES))
        self.evaluate("small")
        report = self.report()
        for number, kind in enumerate(FIGURES, 1):
            figure = re.search(rf"<figure id=small-{number}>.*?</figure>", report, re.DOTALL).group()
            self.assertIn(f"The {kind}", figure)
            self.assertIn("./run evaluate small", figure)
            picture = xml.etree.ElementTree.fromstring(re.search(r"<svg.*</svg>", figure, re.DOTALL).group())
            self.assertGreater(len(list(picture.iter("{http://www.w3.org/2000/svg}path"))), 5)
        self.assertIn("A link, and two &lt;links&gt;.", report)
        self.assertIn("currentColor", report)
        self.assertNotRegex(report, r'(src=|<link|url\(http|href="http)')

    def test_a_connection_through_the_splitter_in_virtual_time(self):
        self.write_experiment("splitter", SPLITTER)
        self.evaluate("splitter")
        rows = {(row["setup"], row["processor"], row["sender"]): float(row["goodput_mbit_s"]) for row in self.rows("splitter")}
        self.assertEqual(set(rows), {(setup, processor, "old") for setup in ("1 link", "2 links, 40 ms") for processor in ("round-robin", "dupack-filter")})
        self.assertLess(rows["2 links, 40 ms", "round-robin", "old"], rows["1 link", "round-robin", "old"])
        report = self.report()
        self.assertIn("<b>(1) holds</b> A sender of 2011, links in turn", report)
        self.assertRegex(report, r"<figure id=splitter-1>(?s:.*?)tributary-splitter --simulate")

    def test_a_cell_that_fails_is_named_and_not_counted(self):
        self.write_experiment("broken", EXPERIMENT.replace("b 2Mbps 60ms", "b fast 60ms"))
        _, errors = self.evaluate("broken", status=1)
        self.assertEqual({row["setup"] for row in self.rows("broken")}, {"one"})
        self.assertEqual(errors.count("failed: broken: two"), RUNS / 2)
        self.assertIn('"fast"', errors)
        self.assertIn(f"{RUNS // 2} runs over modelled links", self.report())
        self.assertIn('"fast"', html.unescape(self.report()))
        self.sessions()
        self.evaluate("broken", status=1)  # tries only these again
        self.assertEqual(self.sessions(), RUNS / 2)

    def test_a_program_that_dies_takes_one_run_with_it(self):
        self.write_bench(delay=0, deadly="--subsegments static".replace(" ", '", "'))
        _, errors = self.evaluate("small", status=1)
        self.assertEqual(errors.count("out of luck"), RUNS / 2)
        self.assertEqual({row["scheduler"] for row in self.rows()}, {"dynamic"})
        self.assertEqual(len(self.rows()), RUNS / 2)

    def test_the_speed_of_virtual_time_is_said(self):
        output, _ = self.evaluate("small")
        self.assertGreater(float(re.search(r"^speed: +(\d+) s of virtual time", output, re.MULTILINE)[1]), 1)
        output, _ = self.evaluate("small")
        self.assertNotIn("speed:", output)  # nothing was run

    def test_quick_is_less_and_does_not_report_what_a_full_run_left(self):
        self.evaluate("small")
        self.sessions()
        self.write_experiment("small", EXPERIMENT + FIGURE % ("bars", "bars"))
        self.evaluate("--quick", "small")
        self.assertEqual(self.sessions(), 0)
        self.assertIn("2 runs over modelled links", self.report())
        self.assertIn("./run evaluate --quick small", self.report())

    def test_recorded_pairs_take_turns_and_have_tables_of_their_own(self):
        wireless = EXPERIMENT.replace('links = "a 3Mbps 20ms; b 2Mbps 60ms", alone = ["one"]',
                                      'links = "wlan - 30ms, trace {wlan}; hsdpa - 220ms, trace {hsdpa}"')
        self.write_experiment("wireless", wireless.replace('"two"', '"both"').replace("live-buffered", "ondemand"))
        traces = self.folder / "traces of mine"
        traces.mkdir()
        for name in ("w1", "h1", "w2", "h2"):
            (traces / f"{name}.csv").write_text("time_s,kbit_s\n0,1000\n5,2000\n10,0\n")
        lines = ["scenario,link,file,scale", "wlan+hsdpa:1,0,w1.csv,1", "wlan+hsdpa:1,1,h1.csv,1", "sbu:1,0,none.csv,1",
                 "wlan+hsdpa:2,1,h2.csv,1", "wlan+hsdpa:2,0,w2.csv,1"]
        (traces / "scenarios.csv").write_text("\n".join(lines) + "\n")
        self.evaluate("wireless", "--trace-pairs", str(traces))
        scenarios = {row["seed"]: shlex.split(row["command"])[3] for row in self.rows("wireless-recorded") if row["setup"] == "both"}
        self.assertEqual(scenarios, {
            "1": "wlan - 30ms, trace traces/wlan-w1-1.csv; hsdpa - 220ms, trace traces/hsdpa-h1-1.csv",
            "2": "wlan - 30ms, trace traces/wlan-w2-2.csv; hsdpa - 220ms, trace traces/hsdpa-h2-2.csv"})
        self.assertIn("Table 4.7: WLAN and HSDPA, on demand, three segments, as recorded", self.report())
        (traces / "scenarios.csv").write_text(lines[0] + "\n")
        _, errors = self.evaluate("wireless", "--trace-pairs", str(traces), status=2)
        self.assertIn("no scenario is named wlan+hsdpa", errors)

    def test_rules_are_held_against_figures_of_sabre(self):
        (self.folder / "movie.json").write_text(json.dumps(
            {"segment_duration_ms": 2000, "bitrates_kbps": [1000], "segment_sizes_bits": [[2000000]] * 4}))
        (self.folder / "report.1.json").write_text(json.dumps([{"duration_ms": 3600000, "bandwidth_kbps": 800, "latency_ms": 100}]))
        # Each segment takes 2.6 s, and two are played meanwhile: 8 s in 2.6 + 8 + 3 * 0.6 s.
        figures = {"trace": "report.1.json", "movie": "movie", "abr": "bola", "max_buffer_s": "25", "no_abandon": "1",
                   "time_average_played_bitrate": str(1000 * 8 / 12.4), "total_rebuffer": "1.8", "total_rebuffer_events": "3.0"}
        for changed, status in (({}, 0), ({"time_average_played_bitrate": "650"}, 1), ({"total_rebuffer": "1.6"}, 1),
                                ({"total_rebuffer_events": "4.0"}, 1), ({"abr": "bolae"}, 2)):
            with open(self.folder / "sabre.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, figures)
                writer.writeheader()
                writer.writerow(figures | changed)
            output, _ = self.evaluate("--against-sabre", str(self.folder / "sabre.csv"), "--traces", str(self.folder), "--movies",
                                      str(self.folder), status=status)
            self.assertEqual("differs" in output, status == 1, output)

    def test_what_sabre_gives_up_our_rules_give_up(self):
        (self.folder / "movie.json").write_text(json.dumps(
            {"segment_duration_ms": 2000, "bitrates_kbps": [1000, 4000], "segment_sizes_bits": [[2000000, 8000000]] * 4}))
        (self.folder / "report.1.json").write_text(json.dumps([
            {"duration_ms": 400, "bandwidth_kbps": 8000, "latency_ms": 100},
            {"duration_ms": 3600000, "bandwidth_kbps": 1000, "latency_ms": 100}]))
        # The second segment is asked for in the high quality at 0.35 s, and takes 8.1 s. Or it is given up after 0.512 s, once more
        # after as much (the averages still promise a lot), and then takes 2.1 s in the low one. The others take 2.1 s.
        columns = ("trace", "movie", "abr", "max_buffer_s", "no_abandon", "time_average_played_bitrate", "total_rebuffer",
                   "total_rebuffer_events")
        rows = [("report.1.json", "movie", "throughput", "25", "1", str(1000 * 14 / 14.65), "6.3", "3.0"),
                ("report.1.json", "movie", "throughput", "25", "0", str(1000 * 8 / 9.674), "1.324", "3.0")]
        with open(self.folder / "sabre.csv", "w", newline="") as file:
            csv.writer(file).writerows([columns, *rows])
        output, _ = self.evaluate("--against-sabre", str(self.folder / "sabre.csv"), "--traces", str(self.folder), "--movies",
                                  str(self.folder))
        self.assertIn("without abandonment: 1 of 1 agree", output)
        self.assertIn("with abandonment: 1 of 1 agree", output)

    def test_what_is_wrong_is_named(self):
        _, errors = self.evaluate("nothing", status=2)
        self.assertIn("small", errors)
        self.write_experiment("odd", EXPERIMENT.replace("buffer = [2]", "bufer = [2]"))
        _, errors = self.evaluate("odd", status=2)
        self.assertIn("bufer", errors)
        output, _ = self.evaluate("--list", "small")
        self.assertRegex(output, rf"small +{RUNS} runs +Small")


if __name__ == "__main__":
    found = subprocess.run(["/usr/bin/python3", "-c", "import matplotlib, numpy, tqdm"], capture_output=True, text=True)
    if found.returncode != 0:
        print(f"skipped: {found.stderr.strip().splitlines()[-1]}")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
