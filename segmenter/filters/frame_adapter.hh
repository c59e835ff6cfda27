#pragma once

#include <optional>
#include <string>

#include "segmenter/filters/filter_chain.hh"

namespace tributary::segmenter {

/// If a stream changes its form (a broadcast that changes over, damage), converts its frames to the first form: most
/// filters take no other.
class FrameAdapter {
 public:
  /// `form`: filters that convert to the first form. `source` and `sink` are as for FilterChain.
  FrameAdapter(std::string form, std::string source, std::string sink)
      : form_{std::move(form)}, source_{std::move(source)}, sink_{std::move(sink)} {}

  /// `description`: the frame's form, as the source of a graph. Calls use(AVFrame&) for each frame that is ready.
  template <typename Use>
  void adapt(AVFrame& frame, const std::string& description, Use use) {
    if (!chain_ || description != description_) {
      chain_.emplace(description + "," + form_ + "," + sink_ + "@0", source_, sink_, 1);
      description_ = description;
    }
    chain_->push(frame);
    while (const FrameHandle ready = chain_->pull(0)) use(*ready);
  }

 private:
  std::string form_, source_, sink_;
  std::string description_;
  std::optional<FilterChain> chain_;
};

}  // namespace tributary::segmenter
