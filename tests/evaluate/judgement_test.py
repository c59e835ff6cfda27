#!/usr/bin/python3
"""Intervals and marks, from rows made up here.

Usage: judgement_test.py SOURCE_DIR. Ends with 77, which ctest counts as skipped, without numpy.
"""
import pathlib
import re
import sys
import unittest

SKIPPED = 77
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "server-tools"))
try:
    from evaluate import cells, communities, experiments, headline, marks, schedulers, splitter_marks, statistics, tables, tools, tunnel
    from evaluate.experiments import Experiment
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(SKIPPED)


def row(setup, scheduler, level, seed=1, links=2, mode="live_buffered", buffer=2, misses=0, super_share=0.5):
    made = {"setup": setup, "scheduler": scheduler, "mean_level": str(level), "seed": str(seed), "mode": mode,
            "buffer_segments": str(buffer), "misses": str(misses), "miss_max_s": str(misses / 10),
            "abr": "planned" if scheduler == "balanced" else "thesis",
            "share_q3": str(super_share), "segments_skipped": "0"}
    for number in range(1, links + 1):
        made |= {f"links_{number}_name": f"link{number}", f"links_{number}_share": str(1 / links)}
    return made


def judged(name, rows, alone=None):
    """The marks by number; of those with number 3, the second is (3, 2)."""
    found = marks.judge({name: Experiment(name, "", "", (), (), alone or {})}, {name: rows})
    return {(mark.number, [other.number for other in found[:i]].count(mark.number) + 1): mark for i, mark in enumerate(found)}


class CommunityTest(unittest.TestCase):
    def test_links_that_change_are_written_out_each_in_its_own_part_of_the_cycle(self):
        setup = {"link": "20kbps 20ms", "count": 3, "cycle": [[1, 100], [10, 50]], "shift": 50}
        links = [link.split(", ")[1:4] for link in communities.scenario_of(setup).split("; ")]
        self.assertEqual(links, [["loss 1%", "at 100s loss 10%", "at 150s loss 1%"], ["loss 1%", "at 50s loss 10%", "at 100s loss 1%"],
                                 ["loss 10%", "at 50s loss 1%", "at 150s loss 10%"]])

    def test_the_last_links_are_the_transient_ones(self):
        setup = {"link": "1Mbps 20ms", "count": 2, "transient": 1, "up": 5, "period": 20}
        steady, transient = communities.scenario_of(setup).split("; ")
        self.assertEqual(steady, "m0 1Mbps 20ms")
        self.assertTrue(transient.startswith("m1 1Mbps 20ms, down 5s..20s, down 25s..40s, "))
        self.assertEqual(communities.scenario_of(setup | {"up": 20}), "m0 1Mbps 20ms; m1 1Mbps 20ms")

    def test_a_table_has_the_papers_numbers_beside_ours_and_none_where_it_errs(self):
        rows = [{"setup": "two, changing to 10 %", "scheduler": "layer-priority-whole", "seed": str(seed), "streams_2_loss_percent": str(loss)}
                for seed, loss in ((1, 9.9), (2, 10.1))]
        (table,) = communities.tables(rows)
        self.assertEqual((table["number"], [line["name"] for line in table["lines"]]), ("IX", ["Layer 1"]))
        ours, paper = table["lines"][0]["cells"][3]
        self.assertAlmostEqual(ours.mean, 10)
        self.assertIsNone(paper)
        rows = [row | {"setup": "two, changing to 5 %"} for row in rows]
        self.assertEqual(communities.tables(rows)[0]["lines"][0]["cells"][3][1], 4.97)

    def test_members_have_machines_of_their_own_and_a_tunnel_without_order(self):
        self.assertTrue(all(cell.members for name in ("members", "members-download") for cell in experiments.read(name, real=True).cells))
        self.assertFalse(any(cell.members for cell in experiments.read("datagrams", real=True).cells))
        self.assertEqual(tunnel.options_of(tools.TOOLS["mc2-udp-random"]), ["--scheduler", "random", "--resequencer", "none"])
        self.assertEqual(tunnel.options_of(tools.TOOLS["udp-prism"]), ["--scheduler", "prism", "--resequencer", "thesis"])
        self.assertEqual(tunnel.options_of(tools.TOOLS["udp-wrr"]), ["--scheduler", "wrr"])

    def test_every_line_of_the_paper_is_of_a_setup_of_the_experiment(self):
        cells = experiments.read("community").cells
        ran = {(cell.setup, cell.scheduler) for cell in cells}
        for table in communities.PAPER["table"]:
            for line in table["lines"]:
                self.assertLessEqual(len(line["paper"]), len(table["schedulers"]))
                for scheduler in table["schedulers"]:
                    self.assertIn((line["setup"], scheduler), ran)


