"""The name of the part that comes next, from the names of those that are listed."""
import functools
import itertools
import re

DIGITS = re.compile(r"(\d+)", re.ASCII)
SEGMENTS = 3  # that are looked at
MOST_DIGITS = 18


@functools.lru_cache(maxsize=512)
def next_part(playlist):
    """Its URI; nothing where the names allow several explanations that differ, or none."""
    recent = playlist.segments[-SEGMENTS:]
    groups = [segment.parts for segment in recent] + [playlist.open_parts]
    if not all(part.is_file and part.uri for part in itertools.chain(*groups)):
        return None
    first = playlist.last - len(recent) + 1
    samples, count = [], 0
    for i, parts in enumerate(groups):
        for index, part in enumerate(parts):
            samples.append(((first + i, index, count), DIGITS.split(part.uri)))
            count += 1
    sequence, index = playlist.last + 1, len(playlist.open_parts)
    if is_full(playlist, recent):
        sequence, index = sequence + 1, 0
    return continued(samples, (sequence, index, count))


def is_full(playlist, recent):
    """Whether the parts behind the last segment are all of theirs: they last as long as those before."""
    usual = max((segment.duration for segment in recent), default=playlist.target)
    lasts = sum(part.duration for part in playlist.open_parts)
    return bool(playlist.open_parts) and lasts > usual - playlist.part_target / 2


def continued(samples, place):
    """Each number in a name is the same in all, or grows with the segments, with the parts of one, or with all parts."""
    if len(samples) < 2 or len({tuple(pieces[::2]) for _, pieces in samples}) != 1:
        return None
    pieces = list(samples[-1][1])
    for at in range(1, len(pieces), 2):
        digits = [sample[at] for _, sample in samples]
        if max(map(len, digits)) > MOST_DIGITS:
            if len(set(digits)) > 1:
                return None
            continue
        values = list(map(int, digits))
        allowed = {place[kind] + values[0] - samples[0][0][kind] for kind in range(3)
                   if len({value - where[kind] for value, (where, _) in zip(values, samples)}) == 1}
        if len(set(values)) == 1:
            allowed.add(values[0])
        if len(allowed) != 1:
            return None
        is_padded = any(len(text) > 1 and text[0] == "0" for text in digits)
        pieces[at] = str(allowed.pop()).zfill(len(digits[-1]) if is_padded else 1)
    return "".join(pieces)
