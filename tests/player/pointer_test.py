#!/usr/bin/python3
"""Drives the window with the pointer. Usage: pointer_test.py BIN_DIR SOURCE_DIR"""
import contextlib
import functools
import http.server
import subprocess
import tempfile
import threading
import time
import unittest

from window_case import WindowCase

import accessible
from desktop import run, until

SEEK_BAR = 64  # pixels above the lower edge of the window


@contextlib.contextmanager
def served(folder):
    """The folder at an address of this computer."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class PointerTest(WindowCase):
    def test_fullscreen_and_the_pointer(self):
        player = self.playing()
        small = player.geometry()
        for key, wanted in (("f", (1200, 800)), ("Escape", small), ("F11", (1200, 800)), ("f", small)):
            player.key(key)
            until(lambda: player.geometry() == wanted)  # pylint: disable=cell-var-from-loop
        run("xdotool", "mousemove", "400", "300")
        player.click(lambda: player.said("pause"))
        player.click(lambda: player.said("play"))
        if player.click(lambda: player.geometry() == (1200, 800), times=2) == 1:  # half of a double click is a click
            time.sleep(0.6)
            self.assertIsNone(player.said("pause"))
        run("xdotool", "click", "5")
        player.expect("volume 0.98")
        run("xdotool", "key", "ctrl+w")
        player.ends()

    def test_the_time_under_the_pointer_has_a_picture(self):
        with tempfile.TemporaryDirectory(prefix="sheets of ") as folder, served(folder) as address:
            run("convert", "-size", "160x90", "xc:#ff0000", "xc:#0000ff", "+append", f"{folder}/sheet.png")
            player = self.play("thumbnails", environment={"TRIBUTARY_THUMBNAILS": f"{address}/sheet.png"})
            player.expect("opened")
            width, height = player.geometry()
            x, y = (int(run("xdotool", "getwindowgeometry", "--shell", player.window).split(f"{axis}=")[1].split()[0]) for axis in "XY")
            for part, color in ((0.3, b"\xff\x00\x00"), (0.7, b"\x00\x00\xff")):
                def shown():
                    run("xdotool", "mousemove", str(x + int(width * part)), str(y + height // 2))  # which shows the controls
                    time.sleep(0.5)
                    run("xdotool", "mousemove", str(x + int(width * part)), str(y + height - SEEK_BAR))
                    time.sleep(0.3)
                    screen = subprocess.run(["import", "-window", "root", "-depth", "8", "rgb:-"], capture_output=True, check=True).stdout
                    colored = [i // 3 % 1200 for i in range(0, len(screen), 3) if screen[i:i + 3] == color]
                    at_the_pointer = colored and abs(sum(colored) / len(colored) - x - width * part) < 20
                    return at_the_pointer and len(colored) > 160 * 90 * 0.9
                until(shown)
        self.assertEqual(player.complaints, [])

    def test_after_a_menu_the_keys_are_for_the_picture_again(self):
        player = self.playing()
        window = accessible.application(player.process.pid)
        button = accessible.named(window, "Quality")
        place = button.get_component_iface().get_extents(accessible.Atspi.CoordType.WINDOW)
        player.point(place.x + place.width // 2, place.y + place.height // 2)
        player.click(lambda: accessible.shows_menu(window))
        player.key("Down", "Return")
        player.expect(r"quality \w+")
        until(lambda: not accessible.shows_menu(window))
        player.key("space")
        player.expect("pause")
        player.key("F10")
        until(lambda: accessible.shows_menu(window))
        player.key("Escape")
        until(lambda: not accessible.shows_menu(window))
        player.key("space")
        player.expect("play")

    def test_a_message_covers_no_subtitle(self):
        player = self.playing("two-links", "--subtitles", "en")
        window = accessible.application(player.process.pid)

        def height():
            """The place of a subtitle."""
            for label in accessible.everything(window):
                if label.get_name().startswith("Subtitle "):
                    return label.get_component_iface().get_extents(accessible.Atspi.CoordType.WINDOW)
            return None
        until(height)
        run("xdotool", "mousemove", "0", "0")
        time.sleep(3)  # until the controls hide
        player.key("ctrl+c")
        message = accessible.named(window, "The address was copied")
        until(lambda: (there := height()) and there.y + there.height <= message.get_component_iface().get_extents(accessible.Atspi.CoordType.WINDOW).y)


unittest.main(argv=["pointer_test"], verbosity=2)
