"""A film of H.264 with closed captions (CTA-608) in its pictures, as broadcasters send them (ATSC A/53 part 4)."""
import subprocess

FRAMES_PER_SECOND = 25
RESUME_CAPTION_LOADING, ERASE_NON_DISPLAYED, END_OF_CAPTION, ERASE_DISPLAYED = (0x14, 0x20), (0x14, 0x2e), (0x14, 0x2f), (0x14, 0x2c)
BOTTOM_ROW = (0x14, 0x70)
NOTHING = (0, 0)


def with_parity(byte):
    return byte | (0x80 if bin(byte).count("1") % 2 == 0 else 0)


def pairs_of(text):
    """A caption that pops on at its last pair. Commands are sent twice."""
    codes = list(text.encode("ascii"))
    codes += [0] * (len(codes) % 2)
    words = [pair for command in (RESUME_CAPTION_LOADING, ERASE_NON_DISPLAYED, BOTTOM_ROW) for pair in (command, command)]
    return words + list(zip(codes[::2], codes[1::2])) + [END_OF_CAPTION, END_OF_CAPTION]


def sei(pair, other_field):
    """The NAL unit with a pair of each field, for one picture."""
    groups = b"".join(bytes([0xfc | field, *map(with_parity, codes)]) for field, codes in enumerate((pair, other_field)))
    payload = b"\xb5\x00\x31GA94\x03" + bytes([0x40 | 2, 0xff]) + groups + b"\xff"
    body = bytes([4, len(payload)]) + payload + b"\x80"
    guarded = bytearray()
    for byte in body:  # emulation prevention
        if byte <= 3 and guarded[-2:] == b"\0\0":
            guarded.append(3)
        guarded.append(byte)
    return b"\0\0\0\1\x06" + bytes(guarded)


def pairs_by_frame(captions, frames):
    """captions: (when it is to be shown, in seconds; text, or nothing to erase)."""
    found = [NOTHING] * frames
    for seconds, text in captions:
        pairs = pairs_of(text) if text else [ERASE_DISPLAYED, ERASE_DISPLAYED]
        first = round(seconds * FRAMES_PER_SECOND) - len(pairs) + 2  # the first END_OF_CAPTION shows it
        found[first:first + len(pairs)] = pairs
    return found


def make_film(path, seconds, captions, of_other_field=()):
    """Annex B, a picture in each access unit."""
    frames = seconds * FRAMES_PER_SECOND
    plain = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"testsrc2=s=160x90:r={FRAMES_PER_SECOND}:d={seconds}",
                            "-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-g", "50", "-bf", "0", "-x264-params", "aud=1",
                            "-f", "h264", "-"], check=True, timeout=60, capture_output=True).stdout
    first, *units = plain.split(b"\0\0\0\1\x09")  # access unit delimiters
    assert first == b"" and len(units) == frames, (len(units), frames)
    pairs, others = pairs_by_frame(captions, frames), pairs_by_frame(of_other_field, frames)
    with open(path, "wb") as film:
        for unit, pair, other in zip(units, pairs, others):
            delimiter, rest = unit[:1], unit[1:]  # the rest of its one byte
            film.write(b"\0\0\0\1\x09" + delimiter)
            slices = rest.find(b"\0\0\1\x65") if b"\0\0\1\x65" in rest else rest.find(b"\0\0\1\x41")
            before = slices - 1 if rest[slices - 1:slices] == b"\0" else slices
            film.write(rest[:before] + sei(pair, other) + rest[before:])
