"""Shows that a redesign decides as before: a corpus of recorded sessions, made with the programs as they were, and compared
with what the programs of now decide. All in virtual time.

    session_corpus.py make FOLDER --programs BIN [--sessions N] [--traces FOLDER]
    session_corpus.py compare FOLDER --programs BIN

BIN has tributary-bench, tributary-segment and session_corpus. Each session leaves NAME.trace and NAME.json, its summary.
`compare` does the same runs again, and decides the recorded traces again (--replay): all must be equal to the byte, but for
the version and the time in the summaries. --traces: recorded links (CSV of time_s,kbit_s, anywhere below that folder) for a
third of the simulated sessions; the others' links are made up."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SEGMENTS = 40
FILMS = 6
APPROACHES = ["balanced", "balanced", "dynamic", "static"]
RULES = ["", "", "", "planned", "thesis", "throughput", "bola", "bola-finite", "dynamic", "dynamic-finite", "bba", "robust-mpc",
         "fixed:medium"]
LEFT_OUT = ["rescue", "take-over", "sizing", "several-segments", "spread", "look-ahead", "switch-bound",
            "lowering"]
COSTS = ["paid:0.01/MB", "paid:0.05/MB", "metered:5MB", "metered", "backup"]


def made_up_link(chance, name):
    """A link of a scenario: its rate, round trip and troubles, all at random."""
    def rate():
        return f"{chance.lognormvariate(0.7, 1):.2f}Mbps"
    clauses = [f"{name} {rate()} {chance.randint(4, 300)}ms"]
    if chance.random() < 0.3:
        clauses.append(f"jitter {chance.randint(1, 60)}ms")
    if chance.random() < 0.3:
        clauses.append(f"loss {chance.choice([0.01, 0.1, 0.5, 1])}%")
    if chance.random() < 0.2:
        clauses.append(f"joins {chance.randint(1, 30)}s")
    at = 1.0
    for _ in range(chance.randint(0, 4)):
        at += chance.uniform(0.3, 20)
        if chance.random() < 0.3:
            end = at + chance.uniform(0.1, 12)
            clauses.append(f"down {at:.1f}s..{end:.1f}s")
            at = end
        else:
            clauses.append(f"at {at:.1f}s {chance.choice([rate(), '1kbps', '20kbps', rate()])}")
    return ", ".join(clauses)


def recorded_link(chance, name, traces):
    return f"{name} - {chance.randint(10, 250)}ms, trace {chance.choice(traces)}"


def words_of(seed, traces):
    """The command line of one simulated session."""
    chance = random.Random(f"session {seed}")
    names = ["wifi", "lte", "cable", "neighbour"][:chance.choice([1, 2, 2, 2, 3, 3, 4])]
    recorded = traces and chance.random() < 1 / 3
    links = [recorded_link(chance, name, traces) if recorded else made_up_link(chance, name) for name in names]
    mode = chance.choice(["ondemand", "ondemand", "live-buffered", "live-unbuffered"])
    words = [f"content/{chance.randrange(FILMS)}/index.json", "--simulate", "; ".join(links), "--seed", str(seed),
             "--mode", mode, "--subsegments", chance.choice(APPROACHES), "--start", chance.choice(["thesis", "fast"]),
             "--subsegment-size", chance.choice(["30kB", "100kB", "100kB", "250kB"]), "--depth", str(chance.randint(1, 4))]
    if mode != "live-unbuffered":
        words += ["--buffer", str(chance.randint(1, 8)), "--startup", "1"] if chance.random() < 0.5 else ["--buffer", "3"]
    if rule := chance.choice(RULES):
        words += ["--adaptation", rule]
    if chance.random() < 0.15:
        words += ["--without", chance.choice(LEFT_OUT)]
    if chance.random() < 0.2:
        words += ["--duplicates", str(chance.choice([0, 2, 20]))]
    if len(names) > 1 and chance.random() < 0.4:
        for name in chance.sample(names, chance.randint(1, len(names) - 1)):
            words += ["--link", f"{name}={chance.choice(COSTS)}"]
        words += ["--spend-for", chance.choice(["lowest", "stall", "high"])]
    if chance.random() < 0.1:
        words += ["--forecast", "plan"]
    return words


def make_content(folder, programs):
    for film in range(FILMS):
        subprocess.run([programs / "tributary-segment", "--synthetic", f"thesis:{film + 1}", "--segments", str(SEGMENTS),
                        "-o", folder / "content" / str(film), "--force", "-q", "--index-only"], check=True)


def copy_traces(folder, source):
    """Under names that are words of a scenario."""
    names = []
    (folder / "links").mkdir(parents=True)
    for file in sorted(source.rglob("*.csv")):
        lines = file.read_text(errors="replace").splitlines()
        if not lines or lines[0].split(",")[:2] != ["time_s", "kbit_s"]:
            continue
        name = "links/" + re.sub(r"[^\w.-]", "_", file.stem) + ".csv"
        (folder / name).write_text("\n".join(lines) + "\n")
        names.append(name)
    if not names:
        sys.exit(f"session_corpus.py: {source}: no file with the columns time_s,kbit_s")
    return names


def simulate(folder, programs, runs):
    """[(name, words)]: one process does them all."""
    lines = "".join(json.dumps([*words, "-q", "--run-id", name, "--trace", f"{name}.trace", "--output", f"{name}.json"]) + "\n"
                    for name, words in runs)
    done = subprocess.run([programs / "tributary-bench", "--batch"], cwd=folder, input=lines, text=True, capture_output=True)
    ends = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(ends) != len(runs) or any(end["exit_status"] not in (0, 1) for end in ends):
        sys.exit(f"session_corpus.py: tributary-bench ended with {done.returncode} after {len(ends)} of {len(runs)} runs: "
                 f"{done.stderr[-2000:]}")


def write_other_sessions(folder, programs, first, count):
    subprocess.run([programs / "session_corpus", folder, str(first), str(count)], check=True)


def replay(folder, programs, trace, summary):
    """What is said if it decides otherwise; empty if it does not."""
    done = subprocess.run([programs / "tributary-bench", "--replay", trace, "-q", "--run-id", trace.stem, "--output", summary],
                          cwd=folder, capture_output=True, text=True)
    return "" if done.returncode in (0, 1) and "decided otherwise" not in done.stderr and summary.exists() else done.stderr


def in_shares(work, items):
    """work(share) for each of as many shares as there are processors."""
    shares = os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(shares) as pool:
        list(pool.map(work, [items[i::shares] for i in range(shares)]))


def run_all(folder, programs, plan):
    """All sessions of a plan, in a folder that has their content and links."""
    in_shares(lambda runs: simulate(folder, programs, runs), [(name, words) for name, words in plan["simulated"].items()])
    in_shares(lambda seeds: [write_other_sessions(folder, programs, seed, 1) for seed in seeds], plan["seeds"])
    others = [folder / f"{kind}-{seed}.trace" for seed in plan["seeds"] for kind in ("plan", "walk")]
    differences = []

    def summarise(traces):
        for trace in traces:
            if problem := replay(folder, programs, trace, trace.with_suffix(".json")):
                differences.append(f"{trace.name}: does not replay: {problem}")
    in_shares(summarise, others)
    return differences


def comparable(summary):
    """The summary's text, without what differs from build to build."""
    return re.sub(r'^  "(version|run_id)": .*\n', "", summary.read_text(), flags=re.M)


