"""A directory served by server-tools/origin/serve on loopback."""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

SKIPPED = 77  # what ctest counts as skipped
os.environ["PATH"] += ":/usr/sbin"
SERVERS = [name for name, programs in (("nginx", ["nginx"]), ("apache", ["apache2", "httpd"]))
           if any(map(shutil.which, programs))]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def serve(tools, *arguments, **environment):
    """What it says. RuntimeError with that when it fails."""
    # Not captured: the server would keep the pipe open.
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run([tools / "serve", *map(str, arguments)], stdout=output, stderr=output, check=False,
                              env=os.environ | environment)
        output.seek(0)
        if done.returncode != 0:
            raise RuntimeError(output.read())
        return output.read()


class ServedOrigin:
    """What is in `content` when it starts is served from `port`."""

    def __init__(self, prefix):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix=prefix))
        self.directory.chmod(0o755)  # as root, the server is www-data
        self.content = self.directory / "content with blanks"
        self.content.mkdir()
        self.port = free_port()
        self.tools = None

    def start(self, tools, server, *options):
        self.tools = tools
        serve(tools, server, self.content, "--port", self.port, "--state", self.directory / "state",
              "--address", "127.0.0.1", *options)

    def stop(self):
        if self.tools:
            serve(self.tools, "stop", "--state", self.directory / "state")
            self.tools = None

    def start_again(self, tools, server, *options):
        self.stop()
        self.start(tools, server, *options)

    def close(self):
        self.stop()
        shutil.rmtree(self.directory)
