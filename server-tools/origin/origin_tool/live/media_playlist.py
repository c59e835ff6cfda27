"""A media playlist as text: what it lists, and where its lines are. Whoever wrote it, nothing is known but the text."""
import dataclasses
import math
import re

ATTRIBUTE = re.compile(r'([A-Z0-9-]+)=("[^"]*"|[^,]*)')
LONGEST_TARGET_S = 3600
# Tags of single segments. Other tags are about the playlist.
SEGMENT_TAGS = {"#EXTINF", "#EXT-X-BYTERANGE", "#EXT-X-DISCONTINUITY", "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-GAP",
                "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-BITRATE", "#EXT-X-PART"}
REPORT, HINT, CONTROL = "#EXT-X-RENDITION-REPORT", "#EXT-X-PRELOAD-HINT", "#EXT-X-SERVER-CONTROL"


def tag_of(line):
    return line.partition(":")[0].rstrip() if line.startswith("#EXT") else ""


def attributes_of(line):
    return {name: value.strip() for name, value in ATTRIBUTE.findall(line.partition(":")[2])}


def unquoted(value):
    return value.strip('"')


def number(text, most=LONGEST_TARGET_S):
    """A number of seconds; 0 where it is none, or cannot be meant."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and 0 < value <= most else 0.0


@dataclasses.dataclass
class Part:
    uri: str
    duration: float
    is_file: bool  # a whole one


@dataclasses.dataclass
class Segment:
    """`end`: the line behind its URI."""
    parts: list
    duration: float
    end: int


class MediaPlaylist:
    """`first`: the sequence number of the first of `segments`. `open_parts` are those behind the last whole segment.
    `is_media` is false for playlists of playlists, and for what is no playlist."""

    def __init__(self, text):
        self.lines = [line.rstrip("\r") for line in text.rstrip("\r\n").split("\n")]
        self.first, self.target, self.part_target, self.version = 0, 0.0, 0.0, 1
        self.segments, self.open_parts, self.control = [], [], {}
        self.hints, self.reports, self.variants = [], [], []
        self.has_ended = False
        self.head_end = None  # the first line about a segment
        self.is_playlist = self.lines[0].startswith("#EXTM3U")
        if self.is_playlist:
            self.read()
        self.is_media = self.target > 0 and not self.variants
        self.is_live = self.is_media and not self.has_ended
        self.is_whole = self.target > 0 or bool(self.variants)  # as far as can be seen of one that is just being written

    def read(self):
        duration, parts = 0.0, []
        for i, line in enumerate(self.lines):
            tag = tag_of(line)
            value = line[len(tag) + 1:].strip()
            is_uri = bool(line) and not line.startswith("#")
            if self.head_end is None and (is_uri or tag in SEGMENT_TAGS):
                self.head_end = i
            if is_uri:
                if duration:
                    self.segments.append(Segment(parts, duration, i + 1))
                    duration, parts = 0.0, []
                elif self.variants and self.variants[-1] is None:
                    self.variants[-1] = line
            elif tag == "#EXTINF":
                duration = number(value.partition(",")[0]) or 1e-6
            elif tag == "#EXT-X-PART":
                own = attributes_of(line)
                parts.append(Part(unquoted(own.get("URI", "")), number(own.get("DURATION", "")), "BYTERANGE" not in own))
            else:
                self.read_about_playlist(tag, value, line)
        self.open_parts = parts

    def read_about_playlist(self, tag, value, line):
        if tag == "#EXT-X-TARGETDURATION":
            self.target = number(value)
        elif tag == "#EXT-X-MEDIA-SEQUENCE" and re.fullmatch(r"\d{1,19}", value, re.ASCII):
            self.first = int(value)
        elif tag == "#EXT-X-VERSION" and re.fullmatch(r"\d{1,3}", value, re.ASCII):
            self.version = int(value)
        elif tag == "#EXT-X-PART-INF":
            self.part_target = number(attributes_of(line).get("PART-TARGET", ""))
        elif tag == CONTROL:
            self.control = attributes_of(line)
        elif tag == HINT:
            self.hints.append(unquoted(attributes_of(line).get("URI", "")))
        elif tag == REPORT:
            self.reports.append(unquoted(attributes_of(line).get("URI", "")))
        elif tag == "#EXT-X-ENDLIST" or (tag == "#EXT-X-PLAYLIST-TYPE" and value == "VOD"):
            self.has_ended = True
        elif tag == "#EXT-X-STREAM-INF":
            self.variants.append(None)  # until the next line, which is its URI
        elif tag == "#EXT-X-MEDIA" and "URI" in (own := attributes_of(line)):
            self.variants.append(unquoted(own["URI"]))

    @property
    def last(self):
        """The sequence number of the last whole segment."""
        return self.first + len(self.segments) - 1

    def newest(self):
        """(sequence number, index of the last part or None) of the newest media."""
        if self.open_parts:
            return self.last + 1, len(self.open_parts) - 1
        parts = self.segments[-1].parts if self.segments else []
        return self.last, len(parts) - 1 if parts else None

    def has(self, sequence, part):
        """Whether that segment, or that part of it, is listed or was. A part beyond the last of a segment is the first of
        the next one."""
        if sequence == self.last and part is not None and self.segments:
            return part < len(self.segments[-1].parts) or not self.segments[-1].parts or bool(self.open_parts)
        if sequence == self.last + 1:
            return part is not None and part < len(self.open_parts)
        return sequence <= self.last

    def is_too_far(self, sequence, part):
        """Whether nobody who follows the stream asks for that."""
        limit = math.ceil(3 / self.part_target) if 0 < self.part_target < 1 else 3
        if sequence == self.last + 1:
            return part is not None and part - len(self.open_parts) >= limit
        if sequence == self.last + 2:
            return part is not None and part >= limit
        return sequence > self.last + 2
