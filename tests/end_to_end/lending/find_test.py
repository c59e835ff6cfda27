#!/usr/bin/env python3
"""Lenders are found in the local network (mDNS), and not found any more when they have gone.

Usage: find_test.py BIN_DIR SOURCE_DIR (lab.py).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from lending_lab import LendingLab, lender_address  # noqa: E402
from lab import BIN, main  # noqa: E402
from told_program import Program  # noqa: E402
from waiting import wait_until  # noqa: E402

AVAHI = """[server]
host-name={name}
allow-interfaces={link}
use-ipv6=no
[wide-area]
enable-wide-area=no
"""
FALSE_SERVICE = """<service-group><name>{name}</name>
<service><type>_tributary-lend._tcp</type><port>{port}</port><txt-record>key={key}</txt-record></service></service-group>
"""


class FindTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="tributary-find-")))
        os.chmod(self.folder, 0o755)
        (self.folder / "content").mkdir()
        self.lab = LendingLab(self.folder)
        self.addCleanup(self.lab.close)

    def avahi(self, side, name, link):
        """Begins a bus of D-Bus and an Avahi in the namespace. What programs there need to know, and the Avahi."""
        bus = f"unix:path={self.folder}/{name}.bus"
        dbus = Program(side.client_command("dbus-daemon", "--session", "--nofork", "--print-address", f"--address={bus}"))
        self.addCleanup(dbus.end)
        dbus.wait_for("unix:path")
        conf = self.folder / f"{name}.conf"
        conf.write_text(AVAHI.format(name=name, link=link))
        services = self.folder / f"{name}.services"
        services.mkdir()
        avahi = Program(side.client_command(
            "unshare", "--mount", "sh", "-euc", f'mkdir -p /run/avahi-daemon /etc/avahi/services; mount -t tmpfs none /run/avahi-daemon; '
            f'mount --bind {services} /etc/avahi/services; exec "$@"', "sh", "env",
            f"DBUS_SYSTEM_BUS_ADDRESS={bus}", "/usr/sbin/avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "-f", conf))
        self.addCleanup(avahi.end)
        avahi.wait_for("Server startup complete")
        return ("env", f"DBUS_SYSTEM_BUS_ADDRESS={bus}"), avahi

    def lenders(self, borrowers_bus):
        return json.loads(self.lab.in_borrower(*borrowers_bus, BIN / "tributary-links", "--lenders", "--json"))

    def test_a_lender_is_found_borrowed_from_and_followed(self):
        lab = self.lab
        lenders_bus, lenders_avahi = self.avahi(lab.lenders[0], "lender", "lan")
        borrowers_bus, _ = self.avahi(lab.borrower, "borrower", "lan")
        lend = (*lenders_bus, BIN / "tributary-lend", "--name", "anna", "--link", "up")
        lender = Program(lab.lenders[0].client_command(*lend))
        self.addCleanup(lender.end)
        lender.wait_for("lends at")
        wait_until(lambda: [each["name"] for each in self.lenders(borrowers_bus)] == ["anna"])
        code, shown = lab.show_code(0)
        lab.in_borrower(*borrowers_bus, BIN / "tributary-links", "--borrow", "--code", code)
        shown.wait_for("is a member now")
        self.assertEqual([(each["name"], each["paired"], each["address"]) for each in self.lenders(borrowers_bus)],
                         [("anna", True, f"{lender_address(0)}:7118")])

        with self.subTest("at another address, while somebody says that it is elsewhere"):
            lender.end()
            known = self.lab.borrower.home / "tributary/lending/lenders.json"
            key = json.loads(known.read_text())["peers"][0]["key"]

            def announce_falsely(port):
                (self.folder / f"lender.services/{port}.service").write_text(FALSE_SERVICE.format(name=f"false{port}", port=port, key=key))
                lenders_avahi.wait_for(f'{port}.service) successfully established')

            announce_falsely(7997)
            moved = Program(lab.lenders[0].client_command(*lend, "--listen", "7200"))
            self.addCleanup(moved.end)
            moved.wait_for("lends at")
            announce_falsely(7998)
            announce_falsely(7999)
            (self.folder / "content/object.bin").write_bytes(bytes(3_000_000))
            command, out = lab.get_command("object.bin")
            done = subprocess.run([*command[:command.index(str(BIN / "tributary-get"))], *map(str, borrowers_bus),
                                   *command[command.index(str(BIN / "tributary-get")):], "--link", "anna", "--link", "own"],
                                  capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, 0, done.stderr)
            wait_until(lambda: [each["address"] for each in self.lenders(borrowers_bus)][0] == f"{lender_address(0)}:7200")


if __name__ == "__main__":
    main()
