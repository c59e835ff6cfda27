#pragma once

#include <string>
#include <vector>

#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// A libavfilter graph with sources and sinks, written as text. The names of its sources end in "@in", "@in1" and so
/// on, those of its sinks in "@0", "@1" and so on, by their indices.
class FilterChain {
 public:
  /// `source` and `sink`: the kinds of filter, "buffer" and "buffersink", or "abuffer" and "abuffersink".
  FilterChain(const std::string& text, const std::string& source, const std::string& sink, std::size_t sinks,
              std::size_t sources = 1);

  /// Shares the frame's data.
  void push(AVFrame& frame, std::size_t source = 0);
  /// No frame follows; the last one ends at `time`, in the source's time base.
  void end(std::int64_t time, std::size_t source = 0);
  /// A frame that sink `index` has ready; null: there is none.
  FrameHandle pull(std::size_t index);

  AVFilterContext& sink(std::size_t index) const { return *sinks_[index]; }

 private:
  FilterGraphHandle graph_;
  std::vector<AVFilterContext*> sources_, sinks_;  // owned by the graph
};

}  // namespace tributary::segmenter
