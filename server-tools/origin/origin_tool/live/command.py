"""tributary-origin live: its options, and its life."""
import argparse
import asyncio
import pathlib
import re
import resource
import signal
import socket
import sys

WORD = "live"
USAGE_ERROR, FAILURE = 2, 1
ABOUT = """\
Answers requests for playlists of live streams, beside nginx or Apache: holds
requests of Low-Latency HLS until the next part is there. All it knows is in the
files below DIR, so it can be ended and started again at any time."""
EXAMPLES = """\
Exit status: 0 after SIGTERM or Ctrl-C, 1 if the address cannot be used, 2 for a
wrong command line.

Examples:
  tributary-origin live /var/www --listen 127.0.0.1:8089
  tributary-origin --nginx /var/www --live 127.0.0.1:8089 > live"""


def address(text):
    """(host, port) of "127.0.0.1:8089" or "[::1]:8089"."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z.-]+)):(\d{1,5})", text, re.ASCII)
    if not found or int(found[3]) > 65535:
        raise argparse.ArgumentTypeError(f'"{text}" is no ADDRESS:PORT')
    return found[1] or found[2], int(found[3])


def several(text):
    if not re.fullmatch(r"[1-9]\d{0,6}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f'"{text}" is no number of connections')
    return int(text)


def arguments(words, layout):
    parser = argparse.ArgumentParser(prog=f"tributary-origin {WORD}", description=ABOUT, epilog=EXAMPLES,
                                     formatter_class=layout, add_help=False)
    what = parser.add_argument_group("Streams")
    what.add_argument("directory", metavar="DIR", type=pathlib.Path, help="The folder that the web server serves.")
    what.add_argument("--listen", metavar="ADDRESS:PORT", type=address, required=True,
                      help="Answer here. With port 0, the system chooses one.")
    what.add_argument("--connections", metavar="N", type=several, default=4096,
                      help="Have at most N connections at once. Default: %(default)s.")
    what.add_argument("--poll", action="store_true",
                      help="Look for changes 20 times a second. For network file systems, which tell of none.")
    general = parser.add_argument_group("General")
    general.add_argument("-h", "--help", action="help", help="Show this help.")
    return parser.parse_args(words)


def shown(host, port):
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def run(words, layout):
    options = arguments(words, layout)
    if not options.directory.is_dir():
        print(f"tributary-origin: {options.directory} is no directory", file=sys.stderr)
        return USAGE_ERROR
    try:
        return asyncio.run(serve(options))
    except ImportError as error:
        print(f"tributary-origin: {error} (Debian: apt install python3-aiohttp)", file=sys.stderr)
    except OSError as error:
        print(f"tributary-origin: cannot listen on {shown(*options.listen)}: {error.strerror or error}", file=sys.stderr)
    return FAILURE


async def serve(options):
    # What others need not have is imported here.
    from .answering import Answering  # pylint: disable=import-outside-toplevel
    from .changes import changes  # pylint: disable=import-outside-toplevel
    from .connections import Server  # pylint: disable=import-outside-toplevel
    from .folder import Folder  # pylint: disable=import-outside-toplevel
    from .streams import Streams  # pylint: disable=import-outside-toplevel
    loop = asyncio.get_running_loop()
    allow_files(2 * options.connections + 100)
    server = Server(Answering(Streams(Folder(options.directory), changes(loop, options.poll))), options.connections)
    listening = await loop.create_server(server, *options.listen, backlog=1024, family=socket.AF_UNSPEC)
    print(f"listening on {shown(*listening.sockets[0].getsockname()[:2])}", flush=True)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    await ended.wait()
    listening.close()
    await server.shutdown(0.2)
    return 0


def allow_files(count):
    """As many as are needed, or as the system lets this user have."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if most == resource.RLIM_INFINITY else min(count, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
