"""Colours, and the way from a figure to SVG that suits a light and a dark page."""
import html
import io
import re

import matplotlib
from matplotlib.figure import Figure

INK = "#010203"  # drawn with, and then replaced by the colour of the page's text
FAINT = 0.25  # of the ink, for grids and reference lines
QUALITIES = ["#d9822b", "#c9a227", "#3f9d72", "#3b7dd8"]  # lowest first
SCHEDULER_COLOURS = {"static": "#d9822b", "static, from the turn": "#c9a227", "static, ours": "#d1495b", "dynamic": "#3b7dd8",
                     "dynamic, from the turn": "#b05cc6", "dynamic, ours": "#5b6b7b", "balanced": "#3f9d72", "balanced, as played": "#22a7b5"}
SERIES = ["#3b7dd8", "#d9822b", "#3f9d72", "#b05cc6", "#c9a227", "#d1495b", "#5b6b7b", "#22a7b5", "#8d6e63", "#e48fc0"]

matplotlib.rcParams.update({
    "svg.fonttype": "path", "font.size": 9, "axes.titlesize": 9, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "axes.linewidth": 0.7,
    "axes.prop_cycle": matplotlib.cycler(color=SERIES)})


def schedulers_of(rows):
    return [scheduler for scheduler in SCHEDULER_COLOURS if any(row["scheduler"] == scheduler for row in rows)]


def panels(count, height):
    """A figure of the page's width with so many panels below each other, which share their axes."""
    figure = Figure(figsize=(9, height), layout="constrained")
    return figure, list(figure.subplots(count, 1, sharex=True, sharey=True, squeeze=False)[:, 0])


def grid(axes):
    axes.grid(axis="y", color=INK, alpha=FAINT / 2, linewidth=0.6)
    axes.set_axisbelow(True)


def place_bars(axes, labels):
    axes.set_xticks(range(len(labels)), labels)
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.tick_params(axis="x", length=0)
    grid(axes)


def bar(axes, x, width, found, scale, colour, label):
    """A bar with its interval."""
    axes.bar(x, scale * found.mean, width, color=colour, label=label)
    if found.high > found.low:
        axes.plot([x, x], [scale * found.low, scale * found.high], color=INK, linewidth=0.8)


def legend(*panels, columns=None):
    """One for all panels, above the first, beside its title."""
    entries = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    panels[0].legend(entries.values(), entries.keys(), loc="lower right", bbox_to_anchor=(1, 1), ncols=columns or len(entries),
                     borderpad=0, borderaxespad=0.3, handlelength=1.2, columnspacing=1.4)


def svg_of(figure, name, description):
    """To be set into HTML: scales with the page, has a transparent ground, and draws ink in the text's colour."""
    matplotlib.rcParams["svg.hashsalt"] = name
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg"):].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    # Glyphs and clip paths are referred to by name: the figures of one page must not share these.
    svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return svg.replace("<svg", f'<svg role="img" aria-label="{html.escape(description)}"', 1)
