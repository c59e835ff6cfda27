"""An origin on the loopback interface that does one thing wrong, always or at first: /FAULT/once/..., /FAULT/always/...

With "once" each range of each file is answered wrongly the first time it is asked for. The title is plain bytes.
"""
import asyncio
import json
import threading
import time

SEGMENTS = 4
SEGMENT_BYTES = 12_000
CONTENT = {f"low/{n:05}.bin": bytes((n * 31 + i * 7 + (i >> 8)) % 256 for i in range(SEGMENT_BYTES)) for n in range(1, SEGMENTS + 1)}
INDEX = json.dumps({
    "format": "tributary-index", "version": 1, "type": "vod", "complete": True, "generator": "", "segmentDuration": 0.2,
    "tracks": [{"id": "low", "kind": "data", "group": "data", "timescale": 1000, "offset": 0,
                "bitrate": {"target": 800_000, "max": 800_000, "average": 800_000, "peak": 800_000},
                "uri": "low/{n:05}.bin", "first": 1, "start": 0, "durations": [[200, SEGMENTS]],
                "bytes": [SEGMENT_BYTES] * SEGMENTS}]}).encode()


def answer(status, body=b"no", **fields):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *(f"{k.replace('_', '-')}: {v}" for k, v in fields.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Request:
    def __init__(self, path, first, last):
        self.path, self.first, self.last = path, first, last
        self.whole = INDEX if path == "index.json" else CONTENT.get(path)

    @property
    def body(self):
        return self.whole[self.first:self.last + 1]

    def partial(self, first=None, last=None, total=None, **fields):
        first = self.first if first is None else first
        last = self.last if last is None else last
        total = len(self.whole) if total is None else total
        return answer("206 Partial Content", self.whole[first:last + 1], Content_Range=f"bytes {first}-{last}/{total}", **fields)


class End(Exception):
    """The connection is closed, or (with reset) reset."""

    def __init__(self, reset=False):
        super().__init__()
        self.reset = reset


def status(text, **fields):
    async def send(request, writer):
        writer.write(answer(text, **fields))
    return send


def reply(make):
    async def send(request, writer):
        writer.write(make(request))
    return send


def and_end(make, reset=False):
    async def send(request, writer):
        writer.write(make(request))
        await writer.drain()
        await asyncio.sleep(0.02)
        raise End(reset)
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


def half(data):
    return data[:len(data) - 1000]


FAULTS = {
    "none": reply(lambda r: r.partial()),
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
    "reset": and_end(lambda r: half(r.partial()), reset=True),
    "reset-unanswered": and_end(lambda r: b"", reset=True),
    "trickle": trickle,
    "silence": silence,
    "endless-head": endless_head,
    "garbage": reply(lambda r: b"220 mail.example ESMTP\r\n\r\n"),
    "garbage-behind": reply(lambda r: r.partial() + b"and more\r\n\r\n"),
    "other-length": reply(lambda r: r.partial(total=len(r.whole) + 1)),
    "login-page": reply(lambda r: answer("200 OK", b"<html>Log in</html>", Content_Type="text/html")),
    "other-tag": reply(lambda r: r.partial(ETag='"another"')),
    "index-escaped": reply(lambda r: r.partial()),
}
INDEXES = {"index-escaped": INDEX.replace(b'"data"', b'"\\u001b[2J"', 1)}


class FaultyOrigin:
    def __enter__(self):
        self.asked = {}  # when, by fault, file, and where the range begins
        self.loop = asyncio.new_event_loop()
        started = threading.Event()

        async def begin():
            self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
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

    def url(self, fault, when):
        return f"http://127.0.0.1:{self.port}/{fault}/{when}/index.json"

    async def serve(self, reader, writer):
        try:
            while True:
                await self.answer_one(await reader.readuntil(b"\r\n\r\n"), writer)
                await writer.drain()
        except End as end:
            if end.reset:
                writer.transport.abort()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def answer_one(self, head, writer):
        lines = head.decode().split("\r\n")
        fault, when, path = lines[0].split(" ")[1].lstrip("/").split("/", 2)
        span = next((line.split("bytes=")[1] for line in lines if line.lower().startswith("range:")), None)
        if path == "index.json":
            return writer.write(answer("200 OK", INDEXES.get(fault, INDEX)))
        first, last = map(int, span.split("-"))
        request = Request(path, first, last)
        if request.whole is None:
            return writer.write(answer("404 Not Found"))
        key = (fault, when, path, first)
        again = key in self.asked
        self.asked.setdefault(key, []).append(time.monotonic())
        good = reply(lambda r: r.partial(ETag='"one"'))
        await (good if when == "once" and again else FAULTS[fault])(request, writer)
