#!/usr/bin/env python3
"""Kills either of two emulated links while a real client streams over both, and gives it back: the bytes are right, the stream
is complete, and the other link is soon asked for what the dead one owes (docs/faults.md).

Usage: kill_test.py BIN_DIR SOURCE_DIR [--all [APPROACH...]]. With --all not one moment but a set of them, and a table.
"""
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

from lab import BIN, ORIGIN, Lab, main, netlab, run

LINKS = {"wifi": ("3Mbps", 40), "lte": ("2Mbps", 100)}
SEGMENTS, SECONDS, SEGMENT_BYTES = 12, 1, 125_000
AWAY = 3  # seconds
PATIENCE = 4  # what the client may need to notice it: 2 s, and what a busy machine adds


def client(lab, *words):
    return run(*lab.client_command(*words))


class Killed:
    """The link is dead from kill() to revive()."""

    def __init__(self, lab, link, way):
        self.lab, self.link, self.way = lab, link, way
        self.number = list(LINKS).index(link) + 1

    def kill(self):
        if self.way == "address removed":
            client(self.lab, "ip", "address", "flush", "dev", self.link)
        elif self.way == "no route":
            client(self.lab, "ip", "route", "delete", "default", "dev", self.link)
        elif self.way == "switched off":
            client(self.lab, "ip", "link", "set", self.link, "down")
        else:
            netlab("set", self.lab.name, self.link, {"down": "down", "silent": "blackhole", "crawl": "rate=1kbps"}[self.way])

    def revive(self):
        if self.way in ("address removed", "switched off", "no route"):
            client(self.lab, "ip", "link", "set", self.link, "up")
            client(self.lab, "ip", "address", "replace", f"10.77.{self.number}.2/24", "dev", self.link)
            client(self.lab, "ip", "route", "replace", "default", "via", f"10.77.{self.number}.1", "dev", self.link, "metric",
                   str(100 + self.number))
        else:
            netlab("set", self.lab.name, self.link, "up", f"rate={LINKS[self.link][0]}")


WAYS = ("down", "address removed", "switched off", "no route", "silent", "crawl")


@dataclasses.dataclass
class Outcome:
    errors: list
    stalls: int = 0
    stalled: float = 0
    noticed: float | None = None  # seconds after the link died, or was asked for something then
    handed_over: float | None = None  # after that the other link was asked for something of what it owed
    share_after: float | None = None  # of the link, of what came in the last two seconds


def value(line, name):
    found = re.search(rf' {name}=("(?:[^"\\]|\\.)*"|\S+)', line)
    return found and found[1]


def read_trace(lines, link, died):
    """What became of what the link owed."""
    outcome = Outcome([])
    ids, owed_by, last = {}, {}, []
    for line in lines:
        if not re.match(r"\d+\.\d{9} ", line):
            continue
        at, kind, what = line.split(" ", 3)[:3]
        at = float(at)
        if what == "link-up":
            ids[value(line, "link")] = json.loads(value(line, "name"))
        dead = next((number for number, name in ids.items() if name == link), None)
        if what == "send-request":
            owed_by[value(line, "request")] = value(line, "link")
        about = value(line, "link") if what in ("link-down", "avoid-link") else owed_by.get(
            value(line, "takes_over") if what == "send-request" else value(line, "request"))
        is_notice = what in ("link-down", "avoid-link", "request-failed") or what == "send-request" and value(line, "takes_over") != "-"
        if at > died and about == dead and is_notice and outcome.noticed is None:
            outcome.noticed = at - died
        again = what == "send-request" and (about == dead or json.loads(value(line, "reason")) == f"again: failed on {link}")
        if again and outcome.noticed is not None and outcome.handed_over is None and value(line, "link") != dead:
            outcome.handed_over = at - died - outcome.noticed
        if what == "play-segment" and float(value(line, "miss")) > 0:
            outcome.stalls += 1
            outcome.stalled += float(value(line, "miss"))
        if what == "bytes-received":
            last.append((at, int(value(line, "size")), owed_by[value(line, "request")] == dead))
    end = last[-1][0]
    recent = [(size, own) for at, size, own in last if at > end - 2]
    outcome.share_after = sum(size for size, own in recent if own) / sum(size for size, own in recent)
    return outcome


