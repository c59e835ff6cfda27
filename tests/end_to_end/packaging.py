"""What ffmpeg packages for DASH and HLS, in all layouts, for the tests of this folder."""
import csv
import re

from lab import ORIGIN, must

SECONDS = 16


def source_of(seconds, picture="testsrc2=s=320x180:r=25", sound="sine=440:r=48000"):
    return ["-f", "lavfi", "-i", f"{picture}:d={seconds}", "-f", "lavfi", "-i", f"{sound}:d={seconds}"]


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


def make(folder, options, manifest, made_of=source_of(SECONDS)):
    folder.mkdir(parents=True)
    must("ffmpeg", "-nostdin", "-v", "error", *made_of, *LADDER, *PICTURE, *SOUND, *options, folder / manifest)


FILM, BREAK = 6, 4  # seconds of the pieces below: the film, a break with other pictures and sound, and the film again
PIECES = {"film": source_of(FILM), "break": source_of(BREAK, "smptehdbars=s=640x360:r=25", "sine=880:r=44100")}
JOINED = [("film", FILM), ("break", BREAK), ("film", FILM)]


def flashing(seconds, size, rate):
    """A white picture and a tone for the first fifth of each second."""
    now = "lt(mod(t\\,1)\\,0.2)"
    return ["-f", "lavfi", "-i", f"color=black:s={size}:r=25:d={seconds},drawbox=color=white:t=fill:enable={now}",
            "-f", "lavfi", "-i", f"aevalsrc=0.5*sin(2*PI*1000*t)*{now}:s={rate}:d={seconds}"]


FLASHING = {"film": flashing(FILM, "320x180", 48000), "break": flashing(BREAK, "640x360", 44100)}


def make_periods(folder, pieces=PIECES):
    """An MPD of three periods."""
    text, periods = "", []
    for piece, made_of in pieces.items():
        make(folder / piece, *LAYOUTS["dash-timeline"], made_of)
    for piece, seconds in JOINED:
        text = (folder / piece / "film.mpd").read_text()
        period = re.search(r"<Period[^>]*>(.*)</Period>", text, re.S)[1]
        periods.append(f'<Period duration="PT{seconds}S"><BaseURL>{piece}/</BaseURL>{period}</Period>')
    head = re.sub(r'mediaPresentationDuration="[^"]*"', "", text[:text.index("<Period")])
    (folder / "film.mpd").write_text(head + "".join(periods) + "</MPD>")


def make_discontinuities(folder, pieces=PIECES, layout="hls-fmp4"):
    """Playlists with two discontinuities."""
    for piece, made_of in pieces.items():
        make(folder / piece, *LAYOUTS[layout], made_of)
    for number in range(len(list((folder / "film").glob("list_*.m3u8")))):
        joined = []
        for piece, _ in JOINED:
            text = (folder / piece / f"list_{number}.m3u8").read_text()
            text = re.sub(r"^(?!#)(.+)$|(?<=URI=\")", lambda at: f"{piece}/{at[1] or ''}", text, flags=re.M)
            joined.append(re.search(r"#(EXT-X-MAP|EXTINF).*\n(?=#EXT-X-ENDLIST)", text, re.S)[0])
        (folder / f"list_{number}.m3u8").write_text("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n"
                                                    + "#EXT-X-DISCONTINUITY\n".join(joined) + "#EXT-X-ENDLIST\n")
    (folder / "master.m3u8").write_text((folder / "film" / "master.m3u8").read_text())


NOWHERE = [f"http://{ORIGIN}:9/", "gone/"]  # nobody listens there; nothing is there
COPIES = ["first/", "second/"]


def make_dash_copies(folder):
    """An MPD with four BaseURLs."""
    for place in COPIES:
        make(folder / place, *LAYOUTS["dash-timeline"])
    places = "".join(f"<BaseURL>{place}</BaseURL>" for place in NOWHERE + COPIES)
    (folder / "film.mpd").write_text((folder / "first/film.mpd").read_text().replace("<Period", places + "<Period", 1))


def make_hls_copies(folder):
    """Redundant variants, with a group of sounds for each place."""
    for place in COPIES:
        make(folder / place, *LAYOUTS["hls-fmp4"])
    lines = []
    for place in NOWHERE + COPIES:
        text = re.sub('(GROUP-ID|AUDIO)="[^"]*"', f'\\1="{place}"', (folder / "first/master.m3u8").read_text())
        lines += re.sub(r'(?<=URI=")|^(?=[^#\n])', place, text, flags=re.M).splitlines()[2 if lines else 0:]
    (folder / "master.m3u8").write_text("\n".join(lines))


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


