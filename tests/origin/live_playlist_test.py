#!/usr/bin/env python3
"""The texts of live playlists: what they list, which part comes next, and what is left out of an update.

Usage: live_playlist_test.py DIRECTORY_OF_TRIBUTARY_ORIGIN
"""
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[1])
from live_stream import LiveStream  # pylint: disable=wrong-import-position
from origin_tool.live.folder import Folder, resolved  # pylint: disable=wrong-import-position
from origin_tool.live.media_playlist import MediaPlaylist  # pylint: disable=wrong-import-position
from origin_tool.live.part_names import next_part  # pylint: disable=wrong-import-position
from origin_tool.live.playlist_text import skipped_segments, text_of  # pylint: disable=wrong-import-position


def text_after(parts, **options):
    with tempfile.TemporaryDirectory() as folder:
        return LiveStream(pathlib.Path(folder), **options).add_parts(parts).text()


def playlist_of(*segments, target=2, part_target=1):
    """Each segment a list of names of parts of a second; the last one is open."""
    text = f"#EXTM3U\n#EXT-X-TARGETDURATION:{target}\n#EXT-X-PART-INF:PART-TARGET={part_target}\n"
    for i, parts in enumerate(segments):
        text += "".join(f'#EXT-X-PART:DURATION=1,URI="{name}"\n' for name in parts)
        if i + 1 < len(segments):
            text += f"#EXTINF:{len(parts)},\nsegment{i}.mp4\n"
    return MediaPlaylist(text)


class Listed(unittest.TestCase):
    def test_segments_and_parts_that_are_there(self):
        playlist = MediaPlaylist(text_after(5, first=10))  # 10 and 11 whole, one part of 12
        for sequence, part, is_there in ((9, None, True), (11, None, True), (11, 1, True), (12, None, False),
                                         (12, 0, True), (12, 1, False), (13, 0, False)):
            self.assertEqual(playlist.has(sequence, part), is_there, (sequence, part))

    def test_a_part_beyond_the_last_of_a_segment_is_the_first_of_the_next(self):
        self.assertFalse(MediaPlaylist(text_after(4, first=10)).has(11, 2))
        self.assertTrue(MediaPlaylist(text_after(5, first=10)).has(11, 2))
        self.assertTrue(MediaPlaylist(text_after(5, first=10)).has(11, 10**18))

    def test_what_is_too_far_ahead(self):
        playlist = MediaPlaylist(text_after(5, first=10))
        for sequence, part, is_far in ((11, 10**9, False), (12, None, False), (12, 6, False), (12, 7, True),
                                       (13, None, False), (13, 0, False), (13, 6, True), (14, None, True),
                                       (10**18, 0, True)):
            self.assertEqual(playlist.is_too_far(sequence, part), is_far, (sequence, part))

    def test_texts_that_are_none(self):
        for text in ("", "\n", "#EXTM3U", "#EXTM3U\n#EXT-X-TARGETDURATION:nan\n#EXTINF:x,\na\n", "<html>", "#EXTINF:1,\na"):
            self.assertFalse(MediaPlaylist(text).is_live, text)

    def test_any_text_can_be_read(self):
        generator = random.Random(7)
        lines = text_after(9).splitlines() + ["#EXT-X-PART:DURATION=1e999,URI", "#EXT-X-MEDIA-SEQUENCE:" + "9" * 30,
                                              "#EXTINF:-1,", "#EXT-X-PART-INF:PART-TARGET=inf", "x", "", "#EXT-X-STREAM-INF:"]
        for _ in range(2000):
            text = "\n".join(generator.choices(lines, k=generator.randrange(1, 30)))
            playlist = MediaPlaylist("#EXTM3U\n" + text)
            if playlist.is_live:
                MediaPlaylist(text_of(playlist, [], True))
            playlist.has(3, 1)
            playlist.is_too_far(3, 1)


