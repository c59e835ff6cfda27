#!/usr/bin/env python3
"""Downloads over emulated links from real servers, as a user would, and holds the files against those on the server.

Usage: get_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, MAKE_CERTIFICATE, ORIGIN, Lab, all_if_long, carried, lose_large_packets, main, must, netlab, only_if_long, outage, run  # noqa: E402
from waiting import wait_until  # noqa: E402

SIZE = 10_000_000
CHUNK = SIZE // 16


EXPIRING_PORT = 8081


class GetTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="tributary get ")  # with a blank in its name
        cls.folder = pathlib.Path(cls.temporary.name)
        os.chmod(cls.folder, 0o755)
        content = cls.folder / "content"
        content.mkdir()
        (content / "object.bin").write_bytes(random.Random(1).randbytes(SIZE))
        (content / "small.bin").write_bytes(random.Random(2).randbytes(60_000))
        (content / "one").write_bytes(b"1")
        (content / "empty").write_bytes(b"")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.file = self.out / "got"

    def lab(self, links, **options):
        lab = Lab(links, self.folder, **options)
        self.addCleanup(lab.close)
        return lab

    def command(self, lab, name, *arguments, origin=f"http://{ORIGIN}"):
        return lab.client_command(BIN / "tributary-get", f"{origin}/{name}", "-o", self.file, "--overwrite", "-q", "--json",
                                  *arguments)

    def get(self, lab, name="object.bin", *arguments, expect=0, **options):
        done = run(*self.command(lab, name, *arguments, **options))
        self.assertEqual(done.returncode, expect, done.stderr)
        self.errors = done.stderr
        return json.loads(done.stdout) if done.stdout else None

    def wait_until_half_is_there(self, get):
        part = self.out / "got.part"

        def bytes_there():
            """Of what is written from both ends, most is a hole at first: zeros, which random bytes have few of."""
            there = part.read_bytes() if part.exists() else b""
            return len(there) - there.count(0)
        wait_until(lambda: get.poll() is not None or bytes_there() > SIZE / 2)

    def interrupt(self, lab, *arguments, by=signal.SIGINT):
        get = subprocess.Popen(self.command(lab, "object.bin", *arguments), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.wait_until_half_is_there(get)
        get.send_signal(by)
        figures, errors = get.communicate(timeout=60)
        self.assertEqual(get.returncode, 130, errors)
        self.expect_no_file_but_its_part()
        return json.loads(figures)

    def expect_the_file(self, name="object.bin"):
        self.assertTrue(self.file.read_bytes() == (self.folder / "content" / name).read_bytes(), "other bytes")
        self.assertEqual([path.name for path in self.out.glob("got*")], ["got"])

    def expect_no_file_but_its_part(self):
        self.assertEqual(sorted(path.name for path in self.out.glob("got*")), ["got.part", "got.part.json"])

    def test_two_links_carry_their_shares(self):
        lab = self.lab("wifi 16Mbps 10ms; lte 8Mbps 40ms")
        for approach in all_if_long(("dynamic", "static")):
            with self.subTest(approach):
                figures = self.get(lab, "object.bin", "--subsegments", approach, "--trace", self.out / "trace")
                self.expect_the_file()
                self.assertAlmostEqual(figures["bytes"], SIZE, delta=SIZE / 100)  # a little is taken over at the end
                self.assertEqual(figures["resumed_bytes"], 0)
                share = {link["name"]: link["share"] for link in figures["links"]}
                self.assertAlmostEqual(share["wifi"], 2 / 3, delta=0.1)
                self.assertAlmostEqual(share["lte"], 1 / 3, delta=0.1)
                self.assertGreater(figures["goodput_kbit_s"], 16_000)  # more than wifi alone could have carried
                replayed = run(BIN / "tributary-bench", "--replay", self.out / "trace", "-q")
                self.assertEqual(replayed.returncode, 0, replayed.stderr)

    def test_an_address_that_expires_is_asked_for_again_over_every_link(self):
        lab = self.lab("wifi 8Mbps 10ms; lte 8Mbps 20ms")
        command = ("exec", lab.name, "server", "--", "python3",
                   pathlib.Path(__file__).with_name("expiring_origin.py"), ORIGIN, EXPIRING_PORT, self.folder / "content" / "object.bin")
        server = subprocess.Popen([str(word) for word in (BIN / "tributary-netlab", *command)], stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        ready = lab.client_command("curl", "-s", "--retry", "20", "--retry-connrefused", "--retry-delay", "1",
                                   f"http://{ORIGIN}:{EXPIRING_PORT}/ready")
        self.assertEqual(run(*ready).stdout, "expired")
        figures = self.get(lab, origin=f"http://{ORIGIN}:{EXPIRING_PORT}")
        self.expect_the_file()
        self.assertTrue(figures["ranges"])
        self.assertEqual(sorted(link["name"] for link in figures["links"]), ["lte", "wifi"])
        self.assertGreater(min(link["share"] for link in figures["links"]), 0.4)

    def test_where_the_first_answer_and_the_ranges_meet_little_comes_in_vain(self):
        headers = 1514 / 1448  # of packets
        lab = self.lab("wifi 12Mbps 20ms; lte 3Mbps 20ms")
        figures = self.get(lab)
        self.expect_the_file()
        came = sum(carried(lab, link) for link in ("wifi", "lte"))
        self.assertLess(figures["bytes"] / SIZE - 1, 0.02)
        self.assertLess(came / (SIZE * headers) - 1, 0.05)  # a second of what the slower link brings were 0.04

    def test_a_link_that_loses_packets_carries_several_connections(self):
        lab = self.lab("wifi 12Mbps 40ms, loss 0.02")
        one = self.get(lab, "object.bin", "--connections", 1)
        self.expect_the_file()
        self.assertEqual([link["connections"] for link in one["links"]], [1])
        several = self.get(lab, "object.bin")
        self.expect_the_file()
        self.assertGreater(several["links"][0]["connections"], 2)
        self.assertGreater(several["goodput_kbit_s"], 1.5 * one["goodput_kbit_s"])

    def test_a_link_that_is_cut_and_returns(self):
        lab = self.lab("wifi 8Mbps 10ms; lte 8Mbps 40ms")
        with outage(lab, "lte", 1.5, 1.5) as seen:
            self.get(lab, "object.bin")
        self.expect_the_file()
        self.assertGreater(carried(lab, "lte"), seen["carried"] + SIZE / 20)

    def test_a_link_that_tells_nothing_of_being_dead_costs_little_time(self):
        """The first request, which all others wait for, is made over another link soon. TLS at 600 bytes: it cannot be agreed on."""
        must(MAKE_CERTIFICATE, self.folder / "first-tls", ORIGIN)
        os.chmod(self.folder / "first-tls", 0o755)
        tls = ("--tls", self.folder / "first-tls/server.pem", self.folder / "first-tls/server-key.pem")
        http, https, silent = ("http", 1200, ()), ("https", 600, tls), ("http", 0, ())
        cases = (("wifi", "lte", http), ("lte", "wifi", https), ("wifi", "lte", silent), ("lte", "wifi", silent),
                 ("lte", "wifi", http), ("wifi", "lte", https))
        for dead, alive, (scheme, size, options) in all_if_long(cases, 2):
            with self.subTest(dead=dead, scheme=scheme, size=size):
                lab = self.lab("wifi 16Mbps 10ms; lte 16Mbps 20ms", options=options)
                get = functools.partial(self.get, lab, "object.bin", origin=f"{scheme}://{ORIGIN}:80")
                trust = ("--cacert", self.folder / "first-tls/ca.pem")
                alone = get("--link", alive, *trust)["seconds"]
                lose_large_packets(lab, dead, size)
                both = get(*trust)
                self.expect_the_file()
                self.assertLess(both["seconds"], 4 * alone)
                lab.close()

    def test_whoever_waits_is_told_what_for(self):
        lab = self.lab("wifi 16Mbps 10ms; lte 16Mbps 20ms")
        for link in ("wifi", "lte"):
            lose_large_packets(lab, link, 0)
        command = [word for word in self.command(lab, "object.bin") if word != "-q"]
        get = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        told = get.stderr.readline()
        get.send_signal(signal.SIGINT)
        self.assertEqual(get.wait(60), 130)
        get.stderr.close()
        self.assertIn(f"waiting for http://{ORIGIN}/object.bin: no connection over ", told)
        self.assertRegex(told, r"over wifi for \d+ s")
        self.assertRegex(told, r"over lte for \d+ s")

    @only_if_long
    def test_a_slow_link_is_not_taken_for_a_dead_one(self):
        """What is asked for is acknowledged behind all that is on its way: later than in 4 s."""
        figures = self.get(self.lab("gprs 20kbps 300ms"), "small.bin")
        self.assertEqual(self.file.read_bytes(), (self.folder / "content" / "small.bin").read_bytes())
        self.assertEqual([link["failures"] for link in figures["links"]], [0])

    def test_what_was_interrupted_is_continued(self):
        lab = self.lab("wifi 8Mbps 10ms; lte 8Mbps 40ms")
        first = self.interrupt(lab)
        self.assertFalse(first["complete"])
        noted = json.loads((self.out / "got.part.json").read_text())
        self.assertEqual((self.out / "got.part.json").stat().st_mode & 0o077, 0)
        there = sum(end - begin for begin, end in noted["complete"])
        self.assertGreater(there, 2 * CHUNK)
        second = self.get(lab, "object.bin", "--continue")
        self.expect_the_file()
        self.assertEqual(second["resumed_bytes"], there)
        self.assertAlmostEqual(second["bytes"], SIZE - there, delta=SIZE / 20)
        self.assertGreater(min(link["share"] for link in second["links"]), 0.25)  # all links go on, not the first alone
        self.assertLessEqual(first["bytes"] - there, SIZE / 20)  # but what came twice, it is all there

    def test_whatever_ends_it_the_bytes_and_what_links_did_are_kept(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                lab = self.lab("wifi 16Mbps 10ms")
                self.setUp()  # what was interrupted before is elsewhere
                self.interrupt(lab, by=number)
                memory = json.loads((self.folder / f"{lab.name}.state/tributary/link-memory.json").read_text())
                self.assertEqual(len(memory["networks"]), 1)

    def test_with_nohup_it_outlives_its_terminal(self):
        lab = self.lab("wifi 16Mbps 10ms")
        get = subprocess.Popen(self.command(lab, "object.bin"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_until_half_is_there(get)
        get.send_signal(signal.SIGHUP)
        _, errors = get.communicate(timeout=60)
        self.assertEqual(get.returncode, 0, errors)
        self.expect_the_file()

    def test_without_continue_it_begins_anew(self):
        lab = self.lab("wifi 20Mbps 10ms; lte 20Mbps 40ms")
        self.interrupt(lab)
        self.assertGreaterEqual(self.get(lab)["bytes"], SIZE)
        self.expect_the_file()

    def test_another_object_is_not_continued(self):
        lab = self.lab("wifi 20Mbps 10ms")
        changing = self.folder / "content" / "object.bin"
        self.interrupt(lab)
        part = (self.out / "got.part").read_bytes()
        seconds = changing.stat().st_mtime
        os.utime(changing, (seconds + 100, seconds + 100))  # nginx makes its ETags of time and size
        self.get(lab, "object.bin", "-C", expect=33)
        self.assertIn("ETag", self.errors)
        self.expect_no_file_but_its_part()
        self.assertEqual((self.out / "got.part").read_bytes(), part)
        (self.out / "got.part.json").write_text("{}")
        self.get(lab, "object.bin", "-C", expect=33)
        (self.out / "got.part.json").unlink()
        self.get(lab, "object.bin", "-C", expect=33)
        self.assertIn("got.part.json", self.errors)

    def test_a_download_that_was_killed_before_its_first_byte_begins_with_it(self):
        (self.out / "got.part").touch()
        self.get(self.lab("wifi 20Mbps 10ms"), "object.bin", "-C")
        self.expect_the_file()

    def test_an_object_that_changes_meanwhile_is_fetched_anew(self):
        """In one answer, which is of one version."""
        lab = self.lab("wifi 8Mbps 10ms; lte 8Mbps 40ms")
        changing = self.folder / "content" / "object.bin"
        before, seconds = changing.read_bytes(), changing.stat().st_mtime
        self.addCleanup(changing.write_bytes, before)

        def change():
            other = self.folder / "content" / "other.bin"
            other.write_bytes(before[::-1])
            os.utime(other, (seconds + 100, seconds + 100))
            other.rename(changing)

        timer = threading.Timer(2, change)
        timer.start()
        figures = self.get(lab)
        timer.join()
        self.assertIn("entity-changed", self.errors)
        self.assertFalse(figures["ranges"])
        self.expect_the_file()

    def test_a_server_without_ranges(self):
        lab = self.lab("wifi 20Mbps 10ms; lte 20Mbps 40ms")
        command = [BIN / "tributary-netlab", "exec", lab.name, "server", "--", "python3", "-m", "http.server", "8000",
                   "--directory", self.folder / "content"]
        server = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (server.terminate(), server.wait()))
        origin = f"http://{ORIGIN}:8000"
        wait_until(lambda: run(*lab.client_command("curl", "-s", f"{origin}/one")).returncode == 0)
        done = run(*lab.client_command(BIN / "tributary-get", f"{origin}/object.bin", "-o", self.file))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("does not know ranges", done.stderr)
        self.expect_the_file()
        figures = self.get(lab, origin=origin)
        self.assertFalse(figures["ranges"])
        self.assertEqual([link["share"] for link in figures["links"]], [1])
        for name in ("one", "empty"):
            self.get(lab, name, origin=origin)
            self.expect_the_file(name)
        get = subprocess.Popen(self.command(lab, "object.bin", origin=origin), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.wait_until_half_is_there(get)
        get.send_signal(signal.SIGINT)
        get.communicate(timeout=60)
        self.assertEqual(get.returncode, 130)
        self.assertFalse((self.out / "got.part").exists(), "it cannot be continued")

    def test_what_is_no_file_is_written_in_place(self):
        lab = self.lab("wifi 16Mbps 10ms; lte 8Mbps 40ms")
        whole = (self.folder / "content" / "object.bin").read_bytes()
        os.mkfifo(self.file)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            read = pool.submit(self.file.read_bytes)
            figures = self.get(lab)
            self.assertTrue(read.result() == whole, "other bytes")
        self.assertEqual([link["share"] for link in figures["links"]], [1], "in their order")
        self.assertTrue(self.file.is_fifo())
        self.file.unlink()
        self.file.symlink_to("/dev/null")
        figures = self.get(lab)
        self.assertTrue(figures["complete"])
        self.assertGreaterEqual(figures["bytes"], SIZE)
        self.assertLessEqual(figures["bytes"], SIZE * 1.05)  # what is taken over at the end comes twice
        self.assertGreater(min(link["share"] for link in figures["links"]), 0.2, "in any order")
        self.assertTrue(self.file.is_char_device())
        self.assertEqual([path.name for path in self.out.glob("got*")], ["got"])

    def fetch(self, lab, *arguments, expect=0, **options):
        done = run(*lab.client_command(BIN / "tributary-get", *arguments), cwd=self.out, **options)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def test_no_file_is_replaced_silently(self):
        lab = self.lab("wifi 16Mbps 10ms; lte 8Mbps 10ms")
        url, whole = f"http://{ORIGIN}/small.bin", (self.folder / "content" / "small.bin").read_bytes()
        (self.out / "small.bin").write_bytes(b"mine")
        self.assertIn("small.1.bin: 60.0 kB", self.fetch(lab, url).stderr)
        self.fetch(lab, url)
        self.assertEqual((self.out / "small.bin").read_bytes(), b"mine")
        for name in ("small.1.bin", "small.2.bin"):
            self.assertEqual((self.out / name).read_bytes(), whole)
        refused = self.fetch(lab, url, "-o", "small.bin", expect=23)
        self.assertIn("small.bin is there already: --overwrite replaces it", refused.stderr)
        self.assertEqual((self.out / "small.bin").read_bytes(), b"mine")
        self.assertIn("--overwrite", self.fetch(lab, url, "-C", expect=33).stderr)  # it is another one
        self.fetch(lab, url, "-o", "small.bin", "--overwrite")
        self.assertEqual((self.out / "small.bin").read_bytes(), whole)
        again = self.fetch(lab, url, "-C", "--json")
        self.assertIn("small.bin is whole already, with 60.0 kB", again.stderr)
        self.assertEqual(json.loads(again.stdout)["bytes"], 0)
        (self.out / "folder").mkdir()
        self.fetch(lab, url, "-o", "folder")
        self.fetch(lab, url, "-o", "folder/")
        self.assertEqual(sorted(path.name for path in (self.out / "folder").iterdir()), ["small.1.bin", "small.bin"])

    def test_several_files_and_their_checksums(self):
        lab = self.lab("wifi 16Mbps 10ms; lte 8Mbps 10ms")
        digest = hashlib.sha256((self.folder / "content" / "small.bin").read_bytes()).hexdigest()
        urls = [f"http://{ORIGIN}/{name}" for name in ("small.bin", "nothing", "one")]
        (self.out / "list").write_text(f"# two\n\n  {urls[1]}\n{urls[2]}\n")
        done = self.fetch(lab, urls[0], "--input-file", "list", expect=22)
        self.assertIn("nothing", done.stderr)
        self.assertEqual((self.out / "one").read_bytes(), b"1")
        self.fetch(lab, *urls, "-o", "small.bin", expect=2)
        self.fetch(lab, "--input-file", "-", input=urls[2])
        self.assertTrue((self.out / "one.1").exists())
        (self.out / "named").write_text(f"{urls[0]}\n  out=named.bin\n  checksum=sha-256={digest}\n{urls[2]}\n  split=4\n")
        self.assertIn("named, line 5: \"split\"", self.fetch(lab, "--input-file", "named", expect=2).stderr)
        (self.out / "named").write_text(f"{urls[0]}\n  out=named.bin\n  checksum=sha-256={'0' * 64}\n{urls[2]}\n  dir=.\n")
        self.fetch(lab, "--input-file", "named", "--limit-rate", "500k", expect=32)
        self.assertFalse((self.out / "named.bin").exists())
        self.assertTrue((self.out / "one.2").exists())
        self.fetch(lab, urls[0], "-o", "good", "--checksum", f"sha256:{digest}")
        wrong = self.fetch(lab, urls[0], "-o", "bad", "--checksum", f"sha-256={'0' * 64}", expect=32)
        self.assertIn(f"bad is not the file that was expected: its sha256 is {digest}", wrong.stderr)
        self.assertEqual([path.name for path in self.out.glob("bad*")], [])
        self.fetch(lab, urls[0], "-C", "-o", "good", "--checksum", f"sha256:{'0' * 64}", expect=32)

    def test_fields_and_users_are_sent_over_all_links_and_a_rate_is_kept(self):
        lab = self.lab("wifi 16Mbps 10ms; lte 16Mbps 10ms")
        port = 8002
        server = subprocess.Popen([str(word) for word in (BIN / "tributary-netlab", "exec", lab.name, "server", "--", "python3",
                                   pathlib.Path(__file__).with_name("guarded_origin.py"), port, self.folder / "content")])
        self.addCleanup(lambda: (server.terminate(), server.wait()))
        url = f"http://{ORIGIN}:{port}/object.bin"
        wait_until(lambda: run(*lab.client_command("curl", "-s", url)).returncode == 0)
        self.fetch(lab, url, "-o", self.file, expect=22)
        (self.out / "netrc").write_text(f"machine {ORIGIN} login me password \"it is: \"\n")
        netrc = ("env", f"NETRC={self.out / 'netrc'}")
        field = ("-H", "X-Key: k", "--overwrite", "-q", "-o", self.file)
        for login in ((url, "--user", "me:it is: "), (url.replace("//", "//me:it%20is%3A%20@"),),
                      (url, "-H", "Authorization: Basic bWU6aXQgaXM6IA==")):
            self.fetch(lab, *login, *field)
            self.expect_the_file()
        done = run(*lab.client_command(*netrc, BIN / "tributary-get", url, "--netrc", *field))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_the_file()
        self.fetch(lab, url, "-H", "Range: bytes=0-1", expect=2)
        limited = self.fetch(lab, url, "--user", "me:it is: ", *field, "--json", "--limit-rate", "2MB/s")
        figures = json.loads(limited.stdout)
        self.expect_the_file()
        self.assertLess(figures["goodput_kbit_s"], 17_000)
        self.assertGreater(figures["goodput_kbit_s"], 10_000)
        self.assertGreater(min(link["share"] for link in figures["links"]), 0.1)

    def test_a_symbolic_link_is_followed(self):
        lab = self.lab("wifi 16Mbps 10ms; lte 8Mbps 40ms")
        whole = (self.folder / "content" / "small.bin").read_bytes()
        far = self.out / "far"
        far.mkdir()
        self.file.symlink_to("far/object")
        for before in (None, b"before"):
            with self.subTest(before=before):
                if before:
                    (far / "object").write_bytes(before)
                self.get(lab, "small.bin")
                self.assertTrue((far / "object").read_bytes() == whole, "other bytes")
                self.assertTrue(self.file.is_symlink())
                self.assertEqual([path.name for path in far.iterdir()], ["object"])
        self.file.unlink()
        self.file.symlink_to("/dev/stdout")
        command = [word for word in self.command(lab, "small.bin") if word != "--json"]
        for mode, beside in (("wb", b""), ("ab", b"before")):
            with self.subTest(mode=mode):
                (far / "object").write_bytes(b"before")
                with open(far / "object", mode) as out:
                    done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, timeout=100)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    subprocess.run(["echo", "-n", "after"], stdout=out, check=True)
                self.assertTrue((far / "object").read_bytes() == beside + whole + b"after", "other bytes")
        self.assertEqual([path.name for path in self.out.glob("got*")], ["got"])

    def test_a_hyphen_is_standard_output(self):
        lab = self.lab("wifi 16Mbps 10ms; lte 8Mbps 40ms")
        whole = (self.folder / "content" / "object.bin").read_bytes()
        command = self.command(lab, "object.bin")
        command[command.index(str(self.file))] = "-"
        command.remove("--json")
        done = subprocess.run(command, cwd=self.out, capture_output=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout == whole, "other bytes")
        self.assertEqual(list(self.out.iterdir()), [])

    def test_what_stands_there_and_is_no_downloads_is_left_alone(self):
        lab = self.lab("wifi 16Mbps 10ms")
        (self.out / "mine").write_text("mine")
        for name in ("got.part", "got.part.json", "got.part.json.new"):
            with self.subTest(name):
                (self.out / name).write_text("mine")
                self.get(lab, expect=23)
                self.assertIn(name, self.errors)
                self.assertEqual((self.out / name).read_text(), "mine")
                (self.out / name).unlink()
                (self.out / name).symlink_to("mine")
                self.get(lab, expect=23)
                self.assertEqual((self.out / "mine").read_text(), "mine")
                (self.out / name).unlink()
        self.get(lab)
        self.expect_the_file()

    def test_nothing_one_byte_and_no_such_object(self):
        lab = self.lab("wifi 20Mbps 10ms; lte 20Mbps 40ms")
        for name, size in {"one": 1, "empty": 0}.items():
            with self.subTest(name):
                self.assertEqual(self.get(lab, name)["bytes"], size)
                self.expect_the_file(name)
                self.file.unlink()
        self.get(lab, "nothing", expect=22)
        self.assertIn("404", self.errors)
        self.assertEqual(list(self.out.glob("got*")), [])

    def test_what_is_wrong_has_its_exit_status(self):
        must(MAKE_CERTIFICATE, self.folder / "tls", ORIGIN)
        os.chmod(self.folder / "tls", 0o755)
        lab = self.lab("wifi 20Mbps 10ms; lte 20Mbps 40ms", server="apache",
                       options=("--tls", self.folder / "tls/server.pem", self.folder / "tls/server-key.pem"))
        origin = f"https://{ORIGIN}:80"
        self.get(lab, "object.bin", expect=60, origin=origin)
        self.get(lab, "object.bin", "--cacert", self.folder / "tls/ca.pem", origin=origin)
        self.expect_the_file()
        self.file.unlink()
        (self.out / "got.part").mkdir()
        self.get(lab, "object.bin", "--cacert", self.folder / "tls/ca.pem", expect=23, origin=origin)
        (self.out / "got.part").rmdir()
        self.get(lab, "x", expect=7, origin=f"http://{ORIGIN}:81")
        for named in (("--link", "wifi", "--link", "nosuch0"), ("--link", "nosuch0=metered:1GB")):
            self.get(lab, "object.bin", *named, expect=45, origin=origin)
            self.assertIn("nosuch0: there is no such link; this machine has lo, lte, wifi", self.errors)
        netlab("set", lab.name, "lte", "down")
        self.get(lab, "object.bin", "--link", "wifi", "--link", "lte", expect=45, origin=origin)
        self.assertIn("lte: no carrier", self.errors)
        self.assertFalse((self.out / "got.part").exists())
        self.get(lab, "object.bin", "--link", "wifi", "--link-optional", "lte", "--link-optional", "nosuch0=backup",
                 "--cacert", self.folder / "tls/ca.pem", origin=origin)
        self.expect_the_file()
        self.get(lab, "x", expect=3, origin="gopher://host")
        self.get(lab, "x", expect=6, origin="http://no-such-host.invalid")
        self.get(lab, "x", "--depth", "0", expect=2)


if __name__ == "__main__":
    main()
