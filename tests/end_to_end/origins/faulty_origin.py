"""An origin on the loopback interface that does one thing wrong, always or at first: /FAULT/once/..., /FAULT/always/...

With "once" each range of each file is answered wrongly the first time it is asked for. With "later" the rest of a file is
answered rightly, but cut off, and all other ranges wrongly. The title is plain bytes, and so is
object.bin. What is wrong with ranges (FAULTS) is right without one; WHOLE_FAULTS are wrong with the object in one piece, and
know no ranges. A CHANGE gives out one version of each file for some requests, and another one of the same size from then on.
"""
import asyncio
import gzip
import itertools
import json
import socket
import ssl
import struct
import threading
import time

SEGMENTS = 4
SEGMENT_BYTES = 12_000
CONTENT = {f"low/{n:05}.bin": bytes((n * 31 + i * 7 + (i >> 8)) % 256 for i in range(SEGMENT_BYTES)) for n in range(1, SEGMENTS + 1)}
OBJECT = bytes((i * 13 + (i >> 8) + (i >> 16)) % 256 for i in range(600_000))
FILES = CONTENT | {"object.bin": OBJECT}
INDEX = json.dumps({
    "format": "tributary-index", "version": 1, "type": "vod", "complete": True, "generator": "", "segmentDuration": 0.2,
    "tracks": [{"id": "low", "kind": "data", "group": "data", "timescale": 1000, "offset": 0,
                "bitrate": {"target": 800_000, "max": 800_000, "average": 800_000, "peak": 800_000},
                "uri": "low/{n:05}.bin", "first": 1, "start": 0, "durations": [[200, SEGMENTS]],
                "bytes": [SEGMENT_BYTES] * SEGMENTS}]}).encode()


def changed(body):
    """The other version: every byte is another one."""
    return bytes(byte ^ 0x55 for byte in body)


def head(status, **fields):
    lines = [f"HTTP/1.1 {status}", *(f"{k.replace('_', '-')}: {v}" for k, v in fields.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def answer(status, body=b"no", **fields):
    return head(status, Content_Length=len(body), **fields) + body


def chunks(body, extension=b""):
    pieces = [body[at:at + 5000] for at in range(0, len(body), 5000)]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(piece), extension, piece) for piece in pieces) + b"0\r\n\r\n"


def chunked(status, body, coding="chunked", **fields):
    return head(status, Transfer_Encoding=coding, **fields) + chunks(body)


class Request:
    def __init__(self, path, first, last, version=0):
        self.path, self.first, self.last = path, first, last
        self.whole = INDEX if path == "index.json" else FILES.get(path)
        if version:
            self.whole = changed(self.whole)

    @property
    def body(self):
        return self.whole[self.first:self.last + 1]

    @property
    def content_range(self):
        return f"bytes {self.first}-{self.last}/{len(self.whole)}"

    def in_chunks(self, body=None, coding="chunked", **fields):
        return chunked("206 Partial Content", self.body if body is None else body, coding, Content_Range=self.content_range, **fields)

    def ranged_head(self, **fields):
        return head("206 Partial Content", Content_Length=len(self.body), Content_Range=self.content_range, **fields)

    def ranged(self, content_range, **fields):
        return answer("206 Partial Content", self.body, Content_Range=content_range, **fields)

    def partial(self, first=None, last=None, total=None, **fields):
        first = self.first if first is None else first
        last = self.last if last is None else last
        total = len(self.whole) if total is None else total
        return answer("206 Partial Content", self.whole[first:last + 1], Content_Range=f"bytes {first}-{last}/{total}", **fields)


class End(Exception):
    """The connection is closed, reset, or (cut off) closed by TCP alone, where TLS says nothing."""

    def __init__(self, how="close"):
        super().__init__()
        self.how = how


def status(text, **fields):
    async def send(request, writer):
        writer.write(answer(text, **fields))
    return send


def reply(make):
    async def send(request, writer):
        writer.write(make(request))
    return send


def moved(location):
    async def send(request, writer):
        port = writer.get_extra_info("sockname")[1]
        writer.write(answer("302 Found", Location=location.format(path=request.path, port=port)))
    return send


def and_end(make, how="close"):
    async def send(request, writer):
        writer.write(make(request))
        await writer.drain()
        await asyncio.sleep(0.02)
        raise End(how)
    return send


async def trickle(request, writer):
    for byte in request.partial():
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.2)


async def silence(request, writer):
    await asyncio.sleep(60)


async def endless_head(request, writer):
    writer.write(b"HTTP/1.1 206 Partial Content\r\n")
    for n in range(100_000):
        writer.write(f"X-Field-{n}: more\r\n".encode())
        await writer.drain()
    await asyncio.sleep(60)


