"""Where the files of a presentation are, by its index.json."""
import json
import re
import urllib.parse

from .exchange import Server, UnusableUrl


class Presentation:
    """The server, and paths on it: `index`, `manifests`, `media` (one file of media), and `files` of every kind."""

    def __init__(self, url, authorities=None):
        if not url.endswith(".json"):
            url = url.rstrip("/") + "/index.json"
        self.url = url
        self.server = Server(url, authorities)
        self.index = urllib.parse.urlsplit(url).path or "/"
        index = self.read_index()
        try:
            self.manifests = [self.path(name) for name in index.get("manifests", {}).values()]
            tracks = index["tracks"]
            self.media = self.last_segment(next((t for t in tracks if t["kind"] == "video"), tracks[0]))
            self.files = [self.index, *self.manifests]
            for track in tracks:
                self.files.append(self.last_segment(track))
                if "init" in track:
                    self.files.append(self.path(track["init"]["uri"]))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise UnusableUrl(f"{url} is not the index of a presentation: {error!r}") from error

    def read_index(self):
        try:
            response = self.server.ask(self.index)
        except OSError as error:
            raise UnusableUrl(f"cannot ask {self.server.host} port {self.server.port}: {error}") from error
        if response.status != 200:
            elsewhere = response.header("Location")
            raise UnusableUrl(f"{self.url}: the server answers {response.status}" +
                              (f"; give the address that it names: {elsewhere}" if elsewhere else ""))
        try:
            return json.loads(response.body)
        except ValueError as error:
            raise UnusableUrl(f"{self.url} is no JSON: {error}") from error

    def path(self, name):
        return urllib.parse.urljoin(self.index, name)

    def last_segment(self, track):
        """The last that is listed: the last to disappear from a live presentation."""
        number = track["first"] + len(track["bytes"]) - 1
        uri = re.sub(r"\{n(?::0(\d))?\}", lambda width: str(number).zfill(int(width[1] or 1)), track["uri"])
        return self.path(uri)

    def missing(self):
        """A name of media that does not exist."""
        return self.path(re.sub(r"(\.\w+)$", r"-there-is-no-such-file\1", self.media))
