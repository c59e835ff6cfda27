"""The files of the page, and behind them a proxy that only pretends: it sends the status that a test sets, and notes what is
posted. By hand: fake_proxy.py PAGE_DIR [PORT [PLAYERS_DIR]] shows the page with links that come and go."""
import copy
import http.server
import json
import math
import pathlib
import random
import sys
import threading
import time

# As the proxy sends it.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' data:; media-src 'self' blob:; "
          "img-src 'self' data:; worker-src blob:")
TOKEN = "0123456789abcdef0123456789abcdef"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
PLAYERS = {"hls.js": "hls.min.js", "dash.js": "dash.all.min.js"}
NOTHING = {"version": "0.1.0", "titles": [], "links": [], "waits": []}


def title(number, name="master.m3u8", **more):
    address = f"https://example.org/film-{number}/{name}"
    return {"number": number, "name": name, "address": address, "kind": "hls", "live": False, "players": 1, "bytes": 123456,
            "local": f"http://127.0.0.1:40000/{TOKEN}/{number}/0/film-{number}/{name}", "error": "", "not_led": "", **more}


def link(name, kind, **more):
    return {"name": name, "kind": kind, "use": "use", "activity": "used", "why": "", "rate_kbit_s": 4200.0, "share": 0.5,
            "bytes": 1234567, "cost": "free", "price_per_mb": None, "money": None, "cap_bytes": None, "used_bytes": None,
            **more}


class FakeProxy:
    """Serves on 127.0.0.1 within a `with`; `port` 0 takes any."""

    def __init__(self, folder, port=0, players=None):
        self.folder, self.players = pathlib.Path(folder), players and pathlib.Path(players)
        self.status = copy.deepcopy(NOTHING)
        self.posted = []  # (path, what)
        self.answers = {}  # path: (status, what)
        self.texts = {}  # path: what is there, beside the page
        self.asked = []  # of these
        self.changed = threading.Condition()
        self.ending = False
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                proxy.get(self)

            def do_HEAD(self):
                proxy.get(self)

            def do_POST(self):
                proxy.post(self)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/{TOKEN}/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        with self.changed:
            self.ending = True
            self.changed.notify_all()
        self.server.shutdown()
        self.server.server_close()

    def show(self, **status):
        """What the next event says, which comes at once."""
        with self.changed:
            self.status = {**self.status, **status}
            self.changed.notify_all()

    def get(self, request):
        name = request.path.removeprefix(f"/{TOKEN}/")
        file = self.folder / (name or "index.html")
        if name == "events":
            self.send_events(request)
        elif name in self.texts:
            self.asked.append(name)
            self.answer(request, 200, self.texts[name].encode())
        elif file.parent == self.folder and file.suffix in TYPES and file.exists():
            self.answer(request, 200, file.read_bytes(), TYPES[file.suffix])
        elif name in PLAYERS and self.players and (self.players / PLAYERS[name]).exists():
            self.answer(request, 200, (self.players / PLAYERS[name]).read_bytes(), "text/javascript; charset=utf-8")
        else:
            self.answer(request, 404, b"")

    def post(self, request):
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        path = request.path.removeprefix(f"/{TOKEN}/")
        self.posted.append((path, body))
        status, said = self.answers.get(path, (200, {}))
        if callable(said):
            said = said(body)
        self.answer(request, status, json.dumps(said).encode(), "application/json")

    def answer(self, request, status, body, kind="text/plain"):
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.send_header("Content-Security-Policy", POLICY)
        request.send_header("Cache-Control", "no-store")
        request.send_header("Connection", "close")  # none is left when the proxy ends
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(body)

    def send_events(self, request):
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Connection", "close")
        request.end_headers()
        try:
            while not self.ending:
                with self.changed:
                    text = json.dumps(self.status)
                request.wfile.write(f"event: status\ndata: {text}\n\n".encode())
                request.wfile.flush()
                with self.changed:
                    self.changed.wait_for(lambda: self.ending or json.dumps(self.status) != text, timeout=1)
        except OSError:
            pass  # the page was closed
        request.close_connection = True


def example(seconds):
    """Two films over four links, `seconds` after the beginning."""
    wifi = 5200 + 1400 * math.sin(seconds / 6) + random.uniform(-400, 400)
    lte = 2600 + 900 * math.sin(seconds / 4 + 1) + random.uniform(-300, 300)
    both = wifi + lte
    return {
        "titles": [title(1, bytes=int(1e8 + 1e6 * seconds)),
                   title(2, "manifest.mpd", kind="dash", live=True, players=2, bytes=48_200_000)],
        "links": [
            link("wlan0", "wifi", rate_kbit_s=wifi, share=wifi / both, bytes=int(7.1e7 + 6e5 * seconds)),
            link("wwan0", "cellular", rate_kbit_s=lte, share=lte / both, bytes=int(3e7 + 3e5 * seconds), cost="metered",
                 cap_bytes=500_000_000, used_bytes=int(3.1e8 + 3e5 * seconds), use="when-needed",
                 why="The free links do not bring segment 42 before it is due."),
            link("usb0", "ethernet", activity="standby", use="when-needed", rate_kbit_s=0, share=0, bytes=1_900_000,
                 cost="paid", price_per_mb=0.01, money=0.019),
            link("eth0", "ethernet", activity="avoided", rate_kbit_s=0, share=0, bytes=0,
                 why="It was silent for 2 s, and is tried again in 4 s."),
        ],
        "waits": [{"at": "14:01:02", "title": 2, "seconds": 0.4,
                   "why": "The live stream was published late; no link was too slow."},
                  {"at": "14:03:11", "title": 1, "seconds": 1.2,
                   "why": "Wi-Fi wlan0 was silent for 2 s, and LTE wwan0 alone brings 2.6 Mbit/s."}],
    }


if __name__ == "__main__":
    with FakeProxy(sys.argv[1], int((sys.argv[2:] or ["8000"])[0]), (sys.argv[3:] or [None])[0]) as fake:
        print(fake.url, flush=True)
        began = time.monotonic()
        while True:
            fake.show(**example(time.monotonic() - began))
            time.sleep(1)
