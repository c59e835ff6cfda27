"""What ./run demo tells of its runs. Usage: gain_test.py SOURCE_DIR"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])
GAIN = SOURCE / "server-tools/demo/gain.py"
SECONDS = 4  # of a run: two segments of 2 s


def write_csv(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)


def write_run(folder, links, bit_rate, late=0.0):
    """Each link carries its rate in kbit/s all the time; the second segment begins to play `late` seconds after it is due."""
    folder.mkdir()
    figures = {"mean_bitrate_kbit_s": bit_rate, "share_q0": 0.75, "share_q1": 0.25, "startup_s": 0.5, "miss_total_s": late}
    (folder / "summary.json").write_text(json.dumps(figures))
    write_csv(folder / "segments.csv", ["bitrate_kbit_s", "due_s", "play_s"], [[bit_rate, "", 0.5], [bit_rate, 2.5, 2.5 + late]])
    write_csv(folder / "links.csv", ["time_s", "link", "goodput_kbit_s"],
              [[half / 2, link, rate] for half in range(1, 2 * SECONDS + 1) for link, rate in links.items()])


def told(both_late=0.0):
    with tempfile.TemporaryDirectory() as folder:
        runs = pathlib.Path(folder)
        write_run(runs / "wifi", {"wifi_alone": 2000}, 1000, late=1.5)
        write_run(runs / "lte", {"lte_alone": 1000}, 800)
        write_run(runs / "both", {"lte": 1000, "wifi": 0}, 1500, late=both_late)
        return subprocess.run([sys.executable, "-B", GAIN, runs], check=True, capture_output=True, text=True).stdout.splitlines()


class Gain(unittest.TestCase):
    def test_a_table_has_each_link_alone_and_both(self):
        lines = [line.split() for line in told()]
        self.assertIn("wifi alone 1.00 Mbit/s 25 % 0.5 s 1.5 s".split(), lines)
        self.assertIn("lte alone 0.80 Mbit/s 25 % 0.5 s 0.0 s".split(), lines)
        self.assertIn("both 1.50 Mbit/s 25 % 0.5 s 0.0 s".split(), lines)

    def test_the_gain_is_that_over_the_better_link(self):
        self.assertIn("Both links together: 1.5 times the bit rate of wifi alone, and 0.0 s of standstill instead of 1.5 s.", told())
        self.assertIn("Both links together: 1.5 times the bit rate of wifi alone, and 0.2 s of standstill instead of 1.5 s.",
                      told(both_late=0.2))

    def test_bars_are_as_high_as_what_links_carried(self):
        lines = told()
        bars = {line[14:20].strip(): line[20:] for line in lines if line.startswith("  both") or line.startswith(" " * 14 + "lte")}
        self.assertEqual(bars["lte"], "▄" * 8)
        self.assertEqual(bars["wifi"], "", "a link that carried nothing has an empty line")
        self.assertIn("  wifi alone  wifi  " + "█" * 8, lines)

    def test_a_standstill_is_marked_where_it_was(self):
        # The first picture at 0.5 s, the second segment due at 2.5 s and played at 4 s; bars are of 1000 of 1500 kbit/s.
        self.assertIn(f"  wifi alone        {' ' + '▅' * 4 + 'xxx' + '▅'}", told())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
