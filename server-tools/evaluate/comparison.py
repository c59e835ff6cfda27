"""Several programs beside each other: bars, and a table with the commands."""
import itertools

from . import drawing
from .results import select
from .statistics import mean_of
from .tools import TOOLS


def estimates(source, rows, value):
    """[(setup, {tool: {link: Estimate}})], in the order of setups, tools and links. Programs that use several links have
    the link "", and those that use one have the best first."""
    found = []
    for setup, of_setup in source.groups(rows, ["setup"]):
        tools = {}
        for tool in TOOLS:
            of_tool = select(of_setup, {"tool": tool})
            links = {link: mean_of(select(of_tool, {"link": link}), value)
                     for link in dict.fromkeys(row["link"] for row in of_tool)}
            if links:
                tools[tool] = dict(sorted(links.items(), key=lambda entry: -entry[1].mean))
        found.append((setup, tools))
    return found


def figure(source, spec):
    """A group of bars for each setup, a bar for each program, of which one that uses one link has its best."""
    rows = source.chosen(spec)
    if not rows:
        return None
    drawn, (axes,) = drawing.panels(1, 3)
    groups = estimates(source, rows, spec.get("value", "ratio"))
    used = [tool for tool in TOOLS if any(tool in tools for _, tools in groups)]
    colours = dict(zip((tool for tool in TOOLS if select(source.rows, {"tool": tool})), itertools.cycle(drawing.SERIES)))
    width = 0.8 / len(used)
    for x, (_, tools) in enumerate(groups):
        for side, tool in enumerate(used):
            if tool in tools:
                best = next(iter(tools[tool].values()))
                drawing.bar(axes, x + (side - (len(used) - 1) / 2) * width, 0.92 * width, best, 1,
                            colours[tool], TOOLS[tool].label)
    top = spec.get("top", 1)
    axes.axhline(top, color=drawing.INK, alpha=2 * drawing.FAINT, linewidth=0.8, linestyle="--")
    axes.set_ylim(0, 1.05 * top)
    axes.set_ylabel(spec.get("unit", "of the links' sum"))
    drawing.place_bars(axes, [setup for setup, _ in groups])
    drawing.legend(axes, columns=3)
    return drawn


def table(source, spec):
    rows = source.chosen(spec)
    groups = estimates(source, rows, spec.get("value", "ratio"))
    used = [tool for tool in TOOLS if any(tool in tools for _, tools in groups)]
    return {"tools": [TOOLS[tool].label for tool in used],
            "lines": [(setup, [list(tools.get(tool, {}).items()) for tool in used]) for setup, tools in groups],
            "commands": commands(rows, used, groups[0][0]),
            "kernels": sorted({row["kernel"] for row in rows})}


def commands(rows, used, setup):
    """(label, versions, command) of each program: of this setup if there is one, and of the first link. Kernels and
    programs may have changed between runs."""
    lines = []
    for tool in used:
        of_tool = select(rows, {"tool": tool})
        first = min(of_tool, key=lambda row: (row["setup"] != setup, row["link"]))
        lines.append((TOOLS[tool].label, sorted({row["program"] for row in of_tool}), first["tool_command"]))
    return lines
