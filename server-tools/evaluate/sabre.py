"""Our rules over one link, one request at a time, beside the figures of the simulator sabre for the same (docs/evaluation.md)."""
import csv
import dataclasses
import json
import pathlib
import subprocess
import tempfile

from .experiments import ExperimentError

# sabre's rules that ours are. Without --abr-basic, its BOLA is that for finite titles.
RULES = {"throughput": "throughput", "bola": "bola-finite", "dynamic": "dynamic-finite"}
LATENCY = "100ms"  # of every request, in its traces of 3G networks
BITRATE_TOLERANCE = 0.005  # of sabre's
REBUFFER_TOLERANCE_S = 0.1


@dataclasses.dataclass(frozen=True)
class Comparison:
    trace: str
    movie: str
    abr: str
    buffer_s: str
    abandons: bool  # sabre was run without -noa
    sabre: tuple[float, float, int]  # kbit/s, seconds of rebuffering, events
    ours: tuple[float, float, int]

    @property
    def agrees(self):
        """In the mean bitrate, the seconds of rebuffering, and the number of events."""
        (bitrate, seconds, events), (our_bitrate, our_seconds, our_events) = self.sabre, self.ours
        return (abs(our_bitrate - bitrate) <= BITRATE_TOLERANCE * bitrate,
                abs(our_seconds - seconds) <= REBUFFER_TOLERANCE_S, our_events == events)


def run(reference, traces, movies, programs):
    """Prints a line for each row of the reference that our rules can be held against. Returns whether all of those without
    abandonment agree."""
    with tempfile.TemporaryDirectory(prefix="tributary-sabre-") as folder:
        found = list(comparisons(reference, pathlib.Path(traces), pathlib.Path(movies), programs, pathlib.Path(folder)))
    if not any(not comparison.abandons for comparison in found):
        raise ExperimentError(f"{reference}: no row with one of the rules {', '.join(RULES)} and no_abandon = 1")
    print(f"{'trace':34} {'movie':8} {'rule':10} {'buffer':>6}   {'kbit/s: sabre':>13} {'ours':>9}   {'rebuffer s':>10} {'ours':>9}"
          f"   {'events':>6} {'ours':>4}")
    for comparison in found:
        print(line(comparison))
    for abandons, kind in ((False, "without abandonment"), (True, "with abandonment")):
        of_kind = [comparison.agrees for comparison in found if comparison.abandons == abandons]
        if of_kind:
            parts = [sum(of_part) for of_part in zip(*of_kind)]
            print(f"{kind}: {sum(map(all, of_kind))} of {len(of_kind)} agree (bitrate within {100 * BITRATE_TOLERANCE:g} %: {parts[0]}; "
                  f"rebuffering within {REBUFFER_TOLERANCE_S:g} s: {parts[1]}; as many events: {parts[2]})")
    return all(all(comparison.agrees) for comparison in found if not comparison.abandons)


def line(comparison):
    (bitrate, seconds, events), (our_bitrate, our_seconds, our_events) = comparison.sabre, comparison.ours
    differs = "" if all(comparison.agrees) else "  differs"
    return (f"{comparison.trace:34} {comparison.movie:8} {comparison.abr + (' +a' if comparison.abandons else ''):10} "
            f"{comparison.buffer_s:>4} s   {bitrate:13.3f} {our_bitrate:9.3f}   {seconds:10.3f} {our_seconds:9.3f}   {events:6d} "
            f"{our_events:4d}{differs}")


def comparisons(reference, traces, movies, programs, folder):
    try:
        with open(reference, newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["abr"] in RULES]
    except (OSError, KeyError, csv.Error) as error:
        raise ExperimentError(f"{reference}: expected sabre's figures as CSV (docs/evaluation.md): {error}") from error
    indices = {movie: index_of(movies / f"{movie}.json", folder) for movie in {row["movie"] for row in rows}}
    links = {trace: trace_of(traces, trace, folder) for trace in {row["trace"] for row in rows}}
    for row in sorted(rows, key=lambda row: (row["no_abandon"] != "1", row["movie"], float(row["max_buffer_s"]), row["abr"])):
        command = [programs / "tributary-sequential", indices[row["movie"]], "--trace", links[row["trace"]], "--latency", LATENCY,
                   "--buffer", f"{row['max_buffer_s']}s", "--adaptation", RULES[row["abr"]]]
        command += ["--abandon"] if row["no_abandon"] != "1" else []
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise ExperimentError(done.stderr.strip())
        ours = json.loads(done.stdout)
        yield Comparison(row["trace"], row["movie"], row["abr"], row["max_buffer_s"], row["no_abandon"] != "1",
                         (float(row["time_average_played_bitrate"]), float(row["total_rebuffer"]),
                          round(float(row["total_rebuffer_events"]))),
                         (ours["mean_bitrate_kbit_s"], ours["rebuffer_s"], ours["rebuffer_events"]))


def read_json(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ExperimentError(f"{path}: {error}") from error


def index_of(path, folder):
    """sabre's description of a movie as our index. Its bitrates are labels, which its figures are made of; so are ours here."""
    movie = read_json(path)
    try:
        tracks = [track_of(movie, number) for number in range(len(movie["bitrates_kbps"]))]
        text = {"format": "tributary-index", "version": 1, "type": "vod", "complete": True,
                "segmentDuration": movie["segment_duration_ms"] / 1000, "tracks": tracks}
    except (KeyError, TypeError, IndexError) as error:
        raise ExperimentError(f"{path}: expected sabre's description of a movie: {error!r}") from error
    index = folder / f"{path.stem}-index.json"
    index.write_text(json.dumps(text))
    return index


def track_of(movie, number):
    bit_s = round(1000 * movie["bitrates_kbps"][number])
    sizes = [-(-sizes[number] // 8) for sizes in movie["segment_sizes_bits"]]
    return {"id": f"q{number}", "kind": "data", "group": "data", "timescale": 1000, "offset": 0, "first": 0, "start": 0,
            "bitrate": dict.fromkeys(("target", "max", "average", "peak"), bit_s), "uri": f"q{number}/{{n}}.bin",
            "durations": [[movie["segment_duration_ms"], len(sizes)]], "bytes": sizes}


def trace_of(folder, name, made):
    """The trace of sabre's name: its own file, or one of time_s,kbit_s whose name ends as its own (report.X.json: *X.csv)."""
    own = sorted(folder.rglob(name))
    if own:
        return converted(own[0], made)
    stem = name.removesuffix(".json").removeprefix("report.")
    found = sorted(folder.rglob(f"*{stem}.csv"))
    if not found:
        raise ExperimentError(f"{folder}: neither {name} nor *{stem}.csv is there")
    return found[0]


def converted(path, made):
    lines, time_ms = ["time_s,kbit_s"], 0
    try:
        for period in read_json(path):
            lines.append(f"{time_ms / 1000:.6f},{period['bandwidth_kbps']}")
            time_ms += period["duration_ms"]
    except (KeyError, TypeError) as error:
        raise ExperimentError(f"{path}: expected sabre's list of periods: {error!r}") from error
    target = made / f"{path.stem}.csv"
    target.write_text("\n".join([*lines, f"{time_ms / 1000:.6f},0"]) + "\n")
    return target
