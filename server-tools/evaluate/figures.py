"""Each kind of figure that an experiment may ask for: from rows to drawings. A figure without rows is None."""
import csv

from . import drawing
from .results import links_of, qualities, select
from .runner import series_base
from .statistics import mean_of

APPROACHES = ("static", "dynamic")


class Source:
    """The rows of one experiment, the order of its setups, and where the series of its runs are."""

    def __init__(self, rows, setups, folder):
        self.rows = rows
        self.setups = setups
        self.folder = folder

    def chosen(self, spec):
        return [row for row in select(self.rows, spec["where"]) if row["setup"] not in spec.get("omit", ())]

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
        return ["ondemand", "live_buffered", "live_unbuffered"].index(value) if column == "mode" else float(value)

    def series(self, row, kind):
        path = f"{series_base(self.folder, row['world'], row['experiment'], row['cell'])}-{kind}.csv"
        with open(path, newline="") as file:
            return list(csv.DictReader(file))


def label_of(column, value):
    return f"B = {value}" if column == "buffer_segments" else value.replace("_", "\n")


def place_bars(axes, labels):
    axes.set_xticks(range(len(labels)), labels)
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.tick_params(axis="x", length=0)
    drawing.grid(axes)


def bar(axes, x, width, found, scale, colour, label):
    """A bar with its interval."""
    axes.bar(x, scale * found.mean, width, color=colour, label=label)
    if found.high > found.low:
        axes.plot([x, x], [scale * found.low, scale * found.high], color=drawing.INK, linewidth=0.8)


def quality(source, spec):
    """The thesis' bars: a group for each condition, a bar for each quality, a panel for each approach."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, axes = drawing.panels(len(APPROACHES), 4.8)
    groups = source.groups(rows, spec.get("x", ["setup"]))
    levels = qualities(rows[0])
    names = ["low", "medium", "high", "super"] if len(levels) == 4 else levels
    width = 0.8 / len(levels)
    for panel, approach in zip(axes, APPROACHES):
        for level, column in enumerate(levels):
            label = names[level]
            for x, (_, found) in enumerate(groups):
                share = mean_of(select(found, {"subsegment": approach}), column)
                if share:
                    bar(panel, x + (level - (len(levels) - 1) / 2) * width, 0.92 * width, share, 100,
                        drawing.QUALITIES[level % len(drawing.QUALITIES)], label)
                    label = None
        panel.set_title(f"{approach} subsegments")
        panel.set_ylabel("% of segments")
        panel.set_ylim(0, 100)
        place_bars(panel, [label for label, _ in groups])
    drawing.legend(axes[0])
    return figure


def bars(source, spec):
    """One figure of the runs for each condition, static beside dynamic."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, (axes,) = drawing.panels(1, 3)
    groups = source.groups(rows, spec.get("x", ["setup"]))
    for side, approach in enumerate(APPROACHES):
        label = approach
        for x, (_, found) in enumerate(groups):
            value = mean_of(select(found, {"subsegment": approach}), spec["value"])
            if value:
                bar(axes, x + (side - 0.5) * 0.36, 0.33, value, 1, drawing.APPROACHES[approach], label)
                label = None
    axes.set_ylabel(spec["unit"])
    axes.set_ylim(bottom=0)
    place_bars(axes, [label for label, _ in groups])
    drawing.legend(axes)
    return figure


def shares(source, spec):
    """What part of all bytes each link brought."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, axes = drawing.panels(len(APPROACHES), 3.6)
    groups = source.groups(rows, spec.get("x", ["setup"]))
    names = list(dict.fromkeys(name for row in rows for name, _ in links_of(row)))
    for panel, approach in zip(axes, APPROACHES):
        for x, (_, found) in enumerate(groups):
            found = select(found, {"subsegment": approach})
            bottom = 0
            for number, name in enumerate(names):
                of_link = [100 * share for row in found for link, share in links_of(row) if link == name]
                if not of_link:
                    continue
                height = sum(of_link) / len(of_link)
                panel.bar(x, height, 0.6, bottom, color=drawing.SERIES[number], label=None if x else name)
                panel.text(x, bottom + height / 2, f"{height:.0f} %", ha="center", va="center", color="white", fontsize=8)
                bottom += height
        panel.set_title(f"{approach} subsegments")
        panel.set_ylabel("% of bytes")
        place_bars(panel, [label for label, _ in groups])
    drawing.legend(axes[0])
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
    """For each segment of single runs, its size over the time that it had the links to itself or waited for them."""
    rows = source.chosen(spec)
    if not rows:
        return None
    figure, axes = drawing.panels(len(APPROACHES), 4.4)
    for panel, approach in zip(axes, APPROACHES):
        for row in select(rows, {"subsegment": approach}):
            segments = [line for line in source.series(row, "segments") if line["complete_s"]]
            panel.plot(*segment_rates(segments), linewidth=1.2, label=row["setup"],
                       color=drawing.SERIES[source.setups.index(row["setup"])])
            for line in segments:
                panel.axhline(float(line["bitrate_kbit_s"]) / 1e3, color=drawing.INK, alpha=0.05, linewidth=0.6)
        panel.set_title(f"{approach} subsegments")
        panel.set_ylabel("Mbit/s")
        panel.set_ylim(bottom=0)
        drawing.grid(panel)
    axes[-1].set_xlabel("segment")
    drawing.legend(axes[0])
    return figure


def segment_rates(segments):
    """Indices and Mbit/s. A segment's time begins when it is requested, or, if later, when the one before is complete."""
    indices, rates, before = [], [], 0.0
    for line in segments:
        seconds = float(line["complete_s"]) - max(float(line["request_s"]), before)
        before = max(before, float(line["complete_s"]))
        if seconds > 0.01:  # complete with the one before: no time of its own to tell a rate from
            indices.append(int(line["index"]))
            rates.append(8e-6 * float(line["bytes"]) / seconds)
    return indices, rates


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


KINDS = {"quality": quality, "bars": bars, "shares": shares, "goodput": goodput, "throughput": throughput, "links": links}