class Experiment:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        content = self.folder / "content"
        content.mkdir()
        os.chmod(self.folder, 0o755)
        self.film = random.Random(1).randbytes(SEGMENTS * SEGMENT_BYTES)
        for n in range(SEGMENTS):
            (content / f"{n + 1:05}.bin").write_bytes(self.film[n * SEGMENT_BYTES:(n + 1) * SEGMENT_BYTES])
        rate = SEGMENT_BYTES * 8 // SECONDS
        (content / "index.json").write_text(json.dumps({
            "format": "tributary-index", "version": 1, "type": "vod", "complete": True, "generator": "", "segmentDuration": SECONDS,
            "tracks": [{"id": "low", "kind": "data", "group": "data", "timescale": 1000, "offset": 0,
                        "bitrate": {"target": rate, "max": rate, "average": rate, "peak": rate},
                        "uri": "{n:05}.bin", "first": 1, "start": 0, "durations": [[1000 * SECONDS, SEGMENTS]],
                        "bytes": [SEGMENT_BYTES] * SEGMENTS}]}))

    def kill(self, way, link, moment, approach="balanced"):
        name = f"{way}-{link}-{moment}-{approach}".replace(" ", "-")
        saved, trace = self.folder / f"{name}.saved", self.folder / f"{name}.trace"
        lab = Lab("; ".join(f"{n} {rate} {rtt}ms" for n, (rate, rtt) in LINKS.items()), self.folder)
        with contextlib.closing(lab):
            killed = Killed(lab, link, way)
            bench = subprocess.Popen(lab.bench_command(
                f"http://{ORIGIN}/index.json", "-q", "--link", "wifi", "--link", "lte", "--save", saved, "--trace", trace,
                "--buffer", "2", "--subsegments", approach), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(moment)
            killed.kill()
            died = time.monotonic()
            time.sleep(AWAY)
            killed.revive()
            errors = bench.communicate(timeout=60)[1]
            over = time.monotonic()
        lines = trace.read_text().splitlines()
        outcome = read_trace(lines, link, float(lines[-1].split()[0]) - (over - died))
        if bench.returncode != 0:
            outcome.errors.append(errors.strip() or f"ended with {bench.returncode}")
        elif saved.read_bytes() != self.film:
            outcome.errors.append("wrong bytes")
        return outcome


class KillTest(unittest.TestCase):
    def test_one_moment(self):
        """All ways side by side: most of the time they wait."""
        with tempfile.TemporaryDirectory(prefix="tributary-kill-") as folder, concurrent.futures.ThreadPoolExecutor() as pool:
            experiment = Experiment(folder)
            runs = {way: pool.submit(experiment.kill, way, ("wifi", "lte")[i % 2], 3.3) for i, way in enumerate(WAYS)}
            for way, future in runs.items():
                with self.subTest(way):
                    outcome = future.result()
                    self.assertEqual(outcome.errors, [])
                    if outcome.noticed is not None:  # it owed something
                        self.assertLess(outcome.noticed, PATIENCE)


def distribution(times):
    known = sorted(time for time in times if time is not None)
    if not known:
        return "-"
    return f"{known[len(known) // 2]:.3f} {known[-1]:.3f} ({len(known)})"


def all_of_them(approaches):
    moments = [2.6 + 0.37 * i for i in range(10)]
    failed = False
    with tempfile.TemporaryDirectory(prefix="tributary-kill-") as folder, concurrent.futures.ThreadPoolExecutor(3) as pool:
        experiment = Experiment(folder)
        runs = {(approach, way, link): [pool.submit(experiment.kill, way, link, moment, approach) for moment in moments]
                for approach in approaches for way in WAYS for link in LINKS}
        print(f"{'approach':9} {'way':16} {'link':5} wrong  stalls  longest together  noticed after: median, longest  handed over then    "
              "share at the end: median, least")
        for (approach, way, link), futures in runs.items():
            outcomes = [future.result() for future in futures]
            errors = [error for outcome in outcomes for error in outcome.errors]
            failed = failed or bool(errors)
            shares = sorted(o.share_after for o in outcomes)
            print(f"{approach:9} {way:16} {link:5} {len(errors):5}  {sum(o.stalls for o in outcomes):6}  "
                  f"{max(o.stalled for o in outcomes):12.2f} s    {distribution(o.noticed for o in outcomes):30} "
                  f"{distribution(o.handed_over for o in outcomes):20} {shares[len(shares) // 2]:.2f} {shares[0]:.2f}", *errors[:1], flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    if "--all" in sys.argv:
        sys.exit(all_of_them(sys.argv[sys.argv.index("--all") + 1:] or ["balanced"]))
    main()
