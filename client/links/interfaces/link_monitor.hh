#pragma once

#include <string>
#include <vector>

namespace tributary {

/// What a link is to a session. Of hardware or of unknown origin is an uplink.
enum class LinkRole {
  kUplink,
  kVirtual,    // without hardware: a bridge, a VPN, the end of a pair
  kLoopback,   // leads to this machine only
  kOwnTunnel,  // goes over the uplinks, and brings nothing beside them
};

/// A network interface as the system describes it.
struct LinkInfo {
  std::string name;  // "wlan0"
  unsigned interface_index = 0;
  LinkRole role = LinkRole::kUplink;
  std::string
      kind;  // "ethernet", "wifi", "cellular", "virtual", "tunnel", "loopback", "proxy", "lent": a guess, for people
  bool has_ipv4 = false, has_ipv6 = false;  // global addresses with a route to the origin
};

struct LinkChangeNotice {
  LinkInfo link;
  bool usable = false;
  std::string why;  // "address added", "no carrier", "device deleted"
};

/// Tells which links can reach the origin, and each change of that. Knows nothing of requests.
class LinkMonitor {
 public:
  virtual ~LinkMonitor() = default;

  /// Readable when poll() may have changes to tell. The monitor owns it.
  virtual int file_descriptor() const = 0;
  /// Changes since the last call, in order of occurrence; the first call tells all usable links. Never waits.
  virtual std::vector<LinkChangeNotice> poll() = 0;
  /// Links that were not usable at the last poll(), each with the reason: of the named links, or else of all that are
  /// neither virtual nor loopback.
  virtual std::vector<LinkChangeNotice> obstructed() const { return {}; }
  /// It has asked for links and was not answered yet: one may become usable in a moment.
  virtual bool is_waiting() const { return false; }
};

}  // namespace tributary
