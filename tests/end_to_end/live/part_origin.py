#!/usr/bin/env python3
"""An origin of Low-Latency HLS that publishes bytes of no meaning by the clock: two qualities and a sound, in parts. It holds
answers, leaves out what is known, and tells how far other playlists have come; and it lies where it is told to.

Usage: part_origin.py PORT [--LIE ...] [--window SEGMENTS] [--part S] [--segment S]; prints what was asked for at the end.
"""
import argparse
import collections
import hashlib
import http.server
import json
import re
import signal
import sys
import threading
import time
import urllib.parse

LIES = {
    "no-skip": "does not leave out what is known",
    "no-hold": "holds no answer",
    "no-report": "tells nothing of other playlists",
    "holds-for-ever": "does not answer a request that it may hold",
    "skips-too-much": "leaves out more than anybody knows",
    "skips-nothing": "says that it leaves out nothing, and does so",
    "wrong-numbers": "each other answer to a request for the difference counts its segments from elsewhere",
    "refuses-skip": "answers 400 to requests that ask to leave out something",
    "late": "has a part only 150 ms after it is listed",
    "cuts": "closes the connection within each fifth part at first",
    "far-reports": "reports a far future",
    "cache": "gives the first answer to an address for ever",
    "ranges": "parts are ranges of the file of their segment, which grows",
}
QUALITIES = {"low": 300_000, "high": 900_000, "sound": 96_000}  # bit/s
MASTER = ('#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="s",URI="sound/list.m3u8"\n'
          '#EXT-X-STREAM-INF:BANDWIDTH=420000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=320x180,AUDIO="a"\nlow/list.m3u8\n'
          '#EXT-X-STREAM-INF:BANDWIDTH=1100000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"\nhigh/list.m3u8\n')


