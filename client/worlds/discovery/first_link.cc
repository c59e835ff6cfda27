#include "worlds/discovery/first_link.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

#include "transport/connections/origin.hh"
#include "transport/documents/document_fetch.hh"
#include "units/text/redacted_url.hh"

namespace tributary {

namespace {

using Clock = std::chrono::steady_clock;

/// Attempts over links that may be asked at the same time.
class Race {
 public:
  Race(const std::string& url, const Attempts& attempts, std::deque<std::string> links)
      : url_{url}, attempts_{attempts}, left_{std::move(links)} {}

  /// False if every link has failed; their errors are appended to `tried`.
  bool is_won(std::string& tried, FailureReason& reason) {
    while (!left_.empty() || !running_.empty()) {
      try {
        if (another_may_begin()) begin_next();
        if (!std::exchange(preconnected_, true)) std::ranges::for_each(left_, attempts_.preconnect);
        if (looks_won()) return true;
        if (let_sooner_one_begin()) continue;
      } catch (const transport::FetchError& error) {
        tried += fmt::format("\n  {}", error.what());
        reason = error.reason;
        next_ = {};
        continue;
      }
      tell();
      attempts_.wait(until_next());
    }
    return false;
  }

 private:
  struct Running {
    std::string link;
    Attempt advance;
    AttemptState state = AttemptState::kConnecting;
    Clock::time_point since = Clock::now();
  };

  bool comes() const { return running_.size() == 1 && running_.front().state == AttemptState::kComes; }
  bool another_may_begin() const { return !left_.empty() && !comes() && Clock::now() >= next_; }

  /// The first request of a link that is connected may be answered before one that waits for its handshake is sent.
  bool let_sooner_one_begin() {
    const auto waits = [&](const Running& attempt) { return attempt.state == AttemptState::kConnecting; };
    if (!std::ranges::all_of(running_, waits)) return false;
    const auto sooner = std::ranges::find_if(left_, attempts_.is_connected);
    if (sooner == left_.end()) return false;
    std::rotate(left_.begin(), sooner, sooner + 1);
    begin_next();
    return true;
  }

  void begin_next() {
    const std::string link = std::move(left_.front());
    left_.pop_front();
    running_.push_back({link, attempts_.begin(link)});
    next_ = Clock::now() + kHeadStart;
  }

  bool looks_won() {
    for (auto attempt = running_.begin(); attempt != running_.end(); ++attempt) {
      try {
        attempt->state = attempt->advance();
      } catch (...) {
        running_.erase(attempt);
        throw;
      }
      if (attempt->state == AttemptState::kThere) return true;
      if (attempt->state == AttemptState::kComes) {
        leave_it_to(attempt);
        return false;
      }
    }
    return false;
  }

  void leave_it_to(const std::deque<Running>::iterator& first) {
    Running kept = std::move(*first);
    running_.erase(first);
    for (; !running_.empty(); running_.pop_back()) left_.push_front(std::move(running_.back().link));
    running_.push_back(std::move(kept));
  }

  std::optional<Duration> until_next() const {
    if (comes()) return std::nullopt;
    const Clock::time_point next = left_.empty() ? tell_ : std::min(next_, tell_);
    return std::max<Duration>(next - Clock::now(), Duration{});
  }

  void tell() {
    const auto now = Clock::now();
    if (comes() || now < tell_) return;
    std::string what_for = "waiting for " + redacted(url_);
    for (const Running& attempt : running_) {
      what_for += fmt::format("{} no {} over {} for {} s", &attempt == &running_.front() ? ":" : ",",
                              attempt.state == AttemptState::kConnecting ? "connection" : "answer", attempt.link,
                              std::chrono::round<std::chrono::seconds>(now - attempt.since).count());
    }
    attempts_.tell(what_for);
    tell_ = now + kTellEvery;
  }

  const std::string& url_;
  const Attempts& attempts_;
  std::deque<std::string> left_;
  std::deque<Running> running_;
  bool preconnected_ = false;
  Clock::time_point next_{};  // from here on another link may be asked
  Clock::time_point tell_ = Clock::now() + kTellEvery;
};

/// What a monitor tells of links, by how they are to be used.
class FoundLinks {
 public:
  FoundLinks(LinkMonitor& monitor, const UseOfLink& use) : monitor_{monitor}, use_{use} { look(); }

  /// Waits for the first usable link, if there may be one in a moment.
  void await_first(const Attempts& attempts) {
    constexpr Duration kLookAgain = std::chrono::milliseconds{50};
    const auto end = Clock::now() + kFirstLink;
    while (in_use.empty() && when_needed.empty() && one_may_come_ && Clock::now() < end) {
      attempts.wait(kLookAgain);
      look();
    }
  }

  std::deque<std::string> in_use, when_needed;
  std::string obstacles;  // a line for each of the others

 private:
  void look() {
    one_may_come_ = monitor_.is_waiting();  // before the look: whatever ends the wait is seen by it
    for (const LinkChangeNotice& notice : monitor_.poll()) {
      const LinkUse wanted = use_(notice.link.name);
      if (!notice.usable) {
        obstacles += fmt::format("\n  {}: {}", notice.link.name, notice.why);
      } else if (wanted == LinkUse::kDoNotUse) {
        obstacles += fmt::format("\n  {}: switched off by the user", notice.link.name);
      } else {
        (wanted == LinkUse::kUse ? in_use : when_needed).push_back(notice.link.name);
      }
    }
  }

  LinkMonitor& monitor_;
  const UseOfLink& use_;
  bool one_may_come_ = false;
};

}  // namespace

void over_first_link(const std::string& url, LinkMonitor& monitor, const UseOfLink& use, const Attempts& attempts) {
  FoundLinks found{monitor, use};
  found.await_first(attempts);
  std::string tried = std::move(found.obstacles);
  FailureReason reason = FailureReason::kNoRoute;
  bool asked = false;
  for (auto* links : {&found.in_use, &found.when_needed}) {
    asked = asked || !links->empty();
    if (Race{url, attempts, std::move(*links)}.is_won(tried, reason)) return;
  }
  if (tried.empty()) {
    for (const LinkChangeNotice& notice : monitor.obstructed())
      tried += fmt::format("\n  {}: {}", notice.link.name, notice.why);
  }
  if (tried.empty()) {
    tried = "\n  no link has carrier, an address and a route to " + transport::parse_url(url).origin.url();
  }
  throw NoLinkWorked{reason, asked, fmt::format("cannot fetch {}:{}", redacted(url), tried)};
}

}  // namespace tributary
