"""Where the files of a presentation are, by its index.json."""
import json
import re
import urllib.parse

from .exchange import ProtocolError, Server, UnusableUrl, without_secrets

NAME = re.compile(r"[\w.~!$&'()*+,;=@/%-]+", re.ASCII)  # of a file below the index


class Presentation:
    """The server, and paths on it: `index`, `manifests`, `media` (one file of media), and `files` of every kind."""

    def __init__(self, server, url):
        parts = urllib.parse.urlsplit(url)
        path = parts.path if parts.path.endswith(".json") else parts.path.rstrip("/") + "/index.json"
        self.url = without_secrets(parts._replace(path=path).geturl())
        self.server = server
        self.index = urllib.parse.quote(path, safe="%/:=&~+!$,;'@()*") + (f"?{parts.query}" if parts.query else "")
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
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise UnusableUrl(f"{self.url} is not the index of a presentation: {error!r}") from error

    def read_index(self):
        response = self.server.ask(self.index)
        if response.status != 200:
            elsewhere = response.header("Location")
            raise UnusableUrl(f"{self.url}: the server answers {response.status}" +
                              (f"; give the address that it names: {without_secrets(elsewhere)}" if elsewhere else ""))
        if not response.is_whole:
            raise ProtocolError(f"the index does not end within {response.length} bytes")
        try:
            return json.loads(response.body)
        except ValueError as error:
            raise UnusableUrl(f"{self.url} is no JSON: {error}") from error
        except RecursionError as error:
            raise UnusableUrl(f"{self.url} is no index: it has too many lists within lists") from error

    def path(self, name):
        if not NAME.fullmatch(name) or name.startswith("/"):
            raise ValueError(f"{name!r} is no name of a file below it")
        return urllib.parse.urljoin(self.index, name)

    def last_segment(self, track):
        """The last that is listed: the last to disappear from a live presentation."""
        number = track["first"] + len(track["bytes"]) - 1
        if not isinstance(number, int) or not 0 <= number < 1 << 63:
            raise ValueError("the number of a segment is none")
        uri = re.sub(r"\{n(?::0(\d))?\}", lambda width: str(number).zfill(int(width[1] or 1)), track["uri"])
        return self.path(uri)

    def missing(self):
        """A name of media that does not exist."""
        return re.sub(r"(\.\w+)$", r"-there-is-no-such-file\1", self.media)
