#include "worlds/discovery/link_turns.hh"

#include <algorithm>

namespace tributary {
namespace {

constexpr Duration kAfterFailure = std::chrono::milliseconds{250};  // doubled each time, at most:
constexpr Duration kLongestPause = std::chrono::seconds{2};

}  // namespace

std::vector<std::string> LinkTurns::free(const std::vector<std::string>& links, TimePoint now) {
  std::vector<std::string> left;
  first_free_ = links.empty() ? TimePoint{} : TimePoint::max();
  for (const std::string& link : links) {
    first_free_ = std::min(first_free_, busy_until_[link]);
    if (busy_until_[link] <= now) left.push_back(link);
  }
  return left;
}

std::string LinkTurns::choose(const std::vector<std::string>& links) {
  auto chosen = std::ranges::find(links, last_);
  if (chosen != links.end() && failures_ > 0) ++chosen;
  if (chosen == links.end()) chosen = links.begin();
  return last_ = *chosen;
}

void LinkTurns::failed(TimePoint now) {
  const Duration pause = kAfterFailure * (1 << std::min<std::size_t>(failures_, 4));
  not_before_ = ++failures_ > 1 ? now + std::min(pause, kLongestPause) : now;
  ++failures_ever_;
}

}  // namespace tributary
