#!/usr/bin/env python3
"""The sites that tributary-origin prints, in Debian's own configuration of nginx and Apache: tributary-origin --check
has nothing to find. And what cannot be a site is refused.

Usage: origin_site_test.py DIRECTORY_OF_TRIBUTARY_ORIGIN. Ends with 77, which ctest counts as skipped, where there is no
such configuration.
"""
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from presentation_files import write_presentation
from served_origin import SERVERS, SKIPPED, free_port

TOOL = pathlib.Path(sys.argv[1]) / "tributary-origin"
NGINX = pathlib.Path("/etc/nginx/nginx.conf")
APACHE = pathlib.Path("/etc/apache2/apache2.conf")


def tool(*arguments):
    return subprocess.run([TOOL, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          check=False, text=True)


class SiteTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="origin-site-test-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.directory.chmod(0o755)  # as root, the server is www-data
        self.content = self.directory / "content"
        self.content.mkdir()
        write_presentation(self.content)
        self.port = free_port()

    def site(self, server):
        done = tool(server, self.content, "--port", self.port, "--name", "localhost", "--name", "video.example")
        self.assertEqual(done.stderr, "")
        return done.stdout

    def expect_nothing_to_find(self, command, environment=None):
        with open(self.directory / "output", "w+", encoding="utf-8") as output, subprocess.Popen(
                command, stdout=output, stderr=output, env=environment) as server:
            try:
                self.wait_for(server, output)
                done = tool("--check", f"http://localhost:{self.port}/")
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            finally:
                server.terminate()

    def wait_for(self, server, output):
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if server.poll() is not None:
                break
            time.sleep(0.05)
        output.seek(0)
        self.fail(output.read())

    @unittest.skipUnless("nginx" in SERVERS and NGINX.exists(), "nginx is not installed")
    def test_in_debians_nginx(self):
        (self.directory / "site").write_text(self.site("--nginx"))
        text = NGINX.read_text(encoding="utf-8")
        for old, new in (("/etc/nginx/sites-enabled/*", f"{self.directory}/site"), ("/run/", f"{self.directory}/"),
                         ("/var/log/nginx/", f"{self.directory}/")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        paths = "".join(f"{kind}_temp_path {self.directory}/temporary;\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.directory / "nginx.conf").write_text(text.replace("http {", "http {\n" + paths))
        self.expect_nothing_to_find(["nginx", "-e", f"{self.directory}/error.log", "-c", f"{self.directory}/nginx.conf",
                                     "-g", "daemon off;"])

    @unittest.skipUnless("apache" in SERVERS and APACHE.exists(), "Apache is not installed")
    def test_in_debians_apache(self):
        root = self.directory / "apache2"
        shutil.copytree(APACHE.parent, root, symlinks=True)
        for site in (root / "sites-enabled").iterdir():
            site.unlink()
        (root / "ports.conf").write_text("")  # 80 may be taken
        (root / "sites-enabled/video.conf").write_text(self.site("--apache"))
        for module in ("headers", "rewrite"):  # a2enmod
            link = root / f"mods-enabled/{module}.load"
            if not link.exists():
                link.symlink_to(f"../mods-available/{module}.load")
        environment = os.environ | {"APACHE_PID_FILE": f"{self.directory}/pid", "TZ": "UTC"}
        environment |= {f"APACHE_{name}_DIR": str(self.directory) for name in ("RUN", "LOCK", "LOG")}
        user = "www-data" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        environment |= {"APACHE_RUN_USER": user, "APACHE_RUN_GROUP": f"#{pwd.getpwnam(user).pw_gid}"}
        self.expect_nothing_to_find(["apache2", "-d", str(root), "-f", "apache2.conf", "-D", "FOREGROUND"], environment)

    def test_what_cannot_be_a_site_is_refused(self):
        strange = self.directory / 'a "b"'
        strange.mkdir()
        for arguments, why in ((["--nginx", self.directory / "nothing"], "is no directory"),
                               (["--apache", strange], "quotes"),
                               (["--nginx", self.content, "--port", "65536"], "1 to 65535"),
                               (["--nginx", self.content, "--name", "a;b"], "not the name of a host"),
                               (["--apache", self.content, "--address", "a b"], "not an address"),
                               (["--nginx", self.content, "--tls", "none.pem", "none.pem"], "is no file"),
                               (["--nginx", self.content, "--apache", self.content], "not allowed with"),
                               ([], "required")):
            with self.subTest(arguments):
                done = tool(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(why, done.stderr)


if not ("nginx" in SERVERS and NGINX.exists() or "apache" in SERVERS and APACHE.exists()):
    print("skipped: there is no /etc/nginx or /etc/apache2")
    sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1], verbosity=2)
