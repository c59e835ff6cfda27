#include "links/interfaces/link_kind.hh"

#include <filesystem>
#include <fstream>

namespace tributary {
namespace {

/// "wlan", "wwan", "bridge" ...; empty for most devices.
std::string device_type(const std::filesystem::path& device) {
  constexpr std::string_view kKey = "DEVTYPE=";
  std::ifstream uevent{device / "uevent"};
  for (std::string line; std::getline(uevent, line);) {
    if (line.starts_with(kKey)) return line.substr(kKey.size());
  }
  return {};
}

}  // namespace

std::string guess_link_kind(const std::string& name) {
  const std::filesystem::path device = std::filesystem::path{"/sys/class/net"} / name;
  const std::string type = device_type(device);
  std::error_code ignored;  // an entry that cannot be read counts as missing
  if (type == "wlan" || exists(device / "wireless", ignored)) return "wifi";
  if (type == "wwan" || name.starts_with("wwan") || name.starts_with("ppp")) return "cellular";
  return exists(device / "device", ignored) ? "ethernet" : "virtual";  // only hardware has a device behind it
}

}  // namespace tributary
