"""An origin with one object and its own ways with ranges, by the path. Usage: odd_origin.py PORT FILE.

/named/NAME           calls the object NAME (Content-Disposition)
"""
import contextlib
import http.server
import pathlib
import re
import sys
import urllib.parse

PORT, OBJECT = int(sys.argv[1]), pathlib.Path(sys.argv[2]).read_bytes()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        kind, *words = self.path.lstrip("/").split("/")
        if not asked:
            return self.answer(200, OBJECT)
        begin, end = int(asked[1]), min(int(asked[2] or len(OBJECT)) + 1, len(OBJECT))
        getattr(self, kind)(begin, end, *map(urllib.parse.unquote, words))

    def named(self, begin, end, name):
        self.part(begin, end, Content_Disposition=f"attachment; filename=\"{name}\"")

    def part(self, begin, end, total=len(OBJECT), **fields):
        self.answer(206, OBJECT[begin:end], Content_Range=f"bytes {begin}-{end - 1}/{total}", **fields)

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in {"ETag": '"1"', "Content-Length": len(body), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # whoever asked has enough
            self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("", PORT), Handler)
print("ready", flush=True)
server.serve_forever()
