"""A live stream in parts, as an encoder writes it: each step is taken when a test wants it."""
import os

HEAD = """\
#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:1
#EXT-X-SERVER-CONTROL:HOLD-BACK=3,PART-HOLD-BACK=2
#EXT-X-PART-INF:PART-TARGET=0.5
#EXT-X-MEDIA-SEQUENCE:{first}
#EXT-X-MAP:URI="init.mp4"
"""
PARTS = 2  # in a segment


class LiveStream:
    """One rendition, in a folder of its own. `first` is the number of the segment that the playlist begins with."""

    def __init__(self, folder, first=1, name="{segment:05}.{part}.m4s"):
        self.folder, self.first, self.name = folder, first, name
        self.segment, self.parts = first, 0
        self.has_ended = False
        folder.mkdir(exist_ok=True)

    def uri(self, segment, part):
        return self.name.format(segment=segment, part=part)

    def media(self, segment, part):
        return f"{self.folder.name} {segment} {part} ".encode() * 100

    def write(self, name, content):
        """By renaming, as encoders should."""
        unfinished = self.folder / f".{name}.tmp"
        unfinished.write_bytes(content)
        os.replace(unfinished, self.folder / name)

    def text(self):
        out = HEAD.format(first=self.first)
        for segment in range(self.first, self.segment + 1):
            count = PARTS if segment < self.segment else self.parts
            for part in range(count if segment > self.segment - 3 and not self.has_ended else 0):
                out += f'#EXT-X-PART:DURATION=0.5,URI="{self.uri(segment, part)}"' + ("\n" if part else ",INDEPENDENT=YES\n")
            if segment < self.segment:
                out += f"#EXTINF:1.0,\n{segment:05}.m4s\n"
        return out + ("#EXT-X-ENDLIST\n" if self.has_ended else "")

    def publish(self, text=None):
        self.write("playlist.m3u8", (self.text() if text is None else text).encode())

    def add_part(self):
        """A segment ends with its last part."""
        self.write(self.uri(self.segment, self.parts), self.media(self.segment, self.parts))
        self.parts += 1
        if self.parts == PARTS:
            self.segment, self.parts = self.segment + 1, 0
        self.publish()

    def add_parts(self, count):
        for _ in range(count):
            self.add_part()
        return self

    def end(self):
        self.has_ended, self.parts = True, 0
        self.publish()
