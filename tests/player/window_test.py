#!/usr/bin/python3
"""Drives the window as people and programs do: keys, MPRIS, a screen reader. Usage: window_test.py BIN_DIR SOURCE_DIR"""
import json
import pathlib
import tempfile
import time
import unittest

from window_case import PREFERENCES, STATE, WindowCase, playerctl

import accessible
import desktop
from desktop import run, until

NUMBER = r"(-?[0-9.]+)"


class WindowTest(WindowCase):
    def test_the_keys_of_mpv(self):
        with tempfile.TemporaryDirectory(prefix="pictures of ") as folder:
            player = self.playing("two-links", "--screenshot-dir", folder)
            for keys, says in (("space", "pause"), ("p", "play"), ("period", "step 1"), ("comma", "step -1"),
                               ("bracketright", "speed 1.100"), ("braceright", "speed 2.000"), ("braceleft", "speed 1.000"),
                               ("bracketleft", "speed 0.909"), ("BackSpace", "speed 1.000"), ("9", "volume 0.98"), ("asterisk", "volume 1.00"),
                               ("m", "muted true"), ("0", "muted false"), ("numbersign", "sound 5"), ("j", "text 6"), ("v", "text none"),
                               ("v", "text 6"), ("J", "text none"), ("l", "loop true"), ("x", "text delay 0.1"), ("Z", "text delay 0.2"),
                               ("z", "text delay 0.1"), ("ctrl+plus", "sound delay 0.1"), ("ctrl+minus", "sound delay 0.0")):
                with self.subTest(keys):
                    player.key(keys)
                    player.expect(says)
            player.key("Home")  # it is paused: it was stepped
            player.expect("seek 0.000")
            # The second is from where the first leads to, not from where the picture still is.
            player.key("Right", "Right", "shift+Right", "Up", "shift+Left")
            for position in (5, 10, 11, 71, 70):
                player.expect(f"seek {position}.000")
            player.key("s")
            picture = until(lambda: list(pathlib.Path(folder).glob("two-links*.png")))[0]
            until(lambda: picture.stat().st_size > 0)
            self.assertEqual(run("identify", "-format", "%m %wx%h", picture), "PNG 640x360")
            player.key("q")
            player.expect("ended")
            self.assertLess(player.ends(), 5)
        self.assertEqual(player.complaints, [])

    def test_the_desktop_sees_and_steers_it(self):
        player = self.playing("two-links", "--volume", "50")
        until(lambda: playerctl("status") == "Playing")
        self.assertEqual(playerctl("metadata", "xesam:title"), "two-links")
        until(lambda: playerctl("metadata", "mpris:length") == "754000000")
        self.assertEqual(playerctl("volume"), "0.500000")
        playerctl("pause")
        until(lambda: playerctl("status") == "Paused")
        playerctl("position", "100")
        player.expect("seek 100.000")
        until(lambda: playerctl("position").startswith("100"))
        playerctl("position", "10-")
        player.expect("seek 90.000")
        playerctl("volume", "0.25")
        player.expect("volume 0.25")
        playerctl("loop", "Track")
        player.expect("loop true")
        until(lambda: playerctl("loop") == "Track")
        playerctl("play-pause")
        player.expect("play")
        second = self.play("three-links")
        second.expect("play")
        until(lambda: run("playerctl", "-l").count("tributary") == 2)
        second.close()
        playerctl("open", "http://me:secret@made.up/live/?key=secret")
        player.expect(r"open http://me:secret@made.up/live/\?key=secret 0.000")
        until(lambda: playerctl("metadata", "xesam:title") == "live")
        self.assertEqual(playerctl("metadata", "mpris:length"), "")
        self.assertNotIn("secret", playerctl("metadata"))
        playerctl("stop")
        until(lambda: playerctl("status") == "Stopped")

    def test_a_title_is_called_as_its_author_calls_it(self):
        player = self.playing("titled")
        until(lambda: run("xdotool", "getwindowname", player.window).strip() == "Fjord & <Fell>")
        until(lambda: playerctl("metadata", "xesam:title") == "Fjord & <Fell>")
        until(lambda: STATE.exists() and "Fjord & <Fell>" in STATE.read_text())
        playerctl("stop")
        window = accessible.application(player.process.pid)
        accessible.named(window, "Fjord & <Fell>")  # among those that were played last
        playerctl("open", "http://made.up/live/")
        until(lambda: run("xdotool", "getwindowname", player.window).strip() == "live")

    def test_titles_play_one_after_the_other(self):
        player = self.playing("two-links", "http://made.up/titled/", "http://made.up/live/")
        until(lambda: playerctl("status") == "Playing")
        player.key("greater")
        player.expect("open http://made.up/titled/ 0.000")
        player.expect("opened")
        playerctl("next")
        player.expect("open http://made.up/live/ 0.000")
        playerctl("next")  # there is none
        player.key("less", "F8")
        player.expect("open http://made.up/titled/ 0.000")
        player.expect("opened")
        window = accessible.application(player.process.pid)
        accessible.named(window, "Fjord & <Fell>", accessible.Role.LIST_ITEM)
        player.key("Escape")
        playerctl("position", "753.5")
        player.expect("open http://made.up/live/ 0.000")
        self.assertEqual(player.complaints, [])

    def test_it_is_small_and_above_all_others(self):
        player = self.playing("two-links", "--panel")
        before = player.geometry()
        player.key("T")
        until(lambda: player.geometry() == (480, 300))
        until(lambda: "ABOVE" in run("xprop", "-id", player.window, "_NET_WM_STATE"))
        player.key("T")
        until(lambda: player.geometry() == before)
        until(lambda: "ABOVE" not in run("xprop", "-id", player.window, "_NET_WM_STATE"))
        self.assertEqual(player.complaints, [])

    def test_chapters_are_gone_to(self):
        player = self.playing("titled")
        player.key("space", "Home", "at", "at", "at", "exclam", "exclam", "exclam")
        for position in (0, 120, 300, 120, 0, 0):
            player.expect(f"seek {position}.000")
        with self.subTest("none"):
            player = self.playing("two-links")
            player.key("at")
            window = accessible.application(player.process.pid)
            accessible.named(window, "There are no chapters")

    def test_a_file_of_subtitles_is_added(self):
        with tempfile.TemporaryDirectory(prefix="subtitles of ") as folder:
            good, broken = pathlib.Path(folder) / "film.srt", pathlib.Path(folder) / "broken.srt"
            for file in (good, broken):
                file.write_text("1\n00:00:01,000 --> 00:00:02,000\nx\n")
            player = self.play("two-links", "--subtitles-file", str(broken), "--subtitles-file", str(good))
            player.expect(f"text file {broken}")
            player.expect(f"text file {good}")
            player.expect("text 8")
            player.expect("opened")
            window = accessible.application(player.process.pid)
            accessible.named(window, "These subtitles cannot be shown: it is broken")
            player.key("j")
            player.expect("text none")
            player.key("J")
            player.expect("text 8")

    def test_preferences_hold_from_the_next_title_on(self):
        player = self.playing("two-links")
        window = accessible.application(player.process.pid)
        player.key("ctrl+comma")
        accessible.named(window, "Preferences")
        for name in ("Quality", "Colours", "Films, and where they were left", "Forget the films"):
            accessible.named(window, name)
        for title, typed in (("Language of the sound, as de or pt-BR", "ger"), ("Language of subtitles; empty for none", "no language"),
                             ("Language of subtitles; empty for none", "de")):
            field = accessible.named(window, title, accessible.Role.TEXT)
            field.get_editable_text_iface().set_text_contents(typed)
        until(lambda: PREFERENCES.exists() and "subtitles=de\n" in PREFERENCES.read_text())
        self.assertIn("audio=de\n", PREFERENCES.read_text())
        player.key("Escape")
        playerctl("open", "http://made.up/titled/")
        player.expect("sound 5")
        player.expect("text 7")
        player.close()
        PREFERENCES.write_text("[player]\naudio=de\nquality=720\nhardware-decoding=true\ncolours=dark\nremember=false\n")
        STATE.unlink(missing_ok=True)
        player = self.play("two-links")
        for says in ("at most 720 lines", "hardware true", "begins with sound 5", "opened"):
            player.expect(says)
        player.key("ctrl+comma")
        window = accessible.application(player.process.pid)
        accessible.press(accessible.named(window, "Decode pictures with the graphics card, where it can", accessible.Role.CHECK_BOX))
        player.expect("hardware false")
        player.key("Escape")
        player.close()
        self.assertFalse(STATE.exists())
        player = self.play("two-links", "--quality", "low", "--max-quality", "480p", "--audio", "en", "--subtitles", "off")
        for says in ("at most 480 lines", "begins with sound 4", "quality 0", "opened"):  # the command line goes before
            player.expect(says)

    def test_a_screenshot_is_shown_in_its_folder(self):
        with tempfile.TemporaryDirectory(prefix="pictures of ") as folder, desktop.file_manager() as shown:
            player = self.playing("two-links", "--screenshot-dir", folder)
            player.key("s")
            window = accessible.application(player.process.pid)
            accessible.press(accessible.named(window, "Show in Folder").get_parent())  # the button of the label
            until(lambda: shown)
            picture = next(pathlib.Path(folder).glob("two-links*.png"))
            self.assertEqual(shown, [picture.as_uri()])

    def test_it_tells_of_seeks(self):
        player = self.playing()
        with desktop.following("playerctl", "-p", "tributary", "--follow", "position") as lines:
            player.key("space", "Home", "Up")
            player.expect("seek 60.000")
            until(lambda: any(line.startswith("60") for line in lines))

    def test_live_may_be_unbuffered(self):
        self.playing("live", "--mode", "unbuffered")

    def test_the_end_of_a_live_stream_is_told(self):
        player = self.playing("live")
        window = accessible.application(player.process.pid)
        player.key("braceright")  # the made-up one ends when its edge is reached

        def told():
            player.key("End")
            return "The live stream has ended" in accessible.texts(window)
        until(told)
        accessible.named(window, "Go to the live edge")

    def test_the_screen_stays_on_while_it_plays(self):
        with desktop.screen_saver() as asked:
            player = self.playing()
            until(lambda: asked == ["Inhibit"])
            player.key("space")
            until(lambda: asked == ["Inhibit", "UnInhibit"])

    def test_every_control_has_a_name(self):
        for title in ("", "dead-link", "broken", "live"):
            with self.subTest(title):
                player = self.play(title, "--panel")
                window = accessible.application(player.process.pid)
                accessible.named(window, {"": "Open an Address…", "broken": "Try Again"}.get(title, "Pause"))
                self.assertGreater(len(accessible.controls(window)), 5)
                self.assertEqual(accessible.nameless(window), [])
                player.close()

    def test_a_metered_link_is_asked_about_once(self):
        answers = STATE.with_name("play-links.json")
        answers.unlink(missing_ok=True)
        player = self.playing("metered", "--panel")
        window = accessible.application(player.process.pid)
        accessible.named(window, "Mobile network · wwan0 is metered.")
        accessible.named(window, "Until you decide, it is used only when needed.")
        accessible.named(window, "What links that cost something brought")
        until(lambda: any("500.0" in text and "used" in text for text in accessible.texts(window)))
        accessible.press(accessible.named(window, "Do not use it", accessible.Role.PUSH_BUTTON))
        player.expect("use wwan0 2")
        until(lambda: answers.exists())
        self.assertEqual(json.loads(answers.read_text())["networks"], [{"network": "wwan0", "use": "do-not-use"}])
        until(lambda: "Mobile network · wwan0 is metered." not in accessible.texts(window))
        player.key("q")
        player.ends()
        again = self.playing("metered")
        window = accessible.application(again.process.pid)
        accessible.named(window, "Pause")
        time.sleep(1)  # four looks
        self.assertNotIn("Mobile network · wwan0 is metered.", accessible.texts(window))
        answers.unlink()

    def test_the_links_panel(self):
        player = self.playing("dead-link")
        window = accessible.application(player.process.pid)
        player.key("i")
        accessible.named(window, "Mobile network carries this video alone")
        texts = accessible.texts(window)
        for text in ("Wi-Fi · wlan0", "Failed, left alone for now", "Why it last stopped", "2 stalls so far"):
            self.assertIn(text, texts)
        # By keyboard alone.
        use = accessible.named(window, "Whether wwan0 is used")
        accessible.reach(use, lambda: player.key("Tab"))
        player.key("space", "Down", "Down", "Return")
        player.expect("use wwan0 2")
        accessible.named(window, "Not used, as you chose")
        player.key("Escape", "i")

    def test_the_links_panel_stays_in_a_window_that_becomes_narrow(self):
        player = self.playing("dead-link", "--panel")
        window = accessible.application(player.process.pid)
        accessible.named(window, "Mobile network carries this video alone")
        run("xdotool", "windowsize", player.window, "400", "600")
        until(lambda: player.geometry()[0] < 500)
        time.sleep(1)  # until it is laid out anew

        def told():
            return [text for text in accessible.texts(window) if "arrive" in text]
        before = until(told)
        until(lambda: told() != before)  # it tells of what is now only where it is shown

    def test_another_quality_moves_no_control(self):
        player = self.playing("two-links", "--panel")
        window = accessible.application(player.process.pid)
        links = accessible.named(window, "What each link carries")
        player.key("space")  # while it is paused, the controls stay
        player.expect("pause")

        def place(item):
            """Of the button beside the qualities, after this item of their menu was chosen."""
            player.key("Tab")
            accessible.reach(accessible.named(window, "Quality"), lambda: player.key("Tab"))
            player.key("space", *["Down"] * item, "Return")
            player.expect(r"quality \w+")
            time.sleep(0.5)  # until it is laid out anew
            there = links.get_component_iface().get_extents(accessible.Atspi.CoordType.WINDOW)
            return there.x, there.width
        places = {item: place(item) for item in range(5)}
        self.assertGreater(places[0][1], 0)
        self.assertEqual(len(set(places.values())), 1, places)

    def test_opening_can_be_cancelled(self):
        player = self.play("opening")
        window = accessible.application(player.process.pid)
        accessible.press(accessible.named(window, "Cancel", accessible.Role.PUSH_BUTTON))
        player.expect("close")
        accessible.named(window, "Open an Address…")
        player.key("ctrl+o")
        accessible.named(window, "Address")
        run("xdotool", "type", "http://made.up/opening/")
        player.key("Return")
        player.expect("open http://made.up/opening/ 0.000")
        player.key("Escape")
        player.expect("close")

    def test_a_problem_says_what_to_do(self):
        player = self.play("broken")
        window = accessible.application(player.process.pid)
        accessible.named(window, "There is no server named made.up.")
        accessible.named(window, "Look whether the address is right, and whether there is a network.")
        player.expect("play")
        accessible.press(accessible.named(window, "Try Again"))
        player.expect("open http://made.up/broken/index.json 0.000")

    def test_a_file_that_is_no_presentation_says_what_to_do(self):
        player = self.play("", "/bin/sh")
        window = accessible.application(player.process.pid)
        until(lambda: any("tributary-segment" in text for text in accessible.texts(window)))

    def test_an_address_is_typed(self):
        player = self.play("")
        window = accessible.application(player.process.pid)
        player.key("ctrl+o")
        accessible.named(window, "Address")
        run("xdotool", "type", "http://made.up/three-links/")
        player.key("Return")
        player.expect("open http://made.up/three-links/ 0.000")

    def test_it_goes_on_where_it_was_left(self):
        begin = time.monotonic()
        player = self.playing("two-links", "--start", "2:00")
        player.key("Q")
        player.ends()
        left_at = json.loads(STATE.read_text())["addresses"][0]["position_s"]
        self.assertTrue(120 <= left_at <= 121 + time.monotonic() - begin, left_at)
        again = self.play("two-links")
        self.assertAlmostEqual(float(again.expect(f"open .* {NUMBER}")[1]), left_at, delta=0.01)
        again.expect("opened")
        again.key("q")
        again.ends()
        self.assertNotIn("position_s", json.loads(STATE.read_text())["addresses"][0])
        STATE.unlink()
        forgetful = self.playing("two-links", "--start", "2:00", "--no-resume")
        forgetful.key("Q")
        forgetful.ends()
        self.assertFalse(STATE.exists())

    def test_sound_and_subtitles_are_chosen_by_language(self):
        player = self.play("two-links", "--audio", "de-AT", "--subtitles", "ger")
        for says in ("begins with sound 5", "text 7", "opened"):
            player.expect(says)
        player.key("numbersign")
        player.expect("sound 4")
        player.close()
        player = self.play("two-links", "--audio", "fr", "--subtitles", "fr")
        window = accessible.application(player.process.pid)
        accessible.named(window, "There is no audio track “fr”, only: English, German")
        player.expect("opened")

    def test_it_ends_at_once(self):
        for how in ("window", "signal"):
            with self.subTest(how):
                player = self.playing("stalled" if how == "signal" else "two-links")
                begin = time.monotonic()
                if how == "signal":
                    player.process.terminate()
                else:
                    player.key("alt+F4")
                player.expect("ended")
                player.ends()
                self.assertLess(time.monotonic() - begin, 5)
                self.assertEqual(player.complaints, [])

    def test_german(self):
        player = self.play("dead-link", "--panel", environment={"LANGUAGE": "de"})
        window = accessible.application(player.process.pid)
        accessible.named(window, "Mobilfunk trägt dieses Video allein")
        player.close()
        player = self.play("broken", environment={"LANGUAGE": "de"})
        accessible.named(accessible.application(player.process.pid), "Es gibt keinen Server namens made.up.")


unittest.main(argv=["window_test"] + desktop.sys.argv[3:], verbosity=2)
