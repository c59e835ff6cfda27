"""What our readers list of a manifest, as addresses: list_mpd, list_playlist and list_index read, this module resolves."""
import dataclasses
import json
import pathlib
import subprocess
import urllib.parse


@dataclasses.dataclass
class Part:
    """A file, or bytes of it, that a manifest lists."""
    address: str
    range: tuple | None  # begin and end, end excluded; an end of None is that of the file
    what: str  # "video V300"
    role: str = "segment"  # or "init", "index"
    start: float | None = None  # seconds since the start of the period
    duration: float | None = None
    offset: float = 0.0  # seconds on the timeline of the media at which the period begins
    key: dict | None = None


class Refused(Exception):
    """A reader refused a manifest; the text is its reason."""


def read(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1) or not done.stdout.endswith("}\n"):
        raise RuntimeError(f"{pathlib.Path(program).name} ended with {done.returncode}: {done.stderr[-2000:]}")
    listed = json.loads(done.stdout)
    if "refused" in listed:
        raise Refused(listed["refused"])
    return listed


def read_mpd(programs, path, at=None):
    return read(programs / "list_mpd", "--json", *(["--at", at] if at else []), path)


def read_playlist(programs, path):
    return read(programs / "list_playlist", "--json", path)


def read_index(programs, path, begin, end):
    return read(programs / "list_index", path, begin, end)["references"]


def resolved(base, levels):
    """The preferred address: the first BaseURL of each level."""
    for urls in levels:
        if urls and urls[0]:
            base = urllib.parse.urljoin(base, urls[0])
    return base


def part_of(base, stated, what, role, **more):
    address = urllib.parse.urljoin(base, stated["uri"]) if stated["uri"] else base
    return Part(address, tuple(stated["range"]) if stated["range"] else None, what, role, **more)


def parts_of_representation(base, kind, one):
    what = f"{kind} {one['id']}"
    init = [part_of(base, one["init"], what, "init")] if one["init"] else []
    if "index" in one:
        return [*init, part_of(base, one["index"], what, "index")]
    return init + [part_of(base, each, what, "segment", start=each["start"], duration=each["duration"],
                           offset=one["offset"], key=None) for each in one["segments"]]


def tracks_of_mpd(mpd, address):
    """For each representation of each period: the period, the set, the representation and its parts."""
    for period in mpd["periods"]:
        for group in period["sets"]:
            for one in group["representations"]:
                base = resolved(address, [mpd["bases"], period["bases"], group["bases"], one["bases"]])
                yield period, group, one, parts_of_representation(base, group["kind"], one)


def parts_of_playlist(playlist, address):
    parts, start, inits = [], 0.0, []
    for each in playlist["segments"]:
        if "init" in each and each["init"] not in inits:
            inits.append(each["init"])
            parts.append(part_of(address, each["init"], "", "init", key=each["key"]))
        parts.append(part_of(address, each, "", "segment", start=start, duration=each["duration"], key=each["key"]))
        start += each["duration"]
    return parts


def playlists_of(multivariant, address):
    """The addresses of all media playlists that a multivariant playlist names."""
    named = [*multivariant["variants"], *multivariant["i_frame_variants"], *multivariant["image_variants"],
             *(each for each in multivariant["renditions"] if each["uri"])]
    return list(dict.fromkeys(urllib.parse.urljoin(address, each["uri"]) for each in named))
