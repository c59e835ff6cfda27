#include "playback/link_activity.hh"

#include <fmt/format.h>

#include <algorithm>

#include "units/quantity_text.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

std::string seconds(Duration time) { return fmt::format("{:.1f} s", to_seconds(time)); }

/// So long a silence is natural: the round trips of a request and of a lost packet, and a burst at the rate of the link.
Duration natural_silence(const Link& link, std::optional<Duration> round_trip) {
  constexpr DataSize kBurst{20'000};
  const auto rate = link.estimator->throughput();
  const Duration burst = rate ? kBurst / *rate : Duration{500ms};
  return std::max<Duration>(500ms, 3 * round_trip.value_or(100ms) + burst);
}

LinkActivityWords of_busy(const Link& link, const OutstandingRequest& head, DataSize owed,
                          std::optional<Duration> round_trip, TimePoint now) {
  const Duration silent = now - std::max(link.estimator->begin(head.sent), head.last_byte);
  if (silent > natural_silence(link, round_trip)) {
    return {LinkActivity::kSuspect, fmt::format("no byte for {}, {} owed", seconds(silent), format_size(owed))};
  }
  return {LinkActivity::kUsed, fmt::format("{} on their way", format_size(owed))};
}

}  // namespace

LinkActivityWords activity_of(LinkId id, const Link& link, const LinkNews& news,
                              const OutstandingRequests& outstanding, TimePoint now) {
  if (link.use == LinkUse::kDoNotUse) return {LinkActivity::kOff, "switched off by the user"};
  if (!link.up) return {LinkActivity::kDown, news.why_down};
  if (link.avoided_for_good) return {LinkActivity::kAvoided, "not used any more: " + news.why_avoided};
  if (link.avoided_until && *link.avoided_until > now) {
    return {LinkActivity::kAvoided,
            fmt::format("left alone for {} more: {}", seconds(*link.avoided_until - now), news.why_avoided)};
  }
  if (const OutstandingRequest* head = outstanding.head(id))
    return of_busy(link, *head, outstanding.bytes_left(id), news.round_trip, now);
  if (!link.wanted()) return {LinkActivity::kStandby, news.why_needed_or_not};
  return {LinkActivity::kIdle, "nothing is wanted of it"};
}

}  // namespace tributary
