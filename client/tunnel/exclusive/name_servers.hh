#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tributary {

/// Where names are looked up while a tunnel runs: at servers that are reached through it. By systemd-resolved or resolvconf
/// where one of them has /etc/resolv.conf, and else in that file. Put back with the object; what a killed program left is put
/// back by the next one, or by put_back().
class NameServers {
 public:
  /// Changes nothing but what a program before has left, also if `addresses` is empty. Throws std::system_error.
  NameServers(std::string device, std::vector<std::string> addresses);
  ~NameServers();
  NameServers(const NameServers&) = delete;
  NameServers& operator=(const NameServers&) = delete;

  /// The device is up. Throws std::exception if the system refuses.
  void use();

  /// What any program with this device left. Throws std::system_error.
  static void put_back(const std::string& device);

 private:
  std::string device_;
  std::vector<std::string> addresses_;
  bool in_use_ = false;
};

/// Who decides what stands in /etc/resolv.conf.
enum class NamesBy { kResolved, kResolvconf, kFile };
/// By where the file is, and what it says of itself.
NamesBy names_by(const std::filesystem::path& resolv_conf);

}  // namespace tributary
