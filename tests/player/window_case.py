"""What the tests of the window share. Whoever imports it is started anew on a bus of its own (desktop.py)."""
import os
import pathlib
import unittest
import warnings

import desktop

desktop.start_anew_on_a_bus()

from desktop import Player, run  # noqa: E402

warnings.simplefilter("ignore", DeprecationWarning)
PREFERENCES = pathlib.Path(os.environ.get("XDG_CONFIG_HOME", "/nowhere")) / "tributary/play.conf"
STATE = pathlib.Path(os.environ.get("XDG_STATE_HOME", "/nowhere")) / "tributary/play.json"


def playerctl(*arguments):
    return run("playerctl", "-p", "tributary", *arguments, check=False).strip()


class WindowCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(desktop.screen())

    def setUp(self):
        for kept in (STATE, PREFERENCES):
            kept.unlink(missing_ok=True)

    def play(self, title, *options, **more):
        player = Player(title, *options, **more)
        self.addCleanup(player.close)
        return player

    def playing(self, title="two-links", *options):
        player = self.play(title, *options)
        player.expect("opened")
        return player
