#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"
#include "transport/sockets/byte_stream.hh"

namespace tributary::transport {

class CurlConnection;

/// Connections to one origin that are begun before it is known what to ask for, at most one over each link. The
/// handshakes of all links then take as long as the longest of them, and go on while the first answer is waited for.
class Preconnections {
 public:
  /// A server that serves one connection at a time waits for a request on this one, and serves nobody meanwhile. So
  /// whoever waits for an answer calls close_late(), which closes those that are made, if no answer has come for so long.
  static constexpr std::chrono::milliseconds kLongest{500};

  /// As make_link_transport(). The loop must outlive it, and the connections that were taken.
  Preconnections(CurlLoop& loop, Origin origin, std::vector<std::string> addresses);
  ~Preconnections();

  const Origin& origin() const { return origin_; }
  /// Begins a connection over the link of these rules, unless there is one.
  void begin(const LinkRules& rules);
  /// A connection over this link is made, and nobody has taken it.
  bool is_made(const std::string& link) const;
  /// The connection over this link, made or not. Null if there is none, or none that can be used any more.
  std::unique_ptr<ByteStream> take(const std::string& link);
  void close_late();
  void answered() { answered_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Begun {
    std::unique_ptr<CurlConnection> stream;
    Clock::time_point at;
  };

  CurlLoop& loop_;
  Origin origin_;
  std::vector<std::string> addresses_;
  std::map<std::string, Begun> by_link_;
  Clock::time_point answered_{};
};

}  // namespace tributary::transport
