#pragma once

#include <string>
#include <vector>

#include "nginx_server.hh"
#include "playback/media_segment.hh"
#include "presentation/presentation.hh"

namespace tributary::testing {

/// A presentation of plain bytes in two qualities, with init parts and a sound, on a real server. Any byte of it is known.
class StreamOrigin {
 public:
  struct Content {
    std::size_t segments = 10;
    int segment_ms = 200;
    std::size_t low_bytes = 20'000, high_bytes = 60'000;
  };
  explicit StreamOrigin(const Content& content, const NginxServer::Options& options = {});

  std::string url() const;
  const NginxServer& server() const { return nginx_; }
  const Presentation& presentation() const { return presentation_; }
  Duration segment_duration() const { return std::chrono::milliseconds{content_.segment_ms}; }

  /// What the part of a segment holds.
  std::string bytes_of(std::size_t track, SegmentIndex segment, bool init) const;
  /// Nothing if all bytes are right; otherwise which are not.
  std::string defect_of(const MediaSegment& segment) const;

 private:
  Content content_;
  NginxServer nginx_;
  Presentation presentation_;
};

}  // namespace tributary::testing
