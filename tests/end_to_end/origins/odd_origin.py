"""An origin with one object and its own ways with ranges, by the path. Usage: odd_origin.py PORT FILE.

/named/NAME           calls the object NAME (Content-Disposition)
/unknown/MOST         does not say how long the object is, and brings at most so many bytes of it
/coy/STATUS/MOST      does not say how long the object is, and refuses ranges that are larger
/small/STATUS/MOST    refuses ranges that are larger, and the whole object
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
    disable_nagle_algorithm = True

    def handle(self):
        with contextlib.suppress(ConnectionError):  # whoever asked has enough
            super().handle()

    def do_GET(self):
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        kind, *words = self.path.lstrip("/").split("/")
        if not asked:
            return self.answer(int(words[0])) if kind == "small" else self.answer(200, OBJECT)
        begin, end = int(asked[1]), min(int(asked[2] or len(OBJECT)) + 1, len(OBJECT))
        getattr(self, kind)(begin, end, *map(urllib.parse.unquote, words))

    def named(self, begin, end, name):
        self.part(begin, end, Content_Disposition=f"attachment; filename=\"{name}\"")

    def unknown(self, begin, end, most):
        if begin >= end:
            return self.answer(416)
        self.part(begin, min(end, begin + int(most)), "*")

    def coy(self, begin, end, status, most):
        if begin >= end:
            return self.answer(416)
        if end - begin > int(most):
            return self.answer(int(status))
        self.part(begin, end, "*")

    def small(self, begin, end, status, most):
        if end - begin > int(most):
            return self.answer(int(status))
        self.part(begin, end)

    def part(self, begin, end, total=len(OBJECT), **fields):
        self.answer(206, OBJECT[begin:end], Content_Range=f"bytes {begin}-{end - 1}/{total}", **fields)

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in {"ETag": '"1"', "Content-Length": len(body), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("", PORT), Handler)
print("ready", flush=True)
server.serve_forever()