class NextPart(unittest.TestCase):
    def test_names_of_several_packagers(self):
        for segments, expected in (
                ([["1.0.m4s", "1.1.m4s"], ["2.0.m4s"]], "2.1.m4s"),
                ([["00008.0.mp4", "00008.1.mp4"], ["00009.0.mp4", "00009.1.mp4"], []], "00010.0.mp4"),
                ([["s9_0.mp4", "s9_1.mp4"], ["s10_0.mp4", "s10_1.mp4"]], "s11_0.mp4"),  # all parts of its time are there
                ([["a1f_part7.mp4", "a1f_part8.mp4"], ["a1f_part9.mp4"]], "a1f_part10.mp4"),
                ([["p.mp4?msn=3&p=1", "p.mp4?msn=3&p=2"], ["p.mp4?msn=4&p=1"]], "p.mp4?msn=4&p=2")):
            self.assertEqual(next_part(playlist_of(*segments)), expected)

    def test_no_name_where_there_are_several_explanations_or_none(self):
        for segments in ([["a1.mp4"]], [[]], [["a.mp4", "b.mp4"], ["c.mp4"]], [["t1000.mp4", "t1993.mp4"], ["t3000.mp4"]],
                         [["1.mp4"], []], [["1.mp4", "2.mp4"], ["x3.mp4"]]):
            self.assertIsNone(next_part(playlist_of(*segments)), segments)

    def test_ranges_of_a_file_that_grows_have_no_name(self):
        text = text_after(5).replace(",INDEPENDENT=YES", ',BYTERANGE="100@0"')
        self.assertIsNone(next_part(MediaPlaylist(text)))


class Updates(unittest.TestCase):
    def test_the_rest_of_an_update_is_that_of_the_whole(self):
        for parts in (9, 30, 31, 101):
            playlist = MediaPlaylist(text_after(parts))
            whole, update = (MediaPlaylist(text_of(playlist, [], may_skip)) for may_skip in (False, True))
            skipped = skipped_segments(playlist)
            left = sum(segment.duration for segment in playlist.segments[skipped:])
            self.assertEqual(f"#EXT-X-SKIP:SKIPPED-SEGMENTS={skipped}" in update.lines, skipped > 0)
            self.assertEqual(skipped > 0, parts > 20)
            if skipped:
                self.assertTrue(6 <= left + 0.5 * len(playlist.open_parts) < 7, left)
            self.assertEqual(update.first, whole.first)
            self.assertEqual([s.duration for s in update.segments], [s.duration for s in whole.segments[skipped:]])
            self.assertEqual(update.lines[-5:], whole.lines[-5:])
            self.assertIn('#EXT-X-MAP:URI="init.mp4"', update.lines)

    def test_keys_in_force_are_repeated(self):
        lines = text_after(40).splitlines()
        lines[7:7] = ['#EXT-X-KEY:METHOD=AES-128,URI="a"', '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="b",KEYFORMAT="x"']
        lines[11:11] = ['#EXT-X-KEY:METHOD=AES-128,URI="c"']
        update = text_of(MediaPlaylist("\n".join(lines)), [], True)
        self.assertNotIn('URI="a"', update)
        self.assertIn('URI="b"', update)
        self.assertIn('URI="c"', update)

    def test_what_a_packager_states_of_its_server_stays(self):
        text = text_after(9).replace("HOLD-BACK=3,PART-HOLD-BACK=2", "CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.25,CAN-SKIP-UNTIL=36")
        text += '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="own.mp4"\n'
        sent = text_of(MediaPlaylist(text), [], False)
        self.assertIn("PART-HOLD-BACK=1.25", sent)
        self.assertIn("CAN-SKIP-UNTIL=36", sent)
        self.assertEqual(sent.count("#EXT-X-PRELOAD-HINT"), 1)
        self.assertIn("own.mp4", sent)


class Folders(unittest.TestCase):
    def test_addresses_in_playlists(self):
        for uri, path in (("a.m4s", "live/low/a.m4s"), ("../high/p.m3u8?x=1", "live/high/p.m3u8"), ("/top.m3u8", "top.m3u8"),
                          ("../../../../etc/passwd", "etc/passwd"), ("a%20b", "live/low/a b"),
                          ("https://elsewhere/a", None), ("//elsewhere/a", None), ("http://[", None), ("", None)):
            self.assertEqual(resolved("live/low/playlist.m3u8", uri), path, uri)

    def test_memory_for_playlists_is_bounded(self):
        with tempfile.TemporaryDirectory() as root:
            folder = Folder(root)
            for i in range(600):
                (pathlib.Path(root) / f"{i}.m3u8").write_text("#EXTM3U\n#" + "x" * 150_000)
                folder.playlist(f"{i}.m3u8")
            self.assertLess(folder.bytes, 33_000_000)
            (pathlib.Path(root) / "huge.m3u8").write_text("#EXTM3U\n" + "#" * 5_000_000)
            with self.assertRaises(OSError):
                folder.playlist("huge.m3u8")


unittest.main(argv=sys.argv[:1], verbosity=2)
