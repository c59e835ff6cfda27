#pragma once

#include <string>
#include <vector>

#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// A libavfilter graph with sources and sinks, written as text: its first source is called "...@in", the next "...@in1", and
/// its sinks "...@0", "...@1" and so on, in the order in which they are asked for.
class FilterChain {
 public:
  /// `source` and `sink` are the kinds of filter: "buffer" and "buffersink", "abuffer" and "abuffersink".
  FilterChain(const std::string& text, const std::string& source, const std::string& sink, std::size_t sinks,
              std::size_t sources = 1);

  /// The frame is copied by reference.
  void push(AVFrame& frame, std::size_t source = 0);
  /// Nothing follows; the last frame ends at that time, in the source's time base.
  void end(std::int64_t time, std::size_t source = 0);
  /// A frame that sink `index` has ready, or null.
  FrameHandle pull(std::size_t index);

  AVFilterContext& sink(std::size_t index) const { return *sinks_[index]; }

 private:
  FilterGraphHandle graph_;
  std::vector<AVFilterContext*> sources_, sinks_;  // owned by the graph
};

}  // namespace tributary::segmenter
