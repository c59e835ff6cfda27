#include "worlds/discovery/live_origin.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/requests/retry_policy.hh"
#include "presentation/json_index.hh"
#include "units/redacted_url.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 1s;  // for a fetch over one of several links
constexpr Duration kOnlyLink = 5s;  // for a fetch over the only link; after one in vain, twice as long, at most:
constexpr Duration kMostPatience = 60s;
constexpr Duration kAfterFailure = 250ms;  // doubled each time, at most:
constexpr Duration kLongestPause = 2s;

}  // namespace

LiveOrigin::LiveOrigin(transport::CurlLoop& loop, const Presentation& first, Options options)
    : loop_{loop},
      options_{std::move(options)},
      start_utc_{std::chrono::system_clock::now().time_since_epoch()},
      availability_start_{first.live->availability_start.time_since_epoch()},
      segment_duration_{from_seconds(first.nominal_segment_seconds)},
      growth_{first} {
  expect_next(TimePoint{});
}

void LiveOrigin::advance(TimePoint now, const std::vector<std::string>& links, std::deque<TimedEvent>& happened) {
  if (!begun_) {
    begun_ = true;
    for (Event& event : growth_.beginning()) happened.push_back({now, std::move(event)});
  }
  if (over_) return;
  if (fetch_) take_answer(now, happened);
  if (fetch_ && std::ranges::find(links, fetch_->link) == links.end()) failed(now, fetch_->link + " is gone");
  const std::vector<std::string> to_ask = left_to_ask(now, links);
  if (!over_ && !fetch_ && !to_ask.empty() && now >= std::max(clock_.next_look(), not_before_))
    start_fetch(now, to_ask);
  give_up_if_hopeless(now, happened);
}

std::optional<TimePoint> LiveOrigin::next_deadline() const {
  if (over_) return std::nullopt;
  const TimePoint hopeless = last_answer_ + options_.give_up_after;
  // A fetch wakes the loop by itself; without a link, only the link's arrival matters.
  return fetch_ ? hopeless : std::min(hopeless, std::max({clock_.next_look(), not_before_, all_busy_until_}));
}

std::vector<std::string> LiveOrigin::left_to_ask(TimePoint now, const std::vector<std::string>& links) {
  std::vector<std::string> left;
  TimePoint first_free = TimePoint::max();
  for (const std::string& link : links) {
    first_free = std::min(first_free, busy_until_[link]);
    if (busy_until_[link] <= now) left.push_back(link);
  }
  all_busy_until_ = links.empty() ? TimePoint{} : first_free;
  return left;
}

/// The link that worked last, or, after a failure, the one after it.
void LiveOrigin::start_fetch(TimePoint now, const std::vector<std::string>& links) {
  auto chosen = std::ranges::find(links, last_link_);
  if (chosen != links.end() && failures_ > 0) ++chosen;
  if (chosen == links.end()) chosen = links.begin();
  last_link_ = *chosen;
  const transport::FetchLimits limits{.time = std::max(links.size() > 1 ? kPatience : kOnlyLink, patience_)};
  fetch_ = Fetch{
      *chosen, now,
      std::make_unique<transport::DocumentFetch>(
          loop_, options_.url, transport::LinkRules{.link = *chosen, .ca_file = options_.ca_file}, limits, etag_)};
}

void LiveOrigin::take_answer(TimePoint now, std::deque<TimedEvent>& happened) {
  try {
    const auto document = fetch_->document->result();
    if (!document) return;
    take(*document, now, happened);
    patience_ = std::min(2 * (now - fetch_->sent), kMostPatience);
    fetch_.reset();
    failures_ = 0;
    last_answer_ = now;
  } catch (const transport::FetchError& error) {
    if (error.reason == FailureReason::kNotFound) last_answer_ = now;
    // The origin may be slow over every link.
    if (error.reason == FailureReason::kStalled) patience_ = std::min(2 * (now - fetch_->sent), kMostPatience);
    if (error.retry_after)
      busy_until_[fetch_->link] = now + std::min(*error.retry_after, RetryPolicy::kLongestRetryAfter);
    failed(now, error.what());
  } catch (const IndexError& error) {
    failed(now, fmt::format("{}: {}", redacted(options_.url), error.what()));
  }
}

void LiveOrigin::take(const transport::Document& document, TimePoint now, std::deque<TimedEvent>& happened) {
  if (document.date) offset_.add(document.date->time_since_epoch(), utc(fetch_->sent), utc(now));
  std::vector<Event> news;
  if (!document.unchanged) {
    const Presentation index = read_index(document.text);
    try {
      news = growth_.news(index);
    } catch (const std::runtime_error& error) {
      over_ = true;
      happened.push_back({now, event::StopRequested{fmt::format("{}: {}", redacted(options_.url), error.what())}});
      return;
    }
    etag_ = document.etag;
  }
  if (news.empty()) return clock_.missed(now);
  for (Event& event : news) happened.push_back({now, std::move(event)});
  last_news_ = now;
  clock_.found(fetch_->sent);
  expect_next(now);
  over_ = growth_.ended();
}

void LiveOrigin::failed(TimePoint now, const std::string& why) {
  fetch_.reset();
  why_failed_ = why;
  // Another link is asked at once; when all have failed, after a pause.
  const Duration pause = kAfterFailure * (1 << std::min<std::size_t>(failures_, 4));
  not_before_ = ++failures_ > 1 ? now + std::min(pause, kLongestPause) : now;
}

void LiveOrigin::give_up_if_hopeless(TimePoint now, std::deque<TimedEvent>& happened) {
  if (over_) return;
  // Only answers count: without one, new segments may exist.
  went_quiet_ = last_answer_ >= last_news_ + options_.ended_after;
  if (!went_quiet_ && now < last_answer_ + options_.give_up_after) return;
  over_ = true;
  happened.push_back(
      {now, event::StopRequested{
                went_quiet_ ? fmt::format("no segment was added for {:.0f} s, and the presentation is not complete",
                                          to_seconds(options_.ended_after))
                            : fmt::format("the index could not be fetched for {:.0f} s: {}",
                                          to_seconds(options_.give_up_after), why_failed_)}});
}

void LiveOrigin::expect_next(TimePoint now) {
  const Duration due = availability_start_ + growth_.end() + segment_duration_;  // by the origin's clock
  clock_.expect(TimePoint{due - offset_.estimate() - start_utc_}, segment_duration_, now);
}

}  // namespace tributary
