"""Whether a folder holds what our readers list of its manifests: files, ranges, times, and every picture of the clip."""
import collections
import hashlib
import pathlib
import subprocess
import tempfile
import urllib.parse

import listing

CLIP_SECONDS = 8
TOLERANCE = 0.2  # seconds: sound ends with its last whole frame, and begins before the picture


class Wrong(Exception):
    """A manifest is not read as its files are."""


def expect(holds, text):
    if not holds:
        raise Wrong(text)


def make_clip(path):
    """Two pictures of different sizes, one sound; a key frame each second. Gives the digests of the pictures."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s=320x180:r=25:d={CLIP_SECONDS}", "-f",
                    "lavfi", "-i", f"sine=f=440:r=48000:d={CLIP_SECONDS}", "-filter_complex",
                    "[0:v]split[a][b];[b]scale=160:90[c]", "-map", "[a]", "-map", "[c]", "-map", "1:a", "-c:v", "libx264",
                    "-preset", "ultrafast", "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-b:v:0", "400k",
                    "-b:v:1", "100k", "-c:a", "aac", "-b:a", "64k", path], check=True)
    return {digest_of(path, stream) for stream in (0, 1)}


def digest_of(path, stream=0):
    """Of all pictures, decoded; None: there are none, as of sound."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", path, "-map", f"0:v:{stream}?", "-fps_mode",
                           "passthrough", "-f", "rawvideo", "-"], capture_output=True)
    return hashlib.sha256(done.stdout).hexdigest() if done.stdout else None


def address_of(path):
    return path.resolve().as_uri()


def path_of(address):
    return pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(address).path))


def bytes_of(part):
    path = path_of(part.address)
    expect(path.is_file(), f"{part.what} {part.role}: {path.name} is no file")
    data = path.read_bytes()
    begin, end = part.range or (0, len(data))
    expect(begin < (end or len(data)) <= len(data), f"{part.what}: {part.range} of {path.name}: it has {len(data)} bytes")
    data = data[begin:end]
    return decrypted(data, part.key) if part.key and part.key["method"] == "AES-128" else data


def decrypted(data, key):
    secret = path_of(key["address"]).read_bytes()
    return subprocess.run(["openssl", "enc", "-d", "-aes-128-cbc", "-K", secret.hex(), "-iv", key["iv"]], input=data,
                          check=True, capture_output=True).stdout


def check_tiling(parts):
    """Ranges of one file follow each other up to its end."""
    by_file = collections.defaultdict(list)
    for part in parts:
        if part.range and part.role == "segment":
            by_file[part.address].append(part)
    for address, ranges in by_file.items():
        at = ranges[0].range[0]
        for part in ranges:
            expect(part.range[0] == at, f"{part.what}: the range from {part.range[0]} on follows one until {at}")
            at = part.range[1]
        expect(at == path_of(address).stat().st_size, f"{path_of(address).name}: the ranges end at {at}")


def indexed(programs, part):
    """The segments that an index lists."""
    begin, end = part.range
    references = listing.read_index(programs, path_of(part.address), begin, end)
    first = references[0]["start"]
    return [listing.Part(part.address, tuple(each["range"]), part.what, start=each["start"] - first,
                         duration=each["duration"]) for each in references]


def pictures_in(parts):
    with tempfile.NamedTemporaryFile(prefix="tributary-joined-") as joined:
        for part in parts:
            joined.write(bytes_of(part))
        joined.flush()
        return digest_of(joined.name)


def check_parts(parts, what, *, seconds=CLIP_SECONDS, pictures=None, tiling=True):
    segments = [part for part in parts if part.role == "segment"]
    expect(segments, f"{what}: no segments")
    if tiling:
        check_tiling(parts)
    for part in parts:
        expect(bytes_of(part), f"{what}: no bytes")
    if seconds is not None:
        total = sum(part.duration for part in segments)
        expect(abs(total - seconds) <= TOLERANCE, f"{what}: {total:.3f} s in all")
    if pictures is not None:
        expect(pictures_in(parts) in pictures, f"{what}: other pictures than those of the clip")
    return len(segments)


def check_mpd(programs, path, *, at=None, seconds=CLIP_SECONDS, pictures=None):
    """The number of representations and of segments. `pictures`: the digests that videos may have."""
    mpd = listing.read_mpd(programs, path, at)
    expect(not mpd["left_out"], f"left out: {mpd['left_out']}")
    tracks = segments = 0
    for _, group, one, parts in listing.tracks_of_mpd(mpd, address_of(path)):
        for part in [part for part in parts if part.role == "index"]:
            parts = [each for each in parts if each is not part] + indexed(programs, part)
        counted = pictures if group["kind"] == "video" else None
        what = f"{group['kind']} {one['id']}"
        tracks += 1
        text = group["kind"] in ("text", "image")
        segments += check_parts(parts, what, seconds=None if text else seconds, pictures=counted)
    return tracks, segments


def parts_of_playlist(playlist, path):
    parts = listing.parts_of_playlist(playlist, address_of(path))
    for part in parts:
        if part.key:
            part.key["address"] = urllib.parse.urljoin(address_of(path), part.key["uri"])
    return parts


def check_playlist(programs, path, *, seconds=CLIP_SECONDS, pictures=None):
    """The number of media playlists and of segments, of a multivariant or a media playlist."""
    playlist = listing.read_playlist(programs, path)
    if "variants" in playlist:
        expect(playlist["variants"], "no variants")
        below = [check_playlist(programs, path_of(address), seconds=seconds, pictures=pictures)
                 for address in listing.playlists_of(playlist, address_of(path))]
        return tuple(map(sum, zip(*below)))
    expect(not playlist["unplayable"], playlist["unplayable"])
    parts = parts_of_playlist(playlist, path)
    if path_of(parts[-1].address).suffix == ".vtt":
        return 1, check_parts(parts, path.name, seconds=None)
    only_key_frames = playlist["i_frames_only"]
    counted = None if only_key_frames or pictures_in(parts) is None else pictures  # None: it is sound
    return 1, check_parts(parts, path.name, seconds=seconds, pictures=counted, tiling=not only_key_frames)
