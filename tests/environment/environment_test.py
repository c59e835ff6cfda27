"""Whatever a login leaves behind, tests do not see it. Usage: environment_test.py CTEST BUILD_DIR"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CTEST, BUILD = sys.argv[1:3]
LEFT_BEHIND = {"http_proxy": "http://192.0.2.1:3128", "LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo", "GTK_MODULES": "gail",
               "GIO_EXTRA_MODULES": "/usr/lib/x86_64-linux-gnu/gio/modules", "GST_PLUGIN_PATH": "/usr/lib", "DISPLAY": ":0",
               "XDG_CONFIG_HOME": "/home/somebody/.config", "XDG_RUNTIME_DIR": "/run/user/0", "CURL_HOME": "/home/somebody",
               "LINES": "a\nGSETTINGS_BACKEND=dconf\n;", "HOME": "/home/somebody"}


def seen(names):
    """What a test finds, by name."""
    with tempfile.TemporaryDirectory(prefix="tests of ") as folder:
        # As CMake writes it, with one test that tells.
        include = pathlib.Path(BUILD, "tests/environment/environment.cmake")
        pathlib.Path(folder, "CTestTestfile.cmake").write_text(
            f'include("{include}")\nadd_test(tell "{sys.executable}" "-c" "import os; print(dict(os.environ))")\n')
        told = subprocess.run([CTEST, "--test-dir", folder, "--verbose"], env={**os.environ, **LEFT_BEHIND}, text=True,
                              capture_output=True, check=True).stdout
    found = next(line.split(": ", 1)[1] for line in told.splitlines() if line.startswith("1: {"))
    environment = eval(found)  # of a dict with texts, which we have printed
    return {name: environment.get(name) for name in names}


class EnvironmentTest(unittest.TestCase):
    def test_nothing_of_a_login_reaches_a_test(self):
        self.maxDiff = None
        self.assertEqual(seen(LEFT_BEHIND), {**dict.fromkeys(LEFT_BEHIND), "TZ": "UTC", "HOME": os.environ["HOME"]})

    def test_what_all_tests_need_is_there(self):
        found = seen(["GSETTINGS_BACKEND", "GIO_MODULE_DIR", "GST_REGISTRY", "PATH"])
        self.assertEqual(found["GSETTINGS_BACKEND"], "memory")
        self.assertEqual(os.listdir(found["GIO_MODULE_DIR"]), [])
        self.assertTrue(found["GST_REGISTRY"].startswith(BUILD))
        self.assertEqual(found["PATH"], os.environ["PATH"])

    def test_this_test_is_one_of_them(self):
        self.assertEqual(os.environ["GSETTINGS_BACKEND"], "memory")
        self.assertTrue(os.environ["HOME"].startswith(BUILD))


unittest.main(argv=sys.argv[:1])
