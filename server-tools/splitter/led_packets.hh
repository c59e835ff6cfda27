#pragma once

#include <string>
#include <vector>

namespace tributary {

/// Leads packets that this machine forwards through a device of ours, by rules of routing: those that come from senders and go to the
/// receivers, and those that come back over the links. What comes out of the device is forwarded as before.
class LedPackets {
 public:
  struct Ways {
    std::string receivers;  // "198.51.100.0/24"
    std::string senders;    // a device
    std::vector<std::string> links;
    std::string device;  // ours
  };
  /// Rules that a killed program has left for the same ways are replaced. Throws std::runtime_error.
  explicit LedPackets(Ways ways);
  ~LedPackets();
  LedPackets(const LedPackets&) = delete;
  LedPackets& operator=(const LedPackets&) = delete;

 private:
  std::vector<std::string> rules() const;

  Ways ways_;
};

}  // namespace tributary
