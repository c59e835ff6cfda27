#pragma once

#include <cstddef>
#include <optional>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The progress of a session that fetches the same object from its last chunk towards the front.
struct SessionSeen {
  std::size_t begun = 0;        // chunks
  DataSize from;                // everything behind this is the session's, or was
  bool begins_no_more = false;  // everything in front of it is the answer's, or was
  DataSize received{};
  TimePoint since;  // its first request
  TimePoint first_byte, last_byte;
  Duration stillest{};  // the longest time without a byte

  /// Nothing until it has brought bytes for as long as it waited for the first one: links that are only beginning would
  /// count as slow for good.
  std::optional<DataRate> rate(TimePoint now) const {
    if (received == DataSize{} || now - first_byte < first_byte - since || now == first_byte) return std::nullopt;
    return received / (now - first_byte);
  }
};

}  // namespace tributary
