"""./run evaluate: runs experiments and writes a report."""
import argparse
import dataclasses
import os
import pathlib
import shlex
import signal
import sys

from . import experiments
from .content import Content
from .emulated import EmulatedWorld
from .report import write_report
from .results import ResultFile, select
from .runner import Plan, VirtualWorld, run_all, version_of


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./run evaluate", description=(
        "Runs experiments, each cell and seed of them once, and writes a report. What has been run with the same programs is "
        "not run again; after an interruption, the same command goes on."))
    parser.add_argument("names", nargs="*", metavar="NAME", help="which experiments (default: all)")
    parser.add_argument("--list", action="store_true", help="show the experiments, and run none")
    parser.add_argument("--quick", action="store_true", help="fewer seeds and cells, for a first look")
    parser.add_argument("--real", action="store_true", help="on emulated links with nginx, in real time (hours)")
    parser.add_argument("--trace-pair", nargs=2, metavar=("WLAN", "HSDPA"), help=(
        "run \"wireless\" also with these recorded rates: CSV files of time_s,kbit_s"))
    parser.add_argument("--output", metavar="DIR", type=pathlib.Path, help="results and report (default: build/evaluate)")
    parser.add_argument("--programs", metavar="DIR", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--experiments", metavar="DIR", type=pathlib.Path, default=experiments.FOLDER,
                        help="where the experiment files are")
    return parser.parse_args()


def chosen_experiments(arguments):
    """By name. An experiment is read in the variant asked for; one with recorded traces has a name of its own."""
    variant = "real" if arguments.real else "quick" if arguments.quick else None
    names = arguments.names or experiments.available(arguments.experiments)
    found = {name: experiments.read(name, variant, arguments.experiments) for name in names}
    if arguments.trace_pair and "wireless" in found:
        recorded = "wireless-recorded"
        found[recorded] = dataclasses.replace(
            found["wireless"], name=recorded, title="WLAN and HSDPA, recorded",
            cells=tuple(dataclasses.replace(cell, experiment=recorded) for cell in found["wireless"].cells))
    return found


def plans_for(found, content, world, version, trace_pair):
    return [Plan(cell, content, world, version, trace_pair if name == "wireless-recorded" else None)
            for name, experiment in found.items() for cell in experiment.cells]


def rows_for_report(plans, files, found):
    """Those of these plans, so that a quick look is not mixed with what a full run left."""
    commands = {}
    for plan in plans:
        commands.setdefault(plan.cell.experiment, set()).add(plan.command)
    same = {key: plans[0].labels[key] for key in ("world", "version")} if plans else {}
    return {name: [row for row in select(files[name].rows, same) if row["command"] in commands.get(name, ())]
            for name in found}


def command_again(arguments):
    """What makes the figures again, up to the name of the experiment."""
    words = ["./run", "evaluate"]
    words += [option for option, given in (("--quick", arguments.quick), ("--real", arguments.real)) if given]
    words += ["--trace-pair", *arguments.trace_pair] if arguments.trace_pair else []
    return shlex.join(words)


def evaluate(arguments):
    found = chosen_experiments(arguments)
    if arguments.list:
        for name, experiment in found.items():
            print(f"{name:12} {len(experiment.cells):5} runs   {experiment.title}")
        return 0
    folder = (arguments.output or arguments.programs.parent / "evaluate").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    programs = arguments.programs.resolve()
    world = (EmulatedWorld if arguments.real else VirtualWorld)(folder, programs)
    version = version_of(programs)
    plans = plans_for(found, Content(folder, programs), world, version, arguments.trace_pair)
    files = {name: ResultFile(folder / "results" / f"{name}.csv") for name in found}
    failures = run_all(plans, files, world, folder, os.cpu_count())
    report = folder / ("report-real.html" if arguments.real else "report.html")
    write_report(report, found, rows_for_report(plans, files, found), failures, world.name, version,
                 command_again(arguments))
    for plan, reason in failures:
        print(f"failed: {plan.cell.experiment}: {plan.cell.name}, seed {plan.cell.seed}: {reason}\n  {plan.command}",
              file=sys.stderr)
    print(f"report: {report}\nrows:   {folder / 'results'}")
    return 1 if failures else 0


def main():
    for number in (signal.SIGINT, signal.SIGTERM):  # SIGINT is ignored in what a shell starts with "&"
        signal.signal(number, signal.default_int_handler)
    try:
        return evaluate(parse_arguments())
    except experiments.ExperimentError as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nevaluate: interrupted; the same command goes on from here", file=sys.stderr)
        return 130


sys.exit(main())
