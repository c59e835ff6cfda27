"""The page: marks, tables and figures, in one file that needs nothing else."""
import concurrent.futures
import contextlib
import html
import multiprocessing
import pathlib

from . import comparison, differences, drawing, misses, tables
from .figures import KINDS, Source
from .marks import judge

# Figures with their numbers below.
TABLES = {"tools": comparison.table, "differences": differences.table}
STYLE = (pathlib.Path(__file__).parent / "report.css").read_text()

_sources = {}  # by experiment; processes that draw are forked and so have them, too


def write_report(path, experiments, rows, failures, world, versions, command, processes):
    """experiments and rows by name; rows are of these versions and this world only. failures: (plan, reason) of cells that
    have no row. command: what, with the name of an experiment, makes its figures again. processes: that draw."""
    sessions = {name: experiment for name, experiment in experiments.items() if experiment.kind == "session"}
    parts = [heading(rows, world, versions), failed(failures)]
    with figures_being_drawn(experiments, rows, path.parent, command, processes) as figures:
        parts += [about_thesis(), marks(judge(sessions, rows)), thesis(rows)] if sessions else []
        parts += [section(experiment, [drawn.result() for drawn in figures[name]]) for name, experiment in experiments.items()]
    parts += [misses.section({name: rows[name] for name in sessions})] if sessions else []
    text = ("<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8>"
            '<meta name=viewport content="width=device-width, initial-scale=1"><meta name=color-scheme content="light dark">'
            f"<title>Tributary: evaluation</title>\n<style>\n{STYLE}</style></head>\n<body>\n{''.join(parts)}</body>\n</html>\n")
    path.write_text(text)


def heading(rows, world, versions):
    where = "modelled links, in virtual time" if world == "virtual" else "emulated links and nginx, in real time"
    return (f"<h1>Tributary: evaluation</h1>\n<p>{sum(map(len, rows.values()))} runs over {where}; "
            f"{html.escape(', '.join(versions))}. Thin lines on bars, and brackets in tables, are 95 % bootstrap intervals over "
            "seeds.</p>\n")


def about_thesis():
    return ("<p>The thesis is K. R. Evensen, <cite>Aggregating the Bandwidth of Multiple Network Interfaces to Increase the "
            "Performance of Networked Applications</cite> (2011); its film is not available, so a made-up one with the same "
            "smallest, average and largest segments stands in: shares can agree in shape only.</p>\n")


def failed(failures):
    if not failures:
        return ""
    lines = "".join(f"<li>{html.escape(plan.cell.experiment)}: {html.escape(plan.cell.name)}, seed {plan.cell.seed}: "
                    f"{html.escape(reason)}<br><code>{html.escape(plan.command)}</code></li>" for plan, reason in failures)
    return f"<h2>Not counted</h2>\n<p>{len(failures)} runs failed.</p>\n<ul class=failed>{lines}</ul>\n"


def marks(judged):
    words = {True: ("pass", "holds"), False: ("fail", "does not hold"), None: ("none", "not known")}
    lines = "".join(f"<li class={words[mark.passed][0]}><b>({mark.number}) {words[mark.passed][1]}</b> "
                    f"{html.escape(mark.claim)}<br><small>{html.escape(mark.found)}</small></li>\n" for mark in judged)
    return f"<h2>Does it behave as the thesis says?</h2>\n<ul class=marks>\n{lines}</ul>\n"


def thesis(rows):
    found = tables.quality_tables(rows) + tables.statement_table(rows)
    if not found:
        return ""
    return f"<h2>Beside the thesis</h2>\n<p>Ours above, the <span class=thesis>thesis</span> below.</p>\n{found}"


@contextlib.contextmanager
def figures_being_drawn(experiments, rows, folder, command, processes):
    """Futures of them, by experiment."""
    for name, experiment in experiments.items():
        setups = list(dict.fromkeys(cell.setup for cell in experiment.cells))
        _sources[name] = Source(rows[name], setups, folder)
    with concurrent.futures.ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        yield {name: [pool.submit(figure, name, number, spec, command) for number, spec in enumerate(experiment.figures, 1)]
               for name, experiment in experiments.items()}


def section(experiment, figures):
    return (f"<h2 id={experiment.name}>{html.escape(experiment.title)}</h2>\n<p>{html.escape(experiment.about)}</p>\n"
            f"{''.join(figures)}")


def figure(experiment, number, spec, command):
    source = _sources[experiment]
    name = f"{experiment}-{number}"
    caption = html.escape(spec["caption"])
    drawn = KINDS[spec["kind"]](source, spec)
    if drawn is None:
        return f"<figure id={name}><figcaption>{caption}</figcaption><p>No runs.</p></figure>\n"
    rows = source.chosen(spec)
    table = TABLES[spec["kind"]](source, spec) if spec["kind"] in TABLES else ""
    count = "1 run" if len(rows) == 1 else f"{len(rows)} runs"
    return (f"<figure id={name}><figcaption>{caption}</figcaption>\n{drawing.svg_of(drawn, name, caption)}\n{table}"
            f"<details><summary><code>{html.escape(command)} {experiment}</code>: {count}</summary>"
            f"The first, from where this file is: <code>{html.escape(rows[0]['command'])}</code></details></figure>\n")
