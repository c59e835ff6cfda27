"""What a player gets that asks for a playlist or for the next part, and when. All is known from the files; nothing is
kept that they do not say."""
import asyncio
import dataclasses
import hashlib
import os
import posixpath

from .folder import PLAYLIST_SUFFIX, resolved
from .playlist_text import hint_of, text_of
from .renditions import Renditions

WAIT_TARGETS = 3  # target durations
LONGEST_WAIT_S = 45  # less than web servers wait for this one
UNFINISHED_S = 1  # that a file may be without an end, while it is written in its place


class Refused(Exception):
    """An answer without a body: its status, and why."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


@dataclasses.dataclass(frozen=True)
class Asked:
    """The delivery directives of a request."""
    sequence: int | None = None
    part: int | None = None
    may_skip: bool = False


@dataclasses.dataclass(frozen=True)
class Answer:
    body: bytes
    etag: str
    target: float
    last: int | None  # of a live playlist: its last whole segment


class Streams:
    def __init__(self, folder, changes):
        self.folder, self.changes, self.renditions = folder, changes, Renditions(folder)
        self.answers = {}  # (path, may skip) to (what it was made of, answer)
        self.waits = {}  # (path, asked) to the task that waits for all who ask so

    async def playlist(self, path, asked):
        """The answer, as soon as the playlist has what is asked for. Refused, if it never will."""
        playlist = await self.complete(path)
        if not playlist.is_live or asked.sequence is None or playlist.has(asked.sequence, asked.part):
            return self.answer(path, asked.may_skip)
        if playlist.is_too_far(asked.sequence, asked.part):
            raise Refused(400, f"segment {asked.sequence} is not soon: the last one is {playlist.last}")
        return await self.together((path, asked), lambda: self.when_listed(path, asked, wait_of(playlist)))

    async def together(self, key, begin):
        """One task for all who wait for the same. It ends by itself, whoever leaves."""
        if key not in self.waits:
            task = self.waits[key] = asyncio.ensure_future(begin())
            task.add_done_callback(lambda done: (self.waits.pop(key), done.cancelled() or done.exception()))
        return await asyncio.shield(self.waits[key])

    async def when_listed(self, path, asked, seconds):
        def is_listed():
            playlist = self.read(path)
            return playlist.is_whole and (not playlist.is_live or playlist.has(asked.sequence, asked.part))
        if not await self.until(is_listed, [path], seconds):
            raise Refused(503, f"no segment {asked.sequence} within {seconds:g} s")
        return self.answer(path, asked.may_skip)

    async def complete(self, path):
        """A playlist that is being written in its place is waited for, not long."""
        await self.until(lambda: self.read(path).is_whole, [path], UNFINISHED_S)
        playlist = self.read(path)
        if not playlist.is_playlist:
            raise Refused(404, "this is no playlist")
        return playlist

    def read(self, path):
        try:
            return self.folder.playlist(path)[1]
        except OSError as error:
            raise Refused(404, "no such file") from error

    async def until(self, is_so, paths, seconds):
        """Waits until it is so; tells whether it is."""
        if is_so():
            return True
        end = asyncio.get_running_loop().time() + seconds
        with self.changes.watch(self.folders_of(paths)) as changed:
            while not is_so():
                left = end - asyncio.get_running_loop().time()
                if left <= 0:
                    return False
                try:
                    await asyncio.wait_for(changed(), left)
                except asyncio.TimeoutError:
                    pass  # one more look
        return True

    def folders_of(self, paths):
        """Where they are, and where links lead."""
        places = [self.folder.path_of(path) for path in paths]
        return {os.path.dirname(os.path.realpath(place)) for place in places} | {
            os.path.realpath(os.path.dirname(place)) for place in places}

    def answer(self, path, may_skip):
        """Made once of each state of the files."""
        try:
            version, playlist = self.folder.playlist(path)
        except OSError as error:
            raise Refused(404, "no such file") from error
        reports, versions = self.renditions.reports(path, playlist) if playlist.is_live and playlist.part_target else ([], [])
        made_of = (version, versions)
        kept = self.answers.get((path, may_skip))
        if kept and kept[0] == made_of:
            return kept[1]
        text = text_of(playlist, reports, may_skip) if playlist.is_live else "\n".join(playlist.lines) + "\n"
        body = text.encode("utf-8", "surrogateescape")
        etag = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
        answer = Answer(body, etag, playlist.target, playlist.last if playlist.is_live else None)
        self.answers[path, may_skip] = made_of, answer
        for key in [key for key in self.answers if key[0] not in self.folder.playlists]:
            del self.answers[key]  # bounded as those are
        return answer

    async def when_there(self, path):
        """Returns when the file is there. Refused, if nobody has said that it comes, or no longer."""
        hinting = self.hinting(path)
        if hinting is None:
            raise Refused(404, "no such file")
        seconds = wait_of(self.read(hinting))

        def is_decided():
            return self.folder.exists(path) or (self.read(hinting).is_whole and not self.hints_at(hinting, path))
        is_there = await self.together(path, lambda: self.until(is_decided, [path, hinting], seconds))
        if not self.folder.exists(path):
            raise Refused(*((404, "no such part") if is_there else (503, f"no such part within {seconds:g} s")))

    def hinting(self, path):
        """The playlist that says that this part comes: beside it, or one folder above."""
        folder = posixpath.dirname(path)
        return next((name for place in dict.fromkeys((folder, posixpath.dirname(folder)))
                     for name in self.renditions.playlists_in(place) if self.hints_at(name, path)), None)

    def hints_at(self, name, path):
        try:
            playlist = self.folder.playlist(name)[1]
        except OSError:
            return False
        if not playlist.is_live:
            return False
        hint = hint_of(playlist)
        return path in [resolved(name, uri) for uri in ([hint] if hint else playlist.hints)]


def wait_of(playlist):
    return min(WAIT_TARGETS * playlist.target, LONGEST_WAIT_S)


def is_playlist_name(path):
    return path.endswith(PLAYLIST_SUFFIX)
