"""Tells that files in a folder may have changed: by inotify, or by looking again and again where there is none."""
import asyncio
import contextlib
import logging

try:
    import pyinotify
except ImportError:
    pyinotify = None

LOOK_AGAIN_S = 0.05


class Polling:
    """Whoever waits looks again, often. Network file systems need it: others' changes there are no events here."""

    @contextlib.contextmanager
    def watch(self, _directories):
        yield lambda: asyncio.sleep(LOOK_AGAIN_S)


class Inotify:
    """Only folders in which somebody waits are watched. A file has changed when it is complete: closed, or renamed to its
    name."""

    def __init__(self, loop):
        logging.getLogger("pyinotify").setLevel(logging.CRITICAL)  # it complains of watches that have just ended
        self.watches = pyinotify.WatchManager()  # OSError if the system has none left
        self.notifier = pyinotify.Notifier(self.watches, self.tell)
        self.mask = pyinotify.IN_CLOSE_WRITE | pyinotify.IN_MOVED_TO | pyinotify.IN_DELETE | pyinotify.IN_DELETE_SELF
        self.waiting = {}  # folder to the events of those who wait
        self.numbers = {}  # folder to its watch
        loop.add_reader(self.watches.get_fd(), self.read)

    def read(self):
        self.notifier.read_events()
        self.notifier.process_events()

    def tell(self, event):
        """An event without a folder says that some were lost."""
        folder = getattr(event, "path", None)
        for events in ([self.waiting.get(folder, ())] if folder else self.waiting.values()):
            for waiting in events:
                waiting.set()

    @contextlib.contextmanager
    def watch(self, directories):
        """Gives a function that waits for the next change since then. The folders are real paths."""
        event, are_watched = asyncio.Event(), True
        for directory in directories:
            are_watched = self.add(directory, event) and are_watched

        async def changed():
            await event.wait()
            event.clear()
        try:
            if are_watched:
                yield changed
            else:
                with Polling().watch(directories) as look:
                    yield look
        finally:
            for directory in directories:
                self.remove(directory, event)

    def add(self, directory, event):
        if directory not in self.numbers:
            self.numbers[directory] = self.watches.add_watch(directory, self.mask).get(directory, -1)
        self.waiting.setdefault(directory, set()).add(event)
        return self.numbers[directory] >= 0

    def remove(self, directory, event):
        self.waiting[directory].discard(event)
        if not self.waiting[directory]:
            del self.waiting[directory]
            if (number := self.numbers.pop(directory)) >= 0:
                self.watches.rm_watch(number)


def changes(loop, polls=False):
    if pyinotify and not polls:
        try:
            return Inotify(loop)
        except OSError:
            pass
    return Polling()
