"""A screen, a window manager, a session bus and a player on it, for the tests of this folder.

Their usage: /usr/bin/python3 NAME_test.py BIN_DIR SOURCE_DIR. They start themselves anew on a bus of their own.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

BIN = pathlib.Path(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2])
WAIT = 20  # seconds: a loaded machine is slow, a wrong window waits for ever


# A bus that starts nothing but what a screen reader needs: a desktop's services (portals, settings, mounts) answer in their own time.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth><servicedir>{services}</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""
ACCESSIBILITY = pathlib.Path("/usr/share/dbus-1/services/org.a11y.Bus.service")


def start_anew_on_a_bus():
    """Within a session bus of its own, and a desktop without the user's settings. Painted without OpenGL: whatever driver there is
    would be unloaded before the leak check."""
    if os.environ.get("TRIBUTARY_TEST_BUS"):
        return
    home = tempfile.mkdtemp(prefix="tributary play ")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "LC_", "LANG", "DBUS_"))}
    for name in ("STATE_HOME", "CONFIG_HOME", "CACHE_HOME", "DATA_HOME", "RUNTIME_DIR"):
        folder = pathlib.Path(home, name.lower())
        folder.mkdir(mode=0o700)
        environment["XDG_" + name] = str(folder)
    services, bus = pathlib.Path(home, "services"), pathlib.Path(home, "bus.conf")
    services.mkdir()
    (services / ACCESSIBILITY.name).symlink_to(ACCESSIBILITY)
    bus.write_text(BUS.format(services=services))
    environment.update(HOME=home, TRIBUTARY_TEST_BUS="1", LC_ALL="C.UTF-8", GSK_RENDERER="cairo", GDK_DEBUG="gl-disable", GDK_BACKEND="x11",
                       NO_AT_BRIDGE="0", GSETTINGS_BACKEND="memory")
    try:
        done = subprocess.run(["dbus-run-session", f"--config-file={bus}", "--", sys.executable, *sys.argv], env=environment)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    sys.exit(done.returncode)


def run(*command, check=True):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=WAIT, check=check).stdout


def until(what, seconds=WAIT):
    """Waits for something to be true, and returns it."""
    end = time.monotonic() + seconds
    while True:
        found = what()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"in vain waited for {what.__doc__ or what}")
        time.sleep(0.05)


@contextlib.contextmanager
def screen(size="1200x800"):
    """An X server without a monitor, with a window manager."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", size + "x24", "-nolisten", "tcp"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            os.environ["DISPLAY"] = ":" + number.readline().strip()
        manager = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            manager.terminate()
            manager.wait(WAIT)
    finally:
        server.terminate()
        server.wait(WAIT)


@contextlib.contextmanager
def following(*command):
    """The lines that a program prints, as they come."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(iter(process.stdout.readline, "")), daemon=True)
    reader.start()
    try:
        yield lines
    finally:
        process.terminate()
        process.wait(WAIT)
        reader.join(WAIT)
        process.stdout.close()


@contextlib.contextmanager
def service(name, path, methods, answer):
    """A service on the session's bus. `answer`: gets a method and its arguments, and gives a variant or None."""
    from gi.repository import Gio, GLib  # on the bus that we have started
    interface = Gio.DBusNodeInfo.new_for_xml(f'<node><interface name="{name}">{methods}</interface></node>').interfaces[0]
    context = GLib.MainContext()
    loop = GLib.MainLoop(context)

    def called(_bus, _sender, _path, _interface, method, arguments, call):
        call.return_value(answer(method, arguments.unpack()))

    context.push_thread_default()
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    registered = bus.register_object(path, interface, called, None, None)
    owned = Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, None, None)
    context.pop_thread_default()
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        yield
    finally:
        loop.quit()
        thread.join(WAIT)
        Gio.bus_unown_name(owned)
        bus.unregister_object(registered)


@contextlib.contextmanager
def screen_saver():
    """One on the session's bus, and the names of the calls that it gets."""
    from gi.repository import GLib
    asked = []

    def answer(method, _arguments):
        asked.append(method)
        return GLib.Variant("(u)", (7,)) if method == "Inhibit" else None

    with service("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver",
                 """<method name="Inhibit"><arg type="s"/><arg type="s"/><arg type="u" direction="out"/></method>
                    <method name="UnInhibit"><arg type="u"/></method>""", answer):
        yield asked


@contextlib.contextmanager
def file_manager():
    """One on the session's bus, and the addresses that it is to show."""
    shown = []
    with service("org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
                 '<method name="ShowItems"><arg type="as"/><arg type="s"/></method>', lambda _method, arguments: shown.extend(arguments[0])):
        yield shown


class Player:
    """play-made-up, and what it says: each call that its window makes is a line. Or the real one, which says nothing."""

    def __init__(self, title, *options, program="play-made-up", environment=None):
        address = [f"http://made.up/{title}/index.json"] if title else []
        self.process = subprocess.Popen([BIN / program, *address, *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.lines, self.complaints, self.read = [], [], 0
        self.readers = [threading.Thread(target=self._collect, args=(self.process.stdout, self.lines), daemon=True),
                        threading.Thread(target=self._collect, args=(self.process.stderr, self.complaints), daemon=True)]
        for reader in self.readers:
            reader.start()
        self.window = until(self._find_window)
        run("xdotool", "windowfocus", "--sync", self.window)

    @staticmethod
    def _collect(stream, lines):
        for line in stream:
            lines.append(line.rstrip("\n"))

    def _find_window(self):
        """its window"""
        if self.process.poll() is not None:
            raise AssertionError(f"it ended at once: {self.complaints}")
        found = run("xdotool", "search", "--onlyvisible", "--pid", self.process.pid, "--class", "org.tributary.Play", check=False)
        return found.split()[-1] if found.strip() else None

    def said(self, pattern):
        """The next line like this, if it is there; those before it are skipped. Returns the match."""
        while self.read < len(self.lines):
            match = re.fullmatch(pattern, self.lines[self.read])
            self.read += 1
            if match:
                return match
        return None

    def expect(self, pattern):
        """Waits for the next line like this. Returns the match."""
        def found():
            return self.said(pattern)
        found.__doc__ = f"the line {pattern!r}; there are {self.lines}"
        return until(found)

    def key(self, *keys):
        run("xdotool", "key", *keys)

    def point(self, x, y):
        """Moves the pointer to this place within the window."""
        run("xdotool", "mousemove", "--window", self.window, x, y)

    def click(self, done, times=1):
        """Clicks until `done`, as people do: while GTK arranges the window anew, a click reaches nobody. Returns how often."""
        for attempt in range(1, 5):
            time.sleep(0.5)
            run("xdotool", "click", "--repeat", times, "--delay", 60, "1")
            with contextlib.suppress(AssertionError):
                until(done, WAIT / 4)
                return attempt
        raise AssertionError(f"clicks lead to nothing; there are {self.lines}")

    def geometry(self):
        """Width and height."""
        text = run("xdotool", "getwindowgeometry", "--shell", self.window)
        return tuple(int(re.search(f"{name}=(\\d+)", text)[1]) for name in ("WIDTH", "HEIGHT"))

    def ends(self, seconds=WAIT):
        """Returns how long it took."""
        begin = time.monotonic()
        status = self.process.wait(seconds)
        for reader in self.readers:
            reader.join(WAIT)
        if status != 0:
            raise AssertionError(f"exit status {status}: {self.complaints}")
        return time.monotonic() - begin

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
