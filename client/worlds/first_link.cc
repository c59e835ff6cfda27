#include "worlds/first_link.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <utility>

#include "transport/document_fetch.hh"
#include "transport/origin.hh"
#include "units/redacted_url.hh"

namespace tributary {

namespace {

/// One that is worth asking at the same time as others.
class Race {
 public:
  Race(const Attempts& attempts, std::deque<std::string> links) : attempts_{attempts}, left_{std::move(links)} {}

  /// False if every link has failed; what is told of each is appended then.
  bool is_won(std::string& tried, FailureReason& reason) {
    while (!left_.empty() || !running_.empty()) {
      try {
        if (!left_.empty() && std::chrono::steady_clock::now() >= next_) begin_next();
        if (looks_won()) return true;
      } catch (const transport::FetchError& error) {
        tried += fmt::format("\n  {}", error.what());
        reason = error.reason;
        next_ = {};
        continue;
      }
      attempts_.wait(left_.empty() ? std::nullopt : std::optional{std::max<Duration>(next_ - std::chrono::steady_clock::now(), Duration{})});
    }
    return false;
  }

 private:
  void begin_next() {
    const std::string link = std::move(left_.front());
    left_.pop_front();
    running_.push_back(attempts_.begin(link));
    next_ = std::chrono::steady_clock::now() + kHeadStart;
  }
  bool looks_won() {
    for (auto attempt = running_.begin(); attempt != running_.end(); ++attempt) {
      try {
        if ((*attempt)()) return true;
      } catch (...) {
        running_.erase(attempt);
        throw;
      }
    }
    return false;
  }

  const Attempts& attempts_;
  std::deque<std::string> left_;
  std::deque<Attempt> running_;
  std::chrono::steady_clock::time_point next_{};  // another link may be asked then
};

}  // namespace

void over_first_link(const std::string& url, LinkMonitor& monitor, const UseOfLink& use, const Attempts& attempts) {
  std::string tried;
  std::array<std::deque<std::string>, 2> usable;
  for (const LinkChangeNotice& notice : monitor.poll()) {
    const LinkUse wanted = use(notice.link.name);
    if (!notice.usable) {
      tried += fmt::format("\n  {}: {}", notice.link.name, notice.why);
    } else if (wanted == LinkUse::kDoNotUse) {
      tried += fmt::format("\n  {}: switched off by the user", notice.link.name);
    } else {
      usable[wanted == LinkUse::kUse ? 0 : 1].push_back(notice.link.name);
    }
  }
  FailureReason reason = FailureReason::kNoRoute;
  bool asked = false;
  for (auto& links : usable) {
    asked = asked || !links.empty();
    if (Race{attempts, std::move(links)}.is_won(tried, reason)) return;
  }
  if (tried.empty()) {
    tried = "\n  no link has carrier, an address and a route to " + transport::parse_url(url).origin.url();
  }
  throw NoLinkWorked{reason, asked, fmt::format("cannot fetch {}:{}", redacted(url), tried)};
}

}  // namespace tributary
