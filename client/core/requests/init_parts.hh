#pragma once

#include <algorithm>
#include <vector>

#include "units/identifiers.hh"

namespace tributary {

/// Knows which segments bring the init parts of which quality and stretch (presentation.hh), so that they come once. A
/// stretch is named by its first segment.
class InitParts {
 public:
  /// Null if no segment brings them.
  const SegmentIndex* brought_by(QualityIndex quality, SegmentIndex stretch) const {
    const auto found = std::ranges::find_if(
        brought_, [&](const Brought& one) { return one.quality == quality && one.stretch == stretch; });
    return found == brought_.end() ? nullptr : &found->by;
  }
  /// From now on `by` brings them.
  void bring(QualityIndex quality, SegmentIndex stretch, SegmentIndex by) {
    std::erase_if(brought_, [&](const Brought& one) { return one.quality == quality && one.stretch == stretch; });
    brought_.push_back({quality, stretch, by});
  }
  /// The segment, in this quality, brings some.
  bool brings(SegmentIndex segment, QualityIndex quality) const {
    return std::ranges::any_of(brought_,
                               [&](const Brought& one) { return one.quality == quality && one.by == segment; });
  }
  /// What the segment was to bring in this quality does not come.
  void forget(SegmentIndex segment, QualityIndex quality) {
    std::erase_if(brought_, [&](const Brought& one) { return one.quality == quality && one.by == segment; });
  }
  void forget_all() { brought_.clear(); }

 private:
  struct Brought {
    QualityIndex quality{};
    SegmentIndex stretch{}, by{};
  };
  std::vector<Brought> brought_;
};

}  // namespace tributary
