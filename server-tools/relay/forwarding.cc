#include "relay/forwarding.hh"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace tributary {
namespace {

namespace fs = std::filesystem;

const std::string kSettings = "/proc/sys/net/";
const std::string kIpv4 = "ipv4/ip_forward", kIpv6 = "ipv6/conf/all/forwarding";

std::string read(const std::string& setting) {
  std::ifstream file{kSettings + setting};
  std::string value;
  file >> value;
  return value;
}

bool write(const std::string& setting, const std::string& value) {
  std::ofstream file{kSettings + setting};
  file << value << std::flush;
  return file.good();
}

/// Interfaces that take routes from routers, which they would not do any more once IPv6 is forwarded.
std::vector<std::string> taking_routes() {
  std::vector<std::string> settings;
  std::error_code error;
  for (const auto& interface : fs::directory_iterator{kSettings + "ipv6/conf", error}) {
    const std::string setting = "ipv6/conf/" + interface.path().filename().string() + "/accept_ra";
    if (read(setting) == "1") settings.push_back(setting);
  }
  return settings;
}

/// Each setting, and what it has to be.
std::vector<std::pair<std::string, std::string>> wanted_settings(bool ipv6) {
  std::vector<std::pair<std::string, std::string>> wanted{{kIpv4, "1"}};
  if (!ipv6) return wanted;
  for (const std::string& setting : taking_routes()) wanted.emplace_back(setting, "2");
  wanted.emplace_back(kIpv6, "1");
  return wanted;
}

}  // namespace

Forwarding::Forwarding(bool ipv6) : record_{"tributary-relay", "forwarding"}, ipv6_{ipv6} {
  first_ = record_.take_alone();
  if (first_) {
    put_back();  // after a relay that was killed
    note();
  } else {
    record_.share();  // once the first one has turned forwarding on
  }
}

void Forwarding::note() {
  std::string before;
  for (const auto& [setting, value] : wanted_settings(ipv6_)) {
    const std::string now = read(setting);
    if (!now.empty() && now != value) before = fmt::format("{} {}\n", setting, now) + before;
  }
  record_.write(before);
}

Forwarding::Before Forwarding::before() const {
  const std::string changed = record_.contents();
  const auto was_on = [&](const std::string& setting) {
    return read(setting) == "1" && changed.find(setting + " ") == std::string::npos;
  };
  return {.ipv4 = was_on(kIpv4), .ipv6 = was_on(kIpv6)};
}

void Forwarding::turn_on() {
  if (!first_) return;
  for (const auto& [setting, value] : wanted_settings(ipv6_)) {
    const std::string now = read(setting);
    if (now.empty() || now == value || write(setting, value)) continue;
    throw std::runtime_error{
        fmt::format("cannot let this machine forward packets: {}{} cannot be written; {} does without", kSettings,
                    setting, setting.starts_with("ipv6") ? "--no-ipv6" : "--no-nat")};
  }
  record_.share();
}

/// What the record says, which is empty then.
void Forwarding::put_back() {
  std::istringstream lines{record_.contents()};
  for (std::string setting, value; lines >> setting >> value;) write(setting, value);
  record_.clear();
}

Forwarding::~Forwarding() {
  if (!record_.take_alone()) return;  // another one runs
  put_back();
  record_.remove();
}

}  // namespace tributary
