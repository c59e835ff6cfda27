"""./run evaluate: runs experiments and writes a report."""
import argparse
import dataclasses
import os
import pathlib
import shlex
import signal
import sys

from . import experiments, sabre
from .communities import CommunityPlan
from .compared import MULTIHOME
from .content import Content, pairs_in
from .datagrams import DatagramPlan
from .downloads import DownloadPlan
from .emulated import EmulatedWorld
from .report import write_report
from .results import ResultFile, identity
from .runner import SessionPlan, run_all, version_of
from .splitter import OLD_SENDER, SplitterPlan
from .tools import TOOLS
from .virtual import VirtualWorld

RECORDED = "wireless-recorded"


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"\"{text}\": expected a number from 1 on")
    return int(text)


ABOUT = """\
Runs experiments, each cell and seed of them once, and writes a report. What was
run with the same programs is not run again; after an interruption, the same
command goes on."""
EXAMPLES = """\
Exit status: 0 if all runs succeeded, 1 if not, 2 for a wrong command line or
experiment, 130 after Ctrl-C.

Examples:
  ./run evaluate --quick
  ./run evaluate dynamics --real"""


def layout(prog):
    return argparse.RawDescriptionHelpFormatter(prog, width=80)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./run evaluate", description=ABOUT, epilog=EXAMPLES, formatter_class=layout,
                                     add_help=False)
    what = parser.add_argument_group("Experiments")
    what.add_argument("names", nargs="*", metavar="NAME", help="Run these experiments. Default: all.")
    what.add_argument("--list", action="store_true", help="Show the experiments, and run none.")
    what.add_argument("--quick", action="store_true", help="Run fewer seeds and cells, for a first look.")
    what.add_argument("--real", action="store_true", help="Run on emulated links with a web server, in real time. It takes hours.")
    what.add_argument("--server", choices=("nginx", "apache"), metavar="nginx|apache", default="nginx", help="With --real, the web server. Default: nginx.")
    what.add_argument("--experiments", metavar="DIR", type=pathlib.Path, default=experiments.FOLDER,
                      help="Read experiments from this folder. Default: those of the source tree.")
    recorded = parser.add_argument_group("Recorded rates")
    recorded.add_argument("--trace-pair", nargs=2, metavar=("WLAN", "HSDPA"), action="append", default=[], help=(
        "Run \"wireless\" also with these recorded rates, CSV files of time_s,kbit_s. Repeat the option for more."))
    recorded.add_argument("--trace-pairs", metavar="DIR", type=pathlib.Path, help=(
        "The same with all pairs of WLAN and HSDPA that DIR/scenarios.csv lists."))
    other = parser.add_argument_group("Another simulator")
    other.add_argument("--against-sabre", metavar="CSV", type=pathlib.Path, help=(
        "Run no experiment, but compare our rules with figures of the simulator sabre."))
    other.add_argument("--traces", metavar="DIR", type=pathlib.Path, help="With --against-sabre, where its traces are.")
    other.add_argument("--movies", metavar="DIR", type=pathlib.Path, help="With --against-sabre, where its movies are.")
    general = parser.add_argument_group("General")
    general.add_argument("--jobs", metavar="N", type=positive, default=os.cpu_count(),
                         help="Run this many sessions at once. Default: one for each processor.")
    general.add_argument("--output", metavar="DIR", type=pathlib.Path,
                         help="Put results and report into this folder. Default: build/evaluate.")
    general.add_argument("-h", "--help", action="help", help="Show this help.")
    general.add_argument("--programs", metavar="DIR", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.server != "nginx" and not arguments.real:
        parser.error("--server needs --real")
    if arguments.against_sabre and not (arguments.traces and arguments.movies):
        parser.error("--against-sabre needs --traces and --movies")
    return arguments


def recorded_pairs(arguments):
    return arguments.trace_pair + (pairs_in(arguments.trace_pairs) if arguments.trace_pairs else [])


def chosen_experiments(arguments, pairs):
    """By name. An experiment is read in the variant asked for; one with recorded traces has a name of its own."""
    names = arguments.names or experiments.available(arguments.experiments)
    found = {name: experiments.read(name, arguments.quick, arguments.real, arguments.experiments) for name in names}
    if pairs and "wireless" in found:
        recorded = RECORDED
        found[recorded] = dataclasses.replace(
            found["wireless"], name=recorded, title=f"WLAN and HSDPA, recorded ({len(pairs)} pairs)",
            cells=tuple(dataclasses.replace(cell, experiment=recorded) for cell in found["wireless"].cells))
    return found


def possible_here(found, real):
    """Without those that need emulated links, and with those without the ones that have virtual time only. Both are said."""
    possible = {}
    for name, experiment in found.items():
        if real and experiment.kind == "community":
            print(f"evaluate: {name} is modelled in virtual time: leave out --real to run it", file=sys.stderr)
        elif not real and experiment.kind not in experiments.VIRTUAL:
            print(f"evaluate: {name} compares programs on emulated links: add --real to run it", file=sys.stderr)
        else:
            possible[name] = experiment
    if not possible:
        raise experiments.ExperimentError("nothing else to run")
    return possible


def plans_for(found, content, world, programs, trace_pairs):
    """In the order in which they are run: the cells of a seed before the next seed."""
    plans = []
    tunnel = programs / "tributary-tunnel", programs / "tributary-relay"
    for name, experiment in found.items():
        if experiment.kind == "download":
            tunnelled = any(TOOLS[cell.tool].scheduler for cell in experiment.cells)
            version = version_of(programs / "tributary-get", *(tunnel if tunnelled else ()), MULTIHOME)
            plans += [DownloadPlan(cell, content, world, version) for cell in experiment.cells]
        elif experiment.kind == "datagrams":
            version = version_of(*tunnel, MULTIHOME)
            plans += [DatagramPlan(cell, world, version) for cell in experiment.cells]
        elif experiment.kind == "splitter":
            version = version_of(programs / "tributary-splitter", OLD_SENDER)
            plans += [SplitterPlan(cell, world, version) for cell in experiment.cells]
        elif experiment.kind == "community":
            version = version_of(programs / "tributary-bench")
            plans += [CommunityPlan(cell, world, version) for cell in experiment.cells]
        else:
            version = version_of(programs / "tributary-bench")
            recorded = trace_pairs if name == RECORDED else []
            plans += [SessionPlan(cell, content, world, version, recorded) for cell in experiment.cells]
    return plans


def rows_for_report(plans, files, found):
    """Those of these plans, so that a quick look is not mixed with what a full run left."""
    wanted = {identity(plan.labels) for plan in plans}
    return {name: [row for row in files[name].rows if identity(row) in wanted] for name in found}


def command_again(arguments):
    """What makes the figures again, up to the name of the experiment."""
    words = ["./run", "evaluate"]
    words += [option for option, given in (("--quick", arguments.quick), ("--real", arguments.real)) if given]
    words += ["--server", arguments.server] if arguments.server != "nginx" else []
    words += [word for pair in arguments.trace_pair for word in ("--trace-pair", *pair)]
    words += ["--trace-pairs", str(arguments.trace_pairs)] if arguments.trace_pairs else []
    return shlex.join(words)


def evaluate(arguments):
    if arguments.against_sabre:
        agree = sabre.run(arguments.against_sabre, arguments.traces, arguments.movies, arguments.programs.resolve())
        return 0 if agree else 1
    pairs = recorded_pairs(arguments)
    found = chosen_experiments(arguments, pairs)
    if arguments.list:
        for name, experiment in found.items():
            print(f"{name:12} {len(experiment.cells):5} runs   {experiment.title}")
        return 0
    found = possible_here(found, arguments.real)
    folder = (arguments.output or arguments.programs.parent / "evaluate").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    programs = arguments.programs.resolve()
    world = EmulatedWorld(folder, programs, arguments.server) if arguments.real else VirtualWorld(folder, programs)
    plans = plans_for(found, Content(folder, programs), world, programs, pairs)
    files = {name: ResultFile(folder / "results" / f"{name}.csv") for name in found}
    failures = run_all(plans, files, world, folder, arguments.jobs)
    report = folder / (f"report-{world.name}.html" if arguments.real else "report.html")
    write_report(report, found, rows_for_report(plans, files, found), failures, world.about,
                 dict.fromkeys(plan.labels["version"] for plan in plans), command_again(arguments), arguments.jobs)
    for plan, reason in failures:
        print(f"failed: {plan.cell.experiment}: {plan.cell.name}, seed {plan.cell.seed}: {reason}\n  {plan.command}",
              file=sys.stderr)
    if speed := world.speed():
        print(f"speed:  {speed:.0f} s of virtual time in a second of processor time")
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
