"""Links, and a server at the other end of them, for the tests of these folders.

Their usage: NAME_test.py BIN_DIR SOURCE_DIR. They end with 77, which ctest counts as skipped, where labs are not possible.
"""
import contextlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock

SKIPPED = 77
BIN = pathlib.Path(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2])
SERVE = SOURCE / "server-tools/origin/serve"
MAKE_CERTIFICATE = SOURCE / "server-tools/origin/make-certificate"
ORIGIN = "198.51.100.1"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100, **options)


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout


def netlab(*arguments):
    return must(BIN / "tributary-netlab", *arguments)


def carried(lab, link):
    """Bytes that came to the client, those of headers too."""
    links = json.loads(netlab("stats", lab.name, "--json"))["links"]
    return next(each["to_client"]["bytes"] for each in links if each["name"] == link)


@contextlib.contextmanager
def outage(lab, link, after, seconds):
    """Meanwhile the link goes down, and returns: `after` so many seconds in which it was of use. Gives a dictionary, which at
    the end has what the link had carried when it returned."""
    seen = {}

    def down_and_up():
        before, patience = carried(lab, link), time.monotonic() + 30
        while after > 0 and carried(lab, link) < before + 50_000 and time.monotonic() < patience:
            time.sleep(0.05)
        time.sleep(after)
        netlab("set", lab.name, link, "down")
        time.sleep(seconds)
        seen["carried"] = carried(lab, link)
        netlab("set", lab.name, link, "up")

    thread = threading.Thread(target=down_and_up)
    thread.start()
    try:
        yield seen
    finally:
        thread.join()


def link_used_after_outage(trace):
    """Whether the trace (lines) shows requests over the link that went down, later."""
    down = next(i for i, line in enumerate(trace) if "event link-down" in line)
    link = trace[down].split("link=")[1].split()[0]
    up = next((i for i in range(down, len(trace)) if "event link-up" in trace[i]), len(trace))
    return any("send-request" in line and f"link={link} " in line for line in trace[up:])


def lose_large_packets(lab, link, size):
    """What comes to the client over the link is lost if it is larger: as where the path's MTU is smaller, and nobody says so."""
    must(*lab.client_command("nft", f"add table inet {link}; "
                             f"add chain inet {link} arrivals {{ type filter hook input priority 0; }}; "
                             f"add rule inet {link} arrivals iifname {link} meta length > {size} drop"))


def keep_records_in(test, folder):
    """Programs that change a namespace note there what is to be put back, and not in /run of this machine, which outlives the
    namespaces of the test."""
    records = unittest.mock.patch.dict(os.environ, RUNTIME_DIRECTORY=str(folder))
    records.start()
    test.addCleanup(records.stop)


class Lab:
    """Links, and a server at the other end of them. A name of its own for each, so that tests may run side by side."""

    numbers = itertools.count(1)

    def __init__(self, links, folder, server="nginx", options=(), content=None, lab_options=()):
        test = pathlib.Path(sys.argv[0]).stem.removesuffix("_test")
        self.name = f"{test}-{os.getpid()}-{next(Lab.numbers)}"
        self.folder = folder
        self.state = folder / f"{self.name}.server"
        # What is remembered of links is of this lab alone, whoever uses them.
        self.home = folder / f"{self.name}.state"
        self.home.mkdir()
        self.home.chmod(0o777)
        netlab("up", self.name, links, *lab_options)
        try:
            netlab("exec", self.name, "server", "--", SERVE, server, content or folder / "content", "--port", "80",
                   "--state", self.state, *options)
        except RuntimeError:
            netlab("down", self.name)
            raise

    def client_command(self, *command, user=None):
        as_user = ["--user", user] if user else []
        exec_there = [BIN / "tributary-netlab", "exec", *as_user, self.name, "client", "--", "env", f"XDG_STATE_HOME={self.home}"]
        return [str(word) for word in [*exec_there, *command]]

    def bench_command(self, url, *arguments, user=None):
        return self.client_command(BIN / "tributary-bench", url, *arguments, user=user)

    def close(self):
        with contextlib.suppress(RuntimeError):
            must(SERVE, "stop", "--state", self.state)
        netlab("down", self.name)


def all_if_long(cases, otherwise=1):
    """Cases that are alike: ./run test --long tries all of them, ./run test the first ones."""
    return cases if os.environ.get("TRIBUTARY_LONG_TESTS") else cases[:otherwise]


def only_if_long(test):
    """It waits for long, and what it shows is shown by a test in virtual time as well."""
    return unittest.skipUnless(os.environ.get("TRIBUTARY_LONG_TESTS"), "./run test --long tries it")(test)


def may_make_labs():
    """Who may, and cannot, has found a fault."""
    return run("unshare", "--net", "true").returncode == 0


def main():
    if not may_make_labs():
        print("skipped: network namespaces need rights that are not there")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
