"""An origin that gives ranges only to one user, and only with one field. Usage: guarded_origin.py PORT FOLDER."""
import base64
import http.server
import pathlib
import re
import sys

PORT, FOLDER = int(sys.argv[1]), pathlib.Path(sys.argv[2])
USER = "Basic " + base64.b64encode(b"me:it is: ").decode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.headers.get_all("Authorization") != [USER] or self.headers.get_all("X-Key") != ["k"]:
            self.send_error(401)
            return
        body = (FOLDER / self.path.lstrip("/")).read_bytes()
        begin, end = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers["Range"]).groups()
        part = body[int(begin):int(end) + 1 if end else None]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {begin}-{int(begin) + len(part) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(part)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("", PORT), Handler).serve_forever()
