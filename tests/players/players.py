"""The players of other people: their packages, how they are started, and a clip for them."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

# A command, and the package of Debian 12 that has it; "-": plug-ins, without a command of their own.
NEEDED = [("ffmpeg", "ffmpeg"), ("nginx", "nginx-light"), ("chromium", "chromium"), ("node", "nodejs"), ("npm", "npm"),
          ("mpv", "mpv"), ("cvlc", "vlc-bin"), ("-", "vlc-plugin-base"), ("gst-launch-1.0", "gstreamer1.0-tools"),
          ("-", "gstreamer1.0-plugins-base"), ("-", "gstreamer1.0-plugins-good"), ("-", "gstreamer1.0-plugins-bad"),
          ("-", "gstreamer1.0-libav")]
MODULES = ["hls.js", "dashjs", "shaka-player", "puppeteer-core"]
SCRIPTS = {"hls.js": "hls.js/dist/hls.min.js", "dash.js": "dashjs/dist/modern/umd/dash.all.min.js",
           "shaka-player": "shaka-player/dist/shaka-player.compiled.js"}
BROWSER_PLAYERS = [("hls.js", "HLS"), ("dash.js", "DASH"), ("shaka-player", "HLS"), ("shaka-player", "DASH")]
MANIFESTS = {"HLS": "master.m3u8", "DASH": "manifest.mpd"}
OTHER_LANGUAGE = "nb"


def is_missing(command, package):
    if command != "-":
        return shutil.which(command, path=os.environ["PATH"] + ":/usr/sbin") is None
    state = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, text=True)
    return state.stdout != "installed"


def install_packages(may_install):
    missing = [package for command, package in NEEDED if is_missing(command, package)]
    if not missing:
        return
    if not may_install:
        sys.exit(f"these packages are missing: {' '.join(missing)} (--install installs them with apt-get)")
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    subprocess.run([*as_root, "apt-get", "update", "-q"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-q", "-y",
                    "--no-install-recommends", *missing], check=True, stdout=subprocess.DEVNULL)


def install_modules(folder):
    """By name, as they are today; their install scripts do not run."""
    if not (folder / "node_modules" / MODULES[-1]).exists():
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefix", folder,
                        *MODULES], check=True, stdout=subprocess.DEVNULL)
    for module in MODULES:
        package = json.loads((folder / "node_modules" / module / "package.json").read_text())
        print(f"  {module} {package['version']}")


def make_clip(path, options):
    """Burnt into each picture: its number (page.html reads it)."""
    numbers = "geq=lum='if(mod(floor(N/pow(2,floor(X/40))),2),235,16)':cb=128:cr=128"
    picture = (f"testsrc2=s=640x360:r={options.frame_rate}[film];"
               f"color=s=640x40:r={options.frame_rate},format=yuv420p,{numbers}[number];[film][number]overlay=y=320")
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", picture,
                    "-f", "lavfi", "-i", f"sine=frequency=440:beep_factor=4:sample_rate={options.sample_rate}",
                    "-f", "lavfi", "-i", f"sine=frequency=660:beep_factor=4:sample_rate={options.sample_rate}",
                    "-map", "0", "-map", "1", "-map", "2", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=nob",
                    "-t", str(options.seconds), "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le", path],
                   check=True)


def run_program(command, seconds, folder=None):
    """Output and exit status (none: it had to be ended, with all that it had started)."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True, cwd=folder)
    try:
        return process.communicate(timeout=seconds)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0], None


def command_of(program, url, work):
    if program == "ffmpeg":
        return ["ffmpeg", "-nostdin", "-v", "error", "-progress", "-", "-i", url, "-map", "0:v:0", "-map", "0:a?",
                "-f", "null", "-"]
    if program == "mpv":
        return ["mpv", "--no-config", "--vo=null", "--ao=null", "--untimed", f"--alang={OTHER_LANGUAGE}", url]
    if program == "vlc":  # it refuses to be root
        home = tempfile.mkdtemp(dir=work)
        shutil.chown(home, "www-data") if os.geteuid() == 0 else None
        user = ["runuser", "-u", "www-data", "--"] if os.geteuid() == 0 else []
        return [*user, "env", f"HOME={home}", "cvlc", "-I", "dummy", "--vout", "dummy", "--aout", "dummy", "--play-and-exit",
                f"--audio-language={OTHER_LANGUAGE}", url]
    return ["gst-launch-1.0", "playbin3", f"uri={url}", "video-sink=fakesink sync=true", "audio-sink=fakesink sync=true"]
