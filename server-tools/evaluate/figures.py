"""Each kind of figure that an experiment may ask for: from rows to drawings. A figure without rows is None."""
import csv
import re

from . import communities, comparison, differences, drawing
from .results import links_of, qualities, select
from .runner import series_base
from .statistics import mean_of

RATE_WINDOW = 4  # segments
THESIS_SCHEDULERS = ("static", "dynamic")


class Source:
    """The rows of one experiment, the order of its setups, and where the series of its runs are."""

    def __init__(self, rows, setups, folder):
        self.rows = rows
        self.setups = setups
        self.folder = folder

    def chosen(self, spec):
        """Of runs with the thesis' own schedulers, and variants of them, the former, unless the figure names others."""
        rows = [row for row in select(self.rows, spec["where"]) if row["setup"] not in spec.get("omit", ())]
        if "scheduler" in spec["where"] or spec["kind"] == "curve" or not select(rows, {"scheduler": list(THESIS_SCHEDULERS)}):
            return rows
        return select(rows, {"scheduler": [*THESIS_SCHEDULERS, "balanced", "balanced, as played"]})

    def groups(self, rows, columns):
        """(label, rows) of each combination of values of the columns, in the experiment's order."""
        found = {}
        for row in rows:
            found.setdefault(tuple(row[column] for column in columns), []).append(row)
        return [("\n".join(map(label_of, columns, key)), found[key])
                for key in sorted(found, key=lambda key: [self._place(*entry) for entry in zip(columns, key)])]

    def _place(self, column, value):
        if column == "setup":
            return self.setups.index(value)
        if column == "abr":
            return [float(number) for number in re.findall(r"[\d.]+", value)], value
        return ["ondemand", "live_buffered", "live_unbuffered"].index(value) if column == "mode" else float(value)

    def series(self, row, kind):
        path = f"{series_base(self.folder, row['world'], row['experiment'], row['cell'])}-{kind}.csv"
        with open(path, newline="") as file:
            return list(csv.DictReader(file))


def label_of(column, value):
    if column == "buffer_segments":
        return f"B = {value}"
    if column == "abr":
        return value.removeprefix("fixed:")
    return f"{value} %" if column == "duplicates_percent" else value.replace("_", "\n")


def panels_for(rows, height):
    """A figure with a panel for each scheduler that has rows."""
    found = drawing.schedulers_of(rows)
    figure, axes = drawing.panels(len(found), 0.2 + height * len(found))
    return figure, dict(zip(found, axes))


def quality(source, spec):
    """The thesis' bars: a group for each condition, a bar for each quality, a panel for each scheduler."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, by_scheduler = panels_for(rows, 2.4)
    groups = source.groups(rows, spec.get("x", ["setup"]))
    levels = qualities(rows[0])
    names = ["low", "medium", "high", "super"] if len(levels) == 4 else levels
    width = 0.8 / len(levels)
    for scheduler, panel in by_scheduler.items():
        for level, column in enumerate(levels):
            for x, (_, found) in enumerate(groups):
                share = mean_of(select(found, {"scheduler": scheduler}), column)
                if share:
                    drawing.bar(panel, x + (level - (len(levels) - 1) / 2) * width, 0.92 * width, share, 100,
                        drawing.QUALITIES[level % len(drawing.QUALITIES)], names[level])
        panel.set_title(scheduler)
        panel.set_ylabel("% of segments")
        panel.set_ylim(0, 100)
        drawing.place_bars(panel, [label for label, _ in groups])
    drawing.legend(*by_scheduler.values())
    return figure


def bars(source, spec):
    """One figure of the runs for each condition, the schedulers side by side."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, (axes,) = drawing.panels(1, 3)
    groups = source.groups(rows, spec.get("x", ["setup"]))
    schedulers = drawing.schedulers_of(rows)
    width = 0.72 / len(schedulers)
    for side, scheduler in enumerate(schedulers):
        for x, (_, found) in enumerate(groups):
            value = mean_of(select(found, {"scheduler": scheduler}), spec["value"])
            if value:
                drawing.bar(axes, x + (side - (len(schedulers) - 1) / 2) * width, 0.92 * width, value, 1, drawing.SCHEDULER_COLOURS[scheduler],
                            scheduler)
    axes.set_ylabel(spec["unit"])
    axes.set_ylim(bottom=0)
    drawing.place_bars(axes, [label for label, _ in groups])
    drawing.legend(axes)
    return figure


