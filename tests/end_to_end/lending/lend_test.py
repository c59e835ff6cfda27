#!/usr/bin/env python3
"""A neighbour's uplink is one more link: pairing, what is reached over it, caps, and lenders that die or lie.

Usage: lend_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import contextlib
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from lending_lab import LendingLab, lender_address  # noqa: E402
from lab import BIN, ORIGIN, SOURCE, main  # noqa: E402
from told_program import Program  # noqa: E402
from waiting import wait_until  # noqa: E402

SIZE = 6_000_000
PORT = 7118
# The status, asked for by several programs of a member: how each is answered.
WATCH = """import socket, ssl, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
context.load_cert_chain(sys.argv[3])
held = []
for _ in range(int(sys.argv[4])):
    held.append(context.wrap_socket(socket.create_connection((sys.argv[1], int(sys.argv[2])))))
    held[-1].sendall(b"GET /lending HTTP/1.1\\r\\nHost: lender\\r\\n\\r\\n")
    print(held[-1].recv(12).split()[1].decode())
"""
# Connections that are never told anything, until the other end closes them all.
HOLD = """import socket, sys
held = [socket.create_connection((sys.argv[1], int(sys.argv[2]))) for _ in range(int(sys.argv[3]))]
print("connected", flush=True)
for each in held:
    each.recv(1)
