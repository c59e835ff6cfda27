#!/usr/bin/env python3
"""What a link with a cap brings, as a user would see it: over the loopback interface from a throttled nginx, with ledgers of its own.

Usage: costs_test.py BIN_DIR. Ends with 77, which ctest counts as skipped, without nginx.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

SKIPPED, USED_UP, INTERRUPTED = 77, 63, 130
BIN = pathlib.Path(sys.argv[1])
SIZE, CAP = 12_000_000, 3_100_000  # no whole number of chunks
RATE = 4_000_000  # bytes a second and connection
CONFIGURATION = """
worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
  access_log off; limit_rate {rate}; client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
  uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
  server {{ listen 127.0.0.1:{port}; root {folder}/content; }}
}}
"""


class CostsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="tributary-costs-")
        cls.addClassCleanup(temporary.cleanup)
        folder = cls.folder = pathlib.Path(temporary.name)
        folder.chmod(0o755)
        (folder / "content").mkdir()
        (folder / "content" / "object.bin").write_bytes(random.Random(1).randbytes(SIZE))
        (folder / "content" / "small.bin").write_bytes(bytes(1000))
        (folder / "sizes").write_text(json.dumps({"segment_duration_ms": 2000, "bitrates_kbps": [1200], "quality_names": ["low"],
                                                  "segment_sizes_bits": [[2_400_000]] * 10}))
        subprocess.run([BIN / "tributary-segment", "--synthetic", folder / "sizes", "--segments", "10",
                        "-o", folder / "content" / "film", "-q"], check=True, timeout=60)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (folder / "conf").write_text(CONFIGURATION.format(folder=folder, port=port, rate=RATE))
        server = subprocess.Popen(["nginx", "-c", folder / "conf"], stderr=subprocess.DEVNULL)
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        cls.origin = f"http://127.0.0.1:{port}"
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        raise RuntimeError("nginx does not listen")

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.state = self.out / "state" / "tributary"
        self.file = self.out / "got"

    def start(self, program, *arguments):
        return subprocess.Popen([BIN / program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "XDG_STATE_HOME": str(self.out / "state")})

    def get(self, cap, *more, name="object.bin", to="got"):
        return self.start("tributary-get", f"{self.origin}/{name}", "-o", self.out / to, "--overwrite", "-q", "--json",
                          "--link", f"lo=metered:{cap}", *more)

    def end(self, program, expect):
        figures, errors = program.communicate(timeout=60)
        self.assertEqual(program.returncode, expect, errors)
        return json.loads(figures) if figures.startswith("{") else figures, errors

    def counted(self):
        return json.loads((self.state / "link-usage.json").read_text())["networks"][0]["bytes"]

    def kept(self):
        return sum(end - begin for begin, end in json.loads((self.out / "got.part.json").read_text())["complete"])

    def leases(self):
        return list(self.state.glob("*lease*"))

    def expect_a_part_only(self):
        self.assertEqual(sorted(path.name for path in self.out.glob("got*")), ["got.part", "got.part.json"])

    def wait_until_some_is_there(self, program):
        part = self.out / "got.part"
        for _ in range(300):
            if part.exists() and part.stat().st_size > SIZE // 4:
                return
            self.assertIsNone(program.poll())
            time.sleep(0.05)
        self.fail("nothing comes")

    def test_a_cap_is_used_to_its_last_byte_and_then_it_ends_at_once(self):
        _, errors = self.end(self.get(CAP), USED_UP)
        self.assertEqual(self.counted(), CAP)
        self.assertEqual(self.kept(), CAP)
        self.expect_a_part_only()
        begin = time.monotonic()
        figures, errors = self.end(self.get(CAP, "--continue"), USED_UP)
        self.assertLess(time.monotonic() - begin, 10)  # 60 s without a byte would be given up, too
        self.assertEqual(figures["bytes"], 0)
        for words in ("lo may not bring more: 3.10 MB of its cap of 3.10 MB are used since", "it begins anew on", "raise the cap",
                      "--continue goes on from there"):
            self.assertIn(words, errors)
        self.expect_a_part_only()
        self.end(self.get("100MB", "--continue"), 0)
        self.assertEqual(self.file.read_bytes(), (self.folder / "content" / "object.bin").read_bytes())
        self.assertEqual(self.counted(), SIZE)  # no byte was paid for twice

    def test_after_control_c_what_came_is_counted_and_nothing_else(self):
        program = self.get("100MB")
        self.wait_until_some_is_there(program)
        program.send_signal(signal.SIGINT)
        figures, _ = self.end(program, INTERRUPTED)
        self.assertGreater(figures["bytes"], 0)
        self.assertEqual(self.counted(), figures["bytes"])
        self.assertEqual(self.kept(), figures["bytes"])
        self.expect_a_part_only()
        again, _ = self.end(self.get("100MB", "--continue"), 0)
        self.assertEqual(self.counted(), figures["bytes"] + again["bytes"])
        self.assertEqual(self.file.read_bytes(), (self.folder / "content" / "object.bin").read_bytes())
        self.assertEqual(self.leases(), [])

    def test_of_a_program_that_was_killed_what_it_did_not_request_is_not_counted(self):
        program = self.get("100MB")
        self.wait_until_some_is_there(program)
        program.kill()
        program.communicate(timeout=10)
        taken = self.counted()
        lease, = self.leases()
        unused = json.loads(lease.read_text())["unused"]
        self.assertGreater(unused, 0)
        self.end(self.get("100MB", name="small.bin", to="small"), 0)
        self.assertEqual(self.counted(), taken - unused + 1000)
        self.assertGreaterEqual(taken - unused, self.kept())
        self.assertEqual(self.leases(), [])

    def test_the_benchmark_says_it_too(self):
        begin = time.monotonic()
        program = self.start("tributary-bench", f"{self.origin}/film/index.json", "--link", "lo=metered:1MB", "-q")
        _, errors = self.end(program, 1)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertIn("no link is left; lo may not bring more: 1.00 MB of its cap of 1.00 MB", errors)
        self.assertEqual(self.counted(), 1_000_000)


if __name__ == "__main__":
    if not shutil.which("nginx"):
        print("skipped: no nginx")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