def shares(source, spec):
    """What part of all bytes each link brought."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, by_scheduler = panels_for(rows, 1.8)
    groups = source.groups(rows, spec.get("x", ["setup"]))
    names = list(dict.fromkeys(name for row in rows for name, _ in links_of(row)))
    for scheduler, panel in by_scheduler.items():
        for x, (_, found) in enumerate(groups):
            found = select(found, {"scheduler": scheduler})
            bottom = 0
            for number, name in enumerate(names):
                of_link = [100 * share for row in found for link, share in links_of(row) if link == name]
                if not of_link:
                    continue
                height = sum(of_link) / len(of_link)
                panel.bar(x, height, 0.6, bottom, color=drawing.SERIES[number], label=name)
                panel.text(x, bottom + height / 2, f"{height:.0f} %", ha="center", va="center", color="white", fontsize=8)
                bottom += height
        panel.set_title(scheduler)
        panel.set_ylabel("% of bytes")
        drawing.place_bars(panel, [label for label, _ in groups])
    drawing.legend(*by_scheduler.values())
    return figure


def goodput(source, spec):
    """Throughput against the size of subsegments, a line for each depth."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, (axes,) = drawing.panels(1, 3.2)
    axes.axhline(spec["ideal_kbit_s"] / 1e3, color=drawing.INK, alpha=2 * drawing.FAINT, linewidth=0.8, linestyle="--")
    for depth, found in source.groups(rows, ["pipeline_depth"]):
        sizes = sorted({int(row["subsegment_bytes"]) for row in found})
        means = [mean_of(select(found, {"subsegment_bytes": size}), "throughput_kbit_s").mean / 1e3 for size in sizes]
        axes.plot([size / 1e3 for size in sizes], means, marker="o", markersize=3.5, linewidth=1.4, label=f"depth {depth}")
    axes.set_xlabel("subsegment, kB")
    axes.set_ylabel("Mbit/s")
    axes.set_ylim(bottom=0)
    drawing.grid(axes)
    drawing.legend(axes)
    return figure


def throughput(source, spec):
    """How fast segments came in single runs, with the average bitrates of the qualities played."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, by_scheduler = panels_for(rows, 2.2)
    bitrates = sorted({line["bitrate_kbit_s"] for row in rows for line in source.series(row, "segments") if line["complete_s"]})
    for scheduler, panel in by_scheduler.items():
        for bitrate in bitrates:
            panel.axhline(float(bitrate) / 1e3, color=drawing.INK, alpha=drawing.FAINT, linewidth=0.8, linestyle="--")
        for row in select(rows, {"scheduler": scheduler}):
            segments = [line for line in source.series(row, "segments") if line["complete_s"]]
            panel.plot(*segment_rates(segments), linewidth=1.2, label=row["setup"],
                       color=drawing.SERIES[source.setups.index(row["setup"])])
        panel.set_title(scheduler)
        panel.set_ylabel("Mbit/s")
        panel.set_ylim(bottom=0)
        drawing.grid(panel)
    panel.set_xlabel("segment")
    drawing.legend(*by_scheduler.values())
    return figure


def segment_rates(segments):
    """Indices and Mbit/s of each segment and those just before it: several are on their way at once, and may be complete
    at the same time. Time in which none was wanted does not count."""
    busy, before = [], 0.0
    for line in segments:
        complete = float(line["complete_s"])
        busy.append(max(0.0, complete - max(float(line["request_s"]), before)))
        before = max(before, complete)
    rates = []
    for last in range(len(segments)):
        window = slice(max(0, last + 1 - RATE_WINDOW), last + 1)
        rates.append(8e-6 * sum(float(line["bytes"]) for line in segments[window]) / sum(busy[window]))
    return [int(line["index"]) for line in segments], rates


def links(source, spec):
    """What each link brought over the time of a single run, on top of each other."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, (axes,) = drawing.panels(1, 3.2)
    by_link = {}
    for line in source.series(rows[0], "links"):
        by_link.setdefault(line["link"], {})[float(line["time_s"])] = float(line["goodput_kbit_s"] or 0) / 1e3
    times = sorted({time for of_link in by_link.values() for time in of_link})
    axes.stackplot(times, [[of_link.get(time, 0) for time in times] for of_link in by_link.values()], step="pre",
                   labels=list(by_link), colors=drawing.SERIES)
    axes.set_xlabel("seconds")
    axes.set_ylabel("Mbit/s")
    axes.set_xlim(0, times[-1])
    drawing.grid(axes)
    drawing.legend(axes)
    return figure


KINDS = {"quality": quality, "bars": bars, "shares": shares, "goodput": goodput, "throughput": throughput, "links": links,
         "tools": comparison.figure, "curve": communities.curve, "differences": differences.figure}
