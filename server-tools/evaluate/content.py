"""What runs need on disk: presentations made up by tributary-segment, traces of rates, and objects."""
import csv
import json
import pathlib
import random
import re
import shutil
import subprocess

from .experiments import ExperimentError

SYNTHETIC_SECONDS = 300
# Which link of a recorded pair, and kbit/s.
MEANS = {"wlan": (0, 2296), "hsdpa": (1, 1336), "wlan-600": (0, 4800), "hsdpa-250": (1, 2000)}


class Content:
    """Presentations, traces and objects in a folder, made when first asked for. Not for several threads at once."""

    def __init__(self, folder, programs):
        self.folder = pathlib.Path(folder)
        self.programs = pathlib.Path(programs)
        self._traces = set()  # that were written

    def presentation(self, synthetic, segments, with_media):
        """The folder of a presentation, relative to ours. A simulation needs its index only, of one that takes 2 MB a segment."""
        name = pathlib.Path("content") / f"{re.sub(r'[:,]', '-', synthetic)}-{segments}"
        target = self.folder / name
        complete = (target / "index.json").exists() and (not with_media or any(target.rglob("*.bin")))
        if not complete:
            made = self.folder / "content" / "unfinished"
            source = self._constant(synthetic, segments) if synthetic.startswith("constant") else synthetic
            subprocess.run([self.programs / "tributary-segment", "--synthetic", source, "--segments", str(segments),
                            "-o", made, "--force", "-q", *([] if with_media else ["--index-only"])], check=True)
            shutil.copytree(made, target, dirs_exist_ok=True)
            shutil.rmtree(made)
        return name

    def _constant(self, text, segments):
        """"constant:1,2.5": a quality for each rate in Mbit/s, named "2.5Mbps", in which all segments of 2 s are equally large;
        "constant-1s:1,2.5" has segments of 1 s."""
        found = re.fullmatch(r"constant(?:-(\d+)s)?:(.+)", text)
        seconds = int(found[1] or 2)
        rates = [float(rate) for rate in found[2].split(",")]
        sizes = self.folder / "content" / "constant.json"
        sizes.parent.mkdir(parents=True, exist_ok=True)
        sizes.write_text(json.dumps({
            "segment_duration_ms": seconds * 1000, "bitrates_kbps": [round(rate * 1000) for rate in rates],
            "quality_names": [f"{rate:g}Mbps" for rate in rates],
            "segment_sizes_bits": [[round(rate * seconds * 1e6) for rate in rates]] * segments}))
        return sizes

    def object(self, size):
        """The folder, relative to ours, of an object.bin of random bytes, the same each time."""
        name = pathlib.Path("content") / f"object-{size}"
        made = self.folder / name / "object.bin"
        if not made.exists():
            made.parent.mkdir(parents=True, exist_ok=True)
            unfinished = made.with_suffix(".unfinished")
            unfinished.write_bytes(random.Random(size).randbytes(size))
            unfinished.rename(made)
        return name

    def scenario(self, text, seed, recorded):
        """Replaces {wlan} and {hsdpa} by traces with the mean rates of the thesis' Table 4.3, and {wlan-600} and {hsdpa-250}
        with those of Table 4.2: recorded ones (pairs of files, in turn with the seeds, and started elsewhere for each), or
        else synthetic ones."""
        pair = recorded[(seed - 1) % len(recorded)] if recorded else None
        for link, (index, mean_kbit_s) in MEANS.items():
            if f"{{{link}}}" not in text:
                continue
            stem = re.sub(r"[^\w.-]", "_", pathlib.Path(pair[index]).stem) + "-" if pair else ""  # to be a word of a scenario
            name = f"{link}-{stem}{seed}.csv"
            text = text.replace(f"{{{link}}}", f"traces/{name}")
            if name in self._traces:
                continue
            steps = scaled(read_trace(pair[index]) if pair else synthetic_steps(f"{link} {seed}"), mean_kbit_s)
            write_trace(self.folder / "traces" / name, started_at(seed, steps) if pair else steps)
            self._traces.add(name)
        return text


def pairs_in(folder):
    """The files of each scenario "wlan+hsdpa..." of folder/scenarios.csv, which has the columns scenario, link (0 is the
    WLAN, 1 the HSDPA network) and file."""
    path = folder / "scenarios.csv"
    try:
        with open(path, newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["scenario"].startswith("wlan+hsdpa")]
        files = {(row["scenario"], row["link"]): str(folder / row["file"]) for row in rows}
        pairs = [[files[name, "0"], files[name, "1"]] for name in dict.fromkeys(row["scenario"] for row in rows)]
    except (OSError, KeyError, TypeError, csv.Error) as error:
        raise ExperimentError(f"{path}: expected lines of scenario,link,file: {error!r}") from error
    if not pairs:
        raise ExperimentError(f"{path}: no scenario is named wlan+hsdpa")
    return pairs


def synthetic_steps(seed):
    """A rate for each second, around 1: what a wireless link offers drifts (each second keeps nine tenths of the
    deviation), and now and then it has a second or three of next to nothing."""
    chance = random.Random(seed)
    steps, deviation, fade = [], 0.0, 0
    for _ in range(SYNTHETIC_SECONDS):
        deviation = 0.9 * deviation + chance.gauss(0, 0.12)
        if fade == 0 and chance.random() < 0.01:
            fade = chance.randint(1, 3)
        steps.append((1.0, 0.2 if fade else max(0.3, 1 + deviation)))
        fade = max(0, fade - 1)
    return steps


def read_trace(path):
    """(seconds, kbit/s) of each step: a CSV of time_s,kbit_s, the last line of which marks the end."""
    try:
        lines = [line.split(",") for line in pathlib.Path(path).read_text().splitlines()]
        points = [(float(words[0]), float(words[1])) for words in lines if words[0][:1].isdigit()]
    except (OSError, ValueError, IndexError) as error:
        raise ExperimentError(f"{path}: expected lines of time_s,kbit_s: {error}") from error
    if len(points) < 2:
        raise ExperimentError(f"{path}: expected lines of time_s,kbit_s, two at least")
    return [(later[0] - point[0], point[1]) for point, later in zip(points, points[1:])]


def scaled(steps, mean_kbit_s):
    mean = sum(seconds * rate for seconds, rate in steps) / sum(seconds for seconds, _ in steps)
    return [(seconds, rate * mean_kbit_s / mean) for seconds, rate in steps]


def started_at(seed, steps):
    """The same looped, from a place that differs for each seed and is spread evenly whatever their number."""
    golden_ratio = 0.6180339887
    first = int(len(steps) * (golden_ratio * (seed - 1) % 1))
    return steps[first:] + steps[:first]


def write_trace(path, steps):
    path.parent.mkdir(parents=True, exist_ok=True)
    time, lines = 0.0, ["time_s,kbit_s"]
    for seconds, rate in steps:
        lines.append(f"{time:.3f},{rate:.1f}")
        time += seconds
    path.write_text("\n".join([*lines, f"{time:.3f},0"]) + "\n")
