"""Connections with bounds: so many at once, no heap of requests on one, and none that stays without asking."""
import asyncio
import logging
import sys
import traceback
import weakref

from aiohttp import web, web_protocol

UNANSWERED_BYTES = 65_536  # that may come while a request waits
LONGEST_S = 180  # from the beginning of one request to that of the next
KEEPALIVE_S = 75
REFUSAL_S = 1
BUSY = (b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nCache-Control: no-store\r\n"
        b"Access-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


class Refusal(asyncio.Protocol):
    """For a connection too many: what it asks is not read, but taken, so that the answer arrives."""

    def connection_made(self, transport):
        transport.write(BUSY)
        transport.write_eof()
        asyncio.get_running_loop().call_later(REFUSAL_S, transport.abort)


class Connection(web_protocol.RequestHandler):
    def __init__(self, server, **options):
        super().__init__(server, **options)
        self.server, self.unanswered, self.timer, self.task = server, 0, None, None

    def connection_made(self, transport):
        super().connection_made(transport)
        self.begin(None)

    def connection_lost(self, exc):
        self.server.open.discard(self)
        self.timer.cancel()
        if self.task is not None:
            self.task.cancel()  # nobody waits any more
        super().connection_lost(exc)

    def data_received(self, data):
        self.unanswered += len(data)
        if self.unanswered > UNANSWERED_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)

    def begin(self, task):
        """A request is being handled, by that task."""
        self.task, self.unanswered = task, 0
        if self.timer is not None:
            self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(LONGEST_S, self.transport.abort)


class Server(web.Server):
    """`handler` answers a request; not more than `most` connections are open."""

    def __init__(self, handler, most):
        async def handle(request):
            request.protocol.begin(asyncio.current_task())
            try:
                return await handler(request)
            except (asyncio.CancelledError, ConnectionError):
                raise
            except Exception:  # a fault of ours ends one request, and is told
                traceback.print_exc(file=sys.stderr)
                return web.Response(status=500, headers={"Cache-Control": "no-store"})
            finally:
                request.protocol.task = None
        logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # it tells of all that is no HTTP
        super().__init__(handle)
        self.most, self.open = most, weakref.WeakSet()

    def __call__(self):
        if len(self.open) >= self.most:
            return Refusal()
        connection = Connection(self, loop=asyncio.get_running_loop(), access_log=None, keepalive_timeout=KEEPALIVE_S,
                                lingering_time=0)
        self.open.add(connection)
        return connection
