#pragma once

#include <chrono>

#include "event_log.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/link_transport.hh"

namespace tributary::transport {

/// A real transport in real time, and the loop it lives in.
class LinkWorld {
 public:
  LinkWorld(const std::string& url, const LinkRules& rules, PipelinedTransport::Options options = {});
  /// The same, at these addresses.
  LinkWorld(const std::string& url, const std::vector<std::string>& addresses, const LinkRules& rules,
            PipelinedTransport::Options options = {});

  HttpTransport& transport() { return *transport_; }
  TimePoint now() const;
  /// Waits for the transport and advances it.
  void step();

  /// Fetches one range of the URL's file and returns everything that came of it.
  EventLog fetch(ByteRange range);

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  CurlLoop loop_;
  std::string target_;
  std::unique_ptr<HttpTransport> transport_;
  std::uint64_t last_id_ = 0;
};

}  // namespace tributary::transport
