"""Files below one folder, whatever is asked for: none outside of it, none that is no file, and bounded memory."""
import collections
import os
import posixpath
import stat
import urllib.parse

from .media_playlist import MediaPlaylist

LARGEST_PLAYLIST = 4_000_000
KEPT_PLAYLISTS = 512
KEPT_BYTES = 32_000_000  # of text; what is known of it takes several times as much
MOST_ENTRIES = 20_000  # of a folder that is searched for playlists
MOST_NAMES = 32
PLAYLIST_SUFFIX = ".m3u8"


class OpenFile:
    """A regular file; `version` changes with its content."""

    def __init__(self, descriptor, status):
        self.descriptor, self.status = descriptor, status
        self.size = status.st_size
        self.version = version_of(status)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.descriptor)

    def read(self, begin, size):
        return os.pread(self.descriptor, size, begin)


def version_of(status):
    return status.st_ino, status.st_size, status.st_mtime_ns


def resolved(base, uri):
    """The path of a URI that stands in the file `base`, or None if it is elsewhere. Both are relative to the folder."""
    try:
        parts = urllib.parse.urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme or parts.netloc or not parts.path:
        return None
    path = posixpath.normpath(posixpath.join("/", posixpath.dirname(base), urllib.parse.unquote(parts.path)))
    return path.lstrip("/")


class Folder:
    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.playlists = collections.OrderedDict()  # path to (version, size, playlist)
        self.bytes = 0

    def path_of(self, name):
        return os.path.join(self.root, name)

    def open(self, name):
        """OSError if it is not there, or not below the folder."""
        if "\0" in name or any(part in ("", ".", "..") for part in name.split("/")):
            raise FileNotFoundError(name)
        descriptor = os.open(self.path_of(name), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        status = os.fstat(descriptor)
        # The file that is open is looked at, so that nobody can put a link in its place after the look.
        place = os.readlink(f"/proc/self/fd/{descriptor}")
        if not stat.S_ISREG(status.st_mode) or not place.startswith(self.root.rstrip("/") + "/"):
            os.close(descriptor)
            raise FileNotFoundError(name)
        return OpenFile(descriptor, status)

    def exists(self, name):
        try:
            self.open(name).__exit__()
            return True
        except OSError:
            return False

    def playlist(self, name):
        """(version, playlist): read once for each version of the file. OSError as of open()."""
        kept = self.playlists.get(name)
        if kept and kept[0] == version_of(os.stat(self.path_of(name))):
            self.playlists.move_to_end(name)
            return kept[0], kept[2]
        with self.open(name) as file:
            if file.size > LARGEST_PLAYLIST:
                raise OSError(f"{name} is longer than {LARGEST_PLAYLIST} bytes")
            text = file.read(0, LARGEST_PLAYLIST).decode("utf-8", "surrogateescape")
        self.keep(name, file.version, len(text), MediaPlaylist(text))
        return file.version, self.playlists[name][2]

    def keep(self, name, version, size, playlist):
        self.forget(name)
        self.playlists[name] = version, size, playlist
        self.bytes += size
        while len(self.playlists) > KEPT_PLAYLISTS or (self.bytes > KEPT_BYTES and len(self.playlists) > 1):
            self.forget(next(iter(self.playlists)))

    def forget(self, name):
        if name in self.playlists:
            self.bytes -= self.playlists.pop(name)[1]

    def playlists_in(self, directory):
        """Names of the playlists in a folder, of not too many."""
        names = []
        try:
            with os.scandir(self.path_of(directory)) as entries:
                for count, entry in enumerate(entries):
                    if entry.name.endswith(PLAYLIST_SUFFIX):
                        names.append(posixpath.join(directory, entry.name))
                    if count > MOST_ENTRIES or len(names) == MOST_NAMES:
                        break
        except OSError:
            pass
        return names