def of_representation(folder, number, seconds=SECONDS):
    """The bytes of a representation in ffmpeg's MPD, by the names that it gives to files."""
    whole = sorted(folder.glob(f"film-stream{number}.*"))
    if whole:
        return whole[0].read_bytes()
    # Of sound there is a rest of some ms, which a template with a fixed duration does not name.
    chunks = sorted(folder.glob(f"chunk-stream{number}-*.m4s"))[:seconds // 2]
    parts = [folder / f"init-stream{number}.m4s", *chunks]
    return b"".join(part.read_bytes() for part in parts)


SHORT = 8  # seconds
FRAMES = 25 * SHORT
SHORT_PICTURE = ["-f", "lavfi", "-i", f"testsrc2=s=320x180:r=25:d={SHORT}"]
SHORT_SOUND = ["-f", "lavfi", "-i", f"sine=440:r=48000:d={SHORT}"]
ONE = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"]
WRAP = ["-output_ts_offset", str(2**33 / 90000 - 5.5)]  # ffmpeg adds some more: times begin again after about four seconds
# What no manifest describes: media playlists alone, without a word about codecs. Options, and the pictures in them.
BARE = {
    "ts": ([*SHORT_PICTURE, *SHORT_SOUND, *PICTURE, "-bf", "2", *SOUND, *ONE], FRAMES),
    "ts-wraps": ([*SHORT_PICTURE, *SHORT_SOUND, *PICTURE, "-bf", "2", *SOUND, *WRAP, *ONE], FRAMES),
    "ts-hevc-ac3": ([*SHORT_PICTURE, *SHORT_SOUND, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "keyint=50:log-level=none",
                     "-c:a", "ac3", *ONE], FRAMES),
    "fmp4-mixed": ([*SHORT_PICTURE, *SHORT_SOUND, *PICTURE, "-bf", "2", *SOUND, *ONE, "-hls_segment_type", "fmp4"], FRAMES),
    "fmp4-mixed-eac3": ([*SHORT_PICTURE, *SHORT_SOUND, *PICTURE, "-c:a", "eac3", *ONE, "-hls_segment_type", "fmp4"], FRAMES),
    "radio-ts": ([*SHORT_SOUND, *SOUND, *ONE], 0),
    "radio-fmp4": ([*SHORT_SOUND, *SOUND, *ONE, "-hls_segment_type", "fmp4"], 0),
    "radio-fmp4-ac3": ([*SHORT_SOUND, "-c:a", "ac3", *ONE, "-hls_segment_type", "fmp4"], 0),
    "radio-fmp4-eac3": ([*SHORT_SOUND, "-c:a", "eac3", *ONE, "-hls_segment_type", "fmp4"], 0),
    "radio-fmp4-mp3": ([*SHORT_SOUND, "-c:a", "libmp3lame", *ONE, "-hls_segment_type", "fmp4"], 0),
    "fmp4-mixed-vp9": ([*SHORT_PICTURE, *SHORT_SOUND, *SOUND, "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "50", *ONE, "-hls_segment_type", "fmp4"],
                 FRAMES),
}
PACKED = {"aac": "aac", "mp3": "libmp3lame", "ac3": "ac3", "eac3": "eac3"}  # suffixes, and encoders


def make_bare(folder, options):
    folder.mkdir(parents=True)
    must("ffmpeg", "-nostdin", "-v", "error", *options, folder / "film.m3u8")


def make_encrypted(folder):
    """The same with AES-128."""
    folder.mkdir(parents=True)
    (folder / "key").write_bytes(b"0123456789abcdef")
    (folder / "key.info").write_text(f"key\n{folder / 'key'}\n")
    must("ffmpeg", "-nostdin", "-v", "error", *BARE["ts"][0], "-hls_key_info_file", folder / "key.info", folder / "film.m3u8")


def time_tag(seconds):
    """The tag of ID3 that says when packed audio begins."""
    body = b"com.apple.streaming.transportStreamTimestamp\0" + (round(seconds * 90000) % 2**33).to_bytes(8, "big")
    frame = b"PRIV" + len(body).to_bytes(4, "big") + b"\0\0" + body
    return b"ID3\4\0\0\0\0\0" + bytes([len(frame)]) + frame


def make_packed(folder, suffix, encoder, tagged=True):
    """Pictures of MPEG-TS whose times wrap, and packed audio beside them: film.m3u8, and sound.m3u8 for the sound alone."""
    make_bare(folder, [*SHORT_PICTURE, *PICTURE, "-bf", "2", *WRAP, *ONE])
    (folder / "film.m3u8").rename(folder / "picture.m3u8")
    zero = float(must("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "format=start_time", "-of", "csv=p=0",
                      folder / "film0.ts"))
    must("ffmpeg", "-nostdin", "-v", "error", *SHORT_SOUND, "-c:a", encoder, "-write_xing", "0", "-id3v2_version", "0", "-f", "segment",
         "-segment_format", {"aac": "adts"}.get(suffix, suffix), "-segment_time", "2", "-segment_list", folder / "sound.csv",
         folder / f"sound%d.{suffix}")
    lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:3"]
    for name, begin, end in csv.reader((folder / "sound.csv").read_text().splitlines()):
        segment = folder / name
        if tagged:
            segment.write_bytes(time_tag(zero + float(begin)) + segment.read_bytes())
        lines += [f"#EXTINF:{float(end) - float(begin):.6f},", name]
    (folder / "sound.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST", ""]))
    (folder / "film.m3u8").write_text('#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="sound",DEFAULT=YES,URI="sound.m3u8"\n'
                                      '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=320x180,AUDIO="a"\npicture.m3u8\n')
