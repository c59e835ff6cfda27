"""A presentation as small as a web server can serve it; nothing can decode it."""
import json
import os

SEGMENT = bytes(range(256)) * 40


def write_presentation(directory):
    bitrate = {"target": 1, "max": 1, "average": 1, "peak": 1}
    track = {"kind": "video", "uri": "low/{n:05}.m4s", "first": 1, "init": {"uri": "low/init.mp4", "bytes": 10240},
             "bytes": [len(SEGMENT)] * 2, "bitrate": bitrate}
    (directory / "low").mkdir()
    for name in ("low/00001.m4s", "low/00002.m4s", "low/init.mp4", "master.m3u8", "manifest.mpd"):
        (directory / name).write_bytes(SEGMENT)
    (directory / "index.json").write_text(json.dumps(
        {"type": "vod", "manifests": {"hls": "master.m3u8", "dash": "manifest.mpd"}, "tracks": [track]}))
    for path in directory.rglob("*"):
        os.utime(path, (1e9, 1e9))  # Apache's ETags are weak until a file is a second old
