#pragma once

#include <string>
#include <vector>

#include "segmenter/libav_handles.hh"

namespace tributary::segmenter {

/// A libavfilter graph with one source and one or more sinks, written as text: its source is called "...@in",
/// its sinks "...@0", "...@1" and so on, in the order in which they are asked for.
class FilterChain {
 public:
  /// `source` and `sink` are the kinds of filter: "buffer" and "buffersink", "abuffer" and "abuffersink".
  FilterChain(const std::string& text, const std::string& source, const std::string& sink, std::size_t sinks);

  /// The frame is copied by reference.
  void push(AVFrame& frame);
  /// Nothing follows; the last frame ends at that time, in the source's time base.
  void end(std::int64_t time);
  /// A frame that sink `index` has ready, or null.
  FrameHandle pull(std::size_t index);

  AVFilterContext& sink(std::size_t index) const { return *sinks_[index]; }

 private:
  FilterGraphHandle graph_;
  AVFilterContext* source_ = nullptr;  // owned by the graph, as are the sinks
  std::vector<AVFilterContext*> sinks_;
};

}  // namespace tributary::segmenter
