"""A live playlist as it is sent: what the server does is stated, and what is old can be left out."""
from .media_playlist import CONTROL, HINT, REPORT, SEGMENT_TAGS, attributes_of, tag_of
from .part_names import next_part

VERSION_WITH_SKIP = 9
SKIP_TARGETS = 6  # the least that is allowed
HOLD_BACK_PARTS = 3  # the least that is recommended
# Of those within the list, these stay where segments are left out.
KEPT_TAGS = {"#EXT-X-DATERANGE", "#EXT-X-DEFINE", "#EXT-X-START"}


def seconds(value):
    return f"{value:.6f}".rstrip("0").rstrip(".")


def skip_until(playlist):
    own = playlist.control.get("CAN-SKIP-UNTIL", "")
    least = SKIP_TARGETS * playlist.target
    try:
        return max(least, float(own))
    except ValueError:
        return least


def control_line(playlist):
    """What others state stays, also their distance if it was for a server that holds requests."""
    control = dict(playlist.control)
    if playlist.part_target and control.get("CAN-BLOCK-RELOAD") != "YES":
        control["PART-HOLD-BACK"] = seconds(HOLD_BACK_PARTS * playlist.part_target)
    control |= {"CAN-BLOCK-RELOAD": "YES", "CAN-SKIP-UNTIL": seconds(skip_until(playlist))}
    return f"{CONTROL}:" + ",".join(f"{name}={value}" for name, value in control.items())


def hint_of(playlist):
    """The URI of the part that comes next, as far as it can be told; requests for it are held."""
    return None if playlist.hints or not playlist.part_target else next_part(playlist)


def report_line(uri, playlist):
    sequence, part = playlist.newest()
    return f'{REPORT}:URI="{uri}",LAST-MSN={sequence}' + (f",LAST-PART={part}" if part is not None else "")


def skipped_segments(playlist):
    """How many are further than the boundary from the end."""
    left = skip_until(playlist) - sum(part.duration for part in playlist.open_parts)
    for i in range(len(playlist.segments) - 1, -1, -1):
        if left <= 0:
            return i + 1
        left -= playlist.segments[i].duration
    return 0


def with_control(lines, playlist, version):
    """The lines of the head with those that state what the server does."""
    out = [line for line in lines if tag_of(line) != CONTROL]
    at = next((i for i, line in enumerate(out) if tag_of(line) == "#EXT-X-TARGETDURATION"), 0)
    out.insert(at + 1, control_line(playlist))
    if playlist.version < version:
        out = [line for line in out if tag_of(line) != "#EXT-X-VERSION"]
        out.insert(1, f"#EXT-X-VERSION:{version}")
    return out


def lines_of(playlist, skipped):
    """The text without hints and reports. The key and the init segment in force are repeated behind what is skipped."""
    if not skipped:
        return with_control(playlist.lines, playlist, 1)
    head, boundary = playlist.head_end, playlist.segments[skipped - 1].end
    within = playlist.lines[head:boundary]
    out = with_control(playlist.lines[:head], playlist, VERSION_WITH_SKIP)
    out += [line for line in within if tag_of(line) in KEPT_TAGS]
    out.append(f"#EXT-X-SKIP:SKIPPED-SEGMENTS={skipped}")
    # A key per format is in force, and one init segment.
    in_force = {(tag_of(line), attributes_of(line).get("KEYFORMAT") if tag_of(line) == "#EXT-X-KEY" else None): line
                for line in within if tag_of(line) in ("#EXT-X-KEY", "#EXT-X-MAP")}
    return out + list(in_force.values()) + playlist.lines[boundary:]


def text_of(playlist, reports, may_skip):
    """`reports`: of each other rendition its URI, and its playlist or None where that cannot be read."""
    lines = lines_of(playlist, skipped_segments(playlist) if may_skip else 0)
    known = {uri: other for uri, other in reports if other is not None}
    own = [line for line in lines if tag_of(line) == REPORT]
    lines = [line for line in lines if tag_of(line) != REPORT]
    if (hint := hint_of(playlist)) is not None:
        lines.append(f'{HINT}:TYPE=PART,URI="{hint}"')
    if playlist.part_target:
        lines += [line for line in own if not any(f'URI="{uri}"' in line for uri in known)]
        lines += [report_line(uri, other) for uri, other in known.items()]
    else:
        lines += own
    return "\n".join(lines) + "\n"


assert not KEPT_TAGS & SEGMENT_TAGS
