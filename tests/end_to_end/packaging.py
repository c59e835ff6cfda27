"""What ffmpeg packages for DASH and HLS, in all layouts, for the tests of this folder."""
import re

from lab import must

SECONDS = 16
SOURCE = ["-f", "lavfi", "-i", f"testsrc2=s=320x180:r=25:d={SECONDS}", "-f", "lavfi", "-i", f"sine=440:r=48000:d={SECONDS}"]
PICTURE = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-pix_fmt", "yuv420p"]
SOUND = ["-c:a", "aac", "-ac", "2", "-b:a", "96k"]
LADDER = ["-map", "0:v", "-map", "0:v", "-map", "1:a", "-b:v:0", "300k", "-b:v:1", "600k"]
DASH = ["-f", "dash", "-seg_duration", "2", "-adaptation_sets", "id=0,streams=v id=1,streams=a"]
HLS = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-master_pl_name", "master.m3u8"]
SPLIT = ["-var_stream_map", "v:0,agroup:a v:1,agroup:a a:0,agroup:a"]  # sound in playlists of its own
MIXED = ["-map", "1:a", "-var_stream_map", "v:0,a:0 v:1,a:1"]           # sound in the pictures' segments
LAYOUTS = {  # options, and the manifest
    "dash-template": ([*DASH, "-use_timeline", "0"], "film.mpd"),
    "dash-timeline": ([*DASH, "-use_timeline", "1"], "film.mpd"),
    "dash-list": ([*DASH, "-use_template", "0"], "film.mpd"),
    "dash-single-file": ([*DASH, "-single_file", "1"], "film.mpd"),
    "hls-ts": ([*HLS, *MIXED], "list_%v.m3u8"),
    "hls-fmp4": ([*HLS, *SPLIT, "-hls_segment_type", "fmp4"], "list_%v.m3u8"),
    "hls-single-file": ([*HLS, *SPLIT, "-hls_segment_type", "fmp4", "-hls_flags", "single_file"], "list_%v.m3u8"),
}


def make(folder, options, manifest):
    folder.mkdir(parents=True)
    must("ffmpeg", "-nostdin", "-v", "error", *SOURCE, *LADDER, *PICTURE, *SOUND, *options, folder / manifest)


def of_playlist(playlist):
    """The bytes that a media playlist lists, in order."""
    text = playlist.read_text()
    init = re.search(r'#EXT-X-MAP:URI="([^"]+)"(?:,BYTERANGE="(\d+)@(\d+)")?', text)
    media = (playlist.parent / init[1]).read_bytes() if init else b""
    if init and init[2]:
        media = media[int(init[3]):int(init[3]) + int(init[2])]
    at = {}
    for part in re.finditer(r"#EXTINF[^\n]*\n(?:#EXT-X-BYTERANGE:(\d+)@(\d+)\n)?([^#\n]+)\n", text):
        content = at.setdefault(part[3], (playlist.parent / part[3]).read_bytes())
        media += content[int(part[2]):int(part[2]) + int(part[1])] if part[1] else content
    return media


def of_representation(folder, number):
    """The bytes of a representation in ffmpeg's MPD, by the names that it gives to files."""
    whole = sorted(folder.glob(f"film-stream{number}.*"))
    if whole:
        return whole[0].read_bytes()
    # Of sound there is a rest of some ms, which a template with a fixed duration does not name.
    chunks = sorted(folder.glob(f"chunk-stream{number}-*.m4s"))[:SECONDS // 2]
    parts = [folder / f"init-stream{number}.m4s", *chunks]
    return b"".join(part.read_bytes() for part in parts)
