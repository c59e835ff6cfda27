#!/usr/bin/env python3
"""With --dns, names are looked up through the tunnel as long as it is up, and where they were before once it is not wanted."""
import pathlib
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import BIN, ORIGIN  # noqa: E402
from tunnel_lab import BEHIND, LINKS, TunnelCase  # noqa: E402

BEFORE = "# mine\nnameserver 192.0.2.53\noptions timeout:1"  # its last line has no end
NAME, ADDRESS = "name.test", "192.0.2.7"
TELLS = """#!/bin/sh
echo "$(basename "$0") $*" >>{log}
"""


class NamesTest(TunnelCase):
    def lab_with_names(self):
        """A name server that only the relay reaches, and a file of the client's that no other machine sees."""
        links = self.lab(LINKS, "--origin")
        self.program_in(links, "origin", "dnsmasq", "--keep-in-foreground", "--no-resolv", "--no-hosts", "--user=root", "--pid-file=",
                        "--log-facility=-", f"--address=/{NAME}/{ADDRESS}", f"--listen-address={BEHIND}",
                        "--bind-interfaces").wait_for("started")
        self.resolv_conf = self.folder / "resolv.conf"
        self.resolv_conf.write_text(BEFORE)
        self.relay(links)
        return links

    def with_own_file(self):
        return ("unshare", "--mount", "sh", "-euc", f'mount --bind {self.resolv_conf} /etc/resolv.conf; exec "$@"', "sh")

    def named_tunnel(self, links, *arguments, within=None):
        tunnel = self.start(links, "client", "tributary-tunnel", *arguments, ORIGIN, within=within or self.with_own_file())
        tunnel.wait_for("10.117.0.")
        return tunnel

    def address_of(self, links, name):
        """As programs beside the tunnel see it."""
        return lab.run(*links.client_command(*self.with_own_file(), "getent", "ahostsv4", name)).stdout.split(" ")[0]

    def test_names_come_through_the_tunnel_and_what_was_there_comes_back(self):
        links = self.lab_with_names()
        self.assertEqual(self.address_of(links, NAME), "")
        tunnel = self.named_tunnel(links, "--dns", BEHIND, "--network", "198.18.0.0/15")
        self.assertEqual(self.address_of(links, NAME), ADDRESS)
        tunnel.end(signal.SIGKILL)
        self.assertNotEqual(self.resolv_conf.read_text(), BEFORE)
        tunnel = self.named_tunnel(links, "--dns", BEHIND)
        self.assertEqual(self.address_of(links, NAME), ADDRESS)
        self.assertEqual(tunnel.end(), 0)
        self.assertEqual(self.resolv_conf.read_text(), BEFORE)

    def test_release_and_the_next_tunnel_put_back_what_a_killed_one_left(self):
        links = self.lab_with_names()
        self.named_tunnel(links, "--dns", BEHIND).end(signal.SIGKILL)
        self.in_lab(links, "client", *self.with_own_file(), BIN / "tributary-tunnel", "--release")
        self.assertEqual(self.resolv_conf.read_text(), BEFORE)
        self.named_tunnel(links, "--dns", BEHIND).end(signal.SIGKILL)
        self.named_tunnel(links)
        self.assertEqual(self.resolv_conf.read_text(), BEFORE)

    def test_what_another_program_has_written_meanwhile_stays(self):
        links = self.lab_with_names()
        tunnel = self.named_tunnel(links, "--dns", BEHIND)
        self.resolv_conf.write_text("nameserver 192.0.2.54\n")
        self.assertEqual(tunnel.end(), 0)
        self.assertEqual(self.resolv_conf.read_text(), "nameserver 192.0.2.54\n")

    def told(self, program, place):
        """What the tunnel tells a program to which the file belongs, as it lies at that place."""
        links = self.lab()
        self.relay(links)
        log, tools, etc = self.folder / "told", self.folder / "tools", self.folder / "etc"
        for folder in (tools, etc, etc / "upper", etc / "work"):
            folder.mkdir()
        tool = tools / program
        tool.write_text(TELLS.format(log=log))
        tool.chmod(0o755)
        tunnel = self.named_tunnel(links, "--dns", "192.0.2.53", "--dns", "2001:db8::53", within=(
            "unshare", "--mount", "sh", "-euc", f"""
            mount -t overlay overlay -o lowerdir=/etc,upperdir={etc}/upper,workdir={etc}/work /etc
            rm -f /etc/resolv.conf; ln -s {place} /etc/resolv.conf
            PATH={tools}:$PATH exec "$@" """, "sh"))
        self.assertEqual(tunnel.end(), 0)
        return log.read_text().splitlines()

    def test_systemd_resolved_is_told(self):
        self.assertEqual(self.told("resolvectl", "/run/systemd/resolve/stub-resolv.conf"),
                         ["resolvectl dns tributary0 192.0.2.53 2001:db8::53", "resolvectl domain tributary0 ~."])

    def test_resolvconf_is_told(self):
        self.assertEqual(self.told("resolvconf", "/run/resolvconf/resolv.conf"),
                         ["resolvconf -d tun.tributary0", "resolvconf -a tun.tributary0 -m 0 -x", "resolvconf -d tun.tributary0"])


if __name__ == "__main__":
    lab.main()
