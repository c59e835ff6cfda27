#!/usr/bin/env python3
"""A proxy that lets connections through (HTTP CONNECT), or does not, as the file MOOD says at the time: "fair", the status of an
answer ("407", "502"), "silent" (no answer), "dead" (all connections are reset). A login is asked for if USER:PASSWORD is given.

Usage: connect_proxy.py ADDRESS PORT MOOD [USER:PASSWORD] [NAME=ADDRESS]... Prints "ready". It alone knows these names.
"""
import asyncio
import base64
import contextlib
import pathlib
import sys

ADDRESS, PORT, MOOD = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
NAMES = dict(word.split("=") for word in sys.argv[4:] if "=" in word)
LOGIN = next(("Basic " + base64.b64encode(word.encode()).decode() for word in sys.argv[4:] if "=" not in word), None)
LOOK_AGAIN = 0.1  # s


async def pump(reader, writer):
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError):
        writer.close()


async def let_through(line, fields, reader, writer):
    if MOOD.read_text() != "fair":
        writer.write(f"HTTP/1.1 {MOOD.read_text()} No\r\nContent-Length: 0\r\n\r\n".encode())
        return
    if LOGIN and fields.get("proxy-authorization") != LOGIN:
        writer.write(b"HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=\"test\"\r\nContent-Length: 0\r\n\r\n")
        return
    method, target, _ = line.split()
    assert method == "CONNECT", line
    host, _, port = target.rpartition(":")
    upstream = await asyncio.open_connection(NAMES.get(host, host).strip("[]"), int(port))
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    pumps = asyncio.gather(pump(reader, upstream[1]), pump(upstream[0], writer))
    while not pumps.done() and MOOD.read_text() != "dead":
        await asyncio.wait([pumps], timeout=LOOK_AGAIN)
    for end in (writer, upstream[1]):
        end.transport.abort()


async def serve(reader, writer):
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        line, *fields = head.strip().split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        while MOOD.read_text() == "silent":
            await asyncio.sleep(LOOK_AGAIN)
        if MOOD.read_text() != "dead":
            await let_through(line, fields, reader, writer)
    with contextlib.suppress(OSError):
        writer.close()


async def main():
    server = await asyncio.start_server(serve, ADDRESS, PORT)
    print("ready", flush=True)
    await server.serve_forever()


asyncio.run(main())
