"""Runs with one thing changed at a time, beside those with nothing changed: what each change makes of quality and misses."""
import re

from . import drawing
from .results import select
from .statistics import difference_of, mean_of

# Column, heading, unit, and digits.
MEASURES = [("mean_level", "Mean level", "levels", 2), ("misses", "Misses a run", "misses a run", 1),
            ("efficiency", "Share of the best possible", "of the best", 3), ("switches", "Changes a run", "changes a run", 1),
            ("qoe", "Experience", "by its measure", 1), ("miss_total_s", "Standstill a run, s", "s", 2),
            ("latency_near_target", "Near the target", "of the time", 3)]
CHANGED = [("mean_level", "Level: difference", 3), ("misses", "Misses: difference", 1), ("qoe", "Experience: difference", 1),
           ("miss_total_s", "Standstill: difference", 2)]
USUAL = ["mean_level", "misses", "efficiency", "switches", "qoe"]


def shown(measures, spec):
    """Those that the figure names."""
    return [measure for measure in measures if measure[0] in spec.get("measures", USUAL)]


def changes(source, spec):
    """[(name, rows)]: first those that the others are held against."""
    rows, column = source.chosen(spec), spec["column"]
    values = sorted({row[column] for row in rows}, key=lambda value: (value != spec["reference"], value))
    names = {spec["reference"]: spec["reference_name"]}
    return [(names.get(value, value), select(rows, {column: value})) for value in values]


def figure(source, spec):
    """A panel for what became of the level, and one for misses: the difference to the first, seed by seed."""
    found = changes(source, spec)
    if not found or found[0][0] != spec["reference_name"]:
        return None
    drawn = drawing.Figure(figsize=(9, 4.4), layout="constrained")
    panels = drawn.subplots(2, 1, sharex=True)
    reference, others = found[0][1], found[1:]
    for panel, (column, _, unit, _) in zip(panels, MEASURES):
        for x, (_, rows) in enumerate(others):
            if difference := difference_of(rows, reference, column):
                drawing.bar(panel, x, 0.6, difference, 1, drawing.SERIES[0], None)
        panel.axhline(0, color=drawing.INK, linewidth=0.8)
        panel.set_ylabel(unit)
        drawing.place_bars(panel, [re.sub("([-,]) ?", r"\1\n", name) for name, _ in others])
    return drawn


def table(source, spec):
    found = changes(source, spec)
    reference = found[0][1]
    lines = []
    for name, rows in found:
        words = name if rows is reference else spec.get("prefix", "") + name
        cells = [(mean_of(rows, column), digits, "") for column, _, _, digits in shown(MEASURES, spec)]
        cells += [(difference_of(rows, reference, column) if rows is not reference else None, digits, "+")
                  for column, _, digits in shown(CHANGED, spec)]
        lines.append((words, cells))
    heads = [measure[1] for measure in shown(MEASURES, spec) + shown(CHANGED, spec)]
    return {"heads": heads, "lines": lines}
