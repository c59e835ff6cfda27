#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "netlab/link_shaper.hh"
#include "system/virtual_device.hh"

namespace tributary {

/// The condition of an emulated link. A blackhole passes nothing while the link still looks up.
struct EmulatedCondition {
  LinkCondition link;
  bool blackhole = false;
};

/// A link between client and server: two TAP devices and a shaper for each direction. The condition holds for both
/// directions, but jitter only for the one to the client. If the link is down, the client sees a device without
/// carrier; the server sees no difference.
class EmulatedLink {
 public:
  EmulatedLink(std::string name, VirtualDevice client, VirtualDevice server, const LinkCondition& condition,
               std::uint64_t seed);

  const std::string& name() const { return name_; }
  const EmulatedCondition& condition() const { return condition_; }
  const LinkShaper& to_client() const { return to_client_; }
  const LinkShaper& to_server() const { return to_server_; }
  int client_file_descriptor() const { return client_.file_descriptor(); }
  int server_file_descriptor() const { return server_.file_descriptor(); }

  void change(const EmulatedCondition& condition, TimePoint now);
  /// Each to be called when the file descriptor of its side is readable.
  void read_from_client(TimePoint now);
  void read_from_server(TimePoint now);
  /// Hands over arrived frames. Returns the time of the next call; nothing if there is nothing to wait for.
  std::optional<TimePoint> deliver(TimePoint now);

 private:
  std::string name_;
  EmulatedCondition condition_;
  VirtualDevice client_, server_;
  LinkShaper to_client_, to_server_;
};

}  // namespace tributary
