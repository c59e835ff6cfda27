"""Runs the cells that have no row yet, several at a time, and appends what each brought."""
import concurrent.futures
import functools
import hashlib
import json
import pathlib
import shlex
import subprocess
import sys

from tqdm import tqdm

from .results import flattened, identity
from .schedulers import scheduler_of


class CellFailed(Exception):
    """A cell could not be run, or did not come to its end."""


@functools.cache
def version_of(program, *others):
    """Changes whenever the program does, or one of the other files: its own version, and a digest of them."""
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in (program, *others)))
    return f"{printed}+{digest.hexdigest()[:8]}"


def bench_options(cell):
    words = [word for option in cell.options for word in option]
    words += [word for link in cell.links for word in ("--link", link)]
    return [*words, "--segments", str(cell.segments), "--seed", str(cell.seed)]


def simulation_options(cell, presentation, scenario):
    return [f"{presentation}/index.json", "--simulate", scenario, *bench_options(cell)]


class SessionPlan:
    """A session with everything that it needs on disk, and the row that it will be."""

    def __init__(self, cell, content, world, version, recorded):
        self.cell = cell
        self.presentation = content.presentation(cell.presentation, cell.movie_segments, world.needs_media)
        self.scenario = content.scenario(cell.scenario, cell.seed, recorded)
        self.words = simulation_options(cell, self.presentation, self.scenario)
        # Also the name of what was run: a row with the same command and version need not be run again.
        self.command = shlex.join(["tributary-bench", *self.words])
        self.labels = {"experiment": cell.experiment, "cell": cell.name, "setup": cell.setup, "seed": str(cell.seed),
                       "world": world.name, "version": version, "command": self.command}

    def row(self, world, folder):
        row = figures_of(self, world, folder) | self.labels
        row["scheduler"] = scheduler_of(row)
        row["rule"] = row["abr"] + (", plan's forecast" if row.get("forecast") == "plan" else "")
        return row


def figures_of(plan, world, folder):
    """Runs the plan, and reads what the program has written of it. Throws CellFailed."""
    summary, outputs = output_options(plan.cell, world, folder)
    done = world.run(plan, outputs)
    if done.returncode != 0:
        raise CellFailed(done.stderr.strip() or f"ended with {done.returncode}")
    figures = flattened(json.loads(summary.read_text()))
    summary.unlink()
    return figures


def output_options(cell, world, folder):
    """Where the run's files go. Its series are kept for one seed, for the figures of single runs."""
    stem = f"{cell.name} {cell.seed}".replace(" ", "_").replace("/", "_")
    summary = folder / "runs" / f"{world.name}-{cell.experiment}-{stem}.json"
    options = ["--output", summary]
    if cell.keep_series:
        base = series_base(folder, world.name, cell.experiment, cell.name)
        options += ["--segments-csv", f"{base}-segments.csv", "--links-csv", f"{base}-links.csv"]
    for path in options[1::2]:
        make_folder(pathlib.Path(path).parent)
    return summary, [str(option) for option in options]


@functools.cache  # most runs need the same
def make_folder(path):
    path.mkdir(parents=True, exist_ok=True)


def series_base(folder, world, experiment, cell_name):
    return pathlib.Path(folder) / "series" / world / experiment / cell_name.replace(" ", "_").replace("/", "_")


def run_all(plans, files, world, folder, workers):
    """Appends a row for each plan without one to its experiment's file. Returns (plan, reason) of those that failed.
    After an interruption, rows that are complete stay."""
    known = {experiment: {identity(row) for row in file.rows} for experiment, file in files.items()}
    open_plans = [plan for plan in plans if identity(plan.labels) not in known[plan.cell.experiment]]
    failures = []
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        futures = {pool.submit(plan.row, world, folder): plan for plan in open_plans}
        finished = concurrent.futures.as_completed(futures)
        try:
            for future in tqdm(finished, total=len(plans), initial=len(plans) - len(open_plans), unit=" runs",
                               dynamic_ncols=True, mininterval=0.2 if sys.stderr.isatty() else 10):
                plan = futures[future]
                try:
                    files[plan.cell.experiment].append(future.result())
                except (CellFailed, OSError, ValueError) as error:
                    failures.append((plan, str(error)))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            world.end_runs()
    return failures
