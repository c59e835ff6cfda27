"""Leads from /object.bin to an address that answers four requests and is refused from then on, as signed addresses are after a while.

Usage: expiring_origin.py ADDRESS PORT FILE.
"""
import collections
import http.server
import pathlib
import re
import sys

ADDRESS, PORT, CONTENT = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]).read_bytes()
ASKED = collections.Counter()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        ASKED[self.path] += 1
        if self.path == "/object.bin":
            return self.answer(302, Location=f"/signed/{ASKED[self.path]}")
        if not self.path.startswith("/signed/") or ASKED[self.path] > 4:
            return self.answer(403, b"expired")
        begin, end = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers["Range"]).groups()
        first, last = int(begin), int(end or len(CONTENT) - 1)
        return self.answer(206, CONTENT[first:last + 1], ETag='"one"', Content_Range=f"bytes {first}-{last}/{len(CONTENT)}")


http.server.ThreadingHTTPServer((ADDRESS, PORT), Handler).serve_forever()
