"""Programs that say what they do."""
import signal
import subprocess
import threading


class Program:
    """A program that runs on, and whose lines can be waited for."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = []
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line.rstrip("\n"))
                self.news.notify_all()

    def wait_for(self, words, seconds=30):
        with self.news:
            if not self.news.wait_for(lambda: any(words in line for line in self.lines), seconds):
                raise AssertionError(f"{words!r} did not come: {self.lines}")

    def end(self, how=signal.SIGTERM):
        """The child of netlab's exec is that program itself."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(timeout=30)
        self.reader.join()
        self.process.stdout.close()
        return status
