#include "download/report/missing_segments.hh"

#include <fmt/format.h>

namespace tributary {

void MissingSegments::on_action(const Action& action, TimePoint /*at*/) {
  if (const auto* skipped = std::get_if<action::SkipSegment>(&action)) missing_.push_back(*skipped);
}

std::vector<std::string> MissingSegments::told() const {
  constexpr std::size_t kMostTold = 10;
  std::vector<std::string> lines;
  for (const action::SkipSegment& missing : missing_) {
    if (lines.size() == kMostTold) {
      lines.push_back(fmt::format("and {} more", missing_.size() - kMostTold));
      break;
    }
    lines.push_back(fmt::format("segment {} of {} is missing: {} ({})", to_index(missing.segment) + 1, segments_,
                                missing.reason, missing.missing));
  }
  return lines;
}

bool MissingSegments::leave_holes() const {
  return missing_.size() > 1 || (missing_.size() == 1 && to_index(missing_.front().segment) + 1 < segments_);
}

}  // namespace tributary
