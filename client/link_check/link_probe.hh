#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/failure_reason.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The findings of requests over one link.
struct LinkProbe {
  struct Failure {
    FailureReason reason{};
    std::string text;  // names the attempt and its result
  };
  std::optional<Failure> failure;

  // Findings from before a failure are kept.
  std::string answered_by;  // the URL after redirects
  std::optional<DataSize> size;
  std::string etag;
  bool web_page = false;  // the answer is HTML, which may be a login page
  bool ranges = false;
  std::optional<Duration> round_trip;
  bool crawls = false;  // a single byte comes, but more bytes do not come in time
  std::optional<DataRate> rate;
  bool too_small = false;  // the object came so soon that no rate can be told
  DataSize sampled;
  std::optional<bool> pipelining;  // one connection answered several requests sent at once
  std::uint32_t requests_on_a_connection = 0;
  std::optional<std::uint32_t> closes_after;  // answers before the origin closed; nothing: it did not close
  std::vector<std::string> also_over;         // other links with counters that rose as much: they carried the bytes
};

struct ProbeRequest {
  std::string url;
  transport::LinkRules rules;
  DataSize sample;
  std::vector<std::string> other_links;
};

/// How long a connection may take. The user waits for the diagnosis.
inline constexpr Duration kProbeConnectPatience = std::chrono::seconds{4};

/// Asks over this link alone: for the object's first byte, then for single bytes, many at once, then for a sample. Each
/// of the three takes about ten seconds at most.
LinkProbe probe_link(const ProbeRequest& request);

}  // namespace tributary
