#include "proxy/titles/player_pace.hh"

#include <algorithm>
#include <chrono>

namespace tributary::proxy {
namespace {

constexpr Duration kMost = std::chrono::seconds{30};  // that players hold, mostly

}  // namespace

Duration PlayerPace::asked(const std::string& rendition, Duration duration, TimePoint now) {
  Given& given = given_.try_emplace(rendition, Given{now, {}}).first->second;
  // It had nothing left, whatever the reason: it begins anew.
  if (now - given.since > given.media) given = {now, {}};
  const Duration left = given.media - (now - given.since);
  given.media = std::min(given.media + duration, (now - given.since) + kMost);
  return std::max(std::min(left, kMost) / 2, duration);
}

}  // namespace tributary::proxy
