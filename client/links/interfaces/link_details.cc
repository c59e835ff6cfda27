#include "links/interfaces/link_details.hh"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "system/file_descriptor.hh"

namespace tributary {
namespace {

/// For virtual devices: sysfs has no driver for them, ethtool has its name.
std::string driver_by_ethtool(const std::string& link) {
  const FileDescriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  if (!socket.is_open()) return {};
  ethtool_drvinfo info{};
  info.cmd = ETHTOOL_GDRVINFO;
  ifreq request{};
  std::memcpy(request.ifr_name, link.c_str(), std::min<std::size_t>(link.size(), IFNAMSIZ - 1));
  request.ifr_data = reinterpret_cast<char*>(&info);
  const bool known = ioctl(socket.get(), SIOCETHTOOL, &request) == 0;
  return known ? std::string{info.driver, strnlen(info.driver, sizeof info.driver)} : std::string{};
}

int reverse_path_filter(const std::string& link) {
  std::ifstream file{"/proc/sys/net/ipv4/conf/" + link + "/rp_filter"};
  int value = 0;
  file >> value;
  return file ? value : 0;
}

}  // namespace

std::string driver_of(const std::string& link) {
  std::error_code error;
  const auto driver = std::filesystem::read_symlink("/sys/class/net/" + link + "/device/driver", error);
  return error ? driver_by_ethtool(link) : driver.filename().string();
}

bool filters_reverse_path(const std::string& link) {
  return std::max(reverse_path_filter("all"), reverse_path_filter(link)) == 1;
}

std::optional<std::uint64_t> received_bytes(const std::string& link) {
  std::ifstream file{"/proc/net/dev"};  // unlike sysfs, it always shows the namespace of this process
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    const auto name = line.find_first_not_of(' ');
    if (colon == std::string::npos || line.substr(name, colon - name) != link) continue;
    return std::strtoull(line.c_str() + colon + 1, nullptr, 10);
  }
  return std::nullopt;
}

}  // namespace tributary
