#!/usr/bin/env python3
"""Reads a live presentation over HTTP while it grows, as fast as a bad client would, and complains about all that a client
must never see.

Usage: live_reader.py URL_OF_INDEX [SEGMENTS.csv]: until the presentation is complete. Prints what is wrong, and how long after their
end the segments of each track were there whole.
"""
import csv
import datetime
import http.client
import json
import sys
import time
import urllib.parse


class LiveReader:
    def __init__(self, url, pause=0.02):
        parts = urllib.parse.urlsplit(url)
        self.host, self.path = parts.netloc, parts.path
        self.folder = parts.path.rsplit("/", 1)[0] + "/"
        self.pause = pause
        self.connection = http.client.HTTPConnection(self.host, timeout=10)
        self.wrong = []
        self.seen = {}  # number: seconds between the end of the segment and the moment when the index listed it
        self.there = {}  # track: {number: the same, until all bytes of it were fetched}
        self.sizes = {}  # (track, number): bytes
        self.complete = False
        self.ends = {}  # number: its end on the timeline
        self.etag = ""
        self.fetched = 0

    def get(self, path, method="GET", headers=None):
        self.connection.request(method, path, headers=headers or {})
        response = self.connection.getresponse()
        return response, response.read()

    def look(self):
        """One look at the index, and at all that is new in it."""
        response, body = self.get(self.path, headers={"If-None-Match": self.etag} if self.etag else {})
        now = time.time()
        if response.status == 304 or (response.status == 404 and not self.seen):
            return
        if response.status != 200:
            self.wrong.append(f"index: status {response.status}")
            return
        self.etag = response.headers["ETag"]
        self.fetched += 1
        try:
            index = json.loads(body)
        except ValueError as error:
            self.wrong.append(f"index: {error}")
            return
        self.take(index, now)

    def take(self, index, now):
        live = index["live"]
        start = datetime.datetime.fromisoformat(live["availabilityStartTime"].replace("Z", "+00:00")).timestamp()
        if self.seen and live["last"] < max(self.seen):
            self.wrong.append(f"the last number goes back from {max(self.seen)} to {live['last']}")
        for track in index["tracks"]:
            if (track["first"], len(track["bytes"])) != (live["first"], live["last"] - live["first"] + 1):
                self.wrong.append(f"{track['id']} does not list {live['first']} to {live['last']}")
        leading = index["tracks"][0]
        end = leading["start"]
        durations = [ticks for ticks, count in leading["durations"] for _ in range(count)]
        for offset, ticks in enumerate(durations):
            number = live["first"] + offset
            end += ticks
            if self.ends.setdefault(number, end) != end:
                self.wrong.append(f"segment {number} ends at {end}, before it was {self.ends[number]}")
            due = start + end / leading["timescale"]
            for track in index["tracks"]:
                size = track["bytes"][offset]
                if self.sizes.setdefault((track["id"], number), size) != size:
                    self.wrong.append(f"the size of {track['id']} {number} changes")
                if number not in self.seen:
                    name = track["uri"].replace("{n:05}", f"{number:05}")
                    response, body = self.get(self.folder + name)
                    if (response.status, len(body)) != (200, size):
                        self.wrong.append(f"{name}: status {response.status}, {len(body)} bytes, the index says {size}")
                    self.there.setdefault(track["id"], {})[number] = time.time() - due
            if number not in self.seen:
                self.seen[number] = now - due
        self.complete = index["complete"]

    def read(self, until=lambda: False):
        over = False
        while not self.complete and not over:
            over = until()  # and then a last look
            self.look()
            time.sleep(self.pause)
        self.connection.close()
        return self

    def latest(self):
        """Seconds after its end until a segment was there in all tracks, the worst. The last one may have been cut short."""
        return max((late for delays in self.there.values() for number, late in delays.items() if number < max(self.seen)),
                   default=None)

    def report(self):
        """What was wrong, and figures; a line for each track."""
        gaps = max(self.seen, default=0) - min(self.seen, default=1) + 1 - len(self.seen)
        lines = [*self.wrong, f"segments {len(self.seen)}, gaps {gaps}, wrong {len(self.wrong)}, "
                 f"fetched the index {self.fetched} times", "there after its end, s  median    95 %   worst  later than 0.5 s"]
        for track, delays in self.there.items():
            at = sorted(late for number, late in delays.items() if number < max(self.seen))
            if at:
                lines.append(f"{track:21} {at[len(at) // 2]:7.3f} {at[int(0.95 * len(at))]:7.3f} {at[-1]:7.3f} "
                             f"{sum(late > 0.5 for late in at):7} of {len(at)}")
        return "\n".join(lines)

    def write_csv(self, path):
        with open(path, "w", newline="") as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(["number", *self.there])
            rows.writerows([number, *(f"{delays[number]:.3f}" for delays in self.there.values())] for number in self.seen)


def main():
    reader = LiveReader(sys.argv[1]).read()
    if len(sys.argv) > 2:
        reader.write_csv(sys.argv[2])
    print(reader.report())


if __name__ == "__main__":
    main()