class HeadlineTest(unittest.TestCase):
    def told(self, rows, alone=("wifi", "lte"), **others):
        experiments = {"small": Experiment("small", "Small", "", (), (), {"both": alone})}
        return headline.headline(experiments, {"small": rows} | others)

    def session(self, setup, scheduler, level, still, links=2):
        return row(setup, scheduler, level, links=links) | {"miss_total_s": str(still), "share_q0": "0"}

    def test_without_runs_it_says_nothing(self):
        self.assertEqual(self.told([]), {"sentences": [], "svg": None})

    def test_the_best_link_alone_and_the_thesis_are_the_rivals(self):
        rows = [self.session("both", "balanced", 2.5, 0.5), self.session("both", "dynamic", 2.75, 1.5),
                self.session("wifi", "balanced", 1.25, 3, links=1), self.session("lte", "balanced", 1, 9, links=1)]
        told = self.told(rows)
        self.assertEqual([*map(self.figures, told["sentences"])], [["2.50", "0", "1", "1.25", "1", "1"], ["0.5", "3.0"], ["2.75", "1.5", "0", "1"]])
        self.assertIn("<svg", told["svg"])

    def test_the_best_of_other_rules_and_programs_is_named(self):
        rules = [{"rule": rule, "start": start, "qoe": str(value), "seed": "1"} for rule, start, value in
                 [("planned", "fast", 200), ("bba", "fast", 150), ("bola", "fast", 210), ("bba, plan's forecast", "fast", 300),
                  ("thesis", "fast", 400), ("bba", "thesis", 900)]]
        tools = [{"tool": tool, "ratio": str(value), "seed": "1", "link": ""} for tool, value in
                 [("balanced", 0.96), ("static", 0.99), ("aria2c", 0.7), ("mptcp", 0.9), ("curl", 0.98)]]
        rule, program = self.told([], forecast=rules, download=tools)["sentences"]
        self.assertRegex(rule, "200; the best of 2 rules of other players, bola, to 210")
        self.assertRegex(program, "0.96 .* curl over MPTCP, brings it at 0.90")

    @staticmethod
    def figures(sentence):
        return re.findall(r"[0-9.]*[0-9]", sentence)


class StartTest(unittest.TestCase):
    def test_a_cell_says_how_playout_begins(self):
        self.assertEqual(cells.options_of("x", {"start": "played", "buffer": 2}), {"--startup": "1", "--start": "fast", "--buffer": "2"})
        self.assertEqual(cells.options_of("x", {"scheduler": "balanced, as played"}),
                         {"--subsegments": "balanced", "--startup": "1", "--start": "fast"})
        with self.assertRaisesRegex(cells.ExperimentError, "\"later\" is no start: played; thesis"):
            cells.options_of("x", {"start": "later"})

    def test_a_row_tells_with_which_start_our_scheduler_ran(self):
        row = {"subsegment": "balanced", "duplicates_percent": "5", "without": "", "timing": "ours"}
        self.assertEqual(schedulers.scheduler_of(row | {"start": "fast"}), "balanced, as played")
        self.assertEqual(schedulers.scheduler_of(row | {"start": "thesis"}), "balanced")


class RatesTest(unittest.TestCase):
    def row(self, tool, link, seed, kbit_s):
        return {"setup": "dynamics", "tool": tool, "link": link, "seed": str(seed), "goodput_kbit_s": str(kbit_s),
                "in_order_kbit_s": str(kbit_s / 2)}

    def test_several_links_stand_beside_the_link_with_most(self):
        rows = [self.row("udp-prism", "", seed, 7000 + seed) for seed in (10, 30)]
        rows += [self.row("udp", link, 1, kbit_s) for link, kbit_s in (("link1", 4500), ("link2", 5250))]
        came, in_order = tables.rates({"datagrams": rows})
        self.assertEqual((came["cells"], came["thesis"]), (["7.02", "–", "5.25"], "6.92 and 4.72"))
        self.assertEqual(in_order["cells"], ["3.51", "–", "2.62"])

    def test_without_runs_there_are_none(self):
        self.assertEqual(tables.rates({}), [])


