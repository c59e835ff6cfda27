"""The page: marks, tables and figures, in one file that needs nothing else. Its text is in report.html.j2."""
import concurrent.futures
import contextlib
import multiprocessing
import pathlib

import jinja2

from . import communities, comparison, differences, drawing, headline, misses, tables
from .figures import KINDS, Source
from .marks import judge
from .splitter_marks import judge_splitter
from .schedulers import SCHEDULERS

# Figures with their numbers below.
TABLES = {"tools": comparison.table, "differences": differences.table}

_sources = {}  # by experiment; processes that draw are forked and so have them, too


def write_report(path, experiments, rows, failures, world, versions, command, processes):
    """experiments and rows by name; rows are of these versions and this world only. world: where the runs ran, for people.
    failures: (plan, reason) of cells that have no row. command: what, with the name of an experiment, makes its figures again. processes: that draw."""
    sessions = {name: experiment for name, experiment in experiments.items() if experiment.kind == "session"}
    here = pathlib.Path(__file__).parent
    pages = jinja2.Environment(loader=jinja2.FileSystemLoader(here), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                               undefined=jinja2.StrictUndefined)
    with figures_being_drawn(experiments, rows, path.parent, command, processes) as figures:
        path.write_text(pages.get_template("report.html.j2").render(
            style=(here / "report.css").read_text(), world=world, versions=versions, failures=failures,
            runs=sum(map(len, rows.values())), sessions=sessions, headline=headline.headline(experiments, rows),
            marks=judge(sessions, rows) if sessions else [], splitter_marks=judge_splitter(rows.get("splitter", [])),
            quality_tables=tables.quality_tables(rows), statements=tables.statements(rows), rates=tables.rates(rows),
            rate_tools=tables.RATE_TOOLS, communities=communities.tables(rows.get("community", [])), schedulers=SCHEDULERS,
            sections=[(experiment, [drawn.result() for drawn in figures[name]])
                      for name, experiment in experiments.items()],
            misses=misses.summary({name: rows[name] for name in sessions})))


@contextlib.contextmanager
def figures_being_drawn(experiments, rows, folder, command, processes):
    """Futures of them, by experiment."""
    for name, experiment in experiments.items():
        setups = list(dict.fromkeys(cell.setup for cell in experiment.cells))
        _sources[name] = Source(rows[name], setups, folder)
    with concurrent.futures.ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        yield {name: [pool.submit(figure, name, number, spec, command) for number, spec in enumerate(experiment.figures, 1)]
               for name, experiment in experiments.items()}


def figure(experiment, number, spec, command):
    source = _sources[experiment]
    name = f"{experiment}-{number}"
    drawn = KINDS[spec["kind"]](source, spec)
    found = {"name": name, "caption": spec["caption"]}
    if drawn is None:
        return found | {"svg": None}
    rows = source.chosen(spec)
    kind = spec["kind"]
    return found | {"svg": drawing.svg_of(drawn, name, spec["caption"]), "runs": len(rows),
                    "kind": kind, "table": TABLES[kind](source, spec) if kind in TABLES else None,
                    "command": f"{command} {experiment}", "first": rows[0]["command"]}
