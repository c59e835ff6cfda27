#!/usr/bin/env python3
"""Makes a presentation whose every picture says which one it is, and whose sound betrays the least break.

Usage: make_marked_content.py TRIBUTARY_SEGMENT OUT [--seconds S] [--segment T] [--size WxH:RATE]... [--two-sounds]

A bar of 21 cells over the top ninth of the picture: white, black, 16 bits of the number of the frame (lowest first),
2 bits of the quality, and one that is white on the first frame of each second. Left, 440 Hz without a break; right, 20 ms
of 1 kHz at the beginning of each second. marks.hh reads them.
"""
import argparse
import pathlib
import shutil
import subprocess
import tempfile

FRAME_RATE = 25
CELLS = 21


def bar(width, height, quality):
    cell, top = width // CELLS, height // 9

    def box(at, color="white", when=None, cells=1):
        enable = f":enable='{when}'" if when else ""
        return f"drawbox=x={at * cell}:y=0:w={cells * cell}:h={top}:color={color}:t=fill{enable}"

    boxes = [f"drawbox=x=0:y=0:w={width}:h={top}:color=black:t=fill", box(0)]
    boxes += [box(2 + bit, when=f"eq(mod(floor(n/{2 ** bit}),2),1)") for bit in range(16)]
    boxes += [box(18 + bit) for bit in range(2) if quality >> bit & 1]
    boxes.append(box(20, when=f"eq(mod(n,{FRAME_RATE}),0)"))
    return ",".join(boxes)


def encode_picture(path, quality, width, height, rate, seconds, group, preset):
    return subprocess.Popen(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"testsrc2=size={width}x{height}:rate={FRAME_RATE}:duration={seconds}", "-vf", bar(width, height, quality),
         "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", preset, "-threads", "1", "-b:v", rate, "-g", str(group),
         "-keyint_min", str(group), "-sc_threshold", "0", "-bf", "2", "-flags", "+cgop", "-x264-params",
         "open-gop=0:b-adapt=0", path])


def encode_sound(path, seconds, tone):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"aevalsrc=exprs='0.25*sin(2*PI*{tone}*t)|if(lt(mod(t\\,1)\\,0.02)\\,0.5*sin(2*PI*1000*t)\\,0)':s=48000:d={seconds}",
         "-c:a", "aac", "-b:a", "96k", path], check=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("segmenter")
    options.add_argument("out", type=pathlib.Path)
    options.add_argument("--seconds", type=int, default=100)
    options.add_argument("--segment", type=int, default=400, help="milliseconds")
    options.add_argument("--size", action="append", help="WxH:RATE, lowest first")
    options.add_argument("--preset", default="ultrafast")
    options = options.parse_args()
    sizes = options.size or ["160x90:200k", "256x144:300k", "320x180:400k", "426x240:600k"]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        films, encoders = [], []
        for quality, size in enumerate(sizes):
            shape, rate = size.split(":")
            width, height = map(int, shape.split("x"))
            films.append(scratch / f"q{quality}.mp4")
            encoders.append(encode_picture(films[-1], quality, width, height, rate, options.seconds,
                                           options.segment * FRAME_RATE // 1000, options.preset))
        encode_sound(scratch / "sound.m4a", options.seconds, 440)
        if any([encoder.wait() for encoder in encoders]):
            raise SystemExit("ffmpeg failed")
        shutil.rmtree(options.out, ignore_errors=True)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([options.segmenter, "package", *films, scratch / "sound.m4a", "-o", options.out, "--segment",
                        f"{options.segment}ms", "--quiet"], check=True)


main()
