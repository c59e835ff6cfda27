"""The thesis' tables and statements beside ours."""
import pathlib
import tomllib

from .results import qualities, select
from .schedulers import SCHEDULERS
from .statistics import mean_of

THESIS = tomllib.loads((pathlib.Path(__file__).parent / "thesis.toml").read_text())
RATE_TOOLS = {"udp-prism": "PRISM", "udp-earliest-delivery": "Ours", "udp": "Best link alone"}
NAMES = ["Low", "Medium", "High", "Super"]


def quality_tables(rows):
    """Of the experiment of each table, and of the same on recorded links; those without runs are left out."""
    variants = {"": "", "-recorded": ", as recorded"}
    found = [quality_table(table, select(rows.get(table["experiment"] + variant, []), table["where"]), words)
             for table in THESIS["table"] for variant, words in variants.items()]
    return [table for table in found if table["lines"]]


def quality_table(table, rows, variant):
    lines = []
    for scheduler in SCHEDULERS:
        for label, setups in (("single", table["single"]), ("several", [table["several"]])):
            found = select(rows, {"scheduler": scheduler, "setup": setups})
            if not found:
                continue
            what = "single link" if label == "single" else "multilink"
            cells = [(mean_of(found, column), thesis)
                     for column, thesis in zip(qualities(found[0]), thesis_row(table, scheduler, label))]
            lines.append({"name": f"{scheduler.capitalize()}, {what}", "cells": cells, "distance": distance(cells),
                          "seeds": len({row["seed"] for row in found})})
    return {"number": table["number"], "title": table["title"] + variant, "qualities": NAMES, "lines": lines}


def distance(cells):
    """Of the thesis' shares: the percentage points by which they differ, on average. Nothing where it has none."""
    apart = [abs(100 * ours.mean - thesis) for ours, thesis in cells if thesis is not None]
    return sum(apart) / len(apart) if apart else None


def thesis_row(table, scheduler, label):
    """The thesis knows no balanced subsegments."""
    approach = scheduler.split(",")[0]
    return table[approach][label] if approach in table else [None] * len(NAMES)


def statements(rows):
    """Lines of a table: each statement of the text with what each scheduler came to."""
    lines = []
    for statement in THESIS["statement"]:
        found = select(rows.get(statement["experiment"], []), statement["where"])
        if found:
            cells = [statement_cell(statement, select(found, {"scheduler": scheduler})) for scheduler in SCHEDULERS]
            lines.append({"text": statement["text"], "cells": cells, "thesis": statement["thesis"]})
    return lines


def statement_cell(statement, rows):
    values = [float(row[statement["column"]]) for row in rows if row[statement["column"]]]
    if not values:
        return "–"
    unit = " s" if statement["column"].endswith("_s") else ""
    return f"{max(values) if statement['of'] == 'max' else sum(values) / len(values):.2f}{unit}"


def rates(rows):
    """Lines of a table: chapter 5's rates of datagrams, several links and the fastest one, with ours; those without runs are
    left out."""
    lines = []
    for rate in THESIS["rate"]:
        found = select(rows.get("datagrams", []), rate["where"])
        if found:
            cells = [mbit_s(select(found, {"tool": tool}), rate["column"]) for tool in RATE_TOOLS]
            lines.append({"text": rate["text"], "cells": cells, "thesis": f"{rate['thesis']['several']:.2f} and {rate['thesis']['single']:.2f}"})
    return lines


def mbit_s(rows, column):
    """The mean over seeds; of a tool that uses one link, over the link with most."""
    by_link = {}
    for row in rows:
        by_link.setdefault(row["link"], []).append(float(row[column]) / 1e3)
    return f"{max(sum(values) / len(values) for values in by_link.values()):.2f}" if by_link else "–"
