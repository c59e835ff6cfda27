#!/usr/bin/env python3
"""An origin that is slow is waited for, and costs us little more time than curl, which makes one request and waits.

Usage: slow_origin_test.py BIN_DIR SOURCE_DIR.
"""
import asyncio
import concurrent.futures
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from faulty_origin import CONTENT, INDEX, FaultyOrigin, answer

BIN = pathlib.Path(sys.argv[1])
FILE = os.urandom(2_000_000)
THOUGHT = 0.1
SLACK = 0.5  # of what takes less than a second: so much may another program delay ours
FILES = {"file.bin": FILE, "index.json": INDEX, **CONTENT}
SECONDS = 2
RATIO = 1.5


async def at_once(head, body, writer):
    writer.write(head + body)


async def slow_first_byte(head, body, writer):
    await asyncio.sleep(SECONDS)
    writer.write(head + body)


async def pause(head, body, writer):
    writer.write(head + body[:len(body) // 2])
    await writer.drain()
    await asyncio.sleep(SECONDS)
    writer.write(body[len(body) // 2:])


async def thought(head, body, writer):
    await asyncio.sleep(THOUGHT)
    writer.write(head + body)


async def too_many(head, body, writer):
    """The first byte of a file may be asked for."""
    at_beginning = b"Content-Range" not in head or b"bytes 0-" in head
    writer.write(head + body if at_beginning else answer("429 Too Many Requests", Retry_After="2"))


HABITS = {"at-once": at_once, "slow-first-byte": slow_first_byte, "pause": pause, "thought": thought, "too-many": too_many,
          "loses": at_once, "confuses": at_once}
# What becomes of requests that come together.
PIPELINED = {"loses": lambda heads: heads[:1], "confuses": lambda heads: heads[::-1]}


class SlowOrigin(FaultyOrigin):
    """/HABIT/FILE, whole or in ranges."""

    def url(self, habit, file):
        return f"http://127.0.0.1:{self.port}/{habit}/{file}"

    async def serve(self, reader, writer):
        pending = b""
        with contextlib.closing(writer), contextlib.suppress(ConnectionError):
            while more := await reader.read(65536):
                *heads, pending = (pending + more).split(b"\r\n\r\n")
                habit = heads[0].split(b"/")[1].decode() if heads else ""
                for head in PIPELINED.get(habit, list)(heads):
                    await self.answer_one(head, writer)
                    await writer.drain()

    async def answer_one(self, head, writer):
        lines = head.decode().split("\r\n")
        habit, path = lines[0].split(" ")[1].lstrip("/").split("/", 1)
        whole = FILES[path]
        span = next((line.split("bytes=")[1] for line in lines if line.lower().startswith("range:")), None)
        if span is None:
            text = answer("200 OK", whole)
        else:
            first, last = span.split("-")
            first, last = int(first), min(int(last or len(whole)), len(whole) - 1)
            text = answer("206 Partial Content", whole[first:last + 1], Content_Range=f"bytes {first}-{last}/{len(whole)}", ETag='"one"')
        head, body = text.split(b"\r\n\r\n", 1)
        await HABITS[habit](head + b"\r\n\r\n", body, writer)


def seconds_of(*command):
    start = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    return time.monotonic() - start


class SlowOriginTest(unittest.TestCase):
    def setUp(self):
        self.origin = self.enterContext(SlowOrigin())
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="tributary-slow-")))

    def side_by_side(self, commands):
        """Seconds of each: most of the time they wait."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return {name: run.result() for name, run in {name: pool.submit(seconds_of, *c) for name, c in commands.items()}.items()}

    def compare(self, habits, curl, ours, content):
        """`curl` and `ours` give the command for a habit and a file."""
        took = self.side_by_side({(program, habit): command(habit, self.folder / f"{program}-{habit}")
                                  for habit in ("at-once", *habits) for program, command in {"curl": curl, "ours": ours}.items()})
        for habit in habits:
            with self.subTest(habit=habit):
                saved = self.folder / f"ours-{habit}"
                self.assertEqual((saved / "picture" if saved.is_dir() else saved).read_bytes(), content)
                ours, theirs = took["ours", habit] - took["ours", "at-once"], took["curl", habit]
                self.assertLessEqual(ours, RATIO * theirs + (SLACK if theirs < 1 else 0), took)

    def test_a_download_takes_little_longer_than_one_request(self):
        def curl(habit, to):
            return "curl", "-sS", "-o", to, self.origin.url(habit, "file.bin")

        def get(habit, to):
            return BIN / "tributary-get", "-q", "--link", "lo", "--overwrite", "-o", to, self.origin.url(habit, "file.bin")

        self.compare(HABITS.keys() - {"at-once"}, curl, get, FILE)

    def test_a_stream_takes_little_longer_than_its_files_one_after_the_other(self):
        def curl(habit, to):
            files = ["index.json", *sorted(CONTENT)]
            return "curl", "-sS", *[word for file in files for word in ("-o", to, self.origin.url(habit, file))]

        def bench(habit, to):
            return BIN / "tributary-bench", "-q", "--link", "lo", "--save-raw", to, self.origin.url(habit, "index.json")

        self.compare(("slow-first-byte", "pause"), curl, bench, b"".join(CONTENT[name] for name in sorted(CONTENT)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
