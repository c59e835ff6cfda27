#!/usr/bin/env python3
"""A proxy that lets connections through is one more link: what it adds, and what becomes of it when it does not (connect_proxy.py).

Usage: link_via_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import contextlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, ORIGIN, SOURCE, Lab, carried, main, must, run  # noqa: E402
from waiting import wait_until  # noqa: E402

PROXY, PORT = "203.0.113.7", 3128  # an address of the server's side, to which lte alone leads
SIZE = 6_000_000
LOGIN = "me:secret"


class LinkViaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tributary-via-")))
        os.chmod(cls.folder, 0o755)
        (cls.folder / "content").mkdir()
        cls.whole = random.Random(1).randbytes(SIZE)
        (cls.folder / "content/object.bin").write_bytes(cls.whole)
        cls.lab = Lab("wifi 8Mbps 20ms; lte 8Mbps 40ms", cls.folder)
        cls.addClassCleanup(cls.lab.close)
        must(BIN / "tributary-netlab", "exec", cls.lab.name, "server", "--", "ip", "address", "add", f"{PROXY}/32", "dev", "lo")
        gateway = json.loads(must(*cls.lab.client_command("ip", "-json", "route", "show", "table", "all", "dev", "lte", "default")))
        must(*cls.lab.client_command("ip", "route", "add", PROXY, "via", gateway[0]["gateway"], "dev", "lte"))
        cls.login = cls.folder / "the login"
        cls.login.write_text(LOGIN + "\n")
        cls.login.chmod(0o600)

    def proxy(self, mood="fair", *login):
        """Begins one; the file that says how it is."""
        said = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "mood"
        said.write_text(mood)
        command = [BIN / "tributary-netlab", "exec", self.lab.name, "server", "--", sys.executable,
                   SOURCE / "tests/end_to_end/links/connect_proxy.py", PROXY, PORT, said, *login]
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.terminate(), process.wait(), process.stdout.close()))
        self.assertEqual(process.stdout.readline(), "ready\n")
        return said

    def get(self, *options, links=("wifi", "office"), host=ORIGIN, environment=None, expect=0):
        """The report; links by name."""
        out = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "object.bin"
        of_links = [word for link in links for word in ("--link", link)]
        of_office = [] if "--proxy" in options else ["--link-via", f"office=http://{PROXY}:{PORT}"]
        done = run(*self.lab.client_command(BIN / "tributary-get", f"http://{host}/object.bin", "-o", out, "--json", *of_links, *of_office,
                                            *options), env=os.environ | (environment or {}))
        self.errors = done.stderr
        self.assertEqual(done.returncode, expect, done.stderr)
        if expect != 0:
            return None
        self.assertTrue(out.read_bytes() == self.whole, "other bytes")
        report = json.loads(done.stdout)
        return report | {"links": {link["name"]: link for link in report["links"]}}

    def test_it_adds_its_rate(self):
        self.proxy()
        alone = self.get(links=["office"])
        self.assertEqual([*alone["links"]], ["office"])
        both = self.get()
        sum_of_links = alone["goodput_kbit_s"] + self.get(links=["wifi"])["goodput_kbit_s"]
        self.assertGreater(both["goodput_kbit_s"] / sum_of_links, 0.9)
        self.assertGreater(both["links"]["office"]["share"], 0.4)

    def test_one_that_wants_a_login_gets_that_of_the_file(self):
        self.proxy("fair", LOGIN)
        self.assertGreater(self.get("--link-via-login", f"office={self.login}")["links"]["office"]["bytes"], 0)
        report = self.get()
        self.assertEqual(report["links"].get("office", {"bytes": 0})["bytes"], 0)
        self.get(links=["office"], expect=7)
        self.assertIn("the proxy does not let it through: it answers 407", self.errors)
        self.login.chmod(0o644)
        self.get("--link-via-login", f"office={self.login}", expect=2)
        self.assertIn("others may read it", self.errors)
        self.login.chmod(0o600)

    def test_one_that_fails_is_a_link_that_is_lost(self):
        for mood in ("502", "silent", "dead"):
            with self.subTest(mood):
                self.proxy(mood)
                report = self.get()
                self.assertEqual(report["links"].get("office", {"bytes": 0})["bytes"], 0)
                self.doCleanups()

    def test_one_that_dies_takes_no_byte_with_it(self):
        mood = self.proxy()
        before = carried(self.lab, "lte")

        def die():
            wait_until(lambda: carried(self.lab, "lte") > before + SIZE / 10)
            mood.write_text("dead")

        death = threading.Thread(target=die)
        death.start()
        report = self.get()
        death.join()
        self.assertGreater(report["links"]["wifi"]["bytes"], SIZE / 2)

    def test_that_of_the_environment_leads_all_links(self):
        """The name of the origin is known to the proxy only, which both links lead to."""
        gateways = {link: json.loads(must(*self.lab.client_command("ip", "-json", "route", "show", "table", "all", "dev", link, "default")))[0]["gateway"]
                    for link in ("wifi", "lte")}
        with contextlib.ExitStack() as routes:
            must(*self.lab.client_command("ip", "route", "add", PROXY, "via", gateways["wifi"], "dev", "wifi", "metric", 5))
            routes.callback(must, *self.lab.client_command("ip", "route", "del", PROXY, "dev", "wifi"))
            self.proxy("fair", LOGIN, f"only-there.example={ORIGIN}")
            named = {"http_proxy": f"http://{LOGIN}@{PROXY}:{PORT}", "no_proxy": "elsewhere.example"}
            report = self.get("--proxy", "system", links=(), host="only-there.example", environment=named)
            self.assertEqual({*report["links"]}, {"wifi", "lte"})
            self.assertGreater(min(link["share"] for link in report["links"].values()), .2)

    def test_exceptions_of_the_environment_lead_nobody_past_it(self):
        self.proxy("502")
        self.get(links=["office"], environment={"no_proxy": "*"}, expect=7)
        self.assertIn("the proxy does not let it through: it answers 502", self.errors)

    def test_a_login_is_that_of_a_known_link(self):
        self.get("--link-via-login", f"offices={self.login}", expect=2)
        self.assertIn("offices: no --link-via adds a link of this name", self.errors)

    def test_names_are_of_one_link(self):
        self.proxy()
        done = run(*self.lab.client_command(BIN / "tributary-get", f"http://{ORIGIN}/object.bin", "--link-via", f"wifi=http://{PROXY}:{PORT}"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("there is an interface of this name", done.stderr)


main()
