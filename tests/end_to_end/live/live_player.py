#!/usr/bin/env python3
"""Plays a live title of HLS or MPEG-DASH (with a SegmentTimeline): of the pictures the last quality, and the sound. Begins
three segments before the end, fetches each further one when it is listed, and ends with the title.

Usage: live_player.py URL. Prints a line of JSON for each file: its track, its name, and the SHA-256 of its bytes. Fails with
the first answer that is none, and where a segment was not listed before it left the manifest.
"""
import hashlib
import json
import re
import sys
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree

BEHIND = 3  # segments
LOOK_AGAIN = 0.2  # seconds
MPD = "{urn:mpeg:dash:schema:mpd:2011}"


def fetched(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


class Playlist:
    """A track of HLS."""
    def __init__(self, url):
        self.url = url

    def look(self):
        """The init segment, the segments, and whether there will be no more."""
        text = fetched(self.url).decode()
        init = re.search(r'#EXT-X-MAP:URI="([^"]*)"', text)[1]
        names = [line for line in text.splitlines() if line and not line.startswith("#")]
        return [urllib.parse.urljoin(self.url, name) for name in [init, *names]], "#EXT-X-ENDLIST" in text


class AdaptationSet:
    """A track of MPEG-DASH, by its place in the MPD."""
    def __init__(self, url, place):
        self.url, self.place = url, place

    def look(self):
        mpd = xml.etree.ElementTree.fromstring(fetched(self.url))
        adaptation_set = list(mpd.iter(f"{MPD}AdaptationSet"))[self.place]
        template = adaptation_set.find(f"{MPD}SegmentTemplate")
        representation = adaptation_set.findall(f"{MPD}Representation")[-1].get("id")
        first, count = int(template.get("startNumber")), sum(1 + int(s.get("r", 0)) for s in template.iter(f"{MPD}S"))
        numbered = lambda number: re.sub(r"\$Number%0(\d+)d\$", lambda at: f"{number:0{at[1]}}", template.get("media"))
        names = [template.get("initialization"), *map(numbered, range(first, first + count))]
        return [urllib.parse.urljoin(self.url, name.replace("$RepresentationID$", representation)) for name in names], \
            mpd.get("type") == "static"


def tracks_of(url):
    text = fetched(url).decode()
    if not text.startswith("#EXTM3U"):
        return [AdaptationSet(url, place) for place in range(text.count("<AdaptationSet "))]
    sounds = re.findall(r'#EXT-X-MEDIA:TYPE=AUDIO.*URI="([^"]*)"', text)
    return [Playlist(urllib.parse.urljoin(url, name)) for name in [text.splitlines()[-1], *sounds]]


def play(url):
    tracks, last, over = tracks_of(url), {}, set()
    while len(over) < len(tracks):
        for number, track in enumerate(tracks):
            (init, *segments), ends = track.look()
            new = segments[segments.index(last[number]) + 1:] if number in last else [init, *segments[-BEHIND:]]
            for file in new:
                digest = hashlib.sha256(fetched(file)).hexdigest()
                print(json.dumps({"track": number, "name": file.rsplit("/", 1)[1], "hash": digest}))
            last[number] = segments[-1]
            over |= {number} if ends else set()
        time.sleep(LOOK_AGAIN)


if __name__ == "__main__":
    play(sys.argv[1])
