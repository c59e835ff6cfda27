"""Which playlists belong together: those of one title, for the reports that each has of the others."""
import posixpath
import time
import urllib.parse

from .folder import resolved

SEARCH_AGAIN_S = 2
SEARCHED_FOLDERS = 1000
MOST_RENDITIONS = 100


class Renditions:
    def __init__(self, folder):
        self.folder = folder
        self.searches = {}  # folder to (time, its playlists)

    def reports(self, path, playlist):
        """Of each other rendition, its URI and playlist, and the version of that."""
        uris = playlist.reports or [uri for uri, name in self.others(path).items() if name != path]
        reports, versions = [], []
        for uri in uris[:MOST_RENDITIONS]:
            name = resolved(path, uri)
            try:
                version, other = self.folder.playlist(name) if name else (None, None)
            except OSError:
                version, other = None, None
            if other is not None and not (other.is_media and other.segments):
                other = None
            reports.append((uri, other))
            versions.append(version)
        return reports, versions

    def others(self, path):
        """By a playlist of playlists, in the same folder or the one above, that names this one: URIs as they are written
        in `path`, and paths."""
        for folder in dict.fromkeys((posixpath.dirname(path), posixpath.dirname(posixpath.dirname(path)))):
            for name in self.playlists_in(folder):
                try:
                    variants = self.folder.playlist(name)[1].variants
                except OSError:
                    continue
                paths = [resolved(name, uri) for uri in variants if uri]
                if path in paths:
                    base = posixpath.dirname(path)
                    return {urllib.parse.quote(posixpath.relpath(other, base or ".")): other
                            for other in dict.fromkeys(paths) if other}
        return {}

    def playlists_in(self, folder):
        """Searched now and then only: a folder may have very many files."""
        now = time.monotonic()
        when, names = self.searches.get(folder, (None, None))
        if when is None or now - when > SEARCH_AGAIN_S:
            names = self.folder.playlists_in(folder)
            if len(self.searches) >= SEARCHED_FOLDERS:
                self.searches.clear()
            self.searches[folder] = now, names
        return names
