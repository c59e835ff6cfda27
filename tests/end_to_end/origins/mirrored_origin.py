"""Two servers behind one name: who asks from the first address gets one version of every file, everybody else another.

Usage: mirrored_origin.py PORT. /KIND/index.json is a title of plain bytes, /KIND/object.bin one file; KIND says in what the
versions differ.
"""
import asyncio
import functools
import sys

from faulty_origin import INDEX, SEGMENT_BYTES, SEGMENTS, answer

WHEN, LATER = "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT"
OBJECT_BYTES = 2_000_000
FILES = {f"low/{n:05}.bin": SEGMENT_BYTES for n in range(1, SEGMENTS + 1)} | {"object.bin": OBJECT_BYTES}


@functools.cache
def content(name, version):
    seed = sum(name.encode()) + 101 * version
    return bytes((seed + i * 7 + (i >> 8)) % 256 for i in range(FILES[name]))


def version_of(kind, mirror):
    """Whose bytes the mirror has."""
    return 0 if kind == "copies" else mirror


# What each of the two says of the version that it has.
SAID = {
    "bytes": ({"ETag": '"mirror-0"'}, {"ETag": '"mirror-1"'}),
    "weak": ({"ETag": 'W/"mirror-0"'}, {"ETag": 'W/"mirror-1"'}),
    "times": ({"Last_Modified": WHEN}, {"Last_Modified": LATER}),
    "copies": ({"ETag": '"mirror-0"', "Last_Modified": WHEN}, {"ETag": '"mirror-1"', "Last_Modified": WHEN}),
    "lengths": ({"ETag": '"mirror-0"', "Last_Modified": WHEN}, {"ETag": '"mirror-1"', "Last_Modified": WHEN}),
}


class Mirrors:
    def __init__(self):
        self.first = None

    def mirror(self, writer):
        address = writer.get_extra_info("peername")[0]
        self.first = self.first or address
        return 0 if address == self.first else 1

    async def serve(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                kind, name = head[0].split(" ")[1].lstrip("/").split("/", 1)
                span = next((line.split("bytes=")[1] for line in head if line.lower().startswith("range:")), None)
                writer.write(self.answer(kind, name, span, self.mirror(writer)))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    @staticmethod
    def answer(kind, name, span, mirror):
        if name == "index.json":
            return answer("200 OK", INDEX)
        if name not in FILES:
            return answer("404 Not Found")
        whole = content(name, version_of(kind, mirror)) + b"+" * (mirror if kind == "lengths" else 0)
        fields = SAID[kind][mirror]
        if span is None:
            return answer("200 OK", whole, **fields)
        first, last = (int(number or len(whole) - 1) for number in span.split("-"))
        return answer("206 Partial Content", whole[first:last + 1], Content_Range=f"bytes {first}-{last}/{len(whole)}", **fields)


async def main():
    server = await asyncio.start_server(Mirrors().serve, "0.0.0.0", int(sys.argv[1]))
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
