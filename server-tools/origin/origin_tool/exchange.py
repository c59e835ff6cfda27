"""Requests to an origin: one at a time over connections of their own, or many over one connection. Whatever the server
sends, an answer ends after a number of bytes and a time."""
import http.client
import io
import itertools
import re
import socket
import ssl
import time
import urllib.parse

SILENCE_S = 10
HEAD_S = 15
BODY_S = 60
KEPT_BYTES = 16_000_000  # of a body
MOST_BYTES = 1_000_000_000
UNANSWERED = 100  # requests on the way at once when pipelining
HEAD_BYTES = 1_000_000


class UnusableUrl(Exception):
    """There is nothing to be checked at the URL."""


class ProtocolError(Exception):
    """What the server sends is not HTTP; `subject` is the check that this is a finding of."""
    subject = "HTTP/1.1"

    def __str__(self):
        return f"the server does not answer as HTTP says: {super().__str__()}"


class NoTls(ProtocolError):
    subject = "TLS"

    def __str__(self):
        return f"no TLS connection can be made: {Exception.__str__(self)}"


class Silence(ProtocolError):
    """Nothing comes."""


class NoTimeLeft(Exception):
    """The time for the whole check is over."""


def without_secrets(url):
    """A URL as it may be shown: without user and query."""
    address, mark, _ = re.fullmatch(r"([^?#]*)([?#]?)(.*)", url, re.DOTALL).groups()
    user = re.match(r"((?:[^/]*:)?//)?([^/]*)@", address)
    if user and (user[1] or ":" in user[2]):  # "a@b/film" is a path
        address = f"{user[1] or ''}...@{address[user.end():]}"
    return address + (mark and mark + "...")


class Response:
    """`body` is what is kept of it, `length` how much came, `is_whole` whether that was all."""

    def __init__(self, status, headers, body, length=None, is_whole=True):
        self.status, self.headers, self.body, self.is_whole = status, headers, body, is_whole
        self.length = len(body) if length is None else length

    def header(self, name):
        return self.headers.get(name, "")

    def all_of(self, name):
        return self.headers.get_all(name, [])


class BoundedReader(io.RawIOBase):
    """What comes over a connection, up to a number of bytes and until a time, which both are set anew for each part."""

    def __init__(self, connection, latest):
        super().__init__()
        self.connection, self.latest = connection, latest
        self.end, self.bytes_left = latest, 0

    def allow(self, seconds, count):
        self.end, self.bytes_left = min(time.monotonic() + seconds, self.latest), count

    def readable(self):
        return True

    def readinto(self, buffer):
        left = self.end - time.monotonic()
        if left <= 0:
            raise NoTimeLeft if self.end == self.latest else ProtocolError("an answer does not end in time")
        if self.bytes_left <= 0:
            raise ProtocolError("an answer does not end within its bounds")
        self.connection.settimeout(min(left, SILENCE_S))
        try:
            count = self.connection.recv_into(memoryview(buffer)[:self.bytes_left])
        except TimeoutError:
            if left < SILENCE_S:
                return self.readinto(buffer)  # which says what is over
            raise Silence(f"nothing comes for {SILENCE_S} s") from None
        except OSError:
            return 0  # a connection that breaks has ended
        self.bytes_left -= count
        return count

    def makefile(self, _mode):
        """For http.client, which takes this for a socket."""
        return io.BufferedReader(self)


