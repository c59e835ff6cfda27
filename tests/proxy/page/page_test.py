#!/usr/bin/env python3
"""The page of the proxy in Chromium: what it shows of the status, and what it posts when the user chooses.

Usage: page_test.py PAGE_DIR. Skipped without Chromium.
"""
import sys
import time
import unittest

import chromium
from fake_proxy import FakeProxy, link, title

PAGE = sys.argv[1]
MARKUP = "<img src=x onerror='document.title=1'><b>bold</b>"
WIFI = link("wlan0", "wifi", share=0.61)
LTE = link("wwan0", "cellular", share=0.39, rate_kbit_s=800.0, use="when-needed", cost="metered", cap_bytes=500_000_000,
           used_bytes=1_230_000, why="The free links are late.")


def text(selector):
    return f"document.querySelector({selector!r})?.innerText"


def shows(selector, words):
    return f"{text(selector)}?.includes({words!r})"


class PageTest(unittest.TestCase):
    def setUp(self):
        self.proxy = self.enterContext(FakeProxy(PAGE))
        BROWSER.complaints.clear()

    def open(self, **status):
        self.proxy.show(**status)
        BROWSER.open(self.proxy.url)
        BROWSER.wait_for("document.getElementById('waits-empty').innerText !== 'Waiting for the proxy…'")

    def tearDown(self):
        # Not what a test's proxy refuses on purpose: exceptions, and what the policy of the server forbids.
        faults = [complaint for complaint in BROWSER.complaints if "Failed to load resource" not in complaint]
        self.assertEqual(faults, [])

    def test_a_title_that_is_not_led_says_why(self):
        self.open(titles=[title(1), title(2, not_led="its qualities are cut at different places")])
        facts = BROWSER.evaluate("[...document.querySelectorAll('#titles .facts')].map(facts => facts.innerText)")
        self.assertNotIn("chooses", facts[0])
        self.assertIn("The player chooses the quality: its qualities are cut at different places", facts[1])

    def test_a_list_shows_its_channels_and_opens_one(self):
        self.proxy.texts = {"3/channels.m3u": "#EXTM3U\n#EXTINF:-1,News, all day\nchannel/1\n#EXTINF:-1,<b>Film</b>\nchannel/2\n",
                            "3/channel/1": "#EXTM3U\n"}
        local = f"{self.proxy.url}3/channels.m3u"
        self.open(titles=[title(3, "tv.m3u", kind="list", local=local)])
        BROWSER.wait_for("document.querySelectorAll('.channels button').length === 2")
        names = BROWSER.evaluate("[...document.querySelectorAll('.channels button')].map(button => button.innerText)")
        self.assertEqual(names, ["News, all day", "<b>Film</b>"])
        BROWSER.evaluate("document.querySelector('.channels button').click()")
        BROWSER.wait_for(shows("#told", "News, all day is open."))
        self.assertIn("3/channel/1", self.proxy.asked)

    def test_empty_page_says_what_to_do(self):
        self.open()
        self.assertIn("Paste the address of a video", BROWSER.evaluate(text("#titles-empty")))
        self.assertIn("as soon as a title is open", BROWSER.evaluate(text("#links-empty")))
        self.assertEqual(BROWSER.evaluate(text("#waits-empty")), "No player has waited so far.")
        self.proxy.show(titles=[title(1)])
        BROWSER.wait_for(shows("#links-empty", "No network link leads to the server."))

    def test_titles_links_and_waits_are_shown(self):
        self.open(titles=[title(1), title(2, "film.mpd", kind="dash", live=True)], links=[WIFI, LTE],
                  waits=[{"at": "14:03:11", "title": 1, "seconds": 1.2, "why": "wlan0 was silent."},
                         {"at": "14:05:00", "title": 9, "seconds": 130, "why": "No link worked."}])
        names = BROWSER.evaluate("[...document.querySelectorAll('#titles .name')].map(name => name.innerText)")
        self.assertEqual(names, ["film-1/master.m3u8", "film-2/film.mpd"])
        self.assertEqual(BROWSER.evaluate("document.querySelector('#titles .local').value"), title(1)["local"])
        rows = BROWSER.evaluate("[...document.querySelectorAll('#links > li')].map(row => row.innerText)")
        for words in ("Wi-Fi · wlan0", "4.2 Mbit/s", "Carries 61 % of the video", "1.2 MB brought"):
            self.assertIn(words, rows[0])
        for words in ("Mobile network · wwan0", "800 kbit/s", "The free links are late.", "1.2 MB of 500.0 MB used"):
            self.assertIn(words, rows[1])
        self.assertEqual(BROWSER.evaluate(text("#links-rate")), "5.0 Mbit/s")
        chosen = BROWSER.evaluate("[...document.querySelectorAll('#links input:checked')].map(choice => choice.value)")
        self.assertEqual(chosen, ["use", "when-needed"])
        waits = BROWSER.evaluate("[...document.querySelectorAll('#waits > li')].map(row => row.innerText)")
        self.assertIn("Title 9 waited 2 min", waits[0])
        self.assertIn("film-1/master.m3u8 waited 1.2 s\n14:03:11", waits[1])
        self.assertIn("wlan0 was silent.", waits[1])

    def test_markup_stays_text(self):
        self.open(titles=[title(1, MARKUP, address=f"https://example.org/{MARKUP}", error=MARKUP)],
                  links=[link(MARKUP, MARKUP, why=MARKUP)],
                  waits=[{"at": MARKUP, "title": 1, "seconds": 1, "why": MARKUP}])
        self.assertIn(MARKUP, BROWSER.evaluate(text("#titles .name")))
        self.assertIn(MARKUP, BROWSER.evaluate(text("#links .why")))
        self.assertIn(MARKUP, BROWSER.evaluate(text("#waits .why")))
        self.assertEqual(BROWSER.evaluate("document.querySelectorAll('img, b').length"), 0)

    def test_arrow_key_chooses_the_use_of_a_link(self):
        self.open(titles=[title(1)], links=[WIFI])
        BROWSER.evaluate("document.querySelector('#links input').focus()")
        BROWSER.press("ArrowRight")
        BROWSER.wait_for("document.querySelector('#links input:checked').value === 'when-needed'")
        self.wait_for_post(("link", {"name": "wlan0", "use": "when-needed"}))
        self.proxy.show(links=[{**WIFI, "use": "when-needed", "activity": "standby"}])
        BROWSER.wait_for(shows("#links .activity", "Standing by"))
        self.assertEqual(BROWSER.evaluate("document.activeElement.value"), "when-needed", "the focus stays")

    def test_choice_that_fails_is_taken_back(self):
        self.open(titles=[title(1)], links=[WIFI])
        self.proxy.answers["link"] = (409, {"error": "wlan0 is gone. Connect it again."})
        BROWSER.evaluate("document.querySelector('#links input[value=do-not-use]').click()")
        BROWSER.wait_for(shows("#links .error", "wlan0 is gone. Connect it again."))
        self.assertEqual(BROWSER.evaluate("document.querySelector('#links input:checked').value"), "use")

    def test_choice_that_the_status_shows_before_its_answer_is_made_once(self):
        self.open(titles=[title(1)], links=[WIFI])

        def shown_first(_):
            self.proxy.show(links=[{**WIFI, "use": "when-needed"}])
            time.sleep(0.5)
            return {}

        self.proxy.answers["link"] = (200, shown_first)
        BROWSER.evaluate("document.querySelector('#links input[value=when-needed]').click()")
        self.wait_for_post(("link", {"name": "wlan0", "use": "when-needed"}))
        time.sleep(1)
        self.assertEqual(len(self.proxy.posted), 1)

    def test_screen_reader_has_a_name_for_all_that_can_be_used_and_hears_of_waits(self):
        self.open(titles=[title(1), title(2)], links=[WIFI, LTE])
        nodes = [node for node in BROWSER.ask("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
        used = [(node["role"]["value"], node["name"]["value"]) for node in nodes
                if node["role"]["value"] in ("button", "group", "link", "progressbar", "radio", "textbox")]
        self.assertEqual([role for role, name in used if not name.strip()], [])
        buttons = [name for role, name in used if role == "button"]
        self.assertEqual(len(buttons), len(set(buttons)))  # those of several titles can be told apart
        self.assertEqual(len([role for role, _ in used if role == "radio"]), 6)
        self.proxy.show(waits=[{"at": "14:03:11", "title": 1, "seconds": 1.2, "why": "wlan0 was silent."}])
        BROWSER.wait_for(shows("#told", "film-1/master.m3u8 waited 1.2 s. wlan0 was silent."))
        told = BROWSER.evaluate("document.getElementById('told').getAttribute('role')")
        self.assertEqual(told, "status")  # it is read without the focus

    def test_address_is_opened_and_its_title_gets_the_focus(self):
        self.open()
        self.proxy.answers["open"] = (200, {"number": 3, "local": title(3)["local"]})
        BROWSER.evaluate("document.getElementById('address').focus()")
        BROWSER.type(" https://example.org/film-3/master.m3u8 ")
        BROWSER.press("Enter")
        self.wait_for_post(("open", {"url": "https://example.org/film-3/master.m3u8"}))
        self.proxy.show(titles=[title(3)])
        BROWSER.wait_for("document.activeElement.closest('#titles') !== null")

    def test_error_of_an_address_is_shown_with_its_field(self):
        self.open()
        self.proxy.answers["open"] = (400, {"error": "example.org gives no manifest. Look whether the address is right."})
        BROWSER.evaluate("document.getElementById('address').focus()")
        BROWSER.type("ftp://example.org/film")
        BROWSER.press("Enter")
        BROWSER.wait_for(shows("#address-error", "Only addresses with https:// or http:// can be opened."))
        self.assertEqual(self.proxy.posted, [])
        BROWSER.evaluate("document.getElementById('address').value = 'https://example.org/film'")
        BROWSER.press("Enter")
        BROWSER.wait_for(shows("#address-error", "example.org gives no manifest. Look whether the address is right."))
        self.assertEqual(BROWSER.evaluate("document.activeElement.id + document.activeElement.ariaInvalid"), "addresstrue")

    def test_title_with_players_is_closed_after_a_question(self):
        self.open(titles=[title(1)])
        BROWSER.evaluate("document.querySelector('#titles .close').click()")
        BROWSER.wait_for("document.getElementById('question').open")
        BROWSER.press("Escape")
        BROWSER.wait_for("!document.getElementById('question').open")
        self.assertEqual(self.proxy.posted, [])
        BROWSER.evaluate("document.querySelector('#titles .close').click()")
        BROWSER.evaluate("document.querySelector('#question [value=close]').click()")
        self.wait_for_post(("close", {"number": 1}))

    def test_question_is_not_answered_by_the_one_before(self):
        self.open(titles=[title(1)])
        # The event of closing comes later than the second question.
        BROWSER.evaluate("{ const close = document.querySelector('#titles .close');"
                         "  close.click(); document.getElementById('question').close('keep'); close.click(); }")
        BROWSER.evaluate("new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 50)))")
        BROWSER.evaluate("document.querySelector('#question [value=close]').click()")
        self.wait_for_post(("close", {"number": 1}))
        self.assertEqual(len(self.proxy.posted), 1)

    def test_title_that_no_player_here_plays_names_others(self):
        self.open(titles=[title(1, "film.mpd", kind="dash")])
        BROWSER.wait_for(shows("#titles .elsewhere", "mpv, VLC and other players of DASH open the local address."))
        self.assertTrue(BROWSER.evaluate("document.querySelector('#titles .play').hidden"))

    def test_page_says_that_the_proxy_has_ended_and_goes_on_with_the_next(self):
        self.open(titles=[title(1)], links=[WIFI])
        port = self.proxy.server.server_port
        self.proxy.__exit__()
        BROWSER.wait_for(shows("#trouble", "The proxy has ended."))
        with FakeProxy(PAGE, port) as again:
            again.show(titles=[title(7)])
            BROWSER.wait_for(shows("#titles .name", "film-7"))
            self.assertEqual(BROWSER.evaluate(text("#trouble")), "")

    def wait_for_post(self, expected):
        end = time.monotonic() + 20
        while expected not in self.proxy.posted and time.monotonic() < end:
            time.sleep(0.02)
        self.assertIn(expected, self.proxy.posted)


PROGRAM = chromium.find()
if PROGRAM is None:
    print("skipped: chromium is not installed")
    sys.exit(77)
with chromium.page_of_chromium(PROGRAM) as BROWSER:
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
