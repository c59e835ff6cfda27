"""Chromium without a window, driven by the DevTools protocol over a pipe."""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe",
           "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--autoplay-policy=no-user-gesture-required")
# Chromium reads from 3 and writes to 4. What it leaves in the folder of temporary files goes with its profile.
START = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(fd), fcntl.F_DUPFD_CLOEXEC, 10) for fd in sys.argv[1:3]]
for place, fd in enumerate(pipes, start=3):
    os.dup2(fd, place)
os.environ["TMPDIR"] = sys.argv[3]
os.execvp(sys.argv[4], sys.argv[4:])
"""


def find():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Page:
    """One page. What goes wrong in it is in `complaints`."""

    def __init__(self, requests, answers):
        self.requests, self.answers = requests, answers
        self.pending, self.number, self.session = b"", 0, None
        self.complaints = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page"):
            self.ask(f"{domain}.enable")

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.requests, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next_message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def next_message(self):
        while b"\0" not in self.pending:
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise RuntimeError("Chromium has ended")
            self.pending += more
        message, self.pending = self.pending.split(b"\0", 1)
        message = json.loads(message)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, event, parameters):
        if event == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        if event == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.complaints.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")

    def evaluate(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {expression}")
            time.sleep(0.05)
        return value

    def open(self, url):
        self.ask("Page.navigate", url=url)
        self.wait_for(f"document.readyState === 'complete' && location.href === {json.dumps(url)}")

    def press(self, key, modifiers=0):
        """As an event of the keyboard, not of a script."""
        text = {"Enter": "\r", "Space": " "}.get(key, "")
        named = {"Space": " "}.get(key, key)
        code = {"Enter": 13, "Space": 32, "Tab": 9, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37}[key]
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=named, code=key, windowsVirtualKeyCode=code, modifiers=modifiers,
                     **({"text": text} if text and kind == "keyDown" else {}))

    def type(self, text):
        self.ask("Input.insertText", text=text)


@contextlib.contextmanager
def page_of_chromium(program, within=()):
    """`within`: a command that runs the one behind it, and hands it all open files."""
    from_us, to_us = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [*within, sys.executable, "-c", START, str(from_us[0]), str(to_us[1]), profile, program, *OPTIONS, f"--user-data-dir={profile}"],
            pass_fds=(from_us[0], to_us[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us[0])
        os.close(to_us[1])
        try:
            page = Page(from_us[1], to_us[0])
            yield page
            page.session = None
            page.ask("Browser.close")
            browser.wait(10)
        finally:
            browser.kill()
            browser.wait()
            os.close(from_us[1])
            os.close(to_us[0])
