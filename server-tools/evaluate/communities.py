"""Communities that lend links (MC²), modelled in virtual time: their cells, runs, and figures beside those of the paper."""
import dataclasses
import pathlib
import shlex
import tomllib

from . import drawing
from .cells import ExperimentError
from .results import select
from .runner import figures_of
from .statistics import mean_of

PAPER = tomllib.loads((pathlib.Path(__file__).parent / "mc2.toml").read_text())
AXES = ("scheduler", "told")
LABELS = {"random": "Random", "round-robin": "RR", "surplus-round-robin": "WRR", "layer-priority": "LPS, spilling",
          "layer-priority-whole": "LPS, whole links"}
LENGTH = 6000  # s, for which links that change are written out


@dataclasses.dataclass(frozen=True)
class CommunityCell:
    experiment: str
    name: str
    setup: str
    scenario: str
    words: str  # as --community takes them
    scheduler: str
    x: str  # the value that a figure's axis has
    seed: int
    keep_series: bool = False


def community_cells(name, text, setup, options, seed, changes):
    seeds = changes.get("seeds", text["seeds"])
    words = [options["scheduler"], setup["traffic"]]
    told = options.get("told", "0s")
    if told != "0s":
        words.append(f"told {told}")
    if "begins_within" in setup:  # of a cycle, of which each seed meets another part
        words.append(f"from {100 + setup['begins_within'] * (seed - 1) / seeds:g}s")
    try:
        scenario = scenario_of(setup)
    except (KeyError, ValueError) as error:
        raise ExperimentError(f"{name}: {setup['name']}: {error}") from error
    yield CommunityCell(name, " ".join([setup["name"], *(f"{key}={value}" for key, value in options.items())]), setup["name"], scenario,
                        ", ".join(words), options["scheduler"], str(setup.get("x", "")), seed)


def scenario_of(setup):
    """The links: written out, or so many that are alike but for their losses, cycles of loss, or times in which some are away."""
    if "links" in setup:
        return setup["links"]
    count = len(setup["losses"]) if "losses" in setup else setup["count"]
    clauses = [[f"m{i} {setup['link']}"] for i in range(count)]
    for i, loss in enumerate(setup.get("losses", ())):
        clauses[i].append(f"loss {loss}%")
    if "cycle" in setup:
        for i, link in enumerate(clauses):
            link += cycle_of(setup["cycle"], i * setup["shift"])
    for link in clauses[count - setup.get("transient", 0):]:
        link += outages(setup["up"], setup["period"])
    return "; ".join(map(", ".join, clauses))


def cycle_of(phases, offset):
    """Clauses of a link that is so many seconds into the cycle. phases: (percent lost, seconds)."""
    length = sum(seconds for _, seconds in phases)
    begins = [sum(seconds for _, seconds in phases[:i]) for i in range(len(phases) + 1)]
    changes = {}
    for start in range(-length, LENGTH + length, length):
        for (loss, _), begin in zip(phases, begins):
            changes[start + begin - offset % length] = loss
    before = max(at for at in changes if at <= 0)
    return [f"loss {changes[before]}%", *(f"at {at}s loss {changes[at]}%" for at in sorted(changes) if 0 < at < LENGTH)]


def outages(up, period):
    return [f"down {at + up}s..{at + period}s" for at in range(0, LENGTH, period)] if up < period else []


class CommunityPlan:
    def __init__(self, cell, world, version):
        self.cell = cell
        self.words = ["--simulate", cell.scenario, "--community", cell.words, "--seed", str(cell.seed)]
        self.command = shlex.join(["tributary-bench", *self.words])
        self.labels = {"experiment": cell.experiment, "cell": cell.name, "setup": cell.setup, "seed": str(cell.seed),
                       "world": world.name, "version": version, "command": self.command}

    def row(self, world, folder):
        row = figures_of(self, world, folder)
        told = self.cell.words.partition("told ")[2].partition("s")[0]
        return row | {"scheduler": self.cell.scheduler, "x": self.cell.x, "told_s": told or "0"} | self.labels


def curve(source, spec):
    """A line for each scheduler (and age of what is known, if they differ): the mean of a column over an axis, and what the paper's
    text lets expect."""
    rows = source.chosen(spec)
    if not rows:
        return None
    axis, columns = spec.get("x", "x"), spec["values"]
    figure, (axes,) = drawing.panels(1, 3.2)
    lines = [(rows_of, column, label if len(columns) == 1 else f"{label}, {name}")
             for label, rows_of in curves_of(rows, axis) for column, name in columns.items()]
    for number, (rows_of, column, label) in enumerate(lines):
        points = sorted({float(row[axis]) for row in rows_of})
        means = [mean_of([row for row in rows_of if float(row[axis]) == point], column).mean for point in points]
        axes.plot(points, means, marker="o", markersize=3.5, linewidth=1.4, label=label, color=drawing.SERIES[number % len(drawing.SERIES)])
    for number, line in enumerate(spec.get("expected", ())):
        axes.plot(*zip(*line["points"]), linestyle="--", linewidth=0.9, color=drawing.INK, alpha=2 * drawing.FAINT,
                  label=spec.get("expected_name", "expected") if number == 0 else None)
    axes.set_xlabel(spec["axis"])
    axes.set_ylabel(spec["unit"])
    axes.set_ylim(bottom=0)
    drawing.grid(axes)
    drawing.legend(axes)
    return figure


def curves_of(rows, axis):
    ages = {row["told_s"] for row in rows}
    for scheduler, label in LABELS.items():
        for age in sorted(ages, key=float) if axis != "told_s" and len(ages) > 1 else [None]:
            found = [row for row in select(rows, {"scheduler": scheduler}) if age in (None, row["told_s"])]
            if found:
                yield label + (f", told after {age} s" if age not in (None, "0") else ""), found


def tables(rows):
    """The paper's tables with ours; those without runs are left out. A cell: (mean over seeds, the paper's number or nothing)."""
    found = []
    for table in PAPER["table"]:
        lines = []
        for line in table["lines"]:
            of_setup = select(rows, {"setup": line["setup"]})
            cells = [(mean_of(select(of_setup, {"scheduler": scheduler}), line["column"]), number)
                     for scheduler, number in zip(table["schedulers"], line["paper"] + [None] * len(table["schedulers"]))]
            if any(ours for ours, _ in cells):
                lines.append({"name": line["name"], "cells": cells})
        if lines:
            found.append({"number": table["number"], "title": table["title"], "note": table.get("note", ""),
                          "schedulers": [LABELS[scheduler] for scheduler in table["schedulers"]], "lines": lines})
    return found
