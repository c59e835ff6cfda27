#!/usr/bin/env python3
"""How soon the first picture is there, and what playing costs the processor, beside other players. By hand, on a quiet machine
(docs/player.md).

Usage: compare_players.py BIN_DIR FOLDER_URL [--first PAIRS] [--cpu PAIRS] [--seconds N]; of what tributary-segment made, with HLS
beside its index. mpv takes part if it is installed. Each turn runs all of them once, and ratios are of one turn. For the processor one
quality only should be there, so that all decode the same.
"""
import argparse
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import time

FIRST_PATIENCE = 60
GST_PLAY = ["stdbuf", "-o0", "gst-play-1.0", "--no-interactive", "--use-playbin3", "--audiosink=fakesink sync=true"]
MPV = ["mpv", "--no-config", "--no-terminal", "--vo=null", "--ao=null", "--log-file=/dev/stdout"]


def first_frame(command, says):
    """Seconds from the start of the program until it says so; then it is ended."""
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        said = b""
        while not re.search(says, said):
            read = process.stdout.read1()
            if not read or time.monotonic() - began > FIRST_PATIENCE:
                process.kill()
                raise SystemExit(f"{command[0]} showed nothing: {said[-2000:].decode(errors='replace')}")
            said += read
        took = time.monotonic() - began
        process.kill()
    return took


def processor_time(command, seconds):
    """What the program used in so many seconds of play, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["timeout", "--signal=INT", str(seconds), *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def players(binaries, url):
    """Of those that are installed, by name: the command, and what it says at the first picture."""
    element = ["env", f"GST_PLUGIN_PATH={binaries.parent}/lib/gstreamer-1.0"]
    silent = "--videosink=fakesink sync=true"
    first = b"first video frame after restart shown"
    found = {
        "tributary": ([binaries / "play_and_count", "--format", "I420", f"{url}/index.json"], b"first frame"),
        "its element in gst-play": ([*element, *GST_PLAY, silent, f"multilink+{url}/index.json"], b"Prerolled"),
        "hlsdemux2 in gst-play": ([*GST_PLAY, silent, f"{url}/master.m3u8"], b"Prerolled"),
    }
    if shutil.which("mpv"):
        found["mpv"] = ([*MPV, f"{url}/master.m3u8"], first)
        found["mpv, lowest quality"] = ([*MPV, "--hls-bitrate=min", f"{url}/master.m3u8"], first)
    return found


def compare(what, turns, measure, commands):
    figures = {name: [] for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            figures[name].append(measure(command))
    ours = figures["tributary"]
    for name, values in figures.items():
        ratios = sorted(mine / theirs for mine, theirs in zip(ours, values))
        print(f"{what}, {name}: {statistics.median(values):.3f} s ({min(values):.3f} to {max(values):.3f}); ours to that, pairs: "
              f"{statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("url")
    parser.add_argument("--first", type=int, default=7)
    parser.add_argument("--cpu", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    found = players(options.binaries, options.url.rstrip("/"))
    if options.first:
        compare("first frame", options.first, lambda player: first_frame(*player), found)
    if options.cpu:
        compare(f"CPU of {options.seconds} s", options.cpu, lambda player: processor_time(player[0], options.seconds), found)


main()
