"""Single requests: ranges, validators, types, caching, and what pages of other origins may read."""
import re
import time

from .exchange import MOST_BYTES, without_secrets
from .findings import Skipped

PAGE = "http://player.example"
TYPES = {"m4s": {"video/mp4", "audio/mp4", "video/iso.segment", "audio/iso.segment"},
         "mp4": {"video/mp4", "audio/mp4"}, "m4v": {"video/mp4"}, "m4a": {"audio/mp4"},
         "m3u8": {"application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl"},
         "mpd": {"application/dash+xml"}, "json": {"application/json"}}
SHORTEST_MEDIA_AGE_S = 3600
LONGEST_MANIFEST_AGE_S = 1  # less than any segment lasts


def range_of(presentation, first, last):
    return presentation.server.ask(presentation.media, Range=f"bytes={first}-{last}")


def size_of_media(presentation):
    """By the answer to a range; everything about ranges needs it."""
    total = re.fullmatch(r"bytes 0-0/(\d{1,18})", range_of(presentation, 0, 0).header("Content-Range"))
    if not total:
        raise Skipped("needs ranges")
    return int(total[1])


def ranges(presentation):
    begin = range_of(presentation, 0, 99)
    if begin.status != 206:
        return [f"bytes=0-99 of {presentation.media} is answered with {begin.status} instead of 206"], ""
    problems = []
    size = size_of_media(presentation)
    cases = [(f"bytes={first}-{last}", first, min(last, size - 1))
             for first, last in ((0, 0), (10, 59), (size // 2, size // 2 + 99), (size - 5, size + 5))]
    cases += [(f"bytes={size - 7}-", size - 7, size - 1), ("bytes=-9", size - 9, size - 1)]
    for asked, first, last in cases:
        answer = presentation.server.ask(presentation.media, Range=asked)
        stated = f"bytes {first}-{last}/{size}"
        if answer.status != 206 or answer.header("Content-Range") != stated:
            problems.append(f"{asked} is answered with {answer.status} and Content-Range "
                            f"\"{answer.header('Content-Range')}\" instead of 206 and \"{stated}\"")
        elif len(answer.body) != last - first + 1 or (last < 100 and answer.body != begin.body[first:last + 1]):
            problems.append(f"{asked} brings other bytes than those")
    return problems, f"{size} bytes of {presentation.media}"


def range_beyond_the_end(presentation):
    size = size_of_media(presentation)
    answer = range_of(presentation, size, size + 99)
    if answer.status != 416:
        return [f"bytes={size}-{size + 99} of {size} bytes is answered with {answer.status} instead of 416"], ""
    stated = answer.header("Content-Range")  # Apache does not state it
    return [f"Content-Range of 416 is \"{stated}\" instead of \"bytes */{size}\""] if stated not in (
        "", f"bytes */{size}") else [], ""


def head(presentation):
    get = presentation.server.ask(presentation.media, most=MOST_BYTES)
    answer = presentation.server.ask(presentation.media, method="HEAD")
    problems = []
    if answer.status != 200:
        problems.append(f"HEAD is answered with {answer.status} instead of 200")
    elif not get.is_whole:
        problems.append(f"{presentation.media} does not end within {get.length} bytes")
    elif answer.header("Content-Length") != str(get.length):
        problems.append(f"Content-Length of HEAD is \"{answer.header('Content-Length')}\" instead of {get.length}")
    return problems, ""


def etag_and_304_of_media(presentation):
    answer = presentation.server.ask(presentation.media, method="HEAD")
    if answer.header("ETag").startswith("W/"):  # Apache's are weak until the file is a second old
        time.sleep(2)
        answer = presentation.server.ask(presentation.media, method="HEAD")
    etag, modified = answer.header("ETag"), answer.header("Last-Modified")
    problems = []
    if not etag:
        problems.append("there is no ETag")
    elif etag.startswith("W/"):
        problems.append(f"the ETag {etag} is weak: it does not prove that pieces are of one file")
    elif (again := presentation.server.ask(presentation.media, If_None_Match=etag).status) != 304:
        problems.append(f"If-None-Match: {etag} is answered with {again} instead of 304")
    if not modified:
        problems.append("there is no Last-Modified")
    elif (again := presentation.server.ask(presentation.media, If_Modified_Since=modified).status) != 304:
        problems.append(f"If-Modified-Since: {modified} is answered with {again} instead of 304")
    return problems, etag


def of_manifests(presentation):
    return [presentation.index, *presentation.manifests]


def not_modified_manifests(presentation):
    problems = []
    for path in of_manifests(presentation):
        etag = presentation.server.ask(path, Accept_Encoding="gzip").header("ETag")
        if not etag:
            problems.append(f"{without_secrets(path)} has no ETag")
            continue
        again = presentation.server.ask(path, Accept_Encoding="gzip", If_None_Match=etag).status
        if again != 304:
            problems.append(f"{without_secrets(path)} with If-None-Match: {etag} is answered with {again} "
                            "instead of 304")
    return problems, ""


def no_compression_of_media(presentation):
    coding = presentation.server.ask(presentation.media, Accept_Encoding="gzip, deflate, br").header("Content-Encoding")
    return [f"{presentation.media} comes with Content-Encoding {coding}"] if coding not in ("", "identity") else [], ""


def types(presentation):
    problems = []
    for path in dict.fromkeys(presentation.files):
        allowed = TYPES.get(path.partition("?")[0].rpartition(".")[2])
        stated = presentation.server.ask(path, Range="bytes=0-0").header("Content-Type").partition(";")[0].strip()
        if allowed and stated.lower() not in allowed:
            problems.append(f"{without_secrets(path)} is \"{stated}\" instead of {' or '.join(sorted(allowed))}")
    return problems, ""


def cors(presentation):
    problems = []
    ask = presentation.server.ask
    etag = ask(presentation.media, method="HEAD").header("ETag")
    answers = [ask(presentation.index, Origin=PAGE), ask(presentation.media, Origin=PAGE, Range="bytes=0-9"),
               ask(presentation.missing(), Origin=PAGE),
               ask(presentation.media, Origin=PAGE, Range="bytes=99999999999-"),
               ask(presentation.media, Origin=PAGE, If_None_Match=etag or "x")]
    for answer in answers:
        allowed = answer.all_of("Access-Control-Allow-Origin")
        if allowed not in (["*"], [PAGE]):
            problems.append(f"a {answer.status} has Access-Control-Allow-Origin \"{', '.join(allowed)}\" instead of *")
    exposed = {name.strip().lower() for name in
               ",".join(answers[1].all_of("Access-Control-Expose-Headers")).split(",")}
    hidden = [name for name in ("Content-Range", "Date", "ETag") if name.lower() not in exposed and "*" not in exposed]
    if hidden:
        problems.append(f"Access-Control-Expose-Headers of a 206 does not name {', '.join(hidden)}")
    return problems, ""


def cors_preflight(presentation):
    answer = presentation.server.ask(presentation.media, method="OPTIONS", Origin=PAGE,
                                     Access_Control_Request_Method="GET", Access_Control_Request_Headers="range")
    problems = []
    if answer.status not in (200, 204):
        problems.append(f"OPTIONS is answered with {answer.status} instead of 204")
    if answer.all_of("Access-Control-Allow-Origin") not in (["*"], [PAGE]):
        problems.append("the answer to OPTIONS has no Access-Control-Allow-Origin *")
    allowed = [name.strip().lower() for name in answer.header("Access-Control-Allow-Headers").split(",")]
    if "range" not in allowed and "*" not in allowed:
        problems.append("Access-Control-Allow-Headers of OPTIONS does not name Range")
    return problems, ""


def seconds_cached(answer):
    """How long a cache may use it without asking; None where nothing is said (caches guess then)."""
    directives = [part.strip().lower() for part in ",".join(answer.all_of("Cache-Control")).split(",")]
    if "no-cache" in directives or "no-store" in directives:
        return 0
    ages = [int(age) for age in re.findall(r"(?:max-age|s-maxage)=\"?(\d{1,18})", ",".join(directives))]
    return max(ages, default=None)


def what_is_said(answer):
    said = ", ".join(answer.all_of("Cache-Control"))
    return f'Cache-Control "{said}"' if said else "no Cache-Control"


def caching_of_media(presentation):
    answer = presentation.server.ask(presentation.media, method="HEAD")
    if (seconds_cached(answer) or 0) < SHORTEST_MEDIA_AGE_S:
        return [f"{presentation.media} comes with {what_is_said(answer)}; a cache should keep it for long"], ""
    return [], answer.header("Cache-Control")


def caching_of_manifests(presentation):
    problems = []
    for path in of_manifests(presentation):
        answer = presentation.server.ask(path, method="HEAD")
        seconds = seconds_cached(answer)
        if seconds is None or seconds > LONGEST_MANIFEST_AGE_S:
            problems.append(f"{without_secrets(path)} comes with {what_is_said(answer)}: caches may show an old one")
    return problems, ""


def caching_of_errors(presentation):
    answer = presentation.server.ask(presentation.missing())
    if answer.status != 404:
        return [f"{presentation.missing()} is answered with {answer.status} instead of 404"], ""
    if (seconds_cached(answer) or 0) > LONGEST_MANIFEST_AGE_S:
        return [f"a 404 comes with {what_is_said(answer)}: a segment that is asked for too early stays missing"], ""
    return [], ""


CHECKS = {"ranges": ranges, "range beyond the end": range_beyond_the_end, "HEAD": head,
          "ETag and 304 of media": etag_and_304_of_media, "304 of manifests": not_modified_manifests,
          "no compression of media": no_compression_of_media, "types": types, "CORS": cors,
          "CORS preflight": cors_preflight, "caching of media": caching_of_media,
          "caching of manifests": caching_of_manifests, "caching of errors": caching_of_errors}
