#pragma once

#include <cstdint>
#include <string>

#include "lending/pairing.hh"

namespace tributary::lending {

inline constexpr const char* kServiceType = "_tributary-lend._tcp";  // RFC 6763

struct Announced {
  std::string name;  // for people
  MemberKey key{};
  std::uint16_t port = 0;
};

/// Tells the local network by multicast DNS (Avahi) that an uplink is lent here, as long as the object lives. Where there is
/// no Avahi, nobody is told.
class Announcement {
 public:
  explicit Announcement(Announced announced);
  ~Announcement();
  Announcement(const Announcement&) = delete;

  /// Why nobody is told; empty: everybody is.
  const std::string& why_not() const { return why_not_; }
  /// To be called now and then: Avahi may have been started, or again.
  void renew();

 private:
  void announce();
  bool is_there() const;

  Announced announced_;
  void* bus_;          // GDBusConnection, or null
  std::string group_;  // the object of Avahi; empty: none
  std::string why_not_;
};

}  // namespace tributary::lending
