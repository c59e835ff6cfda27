#include "worlds/discovery/live_origin.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/requests/retry_policy.hh"
#include "worlds/discovery/growing_index.hh"
#include "worlds/discovery/growing_manifest.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 1s;  // for a fetch over one of several links
constexpr Duration kOnlyLink = 5s;  // for a fetch over the only link; after one in vain, twice as long, at most:
constexpr Duration kMostPatience = 60s;

bool has_all(const std::vector<std::optional<transport::Document>>& documents) {
  return std::ranges::all_of(documents, [](const auto& document) { return document.has_value(); });
}

std::unique_ptr<LiveSource> source_of(const Presentation& first, LiveTitle* title, const std::string& url) {
  const Duration start{std::chrono::system_clock::now().time_since_epoch()};
  if (title != nullptr) return std::make_unique<GrowingManifest>(*title, first, url, start);
  return std::make_unique<GrowingIndex>(first, url, start);
}

}  // namespace

LiveOrigin::LiveOrigin(transport::CurlLoop& loop, const Presentation& first, Options options, LiveTitle* title)
    : loop_{loop}, options_{std::move(options)}, source_{source_of(first, title, options_.url)} {}

void LiveOrigin::advance(TimePoint now, const std::vector<std::string>& links, std::deque<TimedEvent>& happened) {
  if (!begun_) {
    begun_ = true;
    for (Event& event : source_->beginning()) happened.push_back({now, std::move(event)});
  }
  if (over_) return;
  look_at_clock(now, happened);
  if (second_) take_second(now);
  if (fetch_) take_answer(now, happened);
  if (!fetch_) second_.reset();
  for (const std::string& note : source_->notes()) {
    if (options_.tell) options_.tell(now, note);
  }
  if (fetch_ && std::ranges::find(links, fetch_->link) == links.end()) failed(now, fetch_->link + " is gone");
  const std::vector<std::string> to_ask = turns_.free(links, now);
  if (fetch_) start_second(now, to_ask);
  const auto due = source_->next_due();
  if (!over_ && !fetch_ && !to_ask.empty() && due && now >= std::max(*due, turns_.not_before()))
    start_fetch(now, to_ask);
  give_up_if_hopeless(now, happened);
}

std::optional<TimePoint> LiveOrigin::next_deadline() const {
  if (over_) return std::nullopt;
  const TimePoint hopeless = last_answer_ + options_.give_up_after;
  const TimePoint by_clock = std::min(hopeless, source_->next_by_clock().value_or(hopeless));
  if (fetch_ && fetch_->overdue_at) return std::min(by_clock, *fetch_->overdue_at);
  // A fetch wakes the loop by itself; without a link, only the link's arrival matters.
  const auto due = source_->next_due();
  return fetch_ || !due ? by_clock : std::min(by_clock, std::max({*due, turns_.not_before(), turns_.first_free()}));
}

void LiveOrigin::play(const std::vector<std::size_t>& tracks) {
  if (!source_->play(tracks)) return;
  fetch_.reset();
  second_.reset();
}

void LiveOrigin::start_fetch(TimePoint now, const std::vector<std::string>& links) {
  const std::vector<std::string> due = source_->due(now);
  if (due.empty()) return;
  fetch_ = fetch_over(turns_.choose(links), due, links.size() == 1, now);
  const auto overdue = source_->overdue_after();
  if (overdue && links.size() > 1) fetch_->overdue_at = now + *overdue;
}

/// The same documents over another link.
void LiveOrigin::start_second(TimePoint now, const std::vector<std::string>& links) {
  if (!fetch_->overdue_at || now < *fetch_->overdue_at) return;
  fetch_->overdue_at.reset();
  const auto other = std::ranges::find_if(links, [&](const std::string& link) { return link != fetch_->link; });
  if (other != links.end()) second_ = fetch_over(*other, fetch_->due, false, now);
}

/// If it has all documents, the first one is of no use.
void LiveOrigin::take_second(TimePoint now) {
  look_at(*second_, now);
  if (!has_all(second_->fetched)) return;
  if (std::ranges::all_of(second_->failures, &std::string::empty)) {
    turns_.turn_to(second_->link);
    fetch_ = std::move(*second_);
  }
  second_.reset();
}

LiveOrigin::Fetch LiveOrigin::fetch_over(const std::string& link, const std::vector<std::string>& all_due, bool alone,
                                         TimePoint now) {
  const transport::FetchLimits limits{.time = source_->held() + std::max(alone ? kOnlyLink : kPatience, patience_)};
  Fetch fetch{.link = link, .sent = now, .due = all_due};
  for (const std::string& due : all_due) {
    const std::vector<std::string> addresses = options_.alternatives.all_of(due);
    fetch.addresses = std::max(fetch.addresses, addresses.size());
    const std::string& url = fetch.urls.emplace_back(addresses[turns_.failures_ever() % addresses.size()]);
    fetch.documents.push_back(
        std::make_unique<transport::DocumentFetch>(loop_, url, options_.rules.over(link), limits, etags_[url]));
  }
  fetch.fetched.resize(fetch.documents.size());
  fetch.failures.resize(fetch.documents.size());
  return fetch;
}

