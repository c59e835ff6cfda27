"""From a request to its answer: what may be asked, and the headers for players, pages and caches."""
import email.utils
import re

from aiohttp import web

from .streams import Asked, Refused, is_playlist_name

CORS = {"Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": "Content-Length, Content-Range, Accept-Ranges, Date, ETag"}
IMMUTABLE = "public, max-age=31536000, immutable"
# Of answers whose addresses name what is new in them; for others a cache asks again.
KEPT_TARGETS = 6
PIECE = 262_144
# As in the sites that tributary-origin writes.
TYPES = {"m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml", "m4s": "video/mp4", "mp4": "video/mp4",
         "m4v": "video/mp4", "cmfv": "video/mp4", "m4a": "audio/mp4", "cmfa": "audio/mp4", "ts": "video/mp2t",
         "vtt": "text/vtt", "json": "application/json", "html": "text/html", "css": "text/css", "js": "text/javascript",
         "txt": "text/plain", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml"}
MEDIA = {"mp4", "m4s", "m4v", "m4a", "cmfv", "cmfa", "ts"}
NUMBER = re.compile(r"\d{1,18}", re.ASCII)


def suffix_of(path):
    return path.rpartition(".")[2].lower()


def asked_by(query):
    """The delivery directives. Refused where they make no sense."""
    def number(name):
        values = query.getall(name, [])
        if not values:
            return None
        if len(values) > 1 or not NUMBER.fullmatch(values[0]):
            raise Refused(400, f"{name} is one whole number")
        return int(values[0])
    asked = Asked(number("_HLS_msn"), number("_HLS_part"), query.get("_HLS_skip") in ("YES", "v2"))
    if asked.part is not None and asked.sequence is None:
        raise Refused(400, "_HLS_part needs _HLS_msn")
    return asked


def is_known(request, etag, modified=None):
    """Whether the client has that already."""
    known = request.headers.get("If-None-Match")
    if known is not None:
        return known.strip() == "*" or etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]
    return modified is not None and request.headers.get("If-Modified-Since") == modified


class Answering:
    def __init__(self, streams):
        self.streams = streams

    async def __call__(self, request):
        if request.method == "OPTIONS":
            return self.without_body(204, {"Access-Control-Allow-Headers": "Range"})
        if request.method not in ("GET", "HEAD"):
            return self.without_body(405, {"Allow": "GET, HEAD, OPTIONS"})
        path = request.path.lstrip("/")
        try:
            if is_playlist_name(path):
                return await self.playlist(request, path)
            return await self.file(request, path)
        except Refused as refused:
            headers = {"Cache-Control": "no-store"} | ({"Retry-After": "1"} if refused.status == 503 else {})
            return self.without_body(refused.status, headers, str(refused))

    def without_body(self, status, headers, why=None):
        text = "".join(letter if letter.isprintable() else "?" for letter in why) + "\n" if why else None
        return web.Response(status=status, headers=CORS | headers, text=text)

    async def playlist(self, request, path):
        asked = asked_by(request.query)
        answer = await self.streams.playlist(path, asked)
        is_named = None not in (answer.last, asked.sequence) and asked.sequence >= answer.last
        caching = f"public, max-age={round(KEPT_TARGETS * answer.target)}" if is_named else "no-cache"
        headers = CORS | {"Cache-Control": caching, "ETag": answer.etag}
        if is_known(request, answer.etag):
            return web.Response(status=304, headers=headers)
        return web.Response(body=answer.body, headers=headers | {"Content-Type": TYPES["m3u8"]})

    async def file(self, request, path):
        try:
            file = self.streams.folder.open(path)
        except OSError:
            await self.streams.when_there(path)
            try:
                file = self.streams.folder.open(path)
            except OSError as error:
                raise Refused(404, "no such file") from error
        with file:
            return await self.send(request, path, file)

    async def send(self, request, path, file):
        """Validators are those of nginx, so that pieces of a file fit together whoever sends them."""
        seconds = int(file.status.st_mtime)
        etag, modified = f'"{seconds:x}-{file.size:x}"', email.utils.formatdate(seconds, usegmt=True)
        suffix = suffix_of(path)
        headers = CORS | {"Cache-Control": IMMUTABLE if suffix in MEDIA else "no-cache", "ETag": etag,
                          "Last-Modified": modified, "Accept-Ranges": "bytes"}
        if is_known(request, etag, modified):
            return web.Response(status=304, headers=headers)
        begin, end, status = 0, file.size, 200
        if request.headers.get("If-Range", etag) in (etag, modified) and (asked := range_of(request)):
            begin, end = asked(file.size)
            status = 206
            if begin >= end:
                return self.without_body(416, {"Content-Range": f"bytes */{file.size}"}, "no such range")
            headers["Content-Range"] = f"bytes {begin}-{end - 1}/{file.size}"
        answer = web.StreamResponse(status=status, headers=headers | {
            "Content-Type": TYPES.get(suffix, "application/octet-stream"), "Content-Length": str(end - begin)})
        await answer.prepare(request)
        while request.method == "GET" and begin < end:
            piece = file.read(begin, min(PIECE, end - begin))
            if not piece:
                raise ConnectionResetError("the file has become shorter")
            await answer.write(piece)
            begin += len(piece)
        return answer


RANGE = re.compile(r"bytes=(?:(\d{1,18})-(\d{1,18})?|-(\d{1,18}))", re.ASCII)


def range_of(request):
    """A function from a size to (begin, end); nothing where no single range is asked for."""
    found = RANGE.fullmatch(request.headers.get("Range", "").replace(" ", ""))
    if not found:
        return None
    first, last, suffix = (int(text) if text else None for text in found.groups())
    if suffix is not None:
        return lambda size: (max(0, size - suffix), size if suffix else 0)
    if last is not None and last < first:
        return None
    return lambda size: (first, min(size, last + 1) if last is not None else size)