def first_difference(before, after):
    for number, (old, new) in enumerate(zip(before, after), 1):
        if old != new:
            return f"line {number}:\n  - {old[:300]}\n  + {new[:300]}"
    return f"{len(before)} lines before, {len(after)} now"


def make(args):
    args.folder.mkdir(parents=True)
    traces = copy_traces(args.folder, args.traces) if args.traces else []
    make_content(args.folder, args.programs)
    third = args.sessions // 3
    plan = {"simulated": {f"simulated-{seed}": words_of(seed, traces) for seed in range(1, args.sessions - 2 * third + 1)},
            "seeds": list(range(1, third + 1))}
    (args.folder / "plan.json").write_text(json.dumps(plan, indent=1))
    if problems := run_all(args.folder, args.programs, plan):
        sys.exit("\n".join(problems))
    print(f"{len(list(args.folder.glob('*.trace')))} sessions in {args.folder}")


def compare(args):
    plan = json.loads((args.folder / "plan.json").read_text())
    differences = []
    with tempfile.TemporaryDirectory(prefix="corpus-", dir=args.folder.parent) as now:
        now = pathlib.Path(now)
        for shared in ("content", "links"):
            if (args.folder / shared).exists():
                (now / shared).symlink_to((args.folder / shared).resolve())
        differences += run_all(now, args.programs, plan)
        traces = sorted(args.folder.glob("*.trace"))

        def look(share):
            for trace in share:
                same_run = now / trace.name
                if trace.read_bytes() != same_run.read_bytes():
                    where = first_difference(trace.read_text().splitlines(), same_run.read_text().splitlines())
                    differences.append(f"{trace.name}: decides otherwise, {where}")
                if problem := replay(now, args.programs, trace.resolve(), now / "replayed" / f"{trace.stem}.json"):
                    differences.append(f"{trace.name}: the recorded session is decided otherwise: {problem}")
                summary = trace.with_suffix(".json")
                if comparable(summary) != comparable(now / summary.name):
                    differences.append(f"{summary.name}: the summary differs")
        (now / "replayed").mkdir()
        in_shares(look, traces)
    print("\n".join([*differences[:20], f"{len(traces)} sessions, {len(differences)} differences"]))
    return 1 if differences else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "compare"])
    parser.add_argument("folder", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--programs", type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--sessions", type=int, default=480)
    parser.add_argument("--traces", type=pathlib.Path, help="folder of recorded links")
    args = parser.parse_args()
    return compare(args) if args.what == "compare" else make(args)


if __name__ == "__main__":
    sys.exit(main())
