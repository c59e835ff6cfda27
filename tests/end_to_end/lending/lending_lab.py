"""Lenders with an uplink each, and a borrower with a link of its own, in one local network. All reach the same origin by https.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lab import BIN, MAKE_CERTIFICATE, ORIGIN, Lab, must, netlab, run  # noqa: E402
from told_program import Program  # noqa: E402

BORROWER = "192.168.77.1"


def lender_address(number):
    return f"192.168.77.{number + 10}"


class LendingLab:
    """`own`: the borrower's link as netlab knows it; `uplinks`: those of the lenders."""

    def __init__(self, folder, own="8Mbps 20ms", uplinks=("8Mbps 20ms",)):
        self.folder = pathlib.Path(folder)
        self.closing = contextlib.ExitStack()
        must(MAKE_CERTIFICATE, self.folder / "tls", ORIGIN)
        os.chmod(self.folder / "tls", 0o755)
        tls = ("--tls", self.folder / "tls/server.pem", self.folder / "tls/server-key.pem", "--port", "443")
        self.borrower = self.lab(f"own {own}", tls)
        self.lenders = [self.lab(f"up {uplink}", tls) for uplink in uplinks]
        here = self.stay(self.borrower)
        self.in_borrower("ip", "link", "add", "lan", "type", "bridge")
        self.in_borrower("ip", "address", "add", f"{BORROWER}/24", "dev", "lan")
        self.in_borrower("ip", "link", "set", "lan", "up")
        for number, lender in enumerate(self.lenders):
            self.in_lender(number, "ip", "link", "add", "lan", "type", "veth", "peer", "name", f"lan{number}", "netns", here.pid)
            self.in_lender(number, "ip", "address", "add", f"{lender_address(number)}/24", "dev", "lan")
            self.in_lender(number, "ip", "link", "set", "lan", "up")
            self.in_borrower("ip", "link", "set", f"lan{number}", "master", "lan", "up")

    def lab(self, links, tls):
        lab = Lab(links, self.folder, options=tls)
        self.closing.callback(lab.close)
        return lab

    def stay(self, lab):
        """A process by which the client's side can be named."""
        process = subprocess.Popen([str(BIN / "tributary-netlab"), "exec", lab.name, "client", "--", "sleep", "1000"])
        self.closing.callback(lambda: (process.terminate(), process.wait()))
        return process

    def in_borrower(self, *command):
        return must(*self.borrower.client_command(*command))

    def in_lender(self, number, *command):
        return must(*self.lenders[number].client_command(*command))

    def ask_borrower(self, *command, **options):
        return run(*self.borrower.client_command(*command), **options)

    def lend(self, number, *options, through=()):
        """The program that lends; it is ended with the lab. `through`: a command that runs it."""
        program = Program(self.lenders[number].client_command(
            *through, BIN / "tributary-lend", "--name", f"lender{number}", "--link", "up", "--silent", *options))
        self.closing.callback(program.end)
        program.wait_for("lends at")
        return program

    def show_code(self, number):
        """The code, and the program that shows it."""
        program = Program(self.lenders[number].client_command(BIN / "tributary-lend", "--pair"))
        self.closing.callback(program.end)
        program.wait_for("On the other machine")
        return program.lines[0].replace(" ", ""), program

    def borrow(self, number, code, through=()):
        return self.ask_borrower(*through, BIN / "tributary-links", "--borrow", lender_address(number), "--code", code, stdin=subprocess.DEVNULL)

    def pair(self, number, through=()):
        code, program = self.show_code(number)
        done = self.borrow(number, code, through)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        program.wait_for("is a member now")

    def trusting(self):
        return ("--cacert", self.folder / "tls/ca.pem")

    def get_command(self, name, *options):
        out = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / name
        return self.borrower.client_command(BIN / "tributary-get", f"https://{ORIGIN}/{name}", "-o", out, "--json", *self.trusting(),
                                            *options), out

    def get(self, name, *options):
        """The file that came, and the report."""
        command, out = self.get_command(name, *options)
        done = run(*command)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return out.read_bytes(), json.loads(done.stdout)

    def used(self, number):
        """Bytes that the lender has counted today."""
        path = self.lenders[number].home / "tributary/lending/link-usage.json"
        return {each["network"]: each["bytes"] for each in json.loads(path.read_text())["networks"]}

    def identity(self):
        """The borrower's certificate and key, for those who speak for it."""
        return self.borrower.home / "tributary/lending/identity.pem"

    def close(self):
        self.closing.close()