class SplitterTest(unittest.TestCase):
    def rows(self, sender, one, **gains):
        """gains: round_robin={setup: goodput}, as the experiment's rows have it."""
        rows = [("round-robin", "1 link", one)]
        rows += [(processor.replace("_", "-"), setup, goodput) for processor, of in gains.items() for setup, goodput in of.items()]
        return [{"sender": sender, "processor": processor, "setup": setup, "goodput_mbit_s": str(goodput), "seed": "1"}
                for processor, setup, goodput in rows]

    def passed(self, rows):
        return [mark.passed for mark in splitter_marks.judge_splitter(rows)]

    def test_goodput_is_held_against_that_of_one_link(self):
        old = self.rows("old", 2, round_robin={"2 links, 0 ms": 4, "2 links, 40 ms": 1.9, "3 links, 40 ms": 1},
                        dupack_filter={"2 links, 0 ms": 3.6, "2 links, 40 ms": 3.6, "3 links, 40 ms": 4.6})
        self.assertEqual(self.passed(old), [True, True, True, None])
        self.assertEqual(self.passed(old + self.rows("old", 2, dupack_filter={"2 links, 80 ms": 3.4})), [True, False, True, None])
        self.assertEqual(self.passed(old + self.rows("old", 2, round_robin={"3 links, 80 ms": 2.1})), [False, True, True, None])

    def test_linux_today_is_held_against_links_in_turn(self):
        today = self.rows("today", 2, round_robin={"2 links, 0 ms": 4}, dupack_filter={"2 links, 0 ms": 3.7})
        self.assertEqual(self.passed(today), [None, None, None, True])
        self.assertFalse(self.passed(today + self.rows("today", 2, round_robin={"3 links, 0 ms": 4}, dupack_filter={"3 links, 0 ms": 3.5}))[3])

    def test_without_runs_there_are_none(self):
        self.assertEqual(splitter_marks.judge_splitter([]), [])

    def test_the_round_trips_are_those_of_the_table(self):
        cells = {cell.setup: cell for cell in experiments.read("splitter", real=True).cells}
        self.assertEqual(list(cells["3 links, 160 ms"].round_trips.values()), [40, 200, 360])
        self.assertEqual(list(cells["2 links, 0 ms"].round_trips.values()), [40, 40])

    def test_virtual_time_has_the_old_sender_only(self):
        self.assertEqual({cell.sender for cell in experiments.read("splitter").cells}, {"old"})
        self.assertEqual({cell.sender for cell in experiments.read("splitter", real=True).cells}, {"old", "today"})


class StatisticsTest(unittest.TestCase):
    def test_an_interval_holds_the_mean_and_shrinks_with_seeds(self):
        self.assertIsNone(statistics.estimate([]))
        one = statistics.estimate([2.0])
        self.assertEqual((one.mean, one.low, one.high), (2, 2, 2))
        few, many = statistics.estimate([1, 2, 3]), statistics.estimate([1, 2, 3] * 20)
        for found in (few, many):
            self.assertLess(found.low, 2)
            self.assertGreater(found.high, 2)
        self.assertLess(many.high - many.low, (few.high - few.low) / 2)

    def test_runs_of_one_seed_count_once(self):
        rows = [row("a", "static", 1, seed=1), row("b", "static", 3, seed=1), row("a", "static", 5, seed=2)]
        found = statistics.mean_of(rows, "mean_level")
        self.assertEqual((found.mean, found.seeds), (3.5, 2))

    def test_differences_are_taken_seed_by_seed(self):
        rows = [row("a", "static", level, seed) for seed, level in enumerate((1, 2, 3, 9))]
        others = [row("a", "dynamic", level, seed) for seed, level in enumerate((0, 1, 2))]
        found = statistics.difference_of(rows, others, "mean_level")
        self.assertEqual((found.mean, found.low, found.high, found.seeds), (1, 1, 1, 3))