async def interim_without_end(request, writer):
    while True:
        writer.write(head("103 Early Hints", Link="</style.css>") * 200)
        await writer.drain()
        await asyncio.sleep(0.1)


def half(data):
    return data[:len(data) - 1000]


def without_last_chunk(data):
    return data[:-len(b"0\r\n\r\n")]


TURNS = itertools.count()
TIMES = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT")

FAULTS = {
    "none": reply(lambda r: r.partial()),
    "ranges-of-the-beginning": reply(lambda r: answer("200 OK", r.whole) if r.first else r.partial()),
    "no-ranges": reply(lambda r: answer("200 OK", r.whole)),
    "shifted": reply(lambda r: r.partial(first=r.first + 1)),
    "wrong-content-range": reply(lambda r: answer("206 Partial Content", r.body, Content_Range=f"bytes {r.first + 9}-{r.last + 9}/{len(r.whole)}")),
    "no-content-range": reply(lambda r: answer("206 Partial Content", r.body)),
    "short": reply(lambda r: r.partial(last=(r.first + r.last) // 2)),
    "byte-by-byte": reply(lambda r: r.partial(last=r.first)),
    "truncated": and_end(lambda r: half(r.partial())),
    "multipart": reply(lambda r: answer("206 Partial Content", b"--x--", Content_Type="multipart/byteranges; boundary=x")),
    "gzip": reply(lambda r: r.partial(Content_Encoding="gzip")),
    "redirect": status("302 Found", Location="/elsewhere"),
    "moved": moved("/none/always/{path}"),
    "moved-to-another-host": moved("http://localhost:{port}/none/always/{path}"),
    "moved-in-a-circle": moved("/moved-in-a-circle/always/{path}"),
    "moved-to-the-wrong": moved("/other-length/always/{path}"),
    "redirect-to-a-login": status("302 Found", Location="http://login.example/"),
    "401": status("401 Unauthorized", WWW_Authenticate="Basic"),
    "403": status("403 Forbidden"),
    "404": status("404 Not Found"),
    "404-escaped": status("404 No \x9b2J"),
    "408": status("408 Request Timeout", Connection="close"),
    "416": status("416 Range Not Satisfiable"),
    # By a clock that stands at the turn of the century.
    "429": status("429 Too Many Requests", Date="Sat, 01 Jan 2000 00:00:00 GMT", Retry_After="Sat, 01 Jan 2000 00:00:02 GMT"),
    "500": status("500 Internal Server Error"),
    "503": status("503 Service Unavailable", Retry_After="2"),
    "close-announced": and_end(lambda r: r.partial(Connection="close")),
    "close": and_end(lambda r: r.partial()),
    "reset": and_end(lambda r: half(r.partial()), "reset"),
    "reset-unanswered": and_end(lambda r: b"", "reset"),
    "trickle": trickle,
    "silence": silence,
    "endless-head": endless_head,
    "garbage": reply(lambda r: b"220 mail.example ESMTP\r\n\r\n"),
    "garbage-behind": reply(lambda r: r.partial() + b"and more\r\n\r\n"),
    "other-length": reply(lambda r: r.partial(total=len(r.whole) + 1)),
    "two-totals": reply(lambda r: r.partial(total=len(r.whole) - (1 if r.last == 0 else 2))),
    "login-page": reply(lambda r: answer("200 OK", b"<html>Log in</html>", Content_Type="text/html")),
    "other-tag": reply(lambda r: r.partial(ETag='"another"')),
    "index-escaped": reply(lambda r: r.partial()),
    "gzipped-ranges": reply(lambda r: r.in_chunks(gzip.compress(r.body), Content_Encoding="gzip")),
    "transfer-gzip": reply(lambda r: r.in_chunks(gzip.compress(r.body), "gzip, chunked")),
    "transfer-gzip-to-the-end": and_end(lambda r: head("206 Partial Content", Content_Range=r.content_range, Transfer_Encoding="gzip",
                                                       Connection="close") + gzip.compress(r.body)),
    "chunked": reply(lambda r: r.in_chunks()),
    "chunk-extensions": reply(lambda r: head("206 Partial Content", Content_Range=r.content_range, Transfer_Encoding="chunked")
                              + chunks(r.body, b';note="x"')),
    "bad-chunk": and_end(lambda r: head("206 Partial Content", Content_Range=r.content_range, Transfer_Encoding="chunked")
                         + b"xyz\r\n" + r.body),
    "no-last-chunk": and_end(lambda r: without_last_chunk(r.in_chunks())),
    "length-and-chunks": reply(lambda r: r.in_chunks(Content_Length=r.last + 1 - r.first)),
    "two-lengths": reply(lambda r: r.partial(Content_length=7)),
    "two-content-ranges": reply(lambda r: r.partial(Content_range=f"bytes 5-{r.last}/{len(r.whole)}")),
    "longer-than-its-range": reply(lambda r: answer("206 Partial Content", r.body + b"more", Content_Range=r.content_range)),
    "unknown-total": reply(lambda r: r.ranged(f"bytes {r.first}-{r.last}/*")),
    "overflowing-total": reply(lambda r: r.ranged(f"bytes {r.first}-{r.last}/99999999999999999999")),
    "no-length": and_end(lambda r: head("206 Partial Content", Content_Range=r.content_range, Connection="close") + r.body),
    "head-cut-off": and_end(lambda r: r.partial()[:60]),
    "400": status("400 Bad Request"),
    "204": reply(lambda r: head("204 No Content")),
    "205": status("205 Reset Content"),
    "304": reply(lambda r: head("304 Not Modified")),
    "416-without-range": reply(lambda r: answer("416 Range Not Satisfiable", b"")),
    "416-says-empty": reply(lambda r: answer("416 Range Not Satisfiable", b"", Content_Range="bytes */0")),
    "interim-without-end": interim_without_end,
    # Two servers by turns, which have the same file and tell something else of it.
    "rotating-tags": reply(lambda r: r.partial(ETag=f'"{next(TURNS) % 2}"')),
    "rotating-times": reply(lambda r: r.partial(Last_Modified=TIMES[next(TURNS) % 2])),
    # What browsers and curl read.
    "bare-newlines": reply(lambda r: r.ranged_head().replace(b"\r\n", b"\n") + r.body),
    "blank-before-colons": reply(lambda r: r.ranged_head().replace(b"Range: ", b"Range :") + r.body),
    "another-version": reply(lambda r: r.ranged_head().replace(b"HTTP/1.1", b"HTTP/2") + r.body),
    "no-reason": reply(lambda r: r.ranged_head().replace(b" Partial Content", b"") + r.body),
    "odd-fields": reply(lambda r: r.ranged_head(_="x", A_B="\x1b[2J\r").replace(b"A-B", b"A B").replace(b"-:", b":") + r.body),
    "long-head": reply(lambda r: r.ranged_head(X="x" * 250_000) + r.body),
    "bare-newlines-of-chunks": reply(lambda r: head("206 Partial Content", Content_Range=r.content_range, Transfer_Encoding=", chunked")
                                     + chunks(r.body).replace(b"\r\n", b"\n", 1)),
    "newline-behind": reply(lambda r: r.partial() + b"\r\n"),
    "200-with-a-range": reply(lambda r: answer("200 OK", r.body, Content_Range=r.content_range)),
    # What nobody can have said in earnest.
    "total-of-4-EB": reply(lambda r: r.ranged(f"bytes {r.first}-{r.last}/{2**62}")),
}

# With the object in one piece. None of them gives it out as it is, but those of RIGHT_WHOLE.
WHOLE_FAULTS = {
    "whole-coded": reply(lambda r: answer("200 OK", gzip.compress(r.whole, mtime=0), Content_Encoding="gzip")),
    "whole-transfer-gzip": reply(lambda r: chunked("200 OK", gzip.compress(r.whole), "gzip, chunked")),
    "whole-head-cut-off": and_end(lambda r: answer("200 OK", r.whole)[:30]),
    "whole-fields-cut-off": and_end(lambda r: head("200 OK", Content_Length=0, ETag='"x"')[:-2]),
    "whole-short": and_end(lambda r: half(answer("200 OK", r.whole))),
    "whole-reset": and_end(lambda r: half(head("200 OK", Connection="close") + r.whole), "reset"),
    "whole-two-lengths": reply(lambda r: answer("200 OK", r.whole, Content_length=7)),
    "whole-of-the-longer-length": reply(lambda r: head("200 OK", Content_length=7, Content_Length=len(r.whole)) + r.whole),
    "whole-shorter-than-a-length": and_end(lambda r: head("200 OK", Content_length=len(r.whole) + 9, Content_Length=len(r.whole)) + r.whole),
    "whole-longer-chunks": reply(lambda r: chunked("200 OK", r.whole, Content_Length=7)),
    "whole-odd-chunks": and_end(lambda r: chunked("200 OK", r.whole).replace(b"Encoding:", b"Encoding :", 1)),
    "whole-blank-before-colons": reply(lambda r: answer("200 OK", r.whole).replace(b"Length:", b"Length :", 1)),
    "whole-empty-coding": reply(lambda r: answer("200 OK", r.whole, Transfer_Encoding="")),
    "whole-206-of-unknown-total": reply(lambda r: answer("206 Partial Content", r.whole, Content_Range=f"bytes 0-{len(r.whole) - 1}/*")),
    "whole-206-without-unit": reply(lambda r: answer("206 Partial Content", r.whole, Content_Range=f"0-{len(r.whole) - 1}/{len(r.whole)}")),
    "whole-206-in-other-units": reply(lambda r: answer("206 Partial Content", half(r.whole), Content_Range="items 0-4/5")),
    "whole-overflowing-length": and_end(lambda r: head("200 OK", Content_Length="99999999999999999999") + half(r.whole)),
    "whole-other-length-and-chunks": reply(lambda r: chunked("200 OK", half(r.whole), Content_Length=len(r.whole))),
    "whole-chunks-cut-off": and_end(lambda r: without_last_chunk(chunked("200 OK", half(r.whole)))),
    "whole-206": reply(lambda r: answer("206 Partial Content", r.whole[:1000], Content_Range=f"bytes 0-999/{len(r.whole)}")),
    "whole-206-without-range": reply(lambda r: answer("206 Partial Content", r.whole)),
    "whole-204": reply(lambda r: head("204 No Content")),
    "whole-205": status("205 Reset Content"),
    "whole-304": reply(lambda r: head("304 Not Modified")),
    "whole-404": status("404 Not Found"),
    "whole-chunked": reply(lambda r: chunked("200 OK", r.whole)),
    "whole-length-and-chunks": reply(lambda r: chunked("200 OK", r.whole, Content_Length=len(r.whole))),
    "whole-to-the-end": and_end(lambda r: head("200 OK", Connection="close") + r.whole),
    "whole-as-206": reply(lambda r: answer("206 Partial Content", r.whole, Content_Range=f"bytes 0-{len(r.whole) - 1}/{len(r.whole)}")),
    "whole-1.0": and_end(lambda r: answer("200 OK", r.whole).replace(b"HTTP/1.1", b"HTTP/1.0")),
    "whole-bare-newlines": reply(lambda r: answer("200 OK", b"").replace(b"\r\n", b"\n").replace(b": 0", b": %d" % len(r.whole)) + r.whole),
    "whole-203": reply(lambda r: answer("203 Non-Authoritative Information", r.whole)),
    "whole-signed-length": reply(lambda r: answer("200 OK", r.whole).replace(b"Length: ", b"Length: +")),
    "whole-lower-case": reply(lambda r: answer("200 OK", r.whole).replace(b"HTTP/1.1 ", b"http/1.1  ")),
    "whole-identity": reply(lambda r: chunked("200 OK", r.whole, "identity, chunked")),
    "whole-part-of-200": reply(lambda r: answer("200 OK", r.whole[:1000], Content_Range=f"bytes 0-999/{len(r.whole)}")),
    "whole-garbage-behind": and_end(lambda r: answer("200 OK", r.whole) + b"and more"),
}
RIGHT_WHOLE = {"whole-chunked", "whole-length-and-chunks", "whole-to-the-end", "whole-as-206", "whole-1.0", "whole-bare-newlines",
               "whole-203", "whole-signed-length", "whole-lower-case", "whole-identity", "whole-garbage-behind", "whole-of-the-longer-length", "whole-longer-chunks",
               "whole-odd-chunks", "whole-blank-before-colons", "whole-empty-coding", "whole-206-without-range",
               "whole-206-of-unknown-total", "whole-206-without-unit"}

# The beginning comes right, nothing else does.
BEGINNING = and_end(lambda answer: answer[:len(answer) // 10])
WHOLE_AFTER_RANGE = {
    "then-short-chunks": reply(lambda r: chunked("200 OK", half(r.whole), ETag='"one"')),
    "then-short-length": reply(lambda r: answer("200 OK", half(r.whole))),
    "then-short-to-the-end": and_end(lambda r: head("200 OK", Connection="close", ETag='"one"') + half(r.whole)),
}

# What the origin says of the two versions.
CHANGES = {
    "tag": ({"ETag": '"a"'}, {"ETag": '"b"'}),
    "weak-tag": ({"ETag": 'W/"a"'}, {"ETag": 'W/"b"'}),
    "weaker-tag": ({"ETag": '"a"'}, {"ETag": 'W/"b"'}),
    "time": ({"Last_Modified": TIMES[0]}, {"Last_Modified": TIMES[1]}),
    "time-of-one-weak-tag": ({"ETag": 'W/"a"', "Last_Modified": TIMES[0]}, {"ETag": 'W/"a"', "Last_Modified": TIMES[1]}),
    "tag-in-one-second": ({"ETag": '"a"', "Last_Modified": TIMES[0]}, {"ETag": '"b"', "Last_Modified": TIMES[0]}),
    "coding": ({}, {"Content_Encoding": "br"}),
    # The new one says nothing of itself; but the origin knows If-Range.
    "tag-no-more": ({"ETag": '"a"'}, {}),
}
INDEXES = {"index-escaped": INDEX.replace(b'"data"', b'"\\u001b[2J"', 1)}


# Over TLS, without whose end nobody knows whether a body without a length is whole.
TLS_FAULTS = {
    "tls-cut-off": and_end(lambda r: half(head("200 OK") + r.whole), "cut off"),
    "tls-cut-off-after-all": and_end(lambda r: head("200 OK") + r.whole, "cut off"),
    "tls-to-the-end": and_end(lambda r: head("200 OK") + r.whole),
    "tls-cut-off-behind-the-length": and_end(lambda r: answer("200 OK", r.whole), "cut off"),
    "tls-cut-off-behind-the-chunks": and_end(lambda r: chunked("200 OK", r.whole), "cut off"),
}
RIGHT_TLS = {"tls-to-the-end", "tls-cut-off-behind-the-length", "tls-cut-off-behind-the-chunks"}


class FaultyOrigin:
    def __init__(self, certificate=None, key=None):
        """Of localhost; without, it speaks no TLS."""
        self.tls = None
        if certificate:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(certificate, key)

    def __enter__(self):
        self.asked = {}  # when, by fault, file, and where the range begins
        self.loop = asyncio.new_event_loop()
        started = threading.Event()

        async def begin():
            self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, ssl=self.tls)
            self.port = self.server.sockets[0].getsockname()[1]
            started.set()

        def run():
            asyncio.set_event_loop(self.loop)
            self.loop.run_until_complete(begin())
            self.loop.run_forever()
            self.server.close()
            tasks = asyncio.all_tasks(self.loop)
            for task in tasks:
                task.cancel()
            self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        started.wait()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def url(self, fault, when, name="index.json"):
        server = "https://localhost" if self.tls else "http://127.0.0.1"
        return f"{server}:{self.port}/{fault}/{when}/{name}"

    async def serve(self, reader, writer):
        try:
            while True:
                await self.answer_one(await reader.readuntil(b"\r\n\r\n"), writer)
                await writer.drain()
        except End as end:
            if end.how == "reset":
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if end.how != "close":
                writer.transport.abort()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def answer_one(self, head, writer):
        lines = head.decode().split("\r\n")
        fault, when, path = (lines[0].split(" ")[1].lstrip("/") + "//").split("/", 2)
        path = path.rstrip("/")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        if path == "index.json":
            return writer.write(answer("200 OK", INDEXES.get(fault, INDEX)))
        if path not in FILES:
            return writer.write(answer("404 Not Found"))
        if always := WHOLE_FAULTS.get(fault) or TLS_FAULTS.get(fault):
            return await always(Request(path, 0, 0), writer)
        first, last = fields.get("range", "bytes=0-").removeprefix("bytes=").split("-")
        rest, first, last = "range" in fields and not last, int(first), int(last or len(FILES[path]) - 1)
        key = (fault, when, path, first)
        if fault in CHANGES:
            changing = self.changing((fault, when, path), first, last, fields)
            return writer.write(changing) if not rest else await BEGINNING(changing, writer)
        if rest and (when == "later" or fault in WHOLE_AFTER_RANGE):
            return await BEGINNING(Request(path, first, last).partial(ETag='"one"'), writer)
        if fault in WHOLE_AFTER_RANGE:
            return await WHOLE_AFTER_RANGE[fault](Request(path, first, last), writer)
        if "range" not in fields:
            return writer.write(answer("200 OK", FILES[path], ETag='"one"'))
        again = key in self.asked
        self.asked.setdefault(key, []).append(time.monotonic())
        good = reply(lambda r: r.partial(ETag='"one"'))
        await (good if when == "once" and again else FAULTS[fault])(Request(path, first, last), writer)

    def changing(self, key, first, last, fields):
        """`when` is the number of requests that the first version lasts."""
        change, calm, path = key
        self.asked.setdefault(key, []).append(time.monotonic())
        version = 0 if len(self.asked[key]) <= int(calm) else 1
        request, said = Request(path, first, last, version), CHANGES[change][version]
        if "range" not in fields or fields.get("if-range", said.get("ETag")) != said.get("ETag"):
            return answer("200 OK", request.whole, **said)
        return request.partial(**said)
