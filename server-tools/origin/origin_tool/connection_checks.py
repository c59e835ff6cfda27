"""Connections: how many requests they take and in which order, how long they stay, TLS, and the server's clock."""
import datetime
import email.utils
import re
import ssl
import time

from .content_checks import size_of_media
from .findings import Skipped

PIECE = 10  # bytes of each small range
SHORTEST_IDLE_S = 30
LARGEST_CLOCK_OFFSET_S = 2  # Date has whole seconds
FEWEST_DAYS = 7


def small_ranges(presentation, size, count):
    """The requests, and for each the Content-Range that answers it."""
    starts = [7 * i % max(1, size - PIECE) for i in range(count)]
    spans = [(start, min(start + PIECE, size) - 1) for start in starts]
    return ([presentation.server.get_request(presentation.media, Range=f"bytes={first}-{last}")
             for first, last in spans], [f"bytes {first}-{last}/{size}" for first, last in spans])


def requests_per_connection(presentation, options):
    requests, _ = small_ranges(presentation, size_of_media(presentation), options.requests)
    answers = list(presentation.server.stream(requests))
    if len(answers) == len(requests):
        return [], f"{len(answers)} taken"
    closes = bool(answers) and answers[-1].header("Connection").lower() == "close"
    if not closes and len(list(presentation.server.stream(requests[:len(answers) + 20], at_once=1))) > len(answers):
        raise Skipped("needs pipelining")
    return [f"a connection ends after {len(answers)} of {len(requests)} requests"], ""


def pipelining(presentation, options):
    size = size_of_media(presentation)
    requests, expected = small_ranges(presentation, size, min(options.requests, 300))
    answers = list(presentation.server.stream(requests))
    problems = []
    for answer, stated in zip(answers, expected):
        if answer.status != 206 or answer.header("Content-Range") != stated or not answer.body:
            problems.append(f"where \"{stated}\" should come, there is {answer.status} with Content-Range "
                            f"\"{answer.header('Content-Range')}\"")
            break
    alone = len(list(presentation.server.stream(requests[:len(answers) + 20], at_once=1)))
    if alone > len(answers):
        problems.append(f"sent one after the other, {alone} of {len(requests)} requests are answered, "
                        f"but only {len(answers)} that are sent at once")
    return problems, f"{len(answers)} answered in order"


def idle_timeout(presentation, options):
    request = presentation.server.get_request(presentation.index, Connection="keep-alive")
    first = next(presentation.server.stream([request]), None)
    stated = re.search(r"timeout=(\d{1,9})", first.header("Keep-Alive") if first else "")
    problems, note = [], f"{stated[1]} s, as it says" if stated else ""
    if stated and int(stated[1]) < SHORTEST_IDLE_S:
        problems.append(f"Keep-Alive states a timeout of {stated[1]} s; a client is silent while its buffer is full")
    if options.slow:
        problems += after_silence(presentation, request, options.slow)
        note += f"{', ' if note else ''}open after {options.slow:g} s" if not problems else ""
    elif not stated:
        raise Skipped("the server does not state it; --slow 40 tries it")
    return problems, note


def after_silence(presentation, request, seconds):
    def late_requests():
        yield request
        time.sleep(seconds)
        yield request
    answered = len(list(presentation.server.stream(late_requests(), at_once=1)))
    return [f"a connection that is silent for {seconds:g} s is closed"] if answered < 2 else []


def http2(presentation, _):
    if not presentation.server.is_https:
        raise Skipped("needs https")
    with presentation.server.connect(["h2", "http/1.1"]) as connection:
        chosen = connection.selected_alpn_protocol()
    return [] if chosen == "h2" else [f"offered h2 and http/1.1, the server chooses {chosen or 'neither'}"], ""


def certificate(presentation, _):
    server = presentation.server
    if not server.is_https:
        raise Skipped("needs https")
    if server.distrust:
        return [f"it is not trusted: {server.distrust}"], ""
    with server.connect() as connection:
        ends = ssl.cert_time_to_seconds(connection.getpeercert()["notAfter"])
    days = int((ends - time.time()) / 86400)
    return [f"it expires in {days} days"] if days < FEWEST_DAYS else [], f"valid for {days} days"


def clock(presentation, _):
    before = time.time()
    answer = presentation.server.ask(presentation.index, method="HEAD")
    after = time.time()
    if not answer.header("Date"):
        return ["there is no Date"], ""
    try:
        date = email.utils.parsedate_to_datetime(answer.header("Date")).timestamp()
    except (ValueError, TypeError, ArithmeticError):
        return [f"Date is \"{answer.header('Date')[:40]}\", which is no time"], ""
    # The server's clock was between date and date + 1 at some time between before and after.
    offset = max(0, date - after) or min(0, date + 1 - before)
    text = f"Date differs from the clock here by {offset:+.1f} s"
    return ([text], "") if abs(offset) > LARGEST_CLOCK_OFFSET_S else ([], text)


def time_for_players(presentation, _):
    answer = presentation.server.ask("/time")
    if answer.status == 404:
        raise Skipped("not there; only live manifests that name it need it")
    text = answer.body.decode("ascii", "replace").strip()
    try:
        stated = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        date = email.utils.parsedate_to_datetime(answer.header("Date"))
        offset = (stated - date).total_seconds()
    except (ValueError, TypeError, ArithmeticError):
        return [f"it says \"{text[:40]}\" instead of a time with its zone"], ""
    if abs(offset) > LARGEST_CLOCK_OFFSET_S:
        return [f"it says {text}, but Date says {answer.header('Date')}"], ""
    return [], text


def growing_files(_presentation, _options):
    raise Skipped("cannot be seen from here: publish by renaming complete files")


CHECKS = {"requests per connection": requests_per_connection, "pipelining": pipelining, "idle timeout": idle_timeout,
          "HTTP/2": http2, "certificate": certificate, "clock": clock, "/time": time_for_players,
          "growing files": growing_files}
