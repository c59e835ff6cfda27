#!/usr/bin/env python3
"""Kills either of two emulated links while a real client streams over both, and gives it back: the bytes are right, nothing stalls
that somebody who knows at once could have played, the other link is soon asked for what the dead one owes, and a link that is
back carries its share (docs/faults.md). Links, title and measures are those of kill_bench.

Usage: kill_test.py BIN_DIR SOURCE_DIR [--all [APPROACH...] [--moments N] [--jobs N] [--keep FOLDER]]
With --all not one moment but a set of them, and a table; FOLDER keeps the traces.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import random
import shutil
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, ORIGIN, Lab, main, netlab, run  # noqa: E402

LINKS = {"wifi": (3, 0.040), "lte": (2, 0.100)}  # Mbit/s, seconds
SEGMENTS, SECONDS, SEGMENT_BYTES = 8, 2, 250_000
FIRST_MOMENT, MOMENTS_OVER = 2.3, 2 * SECONDS
AWAY = 5  # seconds
PATIENCE = 4  # what the client may need to notice it: 2 s, and what a busy machine adds
GOODPUT = 0.93  # of the rate, less the heads of packets and answers
ROUNDING = 0.05  # more is a stall


def client(lab, *words):
    return run(*lab.client_command(*words))


class Killed:
    """The link is dead from kill() to revive()."""

    def __init__(self, lab, link, way):
        self.lab, self.link, self.way = lab, link, way
        self.number = list(LINKS).index(link) + 1
        self.sides = {side: self.stay(side) for side in ("client", "server")} if way == "device gone" else {}

    def stay(self, side):
        """A process by which that side can be named."""
        return subprocess.Popen([str(BIN / "tributary-netlab"), "exec", self.lab.name, side, "--", "sleep", "100"])

    def kill(self):
        if self.way == "address removed":
            client(self.lab, "ip", "address", "flush", "dev", self.link)
        elif self.way == "no route":
            client(self.lab, "ip", "route", "delete", "default", "dev", self.link)
        elif self.way == "switched off":
            client(self.lab, "ip", "link", "set", self.link, "down")
        elif self.way == "device gone":  # elsewhere; who is left behind sees the same when one is deleted
            client(self.lab, "ip", "link", "set", self.link, "netns", self.sides["server"].pid, "name", f"{self.link}-gone")
        else:
            netlab("set", self.lab.name, self.link, {"no carrier": "down", "silent": "blackhole", "crawl": "rate=1kbps"}[self.way])

    def revive(self):
        if self.way in ("no carrier", "silent", "crawl"):
            netlab("set", self.lab.name, self.link, "up", f"rate={LINKS[self.link][0]}Mbps")
            return
        if self.way == "device gone":
            netlab("exec", self.lab.name, "server", "--", "ip", "link", "set", f"{self.link}-gone", "netns", self.sides["client"].pid,
                   "name", self.link)
        client(self.lab, "sh", "-c", f"ip link set {self.link} up; ip address replace 10.77.{self.number}.2/24 dev {self.link}; "
               f"ip route replace default via 10.77.{self.number}.1 dev {self.link} metric {100 + self.number}")

    def close(self):
        for process in self.sides.values():
            process.kill()
            process.wait()


WAYS = ("no carrier", "address removed", "switched off", "device gone", "no route", "silent", "crawl")


@dataclasses.dataclass
class Outcome:
    errors: list = dataclasses.field(default_factory=list)
    stalls: int = 0  # after the link died
    stalled: float = 0
    unavoidable: int = 0  # of these, if somebody knew at once
    noticed: float | None = None  # seconds after the link died, or was asked for something then
    handed_over: float | None = None  # the same, until the other link was asked for something of what it owed
    carries_again: float | None = None  # seconds after it was back, its share by rates of what came within a second
    carries_as_before: float | None = None  # the same, or the share that it brought until it died, if that is less


def value(line, name):
    found = re.search(rf' {name}=("(?:[^"\\]|\\.)*"|\S+)', line)
    return found and found[1]


class Account:
    """What became of what the link owed, and of playout: told each line of a trace."""

    def __init__(self, link, died, back):
        self.link, self.died, self.back = link, died, back
        self.outcome = Outcome()
        self.ids = set()  # of the link; one that comes back may be given another
        self.requests = {}  # id: link, segment, and what it still owes
        self.missing = collections.OrderedDict()  # bytes, of the segments that were begun
        self.playing, self.delivered, self.next_due = -1, -1, None
        self.owes_since, self.foreseen = None, False
        self.came = collections.deque()  # lately
        self.before = collections.Counter()  # bytes until it died, by whether they are its own

    def line(self, text):
        at, _, what = text.split(" ", 3)[:3]
        at = float(at)
        if at >= self.died:
            self.foresee(at)
        getattr(self, what.replace("-", "_"), lambda at, line: None)(at, text)
        if at >= self.died and self.owes_since is None and any(link in self.ids for link, _, _ in self.requests.values()):
            self.owes_since = at

    def foresee(self, at):
        """The other link alone, from this moment on: what is missing of what has been begun, and one segment after the other."""
        if self.foreseen:
            return
        self.foreseen = True
        if any(link in self.ids for link, _, _ in self.requests.values()):
            self.owes_since = self.died
        if self.next_due is None:
            return
        rate, rtt = next(link for name, link in LINKS.items() if name != self.link)
        due = self.next_due + (self.delivered - self.playing) * SECONDS
        here, room = self.died, self.died
        begun = list(self.missing.values())
        for number in range(self.delivered + 1, SEGMENTS):
            started = bool(begun)
            size = begun.pop(0) if started else SEGMENT_BYTES
            here = max(here, here if started else room) + rtt + size * 8e-6 / (rate * GOODPUT)
            if here > due:
                self.outcome.unavoidable += 1
                due = here
            room = due
            due += SECONDS

    def notice(self, at, is_about_it):
        if at >= self.died and is_about_it and self.outcome.noticed is None:
            self.outcome.noticed = at - (self.owes_since or self.died)

    def link_up(self, at, line):
        if json.loads(value(line, "name")) == self.link:
            self.ids.add(value(line, "link"))

    def link_down(self, at, line):
        self.notice(at, value(line, "link") in self.ids)

    def start_segment(self, at, line):
        self.missing[int(value(line, "segment"))] = int(value(line, "size"))

    def send_request(self, at, line):
        link, takes_over = value(line, "link"), value(line, "takes_over")
        about_it = takes_over in self.requests and self.requests[takes_over][0] in self.ids
        self.notice(at, about_it)
        again = about_it or json.loads(value(line, "reason")) == f"again: failed on {self.link}"
        if again and link not in self.ids and self.owes_since is not None and self.outcome.handed_over is None:
            self.outcome.handed_over = at - self.owes_since
        begin, end = map(int, value(line, "range").split("-"))
        self.requests[value(line, "request")] = [link, int(value(line, "segment")), end - begin]

    def bytes_received(self, at, line):
        request, size = self.requests[value(line, "request")], int(value(line, "size"))
        request[2] -= size
        if request[1] in self.missing:
            self.missing[request[1]] -= size
        is_own = request[0] in self.ids
        if at < self.died:
            self.before[is_own] += size
        if at >= self.back:
            self.count_share(at, size, is_own)

    def count_share(self, at, size, is_own):
        self.came.append((at, size, is_own))
        while self.came[0][0] < at - 1:
            self.came.popleft()
        own, everything = sum(size for _, size, own in self.came if own), sum(size for _, size, _ in self.came)
        if everything <= 100_000:
            return
        by_rates = LINKS[self.link][0] / sum(rate for rate, _ in LINKS.values())
        # On a busy machine, nothing may have come before it died.
        as_before = min(by_rates, self.before[True] / self.before.total()) if self.before else by_rates
        if self.outcome.carries_again is None and own >= 0.9 * by_rates * everything:
            self.outcome.carries_again = at - self.back
        if self.outcome.carries_as_before is None and own >= 0.9 * as_before * everything:
            self.outcome.carries_as_before = at - self.back

    def request_done(self, at, line):
        self.requests.pop(value(line, "request"))

    def request_failed(self, at, line):
        link = self.requests.pop(value(line, "request"))[0]
        self.notice(at, link in self.ids)

    def deliver_segment(self, at, line):
        self.delivered = int(value(line, "segment"))
        self.missing.pop(self.delivered, None)

    def play_segment(self, at, line):
        self.playing, self.next_due = int(value(line, "segment")), float(value(line, "at")) + SECONDS
        if at > self.died and float(value(line, "miss")) > 0:
            self.outcome.stalls += 1
            self.outcome.stalled += float(value(line, "miss"))


def read_trace(trace, link, died, back):
    """Died and back: by the clock on the wall; the last line was written at the end."""
    lines = [line for line in trace.read_text().splitlines() if re.match(r"\d+\.\d{9} ", line)]
    began = trace.stat().st_mtime - float(lines[-1].split()[0])
    account = Account(link, died - began, back - began)
    for line in lines:
        account.line(line)
    return account.outcome


class Experiment:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        content = self.folder / "content"
        content.mkdir(parents=True)
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
        name = f"{approach}-{way}-{link}-{moment:.2f}".replace(" ", "-")
        saved, trace = self.folder / f"{name}.saved", self.folder / f"{name}.trace"
        lab = Lab("; ".join(f"{n} {rate}Mbps {1000 * rtt:.0f}ms" for n, (rate, rtt) in LINKS.items()), self.folder)
        with contextlib.closing(lab), contextlib.closing(Killed(lab, link, way)) as killed:
            bench = subprocess.Popen(lab.bench_command(
                f"http://{ORIGIN}/index.json", "-q", "--link", "wifi", "--link", "lte", "--save-raw", saved, "--trace", trace,
                "--buffer", "1", "--subsegments", approach), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(moment)
            died = time.time()
            killed.kill()
            time.sleep(max(0, died + AWAY - time.time()))
            back = time.time()
            killed.revive()
            errors = bench.communicate(timeout=60)[1]
        outcome = read_trace(trace, link, died, back)
        if bench.returncode != 0:
            outcome.errors.append(errors.strip() or f"ended with {bench.returncode}")
        elif (saved / "picture").read_bytes() != self.film:
            outcome.errors.append("wrong bytes")
        shutil.rmtree(saved, ignore_errors=True)
        return outcome


class KillTest(unittest.TestCase):
    def test_one_moment(self):
        """All ways side by side: most of the time they wait. Whether they stall is left to a quiet machine."""
        with tempfile.TemporaryDirectory(prefix="tributary-kill-") as folder, concurrent.futures.ThreadPoolExecutor() as pool:
            experiment = Experiment(pathlib.Path(folder) / "test")
            runs = {way: pool.submit(experiment.kill, way, ("wifi", "lte")[i % 2], 3.3) for i, way in enumerate(WAYS)}
            for way, future in runs.items():
                with self.subTest(way):
                    outcome = future.result()
                    self.assertEqual(outcome.errors, [])
                    if outcome.noticed is not None:  # it owed something
                        self.assertLess(outcome.noticed, PATIENCE)


def distribution(times):
    known = sorted(time for time in times if time is not None)
    return f"{known[len(known) // 2]:6.3f} {known[-1]:6.3f} ({len(known)})" if known else "-"


def all_of_them(options):
    moments = [FIRST_MOMENT + i * MOMENTS_OVER / options.moments for i in range(options.moments)]
    failed = False
    with contextlib.ExitStack() as stack:
        folder = options.keep or stack.enter_context(tempfile.TemporaryDirectory(prefix="tributary-kill-"))
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(options.jobs))
        experiment = Experiment(pathlib.Path(folder) / "runs")
        sets = list(itertools.product(options.all or ["balanced"], options.way or WAYS, LINKS))
        runs = {(approach, way, link): [pool.submit(experiment.kill, way, link, moment, approach) for moment in moments]
                for approach, way, link in sets}
        print(f"{'approach':9} {'way':16} {'link':5} runs  faults  stalls  unavoidable  beyond  longest   {'noticed after':20} "
              f"{'handed over after':20} {'carries again after':20} as much as before (median, longest)")
        for (approach, way, link), futures in runs.items():
            outcomes = [future.result() for future in futures]
            errors = [error for outcome in outcomes for error in outcome.errors]
            beyond = [f"killed at {moment:.2f} s: stalls of {o.stalled:.2f} s" for moment, o in zip(moments, outcomes)
                      if o.stalls > o.unavoidable]
            failed = failed or bool(beyond or errors)
            print(f"{approach:9} {way:16} {link:5} {len(outcomes):4}  {len(errors):6}  {sum(o.stalls for o in outcomes):6}  "
                  f"{sum(o.unavoidable for o in outcomes):11}  {len(beyond):6}  {max(o.stalled for o in outcomes):5.2f} s   "
                  f"{distribution(o.noticed for o in outcomes):20} {distribution(o.handed_over for o in outcomes):20} "
                  f"{distribution(o.carries_again for o in outcomes):20} {distribution(o.carries_as_before for o in outcomes)}",
                  *errors[:3], *beyond[:3], flush=True)
    return 1 if failed else 0


def parse(words):
    parser = argparse.ArgumentParser(usage="kill_test.py BIN_DIR SOURCE_DIR [--all [APPROACH...] ...]")
    parser.add_argument("--all", nargs="*", choices=("balanced", "dynamic", "static"), metavar="APPROACH")
    parser.add_argument("--way", action="append", choices=WAYS, help="only this one")
    parser.add_argument("--moments", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=3, help="runs side by side")
    parser.add_argument("--keep", metavar="FOLDER", help="of the traces")
    return parser.parse_args(words)


if __name__ == "__main__":
    if "--all" in sys.argv:
        sys.exit(all_of_them(parse(sys.argv[3:])))
    main()