class Server:
    """The host of a URL, for `seconds` from now on. Connections are private to each request, unless said otherwise."""

    def __init__(self, url, authorities=None, seconds=300):
        self.latest = time.monotonic() + seconds
        shown = without_secrets(url)
        try:
            parts = urllib.parse.urlsplit(url)
            self.is_https = parts.scheme == "https"
            self.port = parts.port or (443 if self.is_https else 80)
            self.host = (parts.hostname or "").encode("idna").decode()
        except ValueError as error:
            raise UnusableUrl(f"{shown}: {error}") from error
        if parts.scheme not in ("http", "https") or not self.host:
            raise UnusableUrl(f"{shown}: a URL begins with http:// or https:// and a host")
        self.host_header = f"[{self.host}]" if ":" in self.host else self.host
        if parts.port:
            self.host_header += f":{parts.port}"
        self.authorities = authorities
        self.distrust = None  # why its certificate is not trusted
        self.verifies = True
        if self.is_https:
            self.examine_certificate()

    def time_left(self):
        left = self.latest - time.monotonic()
        if left <= 0:
            raise NoTimeLeft
        return left

    def tls(self):
        try:
            context = ssl.create_default_context(cafile=self.authorities)
        except OSError as error:
            raise UnusableUrl(f"--cacert {self.authorities}: {error.strerror or error}") from error
        context.minimum_version = ssl.TLSVersion.TLSv1_2  # as browsers have it; Debian's interpreter begins lower
        if not self.verifies:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    def examine_certificate(self):
        """What is wrong with it is a finding; the other questions are asked all the same."""
        try:
            self.connect().close()
        except ssl.SSLCertVerificationError as error:
            self.distrust = error.verify_message
            self.verifies = False

    def connect(self, protocols=()):
        """ssl.SSLCertVerificationError says that the certificate is not trusted."""
        context = self.tls() if self.is_https else None
        timeout = min(SILENCE_S, self.time_left())
        try:
            connection = socket.create_connection((self.host, self.port), timeout=timeout)
        except OSError as error:
            raise UnusableUrl(f"cannot connect to {self.host} port {self.port}: {error}") from error
        if not context:
            return connection
        if protocols:
            context.set_alpn_protocols(protocols)
        try:
            return context.wrap_socket(connection, server_hostname=self.host)
        except OSError as error:
            connection.close()
            if isinstance(error, ssl.SSLCertVerificationError):
                raise
            raise NoTls(why_no_tls(error)) from error

    def get_request(self, path, method="GET", **headers):
        """Names of headers are written with underscores, or as they are."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host_header}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in
                  {"Accept_Encoding": "identity", **headers}.items()]
        one_line_each = [re.sub(r"[\0-\x1f\x7f]+", " ", line) for line in lines]
        return ("\r\n".join(one_line_each) + "\r\n\r\n").encode("latin-1", "replace")

    def ask(self, path, method="GET", most=KEPT_BYTES, **headers):
        """Sends one request, and reads at most so many bytes of the body that answers it."""
        with self.connect() as connection:
            try:
                connection.sendall(self.get_request(path, method, **headers))
            except OSError:
                pass  # closed already; what was answered before can still be read
            reader = BoundedReader(connection, self.latest)
            reader.allow(HEAD_S, HEAD_BYTES)
            answer = http.client.HTTPResponse(reader, method=method)
            try:
                answer.begin()
                reader.allow(BODY_S, most + HEAD_BYTES)
                return read_body(answer, most)
            except (http.client.HTTPException, ValueError) as error:
                raise ProtocolError(f"{type(error).__name__}: {error}") from error

    def stream(self, requests, at_once=UNANSWERED):
        """Sends requests over one connection, so many before their answers; yields these until the server ends it."""
        with self.connect() as connection:
            reader = BoundedReader(connection, self.latest)
            answers = reader.makefile("rb")
            requests = iter(requests)
            while group := list(itertools.islice(requests, at_once)):
                connection.settimeout(SILENCE_S)
                try:
                    connection.sendall(b"".join(group))
                except OSError:
                    pass  # closed already; what was answered before can still be read
                for _ in group:
                    reader.allow(HEAD_S, HEAD_BYTES + KEPT_BYTES)
                    response = read_response(answers)
                    if response is None:
                        return
                    yield response


def why_no_tls(error):
    if isinstance(error, TimeoutError):
        return f"no answer within {SILENCE_S} s"
    reason = getattr(error, "reason", None)
    if reason in ("UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION"):
        return "the server speaks only versions of TLS that are not used any more (before 1.2)"
    if reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST"):
        return "what the server answers is not TLS"
    return reason.replace("_", " ").lower() if reason else "the server ends the connection"


def read_body(answer, most):
    kept, length = bytearray(), 0
    while length < most and (part := answer.read(min(65536, most - length))):
        kept += part[:KEPT_BYTES - len(kept)]
        length += len(part)
    if length < most and answer.length:  # what is left of Content-Length
        raise ProtocolError(f"the connection ends {answer.length} bytes before the end of the body")
    return Response(answer.status, answer.headers, bytes(kept), length, length < most)


def read_response(stream):
    """The next answer with a stated length; None where the connection ends or falls silent, or another follows."""
    try:
        status = stream.readline(1000).split()
        if len(status) < 2 or not status[0].startswith(b"HTTP/1.") or not status[1].isdigit():
            return None
        headers = http.client.parse_headers(stream)
        length = int(headers.get("Content-Length", ""))
        if not 0 <= length <= KEPT_BYTES:
            return None
        body = stream.read(length)
        return Response(int(status[1]), headers, body) if len(body) == length else None
    except (ValueError, http.client.HTTPException, Silence):
        return None
