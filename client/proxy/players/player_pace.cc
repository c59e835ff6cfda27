#include "proxy/players/player_pace.hh"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tributary::proxy {
namespace {

constexpr Duration kMost = std::chrono::seconds{30};  // that players hold, mostly

}  // namespace

Duration PlayerPace::asked(const std::string& rendition, Duration duration, TimePoint now) {
  Given& given = given_.try_emplace(rendition, Given{now, {}}).first->second;
  // It had nothing left, whatever the reason: it begins anew.
  if (now - given.since > given.media) given = {now, {}, given.number};
  const Duration left = given.media - (now - given.since);
  given.media = std::min(given.media + duration, (now - given.since) + kMost);
  return std::max(std::min(left, kMost) / 2, duration);
}

std::optional<Duration> PlayerPace::lasts(const std::string& rendition, Duration duration, TimePoint now) const {
  const auto given = given_.find(rendition);
  if (given == given_.end() || now - given->second.since >= given->second.media) return std::nullopt;
  return given->second.media - (now - given->second.since) + duration;
}

Duration PlayerPace::left(const std::string& rendition, std::uint64_t number, Duration duration, TimePoint now) {
  Given& given = given_.try_emplace(rendition, Given{now, {}}).first->second;
  const auto last = std::exchange(given.number, number);
  if (last == number)
    given.media = std::max(given.media - duration, Duration{});
  else if (last && number != *last + 1)
    given = {now, {}, number};
  return std::clamp(given.media - (now - given.since), Duration{}, kMost);
}

}  // namespace tributary::proxy
