"""Requests to an origin: one at a time over connections of their own, or many over one connection."""
import http.client
import itertools
import socket
import ssl
import urllib.parse

TIMEOUT_S = 10
UNANSWERED = 100  # requests on the way at once when pipelining


class UnusableUrl(Exception):
    """There is nothing to be checked at the URL."""


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        return self.headers.get(name, "")

    def all_of(self, name):
        return self.headers.get_all(name, [])


class Server:
    """The host of a URL. Connections are private to each request, unless said otherwise."""

    def __init__(self, url, authorities=None):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UnusableUrl(f"{url}: a URL begins with http:// or https:// and a host")
        self.is_https = parts.scheme == "https"
        try:
            self.host, self.port = parts.hostname, parts.port or (443 if self.is_https else 80)
        except ValueError as error:
            raise UnusableUrl(f"{url}: {error}") from error
        self.host_header = parts.netloc.rpartition("@")[2]
        self.authorities = authorities
        self.distrust = None  # why its certificate is not trusted
        self.verifies = True
        if self.is_https:
            self.examine_certificate()

    def tls(self):
        context = ssl.create_default_context(cafile=self.authorities)
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
        except OSError as error:
            raise UnusableUrl(f"cannot connect to {self.host} port {self.port}: {error}") from error

    def connect(self, protocols=()):
        connection = socket.create_connection((self.host, self.port), timeout=TIMEOUT_S)
        if not self.is_https:
            return connection
        context = self.tls()
        if protocols:
            context.set_alpn_protocols(protocols)
        try:
            return context.wrap_socket(connection, server_hostname=self.host)
        except OSError:
            connection.close()
            raise

    def ask(self, path, method="GET", **headers):
        """Sends one request; names of headers are written with underscores."""
        if self.is_https:
            connection = http.client.HTTPSConnection(self.host, self.port, timeout=TIMEOUT_S, context=self.tls())
        else:
            connection = http.client.HTTPConnection(self.host, self.port, timeout=TIMEOUT_S)
        try:
            connection.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
            answer = connection.getresponse()
            return Response(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get_request(self, path, **headers):
        lines = [f"GET {path} HTTP/1.1", f"Host: {self.host_header}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def stream(self, requests, at_once=UNANSWERED):
        """Sends requests over one connection, so many before their answers; yields these until the server ends it."""
        with self.connect() as connection, connection.makefile("rb") as answers:
            requests = iter(requests)
            while group := list(itertools.islice(requests, at_once)):
                try:
                    connection.sendall(b"".join(group))
                except OSError:
                    pass  # closed already; what was answered before can still be read
                for _ in group:
                    response = read_response(answers)
                    if response is None:
                        return
                    yield response


def read_response(stream):
    """The next answer with a stated length; None where the connection ends, or no such answer follows."""
    try:
        status = stream.readline(1000).split()
        if len(status) < 2 or not status[0].startswith(b"HTTP/1.") or not status[1].isdigit():
            return None
        headers = http.client.parse_headers(stream)
        length = int(headers.get("Content-Length", ""))
        body = stream.read(length)
        return Response(int(status[1]), headers, body) if len(body) == length else None
    except (OSError, ValueError, http.client.HTTPException):
        return None
