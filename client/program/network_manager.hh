#pragma once

#include <optional>
#include <string>

namespace tributary {

/// Asks NetworkManager over D-Bus about interfaces, if it runs. Does not start it.
class NetworkManager {
 public:
  NetworkManager();
  ~NetworkManager();
  NetworkManager(const NetworkManager&) = delete;
  NetworkManager& operator=(const NetworkManager&) = delete;

  bool runs() const;
  /// Nothing if NetworkManager does not know, or does not run.
  std::optional<bool> metered(const std::string& link) const;
  /// It runs, and sets this interface up.
  bool manages(const std::string& link) const;

 private:
  void* bus_ = nullptr;  // GDBusConnection
};

}  // namespace tributary