class Stream:
    """What there is at a moment."""

    def __init__(self, options):
        self.options = options
        self.part, self.segment, self.window = options.part, options.segment, options.window
        self.parts_per_segment = round(self.segment / self.part)
        self.began = time.time() - self.window * self.segment - 0.3

    def parts(self, now):
        return int((now - self.began) / self.part)

    def wait_for(self, number, part, most):
        """True if the part is there then."""
        wanted = number * self.parts_per_segment + part + 1
        ready = self.began + wanted * self.part
        time.sleep(max(0, min(ready - time.time(), most)))
        return self.parts(time.time()) >= wanted

    def bytes_of(self, track, number, part):
        size = int(QUALITIES[track] * self.part / 8 * (1.5 if part == 0 else 0.9))
        seed = hashlib.sha256(f"{track} {number} {part}".encode()).digest()
        return (seed * (size // len(seed) + 1))[:size]

    def lies(self, lie):
        return getattr(self.options, lie.replace("-", "_"))

    def listing(self, track, may_skip, lie_now=False, parts=None):
        per, parts = self.parts_per_segment, parts or self.parts(time.time())
        end, open_parts = divmod(parts, per)
        first = max(0, end - self.window)
        control = f"PART-HOLD-BACK={3 * self.part}"
        if not self.lies("no-hold"):
            control += ",CAN-BLOCK-RELOAD=YES"
        if not self.lies("no-skip"):
            control += f",CAN-SKIP-UNTIL={6 * self.segment}"
        skip = 0
        if may_skip and not self.lies("no-skip"):
            skip = max(0, end - first - 6)
            if self.lies("skips-too-much"):
                skip = end - first + 5
            if self.lies("skips-nothing"):
                skip = 0
        shown_first = first + skip
        if may_skip and self.lies("wrong-numbers") and lie_now:
            first += 1000
        lines = ["#EXTM3U", "#EXT-X-VERSION:9", f"#EXT-X-TARGETDURATION:{round(self.segment + .49)}",
                 f"#EXT-X-SERVER-CONTROL:{control}", f"#EXT-X-PART-INF:PART-TARGET={self.part}",
                 f"#EXT-X-MEDIA-SEQUENCE:{first}"]
        if may_skip and (skip or self.lies("skips-nothing")):
            lines.append(f"#EXT-X-SKIP:SKIPPED-SEGMENTS={skip}")
        if not skip:
            lines.append('#EXT-X-MAP:URI="init.mp4"')
        for number in range(shown_first, end):
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(self.began + number * self.segment))
            milliseconds = int((self.began + number * self.segment) % 1 * 1000)
            lines.append(f"#EXT-X-PROGRAM-DATE-TIME:{stamp}.{milliseconds:03}Z")
            if number >= end - 3:
                lines += self.part_lines(track, number, per)
            lines += [f"#EXTINF:{self.segment},", f"segment-of-a-channel-{number}.m4s"]
        lines += self.part_lines(track, end, open_parts)
        name, start = self.part_name(track, end, open_parts)
        if self.options.hints:
            lines.append(f'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="{name}"' + (f",BYTERANGE-START={start}" if start is not None else ""))
        if not self.lies("no-report"):
            ahead = 1000 if self.lies("far-reports") else 0
            last, last_part = divmod(parts - 1, per)
            lines += [f'#EXT-X-RENDITION-REPORT:URI="../{other}/list.m3u8",LAST-MSN={last + ahead},LAST-PART={last_part}'
                      for other in QUALITIES if other != track]
        return "\n".join(lines) + "\n"

    def part_name(self, track, number, part):
        if not self.lies("ranges"):
            return f"{number}.{part}.m4s", None
        return f"segment-of-a-channel-{number}.m4s", sum(
            len(self.bytes_of(track, number, i)) for i in range(part))

    def part_lines(self, track, number, count):
        lines = []
        for part in range(count):
            name, start = self.part_name(track, number, part)
            size = len(self.bytes_of(track, number, part))
            lines.append(f'#EXT-X-PART:DURATION={self.part},URI="{name}"' + (",INDEPENDENT=YES" if part == 0 else "") +
                         (f',BYTERANGE="{size}@{start}"' if start is not None else ""))
        return lines


class GrowingFiles:
    """Writes what an origin with `ranges` has into a folder, for a server that knows nothing of it. Each playlist is replaced
    when the bytes of its parts are there."""

    def __init__(self, folder, options):
        self.folder, self.stream, self.written, self.stopped = folder, Stream(options), 0, threading.Event()
        for track in QUALITIES:
            (folder / track).mkdir(parents=True)
            (folder / track / "init.mp4").write_bytes(b"init of " + track.encode())
        self.write()
        (folder / "master.m3u8").write_text(MASTER)
        self.thread = threading.Thread(target=self.go_on)
        self.thread.start()

    def go_on(self):
        while not self.stopped.wait(max(0, self.stream.began + (self.written + 1) * self.stream.part - time.time())):
            self.write()

    def write(self):
        end = self.stream.parts(time.time())
        for track in QUALITIES:
            for part in range(self.written, end):
                number, of_segment = divmod(part, self.stream.parts_per_segment)
                with open(self.folder / track / f"segment-of-a-channel-{number}.m4s", "ab") as file:
                    file.write(self.stream.bytes_of(track, number, of_segment))
        for track in QUALITIES:
            written = self.folder / track / "list.tmp"
            written.write_text(self.stream.listing(track, False, parts=end))
            written.rename(self.folder / track / "list.m3u8")
        self.written = end

    def stop(self):
        self.stopped.set()
        self.thread.join()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path, _, query = self.path.partition("?")
        asked = dict(urllib.parse.parse_qsl(query))
        if path.endswith(".m3u8"):
            self.playlist(path, asked)
        else:
            self.media(path)

    def reply(self, status, body, kind, extra=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in extra:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def lies(self, lie):
        return self.server.stream.lies(lie)

    def playlist(self, path, asked):
        with self.server.lock:
            self.server.counts["playlists"] += 1
        if path == "/master.m3u8":
            return self.reply(200, MASTER.encode(), "application/vnd.apple.mpegurl")
        track = path.split("/")[1]
        if asked.get("_HLS_skip") and self.lies("refuses-skip"):
            return self.reply(400, b"", "text/plain")
        if "_HLS_msn" in asked:
            if self.lies("holds-for-ever"):
                time.sleep(3600)
            if not self.server.stream.wait_for(int(asked["_HLS_msn"]), int(asked.get("_HLS_part", 0)), 10):
                return self.reply(400, b"", "text/plain")
        cached = self.server.cache.get(self.path) if self.lies("cache") and asked else None
        text = cached or self.server.stream.listing(track, "_HLS_skip" in asked, len(self.server.asked) % 2)
        self.server.cache[self.path] = text
        with self.server.lock:
            self.server.counts["deltas"] += "#EXT-X-SKIP" in text
            self.server.counts["playlist bytes"] += len(text)
            self.server.asked.append(self.path)
        self.reply(200, text.encode(), "application/vnd.apple.mpegurl")

    def media(self, path):
        with self.server.lock:
            self.server.counts["media"] += 1
            count = self.server.counts["media"]
        track, name = path.strip("/").split("/")
        if name == "init.mp4":
            return self.reply(200, b"init of " + track.encode(), "video/mp4")
        stream = self.server.stream
        found = re.fullmatch(r"(?:(\d+)\.(\d+)|segment-of-a-channel-(\d+))\.m4s", name)
        number = int(found[1] or found[3])
        parts = [int(found[2])] if found[2] else range(stream.parts_per_segment)
        listed = stream.parts(time.time() - (0.15 if self.lies("late") else 0))
        there = [part for part in parts if number * stream.parts_per_segment + part < listed]
        if not there:
            if self.server.options.hints and found[2] and stream.wait_for(number, parts[0], 2 * stream.part):
                there = parts
            else:
                return self.reply(404, b"", "text/plain")
        body = b"".join(stream.bytes_of(track, number, part) for part in there)
        size, status, extra = len(body), 200, []
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted:
            begin, end = int(wanted[1]), min(int(wanted[2] or size - 1) + 1, size)
            if begin >= size:
                return self.reply(416, b"", "text/plain", [("Content-Range", f"bytes */{size}")])
            body, status = body[begin:end], 206
            extra = [("Content-Range", f"bytes {begin}-{end - 1}/{size}")]
        with self.server.lock:
            self.server.counts["media bytes"] += len(body)
        if self.lies("cuts") and count % 5 == 0:
            self.send_response(status)
            for field, value in [("Content-Length", str(len(body))), ("Content-Type", "video/mp4"), *extra]:
                self.send_header(field, value)
            self.end_headers()
            self.wfile.write(body[:len(body) // 2])
            self.close_connection = True
            return None
        return self.reply(status, body, "video/mp4", [*extra, ("ETag", f'"{track}-{number}-{name}"'), ("Accept-Ranges", "bytes")])


class Origin(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port, options, address="127.0.0.1"):
        super().__init__((address, port), Handler)
        self.options, self.stream = options, Stream(options)
        self.lock, self.counts, self.cache = threading.Lock(), collections.Counter(), {}
        self.asked = []

    def handle_error(self, request, client_address):
        pass  # clients that leave are none


def options_from(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--window", type=int, default=20)
    parser.add_argument("--part", type=float, default=0.4)
    parser.add_argument("--segment", type=float, default=2.0)
    parser.add_argument("--hints", action="store_true", help="names the next part, and holds requests for it")
    parser.add_argument("--address", default="127.0.0.1")
    for lie, what in LIES.items():
        parser.add_argument("--" + lie, action="store_true", help=what)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    stated = options_from(sys.argv[1:])
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    server = Origin(stated.port, stated, stated.address)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    signal.sigwait({signal.SIGINT, signal.SIGTERM})
    print(json.dumps({**server.counts, "asked": server.asked[-3:]}))
