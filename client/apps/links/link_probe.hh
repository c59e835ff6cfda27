#pragma once

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

/// What requests over one link have shown.
struct LinkProbe {
  struct Failure {
    FailureReason reason{};
    std::string text;  // what was tried, and what came back
  };
  std::optional<Failure> failure;

  // What is known before a failure is kept.
  std::string answered_by;  // the URL after redirects
  std::optional<DataSize> size;
  std::string etag;
  bool web_page = false;  // came instead of what was asked for, or is that
  bool ranges = false;
  std::optional<Duration> round_trip;
  bool crawls = false;  // a single byte comes, and more does not in time
  std::optional<DataRate> rate;
  DataSize sampled;
  std::optional<bool> pipelining;  // several requests at once were answered on one connection
  std::uint32_t requests_on_a_connection = 0;
  std::optional<std::uint32_t> closes_after;  // so many; nothing: it was not closed meanwhile
  std::vector<std::string> also_over;         // other links whose counters rose as much: the bytes came through them
};

struct ProbeRequest {
  std::string url;
  transport::LinkRules rules;
  DataSize sample;
  std::vector<std::string> other_links;
};

/// Asks for the object's first byte, then for single bytes, many at once, then for some of it, over the link and nothing else.
/// Takes about ten seconds at the most for each of the three.
LinkProbe probe_link(const ProbeRequest& request);

}  // namespace tributary