class MarksTest(unittest.TestCase):
    def test_without_runs_nothing_is_claimed(self):
        self.assertEqual({mark.passed for mark in judged("dynamics", []).values()}, {None})

    def test_dynamic_against_static(self):
        for dynamic, passed in ((2.1, True), (1.99, True), (1.9, False)):
            mark = judged("x", [row("both", "static", 2), row("both", "dynamic", dynamic)])[1, 1]
            self.assertEqual(mark.passed, passed, mark.found)

    def test_each_reading_of_the_thesis_is_judged(self):
        found = judged("x", [row("both", "static", 2), row("both", "dynamic", 2.1), row("both", "static, from the turn", 2),
                             row("both", "dynamic, from the turn", 1.9), row("both", "dynamic, ours", 1)])
        self.assertEqual([found[1, i].passed for i in (1, 2)], [True, False])
        self.assertIn("Dynamic, from the turn", found[1, 2].claim)

    def test_quality_that_was_bought_with_misses_is_no_advantage(self):
        mark = judged("x", [row("both", "static", 2, misses=3), row("both", "dynamic", 1.5, misses=1)])[1, 1]
        self.assertTrue(mark.passed)
        self.assertIn("below in 1 of 1", mark.found)
        self.assertIn("missed deadlines a run: static 3.0, dynamic 1.0", mark.found)
        self.assertFalse(judged("x", [row("both", "static", 2, misses=1), row("both", "dynamic", 1.5, misses=1)])[1, 1].passed)

    def test_super_is_flat(self):
        for last, passed in ((0.54, True), (0.56, False)):
            rows = [row(ratio, "dynamic", 2, super_share=share) for ratio, share in zip(marks.RATIOS, (0.5, 0.5, 0.5, last))]
            self.assertEqual(judged("bandwidth", rows)[2, 1].passed, passed)

    def test_static_needs_a_buffer(self):
        rows = [row("80:20", "static", level, buffer=buffer) for buffer, level in ((2, 1.5), (4, 2.2), (6, 1.9))]
        rows += [row("80:0", "static", 2, links=1, buffer=buffer) for buffer in (2, 4, 6)]
        found = judged("bandwidth", rows)
        self.assertTrue(found[3, 1].passed)
        self.assertFalse(found[3, 2].passed, "6 segments are not enough here")

    def test_static_against_the_single_link_is_told_in_every_sense(self):
        rows = [row("80:20", "static", 2.5, super_share=0.3, misses=4) | {"qoe_lin": "150"},
                row("80:0", "static", 2, links=1, super_share=0.5) | {"qoe_lin": "20"}]
        found = judged("bandwidth", rows)[3, 1]
        self.assertFalse(found.passed, "its mean level is above")
        self.assertIn("mean level +0.50", found.found)
        self.assertIn("super, percentage points -20", found.found)
        self.assertIn("missed deadlines a run +4.0", found.found)
        self.assertIn("QoE_lin +130", found.found)

    def test_what_that_means_is_said_plainly(self):
        rows = [row("80:20", "static", 2.5, super_share=0.3, misses=4) | {"switches": "40"},
                row("80:0", "static", 2, links=1, super_share=0.5) | {"switches": "96"}]
        found = judged("bandwidth", rows)[3, 1].found
        self.assertIn("The two links are better in mean level, switches, and worse in super, missed deadlines", found)
        self.assertIn("The faster link alone changes its quality 96 times in a run, the two links 40 times", found)
        rows[0] |= {"mean_level": "1.5", "switches": "99"}
        self.assertNotIn("better", judged("bandwidth", rows)[3, 1].found, "all points to one side")

    def test_misses_of_single_links_do_not_count(self):
        rows = [row("link1", "static", 2, links=1, buffer=6, misses=9), row("both", "static", 2, buffer=6)]
        self.assertTrue(judged("dynamics", rows)[4, 1].passed)
        rows.append(row("both", "dynamic", 2, buffer=6, misses=1))
        self.assertFalse(judged("dynamics", rows)[4, 1].passed)

    def test_the_best_single_link_counts(self):
        alone = {"both": ("link1", "link2")}
        rows = [row("both", "dynamic", 2), row("link1", "dynamic", 1, links=1), row("link2", "dynamic", 1.5, links=1)]
        self.assertTrue(judged("x", rows, alone)[5, 1].passed)
        rows[-1] = row("link2", "dynamic", 2.5, links=1)
        self.assertFalse(judged("x", rows, alone)[5, 1].passed)

    def test_money_is_spared(self):
        def paid(setup, bill, least, used=0.99, possible=50, misses=0):
            return {"setup": setup, "abr": "fixed:5Mbps", "seed": "1", "misses": str(misses), "miss_total_s": str(misses),
                    "bill_bytes": str(bill), "bill_least_bytes": str(least), "bill_possible_bytes": str(possible),
                    "bytes_total": "1000", "bill_free_utilisation": str(used)}

        for rows, passed in (([paid("free 3", 104, 100)], [True, True, True]),
                             ([paid("free 3", 106, 100, misses=1)], [False, False, True]),
                             ([paid("free 3", 100, 100, used=0.96)], [True, True, False]),
                             ([paid("free 6", 0, 0, used=0.5)], [True, True, True]),
                             ([paid("free 6", 20, 0, used=0.5)], [True, False, True]),
                             ([paid("varies", 52, 10, used=0.5)], [True, True, True]),
                             ([paid("free 3", 104, 100, used="", possible="")], [True, True, None])):  # real links
            found = judged("cost", rows)
            self.assertEqual([found[8, i].passed for i in (1, 2, 3)], passed, rows)
        found = judged("cost", [paid("free 3", 104, 100), paid("free 6", 20, 0, used=0.5), paid("free 6", 0, 0, used=0.5)])[8, 2].found
        self.assertNotIn("inf", found)
        self.assertIn("mean 1.040 of the minimum, the highest 1.040 (free 3, 5Mbps, seed 1), above in 0 of 1 runs", found)
        self.assertIn("where nothing has to be, 2.00% of all bytes were in 1 of 2 runs, at most 2.00% (free 6, 5Mbps, seed 1)", found)
        self.assertIn("beyond the minimum: 0.80% of all bytes on average, at most 2.00%", found)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
