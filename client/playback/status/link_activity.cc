#include "playback/status/link_activity.hh"

#include <fmt/format.h>

#include <algorithm>

#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

std::string seconds(Duration time) { return fmt::format("{:.1f} s", to_seconds(time)); }

/// The longest natural silence: round trips of a request and of a lost packet, and a burst at the rate of the link.
Duration natural_silence(const Link& link, std::optional<Duration> round_trip) {
  constexpr DataSize kBurst{20'000};
  const auto rate = link.estimator->throughput();
  const Duration burst = rate ? kBurst / *rate : Duration{500ms};
  return std::max<Duration>(500ms, 3 * round_trip.value_or(100ms) + burst);
}

Duration silence(const Link& link, const OutstandingRequest& head, TimePoint now) {
  return now - std::max(link.estimator->begin(head.sent), head.last_byte);
}

void add_avoided(LinkStatus& status, const Link& link, const LinkNews& news, TimePoint now) {
  status.activity = LinkActivity::kAvoided;
  status.failure = news.last_failure;
  if (link.avoided_for_good) {
    status.why = "not used any more: " + news.why_avoided;
  } else {
    status.avoided_for = *link.avoided_until - now;
    status.why = fmt::format("left alone for {} more: {}", seconds(*status.avoided_for), news.why_avoided);
  }
}

void add_busy(LinkStatus& status, const Link& link, const OutstandingRequest& head, const LinkNews& news,
              TimePoint now) {
  const bool tried_again = link.failures_in_a_row > 0 && head.received == DataSize{};
  if (tried_again || is_silent(link, head, news.round_trip, now)) {
    status.activity = LinkActivity::kSuspect;
    status.silent = tried_again ? now - news.last_byte : silence(link, head, now);
    status.why = fmt::format("no byte for {}, {} owed", seconds(status.silent), format_size(status.outstanding_bytes));
  } else {
    status.activity = LinkActivity::kUsed;
    status.why = fmt::format("{} on their way", format_size(status.outstanding_bytes));
  }
}

}  // namespace

bool is_silent(const Link& link, const OutstandingRequest& head, std::optional<Duration> round_trip, TimePoint now) {
  return silence(link, head, now) > natural_silence(link, round_trip);
}

void add_activity(LinkStatus& status, const Link& link, const LinkNews& news, const OutstandingRequests& outstanding,
                  TimePoint now) {
  status.outstanding = outstanding.count(status.id);
  status.outstanding_bytes = outstanding.bytes_left(status.id);
  const OutstandingRequest* const head = outstanding.head(status.id);
  if (link.use == LinkUse::kDoNotUse) {
    status.activity = LinkActivity::kOff;
    status.why = "switched off by the user";
  } else if (!link.up) {
    status.activity = LinkActivity::kDown;
    status.why = status.why_down = news.why_down;
  } else if (link.used_up && head == nullptr) {
    status.activity = LinkActivity::kUsedUp;
    status.why = "not used any more: " + news.why_avoided;
  } else if (link.avoided_for_good || (link.avoided_until && *link.avoided_until > now)) {
    add_avoided(status, link, news, now);
  } else if (head != nullptr) {
    add_busy(status, link, *head, news, now);
  } else if (!link.wanted()) {
    status.activity = LinkActivity::kStandby;
    status.why = news.why_needed_or_not;
  } else if (status.rate_now > DataRate{}) {
    status.activity = LinkActivity::kUsed;
    status.why = "all that was asked for came within the last second";
  } else {
    status.activity = LinkActivity::kIdle;
    status.why = "nothing is wanted of it";
  }
}

}  // namespace tributary
