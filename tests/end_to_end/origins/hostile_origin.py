"""An origin on the loopback interface that wants memory of who asks it: /ATTACK/film.m3u8, /ATTACK/N.ts, /ATTACK/file.bin.

The playlist is right, and its segments are short. What a file states, and what comes of it, is the attack's.
"""
import contextlib
import re
import socketserver
import threading
import time

SEGMENTS = 6
BYTES = 200_000
STATED = 6_000_000_000
PLAYLIST = ("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n" +
            "".join(f"#EXTINF:2,\n{n}.ts\n" for n in range(SEGMENTS)) + "#EXT-X-ENDLIST\n").encode()
PIECE = bytes(1 << 20)


def head(status, *fields):
    return "\r\n".join([f"HTTP/1.1 {status}", *fields, "", ""]).encode()


def send_zeros(connection, count):
    for at in range(0, count, len(PIECE)):
        connection.sendall(PIECE[:count - at])


def send_range(connection, asked, total, send):
    first, last = asked
    last = min(last, total - 1)
    connection.sendall(head("206 Partial Content", f"Content-Range: bytes {first}-{last}/{total}", f"Content-Length: {last + 1 - first}"))
    send(last + 1 - first)


def plain(connection, asked):
    """The origin that wants nothing: what others are compared with."""
    if asked:
        return send_range(connection, asked, BYTES, lambda count: connection.sendall(bytes(count)))
    connection.sendall(head("200 OK", f"Content-Length: {BYTES}") + bytes(BYTES))


def stated(connection, asked):
    """Is said to be large, and as much of it comes as was asked for; of all of it, nearly nothing."""
    if asked:
        return send_range(connection, asked, STATED, lambda count: send_zeros(connection, count))
    connection.sendall(head("200 OK", f"Content-Length: {STATED}") + bytes(64_000))
    time.sleep(60)


def endless(connection, _asked):
    """Knows no ranges, and never ends."""
    connection.sendall(head("200 OK", "Transfer-Encoding: chunked"))
    while True:
        connection.sendall(b"%x\r\n%s\r\n" % (len(PIECE), PIECE))


def unmeasured(connection, asked):
    """Knows ranges, but no end of them; thinks about what is behind that end, while the first answer goes on."""
    if not asked:
        return endless(connection, asked)
    first, last = asked
    if first > last:
        time.sleep(1)
    connection.sendall(head("206 Partial Content", f"Content-Range: bytes {first}-{last}/*", f"Content-Length: {last + 1 - first}"))
    send_zeros(connection, last + 1 - first)


def bytewise(connection, asked):
    def one_by_one(count):
        for _ in range(count):
            connection.sendall(b"x")
            time.sleep(.01)
    if asked:
        return send_range(connection, asked, BYTES, one_by_one)
    connection.sendall(head("200 OK", f"Content-Length: {BYTES}"))
    one_by_one(BYTES)


def interim(connection, _asked):
    """Has something to say before it answers, for ever."""
    while True:
        connection.sendall(head("102 Processing", "X-Filler: " + 1000 * "x"))


def extended(connection, _asked):
    """The first chunk has an extension, which does not end."""
    connection.sendall(head("200 OK", "Transfer-Encoding: chunked") + b"1000;")
    while True:
        connection.sendall(b"x" * 65536)


ATTACKS = {attack.__name__: attack for attack in (stated, endless, unmeasured, bytewise, interim, extended)}
ALL = {"plain": plain, **ATTACKS}


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        pending = b""
        with contextlib.suppress(OSError):
            while True:
                while b"\r\n\r\n" not in pending:
                    more = self.request.recv(65536)
                    if not more:
                        return
                    pending += more
                request, pending = pending.split(b"\r\n\r\n", 1)
                self.answer(request.decode("latin-1"))

    def answer(self, request):
        _, attack, name = request.split(" ")[1].split("?")[0].split("/", 2)
        if name.endswith(".m3u8"):
            self.request.sendall(head("200 OK", f"Content-Length: {len(PLAYLIST)}") + PLAYLIST)
            return
        asked = re.search(r"^range: *bytes=(\d+)-(\d*)", request, re.I | re.M)
        ALL[attack](self.request, asked and (int(asked[1]), int(asked[2] or STATED)))


class HostileOrigin:
    def __enter__(self):
        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
            block_on_close = False
            request_queue_size = 64
        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def url(self, attack, name):
        return f"http://127.0.0.1:{self.server.server_address[1]}/{attack}/{name}"