"""


def share_of(report, link):
    return next((each["bytes"] for each in report["links"] if each["name"] == link), 0) / SIZE


class LendTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="tributary-lend-")))
        os.chmod(self.folder, 0o755)
        (self.folder / "content").mkdir()
        self.whole = random.Random(1).randbytes(SIZE)
        (self.folder / "content/object.bin").write_bytes(self.whole)

    def lab(self, **links):
        lab = LendingLab(self.folder, **links)
        self.addCleanup(lab.close)
        return lab

    def connect(self, lab, target, number=0, keys=None):
        """What the lender answers to a member that wants to get to HOST:PORT."""
        keys = keys or lab.identity()
        done = lab.ask_borrower(sys.executable, SOURCE / "tests/end_to_end/lending/ask_lender.py", lender_address(number), PORT, keys, target)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def test_borrowed_by_a_code_it_brings_its_part(self):
        lab = self.lab(own="3Mbps 20ms", uplinks=("3Mbps 20ms",))  # slower than a processor that has other work
        lender = lab.lend(0)
        lab.pair(0)
        whole, report = lab.get("object.bin")
        self.assertEqual(whole, self.whole)
        self.assertGreater(share_of(report, "lender0"), 0.2, report)
        self.assertIn("lends", lab.ask_borrower(BIN / "tributary-links", "--lenders").stdout)
        lender.wait_for(f"with {ORIGIN}:443")
        whole, report = lab.get("object.bin", "--lent", "leave")
        self.assertEqual(share_of(report, "lender0"), 0)
        whole, report = lab.get("object.bin", "--link", "lender0")
        self.assertEqual((whole, share_of(report, "lender0")), (self.whole, 1))

        with self.subTest("as the only way out"):
            (self.folder / "content/small.bin").write_bytes(self.whole[:100_000])
            lab.in_borrower("ip", "link", "set", "own", "down")
            whole, report = lab.get("small.bin")
            self.assertEqual(whole, self.whole[:100_000])
            lab.in_borrower("ip", "link", "set", "own", "up")

        with self.subTest("an interface with the lender's name"):
            lab.in_borrower("ip", "link", "add", "lender0", "type", "bridge")
            whole, report = lab.get("small.bin", "--link", "lender0-lent")
            self.assertEqual([each["name"] for each in report["links"]], ["lender0-lent"])
            lab.in_borrower("ip", "link", "delete", "lender0")

        with self.subTest("a lent link that is down"):
            lab.in_lender(0, "ip", "link", "set", "dev", "up", "down")
            lender.wait_for("lends nothing: its link up: ")
            wait_until(lambda: "its link up: " in lab.ask_borrower(BIN / "tributary-links", "--lenders").stdout)

        with self.subTest("a member that is removed"):
            member = lab.in_lender(0, BIN / "tributary-lend", "--members").strip()
            lab.in_lender(0, BIN / "tributary-lend", "--remove-member", member)
            wait_until(lambda: "it does not know us any more" in lab.ask_borrower(BIN / "tributary-links", "--lenders").stdout)
            self.assertTrue(self.connect(lab, f"{ORIGIN}:443").startswith("403"))

        with self.subTest("a lender that is given back"):
            lab.in_borrower(BIN / "tributary-links", "--give-back", "lender0")
            self.assertNotIn("lender0", lab.ask_borrower(BIN / "tributary-links", "--lenders").stdout)

    def test_wrong_codes_let_nobody_in(self):
        lab = self.lab()
        lab.lend(0)
        self.assertIn("shows no code", lab.borrow(0, "123456").stderr)
        code, program = lab.show_code(0)
        wrong = f"{(int(code) + 1) % 1_000_000:06}"
        for _ in range(3):
            self.assertIn("the code is wrong", lab.borrow(0, wrong).stderr)
        program.wait_for("three tries")
        for _ in range(3):
            self.assertIn("pairs with nobody for", lab.borrow(0, code).stderr)
        lab.show_code(0)
        self.assertIn("pairs with nobody for", lab.borrow(0, wrong).stderr)
        self.assertEqual(lab.in_lender(0, BIN / "tributary-lend", "--members"), "")

    def test_the_newest_code_counts(self):
        lab = self.lab()
        lab.lend(0)
        _, first = lab.show_code(0)
        code, second = lab.show_code(0)
        first.wait_for("another code is shown")
        self.assertEqual(first.end(), 1)
        self.assertEqual(lab.borrow(0, code).returncode, 0)
        second.wait_for("is a member now")

    def test_those_who_say_nothing_keep_nobody_out(self):
        lab = self.lab()
        lab.lend(0)
        silent = Program(lab.borrower.client_command(sys.executable, "-c", HOLD, lender_address(0), PORT, "150"))
        self.addCleanup(silent.end)
        silent.wait_for("connected")
        lab.pair(0)
        self.assertTrue(self.connect(lab, f"{ORIGIN}:443").startswith("200"))

    def test_members_reach_the_web_and_nothing_else(self):
        lab = self.lab()
        lab.lend(0)
        lab.pair(0)
        self.assertTrue(self.connect(lab, f"{ORIGIN}:443").startswith("200"))
        own = lender_address(0)
        for target in (f"{own}:443", f"{own}:7118", "127.0.0.1:443", "127.0.0.1:80", "localhost:443", "[::1]:443", "0.0.0.0:443",
                       f"[::ffff:{own}]:443", "[::ffff:127.0.0.1]:443", "[64:ff9b::7f00:1]:443", "192.168.77.1:443", "169.254.169.254:80",
                       "10.0.0.1:80", f"{ORIGIN}:22", f"{ORIGIN}:8080", "2130706433:443", "0x7f.1:443", f"{ORIGIN}", ":443", "a b:443"):
            self.assertRegex(self.connect(lab, target), "^[45]", target)
        with self.subTest("the status, by few programs at once"):
            def answers():
                return lab.in_borrower(sys.executable, "-c", WATCH, own, PORT, lab.identity(), 9).split()

            self.assertEqual(answers(), 8 * ["200"] + ["429"])
            wait_until(lambda: answers() == 8 * ["200"] + ["429"])
        stranger = self.folder / "stranger.pem"
        stranger.write_bytes(b"".join((self.folder / f"tls/{part}").read_bytes() for part in ("server.pem", "server-key.pem")))
        self.assertTrue(self.connect(lab, f"{ORIGIN}:443", keys=stranger).startswith("403"))

    def test_slow_names_of_one_member_delay_no_other(self):
        lab = self.lab()
        names = Program(lab.lenders[0].client_command(sys.executable, SOURCE / "tests/end_to_end/lending/slow_names.py", ORIGIN))
        self.addCleanup(names.end)
        names.wait_for("answers")
        conf = self.folder / "resolv.conf"
        conf.write_text("nameserver 127.0.0.1\noptions timeout:30 attempts:1\n")
        lab.lend(0, through=("unshare", "--mount", "sh", "-euc", f'mount --bind {conf} /etc/resolv.conf; exec "$@"', "sh"))
        lab.pair(0)
        second = self.folder / "second"
        lab.pair(0, through=("env", f"XDG_STATE_HOME={second}"))
        for number in range(8):
            slow = Program(lab.borrower.client_command(sys.executable, SOURCE / "tests/end_to_end/lending/ask_lender.py", lender_address(0),
                                                       PORT, lab.identity(), f"slow{number}.example:443"))
            self.addCleanup(slow.end)

        def slow_ones():
            return {line for line in names.lines if line.startswith("slow")}

        wait_until(lambda: len(slow_ones()) == 4)
        self.assertTrue(self.connect(lab, "fast.example:443", keys=second / "tributary/lending/identity.pem").startswith("200"))
        self.assertEqual(len(slow_ones()), 4)

    def test_caps_hold_to_the_byte(self):
        lab = self.lab()
        lender = lab.lend(0, "--a-day", "2MB")
        lab.pair(0)
        whole, report = lab.get("object.bin")
        self.assertEqual(whole, self.whole)
        lender.end(signal.SIGINT)
        self.assertLessEqual(lab.used(0)["lent"], 2_000_000)
        self.assertGreater(lab.used(0)["lent"], 1_000_000)
        self.assertLess(share_of(report, "lender0"), 2_000_000 / SIZE)
        lab.lend(0, "--a-day", "2MB")
        taken = 0
        for _ in range(4):  # without knowing of the cap, as a member that cheats
            done = lab.ask_borrower(sys.executable, SOURCE / "tests/end_to_end/lending/ask_lender.py", lender_address(0), PORT, lab.identity(),
                                    f"{ORIGIN}:443", "--take", ORIGIN, "/object.bin")
            taken += int(done.stdout.split()[-1]) if done.stdout.startswith("200") else 0
        self.assertLessEqual(taken, 2_000_000)
        wait_until(lambda: lab.used(0)["lent"] == 2_000_000)

    def test_a_lender_may_die_and_return(self):
        lab = self.lab()
        lender = lab.lend(0)
        lab.pair(0)
        command, out = lab.get_command("object.bin")
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as getting:
            wait_until(lambda: lab.ask_borrower("ss", "-Htn", "state", "established", f"dst {lender_address(0)}").stdout.count("\n") > 1)
            lender.end(signal.SIGKILL)
            lab.lend(0)
            getting.communicate(timeout=60)
        self.assertEqual(getting.returncode, 0)
        self.assertEqual(out.read_bytes(), self.whole)

    def test_a_lender_that_lies_plays_nothing_wrong(self):
        lab = self.lab()
        lab.lend(0)
        lab.pair(0)
        real = lab.lenders[0].home / "tributary/lending/identity.pem"
        for mood in ("truncates", "changes", "refuses", "hangs", "another's certificate"):
            with self.subTest(mood), self.false_lender(lab, real, mood) as port:
                path = lab.borrower.home / "tributary/lending/lenders.json"
                path.write_text(re.sub(r":\d+\"", f':{port}"', path.read_text()))
                whole, _ = lab.get("object.bin")
                self.assertEqual(whole, self.whole)

    @contextlib.contextmanager
    def false_lender(self, lab, keys, mood):
        program = subprocess.Popen(
            lab.lenders[0].client_command(sys.executable, SOURCE / "tests/end_to_end/lending/false_lender.py", lender_address(0), keys,
                                          self.folder / "tls", mood), stdout=subprocess.PIPE, text=True)
        try:
            yield int(program.stdout.readline())
        finally:
            program.terminate()
            program.wait()
            program.stdout.close()


if __name__ == "__main__":
    main()
