#pragma once

#include <optional>
#include <string>

namespace tributary {

/// Asks NetworkManager over D-Bus what it knows of interfaces, if it runs; starts nothing.
class NetworkManager {
 public:
  NetworkManager();
  ~NetworkManager();
  NetworkManager(const NetworkManager&) = delete;
  NetworkManager& operator=(const NetworkManager&) = delete;

  bool runs() const;
  /// Nothing if it does not know.
  std::optional<bool> metered(const std::string& link) const;

 private:
  void* bus_ = nullptr;  // GDBusConnection
};

}  // namespace tributary
