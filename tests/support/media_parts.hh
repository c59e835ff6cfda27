#pragma once

#include <string_view>

#include "sink/segment_sink.hh"
#include "support/files.hh"

namespace tributary::testing {

inline MediaPart media_part(TrackKind kind, bool init, std::string_view text) {
  const auto content = bytes(text);
  return {0, kind, init, {content.begin(), content.end()}};
}

}  // namespace tributary::testing
