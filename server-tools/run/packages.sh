# Which packages of Debian each command needs, and their installation.
# shellcheck shell=bash disable=SC2034  # the lists are read by others

build_packages=(
  g++ cmake ninja-build pkg-config ccache ca-certificates
  libboost1.81-dev libcurl4-openssl-dev libglib2.0-dev libidn2-dev libssl-dev libnghttp2-dev libnl-3-dev libnl-route-3-dev
  libcli11-dev libfmt-dev libpugixml-dev libsodium-dev nlohmann-json3-dev
  libavcodec-dev libavdevice-dev libavfilter-dev libavformat-dev libavutil-dev libswresample-dev libswscale-dev
  iso-codes
  go-md2man python3
)
player_packages=(
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libadwaita-1-dev libsoup-3.0-dev libglib2.0-dev-bin gettext appstream
  gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav
  adwaita-icon-theme librsvg2-common
)
demo_packages=(ffmpeg fonts-dejavu-core iproute2 nginx-light python3)
evaluate_packages=(apache2-bin aria2 curl iproute2 mptcpize nginx-light python3 python3-jinja2 python3-matplotlib python3-numpy python3-tqdm)
test_packages=(
  avahi-daemon clang-16 libclang-rt-16-dev lld-16 llvm-16 libgtest-dev libgmock-dev caddy dnsmasq-base h2o lighttpd lighttpd-mod-openssl iperf3 iputils-ping nftables openssl procps systemd udhcpc util-linux python3-aiohttp python3-pyinotify "${evaluate_packages[@]}"
  gstreamer1.0-plugins-base-apps xvfb xdotool x11-utils openbox imagemagick dbus dbus-bin at-spi2-core playerctl chromium man-db mandoc fish zsh python3-gi gir1.2-atspi-2.0 desktop-file-utils
)
lint_packages=(clang-format-14 clang-tidy-16 git)

install_packages() {
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]} == 0)) && return
  [[ $may_install == yes ]] || fail "these packages are missing: ${missing[*]}"
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "these packages are missing, and there is no sudo: ${missing[*]}"
    as_root=(sudo)
  fi
  echo "run: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q >/dev/null
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >/dev/null
}
