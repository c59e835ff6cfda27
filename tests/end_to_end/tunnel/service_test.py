#!/usr/bin/env python3
"""The tunnel and its relay do with as little as their services give them, and keep no more when root starts them."""
import os
import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import lab  # noqa: E402
from lab import SOURCE  # noqa: E402
from tunnel_lab import BEHIND, LINKS, TunnelCase  # noqa: E402

UNITS = {"tributary-relay": "server-tools/relay/data/tributary-relay.service",
         "tributary-tunnel": "client/apps/tunnel/data/tributary-tunnel.service"}
NOBODY = 65534
NET_ADMIN, DAC_READ_SEARCH = 1 << 12, 1 << 2


def ambient_capabilities(program):
    words = re.search("^AmbientCapabilities=(.*)$", (SOURCE / UNITS[program]).read_text(), re.MULTILINE).group(1)
    return [word.removeprefix("CAP_").lower() for word in words.split()]


def held(program):
    """The capabilities of a program that runs, in each set that they could be used from."""
    with open(f"/proc/{program.process.pid}/status") as status:
        sets = dict(line.rstrip().split(":\t", 1) for line in status if line.startswith("Cap"))
    return {int(sets[name], 16) for name in ("CapPrm", "CapEff")}


class ServiceTest(TunnelCase):
    def credential(self, program):
        """The key as systemd hands it out: for the service alone, although its bits say more."""
        folder = self.folder / f"{program}.credentials"
        folder.mkdir()
        key = folder / self.keys[program].name
        shutil.copy(self.keys[program], key)
        key.chmod(0o440)
        os.chown(key, NOBODY, 0)
        folder.chmod(0o500)
        os.chown(folder, NOBODY, 0)
        return key

    def start_service(self, links, where, program, *arguments):
        """As its unit does: another user, with these capabilities alone, and a folder for its records."""
        kept = ",".join(f"+{name}" for name in ambient_capabilities(program))
        key = self.credential(program)
        records = self.folder / f"{program}.run"
        records.mkdir()
        os.chown(records, NOBODY, 0)
        # udev gives the node of the devices to everybody.
        around = f"""mount -t tmpfs -o mode=0755 none /dev/net
            mknod -m 666 /dev/net/tun c 10 200
            CREDENTIALS_DIRECTORY={key.parent} RUNTIME_DIRECTORY={records} exec "$@" """
        return self.start(links, where, program, *arguments, key=key, within=(
            "unshare", "--mount", "--propagation", "private", "sh", "-euc", around, "sh",
            "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs",
            f"--inh-caps=-all,{kept}", f"--ambient-caps=-all,{kept}", f"--bounding-set=-all,{kept}"))

    def test_they_run_with_what_their_services_give_them_and_leave_nothing_behind(self):
        links = self.lab(LINKS, "--origin")
        self.serve_behind(links)
        before = [self.state_of(links, where) for where in ("client", "server")]
        relay = self.start_service(links, "server", "tributary-relay", "--client-list", self.folder / "relay.clients",
                                   "--listen", "443", "--split")
        relay.wait_for("listening at UDP port 443")
        tunnel = self.start_service(links, "client", "tributary-tunnel", "--split", "198.51.100.1:443")
        tunnel.wait_for("connections of TCP are split")
        self.download(links)  # by packets
        self.download(links, BEHIND)
        self.add_client("phone")
        relay.wait_for("the list has changed: 2 in it")
        self.assertEqual((held(tunnel), held(relay)), ({NET_ADMIN}, {NET_ADMIN}))
        self.assertEqual(tunnel.end(), 0)
        self.assertEqual(relay.end(), 0)
        self.assertEqual(before, [self.state_of(links, where) for where in ("client", "server")])

    def test_root_gives_up_what_is_not_needed_any_more(self):
        links = self.lab()
        before = self.state_of(links, "server")
        relay = self.relay(links)
        tunnel = self.tunnel(links)
        self.assertEqual((held(tunnel), held(relay)), ({NET_ADMIN}, {NET_ADMIN}))
        self.assertEqual(relay.end(), 0)
        self.assertEqual(before, self.state_of(links, "server"))

    def test_a_list_of_clients_in_the_folder_of_another_user_is_read_again(self):
        links = self.lab()
        os.chown(self.folder, NOBODY, NOBODY)
        self.folder.chmod(0o700)
        relay = self.relay(links)
        self.assertEqual(held(relay), {NET_ADMIN | DAC_READ_SEARCH})
        self.add_client("phone")
        relay.wait_for("the list has changed: 2 in it")


if __name__ == "__main__":
    lab.main()
