"""An origin whose titles lead to another place. Usage: luring_origin.py ADDRESS PORT ELSEWHERE LOG.

/WAY/film.m3u8 is a title of short segments. /WAY says how it leads to ELSEWHERE ("http://127.0.0.1:8000"): by the addresses
of its segments, by redirections of them or of the manifest, by a key, in what a live playlist adds, or as a channel of a list. The log gets the path
of each request.
"""
import http.server
import pathlib
import sys

ADDRESS, PORT, ELSEWHERE, LOG = sys.argv[1], int(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4])
SEGMENTS = 3
SEGMENT = bytes(188 * 100)
KEY = bytes(16)


def playlist(*lines, segments=SEGMENTS, folder="", ended=True):
    media = [line for n in range(segments) for line in ("#EXTINF:1,", f"{folder}{n}.ts")]
    return "\n".join(["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", *lines, *media, "#EXT-X-ENDLIST" if ended else "", ""])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen = 0  # live playlists

    def do_GET(self):
        with LOG.open("a") as log:
            log.write(self.path + "\n")
        _, way, name = self.path.split("/", 2)
        if name == "film.m3u8":
            return self.manifest(way)
        if way == "redirections":
            return self.redirect(f"{ELSEWHERE}/plain/{name}")
        self.give(KEY if name == "key" else SEGMENT)

    def manifest(self, way):
        if way == "manifest":
            return self.redirect(f"{ELSEWHERE}/plain/film.m3u8")
        if way == "list":
            return self.give(f"#EXTM3U\n#EXTINF:-1,Own\n/plain/film.m3u8\n#EXTINF:-1,Elsewhere\n{ELSEWHERE}/plain/film.m3u8\n".encode())
        if way == "live":
            Handler.seen += 1
            if Handler.seen > 1:
                return self.redirect(f"{ELSEWHERE}/plain/film.m3u8")
        self.give({"addresses": playlist(folder=f"{ELSEWHERE}/plain/"),
                   "key": playlist(f'#EXT-X-KEY:METHOD=AES-128,URI="{ELSEWHERE}/plain/key"'),
                   "live": playlist(ended=False)}.get(way, playlist()).encode())

    def give(self, body):
        status, part = 200, body
        if asked := self.headers.get("Range"):
            first, last = (int(end) if end else len(body) - 1 for end in asked.removeprefix("bytes=").split("-"))
            status, part = 206, body[first:last + 1]
        self.send_response(status)
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def redirect(self, url):
        self.send_response(302)
        self.send_header("Location", url)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer((ADDRESS, PORT), Handler)
print("listening", flush=True)
server.serve_forever()
