#!/usr/bin/env python3
"""What two links together gained over each of them alone, as text: a table, and charts of what links carried and what played.

Usage: gain.py RUNS, a folder with the runs wifi, lte and both. Each has summary.json, segments.csv and links.csv of
tributary-bench (docs/metrics.md).
"""
import csv
import dataclasses
import json
import pathlib
import sys

BARS = " ▁▂▃▄▅▆▇█"
COLUMN_S = 0.5  # links.csv has a line for each half second
STANDSTILL = "x"


@dataclasses.dataclass
class Run:
    """One session; `name` is that of its only link, or "both"."""
    name: str
    summary: dict
    segments: list
    links: list

    @property
    def title(self):
        return "both" if self.name == "both" else f"{self.name} alone"

    @property
    def highest_share(self):
        shares = {int(key.removeprefix("share_q")): value for key, value in self.summary.items() if key.startswith("share_q")}
        return shares[max(shares)]


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read(folder):
    return Run(folder.name, json.loads((folder / "summary.json").read_text()), rows_of(folder / "segments.csv"),
               rows_of(folder / "links.csv"))


def table(runs):
    yield f"{'':14}{'mean bit rate':>15}{'highest quality':>18}{'first picture':>16}{'standstill':>13}"
    for run in runs:
        s = run.summary
        yield (f"  {run.title:12}{s['mean_bitrate_kbit_s'] / 1000:8.2f} Mbit/s{100 * run.highest_share:16.0f} %"
               f"{s['startup_s']:14.1f} s{s['miss_total_s']:11.1f} s")


def sentence(alone, both):
    better = max(alone, key=lambda run: run.summary["mean_bitrate_kbit_s"])
    ratio = both.summary["mean_bitrate_kbit_s"] / better.summary["mean_bitrate_kbit_s"]
    return (f"Both links together: {ratio:.1f} times the bit rate of {better.title}, "
            f"and {both.summary['miss_total_s']:.1f} s of standstill instead of {better.summary['miss_total_s']:.1f} s.")


def bar(rate, most):
    return BARS[min(round(rate / most * (len(BARS) - 1)), len(BARS) - 1)]


def carried(run, most):
    """For each link of the run its name, and a bar for each half second."""
    rates = {}
    for row in run.links:
        rates.setdefault(row["link"].removesuffix("_alone"), []).append(float(row["goodput_kbit_s"]))
    for link, over_time in sorted(rates.items(), reverse=True):  # wifi first
        yield link, "".join(bar(rate, most) for rate in over_time)


def shown_at(run, time_s, most):
    """The bit rate of the segment that plays then as a bar; blank before the first picture."""
    began = [row for row in run.segments if row["play_s"] and float(row["play_s"]) <= time_s]
    if not began:
        return " "
    following = run.segments[len(began)] if len(began) < len(run.segments) else None
    if following and float(following["due_s"]) <= time_s:
        return STANDSTILL
    return bar(float(began[-1]["bitrate_kbit_s"]), most)


def played(run, most):
    """A bar for each half second, until the last segment begins."""
    columns = round(float(run.segments[-1]["play_s"]) / COLUMN_S) + 1
    return "".join(shown_at(run, (column + 0.5) * COLUMN_S, most) for column in range(columns))


def chart(runs):
    most = max(float(row["goodput_kbit_s"]) for run in runs for row in run.links)
    yield f"What each link carried in each half second (full height: {most / 1000:.1f} Mbit/s):"
    for run in runs:
        for number, (link, bars) in enumerate(carried(run, most)):
            yield f"  {run.title if number == 0 else '':12}{link:6}{bars}".rstrip()
    most = max(float(row["bitrate_kbit_s"]) for run in runs for row in run.segments)
    yield ""
    yield f"What played (full height: {most / 1000:.1f} Mbit/s, the highest quality; {STANDSTILL}: standstill):"
    for run in runs:
        yield f"  {run.title:18}{played(run, most)}"
    longest = max(float(row["play_s"]) for run in runs for row in run.segments)
    yield " " * 20 + "".join(f"{f'{second} s':10}" for second in range(0, int(longest) + 5, 5)).rstrip()


def main():
    folder = pathlib.Path(sys.argv[1])
    alone, both = [read(folder / name) for name in ("wifi", "lte")], read(folder / "both")
    runs = [*alone, both]
    print("", *table(runs), sentence(alone, both), "", *chart(runs), sep="\n")


main()
