#!/usr/bin/env python3
"""Reads a live presentation over HTTP while it grows, as fast as a bad client would, and complains about all that a client
must never see.

Usage: live_reader.py URL_OF_INDEX [SEGMENTS.csv]: until the presentation is complete. Prints what is wrong, and how long after its
end each segment was seen, in all tracks.
"""
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
        self.seen = {}  # number: seconds between the end of the segment and the moment when all of it was there
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
        if self.seen and live["last"] > max(self.seen) + 1:
            self.wrong.append(f"the last number jumps from {max(self.seen)} to {live['last']}")
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
            for track in index["tracks"]:
                size = track["bytes"][offset]
                if self.sizes.setdefault((track["id"], number), size) != size:
                    self.wrong.append(f"the size of {track['id']} {number} changes")
                if number not in self.seen:
                    name = track["uri"].replace("{n:05}", f"{number:05}")
                    response, body = self.get(self.folder + name)
                    if (response.status, len(body)) != (200, size):
                        self.wrong.append(f"{name}: status {response.status}, {len(body)} bytes, the index says {size}")
            if number not in self.seen:
                self.seen[number] = now - (start + end / leading["timescale"])
        self.complete = index["complete"]

    def read(self, until=lambda: False):
        over = False
        while not self.complete and not over:
            over = until()  # and then a last look
            self.look()
            time.sleep(self.pause)
        self.connection.close()
        return self


def main():
    reader = LiveReader(sys.argv[1])
    reader.read()
    delays = sorted(list(reader.seen.items())[:-1], key=lambda item: item[1])  # the last one may be cut short
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as out:
            out.write("number,seconds_after_its_end\n")
            out.writelines(f"{number},{delay:.3f}\n" for number, delay in reader.seen.items())
    for line in reader.wrong:
        print(line)
    at = [delay for _, delay in delays]
    print(f"segments {len(reader.seen)}, wrong {len(reader.wrong)}, fetched the index {reader.fetched} times")
    print("after its end, s: median {:.3f}, 95 % {:.3f}, worst {:.3f}; later than 0.5 s: {}".format(
        at[len(at) // 2], at[int(0.95 * len(at))], at[-1], sum(delay > 0.5 for delay in at)))


if __name__ == "__main__":
    main()
