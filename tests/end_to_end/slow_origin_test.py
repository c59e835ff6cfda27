#!/usr/bin/env python3
"""An origin that is slow is waited for, and costs us little more time than curl, which makes one request and waits.

Usage: slow_origin_test.py BIN_DIR SOURCE_DIR.
"""
import asyncio
import concurrent.futures
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
FILES = {"file.bin": FILE, "index.json": INDEX, **CONTENT}
SECONDS = 3
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


HABITS = {"at-once": at_once, "slow-first-byte": slow_first_byte, "pause": pause}


class SlowOrigin(FaultyOrigin):
    """/HABIT/FILE, whole or in ranges."""

    def url(self, habit, file):
        return f"http://127.0.0.1:{self.port}/{habit}/{file}"

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

    def side_by_side(self, **commands):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return {name: run.result() for name, run in {name: pool.submit(seconds_of, *c) for name, c in commands.items()}.items()}

    def test_a_download_takes_little_longer_than_one_request(self):
        for habit in ("slow-first-byte", "pause"):
            with self.subTest(habit=habit):
                saved = self.folder / habit
                get = (BIN / "tributary-get", "-q", "--link", "lo", "-o")
                took = self.side_by_side(
                    curl=("curl", "-sS", "-o", self.folder / "curl", self.origin.url(habit, "file.bin")),
                    get=(*get, saved, self.origin.url(habit, "file.bin")),
                    prompt=(*get, self.folder / "prompt", self.origin.url("at-once", "file.bin")))
                self.assertEqual(saved.read_bytes(), FILE)
                self.assertLessEqual(took["get"] - took["prompt"], RATIO * took["curl"], took)

    def test_a_stream_takes_little_longer_than_its_files_one_after_the_other(self):
        files = ["index.json", *sorted(CONTENT)]
        for habit in ("slow-first-byte", "pause"):
            with self.subTest(habit=habit):
                saved = self.folder / f"{habit}.bin"
                curl = [word for file in files for word in ("-o", self.folder / "curl", self.origin.url(habit, file))]
                bench = (BIN / "tributary-bench", "-q", "--link", "lo", "--save")
                took = self.side_by_side(
                    curl=("curl", "-sS", *curl),
                    bench=(*bench, saved, self.origin.url(habit, "index.json")),
                    prompt=(*bench, self.folder / "prompt", self.origin.url("at-once", "index.json")))
                self.assertEqual(saved.read_bytes(), b"".join(CONTENT[name] for name in sorted(CONTENT)))
                self.assertLessEqual(took["bench"] - took["prompt"], RATIO * took["curl"], took)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
