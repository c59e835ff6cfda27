"""The thesis' tables and statements beside ours, as HTML."""
import html
import pathlib
import tomllib

from .drawing import APPROACHES
from .results import qualities, select
from .statistics import mean_of

THESIS = tomllib.loads((pathlib.Path(__file__).parent / "thesis.toml").read_text())
NAMES = ["Low", "Medium", "High", "Super"]


def quality_tables(rows):
    """Of the experiment of each table, and of the same on recorded links."""
    variants = {"": "", "-recorded": ", as recorded"}
    return "".join(quality_table(table, select(rows.get(table["experiment"] + variant, []), table["where"]), words)
                   for table in THESIS["table"] for variant, words in variants.items())


def quality_table(table, rows, variant):
    if not rows:
        return ""
    lines = []
    for approach in APPROACHES:
        for label, setups in (("single", table["single"]), ("several", [table["several"]])):
            found = select(rows, {"subsegment": approach, "setup": setups})
            if not found:
                continue
            seeds = len({row["seed"] for row in found})
            what = "single link" if label == "single" else "multilink"
            cells = "".join(quality_cell(mean_of(found, column), thesis)
                            for column, thesis in zip(qualities(found[0]), thesis_row(table, approach, label)))
            lines.append(f"<tr><th scope=row>{approach.capitalize()}, {what}</th>{cells}<td>{seeds}</td></tr>")
    heads = "".join(f"<th scope=col>{name}</th>" for name in NAMES)
    return (f"<table><caption>Table {table['number']}: {html.escape(table['title'] + variant)}</caption>"
            f"<thead><tr><td></td>{heads}<th scope=col>Seeds</th></tr></thead><tbody>{''.join(lines)}</tbody></table>\n")


def thesis_row(table, approach, label):
    """The thesis knows no balanced subsegments."""
    return table[approach][label] if approach in table else [None] * len(NAMES)


def quality_cell(ours, thesis):
    beside = "" if thesis is None else f"<span class=thesis>{thesis} %</span>"
    return (f"<td>{100 * ours.mean:.0f} % <small>[{100 * ours.low:.0f}, {100 * ours.high:.0f}]</small>"
            f"{beside}</td>")


def statement_table(rows):
    lines = []
    for statement in THESIS["statement"]:
        found = select(rows.get(statement["experiment"], []), statement["where"])
        if found:
            cells = "".join(f"<td>{statement_cell(statement, select(found, {'subsegment': approach}))}</td>"
                            for approach in APPROACHES)
            lines.append(f"<tr><th scope=row>{html.escape(statement['text'])}</th>{cells}"
                         f"<td class=thesis>{html.escape(statement['thesis'])}</td></tr>")
    if not lines:
        return ""
    heads = "".join(f"<th scope=col>{approach.capitalize()}</th>" for approach in APPROACHES)
    return ("<table class=statements><caption>What the text states</caption><thead><tr><td></td>"
            f"{heads}<th scope=col>Thesis</th></tr></thead><tbody>{''.join(lines)}</tbody></table>\n")


def statement_cell(statement, rows):
    values = [float(row[statement["column"]]) for row in rows if row[statement["column"]]]
    if not values:
        return "–"
    unit = " s" if statement["column"].endswith("_s") else ""
    return f"{max(values) if statement['of'] == 'max' else sum(values) / len(values):.2f}{unit}"
