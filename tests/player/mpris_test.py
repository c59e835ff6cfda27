#!/usr/bin/python3
"""The whole player, steered by other programs in any order: MPRIS, its window, its own server, GStreamer, real content.

Usage: mpris_test.py BIN_DIR SOURCE_DIR"""
import random
import unittest

import desktop

desktop.start_anew_on_a_bus()

import gi  # noqa: E402

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

from desktop import BIN, Player, until  # noqa: E402

MARKED = BIN.parent / "tests/gst/marked"  # made by tests/gst
FILM, EXTRAS = (str(MARKED / name) for name in ("film", "extras"))
NOTHING = ["", "/nowhere", "/bin/sh", "nonsense", "ftp://made.up/index.json", "http://", "http://127.0.0.1:1/index.json", "file:///nowhere/index.json",
           "http://[::1", "\x01\x02", "%00", "x" * 100_000]
MOST = 2**63 - 1
ODD_NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.3, 2.0, 1e300, float("inf"), float("-inf"), float("nan")]
INTERFACE = "org.mpris.MediaPlayer2"


class Remote:
    """A program that steers the player."""

    def __init__(self, process):
        self.process = process
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.name = f"{INTERFACE}.tributary.instance{process.pid}"
        until(self.is_there)

    def is_there(self):
        """its name on the bus"""
        return self._ask("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", GLib.Variant("(s)", (self.name,)))[0]

    def _ask(self, name, path, interface, method, arguments=None):
        return self.bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 1000 * desktop.WAIT).unpack()

    def call(self, method, arguments=None, interface=INTERFACE + ".Player"):
        return self._ask(self.name, "/org/mpris/MediaPlayer2", interface, method, arguments)

    def get(self, prop):
        return self.call("Get", GLib.Variant("(ss)", (INTERFACE + ".Player", prop)), "org.freedesktop.DBus.Properties")[0]

    def get_all(self):
        for interface in (INTERFACE, INTERFACE + ".Player"):
            self.call("GetAll", GLib.Variant("(s)", (interface,)), "org.freedesktop.DBus.Properties")

    def set(self, prop, value, interface=INTERFACE + ".Player"):
        """It may say that this cannot be."""
        try:
            self.call("Set", GLib.Variant("(ssv)", (interface, prop, value)), "org.freedesktop.DBus.Properties")
        except GLib.Error as error:
            if "InvalidArgs" not in str(error):
                raise

    def open(self, address):
        self.call("OpenUri", GLib.Variant("(s)", (address,)))


class MprisTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(desktop.screen())

    def start(self, *options):
        self.player = Player("", "--audio-sink", "fakesink sync=true", *options, program="tributary-play")
        self.addCleanup(self.player.close)
        self.remote = Remote(self.player.process)

    def alive(self):
        self.assertIsNone(self.player.process.poll(), "\n".join(self.player.complaints))
        self.remote.get_all()

    def plays(self):
        def beyond_the_first_picture():
            self.alive()
            return self.remote.get("PlaybackStatus") == "Playing" and self.remote.get("Position") > 200_000
        until(beyond_the_first_picture, 60)

    def ends(self):
        self.remote.call("Quit", interface=INTERFACE)
        self.player.ends(60)
        self.assertEqual([line for line in self.player.complaints if "CRITICAL" in line or "Sanitizer" in line], [])

    def test_stop_and_another_address_while_it_plays(self):
        self.start(FILM)
        for address in (None, EXTRAS, *NOTHING):
            with self.subTest(address and address[:40]):
                self.plays()
                if address is None:
                    self.remote.call("Stop")
                    self.assertEqual(self.remote.get("PlaybackStatus"), "Stopped")
                    self.assertEqual(self.remote.get("Position"), 0)
                    self.assertEqual(self.remote.get("Metadata"), {})
                else:
                    self.remote.open(address)
                self.alive()
                self.remote.open(FILM)
                self.remote.call("Play")
        self.plays()
        self.ends()

    def test_any_call_in_any_order(self):
        for seed in (1, 2):
            with self.subTest(f"seed {seed}"):
                self.walk(random.Random(seed), steps=250)

    def walk(self, dice, steps):
        self.start(EXTRAS, "--no-resume", "--panel")
        remote, done = self.remote, []
        position = lambda: dice.choice([0, 1, -1, MOST, -MOST - 1, 3_000_000, dice.randrange(6_000_000)])  # noqa: E731
        track = "/org/tributary/Play/track/1"
        calls = {
            **{name: lambda name=name: remote.call(name) for name in ("Play", "Pause", "PlayPause", "Stop", "Next", "Previous")},
            "Raise": lambda: remote.call("Raise", interface=INTERFACE),
            "Seek": lambda: remote.call("Seek", GLib.Variant("(x)", (position(),))),
            "SetPosition": lambda: remote.call("SetPosition", GLib.Variant("(ox)", (dice.choice([track, "/none"]), position()))),
            "OpenUri": lambda: remote.open(dice.choice([FILM, EXTRAS])),
            "OpenUri of nothing": lambda: remote.open(dice.choice(NOTHING)),
            "Rate": lambda: remote.set("Rate", GLib.Variant("d", dice.choice(ODD_NUMBERS))),
            "Volume": lambda: remote.set("Volume", GLib.Variant("d", dice.choice(ODD_NUMBERS))),
            "LoopStatus": lambda: remote.set("LoopStatus", GLib.Variant("s", dice.choice(["None", "Track", "Playlist", "?"]))),
            "Fullscreen": lambda: remote.set("Fullscreen", GLib.Variant("b", dice.random() < .5), INTERFACE),
        }
        for _ in range(steps):
            name = dice.choice(list(calls))
            done.append(name)
            try:
                calls[name]()
                self.alive()
                if dice.random() < .1:
                    GLib.usleep(dice.randrange(300_000))
            except (AssertionError, GLib.Error) as error:
                raise AssertionError(f"after {'; '.join(done)}: {error}; {self.player.complaints}") from error
        remote.set("LoopStatus", GLib.Variant("s", "None"))
        remote.set("Rate", GLib.Variant("d", 1.0))
        remote.open(FILM)
        remote.call("Play")
        self.plays()
        self.ends()


unittest.main(argv=["mpris_test"] + desktop.sys.argv[3:], verbosity=2)
