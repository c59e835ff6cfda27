"""Playlists of a live stream: whether the server does what they state (Low-Latency HLS)."""
import re
import urllib.parse

from .exchange import SILENCE_S, Silence, without_secrets
from .findings import Skipped
from .live.media_playlist import MediaPlaylist
from .live.playlist_text import skipped_segments


class Stream:
    """A media playlist of the presentation, at `path`."""

    def __init__(self, presentation):
        self.server = presentation.server
        self.path = next((path for path in presentation.manifests if path.partition("?")[0].endswith(".m3u8")), None)
        if self.path is None:
            raise Skipped("there is no playlist")
        playlist = self.read()
        if variants := [uri for uri in playlist.variants if uri]:
            self.path = self.path_of(variants[0])
            playlist = self.read()
        if not playlist.is_live:
            raise Skipped("only live streams have it")
        self.playlist = playlist

    def path_of(self, uri):
        parts = urllib.parse.urlsplit(urllib.parse.urljoin(self.path, uri))
        if parts.netloc:
            raise Skipped(f"{without_secrets(uri)} is on another server")
        return urllib.parse.quote(parts.path, safe="%/:=&~+!$,;'@()*") + (f"?{parts.query}" if parts.query else "")

    def ask(self, **directives):
        words = "&".join(f"_HLS_{name}={value}" for name, value in directives.items() if value is not None)
        return self.server.ask(self.path + ("&" if "?" in self.path else "?") * bool(words) + words)

    def read(self):
        return MediaPlaylist(self.ask().body.decode("utf-8", "replace"))


def blocking_playlists(presentation, _):
    stream = Stream(presentation)
    stated = stream.playlist.control
    if stated.get("CAN-BLOCK-RELOAD") != "YES":
        raise Skipped("playlists have parts, but nothing holds requests; see tributary-origin live"
                      if stream.playlist.part_target else "no playlist states CAN-BLOCK-RELOAD")
    problems = waiting(stream) + hinted(stream)
    if "CAN-SKIP-UNTIL" in stated:
        problems += skipping(stream)
    return problems, f"part target {stream.playlist.part_target:g} s" if stream.playlist.part_target else ""


def waiting(stream):
    playlist = stream.playlist
    sequence, part = playlist.last + 1, len(playlist.open_parts) if playlist.part_target else None
    what = f"_HLS_msn={sequence}" + (f"&_HLS_part={part}" if part is not None else "")
    try:
        answer = stream.ask(msn=sequence, part=part)
    except Silence:
        return [f"CAN-BLOCK-RELOAD=YES is stated, but {what} is not answered within {SILENCE_S} s"]
    if answer.status != 200:
        return [f"CAN-BLOCK-RELOAD=YES is stated, but {what} is answered with {answer.status}"]
    if not MediaPlaylist(answer.body.decode("utf-8", "replace")).has(sequence, part):
        return [f"CAN-BLOCK-RELOAD=YES is stated, but {what} is answered before that is there"]
    return []


def hinted(stream):
    """A hint may turn out wrong. Then it does not stand there afterwards."""
    playlist = stream.read()
    if not playlist.hints:
        return []
    hint = playlist.hints[0]
    try:
        status = stream.server.ask(stream.path_of(hint)).status
    except Silence:
        return [f"EXT-X-PRELOAD-HINT names {without_secrets(hint)}, but it is not answered within {SILENCE_S} s"]
    after = stream.read()
    listed = after.hints + [part.uri for parts in (after.open_parts, *(s.parts for s in after.segments)) for part in parts]
    return [f"EXT-X-PRELOAD-HINT names {without_secrets(hint)}, but it is answered with {status} instead of held"] if (
        status >= 400 and hint in listed) else []


def skipping(stream):
    update = stream.ask(skip="YES").body.decode("utf-8", "replace")
    is_update = re.search(r"^#EXT-X-SKIP:", update, re.MULTILINE)
    return ["CAN-SKIP-UNTIL is stated, but _HLS_skip=YES brings the whole playlist"] if (
        not is_update and skipped_segments(MediaPlaylist(update))) else []


CHECKS = {"blocking playlists": blocking_playlists}