void LiveOrigin::look_at(Fetch& fetch, TimePoint now) {
  for (std::size_t i = 0; i < fetch.documents.size(); ++i) {
    if (fetch.fetched[i]) continue;
    try {
      fetch.fetched[i] = fetch.documents[i]->result();
    } catch (const transport::FetchError& error) {
      note_failure(fetch, i, error, now);
    }
  }
}

void LiveOrigin::note_failure(Fetch& fetch, std::size_t document, const transport::FetchError& error, TimePoint now) {
  fetch.fetched[document].emplace();
  fetch.failures[document] = error.what();
  fetch.origin_said_no = fetch.origin_said_no && is_refusal(error.reason);
  if (error.reason == FailureReason::kNotFound) last_answer_ = now;
  fetch.not_allowed = fetch.not_allowed || error.reason == FailureReason::kNotAllowed;
  // The origin may be slow over every link.
  if (error.reason == FailureReason::kStalled) {
    if (source_->held() == Duration{}) patience_ = std::min(2 * (now - fetch.sent), kMostPatience);
    source_->held_in_vain(now);
  }
  if (error.retry_after)
    turns_.leave_alone(fetch.link, now + std::min(*error.retry_after, RetryPolicy::kLongestRetryAfter));
}

/// Documents that fail beside others are bad themselves, as are those that the origin refuses. Otherwise it is the link.
void LiveOrigin::take_answer(TimePoint now, std::deque<TimedEvent>& happened) {
  look_at(*fetch_, now);
  if (!has_all(fetch_->fetched)) return;
  const bool all_failed = std::ranges::none_of(fetch_->failures, &std::string::empty);
  if (all_failed && fetch_->not_allowed && turns_.failures() + 1 >= fetch_->addresses)
    return stop(fetch_->failures.front(), now, happened);
  if (all_failed && !fetch_->origin_said_no) return failed(now, std::string{fetch_->failures.front()});
  try {
    take(now, happened);
    if (!all_failed) {
      patience_ = std::min(2 * std::max(now - fetch_->sent - source_->held(), Duration{}), kMostPatience);
      last_answer_ = now;
    }
    fetch_.reset();
    turns_.worked();
  } catch (const DocumentUnclear& error) {
    failed(now, error.what());
  } catch (const std::runtime_error& error) {
    stop(error.what(), now, happened);
  }
}

void LiveOrigin::take(TimePoint now, std::deque<TimedEvent>& happened) {
  std::vector<FetchedFile> files;
  std::map<std::string, std::string> etags;
  for (std::size_t i = 0; i < fetch_->fetched.size(); ++i) {
    transport::Document& document = *fetch_->fetched[i];
    const std::string& url = fetch_->urls[i];
    files.push_back({.url = document.url.empty() ? url : document.url,
                     .bytes = std::move(document.text),
                     .unchanged = document.unchanged,
                     .date = document.date,
                     .failure = fetch_->failures[i]});
    if (files.back().failure.empty()) etags[url] = document.unchanged ? etags_[url] : document.etag;
  }
  tell(source_->take(files, fetch_->sent, now), now, happened);
  etags_ = std::move(etags);
}

void LiveOrigin::look_at_clock(TimePoint now, std::deque<TimedEvent>& happened) {
  const auto next = source_->next_by_clock();
  if (!next || *next > now) return;
  try {
    std::vector<Event> news = source_->by_clock(now);
    if (!news.empty()) last_answer_ = now;
    tell(std::move(news), now, happened);
  } catch (const std::runtime_error& error) {
    stop(error.what(), now, happened);
  }
}

void LiveOrigin::tell(std::vector<Event> news, TimePoint now, std::deque<TimedEvent>& happened) {
  if (news.empty()) return;
  for (Event& event : news) happened.push_back({now, std::move(event)});
  last_news_ = now;
  over_ = source_->ended();
}

void LiveOrigin::stop(const std::string& why, TimePoint now, std::deque<TimedEvent>& happened) {
  over_ = true;
  happened.push_back({now, event::StopRequested{why}});
}

void LiveOrigin::failed(TimePoint now, const std::string& why) {
  fetch_.reset();
  why_failed_ = why;
  turns_.failed(now);
}

void LiveOrigin::give_up_if_hopeless(TimePoint now, std::deque<TimedEvent>& happened) {
  if (over_) return;
  // Only answers count: without one, new segments may exist.
  went_quiet_ = last_answer_ >= last_news_ + options_.ended_after;
  if (!went_quiet_ && now < last_answer_ + options_.give_up_after) return;
  stop(went_quiet_ ? fmt::format("no segment was added for {:.0f} s, and the presentation is not complete",
                                 to_seconds(options_.ended_after))
                   : fmt::format("the index could not be fetched for {:.0f} s: {}", to_seconds(options_.give_up_after),
                                 why_failed_),
       now, happened);
}

}  // namespace tributary
