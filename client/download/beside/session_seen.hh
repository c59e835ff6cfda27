#pragma once

#include <cstddef>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The progress of a session that fetches the same object from its last chunk towards the front.
struct SessionSeen {
  std::size_t begun = 0;        // chunks
  DataSize from;                // everything behind this is the session's, or was
  bool begins_no_more = false;  // everything in front of it is the answer's, or was
  DataSize received{};
  TimePoint since, last_byte;  // of its first request
  Duration stillest{};         // the longest time without a byte
};

}  // namespace tributary
