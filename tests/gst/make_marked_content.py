#!/usr/bin/env python3
"""Makes a presentation whose every picture says which one it is, and whose sound betrays the least break.

Usage: make_marked_content.py TRIBUTARY_SEGMENT OUT [--seconds S] [--segment T] [--size WxH:RATE]... [--codec NAME]
                              [--audio-codec NAME] [--extras] [--transport-streams]

A bar of 21 cells over the top ninth of the picture: white, black, 16 bits of the number of the frame (lowest first),
2 bits of the quality, and one that is white on the first frame of each second. Left, 440 Hz without a break; right, 20 ms
of 1 kHz at the beginning of each second. marks.hh reads them. With a codec or extras, tributary-segment encodes: one
quality, a second sound of 660 Hz, and subtitles that say which second it is. Transport streams hold the same segments, with
picture and sound in one file; their times begin again from zero in the middle, and each quality has other PIDs.
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


def encode_sound(path, seconds):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"aevalsrc=exprs='0.25*sin(2*PI*440*t)|if(lt(mod(t\\,1)\\,0.02)\\,0.5*sin(2*PI*1000*t)\\,0)':s=48000:d={seconds}",
         "-c:a", "aac", "-b:a", "96k", path], check=True)


def encode_film(path, size, seconds):
    """One picture, two sounds."""
    width, height = map(int, size.split(":")[0].split("x"))
    tones = [f"aevalsrc=0.25*sin(2*PI*{tone}*t):s=48000:d={seconds}:c=stereo" for tone in (440, 660)]
    sounds = [argument for tone in tones for argument in ("-f", "lavfi", "-i", tone)]
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"testsrc2=size={width}x{height}:rate={FRAME_RATE}:duration={seconds}", *sounds, "-map", "0", "-map", "1", "-map",
         "2", "-vf", bar(width, height, 0), "-c:v", "libx264", "-preset", "ultrafast", "-qp", "10", "-c:a", "pcm_s16le",
         path], check=True)


def write_subtitles(path, seconds):
    cues = [f"{i + 1}\n00:00:{i:02},200 --> 00:00:{i:02},800\n<i>second {i}</i> & more\n" for i in range(seconds)]
    path.write_text("\n".join(cues))


def encode_all(options, sizes, scratch):
    film, subtitles = scratch / "film.mkv", scratch / "text.srt"
    encode_film(film, sizes[0], options.seconds)
    write_subtitles(subtitles, options.seconds)
    shape, rate = sizes[0].split(":")
    extras = ["--audio-tracks", "all", "--subtitles", f"{subtitles}:en"] if options.extras else []
    subprocess.run([options.segmenter, film, "-o", options.out, "--segment", f"{options.segment}ms", "--ladder",
                    f"low={rate}@{shape}", "--codec", options.codec, "--audio-codec", options.audio_codec, "--quiet",
                    *extras], check=True)


def package(options, sizes, scratch):
    films, encoders = [], []
    for quality, size in enumerate(sizes):
        shape, rate = size.split(":")
        width, height = map(int, shape.split("x"))
        films.append(scratch / f"q{quality}.mp4")
        encoders.append(encode_picture(films[-1], quality, width, height, rate, options.seconds,
                                       options.segment * FRAME_RATE // 1000, options.preset))
    encode_sound(scratch / "sound.m4a", options.seconds)
    if any([encoder.wait() for encoder in encoders]):
        raise SystemExit("ffmpeg failed")
    subprocess.run([options.segmenter, "package", *films, scratch / "sound.m4a", "-o", options.out, "--segment",
                    f"{options.segment}ms", "--quiet"], check=True)


def write_transport_streams(folder, seconds, segment):
    for quality, picture in enumerate(sorted(folder.glob("q*"))):
        tracks = []
        for track in (picture, folder / "audio"):
            files = [next(track.glob("init*")), *sorted(track.glob("0*.m4s"))]
            tracks.append(track / "whole.mp4")
            tracks[-1].write_bytes(b"".join(file.read_bytes() for file in files))
        # ffmpeg takes the times at which sound is decoded, which are before those at which it is heard.
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", tracks[0], "-itsoffset", str(2 / FRAME_RATE), "-i", tracks[1], "-map", "0:v",
             "-map", "1:a", "-c", "copy", "-avoid_negative_ts", "disabled", "-muxdelay", "0", "-muxpreload", "0",
             "-output_ts_offset", f"{2 ** 33 / 90000 - seconds / 2:.6f}", "-f", "hls", "-hls_time", str(segment / 1000), "-hls_list_size", "0",
             "-start_number", "1", "-hls_ts_options", f"mpegts_start_pid={256 + 16 * quality}", "-hls_segment_filename",
             picture / "%05d.ts", picture / "streams.m3u8"], check=True)
        for track in tracks:
            track.unlink()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("segmenter")
    options.add_argument("out", type=pathlib.Path)
    options.add_argument("--seconds", type=int, default=100)
    options.add_argument("--segment", type=int, default=400, help="milliseconds")
    options.add_argument("--size", action="append", help="WxH:RATE, lowest first")
    options.add_argument("--preset", default="ultrafast")
    options.add_argument("--codec", default="h264")
    options.add_argument("--audio-codec", default="aac")
    options.add_argument("--extras", action="store_true", help="another sound, and subtitles")
    options.add_argument("--transport-streams", action="store_true", help="also the same segments of MPEG-TS")
    options = options.parse_args()
    sizes = options.size or ["160x90:200k", "256x144:300k", "320x180:400k", "426x240:600k"]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        shutil.rmtree(options.out, ignore_errors=True)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        if options.extras or options.codec != "h264" or options.audio_codec != "aac":
            encode_all(options, sizes, scratch)
        else:
            package(options, sizes, scratch)
        if options.transport_streams:
            write_transport_streams(options.out, options.seconds, options.segment)


main()
