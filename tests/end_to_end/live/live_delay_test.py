#!/usr/bin/env python3
"""How long after its end a live segment is there, in each quality: the demo clip (720p, with sound) again and again, in the
default ladder, from nginx on loopback, watched over HTTP by a reader that never looks away.

Usage: live_delay_test.py BIN_DIR SOURCE_DIR [--seconds N] [--limit SECONDS] [--csv FILE]

Fails when the reader sees a gap, a size that is not that of the index, or a time that goes back; with --limit, also when a segment
was there later than that. Without it nothing is said of delays, since other tests run beside.
"""
import argparse
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading

from live_reader import LiveReader

CLIP_SECONDS = 10


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=10, help="how long it is published")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="fail when a segment is there later")
    parser.add_argument("--csv", metavar="FILE", help="write the delay of each segment")
    return parser.parse_args(arguments)


def watch(options, folder, url):
    """Publishes for as long as was asked. What the reader has seen, and the publisher's last words."""
    clip = folder / "clip.mp4"
    subprocess.run([options.source / "media-samples/make", str(CLIP_SECONDS), clip], check=True)
    live = subprocess.Popen([options.bin / "tributary-segment", "live", clip, "--loop", "-o", folder / "content", "--quiet"],
                            stderr=subprocess.PIPE, text=True)
    stop = threading.Timer(options.seconds, live.send_signal, [signal.SIGINT])
    stop.start()
    reader = LiveReader(url).read(lambda: live.poll() is not None)
    stop.cancel()
    said = live.communicate()[1].strip()
    if live.returncode != 0:
        sys.exit(f"tributary-segment: exit status {live.returncode}\n{said}")
    return reader, said


def main():
    options = options_of(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="tributary live delay ") as temporary:
        folder = pathlib.Path(temporary)
        folder.chmod(0o755)
        (folder / "content").mkdir()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        serve, state = options.source / "server-tools/origin/serve", folder / "server"
        subprocess.run([serve, "nginx", folder / "content", "--port", port, "--address", "127.0.0.1", "--state", state],
                       check=True, stdout=subprocess.DEVNULL)
        try:
            reader, said = watch(options, folder, f"http://127.0.0.1:{port}/index.json")
        finally:
            subprocess.run([serve, "stop", "--state", state], check=True)
    print(reader.report())
    if said:
        print(said)
    if options.csv:
        reader.write_csv(options.csv)
    numbers = sorted(reader.seen)
    bad = reader.wrong or not reader.complete or numbers != list(range(1, len(numbers) + 1)) or len(numbers) < 2
    late = options.limit is not None and reader.latest() > options.limit
    sys.exit(f"later than {options.limit} s" if late and not bad else 1 if bad else 0)


main()
