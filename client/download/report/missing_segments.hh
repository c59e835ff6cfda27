#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/world.hh"

namespace tributary {

/// Notes which segments of a title the origin does not have.
class MissingSegments : public SessionObserver {
 public:
  /// `segments`: of the title.
  explicit MissingSegments(std::size_t segments) : segments_{segments} {}

  void on_event(const Event& /*event*/, TimePoint /*at*/) override {}
  void on_action(const Action& action, TimePoint at) override;

  /// A line for each of the first ones, for people.
  std::vector<std::string> told() const;
  /// Whether the film lacks something. Ends of manifests are rounded: a last segment that nobody made is no loss.
  bool leave_holes() const;

 private:
  std::size_t segments_;
  std::vector<action::SkipSegment> missing_;
};

}  // namespace tributary
